"""Who may do what between games: totals that nobody wipes, seats nobody hoards, a host's role that comes back."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from knobel.errors import GameRunning, NoSuchSeat, NotHost, RoomLocked, SeatNotYours, TooManySeats
from knobel.host.archive import export_record
from knobel.host.session import SessionUpdate
from knobel.record.verify import verify
from knobel.rooms.documents import decode_room
from knobel.rooms.intents import (
    BeginGame,
    ChangeSettings,
    HandOverHost,
    LeaveGame,
    LeaveSeat,
    LockRoom,
    RenameSeat,
    RestartSeries,
    SetHandicap,
    Sit,
    SitBot,
    StopGame,
    SubstituteBot,
    SwapSeats,
    TakeSeat,
)
from knobel.rooms.lobby import MAX_FORMER, MAX_SEATS_PER_DEVICE
from knobel.rooms.names import clean_name, fold_name
from knobel.rooms.series import find_series
from knobel.table import Table
from tests.support.hosted_rooms import ANN, BEN, CID, SHORT_GAME, HostedRoom, open_host, run_async


def list_names(table: Table) -> list[str]:
    return [seat.name for seat in table.header.seats]


EVE = "eve's phone"
TWO = ((ANN, Sit("Ann")), (BEN, Sit("Ben")))


async def after_one_game(host: object, games: int = 3) -> HostedRoom:
    hosted = await HostedRoom.open(host, replace(SHORT_GAME, games=games), TWO)  # type: ignore[arg-type]
    await hosted.begin_game()
    await hosted.finish()
    return hosted


# Totals.


@run_async
async def test_a_stranger_who_sits_down_and_gets_up_wipes_no_totals(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await after_one_game(host)
        room = await hosted.room()
        assert len(room.totals) == 1
        await hosted.execute(Sit("Eve"), EVE)
        assert [row[:2] for row in (await hosted.room()).totals] == list(room.totals)
        await hosted.execute(LeaveSeat(2), EVE)
        assert ((await hosted.room()).totals, (await hosted.room()).first) == (room.totals, room.first)
        table = await hosted.begin_game()
        assert (table.header.evening.number, table.header.evening.totals) == (2, room.totals)


@run_async
async def test_whoever_comes_back_has_what_they_had_and_newcomers_have_nothing(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await after_one_game(host)
        ann, ben = (await hosted.room()).totals[0]
        await hosted.execute(LeaveSeat(1), BEN)
        assert (await hosted.room()).totals == ((ann,),)
        await hosted.execute(Sit("Cid"), CID)
        await hosted.execute(Sit("Ben"), BEN)
        assert (await hosted.room()).totals == ((ann, 0, ben),)
        await hosted.execute(LeaveSeat(2), BEN)
        await hosted.execute(Sit("Ben"), EVE)
        assert (await hosted.room()).totals == ((ann, 0, 0),)


@run_async
async def test_strangers_who_come_and_go_do_not_push_out_what_somebody_has_scored(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await after_one_game(host)
        totals = (await hosted.room()).totals
        await hosted.execute(LeaveSeat(1), BEN)
        for number in range(MAX_FORMER + 1):
            await hosted.execute(Sit(f"Eve {number}"), EVE)
            await hosted.execute(LeaveSeat(1), EVE)
        await hosted.execute(Sit("Ben"), BEN)
        assert (await hosted.room()).totals == totals


@run_async
async def test_somebody_who_missed_a_game_has_nothing_for_it(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await after_one_game(host)
        ann, ben = (await hosted.room()).totals[0]
        await hosted.execute(LeaveSeat(1), BEN)
        await hosted.begin_game()
        await hosted.finish()
        (_, (second,)) = (await hosted.room()).totals
        await hosted.execute(Sit("Ben"), BEN)
        assert (await hosted.room()).totals == ((ann, ben), (second, 0))


@run_async
async def test_totals_move_with_their_seats(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await after_one_game(host)
        room = await hosted.room()
        ann, ben = room.totals[0]
        await hosted.execute(SwapSeats(1))
        assert (await hosted.room()).totals == ((ben, ann),)
        assert room.first is not None
        assert (await hosted.room()).first == 1 - room.first


@run_async
async def test_an_evening_goes_on_with_another_game_and_ends_when_the_host_begins_another(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await after_one_game(host)
        room = await hosted.room()
        await hosted.execute(ChangeSettings("carlit-chicago", games=3, standing="wins"))
        table = await hosted.begin_game()
        assert (table.header.evening.number, table.header.evening.totals) == (2, room.totals)
        assert table.header.first == (room.first or 0) + 1, "the start moves on"
        await hosted.finish()
        assert verify(await hosted.export_record(), "").is_verified
        series = find_series(await hosted.room())
        assert [game.has_points for game in series.played] == [True, False]
        assert (series.standing, sum(series.scores or ())) == ("wins", 2)
        await hosted.execute(RestartSeries())
        assert ((await hosted.room()).totals, (await hosted.room()).played, (await hosted.room()).first) == (
            (),
            (),
            None,
        )
        await hosted.assert_refused(NotHost, RestartSeries(), BEN)


@run_async
async def test_an_evening_whose_games_are_over_goes_on_if_more_are_agreed(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await after_one_game(host, games=1)
        totals = (await hosted.room()).totals
        await hosted.execute(replace(SHORT_GAME, games=2))
        table = await hosted.begin_game()
        assert (table.header.evening.number, table.header.evening.totals) == (2, totals)
        await hosted.finish()
        table = await hosted.begin_game()
        assert (table.header.evening.number, table.header.evening.totals) == (1, ())


@run_async
async def test_a_handicap_counts_for_the_standings_from_the_next_game_on_and_for_no_record(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await after_one_game(host)
        await hosted.execute(replace(SHORT_GAME, games=3, standing="sum"))
        await hosted.assert_refused(NotHost, SetHandicap(1, 20), BEN)
        await hosted.assert_refused(NoSuchSeat, SetHandicap(2, 20))
        await hosted.execute(SetHandicap(1, 20))
        table = await hosted.begin_game()
        await hosted.assert_refused(GameRunning, SetHandicap(1, 30))
        await hosted.finish()
        series = find_series(await hosted.room())
        totals = (await hosted.room()).totals
        assert series.scores == (sum(row[0] for row in totals), sum(row[1] for row in totals) + 20)
        assert table.replay.outcome is not None
        assert totals[1] == table.replay.outcome.totals
        assert b"handicap" not in await hosted.export_record()
        await hosted.execute(LeaveSeat(1), BEN)
        await hosted.execute(Sit("Ben"), BEN)
        assert find_series(await hosted.room()).scores == series.scores, "it comes back with its player"


@run_async
async def test_whoever_leaves_or_swaps_takes_their_places_along(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await after_one_game(host)
        (game,) = (await hosted.room()).played
        before = [result.place for result in game.results]
        await hosted.execute(SwapSeats(1))
        await hosted.execute(Sit("Eve"), EVE)
        (game,) = (await hosted.room()).played
        assert [result.place for result in game.results] == [*reversed(before), 0]


def test_a_room_of_an_earlier_version_is_known_by_its_totals() -> None:
    body = """{"format":2,"room":{"id":"r","host":"a","settings":{"edition":"noris-yatzy","text":"de","games":3},
    "coming":{"game":"g","seed":"00","commitment":"00"},"seats":[{"name":"Ann","device":"a"},{"name":"Ben","device":"b"}],
    "totals":[[200,100],[90,150]],"first":1,"former":[{"device":"c","name":"Cid","totals":[1,2]}]}}"""
    series = find_series(decode_room(body, None))
    assert (series.scores, series.places, series.number) == ((290, 250), ((0,), (1,)), 3)
    assert [game.places for game in series.played] == [(1, 2), (2, 1)]


# Seats.


@run_async
async def test_a_player_takes_few_seats_and_the_host_any_number(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host)
        for number in range(MAX_SEATS_PER_DEVICE):
            await hosted.execute(Sit(f"Eve {number}"), EVE)
        await hosted.assert_refused(TooManySeats, Sit("Eve again"), EVE)
        for number in range(12):
            await hosted.execute(Sit(f"Ann {number}", offered=number == 0))
        await hosted.assert_refused(TooManySeats, TakeSeat(MAX_SEATS_PER_DEVICE), EVE)
        await hosted.execute(TakeSeat(MAX_SEATS_PER_DEVICE), BEN)
        assert len((await hosted.room()).seats) == MAX_SEATS_PER_DEVICE + 12


@run_async
async def test_in_a_locked_room_only_the_host_adds_seats(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.assert_refused(NotHost, LockRoom(True), BEN)
        await hosted.execute(LockRoom(True))
        await hosted.assert_refused(RoomLocked, Sit("Eve"), EVE)
        await hosted.assert_refused(RoomLocked, Sit("Bea"), BEN)
        await hosted.execute(Sit("Cid", offered=True))
        await hosted.execute(TakeSeat(2), CID)
        await hosted.begin_game()
        await hosted.execute(StopGame())
        await hosted.assert_refused(RoomLocked, Sit("Eve"), EVE)
        await hosted.execute(LockRoom(False))
        await hosted.execute(Sit("Eve"), EVE)


# The host's role.


@run_async
async def test_whoever_acts_for_the_host_begins_and_seats_bots_but_removes_nobody(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=(*TWO, (CID, Sit("Cid"))))
        await host.update_acting_host(hosted.id, frozenset({BEN, CID}))
        room = await hosted.room()
        assert (room.host, room.acting_host) == (ANN, BEN)
        await hosted.assert_refused(SeatNotYours, LeaveSeat(0), BEN)
        for wanted in (replace(SHORT_GAME, games=3), HandOverHost(1), SwapSeats(1), LockRoom(True)):
            await hosted.assert_refused(NotHost, wanted, BEN)
        await hosted.assert_refused(NotHost, SitBot("greedy", "Bot"), CID)
        await hosted.execute(SitBot("greedy", "Bot"), BEN)
        await hosted.execute(LeaveSeat(3), BEN)
        await hosted.seal_seeds(BEN, CID)
        await hosted.execute(BeginGame(anyway=True), BEN)
        await hosted.reveal_seeds(BEN, CID)
        await host.record_attendance(hosted.id, [0], present=False)
        await hosted.assert_refused(SeatNotYours, LeaveGame(0), BEN)
        await hosted.assert_refused(NotHost, StopGame(), BEN)
        await hosted.execute(SubstituteBot(0, "greedy"), BEN)


@run_async
async def test_the_role_comes_back_with_the_host(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await host.update_acting_host(hosted.id, frozenset())
        assert (await hosted.room()).acting_host is None
        await host.update_acting_host(hosted.id, frozenset({BEN}))
        assert (await hosted.room()).acting_host == BEN
        await host.update_acting_host(hosted.id, frozenset({CID}))
        assert (await hosted.room()).acting_host == BEN
        await host.update_acting_host(hosted.id, frozenset({ANN, BEN}))
        room = await hosted.room()
        assert (room.host, room.acting_host) == (ANN, None)
        await hosted.execute(LeaveSeat(1), ANN)


# Names.


@run_async
async def test_names_that_look_alike_are_told_apart(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host)
        for name in (
            "A0",
            "\u04100",
            "\u0391O",
            "Bill",
            "BiII",
            "\u0412\u0430\u0441\u044f",
            "\u0432\u0410\u0421\u042f",
        ):
            await hosted.execute(Sit(name))
        names = [seat.name for seat in (await hosted.room()).seats]
        assert names[:3] == ["A0", "\u04100 2", "\u0391O 3"]
        assert names[3:5] == ["Bill", "BiII 2"]
        assert names[6] == "\u0432\u0410\u0421\u042f 2"


@pytest.mark.parametrize("name", ["An\ufe0fna", "\u13aanna", "An\u0578a", "\u0251nna", "Anna\U000e0100"])
def test_no_letter_of_another_alphabet_and_nothing_invisible_makes_a_name_another_one(name: str) -> None:
    assert fold_name(clean_name(name)) & fold_name("Anna")


def test_a_symbol_keeps_its_coloured_form() -> None:
    assert clean_name("\u2764\ufe0f Ann") == "\u2764\ufe0f Ann"


@run_async
async def test_a_player_gets_another_name_in_the_middle_of_a_game_and_the_chain_stays(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, SHORT_GAME, TWO)
        table = await hosted.begin_game()
        await hosted.play(most=3)
        head, told = table.head, list[SessionUpdate]()
        (await hosted.session()).watchers.append(told.append)
        await hosted.assert_refused(SeatNotYours, RenameSeat(0, "Eve"), BEN)
        await hosted.execute(RenameSeat(1, "Ann"), BEN)
        assert (list_names(table), table.head) == (["Ann", "Ann 2"], head)
        assert [update.is_renamed for update in told] == [True]
        await hosted.execute(RenameSeat(1, "Benjamin"), BEN)
    async with open_host(tmp_path) as host:
        reopened = await hosted.reopen_at(host)
        assert list_names(await reopened.table()) == ["Ann", "Benjamin"]
        await reopened.finish()
        record = await export_record(host.store, table.header.game)
        assert verify(record, "renamed.knobel").is_verified
        assert b"Benjamin" in record


@run_async
async def test_another_process_takes_over_the_new_name_at_the_same_table(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host, open_host(tmp_path) as other:
        hosted = await HostedRoom.open(host, SHORT_GAME, TWO)
        await hosted.begin_game()
        elsewhere = await hosted.reopen_at(other)
        table = await elsewhere.table()
        await hosted.execute(RenameSeat(0, "Anna"), ANN)
        await (await elsewhere.session()).catch_up()
        assert list_names(table) == ["Anna", "Ben"]
        assert table.replay.header.seats[0].name == "Anna"
