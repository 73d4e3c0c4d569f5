"""Tournaments over HTTP: created, played in rooms, corrected by their host alone, and taken along as a file."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from knobel.errors import RoomLocked, RoomOfTournament
from knobel.host import Host
from knobel.host.tournament_file import load_tournament, read_tournament
from knobel.rooms.intents import ChangeSettings, LeaveGame, LeaveSeat, RenameSeat, Sit, StopGame, TakeSeat
from knobel.rooms.room import explain_cannot_begin
from knobel.store import PutHouseRules, WriteConflict
from knobel.store.tournaments import PutTournament
from knobel.web.app import AppContext, build_app
from tests.support.asgi import HOST_NAME, Answer, PlainServer, open_plain_server
from tests.support.hosted_rooms import ANN, BEN, CID, HOUSE_RULES, HostedRoom, open_host, run_async

DAN = "dan's watch"
DEVICES = {"Ada": ANN, "Ben": BEN, "Cleo": CID, "Dan": DAN}
CLUB = Path(__file__).parents[2] / "examples" / "tournaments" / "club.toml"
SETTINGS = {"want": "settle", "edition": "noris-yatzy"}


async def create(server: PlainServer, players: str = "Ada Ben Cleo Dan", **asked: object) -> str:
    """Create a tournament of a short game."""
    await server.host.store.commit(PutHouseRules("f" * 64, HOUSE_RULES, 1.0))
    settings = {"want": "settle", "edition": "two-dice", "house_rules": "f" * 64}
    content = {"id": "one", "settings": settings, "title": "Club", "players": players.split(), **asked}
    answer = await server.post("/api/tournaments", ANN, content)
    assert answer.status == 200, answer.body
    return str(answer.body["tournament"])


async def show(server: PlainServer, tournament: str, device: str = ANN) -> dict[str, Any]:
    answer = await server.get(f"/api/tournaments/{tournament}", device)
    assert answer.status == 200, answer.body
    return dict(answer.body)


async def change(server: PlainServer, tournament: str, device: str = ANN, **wanted: object) -> Answer:
    """Want something of a tournament as it is now."""
    seen = await show(server, tournament)
    content = {"version": seen["version"], "change": wanted}
    return await server.post(f"/api/tournaments/{tournament}", device, content)


async def open_round(server: PlainServer, tournament: str) -> HostedRoom:
    """Open the next round, and let everybody take the seat that is saved for them."""
    answer = await change(server, tournament, want="open")
    assert answer.status == 200, answer.body
    hosted = HostedRoom(server.host, answer.body["current"]["room"])
    for number, seat in enumerate((await hosted.room()).seats):
        assert seat.offered
        await hosted.execute(TakeSeat(number), DEVICES[seat.name])
    return hosted


async def play_round(server: PlainServer, tournament: str, seed: int) -> dict[str, int]:
    """Play a round in its room; give the totals by name."""
    hosted = await open_round(server, tournament)
    await hosted.begin_game()
    table = await hosted.finish(Random(seed))
    assert table.replay.outcome is not None
    return dict(zip([seat.name for seat in table.header.seats], table.replay.outcome.totals, strict=True))


@run_async
async def test_results_come_from_the_rooms_and_everybody_may_look(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, *DEVICES.values()) as server:
        tournament = await create(server)
        assert await create(server) == tournament
        before = await show(server, tournament)
        assert (before["rounds"], before["system"], before["is_host"]) == (2, "swiss", True)
        assert (len(before["next"]), before["current"], before["results"]) == (2, None, [])
        first = await play_round(server, tournament, 1)
        seen = await show(server, tournament, CID)
        assert not seen["is_host"]
        assert seen["results"][0]["totals"] == [first[name] for name in seen["players"]]
        assert seen["results"][0]["pairs"] == before["next"]
        assert seen["results"][0]["strangers"] == []
        assert not {frozenset(pair) for pair in seen["next"]} & {frozenset(pair) for pair in before["next"]}
        await play_round(server, tournament, 2)
        end = await show(server, tournament)
        assert (end["over"], end["next"], end["played"]) == (True, [], 2)
        assert sum(one["points"] for one in end["standings"]) == 2 * 4
        assert (await change(server, tournament, want="open")).status == 409
        listed = (await server.get("/api/tournaments", ANN)).body
        assert [(one["id"], one["over"]) for one in listed] == [(tournament, True)]
        assert (await server.get("/api/tournaments", BEN)).body == []


@run_async
async def test_the_room_of_a_round_saves_a_seat_for_its_players_alone(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, *DEVICES.values()) as server:
        tournament = await create(server, "Ada Ben Cleo")
        opened = (await change(server, tournament, want="open")).body
        hosted = HostedRoom(server.host, opened["current"]["room"])
        room = await hosted.room()
        assert (room.settings.duplicate, room.settings.games, room.locked) == (True, 1, True)
        assert opened["current"]["missing"] == [seat.name for seat in room.seats]
        (alone,) = [pair for pair in opened["current"]["pairs"] if len(pair) == 1]
        assert opened["players"][alone[0]] not in opened["current"]["missing"]
        await hosted.execute(TakeSeat(1), BEN)
        assert (await show(server, tournament))["current"]["missing"] == [room.seats[0].name]
        refused = await change(server, tournament, want="absent", players=[0])
        assert refused.status == 409
        assert (await change(server, tournament, want="cancel")).body["current"] is None
        again = (await change(server, tournament, want="open")).body
        assert again["current"]["room"] != hosted.id


@run_async
async def test_whoever_is_absent_is_not_paired_and_whoever_left_has_lost(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, *DEVICES.values()) as server:
        tournament = await create(server)
        changed = (await change(server, tournament, want="absent", players=[3])).body
        assert (changed["absent"], sorted(map(len, changed["next"]))) == ([3], [1, 2])
        assert 3 not in [player for pair in changed["next"] for player in pair]
        hosted = await open_round(server, tournament)
        await hosted.begin_game()
        (leaver, winner) = (seat.name for seat in (await hosted.room()).seats)
        await hosted.execute(LeaveGame(0), DEVICES[leaver])
        await hosted.finish(Random(3))
        seen = await show(server, tournament)
        totals = dict(zip(seen["players"], seen["results"][0]["totals"], strict=True))
        assert totals[leaver] is None
        assert totals[winner] is not None
        points = {seen["players"][one["player"]]: one["points"] for one in seen["standings"]}
        assert (points[leaver], points[winner], points["Dan"], sum(points.values())) == (0, 2, 0, 4)
        assert seen["absent"] == []
        assert 3 in [player for pair in seen["next"] for player in pair]
        nobody = await change(server, tournament, want="absent", players=[0, 1, 2])
        assert (await change(server, tournament, want="open")).body["code"] == "tournament_nobody"
        assert nobody.body["next"] == [[3]]


@run_async
async def test_a_game_that_was_stopped_gives_no_result_and_another_one_does(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, *DEVICES.values()) as server:
        tournament = await create(server)
        hosted = await open_round(server, tournament)
        await hosted.begin_game()
        assert (await show(server, tournament))["current"]["running"]
        await hosted.execute(StopGame())
        assert (await show(server, tournament))["played"] == 0
        await hosted.begin_game()
        await hosted.finish(Random(4))
        assert (await show(server, tournament))["played"] == 1


@run_async
async def test_a_name_that_was_changed_in_the_room_is_named_and_corrected_by_hand(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, *DEVICES.values()) as server:
        tournament = await create(server, "Ada Ben")
        hosted = await open_round(server, tournament)
        await hosted.execute(RenameSeat(1, "Benjamin"), BEN)
        await hosted.begin_game()
        await hosted.finish(Random(5))
        first = (await show(server, tournament))["results"][0]
        assert (first["strangers"], first["totals"][1]) == (["Benjamin"], None)
        fixed = (await change(server, tournament, want="totals", round=1, totals=[first["totals"][0], 77])).body
        assert fixed["results"][0]["totals"] == [first["totals"][0], 77]
        assert fixed["results"][0]["corrected"] == [1]


@run_async
async def test_a_corrected_total_changes_the_standings_and_no_pairing_of_a_round_that_was_played(
    tmp_path: Path,
) -> None:
    async with open_plain_server(tmp_path, *DEVICES.values()) as server:
        tournament = await create(server, system="round_robin")
        for number, totals in enumerate(([400, 300, 200, 100], [10, 20, 30, 40]), 1):
            assert (await change(server, tournament, want="totals", round=number, totals=totals)).status == 200
        before = await show(server, tournament)
        after = (await change(server, tournament, want="totals", round=1, totals=[1, 2, 300, 400])).body
        assert [one["pairs"] for one in after["results"]] == [one["pairs"] for one in before["results"]]
        assert after["standings"] != before["standings"]
        status, content = await server.fetch("GET", f"/tournaments/{tournament}.toml", BEN)
        assert status == 200
        exported = read_tournament(content, "club.toml", "")
        assert [list(map(list, one.pairs)) for one in exported.played] == [one["pairs"] for one in after["results"]]
        assert [one.points for one in exported.standings] == [one["points"] for one in after["standings"]]
        copy = await create(server, "", id="two", file=content.decode(), file_name="club.toml")
        again = await show(server, copy)
        assert {**again, "id": "", "version": 0, "results": []} == {**after, "id": "", "version": 0, "results": []}
        assert [one["totals"] for one in again["results"]] == [one["totals"] for one in after["results"]]


@run_async
async def test_a_file_of_the_command_is_taken_in(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN) as server:
        tournament = await create(server, "", file=CLUB.read_text(encoding="utf-8"), file_name="club.toml")
        club, seen = load_tournament(CLUB), await show(server, tournament)
        assert (seen["title"], seen["rounds"], seen["played"]) == (club.title, club.rounds, len(club.played))
        assert [one["points"] for one in seen["standings"]] == [one.points for one in club.standings]
        assert seen["next"] == [[one for one in pair if one is not None] for pair in club.next_pairs]


@run_async
async def test_whoever_comes_late_is_added_between_rounds_without_points_of_those_before(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, *DEVICES.values()) as server:
        tournament = await create(server, players="Ada Ben")
        assert (await change(server, tournament, BEN, want="add", name="Cleo")).status == 403
        added = (await change(server, tournament, want="add", name="  Cleo ")).body
        assert (added["players"], added["rounds"], added["can_add"]) == (["Ada", "Ben", "Cleo"], 2, True)
        for name, code in (("cleo", "tournament_name"), ("", "tournament_name"), ("A" * 21, "tournament_name")):
            assert (await change(server, tournament, want="add", name=name)).body["code"] == code
        await change(server, tournament, want="absent", players=[2])
        opened = (await change(server, tournament, want="open")).body
        assert not opened["can_add"]
        assert (await change(server, tournament, want="add", name="Dan")).body["code"] == "tournament_changed"
        await change(server, tournament, want="totals", round=1, totals=[10, 20, None])
        after = (await change(server, tournament, want="add", name="Dan")).body
        assert (after["rounds"], after["results"][0]["totals"]) == (2, [10, 20, None, None])
        assert {one["player"]: one["points"] for one in after["standings"]} == {0: 0, 1: 2, 2: 0, 3: 0}
        assert sorted(player for pair in after["next"] for player in pair) == [0, 1, 2, 3]
        corrected = (await change(server, tournament, want="totals", round=1, totals=[30, 20, None, None])).body
        assert next(one["player"] for one in corrected["standings"]) == 0
        _, content = await server.fetch("GET", f"/tournaments/{tournament}.toml", BEN)
        exported = read_tournament(content, "club.toml", "")
        assert exported.players == ("Ada", "Ben", "Cleo", "Dan")
        assert [one.points for one in exported.standings] == [one["points"] for one in corrected["standings"]]


@run_async
async def test_a_player_gets_another_name_between_rounds(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, *DEVICES.values()) as server:
        tournament = await create(server, players="Ada Ben Cloe")
        await change(server, tournament, want="totals", round=1, totals=[10, 20, None])
        before = await show(server, tournament)
        assert (await change(server, tournament, BEN, want="rename", player=2, name="Cleo")).status == 403
        for name in ("ben", "", "A" * 21):
            refused = await change(server, tournament, want="rename", player=2, name=name)
            assert refused.body["code"] == "tournament_name"
        after = (await change(server, tournament, want="rename", player=2, name=" Cleo ")).body
        assert after == {**before, "players": ["Ada", "Ben", "Cleo"], "version": after["version"]}
        for player, opens in ((3, False), (0, True)):
            if opens:
                await change(server, tournament, want="open")
            refused = await change(server, tournament, want="rename", player=player, name="Dan")
            assert refused.body["code"] == "tournament_changed"


@run_async
async def test_nobody_is_added_to_a_round_robin_that_has_begun(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, *DEVICES.values()) as server:
        tournament = await create(server, players="Ada Ben Cleo", system="round_robin")
        assert (await change(server, tournament, want="add", name="Dan")).body["rounds"] == 3
        await change(server, tournament, want="totals", round=1, totals=[1, 2, 3, 4])
        assert not (await show(server, tournament))["can_add"]
        assert (await change(server, tournament, want="add", name="Eva")).status == 409


@run_async
async def test_only_its_host_changes_a_tournament_and_only_as_it_was_seen(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN, BEN) as server:
        tournament = await create(server)
        for wanted in ({"want": "open"}, {"want": "delete"}, {"want": "absent", "players": [1]}):
            refused = await change(server, tournament, BEN, **wanted)
            assert (refused.status, refused.body["code"]) == (403, "tournament_not_yours")
        stale = {"version": 7, "change": {"want": "delete"}}
        assert (await server.post(f"/api/tournaments/{tournament}", ANN, stale)).status == 409
        assert (await change(server, tournament, want="totals", round=2, totals=[1] * 4)).status == 409
        assert (await change(server, tournament, want="totals", round=1, totals=[1])).status == 409
        assert (await change(server, tournament, want="totals", round=1, totals=[-1] * 4)).status == 400
        assert (await change(server, tournament, want="cancel")).status == 409
        assert (await change(server, tournament, want="delete")).status == 404
        assert (await server.get(f"/api/tournaments/{tournament}", ANN)).body["code"] == "tournament_unknown"


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"players": ["Ada"]}, "tournament_players"),
        ({"players": ["Ada", " ", "\n"]}, "tournament_players"),
        ({"players": [f"P{n}" for n in range(100)]}, "tournament_players"),
        ({"players": ["Ada", "ada"]}, "tournament_name"),
        ({"players": ["Ada", "Аda"]}, "tournament_name"),
        ({"players": ["Ada", "A name with far too many letters"]}, "tournament_name"),
        ({"players": ["Ada", "Ben"], "rounds": 2}, "tournament_rounds"),
        ({"players": ["Ada", "Ben"], "rounds": 0}, "message_malformed"),
        ({"players": ["Ada", "Ben"], "system": "knockout"}, "message_malformed"),
        ({"players": ["Ada", "Ben"], "settings": {"want": "settle", "edition": "carlit-chicago"}}, "not_sheet"),
        ({"players": ["Ada", "Ben"], "settings": {"want": "settle", "edition": "nothing"}}, "unknown_edition"),
        ({"file": "players = 5", "file_name": "club.toml"}, "tournament_key"),
        ({"file": 'players = ["Ada", "Ben"]\n[[round]]\nrecord = "/etc/passwd"'}, "tournament_key"),
        ({"file": "no toml"}, "file_toml"),
    ],
)
@run_async
async def test_what_cannot_be_played_is_refused_in_one_sentence(
    asked: dict[str, object], code: str, tmp_path: Path
) -> None:
    async with open_plain_server(tmp_path, ANN) as server:
        answer = await server.post("/api/tournaments", ANN, {"id": "one", "settings": SETTINGS, **asked})
        assert (answer.status, answer.body["code"]) == (400, code)
        assert answer.body["text"]
        assert (await server.get("/api/tournaments", ANN)).body == []


@run_async
async def test_a_tournament_survives_a_restart_and_two_servers_take_a_result_in_once(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, *DEVICES.values()) as server:
        tournament = await create(server)
        hosted = await open_round(server, tournament)
        await hosted.begin_game()
        await hosted.finish(Random(6))
    async with open_host(tmp_path) as one, open_host(tmp_path) as other:
        servers = [PlainServer(host, build_app(AppContext(host, frozenset({HOST_NAME})))) for host in (one, other)]
        seen = [await show(server, tournament) for server in servers]
        assert seen[0] == seen[1]
        assert (seen[0]["played"], seen[0]["is_host"]) == (1, True)
        await assert_stale_write_is_refused(one, tournament)


async def assert_stale_write_is_refused(host: Host, tournament: str) -> None:
    with pytest.raises(WriteConflict):
        await host.store.commit(PutTournament(tournament, 1, ANN, "{}", 1.0))


@run_async
async def test_ninety_nine_players_get_a_room(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, ANN) as server:
        tournament = await create(server, " ".join(f"P{n}" for n in range(99)))
        opened = (await change(server, tournament, want="open")).body
        assert len((await HostedRoom(server.host, opened["current"]["room"]).room()).seats) == 98


@run_async
async def test_the_host_removes_whoever_did_not_come_and_plays_with_the_others(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, *DEVICES.values()) as server:
        tournament = await create(server)
        opened = (await change(server, tournament, want="open")).body
        hosted = HostedRoom(server.host, opened["current"]["room"])
        names = [seat.name for seat in (await hosted.room()).seats]
        await hosted.execute(LeaveSeat(3), ANN)
        for number, name in enumerate(names[:3]):
            await hosted.execute(TakeSeat(number), DEVICES[name])
        await hosted.assert_refused(RoomLocked, Sit("Eve"), BEN)
        await hosted.begin_game()
        await hosted.finish(Random(7))
        seen = await show(server, tournament)
        totals = dict(zip(seen["players"], seen["results"][0]["totals"], strict=True))
        assert [totals[name] is None for name in names] == [False, False, False, True]


@run_async
async def test_the_room_of_a_round_knows_its_tournament_and_keeps_its_game(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, *DEVICES.values()) as server:
        tournament = await create(server)
        opened = (await change(server, tournament, want="open")).body
        hosted = HostedRoom(server.host, opened["current"]["room"])
        before = await hosted.room()
        assert before.tournament == tournament
        for edition in ("carlit-chicago", "noris-yatzy"):
            await hosted.assert_refused(RoomOfTournament, ChangeSettings(edition, duplicate=True), ANN)
        assert (await hosted.room()).settings == before.settings


@run_async
async def test_a_round_waits_for_those_whose_seats_are_saved_and_says_so(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, *DEVICES.values()) as server:
        tournament = await create(server)
        opened = (await change(server, tournament, want="open")).body
        hosted = HostedRoom(server.host, opened["current"]["room"])
        room = await hosted.room()
        why = explain_cannot_begin(room)
        assert why is not None
        assert why.values["names"] == ", ".join(seat.name for seat in room.seats)


@run_async
async def test_an_organiser_who_does_not_play_keeps_the_room_when_removing_saved_seats(tmp_path: Path) -> None:
    async with open_plain_server(tmp_path, *DEVICES.values()) as server:
        tournament = await create(server)
        opened = (await change(server, tournament, want="open")).body
        hosted = HostedRoom(server.host, opened["current"]["room"])
        await hosted.execute(TakeSeat(0), BEN)
        await hosted.execute(TakeSeat(1), CID)
        for seat in (3, 2):
            await hosted.execute(LeaveSeat(seat), ANN)
        assert (await hosted.room()).host == ANN
