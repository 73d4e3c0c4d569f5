"""What every played game has on paper: marks behind entries, the ranking, remarks, and how to check it."""

from collections.abc import Callable
from typing import TypeAlias

from knobel.paper.boxes import PageTranslator
from knobel.paper.pad import Footer
from knobel.paper.page import PadPaper
from knobel.phrase import LanguageName, Phrase, phrase
from knobel.record.marks import has_corrected_turns, list_marked_boxes
from knobel.record.replay import Replay
from knobel.rules import edition_ids, load_edition

GAME_PAPER = PadPaper()
ANYWAY_MARK, CORRECTED_MARK = "*", "†"
"""What is printed behind an entry that was scored against the rules, or corrected."""

DescribeRank: TypeAlias = Callable[[int, tuple[str, ...], int], Phrase]
"""How a family speaks of a place, the players who share it, and their total."""


def mark_entries(replay: Replay, seat: int) -> dict[str, str]:
    """Mark the entries of a seat that were scored against the rules or corrected."""
    against_rules, corrected = list_marked_boxes(replay, seat)
    return {
        box: (ANYWAY_MARK if box in against_rules else "") + (CORRECTED_MARK if box in corrected else "")
        for box in dict.fromkeys((*against_rules, *corrected))
    }


def build_footer(replay: Replay, words: PageTranslator, chain_head: str, describe_rank: DescribeRank) -> Footer:
    """Write the ranking, remarks about the game, and how to check it."""
    return Footer(
        notes=tuple(map(words.translate, list_remarks(replay))),
        lines=tuple(map(words.translate, describe_ranking(replay, describe_rank))),
        print=(describe_checks(replay, chain_head, words),),
    )


def describe_checks(replay: Replay, chain_head: str, words: PageTranslator) -> str:
    """Name the game and the head of its chain, so that a sheet can be held against its record."""
    said = [phrase("paper.game_name", game=replay.header.game)]
    said += [phrase("paper.head", head=chain_head)] if chain_head else []
    return " · ".join(map(words.translate, said))


def list_remarks(replay: Replay) -> list[Phrase]:
    """List which text was played, and what is unusual about the game."""
    header = replay.header
    notes = list_text_remarks(replay)
    notes += [phrase("paper.unfinished")] if replay.outcome is None else []
    notes += [phrase("paper.seeded")] if header.dice.seed is not None else []
    notes += [phrase("paper.practice")] if header.practice and header.dice.seed is None else []
    marks = "".join(mark for seat in range(len(header.seats)) for mark in mark_entries(replay, seat).values())
    notes += [phrase("paper.anyway", mark=ANYWAY_MARK)] if ANYWAY_MARK in marks else []
    notes += (
        [phrase("paper.corrected", mark=CORRECTED_MARK)]
        if CORRECTED_MARK in marks or has_corrected_turns(replay)
        else []
    )
    return notes


def list_text_remarks(replay: Replay) -> list[Phrase]:
    """Name the text that was played, where its edition prints several."""
    edition = replay.header.edition
    id = edition.base or edition.id
    if id not in edition_ids() or len(load_edition(id).printed) == 1:
        return []
    return [phrase("paper.text_played", language=LanguageName(replay.header.text))]


def describe_ranking(replay: Replay, describe_rank: DescribeRank) -> list[Phrase]:
    outcome, seats = replay.outcome, replay.header.seats
    if outcome is None or len(seats) == 1:
        return []
    return [
        describe_rank(place, tuple(seats[seat].name for seat in group), outcome.totals[group[0]])
        for place, group in number_places(outcome.places)
    ]


def number_places(groups: tuple[tuple[int, ...], ...]) -> list[tuple[int, tuple[int, ...]]]:
    """Number the places; who shares one takes up several."""
    place, found = 1, []
    for group in groups:
        found.append((place, group))
        place += len(group)
    return found
