"""Corrections of rounds played with real dice: other dice, in how many rolls, and how they stood."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from knobel.errors import KnobelError, WrongDiceCount
from knobel.notation import FACES
from knobel.tui.position import Position
from knobel.tui.table_play import TablePlay
from knobel.view.round_turn import RoundTurnView
from knobel.view.turns import draw_turn


@dataclass(frozen=True, slots=True)
class RoundEntry:
    """What somebody got in a round, which they may correct."""

    seat: int
    round: int
    total: int


def list_round_entries(position: Position) -> list[RoundEntry]:
    """List what was entered with real dice here, the last round first."""
    view = position.view
    current = [(seat, one.total) for seat, one in enumerate(view.seats) if one.total is not None]
    rounds = [(view.round, current), *((one.round, one.totals) for one in reversed(view.log))]
    found = {
        (number, seat): RoundEntry(seat, number, total)
        for number, totals in reversed(rounds)
        for seat, total in totals
        if seat in position.here and view.seats[seat].real_dice
    }
    return sorted(found.values(), key=lambda one: -one.round)


def offer_round_corrections(play: TablePlay) -> None:
    """Let somebody choose which round was entered wrongly, or say why none can be corrected."""
    position, entries = play.position, list_round_entries(play.position)
    if not entries:
        say_refusal(play)
        return

    async def choose(index: int) -> None:
        ask_dice(play, entries[index])

    lines = [name_entry(position, entry) for entry in entries]
    play.choose(position.words("web.table.correct"), lines, "", choose)


def say_refusal(play: TablePlay) -> None:
    """Say why a player here has nothing to correct in this round."""
    position = play.position
    seats = [seat for seat in (position.shown_seat, *sorted(position.here)) if seat in position.here]
    try:
        find_round_turn(play, RoundEntry(seats[0] if seats else 0, position.view.round, 0), "")
    except KnobelError as error:
        play.say(position.words.describe_error(error))


def name_entry(position: Position, entry: RoundEntry) -> str:
    name = position.view.seats[entry.seat].name
    return f"{position.words('web.table.round_n', round=entry.round)}: {name} {entry.total}"


def ask_dice(play: TablePlay, entry: RoundEntry) -> None:
    """Ask what the dice showed, then in how many rolls where that matters, then how the player stood."""

    async def read(typed: str) -> None:
        dice = "".join(one for one in typed if one in FACES)
        await explain_refusal(play, lambda: ask_rolls(play, entry, dice))

    play.ask_line(play.position.words("web.pad.correct_dice_ask"), read)


async def ask_rolls(play: TablePlay, entry: RoundEntry, dice: str) -> None:
    if len(dice) != (wanted := play.position.rules.dice):
        raise WrongDiceCount(n=len(dice), wanted=wanted)
    turn = find_round_turn(play, entry, "")
    if not turn.opens:
        await ask_stand(play, entry, dice)
    elif turn.rolls == 1:
        await ask_stand(play, entry, f"{dice}:1")
    else:
        lines = [str(number) for number in range(1, turn.rolls + 1)]

        async def choose(index: int) -> None:
            await explain_refusal(play, lambda: ask_stand(play, entry, f"{dice}:{index + 1}"))

        play.choose(play.position.words("web.pad.rolls"), lines, "", choose)


async def ask_stand(play: TablePlay, entry: RoundEntry, dice: str) -> None:
    """Ask an opener for over or under; nobody else has a choice."""
    turn = find_round_turn(play, entry, dice)
    words, total = play.position.words, sum(turn.dice)

    async def correct(index: int) -> None:
        actions = (f"={dice}", turn.stands[index].action)
        await play.attempt(play.game.correct(entry.seat, str(entry.round), actions))

    if len(turn.stands) == 1:
        await correct(0)
    else:
        keys = [f"web.rounds.stand_{stand.aim}" if stand.aim else "web.rounds.stand" for stand in turn.stands]
        play.choose(name_entry(play.position, entry), [words(key, n=total) for key in keys], "", correct)


def find_round_turn(play: TablePlay, entry: RoundEntry, dice: str) -> RoundTurnView:
    """Look at a turn, perhaps with other dice."""
    turn = draw_turn(play.position.table, entry.seat, str(entry.round), dice, play.position.translate)
    if not isinstance(turn, RoundTurnView):
        raise TypeError(turn)
    return turn


async def explain_refusal(play: TablePlay, work: Callable[[], Awaitable[None]]) -> None:
    """Go on, or say why these dice cannot be."""
    try:
        await work()
    except KnobelError as error:
        play.say(play.position.words.describe_error(error))
