"""What every played game has on paper: marks behind entries, the ranking, remarks, and how to check it."""

from collections.abc import Callable
from typing import TypeAlias

from knobel.paper.boxes import PageTranslator
from knobel.paper.pad import Footer
from knobel.phrase import Phrase, phrase
from knobel.record.marks import has_corrected_turns, list_marked_boxes
from knobel.record.replay import Replay

GAME_PAPER_SIZE = "a4"
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
    header = replay.header
    notes = [phrase("paper.unfinished")] if replay.outcome is None else []
    notes += [phrase("paper.seeded")] if header.dice.seed is not None else []
    notes += [phrase("paper.practice")] if header.practice and header.dice.seed is None else []
    marks = "".join(mark for seat in range(len(header.seats)) for mark in mark_entries(replay, seat).values())
    notes += [phrase("paper.anyway", mark=ANYWAY_MARK)] if ANYWAY_MARK in marks else []
    notes += (
        [phrase("paper.corrected", mark=CORRECTED_MARK)]
        if CORRECTED_MARK in marks or has_corrected_turns(replay)
        else []
    )
    checks = [phrase("paper.game_name", game=header.game)]
    checks += [phrase("paper.head", head=chain_head)] if chain_head else []
    return Footer(
        notes=tuple(words.translate(said) for said in notes),
        lines=tuple(words.translate(said) for said in describe_ranking(replay, describe_rank)),
        print=tuple(words.translate(said) for said in checks),
    )


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
