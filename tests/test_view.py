"""What a device sees of a game of rounds is what the game is, no more and no less."""

import json
from pathlib import Path
from random import Random

import msgspec
import pytest

from knobel.errors import UnknownBot
from knobel.games.rounds import RoundsGame
from knobel.lang import Translator
from knobel.rooms.intents import ChangeSettings, Sit, SitBot
from knobel.table import Table
from knobel.view.rounds import RoundsView, build_rounds_view
from tests.parties import ANN, BEN, Party, awaited, hosted

CHICAGO = ChangeSettings("carlit-chicago")


async def seen(party: Party, owner: str) -> RoundsView:
    """Give what a device sees."""
    desk = await party.desk()
    assert desk.table is not None
    return build_rounds_view(desk.table, desk.room, owner, Translator("en").translate)


def agrees(view: RoundsView, table: Table) -> None:
    """Insist that a view shows the state as it is."""
    state, game = table.state, table.game
    assert isinstance(game, RoundsGame)
    assert sum(seat.chips for seat in view.seats) + view.kitty == game.rules.chips
    assert [seat.chips for seat in view.seats] == list(state.chips)
    assert len(view.trays) == (state.seat is not None)
    for tray in view.trays:
        legal = {
            ("stand " + move.aim) if move.aim else "stand" for move in game.legal_moves(state) if hasattr(move, "aim")
        }
        assert {stand.action for stand in tray.stands} == legal
        assert tray.sum == sum(tray.dice)
        assert (tray.roll_refusal is None) == (tray.phase in {"rolloff", "throw", "choose"})
        assert (tray.beats is None) == (state.phase != "follow" or not state.dice)
        assert view.seats[tray.seat].name in tray.prompt
    for place, seat in enumerate(view.seats):
        assert seat.total == dict(state.totals).get(place)
        inside = place in state.active or seat.left
        assert (seat.place is None) == inside
    for line in view.log:
        assert line.opener is not None
        assert line.totals
        assert line.loser is not None or line.left


@pytest.mark.parametrize("seats", [2, 3, 4, 6, 16])
@awaited
async def test_every_position_of_a_game_of_rounds_is_shown_as_it_is(seats: int, tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        chairs = [(ANN if seat % 2 else BEN, Sit(f"Seat {seat}", real_dice=seat == 1)) for seat in range(seats)]
        party = await Party.open(host, CHICAGO, chairs)
        table = await party.begin()
        random, rounds = Random(seats), 0
        while await party.move(random):
            for owner in (ANN, BEN, "a stranger"):
                view = await seen(party, owner)
                agrees(view, table)
                mine = [place for place, seat in enumerate(view.seats) if seat.yours]
                assert mine == list((await party.now()).seats_of(owner))
                assert view.undo is None or view.undo in mine
            assert len(view.log) - rounds in {0, 1}
            rounds = len(view.log)
        assert rounds
        assert view.places is not None
        assert sorted(seat for group in view.places for seat in group) == list(range(seats))


@awaited
async def test_no_secret_seed_is_shown_while_a_game_of_rounds_runs(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, CHICAGO, [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        table = await party.begin()
        await party.play(most=6)
        text = msgspec.json.encode(await seen(party, BEN)).decode()
        assert table.server_seed not in text
        assert json.loads(text)["game"] == table.header.game


@awaited
async def test_bots_that_do_not_know_a_box_cannot_be_brought_to_it(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(
            host, ChangeSettings("mb-yahtzee"), [(ANN, Sit("Ann")), (ANN, SitBot("cautious", "Bo"))]
        )
        error = await party.refused(UnknownBot, CHICAGO)
        assert "cautious" in Translator("en").describe_error(error)
        await party.want(ChangeSettings("tactic-xl-yatzy"))
