"""Both databases answer alike about people, results and tournaments."""

from dataclasses import replace
from pathlib import Path

import pytest

from knobel.host.statistics import StatisticsKeeper
from knobel.store import AgeRooms, DropGame, DropUnusedHouseRules, NewGame, PutHouseRules, WriteConflict
from knobel.store.address import AnyStore
from knobel.store.learning import PutAnswer, PutCard, PutMistakes, StoredAnswer, StoredMistake
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
from knobel.store.statements import MAX_IDLE_SECONDS
from knobel.store.tournaments import DropTournament, PutTournament, StoredTournament
from tests.store.test_store import alone
from tests.support.made_games import make_games
from tests.support.selection import rest

PEOPLE = ("ann", "ben", "cid")


def make_mistake(person: str, game: str, event: int, due: float = 1.0) -> StoredMistake:
    return StoredMistake(person, game, event, 0, "mb-yahtzee", "bonus", 1500, "{}", due)


def make_answer(owner: str, name: str, lost: int = 0) -> StoredAnswer:
    return StoredAnswer(owner, "position", "abc", name, "mb-yahtzee", "bonus", lost, "{}", 5.0)


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


def test_mistakes_and_answers_belong_to_a_person_and_go_with_them_and_with_their_game(address: str) -> None:
    async def scene(store: AnyStore) -> None:
        games = await fill(store)
        own = [(rows[0].game, row.seat) for rows in games for row in rows if row.person == "ann"]
        (first, seat), (second, _) = own[0], own[1]
        assert len(await store.list_unsearched("ann", 1000)) == len(own)
        late, early = make_mistake("ann", first, 7, due=9.0), make_mistake("ann", first, 3)
        await store.commit(
            PutMistakes(first, seat, (late, early)), PutMistakes(second, 0, (make_mistake("ben", second, 2),))
        )
        assert (first, seat, "ann") not in await store.list_unsearched("", 1000)
        assert list(await store.list_mistakes("ann")) == [early, late]
        await store.commit(PutCard(early, "{1}", 20.0))
        with pytest.raises(WriteConflict):
            await store.commit(PutCard(early, "{2}", 21.0))
        assert (await store.find_mistake("ann", first, 3)) == replace(early, card="{1}", due=20.0)
        await store.commit(
            PutAnswer(make_answer("ann", "2026-01-01", 3)), PutAnswer(make_answer("ben", "2026-01-01", 8))
        )
        await store.commit(PutAnswer(make_answer("ann", "2026-01-01", 99)), PutAnswer(make_answer("ben", "2026-01-02")))
        assert [one.lost for one in await store.list_answers("ann")] == [3]
        await store.commit(MergePeople("ben", "ann"))
        assert [(one.name, one.lost) for one in await store.list_answers("ann")] == [
            ("2026-01-01", 3),
            ("2026-01-02", 0),
        ]
        assert [one.game for one in await store.list_mistakes("ann")] == [second, first, first]
        assert await store.list_answers("ben") == []
        await store.commit(DropGame(first))
        assert [one.game for one in await store.list_mistakes("ann")] == [second]
        await store.commit(ErasePerson("ann", "N. N."))
        assert (await store.list_mistakes("ann"), await store.list_answers("ann")) == ([], [])

    alone(address, scene)


def test_a_tournament_is_written_over_the_version_that_was_read_alone(address: str) -> None:
    async def scene(store: AnyStore) -> None:
        await store.commit(PutHouseRules("rules", "text", 1.0), PutTournament("t1", 0, "ann", "{}", 1.0, "rules"))
        for version in (0, 2):
            with pytest.raises(WriteConflict):
                await store.commit(PutTournament("t1", version, "ann", "{}", 2.0))
        await store.commit(PutTournament("t1", 1, "ann", '{"a":1}', 2.0), PutTournament("t2", 0, "ann", "{}", 3.0))
        assert await store.find_tournament("t1") == StoredTournament("t1", 2, "ann", '{"a":1}', 2.0, "rules")
        assert [one.id for one in await store.list_tournaments("ann", 5)] == ["t2", "t1"]
        assert not await store.list_tournaments("ben", 5)
        await store.commit(DropUnusedHouseRules(9.0))
        assert await store.find_house_rules("rules") == "text"
        await store.commit(AgeRooms(MAX_IDLE_SECONDS - 1, 4.0), PutTournament("t1", 2, "ann", "{}", 5.0))
        await store.commit(AgeRooms(2.0, 6.0), DropUnusedHouseRules(9.0))
        assert [one.id for one in await store.list_tournaments("ann", 5)] == ["t1"]
        await store.commit(DropTournament("t1", 3), DropUnusedHouseRules(9.0))
        assert await store.find_tournament("t1") is None
        assert await store.find_house_rules("rules") is None

    alone(address, scene)
