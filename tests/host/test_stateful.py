"""The host at random: whatever is wanted in whatever order, the log, the state and the books agree."""

import asyncio
import json
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from knobel.errors import KnobelError
from knobel.game import Roll
from knobel.games.sheet import SheetGame
from knobel.host import Host
from knobel.host.archive import load_table
from knobel.host.session import SessionUpdate
from knobel.record.events import Closed, Undone
from knobel.record.file import parse_record
from knobel.record.replay import replay_record
from knobel.record.verify import verify
from knobel.rooms.intents import (
    Act,
    Advance,
    AnyIntent,
    BeginGame,
    ChangeSettings,
    Correct,
    HandOverHost,
    LeaveGame,
    LeaveSeat,
    RealDice,
    RenameSeat,
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
from knobel.rules import edition_ids
from knobel.store.sqlite import SqliteStore
from tests.support.hosted_rooms import ANN, BEN, CID, SHORT_GAME, HostedRoom, open_host
from tests.support.selection import rest
from tests.support.waiting import HANG_SECONDS

GAMES = {
    **{name: ChangeSettings(name) for name in edition_ids()},
    "announced": ChangeSettings("tactic-xl-yatzy", text="da"),
    "free": ChangeSettings("noris-yatzy", free=True),
    "short": SHORT_GAME,
}
NORMAL, TORTURE = 120, 10_000
STEPS, OFTEN = 16, 4
FAST = Path("/dev/shm")  # noqa: S108
DEVICES = (ANN, BEN, CID)
CHICAGO = "carlit-chicago"
TEXTS = (
    *(".....", "...", "..", "chance", "/ones", "!ones", "stand", "stand over", ">1", ">66666", "ones=3", "leave 1"),
    *("=66666", "=66", "=366:1", "=366", "~chance", "~ones=3", "~chance=5"),
)

ROWS = ("ones", "sixes", "chance", "twins", "odd", "nothing")
TURNS = (("~ones=3",), ("~chance=5",), ("=66666", "~sixes"), ("=66", "~twins"), ("!ones", "=11111", "ones"), ("..",))
"""What somebody might enter instead of a turn."""


class Evening(RuleBasedStateMachine):
    """A room at a host over a real file, and our own books beside it."""

    label = ""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(dir=FAST if FAST.is_dir() else None)
        self.runner = asyncio.Runner()
        self.runner.get_loop()
        self.undone = False
        self.steps = 0
        self.books: list[dict[int, int]] = []
        self.heard: list[SessionUpdate] = []

    def run(self, work: Any) -> Any:
        """Wait for the host."""
        return self.runner.run(work)

    @initialize(bots=st.integers(0, 2), own=st.booleans(), beginner=st.booleans(), sealed=st.booleans())
    def sit_down(self, bots: int, own: bool, beginner: bool, sealed: bool) -> None:
        """Open a room and begin."""
        self.run(self.open(bots, own, beginner and self.label != CHICAGO, sealed))

    async def open(self, bots: int, own: bool, beginner: bool, sealed: bool) -> None:
        self.host = Host(await SqliteStore.open(Path(self.folder.name) / "host.db"), paced=False)
        people: list[tuple[str, Sit | SitBot]] = [
            (ANN, Sit("Ann", real_dice=own)),
            (BEN, Sit("Ben", beginner=beginner)),
        ]
        seats = [*people, *((ANN, SitBot(("greedy", "random")[number], "Bot")) for number in range(bots))]
        self.hosted = await HostedRoom.open(self.host, GAMES[self.label], seats)
        await self.host.watch(self.hosted.id, self.heard.append)
        if sealed:
            await self.hosted.begin_game()
        else:
            await self.hosted.execute(BeginGame(anyway=True))
        self.books = [self.entries(seat) for seat in range(len(seats))]

    @property
    def table(self) -> Any:
        """The table."""
        return self.host.registry.sessions[self.hosted.id].table

    def entries(self, seat: int) -> dict[int, int]:
        """List what is written in a column, by box."""
        track = self.table.replay.track(seat)
        if not isinstance(track.game, SheetGame):
            return {}
        column = track.state.columns[track.local_seat(seat)]
        return {place: entry for place, entry in enumerate(column.entries) if entry is not None}

    @property
    def going(self) -> bool:
        """Whether there is anything left to play."""
        return hasattr(self, "hosted") and not self.table.replay.is_over

    @precondition(lambda self: self.going)
    @rule(seed=st.integers(0, 2**32), moves=st.integers(1, 4))
    def play(self, seed: int, moves: int) -> None:
        """Let whoever comes next move; kept dice stay as they lie."""
        random = Random(seed)
        for _ in range(moves):
            count = self.table.replay.count
            self.run(self.hosted.play_move(random))
            steps = [step for track in self.table.replay.tracks for step in track.steps if step.number > count]
            for step in steps:
                if isinstance(step.action, Roll):
                    after = self.table.replay.track(step.event.seat).state
                    if after.dice:
                        assert all(after.dice[place] == step.before.dice[place] for place in step.action.keep)

    @rule(seat=st.integers(0, 1))
    def take_back(self, seat: int) -> None:
        """Undo, where that is possible."""
        self.undone = self.tried(Undo(seat, self.table.replay.track(seat).ply), DEVICES[seat])

    @rule(seat=st.integers(0, 3), there=st.booleans())
    def attend(self, seat: int, there: bool) -> None:
        """Go away or come back."""
        self.run(self.host.record_attendance(self.hosted.id, [seat], there))

    @rule(seat=st.integers(0, 3), name=st.sampled_from(("greedy", "random", "nobody")), device=st.sampled_from(DEVICES))
    def stand_in(self, seat: int, name: str, device: str) -> None:
        """Let a bot play for somebody."""
        self.tried(SubstituteBot(seat, name), device)

    @rule(
        wanted=st.one_of(
            st.builds(Act, st.integers(0, 4), st.integers(0, 60), st.sampled_from(TEXTS)),
            st.builds(Undo, st.integers(0, 4), st.integers(0, 60)),
            st.builds(Correct, st.integers(0, 1), st.integers(0, 60), st.sampled_from(ROWS), st.sampled_from(TURNS)),
            st.builds(RealDice, st.integers(0, 4), st.booleans()),
            st.builds(RenameSeat, st.integers(0, 4), st.sampled_from(("Zoe", " ", "Ben"))),
            st.builds(Advance, st.integers(0, 60)),
            st.builds(ReturnToSeat, st.integers(0, 4)),
            st.builds(RevealSeed, st.just("0" * 64)),
            st.builds(StartWithout, st.integers(0, 4)),
            st.builds(SealSeed, st.just("1" * 64)),
            st.builds(HandOverHost, st.integers(0, 4)),
            st.builds(SwapSeats, st.integers(0, 4)),
            st.builds(LeaveSeat, st.integers(0, 4)),
            st.builds(Sit, st.text(max_size=5), offered=st.booleans()),
            st.builds(TakeSeat, st.integers(0, 4)),
            st.builds(SitBot, st.just("greedy"), st.just("Bot")),
            st.just(SHORT_GAME),
            st.builds(BeginGame, st.booleans()),
        ),
        device=st.sampled_from(DEVICES),
    )
    def want_anything(self, wanted: AnyIntent, device: str) -> None:
        """Want anything; what is refused changes nothing."""
        if not self.table.replay.is_over:
            self.undone = self.tried(wanted, device) and isinstance(wanted, Undo)

    @rule(seat=st.integers(0, 1), sure=st.integers(0, 20))
    def leave(self, seat: int, sure: int) -> None:
        """Leave for good, rarely."""
        if sure == 0:
            self.tried(LeaveGame(seat), DEVICES[seat])

    @rule()
    def come_back_after_a_restart(self) -> None:
        """Close the host and open it again: every table is simply there."""
        before = self.run(self.hosted.snapshot())
        self.run(self.host.close())
        self.run(self.reopened())
        assert self.run(self.hosted.snapshot()) == before

    async def reopened(self) -> None:
        self.host = Host(await SqliteStore.open(Path(self.folder.name) / "host.db"), paced=False)
        self.hosted = await self.hosted.reopen_at(self.host)
        await self.host.watch(self.hosted.id, self.heard.append)

    def tried(self, wanted: AnyIntent, device: str) -> bool:
        """Want something that may be refused; a refusal leaves everything as it was."""
        before = self.run(self.hosted.snapshot())
        try:
            self.run(self.hosted.execute(wanted, device))
        except KnobelError:
            assert self.run(self.hosted.snapshot()) == before
            return False
        return True

    @invariant()
    def the_books_agree(self) -> None:
        """Check that no filled box has changed, unless the last step was an undo, and that totals are sums."""
        if not hasattr(self, "hosted"):
            return
        for seat, before in enumerate(self.books):
            now = self.entries(seat)
            lost = {place for place in before if now.get(place) != before[place]}
            assert not lost or (self.undone and len(lost) == 1 and not lost & set(now))
            self.books[seat] = now
            self.check_total(seat)
        self.undone = False

    def check_total(self, seat: int) -> None:
        """Add up a column again."""
        track = self.table.replay.track(seat)
        if not isinstance(track.game, SheetGame):
            assert sum(track.state.chips) + track.state.kitty <= track.game.rules.chips
            return
        rules, within = track.game.rules_for(track.local_seat(seat)), track.local_seat(seat)
        column, tally = track.state.columns[within], track.game.tally(track.state, within)
        upper = sum(entry or 0 for box, entry in zip(rules.boxes, column.entries, strict=True) if box.upper)
        bonus = rules.bonus
        reached = bonus is not None and (upper > bonus.threshold if bonus.strict else upper >= bonus.threshold)
        assert tally.upper == upper
        assert tally.bonus == (bonus.points if bonus and reached else 0)
        assert tally.total == sum(entry or 0 for entry in column.entries) + tally.bonus + column.extra

    @invariant()
    def the_log_is_the_game(self) -> None:
        """Check that what is on disk, played again, is what stands on the table."""
        self.steps += 1
        if hasattr(self, "hosted") and self.steps % OFTEN == 0:
            self.check_log()

    def check_log(self) -> None:
        """Play what is on disk again."""
        table = self.table
        again, _ = self.run(load_table(self.host.store, table.header.game))
        assert (again.record, again.head, again.replay.ply) == (table.record, table.head, table.replay.ply)
        assert [track.state for track in again.replay.tracks] == [track.state for track in table.replay.tracks]
        people, others = again.replay.attendance, table.replay.attendance
        assert (people.away, people.stand_ins) == (others.away, others.stand_ins)
        steps = [step.event for news in self.heard for step in news.steps]
        assert steps == list(table.record.events[len(table.record.events) - len(steps) :])

    def teardown(self) -> None:
        """Play to the end: every game ends, and its record is verified."""
        try:
            if hasattr(self, "hosted"):
                self.check_log()
                self.run(self.finish())
        finally:
            if hasattr(self, "host"):
                self.run(self.host.close())
            self.runner.close()
            self.folder.cleanup()

    async def finish(self) -> None:
        room = await self.hosted.room()
        for seat in self.table.replay.attendance.pending_seeds:
            await self.hosted.execute(StartWithout(seat), room.host)
        random = Random(1)
        if not self.table.replay.is_over:
            for _ in range(2000):
                if not await self.hosted.play_move(random):
                    break
        assert self.table.replay.is_over
        if self.table.replay.closed is None:
            await self.hosted.execute(Advance(self.table.replay.ply))
        content = await self.hosted.export_record()
        assert verify(content, "").is_verified
        assert replay_record(parse_record(content, "")).outcome == self.table.replay.outcome
        assert isinstance(self.table.events[-1], Closed)
        assert not isinstance(self.table.events[-2], Undone)


def evening(label: str) -> type[Evening]:
    """Make the machine of one game."""
    return type("Evening", (Evening,), {"label": label})


def sequences(count: int) -> settings:
    """Play this many sequences, the same ones every time; only torture looks for the shortest failure."""
    return settings(
        max_examples=count,
        stateful_step_count=STEPS,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate,) if count < TORTURE // len(GAMES) else (Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )


@pytest.mark.solve
@pytest.mark.parametrize(
    ("label", "share"),
    [("short", 1), ("carlit-chicago", 4), *(rest(label, 1) for label in ("announced", "free", "hasbro-yahtzee"))],
)
def test_whatever_is_wanted_log_state_and_books_agree_and_the_game_ends(label: str, share: int) -> None:
    run_state_machine_as_test(evening(label), settings=sequences(-(-NORMAL // len(GAMES) // share)))


@pytest.mark.torture
@pytest.mark.parametrize("label", GAMES)
def test_ten_thousand_evenings_agree_and_end(label: str) -> None:
    run_state_machine_as_test(evening(label), settings=sequences(-(-TORTURE // len(GAMES))))


# Hostile intents.

MANY = 2000
DECODER: msgspec.json.Decoder[AnyIntent] = msgspec.json.Decoder(AnyIntent)
EXAMPLES: list[AnyIntent] = [
    *(
        Sit("Ann"),
        Sit("Ben", offered=True),
        TakeSeat(0),
        SitBot("greedy", "Bot"),
        LeaveSeat(0),
        SwapSeats(1),
        SHORT_GAME,
    ),
    ChangeSettings("tactic-xl-yatzy", "en", {"order": "free"}, 3),
    *(HandOverHost(1), SealSeed("0" * 16, "0" * 64), BeginGame(anyway=True), RevealSeed("1" * 64), StartWithout(0)),
    *(Act(0, 0, ".."), Undo(0, 1)),
    *(Advance(2), LeaveGame(0), SubstituteBot(1, "greedy"), ReturnToSeat(1), StopGame()),
]
JUNK: list[Any] = [
    *(None, True, -1, 0, 1, 98, 99, 10**6, 10**30, 1.5, 1e308, "", "x" * 81, "x" * 40_000, [], {}, [[]], {"a": 1}),
    *("\x00", "\ud7ff", "' OR 1 = 1 --", "%s{0}", "../../etc/passwd", "leave 1", "human:999", "perfect:0", ">99", "="),
    "0" * 64,
]


def mutate_intent(random: Random) -> str:
    """Write an intent as JSON with something wrong in it, or nothing."""
    form = json.loads(msgspec.json.encode(random.choice(EXAMPLES)))
    for _ in range(random.choice((0, 1, 1, 2))):
        key = random.choice([*form, "want", "luck", "seat", "ply"])
        if random.random() < 0.2:
            form.pop(key, None)
        else:
            form[key] = random.choice(JUNK)
    content = json.dumps(form)
    if random.random() < 0.2:
        place = random.randrange(len(content))
        content = f"{content[:place]}{chr(random.randrange(0xD7FF))}{content[place + 1 :]}"
    return content


@pytest.mark.solve
@pytest.mark.parametrize("when", ["lobby", "running", rest("over")])
def test_two_thousand_hostile_intents_are_carried_out_or_refused_and_nothing_else(when: str, tmp_path: Path) -> None:
    async def storm() -> None:
        random, refusals, done = Random(f"hostile {when}"), 0, 0
        async with open_host(tmp_path) as host:
            for number in range(MANY):
                if number % 100 == 0:
                    hosted = await fresh(host, number)
                try:
                    wanted = DECODER.decode(mutate_intent(random))
                except msgspec.DecodeError:
                    continue
                before = await hosted.snapshot()
                try:
                    await hosted.execute(wanted, random.choice(DEVICES))
                    done += 1
                except KnobelError:
                    refusals += 1
                    assert await hosted.snapshot() == before
        assert refusals > 100
        assert done > 10

    async def fresh(host: Host, number: int) -> HostedRoom:
        room = await host.open_room(ANN, str(number), SHORT_GAME)
        hosted = HostedRoom(host, room.id)
        for device, taken_seat in ((ANN, Sit("Ann")), (BEN, Sit("Ben")), (ANN, SitBot("greedy", "Bot"))):
            await hosted.execute(taken_seat, device)
        if when != "lobby":
            await hosted.begin_game()
        if when == "over":
            await hosted.play()
        return hosted

    asyncio.run(asyncio.wait_for(storm(), 10 * HANG_SECONDS))
