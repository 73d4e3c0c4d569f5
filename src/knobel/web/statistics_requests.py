"""Statistics, head to head and the records of tables, over HTTP."""

from collections.abc import Collection, Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from knobel.errors import MessageMalformed, PersonUnknown
from knobel.host.mistakes import ThemeCost, list_theme_costs
from knobel.host.play_history import PlayHistory
from knobel.host.record_edition import rebuild_edition
from knobel.host.statistics_answers import EditionSample, EditionStatistics, StatisticsAnswers
from knobel.lang import Translator
from knobel.record.replay import set_up_game
from knobel.rules import edition_ids, load_edition
from knobel.rules.families import list_boxes
from knobel.stats.answers import describe_summary, describe_table_records, describe_versus
from knobel.store.people import NamedResult
from knobel.web.device_requests import DeviceRequests
from knobel.web.history_requests import MAX_FILTER
from knobel.web.people_requests import describe_person
from knobel.web.requests import choose_language


class StatisticsRequests:
    """Answers about the people a device may know."""

    def __init__(self, history: PlayHistory, devices: DeviceRequests) -> None:
        self.history = history
        self.answers = StatisticsAnswers(history)
        self.devices = devices

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/statistics", self.get_statistics),
            Route("/api/versus", self.get_versus),
            Route("/api/table-records", self.get_table_records),
        ]

    async def get_statistics(self, request: Request) -> Response:
        """Give the statistics of a person in one edition or in all, and whom they can be compared with."""
        identity, (person, edition) = await self.devices.identify(request), read_texts(request, "person", "edition")
        visible = await self.history.list_visible_people(identity)
        if person not in visible:
            raise PersonUnknown
        lang = choose_language(request)
        found = await self.answers.find_statistics(person, edition)
        described = [describe_statistics(one, lang) for one in found]
        own = await self.history.list_own_people(identity)
        if person not in own and not self.history.is_open:
            await self.hide_other_tables(described, own)
        if person in own:
            costs = await list_theme_costs(self.history.store, person)
            described = [one | {"themes": describe_theme_costs(costs, str(one["edition"]), lang)} for one in described]
        others = {name for pair in await self.history.store.list_companions(person) for name in pair} - {person}
        return JSONResponse(
            {
                "person": describe_person(visible[person]),
                "editions": described,
                "others": [describe_person(one) for one in visible.values() if one.id in others],
                "level_names": name_levels(lang),
            }
        )

    async def hide_other_tables(self, editions: Sequence[dict[str, object]], own: Collection[str]) -> None:
        """Leave out which games somebody's best and worst were, unless they were played at a table of one's own."""
        marks = [mark for one in editions for mark in one.values() if isinstance(mark, dict) and "game" in mark]
        results = await self.history.store.list_results([mark["game"] for mark in marks])
        shared = {one.row.game for one in results if one.row.person in own}
        for mark in marks:
            if mark["game"] not in shared:
                mark["game"] = None

    async def get_versus(self, request: Request) -> Response:
        """Say how two people did against each other."""
        identity, (person, other) = await self.devices.identify(request), read_texts(request, "person", "other")
        visible = await self.history.list_visible_people(identity)
        own = await self.history.list_own_people(identity)
        if not {person, other} <= set(visible) or not (self.history.is_open or own & {person, other}):
            raise PersonUnknown
        found = await self.answers.find_versus(person, other)
        return JSONResponse(
            {
                "person": describe_person(visible[person]),
                "other": describe_person(visible[other]),
                "editions": [
                    {**describe_sample(edition, sample), **describe_versus(versus, person < other)}
                    for edition, sample, versus in found
                ],
            }
        )

    async def get_table_records(self, request: Request) -> Response:
        """Give the records of the tables at which the people of a device sat, or of all where that is open."""
        identity, (edition,) = await self.devices.identify(request), read_texts(request, "edition")
        own = sorted(await self.history.list_own_people(identity))
        if not own and not self.history.is_open:
            return JSONResponse({"editions": []})
        found = await self.answers.find_table_records([] if self.history.is_open else own, edition)
        described = [
            (describe_sample(name, sample), describe_table_records(records)) for name, sample, records in found
        ]
        marks = [mark for _, records in described for mark in records.values() if isinstance(mark, dict)]
        names = await self.answers.name_records([str(mark["game"]) for mark in marks])
        for mark in marks:
            mark.update(describe_holder(names.get((mark["game"], mark["seat"])), own))
        return JSONResponse({"editions": [sample | records for sample, records in described]})


def describe_theme_costs(costs: Sequence[ThemeCost], edition: str, lang: str) -> list[dict[str, object]]:
    """Say what each theme of mistakes costs per game of an edition, the dearest first, and how that changes."""
    words = Translator(lang, load_edition(edition) if edition in edition_ids() else None)
    return [
        {
            "theme": one.theme,
            "name": words(f"coach.theme.{one.theme}"),
            "per_game": one.per_game,
            "earlier": one.earlier,
            "recent": one.recent,
        }
        for one in costs
        if one.edition == edition
    ]


def name_levels(lang: str) -> dict[str, str]:
    """Name the levels at which a game can be played, the lowest first."""
    from knobel.coach.rating import LEVELS

    words = Translator(lang)
    return {level: words(f"coach.class.{level}") for _, level in LEVELS}


def read_texts(request: Request, *names: str) -> tuple[str, ...]:
    """Read short texts of an address."""
    found = tuple(request.query_params.get(name, "") for name in names)
    if any(len(text) > MAX_FILTER or "\0" in text for text in found):
        raise MessageMalformed
    return found


def describe_sample(edition: str, sample: EditionSample) -> dict[str, object]:
    return {"edition": edition, "title": sample.title, "family": sample.family}


def describe_statistics(one: EditionStatistics, lang: str) -> dict[str, object]:
    """Describe a person in an edition; boxes in the order of the sheet, with the names the edition prints."""
    described = describe_summary(one.summary, one.perfect)
    boxes = described["boxes"]
    if one.sample.header is not None and isinstance(boxes, list):
        words = Translator(lang, rebuild_edition(one.sample.header))
        order = {box: place for place, box in enumerate(list_boxes(set_up_game(one.sample.header)[0].rules))}
        boxes.sort(key=lambda row: order.get(row["box"], len(order)))
        for row in boxes:
            row["name"] = words.name_box(row["box"]) if row["box"] in order else row["box"]
    return {**describe_sample(one.edition, one.sample), **described}


def describe_holder(one: NamedResult | None, own: Collection[str]) -> dict[str, object]:
    """Say who holds a record; a bot by its kind."""
    return {
        "name": one.name if one else "",
        "person": one.show_person(own) if one else None,
        "bot": one.row.bot if one else None,
    }
