"""The host through its public door: rooms, seats, seals, games, bots at their pace, comings and goings, restarts."""

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
from knobel.host.command_memory import MAX_REMEMBERED, RoomRequest
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
from knobel.rooms.room import MAX_SEATS, pass_host
from knobel.store.sqlite import SqliteStore
from tests.parties import ANN, BEN, CID, SHORT, Chairs, Party, awaited, hosted

TWO: Chairs = ((ANN, Sit("Ann")), (BEN, Sit("Ben")))
WITH_BOT: Chairs = ((ANN, Sit("Ann")), (ANN, SitBot("greedy", "Bot")))
BOTS: Chairs = ((ANN, SitBot("greedy", "Bot 1")), (ANN, SitBot("random", "Bot 2")))
YATZY = ChangeSettings("tactic-xl-yatzy")
CHICAGO = ChangeSettings("carlit-chicago")
NORIS = ChangeSettings("noris-yatzy", games=3)


def why(error: KnobelError) -> str:
    """Give the last word of the reason of a refusal."""
    reason = error.values["why"]
    assert isinstance(reason, Phrase)
    return reason.key.split(".")[-1]


# Opening a room.


@awaited
async def test_a_room_opened_twice_with_the_same_command_is_one_room(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        first = await host.open_room(ANN, "1", SHORT, [Sit("Ann")])
        assert await host.open_room(ANN, "1", SHORT, [Sit("Ann")]) == first
        assert await host.open_room(ANN, "1", YATZY) == first
        others = [await host.open_room(ANN, "2", SHORT), await host.open_room(BEN, "1", SHORT)]
        assert len({first.id, *(room.id for room in others)}) == 3
        assert len(await host.store.list_rooms()) == 3


@awaited
async def test_a_room_opened_twice_at_once_is_one_room(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        rooms = await asyncio.gather(*(host.open_room(ANN, "1", SHORT) for _ in range(8)))
        assert len({room.id for room in rooms}) == len({room.coming.game for room in rooms}) == 1


@awaited
async def test_a_room_is_found_by_its_code_however_it_is_said_until_its_game_begins(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        code = (await party.now()).code
        assert code is not None
        for said in (code, code.lower(), f" {code[:4]}-{code[4:]} ", " ".join(code)):
            assert await host.find_room_by_code(said) == party.room
        for said in ("", "AAAAAAAA", code[:-1], f"{code}2", "%", "é"):
            with pytest.raises(RoomNotFound):
                await host.find_room_by_code(said)
        await party.begin()
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
@awaited
async def test_what_cannot_be_played_is_not_agreed_on(
    settle: ChangeSettings, error: type[KnobelError], tmp_path: Path
) -> None:
    async with hosted(tmp_path) as host:
        with pytest.raises(error):
            await host.open_room(ANN, "1", settle)
        assert await host.store.list_rooms() == []
        await (await Party.open(host)).refused(error, settle)


@awaited
async def test_a_room_nobody_opened_is_unknown_to_every_question(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
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


@awaited
async def test_a_repeated_command_gets_the_same_reply_and_is_carried_out_once(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        await party.begin()
        first = await party.want(Act(0, 0, ".."), ANN, "throw")
        await party.act(0, "chance")
        before = await party.snapshot()
        assert await party.want(Act(0, 0, ".."), ANN, "throw") == first
        assert await party.snapshot() == before
        table = await party.table()
        assert (first.count, table.replay.count) == (4, 5)


@awaited
async def test_a_command_with_another_body_or_of_another_device_is_refused(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        await party.want(Sit("Cid"), CID, "sit")
        await party.refused(CommandIdReused, Sit("Cleo"), CID, "sit")
        await party.refused(CommandIdReused, Sit("Cid"), ANN, "sit")
        await party.begin()
        await party.want(Act(0, 0, ".."), ANN, "throw")
        await party.refused(CommandIdReused, Act(0, 1, ".."), ANN, "throw")
        await party.refused(CommandIdReused, Act(0, 0, ".."), BEN, "throw")
        await party.refused(CommandIdReused, Sit("Cid"), CID, "throw")


@awaited
async def test_a_request_is_known_again_by_the_bytes_it_came_in(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        intent, body = Sit("Cid"), b'{"want":"sit","name":"Cid"}'
        reply = await host.execute(party.room, CID, "sit", intent, body)
        assert await host.execute(party.room, CID, "sit", intent, body.decode()) == reply
        with pytest.raises(CommandIdReused):
            await host.execute(party.room, CID, "sit", intent, b'{"want": "sit", "name": "Cid"}')
        room = await party.now()
        assert len(room.seats) == 3
        assert dict(room.done)["sit"] == sha256(CID.encode() + b" " + body).hexdigest()


def test_a_request_an_older_version_remembered_is_known_by_its_device() -> None:
    request = RoomRequest.receive("sit", CID, b'{"want":"sit","name":"Cid"}')
    assert request.repeats(f'{CID} {{"want":"sit","name":"Cid","own_dice":false}}')
    assert not request.repeats(f'{ANN} {{"want":"sit","name":"Cid"}}')
    assert not RoomRequest("away:3").repeats("bot")


@awaited
async def test_the_same_command_many_times_at_once_is_carried_out_once(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        await party.begin()
        replies = await asyncio.gather(*(party.want(Act(0, 0, ".."), ANN, "throw") for _ in range(20)))
        assert len(set(replies)) == 1
        assert (await party.state()).rolls_used == 1


@awaited
async def test_a_command_of_the_lobby_is_remembered_for_a_while(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host)
        first = await party.want(Sit("Ann"), ANN, "sit")
        for number in range(MAX_REMEMBERED - 1):
            await party.want(SealSeed((await party.now()).coming.game, f"{number:064x}"))
        assert await party.want(Sit("Ann"), ANN, "sit") == first
        assert len((await party.now()).seats) == 1
        assert len((await party.now()).done) == MAX_REMEMBERED


@awaited
async def test_a_command_refused_once_can_be_right_later(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        await party.begin()
        await party.refused(IllegalAction, Act(0, 0, "chance"), ANN, "fill")
        await party.act(0, "..")
        assert (await party.want(Act(0, 2, "chance"), ANN, "fill")).count == 5


# Who may do what, and when.


@awaited
async def test_what_was_meant_for_an_earlier_moment_is_stale(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        await party.begin()
        await party.act(0, "..")
        for ply in (0, 1, 3, 99):
            await party.refused(StaleRequest, Act(0, ply, ".."))
            await party.refused(StaleRequest, Undo(0, ply))
            await party.refused(StaleRequest, Advance(ply))
        await party.act(0, "chance")
        await party.refused(StaleRequest, Act(0, 2, "twins"))
        await party.want(Undo(0, 3))
        await party.refused(StaleRequest, Act(0, 3, "chance"))


@awaited
async def test_only_the_device_of_a_seat_plays_it(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=(*TWO, (BEN, Sit("Bea"))))
        await party.begin()
        for owner, seat in ((BEN, 0), (CID, 0), (ANN, 1), (ANN, 98), (BEN, 0)):
            await party.refused(SeatNotYours, Act(seat, 0, ".."), owner)
            await party.refused(SeatNotYours, Undo(seat, 0), owner)
            await party.refused(SeatNotYours, ReturnToSeat(seat), owner)
        await party.refused(SeatNotYours, LeaveGame(0), BEN)
        await party.refused(SeatNotYours, SubstituteBot(0, "greedy"), BEN)
        await party.refused(SeatNotYours, SubstituteBot(0, "greedy"), CID)
        await party.refused(SeatNotYours, RevealSeed("0" * 64), CID)
        assert why(await party.refused(IllegalAction, Act(2, 0, ".."), BEN)) == "not_your_turn"


@awaited
async def test_only_the_host_decides_about_the_room(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        await party.refused(SeatNotYours, SealSeed("0" * 16, "0" * 64), CID)
        await party.refused(SeatNotYours, LeaveSeat(0), BEN)
        for wanted in (SHORT, SitBot("greedy", "Bot"), SwapSeats(1), HandOverHost(1), BeginGame()):
            await party.refused(NotHost, wanted, BEN)
        await party.begin()
        for playing in (StopGame(), StartWithout(0)):
            await party.refused(NotHost, playing, BEN)


@awaited
async def test_chairs_and_names_are_what_was_asked_for(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(
            host, chairs=(*TWO, (BEN, Sit("ann", beginner=True)), (CID, Sit("C\x1b[1m", real_dice=True)))
        )
        chairs = (await party.now()).seats
        assert [chair.name for chair in chairs] == ["Ann", "Ben", "ann 2", "C[1m"]
        assert [(chair.beginner, chair.real_dice) for chair in chairs] == [(False, False)] * 2 + [
            (True, False),
            (False, True),
        ]
        await party.want(SwapSeats(1))
        assert [chair.name for chair in (await party.now()).seats] == ["Ben", "Ann", "ann 2", "C[1m"]
        await party.want(LeaveSeat(3), CID)
        await party.want(LeaveSeat(0), ANN)
        assert [chair.name for chair in (await party.now()).seats] == ["Ann", "ann 2"]
        for wanted in (LeaveSeat(2), SwapSeats(2), HandOverHost(7)):
            await party.refused(NoSuchSeat, wanted)
        for name in ("", " ", "\u200b", "\x1b"):
            await party.refused(NameEmpty, Sit(name))


@awaited
async def test_only_a_chair_that_is_offered_can_be_taken_once_and_before_the_game(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        laid = ((ANN, Sit("Ann")), (ANN, Sit("Ben", offered=True)), (ANN, Sit("Cid", offered=True)))
        party = await Party.open(host, chairs=(*laid, (ANN, SitBot("greedy", "Bot")), (CID, Sit("Dora"))))
        before = (await party.now()).seats
        for place in (0, 3, 4):
            await party.refused(SeatNotYours, TakeSeat(place), BEN)
        await party.refused(NoSuchSeat, TakeSeat(5), BEN)
        await party.seal(ANN, CID)
        assert not (await party.now()).unsealed_devices
        await party.want(TakeSeat(1), BEN)
        room = await party.now()
        assert [chair.name for chair in room.seats] == [chair.name for chair in before]
        assert (room.seats_of(ANN), room.seats_of(BEN), room.unsealed_devices) == ((0, 2), (1,), (ANN, BEN, CID))
        for owner in (ANN, BEN, CID):
            await party.refused(SeatNotYours, TakeSeat(1), owner)
        await party.refused(SeatNotYours, LeaveSeat(2), BEN)
        await party.begin()
        await party.refused(GameRunning, TakeSeat(2), BEN)
        await party.want(StopGame())
        await party.want(TakeSeat(2), ANN)
        await party.refused(SeatNotYours, TakeSeat(2), CID)


@awaited
async def test_whoever_takes_a_chair_leaves_the_evening_as_it_is(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        laid = ((ANN, Sit("Ann")), (ANN, Sit("Ben", offered=True)))
        party = await Party.open(host, replace(SHORT, games=2), chairs=laid)
        await party.begin()
        await party.finish()
        totals = (await party.now()).totals
        assert len(totals) == 1
        await party.want(TakeSeat(1), BEN)
        assert (await party.now()).totals == totals


@awaited
async def test_a_room_has_so_many_chairs_and_no_more(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        room = await host.open_room(ANN, "1", SHORT, [Sit("Ann")] * MAX_SEATS)
        party = Party(host, room.id)
        with pytest.raises(KnobelError) as caught:
            await party.want(Sit("Ann"))
        assert caught.value.values == {"n": MAX_SEATS}
        assert len({chair.name for chair in (await party.now()).seats}) == MAX_SEATS


@pytest.mark.parametrize(
    ("settle", "name"), [(YATZY, "nobody"), (YATZY, ""), (CHICAGO, "cautious"), (CHICAGO, "human:20")]
)
@awaited
async def test_a_bot_that_plays_no_such_game_does_not_sit_down(
    settle: ChangeSettings, name: str, tmp_path: Path
) -> None:
    async with hosted(tmp_path) as host:
        with pytest.raises(UnknownBot):
            await host.open_room(ANN, "1", settle, [SitBot(name, "Bot")])
        party = await Party.open(host, settle, TWO)
        await party.refused(UnknownBot, SitBot(name, "Bot"))
        await party.begin()
        await party.refused(UnknownBot, SubstituteBot(0, name))


@awaited
async def test_while_a_game_runs_nothing_of_the_room_changes(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        await party.begin()
        for wanted in (Sit("Ann"), SitBot("greedy", "Bot"), LeaveSeat(0), SwapSeats(1), SHORT, YATZY):
            await party.refused(GameRunning, wanted)
        assert why(await party.refused(CannotStart, BeginGame())) == "game_running"


@awaited
async def test_without_a_game_nothing_can_be_played(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
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
            await party.refused(NoGameRunning, wanted)
        assert not await host.step(party.room)
        await party.begin()
        await party.finish()
        for wanted in moves:
            await party.refused(NoGameRunning, wanted)
        assert not await host.step(party.room)


@pytest.mark.parametrize(
    "text", ["", "1", "banana", ">66", "leave 1", "leave 2", "stand", "chance=12", "!chance", "./", "…"]
)
@awaited
async def test_what_is_no_move_or_not_allowed_is_refused(text: str, tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        await party.begin()
        before = await party.snapshot()
        with pytest.raises((IllegalAction, NotationError, NotationTrayMismatch)):
            await party.want(Act(0, 0, text))
        assert await party.snapshot() == before


# Beginning: seals, seeds.


@awaited
async def test_an_empty_room_and_too_few_or_too_many_players_do_not_begin(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, CHICAGO)
        assert why(await party.refused(CannotStart, BeginGame(anyway=True))) == "room_empty"
        await party.want(Sit("Ann"))
        assert why(await party.refused(CannotStart, BeginGame(anyway=True))) == "too_few"
        for number in range(16):
            await party.want(SitBot("greedy", f"Bot {number}"))
        await party.refused(WrongPlayerCount, BeginGame(anyway=True))


@awaited
async def test_a_game_does_not_begin_before_all_have_sealed_unless_it_is_wanted_anyway(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=(*TWO, (ANN, SitBot("greedy", "Bot"))))
        error = await party.refused(SeedsMissing, BeginGame())
        assert error.values["names"] == ("Ann", "Ben")
        await party.seal(BEN)
        assert (await party.refused(SeedsMissing, BeginGame())).values["names"] == ("Ann",)
        await party.want(BeginGame(anyway=True))
        table = await party.table()
        assert set(table.header.dice.seals) == {1}
        assert table.replay.attendance.pending_seeds == [1]


@awaited
async def test_no_die_falls_before_all_have_shown_their_seeds(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        await party.seal(ANN, BEN)
        await party.want(BeginGame())
        await party.reveal(ANN)
        assert why(await party.refused(IllegalAction, Act(0, 0, ".."))) == "seeds"
        assert why(await party.refused(IllegalAction, LeaveGame(0))) == "seeds"
        assert why(await party.refused(IllegalAction, RevealSeed("0" * 64), BEN)) == "seed_wrong"
        assert not await host.step(party.room)
        await party.reveal(BEN)
        assert why(await party.refused(IllegalAction, RevealSeed("0" * 64), BEN)) == "seed_late"
        await party.act(0, "..")
        table = await party.table()
        assert [type(event) for event in table.events] == [Revealed, Revealed, Acted, Landed]
        assert len(table.replay.attendance.client_seeds) == 2


@awaited
async def test_the_host_starts_without_somebody_who_does_not_show_a_seed(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        await party.seal(ANN, BEN)
        await party.want(BeginGame())
        await party.reveal(ANN)
        assert why(await party.refused(IllegalAction, StartWithout(0))) == "seed_late"
        await party.want(StartWithout(1))
        assert why(await party.refused(IllegalAction, RevealSeed(party.seed(BEN, "").hex()), BEN)) == "seed_late"
        table = await party.finish()
        assert StartedWithout(1) in table.events
        verdict = verify(await party.record(), "")
        assert (verdict.is_verified, verdict.seeds, verdict.without_seed) == (True, 1, 1)


@awaited
async def test_seals_are_asked_for_again_when_seats_or_settings_change(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        changes: tuple[AnyIntent, ...] = (SwapSeats(1), Sit("Cid"), LeaveSeat(2), YATZY)
        for wanted in changes:
            await party.seal(ANN, BEN)
            assert (await party.now()).unsealed_devices == ()
            await party.want(wanted)
            assert (await party.now()).unsealed_devices == (await party.now()).devices


@awaited
async def test_what_is_promised_is_kept_and_nobody_sees_the_seed_before_the_end(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        coming = (await party.now()).coming
        table = await party.begin()
        assert (table.header.game, table.header.dice.commitment) == (coming.game, coming.commitment)
        assert (await party.now()).coming.game != coming.game
        assert coming.seed.encode() not in await party.record()
        with pytest.raises(RecordUnfinished):
            verify(await party.record(), "")
        await party.finish()
        closed = table.events[-1]
        assert isinstance(closed, Closed)
        assert closed.seeds.server == coming.seed
        assert (
            fair.commit_server_seed(
                coming.game, bytes.fromhex(table.header.fingerprint), bytes.fromhex(coming.seed)
            ).hex()
            == coming.commitment
        )


@awaited
async def test_other_settings_are_another_promise(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        first = (await party.now()).coming
        await party.want(Sit("Cid"), CID)
        assert replace((await party.now()).coming, seals={}) == first
        await party.want(YATZY)
        other = (await party.now()).coming
        assert (other.game != first.game, other.seed != first.seed, other.commitment != first.commitment) == (True,) * 3


# Playing.


@pytest.mark.parametrize(
    "settle",
    [SHORT, YATZY, ChangeSettings("tactic-xl-yatzy", text="da"), NORIS, CHICAGO],
    ids=lambda one: f"{one.edition} {one.text}",
)
@awaited
async def test_a_whole_game_is_played_told_and_verified(settle: ChangeSettings, tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, replace(settle, games=1), (*TWO, (ANN, SitBot("greedy", "Bot"))))
        news: list[SessionUpdate] = []
        desk = await host.watch(party.room, news.append)
        table = await party.begin()
        await party.finish()
        assert tuple(step.event for one in news for step in one.steps) == table.record.events
        assert [step.number for one in news for step in one.steps] == list(range(1, table.replay.count + 1))
        record = parse_record(await party.record(), "")
        assert record == table.record
        assert verify(await party.record(), "").head == table.head
        assert replay_record(record).outcome == table.replay.outcome
        room = await party.now()
        assert (room.running, room.totals) == (False, (table.replay.outcome.totals,) if table.replay.outcome else ())
        host.unwatch(desk, news.append)


@awaited
async def test_the_last_entry_can_be_taken_back_until_the_end_is_confirmed(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=((ANN, Sit("Ann")),))
        table = await party.begin()
        await party.play()
        assert table.replay.is_over
        await party.want(Undo(0, table.replay.ply))
        assert not table.replay.is_over
        await party.play()
        await party.finish()
        await party.refused(NoGameRunning, Undo(0, table.replay.ply))


@awaited
async def test_a_seat_takes_back_only_its_own_and_only_before_dice_fall(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        table = await party.begin()
        assert why(await party.refused(IllegalAction, Undo(0, 0))) == "no_undo"
        await party.act(0, "..")
        before = table.state
        await party.act(0, "chance")
        assert why(await party.refused(IllegalAction, Undo(1, table.replay.ply), BEN)) == "no_undo"
        await party.want(Undo(0, table.replay.ply))
        assert table.state == before
        await party.act(0, "chance")
        await party.act(1, "..")
        assert why(await party.refused(IllegalAction, Undo(0, table.replay.ply))) == "no_undo"


@awaited
async def test_real_dice_and_ours_sit_at_one_table(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(
            host, YATZY, ((ANN, Sit("Ann", real_dice=True)), (BEN, Sit("Ben")), (ANN, SitBot("greedy", "Bot")))
        )
        table = await party.begin()
        assert (await party.act(0, ".....")).count == 3
        assert table.state.seat == CHANCE
        assert why(await party.refused(IllegalAction, Act(0, table.replay.ply, ">1111"))) == "land_count"
        await party.act(0, ">66666")
        assert table.state.dice == (6, 6, 6, 6, 6)
        await party.act(0, "yatzy")
        assert why(await party.refused(IllegalAction, Act(1, table.replay.ply, ">66666"), BEN)) == "not_rolled"
        assert why(await party.refused(IllegalAction, Act(1, table.replay.ply, "chance=30"), BEN)) == "not_real_dice"
        await party.act(1, ".....")
        assert why(await party.refused(IllegalAction, Act(1, table.replay.ply, ">66666"), BEN)) == "not_rolled"
        await party.play(most=30)
        while table.state.seat != 0 or table.state.dice:
            await party.move(Random(1))
        await party.act(0, "ones=3")
        await party.finish()
        assert {event.real for event in table.events if isinstance(event, Landed) and event.seat == 0} == {True}
        assert {event.real for event in table.events if isinstance(event, Landed) and event.seat > 0} == {False}
        verdict = verify(await party.record(), "")
        assert verdict.is_verified
        assert (verdict.real_rolls > 0, verdict.rolls > 0, verdict.entries_without_dice) == (True, True, 1)


@awaited
async def test_at_a_free_table_each_column_is_a_game_of_its_own(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        settle = replace(SHORT, free=True)
        party = await Party.open(
            host, settle, (*TWO, (ANN, SitBot("greedy", "Bot")), (BEN, Sit("Bea", real_dice=True)))
        )
        table = await party.begin()
        assert len(table.replay.tracks) == 4
        await party.act(1, "..")
        await party.act(0, "..")
        await party.act(3, "..")
        await party.act(3, ">66")
        await party.act(1, "chance")
        assert await host.step(party.room)
        await party.want(Undo(1, table.replay.track(1).ply), BEN)
        assert table.replay.track(1).state.dice
        await party.want(LeaveGame(1), BEN)
        assert table.replay.track(1).state.seat is None
        assert table.replay.track(0).state.seat is not None
        await party.finish(Random(3))
        outcome = table.replay.outcome
        assert outcome is not None
        assert outcome.places[-1] == (1,)
        assert outcome.totals[0] == table.replay.track(0).game.outcome(table.replay.track(0).state).totals[0]  # type: ignore[union-attr]
        assert verify(await party.record(), "").is_verified


@awaited
async def test_equal_columns_at_a_free_table_have_dice_of_their_own(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, ChangeSettings("tactic-xl-yatzy", free=True), [(ANN, Sit("Ann"))] * 6)
        table = await party.begin()
        for seat in (3, 0, 5, 1, 4, 2):
            await party.act(seat, ".....")
        assert len({table.replay.track(seat).state.dice for seat in range(6)}) > 3


# Bots at their pace.


@awaited
async def test_a_bot_moves_only_when_it_is_its_turn(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=WITH_BOT)
        table = await party.begin()
        assert not await host.step(party.room)
        await party.refused(NoGameRunning, Advance(0))
        await party.act(0, "..")
        assert not await host.step(party.room)
        await party.act(0, "chance")
        assert await host.step(party.room)
        assert isinstance(table.events[-1], Landed)
        assert table.events[-1].seat == 1


@awaited
async def test_go_on_lets_a_bot_move_at_once_and_confirms_the_end(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=BOTS)
        table = await party.begin()
        while not table.replay.is_over:
            await party.want(Advance(table.replay.ply))
        assert table.replay.closed is None
        await party.want(Advance(table.replay.ply))
        assert table.replay.closed


@awaited
async def test_bots_move_by_themselves_while_somebody_watches_and_end_the_game(tmp_path: Path) -> None:
    async with hosted(tmp_path, paced=True, undo_seconds=0.01, end_seconds=0.01) as host:
        party = await Party.open(host, replace(SHORT, pace=0), BOTS)
        await party.begin()
        await asyncio.sleep(0.05)
        assert (await party.table()).replay.count == 0
        over = asyncio.Event()
        desk = await host.watch(party.room, lambda news: None if news.session.room.running else over.set())
        await asyncio.wait_for(over.wait(), 20)
        assert desk.table is not None
        assert desk.table.replay.closed
        assert verify(await party.record(), "").is_verified


@awaited
async def test_a_bot_waits_so_long_that_an_entry_can_be_taken_back(tmp_path: Path) -> None:
    async with hosted(tmp_path, paced=True, undo_seconds=30, end_seconds=40) as host:
        party = await Party.open(host, replace(SHORT, pace=0), WITH_BOT)
        table = await party.begin()
        desk = await host.watch(party.room, lambda _: None)
        assert host.scheduler.compute_delay(desk) is None
        assert desk.timer is None
        await party.act(0, "..")
        await party.act(0, "chance")
        assert host.scheduler.compute_delay(desk) == 30
        assert desk.timer is not None
        await asyncio.sleep(0.05)
        await party.want(Undo(0, table.replay.ply))
        assert (host.scheduler.compute_delay(desk), desk.timer) == (None, None)
        await party.act(0, "chance")
        await party.want(Advance(table.replay.ply))
        assert host.scheduler.compute_delay(desk) == 0


@awaited
async def test_the_end_waits_too_and_no_pace_is_faster_than_taking_back(tmp_path: Path) -> None:
    async with hosted(tmp_path, paced=True, undo_seconds=3, end_seconds=40) as host:
        party = await Party.open(host, replace(SHORT, pace=7), WITH_BOT)
        await party.begin()
        desk = await host.watch(party.room, lambda _: None)
        await party.act(0, "..")
        await party.act(0, "chance")
        assert host.scheduler.compute_delay(desk) == 7
        host.scheduler.paced = False
        await party.play()
        assert host.scheduler.compute_delay(desk) == 7
        alone = await Party.open(host, replace(SHORT, pace=1), [(ANN, Sit("Ann"))])
        await alone.begin()
        await alone.play()
        assert host.scheduler.compute_delay(await alone.desk()) == 40


@awaited
async def test_nobody_watches_nothing_moves_and_the_room_is_put_away(tmp_path: Path) -> None:
    async with hosted(tmp_path, paced=True, undo_seconds=0, end_seconds=0) as host:
        party = await Party.open(host, replace(SHORT, pace=0.02), BOTS)
        await party.begin()
        heard: list[SessionUpdate] = []
        desk = await host.watch(party.room, heard.append)
        while not heard:
            await asyncio.sleep(0.005)
        host.unwatch(desk, heard.append)
        assert party.room not in host.registry.sessions
        await asyncio.sleep(0.1)
        count = (await party.table()).replay.count
        await asyncio.sleep(0.1)
        assert (await party.table()).replay.count == count


@awaited
async def test_only_so_many_rooms_are_in_use_and_those_that_are_watched_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knobel.host.registry.MAX_SESSIONS", 5)
    assert MAX_SESSIONS > 5
    async with hosted(tmp_path) as host:
        watched = (await host.open_room(ANN, "watched", SHORT)).id
        await host.watch(watched, lambda _: None)
        for number in range(20):
            await host.find_session((await host.open_room(ANN, str(number), SHORT)).id)
        assert len(host.registry.sessions) <= 5
        assert watched in host.registry.sessions


# Coming and going.


@awaited
async def test_somebody_away_is_waited_for_replaced_and_welcomed_back(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        table = await party.begin()
        await party.act(0, "..")
        await party.act(0, "chance")
        await host.record_attendance(party.room, [1], present=False)
        await host.record_attendance(party.room, [1], present=False)
        assert (table.replay.attendance.away, table.events.count(Away(1))) == ({1}, 1)
        assert not await host.step(party.room)
        await party.want(SubstituteBot(1, "greedy"), ANN)
        assert why(await party.refused(IllegalAction, SubstituteBot(1, "random"))) == "standing_in"
        assert await host.step(party.room)
        assert isinstance(table.events[-1], Landed)
        assert table.events[-1].seat == 1
        await host.record_attendance(party.room, [1], present=True)
        await host.record_attendance(party.room, [1], present=True)
        assert (table.replay.attendance.away, table.replay.attendance.stand_ins, table.events.count(Back(1))) == (
            set(),
            {},
            1,
        )
        assert not await host.step(party.room)
        assert {type(event) for event in table.events} >= {Away, StandIn, Back}
        await party.finish()
        assert verify(await party.record(), "").is_verified


@awaited
async def test_whoever_acts_is_back(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        table = await party.begin()
        await host.record_attendance(party.room, [0], present=False)
        await party.want(SubstituteBot(0, "greedy"), BEN)
        await party.act(0, "..")
        assert (table.replay.attendance.away, table.replay.attendance.stand_ins) == (set(), {})
        await party.want(SubstituteBot(0, "greedy"), ANN)
        await party.want(ReturnToSeat(0), ANN)
        assert why(await party.refused(IllegalAction, ReturnToSeat(0))) == "not_away"
        assert table.replay.attendance.stand_ins == {}


@awaited
async def test_bots_neither_go_nor_are_replaced(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=WITH_BOT)
        table = await party.begin()
        await host.record_attendance(party.room, [1, 7], present=False)
        assert table.replay.attendance.away == set()
        await party.refused(SeatNotYours, SubstituteBot(1, "greedy"))


@awaited
async def test_whoever_leaves_is_last_and_the_others_play_on(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=(*TWO, (CID, Sit("Cid"))))
        table = await party.begin()
        await party.want(LeaveGame(1), BEN)
        await party.refused(IllegalAction, LeaveGame(1), BEN)
        await party.want(LeaveGame(2), ANN)
        await party.finish()
        assert table.replay.outcome is not None
        assert table.replay.outcome.places[0] == (0,)
        assert verify(await party.record(), "").is_verified


@awaited
async def test_the_host_stops_a_game_and_its_seeds_are_shown(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        table = await party.begin()
        await party.play(most=4)
        await party.want(StopGame())
        closed = table.events[-1]
        assert isinstance(closed, Closed)
        assert closed.why == "stopped"
        room = await party.now()
        assert (room.running, room.totals) == (False, ())
        assert verify(await party.record(), "").is_verified
        await party.begin()
        await party.finish()
        assert len((await party.now()).totals) == 1


@awaited
async def test_stopping_after_the_last_entry_is_just_the_end(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=[(ANN, Sit("Ann"))])
        table = await party.begin()
        await party.play()
        await party.want(StopGame())
        closed = table.events[-1]
        assert isinstance(closed, Closed)
        assert closed.why == "over"
        assert len((await party.now()).totals) == 1


@awaited
async def test_the_hosts_role_is_handed_over_passed_on_and_inherited(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=(*TWO, (ANN, SitBot("greedy", "Bot")), (CID, Sit("Cid"))))
        await party.want(HandOverHost(2))
        assert (await party.now()).host == ANN
        await party.want(HandOverHost(1))
        assert (await party.now()).host == BEN
        await party.refused(NotHost, HandOverHost(0), ANN)
        await host.pass_host(party.room, frozenset({ANN, BEN, CID}))
        assert (await party.now()).host == BEN
        await host.pass_host(party.room, frozenset())
        assert (await party.now()).host == BEN
        await host.pass_host(party.room, frozenset({CID}))
        assert (await party.now()).host == CID
        await party.want(LeaveSeat(3), CID)
        assert (await party.now()).host == ANN
        await party.seal(ANN, BEN)
        await party.want(BeginGame())
        await host.pass_host(party.room, frozenset({BEN}))
        await party.reveal(ANN, BEN)
        await party.want(StopGame(), BEN)
        assert pass_host(await party.now(), frozenset({BEN})).host == BEN


# An evening.


@awaited
async def test_in_an_evening_of_three_games_the_start_moves_on_and_totals_add_up(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, replace(SHORT, games=3), (*TWO, (ANN, SitBot("greedy", "Bot"))))
        totals: list[tuple[int, ...]] = []
        firsts: list[int | None] = []
        for number in (1, 2, 3):
            table = await party.begin()
            evening = table.header.evening
            assert (evening.games, evening.number, evening.totals) == (3, number, tuple(totals))
            firsts.append(table.header.first)
            beginner = table.state.player
            await party.finish(Random(number))
            assert table.replay.outcome is not None
            totals.append(table.replay.outcome.totals)
            assert (await party.now()).totals == tuple(totals)
            assert verify(await party.record(), "").is_verified
            assert beginner == number - 1
        assert firsts == [None, 1, 2]
        await party.begin()
        again = await party.table()
        assert (again.header.evening.number, again.header.evening.totals, again.header.first) == (1, (), None)


@awaited
async def test_where_one_throws_for_the_start_the_next_game_begins_one_seat_further(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, replace(CHICAGO, games=2), (*TWO, (ANN, SitBot("greedy", "Bot"))))
        await party.begin()
        await party.finish()
        first = (await party.now()).first
        assert first is not None
        table = await party.begin()
        assert table.header.first == (first + 1) % 3


@awaited
async def test_a_rematch_is_another_game_with_other_dice(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        games = []
        for _ in range(3):
            table = await party.begin()
            await party.finish()
            games.append(table)
        assert len({table.header.game for table in games}) == len({table.server_seed for table in games}) == 3
        assert all(game.is_closed for game in await host.store.list_games())
        for table in games:
            assert verify(await export_record(host.store, table.header.game), "").is_verified


@awaited
async def test_a_changed_table_begins_a_new_evening(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, replace(SHORT, games=3), TWO)
        await party.begin()
        await party.finish()
        assert len((await party.now()).totals) == 1
        await party.want(Sit("Cid"), CID)
        assert ((await party.now()).totals, (await party.now()).first) == ((), None)
        table = await party.begin()
        assert (table.header.evening.number, table.header.first) == (1, None)


@pytest.mark.parametrize("games", [1, 3])
@awaited
async def test_a_seeded_room_repeats_its_games_whatever_comes_between(games: int, tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, replace(SHORT, games=games), TWO, "evening")
        heads = []
        for _ in range(2 * games):
            await party.begin()
            table = await party.finish()
            heads.append((table.header.evening.number, table.head))
            assert verify(await party.record(), "").is_verified
        assert heads[:games] == heads[games:]
        for wanted in (StopGame(), Sit("Cid")):
            table = await party.begin()
            if isinstance(wanted, StopGame):
                await party.play(most=3)
            else:
                await party.finish()
            await party.want(wanted)
            assert verify(await party.record(), "").is_verified
        table = await party.begin()
        await party.finish()
        assert verify(await party.record(), "").is_verified


# After a restart, and beside another process.


@pytest.mark.parametrize("settle", [SHORT, replace(SHORT, free=True), CHICAGO], ids=["sheet", "free", "rounds"])
@awaited
async def test_after_a_restart_every_table_is_simply_there(settle: ChangeSettings, tmp_path: Path) -> None:
    chairs = (*TWO, (ANN, SitBot("random", "Bot")))
    async with hosted(tmp_path) as host:
        parties = []
        for number in range(4):
            room = await host.open_room(ANN, str(number), settle)
            parties.append(party := Party(host, room.id))
            for owner, chair in chairs:
                await party.want(chair, owner)
            if number:
                await party.begin()
            await party.play(Random(number), most=7 * number) if number else None
            if number == 2:
                await host.record_attendance(party.room, [1], present=False)
                await party.want(SubstituteBot(1, "greedy"))
            if number == 3:
                await party.finish()
        reply = await parties[1].want(StopGame(), ANN, "the last words")
        before = [await party.snapshot() for party in parties]
    async with hosted(tmp_path) as host:
        again = [await party.at(host) for party in parties]
        assert [await party.snapshot() for party in again] == before
        assert await again[1].want(StopGame(), ANN, "the last words") == reply
        table = await again[2].finish()
        assert verify(await again[2].record(), "").head == table.head


@awaited
async def test_a_game_goes_on_after_a_restart_between_any_two_commands_as_if_nothing_had_been(tmp_path: Path) -> None:
    async def evening(path: Path, restarts: bool) -> bytes:
        path.mkdir()
        random = Random(5)
        host = Host(await SqliteStore.open(path / "host.db"), paced=False)
        party = await Party.open(host, SHORT, WITH_BOT, "again")
        await party.begin()
        for _ in range(200):
            if restarts:
                await host.close()
                host = Host(await SqliteStore.open(path / "host.db"), paced=False)
                party = await party.at(host)
            if not await party.move(random, ("greedy",)):
                break
        await party.finish()
        content = await party.record()
        await host.close()
        return content

    assert await evening(tmp_path / "a", restarts=True) == await evening(tmp_path / "b", restarts=False)


@awaited
async def test_two_hosts_over_one_file_see_each_others_moves(tmp_path: Path) -> None:
    async with hosted(tmp_path) as one, hosted(tmp_path) as two:
        here = await Party.open(one, chairs=(*TWO, (ANN, SitBot("greedy", "Bot"))))
        there = await here.at(two)
        heard: list[SessionUpdate] = []
        await two.watch(here.room, heard.append)
        await here.begin()
        random = Random(4)
        for number in range(400):
            party, other = (here, there) if number % 2 else (there, here)
            await (await other.desk()).catch_up()
            await (await party.desk()).catch_up()
            if not await party.move(random):
                break
        await (await here.desk()).catch_up()
        await here.want(Advance((await here.table()).replay.ply))
        await (await there.desk()).catch_up()
        mine, theirs = await here.table(), await there.table()
        assert (mine.record, mine.head, mine.state) == (theirs.record, theirs.head, theirs.state)
        assert await here.now() == await there.now()
        told = tuple(step.event for news in heard for step in news.steps)
        assert len(told) > 20
        assert mine.record.events[-len(told) :] == told
        assert verify(await here.record(), "").is_verified


@awaited
async def test_another_host_hears_of_it_by_itself(tmp_path: Path) -> None:
    async with hosted(tmp_path) as one, hosted(tmp_path) as two:
        here = await Party.open(one, chairs=TWO)
        heard = asyncio.Event()
        desk = await two.watch(here.room, lambda _: heard.set())
        for wanted in (Sit("Cid"), SwapSeats(1)):
            heard.clear()
            await here.want(wanted)
            await asyncio.wait_for(heard.wait(), 10)
            assert desk.room == await here.now()
        await here.begin()
        heard.clear()
        await here.act(0, "..")
        await asyncio.wait_for(heard.wait(), 10)
        while desk.table is None or desk.table.head != (await here.table()).head:
            await asyncio.sleep(0.05)


@awaited
async def test_a_host_that_has_not_heard_yet_reads_on_before_it_refuses(tmp_path: Path) -> None:
    async with hosted(tmp_path) as one, hosted(tmp_path) as two:
        here = await Party.open(one, chairs=TWO)
        there = await here.at(two)
        await here.want(Sit("Cid"), CID)
        await there.want(SealSeed((await here.now()).coming.game, "0" * 64), CID)
        await here.want(HandOverHost(1))
        await there.want(SwapSeats(1), BEN)
        await here.want(HandOverHost(1), BEN)
        await here.begin()
        await there.want(Act(0, 0, ".."), BEN)
        await here.want(Act(0, 2, "chance"), BEN)
        await there.want(Act(1, 3, ".."), ANN)
        with pytest.raises(StaleRequest):
            await here.want(Act(1, 3, ".."), ANN)
        assert (await here.table()).head == (await there.table()).head


@awaited
async def test_a_repeated_command_gets_its_reply_from_another_host_too(tmp_path: Path) -> None:
    async with hosted(tmp_path) as one, hosted(tmp_path) as two:
        here = await Party.open(one, chairs=TWO)
        there = await here.at(two)
        await here.begin()
        reply = await here.want(Act(0, 0, ".."), ANN, "throw")
        assert await there.want(Act(0, 0, ".."), ANN, "throw") == reply
        await here.act(0, "chance")
        with pytest.raises(CommandIdReused):
            await there.want(Act(0, 1, ".."), ANN, "throw")
        sat = await here.want(StopGame(), ANN, "stop")
        assert await there.want(StopGame(), ANN, "stop") == sat


@awaited
async def test_two_hosts_at_once_never_fork_a_log(tmp_path: Path) -> None:
    async with hosted(tmp_path) as one, hosted(tmp_path) as two:
        here = await Party.open(one, chairs=TWO)
        there = await here.at(two)
        await here.begin()
        for number in range(10):
            state, ply = await here.state(), (await here.table()).replay.ply
            seat = state.player
            text = ".." if not state.dice else next(iter(here_open(state)))
            owner = (ANN, BEN)[seat]
            both = [party.want(Act(seat, ply, text), owner, f"{number} {party is here}") for party in (here, there)]
            found = await asyncio.gather(*both, return_exceptions=True)
            assert sorted(isinstance(one, StaleRequest) for one in found) == [False, True]
            await (await here.desk()).catch_up()
            await (await there.desk()).catch_up()
            assert (await here.table()).head == (await there.table()).head


def here_open(state: object) -> list[str]:
    """List the boxes of two dice that are open."""
    boxes = ("twins", "neighbours", "odd", "even", "chance")
    return [boxes[place] for place in state.columns[state.player].open_boxes]  # type: ignore[attr-defined]


@awaited
async def test_coming_and_going_is_noted_whoever_was_faster(tmp_path: Path) -> None:
    async with hosted(tmp_path) as one, hosted(tmp_path) as two:
        here = await Party.open(one, chairs=TWO)
        there = await here.at(two)
        await here.begin()
        await (await there.desk()).catch_up()
        await here.act(0, "..")
        await two.record_attendance(here.room, [1], present=False)
        await here.want(HandOverHost(0))
        await two.pass_host(here.room, frozenset({BEN}))
        await (await here.desk()).catch_up()
        assert (await here.table()).replay.attendance.away == {1}
        assert (await here.now()).host == BEN


# Kept and let go.


@awaited
async def test_a_kept_game_can_be_laid_out_and_exported_by_its_name(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=TWO)
        table = await party.begin()
        await party.play(most=6)
        again, stored = await load_table(host.store, table.header.game)
        assert (again.record, again.head, again.state) == (table.record, table.head, table.state)
        assert (stored.room_id, stored.is_closed, stored.event_count) == (party.room, False, table.replay.count)
        assert parse_record(await export_record(host.store, table.header.game), "") == table.record
        for ask in (load_table, export_record):
            with pytest.raises(GameNotFound):
                await ask(host.store, "nowhere")


@pytest.mark.parametrize(
    ("kind", "days"), [("lobby", LOBBY_DAYS), ("running", GAME_DAYS), ("last entry", GAME_DAYS), ("over", OVER_DAYS)]
)
@awaited
async def test_a_room_nobody_comes_back_to_is_let_go_when_its_time_has_come(
    kind: str, days: int, tmp_path: Path
) -> None:
    now = [1_000_000.0]
    async with hosted(tmp_path, clock=lambda: now[0]) as host:
        party = await Party.open(host, chairs=TWO)
        if kind != "lobby":
            await party.begin()
            now[0] += 100
            if kind == "over":
                await party.finish()
            else:
                await party.play(most=10_000 if kind == "last entry" else 5)
        game = (await party.now()).game
        assert await expire_rooms(host.store, now[0] + days * DAY_SECONDS) == 0
        assert (await host.store.find_room(party.room)) is not None
        assert await expire_rooms(host.store, now[0] + days * DAY_SECONDS + 1) == 1
        assert await expire_rooms(host.store, now[0] + days * DAY_SECONDS + 1) == 0
        assert await host.store.find_room(party.room) is None
        if game is None:
            return
        content = await export_record(host.store, game)
        assert verify(content, "").is_verified
        closed = parse_record(content, "").events[-1]
        assert isinstance(closed, Closed)
        assert closed.why == ("expired" if kind == "running" else "over")


@awaited
async def test_whoever_comes_back_in_time_keeps_the_room(tmp_path: Path) -> None:
    now = [1_000_000.0]
    async with hosted(tmp_path, clock=lambda: now[0]) as host:
        party = await Party.open(host, chairs=TWO)
        await party.begin()
        now[0] += GAME_DAYS * DAY_SECONDS
        await party.act(0, "..")
        assert await expire_rooms(host.store, now[0] + DAY_SECONDS) == 0
        assert (await party.state()).rolls_used == 1


@awaited
async def test_a_room_that_was_let_go_is_unknown_to_whoever_still_sits_there(tmp_path: Path) -> None:
    async with hosted(tmp_path) as one, hosted(tmp_path) as two:
        party = await Party.open(one, chairs=TWO)
        await party.begin()
        await party.play(most=3)
        assert await expire_rooms(two.store, 1e12) == 1
        with pytest.raises((RoomNotFound, NoGameRunning)):
            await party.act(0, "..")


@awaited
async def test_whatever_was_undone_stays_in_the_record(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, chairs=[(ANN, Sit("Ann"))])
        table = await party.begin()
        for _ in range(5):
            while not table.state.dice:
                await party.act(0, "..")
            await party.act(0, here_open(table.state)[0])
            await party.want(Undo(0, table.replay.ply))
            await party.act(0, here_open(table.state)[-1])
        await party.finish()
        assert sum(isinstance(event, Undone) for event in table.events) == 5
        assert verify(await party.record(), "").is_verified
