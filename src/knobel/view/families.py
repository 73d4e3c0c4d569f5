"""The one place in this package that knows every family of games."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from msgspec import Struct

from knobel.phrase import Phrase
from knobel.record.events import Corrected
from knobel.record.track import GameTrack, Step
from knobel.table import Table
from knobel.view import round_narration, sheet_narration
from knobel.view.round_turn import build_round_turn_view
from knobel.view.rounds import build_rounds_view
from knobel.view.sentences import Translate
from knobel.view.sheet import build_sheet_view
from knobel.view.sheet_turn import build_turn_view

BuildView: TypeAlias = Callable[[Table, Translate], Struct]
BuildTurn: TypeAlias = Callable[[GameTrack, int, str, str, Translate], Struct]
NarrateAction: TypeAlias = Callable[[Table, Step, int], tuple[Phrase, ...]]
NarrateCorrection: TypeAlias = Callable[[Table, Step, Corrected], tuple[Phrase, ...]]


@dataclass(frozen=True, slots=True)
class ViewFamily:
    """How a family shows its position and a turn to correct, and how it tells what happened."""

    build_view: BuildView
    build_turn: BuildTurn
    narrate_action: NarrateAction
    narrate_correction: NarrateCorrection


FAMILIES: dict[str, ViewFamily] = {
    "sheet": ViewFamily(
        build_sheet_view, build_turn_view, sheet_narration.narrate_action, sheet_narration.narrate_correction
    ),
    "rounds": ViewFamily(
        build_rounds_view, build_round_turn_view, round_narration.narrate_action, round_narration.narrate_correction
    ),
}


def find_family_name(table: Table) -> str:
    return str(table.game.rules.family)


def find_family(table: Table) -> ViewFamily:
    return FAMILIES[find_family_name(table)]
