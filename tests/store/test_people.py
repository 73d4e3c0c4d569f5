"""Both databases answer alike about people and results."""

from pathlib import Path

import pytest

from knobel.host.statistics import StatisticsKeeper
from knobel.store import NewGame, WriteConflict
from knobel.store.address import AnyStore
from knobel.store.people import (
    AddPerson,
    ChangePerson,
    ErasePerson,
    GameFilter,
    HoldPerson,
    MergePeople,
    PutPersonCode,
    PutResults,
    PutReview,
    ResultRow,
    UsePersonCode,
)
from tests.store.test_store import alone
from tests.support.made_games import make_games
from tests.support.selection import rest

PEOPLE = ("ann", "ben", "cid")


@pytest.fixture(params=["sqlite", rest("postgres")])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.db"
    return str(request.getfixturevalue("postgres_address"))


async def fill(store: AnyStore) -> list[tuple[ResultRow, ...]]:
    games = list(make_games(40, PEOPLE, ("mb-yahtzee", "carlit-yatzy")))
    await store.commit(*(AddPerson(one, one.title(), 1, 2, 3.0) for one in PEOPLE), HoldPerson("device", "ann"))
    for rows in games:
        names, people = tuple(row.person or "Robot" for row in rows), tuple(row.person for row in rows)
        new = NewGame(rows[0].game, rows[0].room, "{}", "", names, 1.0, None, people)
        await store.commit(new, PutResults(rows))
    return games


def test_games_are_found_by_person_edition_company_result_and_time(address: str) -> None:
    async def scene(store: AnyStore) -> None:
        games = await fill(store)

        async def find(**wanted: object) -> list[str]:
            return [game for _, game in await store.list_result_games(GameFilter(**wanted))]  # type: ignore[arg-type]

        def expect(**wanted: object) -> list[str]:
            person, other = wanted.get("person"), wanted.get("other")
            return [
                rows[0].game
                for rows in reversed(games)
                for row in rows
                if row.person == person
                and (other is None or any(one.person == other for one in rows))
                and wanted.get("edition") in (None, row.edition)
                and ("won" not in wanted or (row.place == 1) == wanted["won"])
            ]

        for person in PEOPLE:
            for extra in ({}, {"edition": "mb-yahtzee"}, {"won": True}, {"won": False}, {"other": "ben"}):
                wanted = {"person": person, **extra}
                if wanted.get("other") != person:
                    assert await find(**wanted) == expect(**wanted), wanted
        assert await find() == [rows[0].game for rows in reversed(games)]
        page = await store.list_result_games(GameFilter("ann", limit=3))
        after = await store.list_result_games(GameFilter("ann", limit=2, before=page[1]))
        assert after[0] == page[2]
        middle = games[20][0].ended
        assert await find(since=middle, until=middle + 0.001) == [games[20][0].game]

    alone(address, scene)


def test_what_is_asked_about_people_is_answered(address: str) -> None:
    async def scene(store: AnyStore) -> None:
        games = await fill(store)
        own = [row for rows in games for row in rows if row.person == "ann"]
        assert list(await store.list_person_counts(["ann"])) == [("ann", len(own), own[-1].ended)]
        editions = {edition: count for edition, count, _ in await store.list_person_editions(["ann"])}
        assert sum(editions.values()) == len(own)
        assert [person.id for person in await store.list_held_people("device")] == ["ann"]
        assert len(await store.list_open_games(["ann"], 5)) == 5
        assert len(await store.list_pending_reviews(1000)) == sum(not row.reviewed for rows in games for row in rows)
        await StatisticsKeeper(store).catch_up()
        assert await store.list_waiting_games(5) == []
        assert [person.id for person in await store.list_known_people(["ann"])] == list(PEOPLE)
        named = await store.list_results([games[0][0].game])
        assert [one.name for one in named] == [row.person or "Robot" for row in games[0]]
        game, seat = (await store.list_pending_reviews(1))[0]
        await store.commit(PutReview(game, seat, 1, 2, "expert"))
        with pytest.raises(WriteConflict):
            await store.commit(PutReview(game, seat, 1, 2, "expert"))
        await StatisticsKeeper(store).catch_up()
        assert await store.list_waiting_games(5) == []

    alone(address, scene)


def test_people_change_merge_and_go(address: str) -> None:
    async def scene(store: AnyStore) -> None:
        games = await fill(store)
        await StatisticsKeeper(store).catch_up()
        await store.commit(ChangePerson("ben", "Benny", 7, 7, True))
        found = await store.find_person("ben")
        assert found is not None
        assert (found.name, found.colour, found.is_hidden) == ("Benny", 7, True)
        await store.commit(PutPersonCode("hash", "ben", 100.0, 1.0))
        assert await store.find_person_code("hash", 50.0) == "ben"
        assert await store.find_person_code("hash", 100.0) is None
        await store.commit(UsePersonCode("hash", 50.0), HoldPerson("other device", "ben"))
        with pytest.raises(WriteConflict):
            await store.commit(UsePersonCode("hash", 50.0))
        await store.commit(MergePeople("ben", "cid"))
        assert await store.list_holders("cid") == ["other device"]
        assert [person.id for person in await store.list_stale_people()] == ["cid"]
        await StatisticsKeeper(store).catch_up()
        assert await store.list_stale_people() == []
        await store.commit(ErasePerson("cid", "N. N."))
        names = {one.name for rows in games for one in await store.list_results([rows[0].game])}
        assert names == {"ann", "Robot", "N. N."}
        assert [person.id for person in await store.list_people()] == ["ann"]
        with pytest.raises(WriteConflict):
            await store.commit(ErasePerson("cid", "N. N."))

    alone(address, scene)
