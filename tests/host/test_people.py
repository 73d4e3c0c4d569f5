"""Who sits where: seats find their people by name, games know them, and whoever wants is forgotten completely."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from knobel.errors import PersonNotYours
from knobel.host import Host
from knobel.host.archive import export_record
from knobel.host.coach_service import CoachService
from knobel.host.people import NAMELESS, PersonChange
from knobel.record.file import parse_record
from knobel.record.verify import verify
from knobel.rooms.intents import LeaveSeat, RenameSeat, Sit, SitBot, StopGame, TakeSeat
from knobel.rooms.room import Room
from knobel.store.learning import PutAnswer, PutMistakes, StoredAnswer, StoredMistake
from tests.support.hosted_rooms import ANN, BEN, CID, SHORT_GAME, HostedRoom, open_host, run_async
from tests.support.stored_games import dump_tables

TABLE = ((ANN, Sit("Ann")), (ANN, Sit("Bea")), (BEN, Sit("Ben")), (ANN, SitBot("greedy", "Robo")))


async def list_names(host: Host, device: str) -> list[str]:
    return sorted(person.name for person in await host.people.list_held(device))


async def play_game(hosted: HostedRoom, number: int = 1) -> str:
    await hosted.begin_game()
    return (await hosted.finish(Random(number))).header.game


@run_async
async def test_a_name_becomes_a_person_when_its_first_game_begins_and_stays_the_same_one(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TABLE)
        assert await list_names(host, ANN) == []
        first = await play_game(hosted)
        assert (await list_names(host, ANN), await list_names(host, BEN)) == (["Ann", "Bea"], ["Ben"])
        second = await play_game(hosted)
        other = await HostedRoom.open(host, seating=[(BEN, Sit("Ben")), (ANN, Sit("aNN"))], seed="typed")
        assert (await other.room()).seats[1].person == (await hosted.room()).seats[0].person
        assert await host.store.list_players(first) == await host.store.list_players(second)
        assert sorted(await host.store.list_players(first)) == [0, 1, 2]


@run_async
async def test_two_of_a_name_are_two_people_without_a_number(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=[(ANN, Sit("Kim")), (BEN, Sit("Kim"))])
        assert [seat.name for seat in (await hosted.room()).seats] == ["Kim", "Kim 2"]
        await play_game(hosted)
        assert (await list_names(host, ANN), await list_names(host, BEN)) == (["Kim"], ["Kim"])
        people = [seat.person for seat in (await hosted.room()).seats]
        assert len(set(people)) == 2


@run_async
async def test_somebody_elses_person_takes_no_seat(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TABLE)
        await play_game(hosted)
        ann = (await hosted.room()).seats[0].person
        await hosted.assert_refused(PersonNotYours, Sit("Ann", person=ann), BEN)
        with pytest.raises(PersonNotYours):
            await host.open_room(BEN, "mine", SHORT_GAME, (Sit("Ann", person=ann),))


@run_async
async def test_a_seat_with_another_name_is_another_person_between_games(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TABLE)
        await play_game(hosted)
        await hosted.execute(RenameSeat(0, "Dora"))
        assert (await hosted.room()).seats[0].person is None
        await play_game(hosted)
        assert sorted(await list_names(host, ANN)) == ["Ann", "Bea", "Dora"]


@run_async
async def test_a_name_corrected_in_the_first_game_is_the_name_of_the_same_person(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=[(ANN, Sit("Anm")), (BEN, Sit("Ben"))])
        await hosted.begin_game()
        await hosted.execute(RenameSeat(0, "Ann"))
        await hosted.finish(Random(1))
        assert await list_names(host, ANN) == ["Ann"]


@run_async
async def test_an_offered_seat_belongs_to_the_person_of_the_device_that_takes_it(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=[(ANN, Sit("Ann")), (ANN, Sit("Cid", offered=True))])
        await hosted.execute(TakeSeat(1), CID)
        await play_game(hosted)
        assert (await list_names(host, ANN), await list_names(host, CID)) == (["Ann"], ["Cid"])


@run_async
async def test_a_stopped_game_and_one_with_typed_dice_count_for_nobody(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TABLE, seed="typed")
        game = await play_game(hosted)
        assert {one.row.counts for one in await host.store.list_results([game])} == {0}
        other = await HostedRoom.open(host, seating=TABLE)
        stopped = (await other.begin_game()).header.game
        await other.execute(StopGame())
        assert await host.store.list_results([stopped]) == []


# Deletion.


def find_traces(path: Path, *texts: str) -> list[str]:
    """Search every table, and the bytes of every file of the database, for some texts."""
    found = []
    for table, rows in dump_tables(path / "host.db").items():
        found += [f"{table}: {text}" for text in texts if any(text in str(value) for row in rows for value in row)]
    for file in path.glob("host.db*"):
        found += [f"{file.name}: {text}" for text in texts if text.encode() in file.read_bytes()]
    return found


@run_async
async def test_whoever_got_up_in_the_middle_of_a_series_is_forgotten_there_too(tmp_path: Path) -> None:
    name = "Wilhelmina Zzyx"
    async with open_host(tmp_path) as host:
        settings = replace(SHORT_GAME, games=3)
        hosted = await HostedRoom.open(host, settings, [(ANN, Sit("Ann")), (BEN, Sit(name)), (CID, Sit("Cid"))])
        game = await play_game(hosted)
        coaching, person = CoachService(host), (await host.people.list_held(BEN))[0].id
        assert name in [seat.name for seat in (await coaching.load_finished_game(game)).header.seats]
        await hosted.execute(LeaveSeat(1), BEN)
        await host.people.change(BEN, person, PersonChange(name="Renamed since"))
        assert [one.name for one in (await hosted.room()).former] == [name]
        await host.people.delete(BEN, person)
        assert [(one.name, one.person) for one in (await hosted.room()).former] == [(NAMELESS, None)]
        reviewed = (await coaching.load_finished_game(game)).header.seats
        assert [seat.name for seat in reviewed] == ["Ann", NAMELESS, "Cid"]
    assert find_traces(tmp_path, name, person) == []


@run_async
async def test_whoever_is_deleted_leaves_no_trace_and_the_games_of_the_others_stay_verified(tmp_path: Path) -> None:
    name = "Wilhelmina Zzyx"
    async with open_host(tmp_path) as host:
        seating = [(ANN, Sit(name)), (BEN, Sit("Ben")), (ANN, Sit("Bea"))]
        hosted = await HostedRoom.open(host, seating=seating)
        games = [await play_game(hosted, number) for number in range(2)]
        await hosted.begin_game()  # deleted in the middle of a game
        await host.statistics.catch_up()
        person = (await hosted.room()).seats[0].person or ""
        await host.people.issue_code(ANN, person)
        mistake = StoredMistake(person, games[0], 3, 0, "box", "bonus", 1500, "{}", 1.0)
        answer = StoredAnswer(person, "position", "aa", "2026-01-01", "box", "bonus", 0, "{}", 1.0)
        await host.store.commit(PutMistakes(games[0], 0, (mistake,)), PutAnswer(answer))
        before = verify(await export_record(host.store, games[0]), "before").head
        assert find_traces(tmp_path, name, person)
        with pytest.raises(PersonNotYours):
            await host.people.delete(BEN, person)
        await host.people.delete(ANN, person)
        await host.statistics.catch_up()
        room: Room = await hosted.room()
        assert [seat.name for seat in room.seats] == [NAMELESS, "Ben", "Bea"]
        assert (await hosted.table()).header.seats[0].name == NAMELESS
        games.append((await hosted.finish(Random(3))).header.game)
        for game in games:
            content = await export_record(host.store, game)
            verdict = verify(content, game)
            assert verdict.is_verified
            assert [seat.name for seat in parse_record(content, game).header.seats] == [NAMELESS, "Ben", "Bea"]
        assert verify(await export_record(host.store, games[0]), "after").head == before
        ben = [one.name for one in await host.people.list_held(BEN)]
        assert ben == ["Ben"]
    assert find_traces(tmp_path, name, person) == []
