"""`knobel advise`: every move here with its expected final total and what it costs, best first."""

from knobel.cli.advise_rounds import advise_rounds
from knobel.cli.chosen import Chosen, choose
from knobel.cli.line import JSON, LANG, SET, TEXT, Argument, Command, Given, Option
from knobel.cli.screen import columns, say, say_json
from knobel.cli.situation import read_announced, read_column, read_hand
from knobel.cli.solved import opened
from knobel.coach import Coach, Judged
from knobel.errors import AnnouncedMissing, LockedDice, NumberRange, SheetFull, UnknownOption
from knobel.game import Announce, Fill, Move, Throw
from knobel.games.sheet import Sheet, SheetState
from knobel.lang import Words
from knobel.notation import write
from knobel.phrase import Figure
from knobel.rules.column import Column


def run(given: Given) -> None:
    """Give advice."""
    chosen = choose(given)
    if chosen.edition.family == "rounds":
        advise_rounds(chosen, given)
        return
    idle = [name for name in ("players", "aim", "target", "made") if given.flag(name)]
    if idle:
        raise UnknownOption(
            name=f"--{idle[0]}", known=("--dice", "--throws-left", "--sheet", "--announced", "--locked")
        )
    game = Sheet(chosen.rules, practice=True)
    state = read_state(chosen, game, given)
    judged = Coach(opened(chosen)).judge(game, state)
    if given.flag("json"):
        say_json(form(chosen, state, judged))
        return
    words = chosen.words
    say(words("interface.advise.value", value=Figure(judged[0].value, 3)))
    columns(
        [
            f"  {spoken(words, state, one.move)}",
            f"{words.figure(Figure(one.value, 3)):>9}",
            f"{words.figure(Figure(-one.loss, 3)):>8}" if one.loss else "",
        ]
        for one in judged
    )


def form(chosen: Chosen, state: SheetState, judged: list[Judged]) -> dict[str, object]:
    """Write the advice for machines."""
    return {
        "edition": chosen.edition.id,
        "lang": chosen.words.lang,
        "text": chosen.text,
        "value": judged[0].value,
        "moves": [
            {
                "move": spoken(chosen.words, state, one.move),
                "action": write(state, one.move, chosen.rules.dice),
                "value": one.value,
                "loss": one.loss,
            }
            for one in judged
        ],
    }


def spoken(words: Words, state: SheetState, move: Move) -> str:
    """Say a move in players' words."""
    match move:
        case Throw(()):
            return words("interface.advise.throw_all")
        case Throw(keep):
            return words("interface.advise.keep", dice=" ".join(map(str, sorted(state.dice[place] for place in keep))))
        case Fill(box):
            return words("interface.advise.write", box=words.box(box))
        case Announce(box):
            return words("interface.advise.announce", box=words.box(box))
    raise TypeError(move)


def read_state(chosen: Chosen, game: Sheet, given: Given) -> SheetState:
    """Read the position that was typed."""
    column = read_column(chosen, given)
    if column.full:
        raise SheetFull
    announced = read_announced(chosen, column, given.word("announced"))
    dice = given.numbers("dice")
    state = SheetState((column,), 0, 0, turns=(0,), first=0, announced=announced)
    if not dice:
        return state
    if announced is None and chosen.rules.order == "announced":
        raise AnnouncedMissing
    read_hand(chosen.rules, dice)
    throws = chosen.rules.throws
    left = given.number("throws-left", "--throws-left")
    left = throws - 1 if left is None else left
    if not 0 <= left < throws:
        raise NumberRange(name="--throws-left", least=0, most=throws - 1, value=left)
    return with_dice(chosen, game, column, announced, dice, throws - left, given.numbers("locked"))


def with_dice(
    chosen: Chosen,
    game: Sheet,
    column: Column,
    announced: str | None,
    dice: tuple[int, ...],
    thrown: int,
    locked: tuple[int, ...],
) -> SheetState:
    """Put the dice on the tray, those that must stay among them."""
    state = SheetState((column,), 0, 0, dice, thrown, announced=announced, turns=(0,), first=0)
    if not locked:
        return state
    places = game.positions(state, locked)
    if not chosen.rules.locked_dice or places is None or thrown < 2:
        raise LockedDice(dice=" ".join(map(str, locked)))
    return SheetState((column,), 0, 0, dice, thrown, (), places, announced, (0,), first=0)


COMMAND = Command(
    "advise",
    (Argument("edition"),),
    (
        Option("dice", "D", several=True),
        Option("throws-left", "N"),
        Option("sheet", "box=points,…"),
        Option("announced", "BOX"),
        Option("locked", "D", several=True),
        Option("yatzys", "N"),
        Option("players", "N"),
        Option("aim", "over|under"),
        Option("target", "N"),
        Option("made", "N", several=True),
        LANG,
        TEXT,
        SET,
        JSON,
    ),
    run,
)
