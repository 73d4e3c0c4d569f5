"""The host through its public methods: rooms, seats, seals, games, bots at their pace, comings and goings, restarts."""

import asyncio
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from knobel import fair
from knobel.errors import (
    CannotStart,
    CommandIdReused,
    GameNotFound,
    GameRunning,
    IllegalAction,
    KnobelError,
    NameEmpty,
    NoGameRunning,
    NoSuchSeat,
    NotationError,
    NotationTrayMismatch,
    NotHost,
    RecordUnfinished,
    RoomNotFound,
    SeatNotYours,
    SeedsMissing,
    StaleRequest,
    SwitchValue,
    UnknownBot,
    UnknownEdition,
    UnknownSwitch,
    WrongPlayerCount,
)
from knobel.game import CHANCE
from knobel.host import Host
from knobel.host.archive import DAY_SECONDS, GAME_DAYS, LOBBY_DAYS, OVER_DAYS, expire_rooms, export_record, load_table
from knobel.host.command_memory import RoomRequest
from knobel.host.registry import MAX_SESSIONS
from knobel.host.session import SessionUpdate
from knobel.phrase import Phrase
from knobel.record.events import Acted, Away, Back, Closed, Landed, Revealed, StandIn, StartedWithout, Undone
from knobel.record.file import parse_record
from knobel.record.replay import replay_record
from knobel.record.verify import verify
from knobel.rooms.intents import (
    Act,
    Advance,
    AnyIntent,
    BeginGame,
    ChangeSettings,
    HandOverHost,
    LeaveGame,
    LeaveSeat,
    ReturnToSeat,
    RevealSeed,
    SealSeed,
    Sit,
    SitBot,
    StartWithout,
    StopGame,
    SubstituteBot,
    SwapSeats,
    TakeSeat,
    Undo,
)
from knobel.rooms.lobby import MAX_SEATS
from knobel.store.sqlite import SqliteStore
from tests.support.hosted_rooms import ANN, BEN, CID, SHORT_GAME, HostedRoom, Seating, open_host, run_async
from tests.support.waiting import wait_until

TWO: Seating = ((ANN, Sit("Ann")), (BEN, Sit("Ben")))
WITH_BOT: Seating = ((ANN, Sit("Ann")), (ANN, SitBot("greedy", "Bot")))
BOTS: Seating = ((ANN, SitBot("greedy", "Bot 1")), (ANN, SitBot("random", "Bot 2")))
YATZY = ChangeSettings("tactic-xl-yatzy")
CHICAGO = ChangeSettings("carlit-chicago")
NORIS = ChangeSettings("noris-yatzy", games=3)


def why(error: KnobelError) -> str:
    """Give the last word of the reason of a refusal."""
    reason = error.values["why"]
    assert isinstance(reason, Phrase)
    return reason.key.split(".")[-1]


# Opening a room.


