"""Statistics in words: every figure that is known with its name, and the average of every box beside perfect play."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from knobel.host.record_edition import rebuild_edition
from knobel.host.statistics_answers import EditionStatistics, StatisticsAnswers
from knobel.lang import Translator
from knobel.phrase import FormattedNumber
from knobel.record.replay import set_up_game
from knobel.rules.families import list_boxes
from knobel.stats.answers import describe_summary
from knobel.store.people import StoredPerson

FIELDS = ("games", "average", "spread", "best", "worst", "contests", "wins", "last_places", "bonus_rate", "alike")
MORE_FIELDS = ("first_roll", "opened", "survived", "round_losses", "reviewed", "lost", "lost_trend", "luck")
PERSON_FIELDS = ("most_wins", "perfect_average", "perfect_bonus_rate")
RATES = ("bonus_rate", "perfect_bonus_rate")
PersonStatistics: TypeAlias = tuple[StoredPerson, EditionStatistics]


@dataclass(frozen=True, slots=True)
class BoxAverage:
    """What a person scores in a box on average, and what perfect play does, where that is known."""

    name: str
    average: float | None
    perfect: float | None


async def list_statistics(
    answers: StatisticsAnswers, people: Sequence[StoredPerson], edition: str = ""
) -> list[PersonStatistics]:
    """List the statistics of some people, one edition after the other."""
    return [(person, one) for person in people for one in await answers.find_statistics(person.id, edition)]


def flatten(one: EditionStatistics) -> dict[str, Any]:
    """Give the numbers of an edition as one row."""
    found: dict[str, Any] = describe_summary(one.summary, one.perfect)
    review, perfect = found["review"], found["perfect"] or {}
    return {
        **{name: found.get(name) for name in (*FIELDS, *MORE_FIELDS)},
        "best": found["best"] and found["best"]["value"],
        "worst": found["worst"] and found["worst"]["value"],
        "reviewed": review["games"],
        "lost": review["lost"],
        "lost_trend": review["lost_trend"],
        "luck": review["luck"],
        "most_wins": found["streaks"]["most_wins"],
        "perfect_average": perfect.get("average"),
        "perfect_bonus_rate": perfect.get("bonus_rate"),
    }


def list_figures(one: EditionStatistics, words: Translator) -> list[tuple[str, str]]:
    """List every number that is known, with its name."""
    flat = flatten(one)
    names = [name for name in (*FIELDS, *MORE_FIELDS, *PERSON_FIELDS) if flat[name] is not None]
    return [(words(f"interface.stats.{name}"), format_number(flat[name], name, words)) for name in names]


def list_box_averages(one: EditionStatistics, words: Translator) -> list[BoxAverage]:
    """List the boxes as the sheet does, in its own words; none where it is not known what was agreed."""
    if one.sample.header is None:
        return []
    found: Any = describe_summary(one.summary, one.perfect)["boxes"]
    game, _ = set_up_game(one.sample.header)
    order = {box: place for place, box in enumerate(list_boxes(game.rules))}
    rows = sorted(found, key=lambda row: order.get(row["box"], len(order)))
    printed = Translator(words.lang, rebuild_edition(one.sample.header))
    return [BoxAverage(printed.name_box(row["box"]), row["average"], row["perfect"]) for row in rows]


def format_number(value: float | None, name: str, words: Translator) -> str:
    """Write a number as people read it; nothing where it is not known."""
    if value is None:
        return ""
    if name in RATES:
        return words.format_value(FormattedNumber(value, percent=True))
    return words.format_value(FormattedNumber(value, 0 if isinstance(value, int) else 1))
