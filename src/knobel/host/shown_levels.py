"""The level each player has shown: how many points they give away in a turn on average."""

from knobel.bots.averages import load_averages
from knobel.host.record_chase import LOST_GAMES
from knobel.rules.families import list_boxes
from knobel.store import Store
from knobel.table import Table

STRONGEST = "perfect"
"""The bot whose average is what best play scores."""


async def find_losses(store: Store, table: Table) -> tuple[float, ...]:
    """Find what each seat gives away in a turn: people by their last reviewed games of this edition, bots as measured.

    Of whom nothing is known is taken to play best.
    """
    header, boxes = table.header, max(1, len(list_boxes(table.game.rules)))
    players = await store.list_players(header.game)
    averages = load_averages().get(header.fingerprint, {})
    losses = []
    for place, seat in enumerate(header.seats):
        lost = list[float]()
        if seat.bot is None and place in players:
            lost = list(await store.list_points_lost(players[place], header.edition.id, LOST_GAMES))
        elif seat.bot is not None and {seat.bot, STRONGEST} <= averages.keys():
            lost = [max(0.0, averages[STRONGEST] - averages[seat.bot])]
        losses.append(sum(lost) / len(lost) / boxes if lost else 0.0)
    return tuple(losses)
