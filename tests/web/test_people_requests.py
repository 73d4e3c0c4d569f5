"""People and their games over HTTP: a device speaks for its own, and sees of others what was played at its tables."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from knobel.rooms.intents import Sit, SitBot
from tests.support.asgi import PlainServer, open_plain_server
from tests.support.hosted_rooms import ANN, BEN, CID, SHORT_GAME, HostedRoom, Seating, run_async

EVE = "eve's browser"


async def play_evening(server: PlainServer, games: int = 1) -> HostedRoom:
    """Let Ann, Ben and a bot play."""
    seating: Seating = [(ANN, Sit("Ann")), (BEN, Sit("Ben")), (ANN, SitBot("greedy", "Robo"))]
    hosted = await HostedRoom.open(server.host, seating=seating)
    for number in range(games):
        await hosted.begin_game()
        await hosted.finish(Random(number))
    return hosted


async def find_person(server: PlainServer, device: str, name: str) -> str:
    people = (await server.get("/api/people", device)).body["people"]
    return str(next(one["id"] for one in people if one["name"] == name))


@run_async
async def test_whoever_played_is_a_person_with_their_games(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN, BEN, EVE) as server:
        hosted = await play_evening(server, games=3)
        people = (await server.get("/api/people", ANN)).body["people"]
        assert [(one["name"], one["games"], one["hidden"]) for one in people] == [("Ann", 3, False)]
        answer = (await server.get("/api/history?limit=2", ANN)).body
        assert len(answer["games"]) == 2
        rest = (await server.get(f"/api/history?limit=2&before={answer['next']}", ANN)).body
        assert (len(rest["games"]), rest["next"]) == (1, None)
        game = answer["games"][0]
        assert (game["room"], game["edition"], game["reviewed"]) == (hosted.id, "two-dice", False)
        assert [(seat["name"], seat["bot"], seat["you"]) for seat in game["seats"]] == [
            ("Ann", None, True),
            ("Ben", None, False),
            ("Robo", "greedy", False),
        ]
        outcome = (await hosted.table()).replay.outcome
        assert outcome is not None
        assert [seat["total"] for seat in game["seats"]] == list(outcome.totals)
        assert (await server.get("/api/history", EVE)).body == {"games": [], "next": None}


@run_async
async def test_history_is_filtered_by_edition_people_result_and_time(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN, BEN) as server:
        await play_evening(server, games=4)
        ann, ben = await find_person(server, ANN, "Ann"), await find_person(server, BEN, "Ben")

        async def count(query: str) -> int:
            return len((await server.get(f"/api/history?{query}", ANN)).body["games"])

        every = (await server.get("/api/history", ANN)).body["games"]
        won = sum(seat["place"] == 1 for game in every for seat in game["seats"] if seat["you"])
        assert [await count("result=won"), await count("result=lost")] == [won, 4 - won]
        assert [await count("edition=two-dice"), await count("edition=mb-yahtzee")] == [4, 0]
        assert [await count(f"person={ann}&with={ben}"), await count(f"person={ben}")] == [4, 4]
        assert [await count("since=1"), await count("until=1")] == [4, 0]
        assert (await server.get("/api/history?result=drawn", ANN)).status == 400
        assert (await server.get("/api/history?before=nonsense", ANN)).status == 400
        assert (await server.get("/api/history?limit=1000", ANN)).status == 400


@run_async
async def test_of_strangers_nothing_is_told_unless_the_owner_opens_it(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN, BEN, EVE) as server:
        await play_evening(server)
        ann = await find_person(server, ANN, "Ann")
        for path in (f"/api/history?person={ann}", f"/api/history?with={ann}", "/api/history?everybody=1"):
            assert (await server.get(path, EVE)).status == 404
        assert (await server.get("/api/history", EVE)).body == {"games": [], "next": None}
        home = (await server.get("/api/home", EVE)).body
        assert {name: found for name, found in home.items() if found} == {}
    async with open_plain_server(tmp_path, open_history=True) as server:
        for path in (f"/api/history?person={ann}", "/api/history?everybody=1"):
            assert len((await server.get(path, EVE)).body["games"]) == 1


@run_async
async def test_people_are_made_changed_hidden_and_merged(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN, BEN) as server:
        await play_evening(server)
        made = await server.post("/api/people", ANN, {"name": " Annie ", "colour": 5, "emblem": 3})
        assert (made.status, made.body["name"], made.body["colour"], made.body["emblem"]) == (200, "Annie", 5, 3)
        again = await server.post("/api/people", ANN, {"name": "ANNIE"})
        assert (again.status, again.body["code"]) == (400, "person_name_taken")
        assert (await server.post("/api/people", ANN, {"name": "  "})).body["code"] == "name_empty"
        assert (await server.post("/api/people", ANN, {"name": "X", "colour": 8})).status == 400
        annie, ann = made.body["id"], await find_person(server, ANN, "Ann")
        assert (await server.post(f"/api/people/{annie}", ANN, {"hidden": True})).body["hidden"] is True
        assert (await server.post(f"/api/people/{annie}", BEN, {"name": "Mine"})).status == 403
        assert (await server.post(f"/api/people/{ann}/merge", ANN, {"into": annie})).status == 200
        people = (await server.get("/api/people", ANN)).body["people"]
        assert [(one["id"], one["games"]) for one in people] == [(annie, 1)]
        assert (await server.get(f"/api/history?person={annie}", ANN)).body["games"][0]["seats"][0]["you"] is True


@run_async
async def test_a_code_lets_another_device_hold_a_person_once(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN, BEN, CID) as server:
        await play_evening(server)
        ann = await find_person(server, ANN, "Ann")
        assert (await server.post(f"/api/people/{ann}/code", BEN)).status == 403
        shown = (await server.post(f"/api/people/{ann}/code", ANN)).body
        assert shown["link"].endswith(f"/people#{shown['code']}")
        assert (await server.post("/api/people/redeem", CID, {"code": shown["code"].lower()})).body["name"] == "Ann"
        assert (await server.post("/api/people/redeem", BEN, {"code": shown["code"]})).body["code"] == "person_code"
        assert len((await server.get("/api/history", CID)).body["games"]) == 1


@run_async
async def test_home_remembers_what_to_go_on_with_and_how_to_play_again(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN, BEN, EVE) as server:
        hosted = await play_evening(server)
        home = (await server.get("/api/home", ANN)).body
        assert [game["room"] for game in home["recent"]] == [hosted.id]
        assert [one["edition"] for one in home["editions"]] == ["two-dice"]
        assert [one["name"] for one in home["players"]] == ["Ann", "Ben", "Robo"]
        again = home["again"]
        assert [seat["want"] for seat in again["seats"]] == ["sit", "sit_bot"]
        opened = await server.post(
            "/api/rooms", ANN, {"id": "again", "settings": again["settings"], "seats": again["seats"]}
        )
        assert opened.status == 200, opened.body
        room = (await server.host.find_session(opened.body["room"])).room
        assert [(seat.name, seat.person) for seat in room.seats] == [
            ("Ann", await find_person(server, ANN, "Ann")),
            ("Robo", None),
        ]
        assert home["unfinished"] == []
        await hosted.begin_game()
        home = (await server.get("/api/home", ANN)).body
        assert [room["id"] for room in home["unfinished"]] == [hosted.id]
        assert (await server.get("/api/home", EVE)).body["again"] is None


@run_async
async def test_statistics_versus_and_records_are_told_to_those_who_shared_a_table(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN, BEN, EVE) as server:
        await play_evening(server, games=3)
        ann, ben = await find_person(server, ANN, "Ann"), await find_person(server, BEN, "Ben")
        games = (await server.get("/api/history", ANN)).body["games"]
        answer = (await server.get(f"/api/statistics?person={ben}", ANN)).body
        (edition,) = answer["editions"]
        totals = [seat["total"] for game in games for seat in game["seats"] if seat["name"] == "Ben"]
        assert (edition["edition"], edition["games"], edition["title"]) == ("two-dice", 3, games[0]["title"])
        assert edition["average"] == sum(totals) / 3
        assert [row["name"] for row in edition["boxes"]][:2] == ["Twins", "Neighbours"]
        assert [one["id"] for one in answer["others"]] == [ann]
        versus = (await server.get(f"/api/versus?person={ann}&other={ben}", ANN)).body["editions"][0]
        back = (await server.get(f"/api/versus?person={ben}&other={ann}", BEN)).body["editions"][0]
        assert (versus["games"], versus["ahead"], versus["behind"]) == (3, back["behind"], back["ahead"])
        assert versus["ahead"] + versus["behind"] + versus["level"] == 3
        records = (await server.get("/api/table-records", BEN)).body["editions"][0]
        assert records["highest"]["value"] == max(seat["total"] for game in games for seat in game["seats"])
        assert records["highest"]["name"] in ("Ann", "Ben", "Robo")
        paths = (f"/api/statistics?person={ann}", f"/api/versus?person={ann}&other={ben}")
        assert [(await server.get(path, EVE)).status for path in paths] == [404, 404]
        assert (await server.get("/api/table-records", EVE)).body == {"editions": []}
        assert (await server.post(f"/api/people/{ben}", BEN, {"hidden": True})).status == 200
        assert (await server.get(f"/api/statistics?person={ben}", ANN)).status == 404
        seats = (await server.get("/api/history", ANN)).body["games"][0]["seats"]
        assert [seat["person"] for seat in seats] == [ann, None, None]


@run_async
async def test_statistics_do_not_lead_to_tables_of_others(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN, BEN, CID) as server:
        shared = await play_evening(server)
        apart = await HostedRoom.open(
            server.host, replace(SHORT_GAME, games=4), seating=[(BEN, Sit("Ben")), (CID, Sit("Cid"))]
        )
        for number in range(4):
            await apart.begin_game()
            await apart.finish(Random(number))
        ben, room = await find_person(server, BEN, "Ben"), await shared.room()
        own, seen = [(await server.get(f"/api/statistics?person={ben}", one)).body["editions"][0] for one in (BEN, ANN)]
        marks = [[one["best"]["game"], one["worst"]["game"]] for one in (own, seen)]
        assert all(marks[0])
        assert set(marks[0]) != {room.game}
        assert marks[1] == [game if game == room.game else None for game in marks[0]]


@pytest.mark.solve
@run_async
async def test_a_review_shows_everybody_in_the_colours_of_the_history(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN, BEN) as server:
        await play_evening(server)
        ann, ben = await find_person(server, ANN, "Ann"), await find_person(server, BEN, "Ben")
        await server.post(f"/api/people/{ann}", ANN, {"colour": 5, "emblem": 2})
        await server.post(f"/api/people/{ben}", BEN, {"colour": 5, "emblem": 7})
        (played,) = (await server.get("/api/history", ANN)).body["games"]
        review = (await server.get(f"/api/games/{played['id']}/review", ANN)).body
        looks = [[(seat["colour"], seat["emblem"]) for seat in one["seats"]] for one in (played, review)]
        assert looks[0] == looks[1] == [(5, 2), (1, 7), (2, 0)]