@run_async
async def test_a_room_opened_twice_with_the_same_command_is_one_room(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        first = await host.open_room(ANN, "1", SHORT_GAME, [Sit("Ann")])
        assert await host.open_room(ANN, "1", SHORT_GAME, [Sit("Ann")]) == first
        with pytest.raises(CommandIdReused):
            await host.open_room(ANN, "1", YATZY)
        others = [await host.open_room(ANN, "2", SHORT_GAME), await host.open_room(BEN, "1", SHORT_GAME)]
        assert len({first.id, *(room.id for room in others)}) == 3
        assert len(await host.store.list_rooms()) == 3


@run_async
async def test_a_room_opened_twice_at_once_is_one_room(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        rooms = await asyncio.gather(*(host.open_room(ANN, "1", SHORT_GAME) for _ in range(8)))
        assert len({room.id for room in rooms}) == len({room.coming.game for room in rooms}) == 1


@run_async
async def test_a_room_is_found_by_its_code_however_it_is_said_until_its_game_begins(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        code = (await hosted.room()).code
        assert code is not None
        for said in (code, code.lower(), f" {code[:4]}-{code[4:]} ", " ".join(code)):
            assert await host.find_room_by_code(said) == hosted.id
        for said in ("", "AAAAAAAA", code[:-1], f"{code}2", "%", "é"):
            with pytest.raises(RoomNotFound):
                await host.find_room_by_code(said)
        await hosted.begin_game()
        with pytest.raises(RoomNotFound):
            await host.find_room_by_code(code)
        await hosted.execute(StopGame())
        again = (await hosted.room()).code
        assert again is not None
        assert again != code
        assert await host.find_room_by_code(again) == hosted.id
        with pytest.raises(RoomNotFound):
            await host.find_room_by_code(code)


@pytest.mark.parametrize(
    ("settle", "error"),
    [
        (ChangeSettings("nowhere"), UnknownEdition),
        (ChangeSettings("../../etc/passwd"), UnknownEdition),
        (ChangeSettings("/etc/hosts.toml"), UnknownEdition),
        (ChangeSettings("tactic-xl-yatzy", switches={"luck": "7"}), UnknownSwitch),
        (ChangeSettings("tactic-xl-yatzy", switches={"order": "up"}), SwitchValue),
        (ChangeSettings("carlit-chicago", switches={"order": "free"}), UnknownSwitch),
    ],
    ids=str,
)
@run_async
async def test_what_cannot_be_played_is_not_agreed_on(
    settle: ChangeSettings, error: type[KnobelError], tmp_path: Path
) -> None:
    async with open_host(tmp_path) as host:
        with pytest.raises(error):
            await host.open_room(ANN, "1", settle)
        assert await host.store.list_rooms() == []
        await (await HostedRoom.open(host)).assert_refused(error, settle)


@run_async
async def test_a_room_nobody_opened_is_unknown_to_every_question(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        for room in ("", "nowhere", "%", "x" * 5000):
            with pytest.raises(RoomNotFound):
                await host.execute(room, ANN, "1", BeginGame(), b"begin")
            with pytest.raises(RoomNotFound):
                await host.watch(room, lambda _: None)
            with pytest.raises(RoomNotFound):
                await host.step(room)
            with pytest.raises(RoomNotFound):
                await host.record_attendance(room, [0], present=False)
        assert host.registry.sessions == {}


# Commands, once.


@run_async
async def test_a_repeated_command_gets_the_same_reply_and_is_carried_out_once(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.begin_game()
        first = await hosted.execute(Act(0, 0, ".."), ANN, "roll")
        await hosted.act(0, "chance")
        before = await hosted.snapshot()
        assert await hosted.execute(Act(0, 0, ".."), ANN, "roll") == first
        assert await hosted.snapshot() == before
        table = await hosted.table()
        assert (first.count, table.replay.count) == (4, 5)


@run_async
async def test_a_command_with_another_body_or_of_another_device_is_refused(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.execute(Sit("Cid"), CID, "sit")
        await hosted.assert_refused(CommandIdReused, Sit("Cleo"), CID, "sit")
        await hosted.assert_refused(CommandIdReused, Sit("Cid"), ANN, "sit")
        await hosted.begin_game()
        await hosted.execute(Act(0, 0, ".."), ANN, "roll")
        await hosted.assert_refused(CommandIdReused, Act(0, 1, ".."), ANN, "roll")
        await hosted.assert_refused(CommandIdReused, Act(0, 0, ".."), BEN, "roll")
        await hosted.assert_refused(CommandIdReused, Sit("Cid"), CID, "roll")


@run_async
async def test_a_request_is_known_again_by_the_bytes_it_came_in(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        intent, body = Sit("Cid"), b'{"want":"sit","name":"Cid"}'
        reply = await host.execute(hosted.id, CID, "sit", intent, body)
        assert await host.execute(hosted.id, CID, "sit", intent, body.decode()) == reply
        with pytest.raises(CommandIdReused):
            await host.execute(hosted.id, CID, "sit", intent, b'{"want": "sit", "name": "Cid"}')
        room = await hosted.room()
        assert len(room.seats) == 3
        remembered = await host.store.find_room_command(hosted.id, "sit")
        assert remembered == sha256(CID.encode() + b" " + body).hexdigest()


def test_a_request_an_older_version_remembered_is_known_by_its_device() -> None:
    request = RoomRequest.receive("sit", CID, b'{"want":"sit","name":"Cid"}')
    assert request.repeats(f'{CID} {{"want":"sit","name":"Cid","own_dice":false}}')
    assert not request.repeats(f'{ANN} {{"want":"sit","name":"Cid"}}')
    assert not RoomRequest("away:3").repeats("bot")


@run_async
async def test_the_same_command_many_times_at_once_is_carried_out_once(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.begin_game()
        replies = await asyncio.gather(*(hosted.execute(Act(0, 0, ".."), ANN, "roll") for _ in range(20)))
        assert len(set(replies)) == 1
        assert (await hosted.state()).rolls_used == 1


@run_async
async def test_a_command_refused_once_can_be_right_later(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.begin_game()
        await hosted.assert_refused(IllegalAction, Act(0, 0, "chance"), ANN, "fill")
        await hosted.act(0, "..")
        assert (await hosted.execute(Act(0, 2, "chance"), ANN, "fill")).count == 5


# Who may do what, and when.


@run_async
async def test_what_was_meant_for_an_earlier_moment_is_stale(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.begin_game()
        await hosted.act(0, "..")
        for ply in (0, 1, 3, 99):
            await hosted.assert_refused(StaleRequest, Act(0, ply, ".."))
            await hosted.assert_refused(StaleRequest, Undo(0, ply))
            await hosted.assert_refused(StaleRequest, Advance(ply))
        await hosted.act(0, "chance")
        await hosted.assert_refused(StaleRequest, Act(0, 2, "twins"))
        await hosted.execute(Undo(0, 3))
        await hosted.assert_refused(StaleRequest, Act(0, 3, "chance"))


@run_async
async def test_only_the_device_of_a_seat_plays_it(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=(*TWO, (BEN, Sit("Bea"))))
        await hosted.begin_game()
        for device, seat in ((BEN, 0), (CID, 0), (ANN, 1), (ANN, 98), (BEN, 0)):
            await hosted.assert_refused(SeatNotYours, Act(seat, 0, ".."), device)
            await hosted.assert_refused(SeatNotYours, Undo(seat, 0), device)
            await hosted.assert_refused(SeatNotYours, ReturnToSeat(seat), device)
        await hosted.assert_refused(SeatNotYours, LeaveGame(0), BEN)
        await hosted.assert_refused(SeatNotYours, SubstituteBot(0, "greedy"), BEN)
        await hosted.assert_refused(SeatNotYours, SubstituteBot(0, "greedy"), CID)
        await hosted.assert_refused(SeatNotYours, RevealSeed("0" * 64), CID)
        assert why(await hosted.assert_refused(IllegalAction, Act(2, 0, ".."), BEN)) == "not_your_turn"


@run_async
async def test_only_the_host_decides_about_the_room(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.assert_refused(SeatNotYours, SealSeed("0" * 16, "0" * 64), CID)
        await hosted.assert_refused(SeatNotYours, LeaveSeat(0), BEN)
        for wanted in (SHORT_GAME, SitBot("greedy", "Bot"), SwapSeats(1), HandOverHost(1), BeginGame()):
            await hosted.assert_refused(NotHost, wanted, BEN)
        await hosted.begin_game()
        for playing in (StopGame(), StartWithout(0)):
            await hosted.assert_refused(NotHost, playing, BEN)


@run_async
async def test_seats_and_names_are_what_was_asked_for(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(
            host, seating=(*TWO, (BEN, Sit("ann", beginner=True)), (CID, Sit("C\x1b[1m", real_dice=True)))
        )
        room_seats = (await hosted.room()).seats
        assert [taken_seat.name for taken_seat in room_seats] == ["Ann", "Ben", "ann 2", "C[1m"]
        assert [(taken_seat.beginner, taken_seat.real_dice) for taken_seat in room_seats] == [(False, False)] * 2 + [
            (True, False),
            (False, True),
        ]
        await hosted.execute(SwapSeats(1))
        assert [taken_seat.name for taken_seat in (await hosted.room()).seats] == ["Ben", "Ann", "ann 2", "C[1m"]
        await hosted.execute(LeaveSeat(3), CID)
        await hosted.execute(LeaveSeat(0), ANN)
        assert [taken_seat.name for taken_seat in (await hosted.room()).seats] == ["Ann", "ann 2"]
        for wanted in (LeaveSeat(2), SwapSeats(2), HandOverHost(7)):
            await hosted.assert_refused(NoSuchSeat, wanted)
        for name in ("", " ", "\u200b", "\x1b"):
            await hosted.assert_refused(NameEmpty, Sit(name))


@run_async
async def test_only_a_seat_that_is_offered_can_be_taken_once_and_before_the_game(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        offered_seats = ((ANN, Sit("Ann")), (ANN, Sit("Ben", offered=True)), (ANN, Sit("Cid", offered=True)))
        hosted = await HostedRoom.open(
            host, seating=(*offered_seats, (ANN, SitBot("greedy", "Bot")), (CID, Sit("Dora")))
        )
        before = (await hosted.room()).seats
        for place in (0, 3, 4):
            await hosted.assert_refused(SeatNotYours, TakeSeat(place), BEN)
        await hosted.assert_refused(NoSuchSeat, TakeSeat(5), BEN)
        await hosted.seal_seeds(ANN, CID)
        assert not (await hosted.room()).unsealed_devices
        await hosted.execute(TakeSeat(1), BEN)
        room = await hosted.room()
        assert [taken_seat.name for taken_seat in room.seats] == [taken_seat.name for taken_seat in before]
        assert (room.seats_of(ANN), room.seats_of(BEN), room.unsealed_devices) == ((0, 2), (1,), (ANN, BEN, CID))
        for device in (ANN, BEN, CID):
            await hosted.assert_refused(SeatNotYours, TakeSeat(1), device)
        await hosted.assert_refused(SeatNotYours, LeaveSeat(2), BEN)
        await hosted.begin_game()
        await hosted.assert_refused(GameRunning, TakeSeat(2), BEN)
        await hosted.execute(StopGame())
        await hosted.execute(TakeSeat(2), ANN)
        await hosted.assert_refused(SeatNotYours, TakeSeat(2), CID)


@run_async
async def test_whoever_takes_a_seat_leaves_the_evening_as_it_is(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        offered_seats = ((ANN, Sit("Ann")), (ANN, Sit("Ben", offered=True)))
        hosted = await HostedRoom.open(host, replace(SHORT_GAME, games=2), seating=offered_seats)
        await hosted.begin_game()
        await hosted.finish()
        totals = (await hosted.room()).totals
        assert len(totals) == 1
        await hosted.execute(TakeSeat(1), BEN)
        assert (await hosted.room()).totals == totals


@run_async
async def test_a_room_has_so_many_seats_and_no_more(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        room = await host.open_room(ANN, "1", SHORT_GAME, [Sit("Ann")] * MAX_SEATS)
        hosted = HostedRoom(host, room.id)
        with pytest.raises(KnobelError) as caught:
            await hosted.execute(Sit("Ann"))
        assert caught.value.values == {"n": MAX_SEATS}
        assert len({taken_seat.name for taken_seat in (await hosted.room()).seats}) == MAX_SEATS


@pytest.mark.parametrize(
    ("settle", "name"), [(YATZY, "nobody"), (YATZY, ""), (CHICAGO, "cautious"), (CHICAGO, "human:20")]
)
@run_async
async def test_a_bot_that_plays_no_such_game_does_not_sit_down(
    settle: ChangeSettings, name: str, tmp_path: Path
) -> None:
    async with open_host(tmp_path) as host:
        with pytest.raises(UnknownBot):
            await host.open_room(ANN, "1", settle, [SitBot(name, "Bot")])
        hosted = await HostedRoom.open(host, settle, TWO)
        await hosted.assert_refused(UnknownBot, SitBot(name, "Bot"))
        await hosted.begin_game()
        await hosted.assert_refused(UnknownBot, SubstituteBot(0, name))


@run_async
async def test_while_a_game_runs_nothing_of_the_room_changes(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.begin_game()
        for wanted in (Sit("Ann"), SitBot("greedy", "Bot"), LeaveSeat(0), SwapSeats(1), SHORT_GAME, YATZY):
            await hosted.assert_refused(GameRunning, wanted)
        assert why(await hosted.assert_refused(CannotStart, BeginGame())) == "game_running"


@run_async
async def test_without_a_game_nothing_can_be_played(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        moves: tuple[AnyIntent, ...] = (
            Act(0, 0, ".."),
            Undo(0, 0),
            Advance(0),
            LeaveGame(0),
            StopGame(),
            ReturnToSeat(0),
            RevealSeed("0" * 64),
        )
        for wanted in moves:
            await hosted.assert_refused(NoGameRunning, wanted)
        assert not await host.step(hosted.id)
        await hosted.begin_game()
        await hosted.finish()
        for wanted in moves:
            await hosted.assert_refused(NoGameRunning, wanted)
        assert not await host.step(hosted.id)


@pytest.mark.parametrize(
    "text", ["", "1", "banana", ">66", "leave 1", "leave 2", "stand", "chance=12", "!chance", "./", "…"]
)
@run_async
async def test_what_is_no_move_or_not_allowed_is_refused(text: str, tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.begin_game()
        before = await hosted.snapshot()
        with pytest.raises((IllegalAction, NotationError, NotationTrayMismatch)):
            await hosted.execute(Act(0, 0, text))
        assert await hosted.snapshot() == before


# Beginning: seals, seeds.


@run_async
async def test_an_empty_room_and_too_few_or_too_many_players_do_not_begin(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, CHICAGO)
        assert why(await hosted.assert_refused(CannotStart, BeginGame(anyway=True))) == "room_empty"
        await hosted.execute(Sit("Ann"))
        assert why(await hosted.assert_refused(CannotStart, BeginGame(anyway=True))) == "too_few"
        for number in range(16):
            await hosted.execute(SitBot("greedy", f"Bot {number}"))
        await hosted.assert_refused(WrongPlayerCount, BeginGame(anyway=True))


@run_async
async def test_a_game_does_not_begin_before_all_have_sealed_unless_it_is_wanted_anyway(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=(*TWO, (ANN, SitBot("greedy", "Bot"))))
        error = await hosted.assert_refused(SeedsMissing, BeginGame())
        assert error.values["names"] == ("Ann", "Ben")
        await hosted.seal_seeds(BEN)
        assert (await hosted.assert_refused(SeedsMissing, BeginGame())).values["names"] == ("Ann",)
        await hosted.execute(BeginGame(anyway=True))
        table = await hosted.table()
        assert set(table.header.dice.seals) == {1}
        assert table.replay.attendance.pending_seeds == [1]


@run_async
async def test_no_die_falls_before_all_have_shown_their_seeds(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.seal_seeds(ANN, BEN)
        await hosted.execute(BeginGame())
        await hosted.reveal_seeds(ANN)
        assert why(await hosted.assert_refused(IllegalAction, Act(0, 0, ".."))) == "seeds"
        assert why(await hosted.assert_refused(IllegalAction, LeaveGame(0))) == "seeds"
        assert why(await hosted.assert_refused(IllegalAction, RevealSeed("0" * 64), BEN)) == "seed_wrong"
        assert not await host.step(hosted.id)
        await hosted.reveal_seeds(BEN)
        assert why(await hosted.assert_refused(IllegalAction, RevealSeed("0" * 64), BEN)) == "seed_late"
        await hosted.act(0, "..")
        table = await hosted.table()
        assert [type(event) for event in table.events] == [Revealed, Revealed, Acted, Landed]
        assert len(table.replay.attendance.client_seeds) == 2


@run_async
async def test_the_host_starts_without_somebody_who_does_not_show_a_seed(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.seal_seeds(ANN, BEN)
        await hosted.execute(BeginGame())
        await hosted.reveal_seeds(ANN)
        assert why(await hosted.assert_refused(IllegalAction, StartWithout(0))) == "seed_late"
        await hosted.execute(StartWithout(1))
        assert (
            why(await hosted.assert_refused(IllegalAction, RevealSeed(hosted.derive_seed(BEN, "").hex()), BEN))
            == "seed_late"
        )
        table = await hosted.finish()
        assert StartedWithout(1) in table.events
        verdict = verify(await hosted.export_record(), "")
        assert (verdict.is_verified, verdict.seeds, verdict.without_seed) == (True, 1, 1)


@run_async
async def test_seals_are_asked_for_again_when_seats_or_settings_change(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        changes: tuple[AnyIntent, ...] = (SwapSeats(1), Sit("Cid"), LeaveSeat(2), YATZY)
        for wanted in changes:
            await hosted.seal_seeds(ANN, BEN)
            assert (await hosted.room()).unsealed_devices == ()
            await hosted.execute(wanted)
            assert (await hosted.room()).unsealed_devices == (await hosted.room()).devices


@run_async
async def test_what_is_promised_is_kept_and_nobody_sees_the_seed_before_the_end(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        coming = (await hosted.room()).coming
        table = await hosted.begin_game()
        assert (table.header.game, table.header.dice.commitment) == (coming.game, coming.commitment)
        assert (await hosted.room()).coming.game != coming.game
        assert coming.seed.encode() not in await hosted.export_record()
        with pytest.raises(RecordUnfinished):
            verify(await hosted.export_record(), "")
        await hosted.finish()
        closed = table.events[-1]
        assert isinstance(closed, Closed)
        assert closed.seeds.server == coming.seed
        assert (
            fair.commit_server_seed(
                coming.game, bytes.fromhex(table.header.fingerprint), bytes.fromhex(coming.seed)
            ).hex()
            == coming.commitment
        )


@run_async
async def test_other_settings_are_another_promise(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        first = (await hosted.room()).coming
        await hosted.execute(Sit("Cid"), CID)
        assert replace((await hosted.room()).coming, seals={}) == first
        await hosted.execute(YATZY)
        other = (await hosted.room()).coming
        assert (other.game != first.game, other.seed != first.seed, other.commitment != first.commitment) == (True,) * 3


# Playing.


@pytest.mark.parametrize(
    "settle",
    [SHORT_GAME, YATZY, ChangeSettings("tactic-xl-yatzy", text="da"), NORIS, CHICAGO],
    ids=lambda one: f"{one.edition} {one.text}",
)
@run_async
async def test_a_whole_game_is_played_narrated_and_verified(settle: ChangeSettings, tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, replace(settle, games=1), (*TWO, (ANN, SitBot("greedy", "Bot"))))
        news: list[SessionUpdate] = []
        room_session = await host.watch(hosted.id, news.append)
        table = await hosted.begin_game()
        await hosted.finish()
        assert tuple(step.event for one in news for step in one.steps) == table.record.events
        assert [step.number for one in news for step in one.steps] == list(range(1, table.replay.count + 1))
        record = parse_record(await hosted.export_record(), "")
        assert record == table.record
        assert verify(await hosted.export_record(), "").head == table.head
        assert replay_record(record).outcome == table.replay.outcome
        room = await hosted.room()
        assert (room.running, room.totals) == (False, (table.replay.outcome.totals,) if table.replay.outcome else ())
        host.unwatch(room_session, news.append)


@run_async
async def test_the_last_entry_can_be_undone_until_the_end_is_confirmed(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=((ANN, Sit("Ann")),))
        table = await hosted.begin_game()
        await hosted.play()
        assert table.replay.is_over
        await hosted.execute(Undo(0, table.replay.ply))
        assert not table.replay.is_over
        await hosted.play()
        await hosted.finish()
        await hosted.assert_refused(NoGameRunning, Undo(0, table.replay.ply))


@run_async
async def test_a_seat_undoes_only_its_own_and_only_before_dice_fall(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        table = await hosted.begin_game()
        assert why(await hosted.assert_refused(IllegalAction, Undo(0, 0))) == "no_undo"
        await hosted.act(0, "..")
        before = table.state
        await hosted.act(0, "chance")
        assert why(await hosted.assert_refused(IllegalAction, Undo(1, table.replay.ply), BEN)) == "no_undo"
        await hosted.execute(Undo(0, table.replay.ply))
        assert table.state == before
        await hosted.act(0, "chance")
        await hosted.act(1, "..")
        assert why(await hosted.assert_refused(IllegalAction, Undo(0, table.replay.ply))) == "no_undo"


UPPER_BOXES = ("ones", "twos", "threes", "fours", "fives", "sixes")


@run_async
async def test_real_dice_and_ours_sit_at_one_table(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(
            host, YATZY, ((ANN, Sit("Ann", real_dice=True)), (BEN, Sit("Ben")), (ANN, SitBot("greedy", "Bot")))
        )
        table = await hosted.begin_game()
        assert (await hosted.act(0, ".....")).count == 3
        assert table.state.seat == CHANCE
        assert why(await hosted.assert_refused(IllegalAction, Act(0, table.replay.ply, ">1111"))) == "land_count"
        await hosted.act(0, ">66666")
        assert table.state.dice == (6, 6, 6, 6, 6)
        await hosted.act(0, "yatzy")
        assert why(await hosted.assert_refused(IllegalAction, Act(1, table.replay.ply, ">66666"), BEN)) == "not_rolled"
        assert (
            why(await hosted.assert_refused(IllegalAction, Act(1, table.replay.ply, "chance=30"), BEN))
            == "not_real_dice"
        )
        await hosted.act(1, ".....")
        assert why(await hosted.assert_refused(IllegalAction, Act(1, table.replay.ply, ">66666"), BEN)) == "not_rolled"
        await hosted.play(most=30)
        while table.state.seat != 0 or table.state.dice:
            await hosted.play_move(Random(1))
        face = table.state.columns[0].open_boxes[0] + 1
        assert face <= 6
        await hosted.act(0, f"{UPPER_BOXES[face - 1]}={3 * face}")
        await hosted.finish()
        assert {event.real for event in table.events if isinstance(event, Landed) and event.seat == 0} == {True}
        assert {event.real for event in table.events if isinstance(event, Landed) and event.seat > 0} == {False}
        verdict = verify(await hosted.export_record(), "")
        assert verdict.is_verified
        assert (verdict.real_rolls > 0, verdict.rolls > 0, verdict.entries_without_dice) == (True, True, 1)


@run_async
async def test_at_a_free_table_each_column_is_a_game_of_its_own(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        settle = replace(SHORT_GAME, free=True)
        hosted = await HostedRoom.open(
            host, settle, (*TWO, (ANN, SitBot("greedy", "Bot")), (BEN, Sit("Bea", real_dice=True)))
        )
        table = await hosted.begin_game()
        assert len(table.replay.tracks) == 4
        await hosted.act(1, "..")
        await hosted.act(0, "..")
        await hosted.act(3, "..")
        await hosted.act(3, ">66")
        await hosted.act(1, "chance")
        assert await host.step(hosted.id)
        await hosted.execute(Undo(1, table.replay.track(1).ply), BEN)
        assert table.replay.track(1).state.dice
        await hosted.execute(LeaveGame(1), BEN)
        assert table.replay.track(1).state.seat is None
        assert table.replay.track(0).state.seat is not None
        await hosted.finish(Random(3))
        outcome = table.replay.outcome
        assert outcome is not None
        assert outcome.places[-1] == (1,)
        assert outcome.totals[0] == table.replay.track(0).game.outcome(table.replay.track(0).state).totals[0]  # type: ignore[union-attr]
        assert verify(await hosted.export_record(), "").is_verified


@run_async
async def test_equal_columns_at_a_free_table_have_dice_of_their_own(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, ChangeSettings("tactic-xl-yatzy", free=True), [(ANN, Sit("Ann"))] * 6)
        table = await hosted.begin_game()
        for seat in (3, 0, 5, 1, 4, 2):
            await hosted.act(seat, ".....")
        assert len({table.replay.track(seat).state.dice for seat in range(6)}) > 3


# Bots at their pace.


@run_async
async def test_a_bot_moves_only_when_it_is_its_turn(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=WITH_BOT)
        table = await hosted.begin_game()
        assert not await host.step(hosted.id)
        await hosted.assert_refused(NoGameRunning, Advance(0))
        await hosted.act(0, "..")
        assert not await host.step(hosted.id)
        await hosted.act(0, "chance")
        assert await host.step(hosted.id)
        assert isinstance(table.events[-1], Landed)
        assert table.events[-1].seat == 1


@run_async
async def test_go_on_lets_a_bot_move_at_once_and_confirms_the_end(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=BOTS)
        table = await hosted.begin_game()
        while not table.replay.is_over:
            await hosted.execute(Advance(table.replay.ply))
        assert table.replay.closed is None
        await hosted.execute(Advance(table.replay.ply))
        assert table.replay.closed


@run_async
async def test_bots_move_by_themselves_while_somebody_watches_and_end_the_game(tmp_path: Path) -> None:
    async with open_host(tmp_path, paced=True, undo_seconds=0.01, end_seconds=0.01) as host:
        hosted = await HostedRoom.open(host, replace(SHORT_GAME, pace=0), BOTS)
        await hosted.begin_game()
        assert (await hosted.session()).timer is None
        assert (await hosted.table()).replay.count == 0
        over = asyncio.Event()
        room_session = await host.watch(hosted.id, lambda news: None if news.session.room.running else over.set())
        await over.wait()
        assert room_session.table is not None
        assert room_session.table.replay.closed
        assert verify(await hosted.export_record(), "").is_verified


@run_async
async def test_a_bot_waits_so_long_that_an_entry_can_be_taken_back(tmp_path: Path) -> None:
    async with open_host(tmp_path, paced=True, undo_seconds=3000, end_seconds=4000) as host:
        hosted = await HostedRoom.open(host, replace(SHORT_GAME, pace=0), WITH_BOT)
        table = await hosted.begin_game()
        room_session = await host.watch(hosted.id, lambda _: None)
        assert host.scheduler.compute_delay(room_session) is None
        assert room_session.timer is None
        await hosted.act(0, "..")
        await hosted.act(0, "chance")
        assert host.scheduler.compute_delay(room_session) == 3000
        assert room_session.timer is not None
        await hosted.execute(Undo(0, table.replay.ply))
        assert (host.scheduler.compute_delay(room_session), room_session.timer) == (None, None)
        await hosted.act(0, "chance")
        await hosted.execute(Advance(table.replay.ply))
        assert host.scheduler.compute_delay(room_session) == 0


@run_async
async def test_the_end_waits_too_and_no_pace_is_faster_than_taking_back(tmp_path: Path) -> None:
    async with open_host(tmp_path, paced=True, undo_seconds=3, end_seconds=40) as host:
        hosted = await HostedRoom.open(host, replace(SHORT_GAME, pace=7), WITH_BOT)
        await hosted.begin_game()
        room_session = await host.watch(hosted.id, lambda _: None)
        await hosted.act(0, "..")
        await hosted.act(0, "chance")
        assert host.scheduler.compute_delay(room_session) == 7
        host.scheduler.paced = False
        await hosted.play()
        assert host.scheduler.compute_delay(room_session) == 7
        alone = await HostedRoom.open(host, replace(SHORT_GAME, pace=1), [(ANN, Sit("Ann"))])
        await alone.begin_game()
        await alone.play()
        assert host.scheduler.compute_delay(await alone.session()) == 40


@run_async
async def test_nobody_watches_nothing_moves_and_the_room_is_put_away(tmp_path: Path) -> None:
    async with open_host(tmp_path, paced=True, undo_seconds=0, end_seconds=0) as host:
        hosted = await HostedRoom.open(host, replace(SHORT_GAME, pace=0.02), BOTS)
        await hosted.begin_game()
        other = await HostedRoom.open(host, replace(SHORT_GAME, pace=0.02), BOTS, seed="other")
        await other.begin_game()
        heard: list[SessionUpdate] = []
        session = await host.watch(hosted.id, heard.append)
        await wait_until(lambda: bool(heard))
        host.unwatch(session, heard.append)
        assert hosted.id not in host.registry.sessions
        assert session.timer is None
        count = (await hosted.table()).replay.count
        heard.clear()
        session = await host.watch(other.id, heard.append)
        await wait_until(lambda: len(heard) >= 3)
        assert (await hosted.table()).replay.count == count
        host.unwatch(session, heard.append)


@run_async
async def test_only_so_many_rooms_are_in_use_and_those_that_are_watched_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knobel.host.registry.MAX_SESSIONS", 5)
    assert MAX_SESSIONS > 5
    async with open_host(tmp_path) as host:
        watched = (await host.open_room(ANN, "watched", SHORT_GAME)).id
        await host.watch(watched, lambda _: None)
        for number in range(20):
            await host.find_session((await host.open_room(ANN, str(number), SHORT_GAME)).id)
        assert len(host.registry.sessions) <= 5
        assert watched in host.registry.sessions


# Coming and going.


@run_async
async def test_somebody_away_is_waited_for_replaced_and_welcomed_back(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        table = await hosted.begin_game()
        await hosted.act(0, "..")
        await hosted.act(0, "chance")
        await host.record_attendance(hosted.id, [1], present=False)
        await host.record_attendance(hosted.id, [1], present=False)
        assert (table.replay.attendance.away, table.events.count(Away(1))) == ({1}, 1)
        assert not await host.step(hosted.id)
        await hosted.execute(SubstituteBot(1, "greedy"), ANN)
        assert why(await hosted.assert_refused(IllegalAction, SubstituteBot(1, "random"))) == "standing_in"
        assert await host.step(hosted.id)
        assert isinstance(table.events[-1], Landed)
        assert table.events[-1].seat == 1
        await host.record_attendance(hosted.id, [1], present=True)
        await host.record_attendance(hosted.id, [1], present=True)
        assert (table.replay.attendance.away, table.replay.attendance.stand_ins, table.events.count(Back(1))) == (
            set(),
            {},
            1,
        )
        assert not await host.step(hosted.id)
        assert {type(event) for event in table.events} >= {Away, StandIn, Back}
        await hosted.finish()
        assert verify(await hosted.export_record(), "").is_verified


@run_async
async def test_whoever_acts_is_back(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        table = await hosted.begin_game()
        await host.record_attendance(hosted.id, [0], present=False)
        await hosted.execute(SubstituteBot(0, "greedy"), BEN)
        await hosted.act(0, "..")
        assert (table.replay.attendance.away, table.replay.attendance.stand_ins) == (set(), {})
        await hosted.execute(SubstituteBot(0, "greedy"), ANN)
        await hosted.execute(ReturnToSeat(0), ANN)
        assert why(await hosted.assert_refused(IllegalAction, ReturnToSeat(0))) == "not_away"
        assert table.replay.attendance.stand_ins == {}


@run_async
async def test_bots_neither_go_nor_are_replaced(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=WITH_BOT)
        table = await hosted.begin_game()
        await host.record_attendance(hosted.id, [1, 7], present=False)
        assert table.replay.attendance.away == set()
        await hosted.assert_refused(SeatNotYours, SubstituteBot(1, "greedy"))


@run_async
async def test_whoever_leaves_is_last_and_the_others_play_on(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=(*TWO, (CID, Sit("Cid"))))
        table = await hosted.begin_game()
        await hosted.execute(LeaveGame(1), BEN)
        await hosted.assert_refused(IllegalAction, LeaveGame(1), BEN)
        await hosted.execute(LeaveGame(2), ANN)
        await hosted.finish()
        assert table.replay.outcome is not None
        assert table.replay.outcome.places[0] == (0,)
        assert verify(await hosted.export_record(), "").is_verified


@run_async
async def test_the_host_stops_a_game_and_its_seeds_are_shown(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        table = await hosted.begin_game()
        await hosted.play(most=4)
        await hosted.execute(StopGame())
        closed = table.events[-1]
        assert isinstance(closed, Closed)
        assert closed.why == "stopped"
        room = await hosted.room()
        assert (room.running, room.totals) == (False, ())
        assert verify(await hosted.export_record(), "").is_verified
        await hosted.begin_game()
        await hosted.finish()
        assert len((await hosted.room()).totals) == 1


@run_async
async def test_stopping_after_the_last_entry_is_just_the_end(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=[(ANN, Sit("Ann"))])
        table = await hosted.begin_game()
        await hosted.play()
        await hosted.execute(StopGame())
        closed = table.events[-1]
        assert isinstance(closed, Closed)
        assert closed.why == "over"
        assert len((await hosted.room()).totals) == 1


@run_async
async def test_the_hosts_role_is_handed_over_and_inherited(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=(*TWO, (ANN, SitBot("greedy", "Bot")), (CID, Sit("Cid"))))
        await hosted.execute(HandOverHost(2))
        assert (await hosted.room()).host == ANN
        await hosted.execute(HandOverHost(1))
        assert (await hosted.room()).host == BEN
        await hosted.assert_refused(NotHost, HandOverHost(0), ANN)
        await hosted.execute(LeaveSeat(1), BEN)
        assert (await hosted.room()).host == ANN


# An evening.


@run_async
async def test_in_an_evening_of_three_games_the_start_moves_on_and_totals_add_up(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, replace(SHORT_GAME, games=3), (*TWO, (ANN, SitBot("greedy", "Bot"))))
        totals: list[tuple[int, ...]] = []
        firsts: list[int | None] = []
        for number in (1, 2, 3):
            table = await hosted.begin_game()
            evening = table.header.evening
            assert (evening.games, evening.number, evening.totals) == (3, number, tuple(totals))
            firsts.append(table.header.first)
            beginner = table.state.player
            await hosted.finish(Random(number))
            assert table.replay.outcome is not None
            totals.append(table.replay.outcome.totals)
            assert (await hosted.room()).totals == tuple(totals)
            assert verify(await hosted.export_record(), "").is_verified
            assert beginner == number - 1
        assert firsts == [None, 1, 2]
        await hosted.begin_game()
        again = await hosted.table()
        assert (again.header.evening.number, again.header.evening.totals, again.header.first) == (1, (), None)


@run_async
async def test_where_players_roll_to_see_who_starts_the_next_game_begins_one_seat_further(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, replace(CHICAGO, games=2), (*TWO, (ANN, SitBot("greedy", "Bot"))))
        await hosted.begin_game()
        await hosted.finish()
        first = (await hosted.room()).first
        assert first is not None
        table = await hosted.begin_game()
        assert table.header.first == (first + 1) % 3


@run_async
async def test_a_rematch_is_another_game_with_other_dice(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        games = []
        for _ in range(3):
            table = await hosted.begin_game()
            await hosted.finish()
            games.append(table)
        assert len({table.header.game for table in games}) == len({table.server_seed for table in games}) == 3
        assert all(game.is_closed for game in await host.store.list_games())
        for table in games:
            assert verify(await export_record(host.store, table.header.game), "").is_verified


@pytest.mark.parametrize("games", [1, 3])
@run_async
async def test_a_seeded_room_repeats_its_games_whatever_comes_between(games: int, tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, replace(SHORT_GAME, games=games), TWO, "evening")
        heads = []
        for _ in range(2 * games):
            await hosted.begin_game()
            table = await hosted.finish()
            heads.append((table.header.evening.number, table.head))
            assert verify(await hosted.export_record(), "").is_verified
        assert heads[:games] == heads[games:]
        for wanted in (StopGame(), Sit("Cid")):
            table = await hosted.begin_game()
            if isinstance(wanted, StopGame):
                await hosted.play(most=3)
            else:
                await hosted.finish()
            await hosted.execute(wanted)
            assert verify(await hosted.export_record(), "").is_verified
        table = await hosted.begin_game()
        await hosted.finish()
        assert verify(await hosted.export_record(), "").is_verified


# After a restart, and beside another process.


@pytest.mark.parametrize(
    "settle", [SHORT_GAME, replace(SHORT_GAME, free=True), CHICAGO], ids=["sheet", "free", "rounds"]
)
@run_async
async def test_after_a_restart_every_table_is_simply_there(settle: ChangeSettings, tmp_path: Path) -> None:
    room_seats = (*TWO, (ANN, SitBot("random", "Bot")))
    async with open_host(tmp_path) as host:
        rooms_opened = []
        for number in range(4):
            room = await host.open_room(ANN, str(number), settle)
            rooms_opened.append(hosted := HostedRoom(host, room.id))
            for device, taken_seat in room_seats:
                await hosted.execute(taken_seat, device)
            if number:
                await hosted.begin_game()
            await hosted.play(Random(number), most=7 * number) if number else None
            if number == 2:
                await host.record_attendance(hosted.id, [1], present=False)
                await hosted.execute(SubstituteBot(1, "greedy"))
            if number == 3:
                await hosted.finish()
        reply = await rooms_opened[1].execute(StopGame(), ANN, "the last words")
        before = [await hosted.snapshot() for hosted in rooms_opened]
    async with open_host(tmp_path) as host:
        again = [await hosted.reopen_at(host) for hosted in rooms_opened]
        assert [await hosted.snapshot() for hosted in again] == before
        assert await again[1].execute(StopGame(), ANN, "the last words") == reply
        table = await again[2].finish()
        assert verify(await again[2].export_record(), "").head == table.head


@run_async
async def test_a_game_goes_on_after_a_restart_between_any_two_commands_as_if_nothing_had_been(tmp_path: Path) -> None:
    async def evening(path: Path, restarts: bool) -> bytes:
        path.mkdir()
        random = Random(5)
        host = Host(await SqliteStore.open(path / "host.db"), paced=False)
        hosted = await HostedRoom.open(host, SHORT_GAME, WITH_BOT, "again")
        await hosted.begin_game()
        for _ in range(200):
            if restarts:
                await host.close()
                host = Host(await SqliteStore.open(path / "host.db"), paced=False)
                hosted = await hosted.reopen_at(host)
            if not await hosted.play_move(random, ("greedy",)):
                break
        await hosted.finish()
        content = await hosted.export_record()
        await host.close()
        return content

    assert await evening(tmp_path / "a", restarts=True) == await evening(tmp_path / "b", restarts=False)


@run_async
async def test_two_hosts_over_one_file_see_each_others_moves(tmp_path: Path) -> None:
    async with open_host(tmp_path) as one, open_host(tmp_path) as two:
        here = await HostedRoom.open(one, seating=(*TWO, (ANN, SitBot("greedy", "Bot"))))
        there = await here.reopen_at(two)
        heard: list[SessionUpdate] = []
        await two.watch(here.id, heard.append)
        await here.begin_game()
        random = Random(4)
        for number in range(400):
            hosted, other = (here, there) if number % 2 else (there, here)
            await (await other.session()).catch_up()
            await (await hosted.session()).catch_up()
            if not await hosted.play_move(random):
                break
        await (await here.session()).catch_up()
        await here.execute(Advance((await here.table()).replay.ply))
        await (await there.session()).catch_up()
        mine, theirs = await here.table(), await there.table()
        assert (mine.record, mine.head, mine.state) == (theirs.record, theirs.head, theirs.state)
        assert await here.room() == await there.room()
        told = tuple(step.event for news in heard for step in news.steps)
        assert len(told) > 20
        assert mine.record.events[-len(told) :] == told
        assert verify(await here.export_record(), "").is_verified


@pytest.mark.rest
@run_async
async def test_another_host_hears_of_it_by_itself(tmp_path: Path) -> None:
    async with open_host(tmp_path) as one, open_host(tmp_path) as two:
        here = await HostedRoom.open(one, seating=TWO)
        heard = asyncio.Event()
        room_session = await two.watch(here.id, lambda _: heard.set())
        for wanted in (Sit("Cid"), SwapSeats(1)):
            heard.clear()
            await here.execute(wanted)
            await heard.wait()
            assert room_session.room == await here.room()
        await here.begin_game()
        await here.act(0, "..")
        head = (await here.table()).head
        await wait_until(lambda: room_session.table is not None and room_session.table.head == head)


@run_async
async def test_a_host_that_has_not_heard_yet_reads_on_before_it_refuses(tmp_path: Path) -> None:
    async with open_host(tmp_path) as one, open_host(tmp_path) as two:
        here = await HostedRoom.open(one, seating=TWO)
        there = await here.reopen_at(two)
        await here.execute(Sit("Cid"), CID)
        await there.execute(SealSeed((await here.room()).coming.game, "0" * 64), CID)
        await here.execute(HandOverHost(1))
        await there.execute(SwapSeats(1), BEN)
        await here.execute(HandOverHost(1), BEN)
        await here.begin_game()
        await there.execute(Act(0, 0, ".."), BEN)
        await here.execute(Act(0, 2, "chance"), BEN)
        await there.execute(Act(1, 3, ".."), ANN)
        with pytest.raises(StaleRequest):
            await here.execute(Act(1, 3, ".."), ANN)
        assert (await here.table()).head == (await there.table()).head


@run_async
async def test_a_repeated_command_gets_its_reply_from_another_host_too(tmp_path: Path) -> None:
    async with open_host(tmp_path) as one, open_host(tmp_path) as two:
        here = await HostedRoom.open(one, seating=TWO)
        there = await here.reopen_at(two)
        await here.begin_game()
        reply = await here.execute(Act(0, 0, ".."), ANN, "roll")
        assert await there.execute(Act(0, 0, ".."), ANN, "roll") == reply
        await here.act(0, "chance")
        with pytest.raises(CommandIdReused):
            await there.execute(Act(0, 1, ".."), ANN, "roll")
        sat = await here.execute(StopGame(), ANN, "stop")
        assert await there.execute(StopGame(), ANN, "stop") == sat


@run_async
async def test_two_hosts_at_once_never_fork_a_log(tmp_path: Path) -> None:
    async with open_host(tmp_path) as one, open_host(tmp_path) as two:
        here = await HostedRoom.open(one, seating=TWO)
        there = await here.reopen_at(two)
        await here.begin_game()
        for number in range(10):
            state, ply = await here.state(), (await here.table()).replay.ply
            seat = state.player
            text = ".." if not state.dice else next(iter(here_open(state)))
            device = (ANN, BEN)[seat]
            both = [
                hosted.execute(Act(seat, ply, text), device, f"{number} {hosted is here}") for hosted in (here, there)
            ]
            found = await asyncio.gather(*both, return_exceptions=True)
            assert sorted(isinstance(one, StaleRequest) for one in found) == [False, True]
            await (await here.session()).catch_up()
            await (await there.session()).catch_up()
            assert (await here.table()).head == (await there.table()).head


def here_open(state: object) -> list[str]:
    """List the boxes of two dice that are open."""
    boxes = ("twins", "neighbours", "odd", "even", "chance")
    return [boxes[place] for place in state.columns[state.player].open_boxes]  # type: ignore[attr-defined]


@run_async
async def test_coming_and_going_is_noted_whoever_was_faster(tmp_path: Path) -> None:
    async with open_host(tmp_path) as one, open_host(tmp_path) as two:
        here = await HostedRoom.open(one, seating=TWO)
        there = await here.reopen_at(two)
        await here.begin_game()
        await (await there.session()).catch_up()
        await here.act(0, "..")
        await two.record_attendance(here.id, [1], present=False)
        await here.execute(HandOverHost(0))
        await two.update_acting_host(here.id, frozenset({BEN}))
        await (await here.session()).catch_up()
        assert (await here.table()).replay.attendance.away == {1}
        assert ((await here.room()).host, (await here.room()).acting_host) == (ANN, BEN)


# Kept and let go.


@run_async
async def test_a_kept_game_can_be_loaded_and_exported_by_its_name(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        table = await hosted.begin_game()
        await hosted.play(most=6)
        again, stored = await load_table(host.store, table.header.game)
        assert (again.record, again.head, again.state) == (table.record, table.head, table.state)
        assert (stored.room_id, stored.is_closed, stored.event_count) == (hosted.id, False, table.replay.count)
        assert parse_record(await export_record(host.store, table.header.game), "") == table.record
        for ask in (load_table, export_record):
            with pytest.raises(GameNotFound):
                await ask(host.store, "nowhere")


@pytest.mark.parametrize(
    ("kind", "days"), [("lobby", LOBBY_DAYS), ("running", GAME_DAYS), ("last entry", GAME_DAYS), ("over", OVER_DAYS)]
)
@run_async
async def test_a_room_nobody_comes_back_to_is_let_go_when_its_time_has_come(
    kind: str, days: int, tmp_path: Path
) -> None:
    now = [1_000_000.0]
    async with open_host(tmp_path, clock=lambda: now[0]) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        if kind != "lobby":
            await hosted.begin_game()
            now[0] += 100
            if kind == "over":
                await hosted.finish()
            else:
                await hosted.play(most=10_000 if kind == "last entry" else 5)
        game = (await hosted.room()).game
        assert await expire_rooms(host.store, 5000 * DAY_SECONDS, now[0]) == 0
        assert await expire_rooms(host.store, days * DAY_SECONDS, now[0]) == 0
        assert (await host.store.find_room(hosted.id)) is not None
        assert await expire_rooms(host.store, 1, now[0]) == 1
        assert await expire_rooms(host.store, 1, now[0]) == 0
        assert await host.store.find_room(hosted.id) is None
        if game is None:
            return
        content = await export_record(host.store, game)
        assert verify(content, "").is_verified
        closed = parse_record(content, "").events[-1]
        assert isinstance(closed, Closed)
        assert closed.why == ("expired" if kind == "running" else "over")


@run_async
async def test_whoever_comes_back_in_time_keeps_the_room(tmp_path: Path) -> None:
    now = [1_000_000.0]
    async with open_host(tmp_path, clock=lambda: now[0]) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.begin_game()
        for _ in range(2):
            assert await expire_rooms(host.store, GAME_DAYS * DAY_SECONDS, now[0]) == 0
        now[0] += 1
        await hosted.act(0, "..")
        assert await expire_rooms(host.store, DAY_SECONDS, now[0]) == 0
        assert (await hosted.state()).rolls_used == 1


@run_async
async def test_a_room_that_was_let_go_is_unknown_to_whoever_still_sits_there(tmp_path: Path) -> None:
    async with open_host(tmp_path) as one, open_host(tmp_path) as two:
        hosted = await HostedRoom.open(one, seating=TWO)
        await hosted.begin_game()
        await hosted.play(most=3)
        await expire_rooms(two.store, 0, 1e12)
        assert await expire_rooms(two.store, 1e12, 1e12) == 1
        with pytest.raises((RoomNotFound, NoGameRunning)):
            await hosted.act(0, "..")


@run_async
async def test_whatever_was_undone_stays_in_the_record(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=[(ANN, Sit("Ann"))])
        table = await hosted.begin_game()
        for _ in range(5):
            while not table.state.dice:
                await hosted.act(0, "..")
            await hosted.act(0, here_open(table.state)[0])
            await hosted.execute(Undo(0, table.replay.ply))
            await hosted.act(0, here_open(table.state)[-1])
        await hosted.finish()
        assert sum(isinstance(event, Undone) for event in table.events) == 5
        assert verify(await hosted.export_record(), "").is_verified
