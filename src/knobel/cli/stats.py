"""`knobel stats`: the statistics of everybody in short, or of one person in full."""

import csv
import sys
import time

from knobel.cli.parser import DATABASE, JSON, LANG, Argument, Command, CommandOption, Given
from knobel.cli.people_lookup import find_named_person
from knobel.cli.room_client import run_with_store
from knobel.cli.screen import say, say_columns, say_json
from knobel.errors import OptionsClash
from knobel.host.mistakes import ThemeCost, list_theme_costs
from knobel.host.people import draw_person_code
from knobel.host.play_history import PlayHistory
from knobel.host.statistics import StatisticsKeeper
from knobel.host.statistics_answers import EditionStatistics, StatisticsAnswers
from knobel.host.statistics_text import (
    FIELDS,
    MORE_FIELDS,
    PERSON_FIELDS,
    PersonStatistics,
    flatten,
    format_number,
    list_box_averages,
    list_figures,
    list_statistics,
)
from knobel.lang import Translator, choose_language
from knobel.phrase import FormattedNumber
from knobel.stats.answers import describe_summary
from knobel.store.address import AnyStore
from knobel.store.people import StoredPerson


def run(given: Given) -> None:
    """Answer as text, JSON or a table for other programs."""
    words = Translator(choose_language(given.read_value("lang")))
    typed, edition = given.read_value("person"), given.read_value("edition") or ""
    database = given.read_value("database")
    if given.has("json") and given.has("csv"):
        raise OptionsClash(name="--json", other="--csv")
    if given.has("code") and typed:
        show_code(database, typed, words)
        return

    async def look(store: AnyStore) -> tuple[list[PersonStatistics], list[ThemeCost]]:
        people = await store.list_people()
        asked = [find_named_person(people, typed)] if typed else list(people)
        answers = StatisticsAnswers(PlayHistory(store, StatisticsKeeper(store), is_open=True))
        rows = await list_statistics(answers, asked, edition)
        return rows, await list_theme_costs(store, asked[0].id) if typed else []

    rows, costs = run_with_store(database, look)
    if given.has("json"):
        say_json([build_json(person, one) | build_theme_json(costs, one, typed) for person, one in rows])
    elif given.has("csv"):
        write_csv(rows)
    elif not rows and edition:
        say(words("interface.stats.none_of", edition=edition))
    elif not rows:
        say(words("interface.stats.none"))
    elif typed:
        for place, (_, one) in enumerate(rows):
            if place:
                say()
            show_edition(one, words)
            show_theme_costs([cost for cost in costs if cost.edition == one.edition], words)
    else:
        show_everybody(rows, words)


def show_code(database: str | None, typed: str, words: Translator) -> None:
    """Show a code with which a device holds a person, too."""

    async def draw(store: AnyStore) -> tuple[str, str]:
        person = find_named_person(await store.list_people(), typed)
        return person.name, await draw_person_code(store, person.id, time.time())

    name, code = run_with_store(database, draw)
    say(words("interface.stats.code", name=name, code=code))


def build_json(person: StoredPerson, one: EditionStatistics) -> dict[str, object]:
    who: dict[str, object] = {
        "person": person.id,
        "name": person.name,
        "edition": one.edition,
        "title": one.sample.title,
    }
    return who | describe_summary(one.summary, one.perfect)


def write_csv(rows: list[PersonStatistics]) -> None:
    """Write a table with one line for each person and edition; empty where nothing is known."""
    columns = (*FIELDS, *MORE_FIELDS, *PERSON_FIELDS)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("person", "name", "edition", *columns))
    for person, one in rows:
        flat = flatten(one)
        writer.writerow(
            (person.id, person.name, one.edition, *("" if flat[name] is None else flat[name] for name in columns))
        )


def show_everybody(rows: list[PersonStatistics], words: Translator) -> None:
    """Show the most important numbers of everybody."""
    shown = ("games", "average", "spread", "best", "wins")
    heads = ["", "", *(words(f"interface.stats.{name}") for name in shown)]
    lines = [
        [person.name, one.sample.title, *(format_number(flatten(one)[name], name, words) for name in shown)]
        for person, one in rows
    ]
    say_columns([heads, *lines])


def show_edition(one: EditionStatistics, words: Translator) -> None:
    """Show everything that is known of a person in an edition; boxes beside perfect play."""
    say(one.sample.title)
    say_columns([[f"  {name}", number] for name, number in list_figures(one, words)])
    if boxes := list_box_averages(one, words):
        heads = [
            f"  {words('interface.stats.box')}",
            words("interface.stats.average"),
            words("interface.stats.perfect"),
        ]
        lines = [
            [
                f"  {box.name}",
                format_number(box.average, "average", words),
                format_number(box.perfect, "perfect", words),
            ]
            for box in boxes
        ]
        say_columns([heads, *lines])


def build_theme_json(costs: list[ThemeCost], one: EditionStatistics, typed: str | None) -> dict[str, object]:
    """Say of one person what each theme costs per game, and in the older and the newer half of the games."""
    own = [cost for cost in costs if cost.edition == one.edition]
    themes = {cost.theme: cost.per_game for cost in own}
    trends = {cost.theme: {"earlier": cost.earlier, "recent": cost.recent} for cost in own}
    return {"themes": themes, "theme_trends": trends} if typed else {}


def show_theme_costs(costs: list[ThemeCost], words: Translator) -> None:
    """Show what each theme of mistakes costs per game, the dearest first, and how that changes."""
    if costs:
        has_trend = any(one.recent is not None for one in costs)
        say_columns(
            [
                ["", words("interface.stats.themes"), *[words("web.stats.trend")] * has_trend],
                *(
                    [
                        f"  {words(f'coach.theme.{one.theme}')}",
                        words.format_number(FormattedNumber(one.per_game, 2)),
                        *[describe_change(one, words)] * has_trend,
                    ]
                    for one in costs
                ),
            ]
        )


def describe_change(cost: ThemeCost, words: Translator) -> str:
    """Describe what a theme cost in the older and costs in the newer half of the games."""
    halves = [FormattedNumber(half, 2) for half in (cost.earlier, cost.recent) if half is not None]
    return " → ".join(map(words.format_number, halves))


COMMAND = Command(
    "stats",
    (Argument("person", optional=True),),
    (
        CommandOption("edition", "ID", described_as="played-edition"),
        CommandOption("csv"),
        CommandOption("code"),
        DATABASE,
        LANG,
        JSON,
    ),
    run,
)
