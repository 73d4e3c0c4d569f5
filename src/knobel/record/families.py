"""How each family of games speaks of its turns, and what a correction of one must leave as it was."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from knobel.game import Game, Leave
from knobel.games.round_state import OPEN, RoundState
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame, SheetState
from knobel.phrase import BoxName, Phrase, phrase
from knobel.record.track import Step
from knobel.record.turns import ENTRY
from knobel.rules.fields import abbreviate

LATER_ENTRY_REFUSAL = "rules.refusal.later"


@dataclass(frozen=True, slots=True)
class RecordFamily:
    """What a family answers about the turns in a record."""

    name_turn: Callable[[Step], str | None]
    """By which name a turn is corrected, given its last step."""
    explain_unknown_turn: Callable[[Any, str], Phrase]
    """Why there is no turn of that name."""
    explain_turn_change: Callable[[Any, Any], Phrase | None]
    """Why a step taken before one state would be somebody else's, or for something else, before another."""
    describe_impossible: Callable[[Step, Phrase, tuple[str, ...]], Phrase | None]
    """Which later entry a correction would make impossible, and why; nothing if the step is no entry."""
    find_starter: Callable[[Any], int | None]
    """Who began, once that is settled."""


def name_sheet_turn(last: Step) -> str | None:
    return last.action.box if isinstance(last.action, ENTRY) else None


def explain_unknown_box(game: SheetGame, name: str) -> Phrase:
    if name not in game.rules.index:
        return phrase("rules.refusal.no_box", name=abbreviate(name))
    return phrase("rules.refusal.no_entry", box=BoxName(name))


def describe_impossible_entry(step: Step, refusal: Phrase, names: tuple[str, ...]) -> Phrase | None:  # noqa: ARG001
    if not isinstance(step.action, ENTRY):
        return None
    player = step.before.player
    before, after = (state.columns[player].entries for state in (step.before, step.after))
    points = next(new for old, new in zip(before, after, strict=True) if old != new)
    turn = sum(entry is not None for entry in before) + 1
    return phrase(LATER_ENTRY_REFUSAL, box=BoxName(step.action.box), points=points, turn=turn, why=refusal)


def find_sheet_starter(state: SheetState) -> int | None:
    return state.first


def name_round_turn(last: Step) -> str:
    return str(last.before.rounds)


def explain_unknown_round(_: RoundsGame, name: str) -> Phrase:
    if name.isdecimal() and len(name) < 5:
        return phrase("rules.refusal.no_round", round=int(name))
    return phrase("rules.refusal.no_box", name=abbreviate(name))


def explain_round_change(before: RoundState, state: RoundState) -> Phrase | None:
    kinds = [rolloff.kind if rolloff else None for rolloff in (before.rolloff, state.rolloff)]
    if kinds[0] != kinds[1]:
        return phrase("rules.refusal.tie_first" if kinds[1] else "rules.refusal.no_tie")
    if (before.player, before.phase) == (state.player, state.phase):
        return None
    opens = OPEN in (before.phase, state.phase)
    return phrase("rules.refusal.other_opener" if opens else "rules.refusal.other_player")


def describe_impossible_round(step: Step, refusal: Phrase, names: tuple[str, ...]) -> Phrase:
    seat = step.action.seat if isinstance(step.action, Leave) else step.before.player
    return phrase("rules.refusal.later_round", name=names[seat], round=step.before.rounds, why=refusal)


def find_first_opener(state: RoundState) -> int | None:
    return state.opener if state.rounds else None


RECORD_FAMILIES = {
    "sheet": RecordFamily(
        name_turn=name_sheet_turn,
        explain_unknown_turn=explain_unknown_box,
        explain_turn_change=lambda before, state: None,  # noqa: ARG005
        describe_impossible=describe_impossible_entry,
        find_starter=find_sheet_starter,
    ),
    "rounds": RecordFamily(
        name_turn=name_round_turn,
        explain_unknown_turn=explain_unknown_round,
        explain_turn_change=explain_round_change,
        describe_impossible=describe_impossible_round,
        find_starter=find_first_opener,
    ),
}


def record_family(game: Game[Any]) -> RecordFamily:
    """Find what the family of a game answers."""
    return RECORD_FAMILIES[game.rules.family]
