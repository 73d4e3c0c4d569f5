"""A simulated evening: processes, a database and players, and everything that can go wrong, drawn from a seed."""

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import Context
from random import Random
from types import SimpleNamespace
from unittest import mock

from knobel.errors import KnobelError
from knobel.host.integrity import build_table
from knobel.rooms.documents import decode_room
from knobel.rooms.intents import ChangeSettings
from tests.simulated.players import SimulatedGroup, SimulatedPlayer
from tests.simulated.processes import RoomView, SimulatedProcess, view_session
from tests.simulated.shared_database import DiskFaults, SharedDatabase, SimulatedStore, resolve
from tests.simulated.virtual_loop import LoopExhausted, LoopIdle, VirtualLoop
from tests.support.hosted_rooms import SHORT_GAME
from tests.support.promises import DatabaseContents, find_faults, find_wrong_records, read_contents

MAX_STEPS = 200_000
STORM_SECONDS = 60.0
CALM_SECONDS = 300.0
LOOK_SECONDS = 0.5
CLOCK_MODULES = ("knobel.host.session", "knobel.host.commands", "knobel.host.move_clock")
SECRET_MODULES = ("knobel.host.room_setup", "knobel.host.seat_people")
GAMES = (
    *(SHORT_GAME, SHORT_GAME, SHORT_GAME),
    ChangeSettings(SHORT_GAME.edition, house_rules=SHORT_GAME.house_rules, free=True),
    *(ChangeSettings("carlit-chicago", pace=0.2), ChangeSettings("carlit-chicago", start="roll_off", pace=0.5)),
    ChangeSettings("tactic-xl-yatzy", text="da"),
    ChangeSettings("noris-yatzy", free=True, pace=0.0),
    ChangeSettings("hasbro-yahtzee", start="random", move_seconds=30),
    ChangeSettings("philos-yatzi", pace=0.1),
)


class FaultInjector:
    """Lets something go wrong every now and then, between any two steps of the loop."""

    def __init__(self, world: "SimulatedWorld") -> None:
        self.world, self.random = world, world.loop.random
        self.mean_steps = self.random.choice((40, 120, 400, 2000))
        kinds = (self.kill, self.kill, self.cut, self.cut, self.pause, self.jump, self.upset_disk, self.restart)
        self.kinds = self.random.sample(kinds, self.random.randint(2, len(kinds)))
        self.countdown = 0
        self.is_on = True
        self.draw_countdown()

    def draw_countdown(self) -> None:
        self.countdown = 1 + int(self.random.expovariate(1.0 / self.mean_steps))

    def step(self) -> None:
        """Count a step; it may be the last one of somebody."""
        self.countdown -= 1
        if self.countdown <= 0 and self.is_on and (running := self.world.list_running()):
            self.draw_countdown()
            self.random.choice(self.kinds)(self.random.choice(running))

    def kill(self, process: SimulatedProcess) -> None:
        """Kill a process, and start it again after a while."""
        self.world.note(f"{process.name} is killed")
        process.kill()
        pause = self.random.expovariate(1.0)
        self.world.loop.call_later(pause, self.revive, process, context=self.world.context.copy())

    def revive(self, process: SimulatedProcess) -> None:
        if process.owner.is_dead:
            self.world.note(f"{process.name} starts again")
            process.start()

    def restart(self, process: SimulatedProcess) -> None:
        """Restart a process at once."""
        self.world.note(f"{process.name} is restarted")
        process.kill()
        process.start()

    def cut(self, _: SimulatedProcess) -> None:
        """Cut the connection of a player."""
        players = [player for player in self.world.players if player.connections]
        if players:
            player = self.random.choice(players)
            connection = self.random.choice(player.connections)
            self.world.note(f"{player.name} is cut off from {connection.process.name}")
            connection.break_off()

    def pause(self, process: SimulatedProcess) -> None:
        """Let a process do nothing for a while, as a machine that is too busy."""
        self.world.note(f"{process.name} pauses")
        process.owner.paused_until = self.world.loop.now + self.random.expovariate(0.5)

    def jump(self, process: SimulatedProcess) -> None:
        """Set the clock of a process, forwards or back."""
        process.clock_offset += self.random.uniform(-100_000.0, 100_000.0)

    def upset_disk(self, _: SimulatedProcess) -> None:
        """Let the database behave otherwise from now on."""
        share, faults = self.random.random, self.world.database.faults
        faults.delay = self.random.choice((0.0005, 0.002, 0.01, 0.05))
        faults.slow = 0.1 * share() if share() < 0.5 else 0.0
        faults.fail_before, faults.fail_after = (0.05 * share(), 0.05 * share()) if share() < 0.5 else (0.0, 0.0)
        faults.repeat = 0.1 * share() if share() < 0.5 else 0.0
        faults.lose_news = share() if share() < 0.4 else 0.0
        faults.late_news = share() if share() < 0.4 else 0.0

    def stop(self) -> None:
        """Let nothing go wrong any more, and everybody be there."""
        self.is_on = False
        faults, calm = self.world.database.faults, DiskFaults()
        faults.__dict__.update(calm.__dict__)
        for process in self.world.processes:
            process.owner.paused_until = 0.0
            if process.owner.is_dead:
                process.start()


class SimulatedWorld:
    """Everything there is in one simulation."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        random = Random(seed)
        self.loop = VirtualLoop(random, MAX_STEPS)
        self.trace: list[str] = []
        self.is_calm = self.is_over = False
        self.wrong: list[str] = []
        self.context = Context()
        self.database = SharedDatabase(random, note=self.note)
        self.processes: list[SimulatedProcess] = []
        self.groups = [self.draw_group(number) for number in range(random.choice((1, 1, 1, 2)))]
        self.players = [
            SimulatedPlayer(self, group, index, Context()) for group in self.groups for index in range(group.people)
        ]
        self.injector = FaultInjector(self)
        self.loop.on_step = self.injector.step

    def draw_group(self, number: int) -> SimulatedGroup:
        random = self.loop.random
        settings = random.choice(GAMES)
        people = random.choice((1, 2, 2, 3))
        bots = max(2 - people, random.choice((0, 0, 1)))
        return SimulatedGroup(number, settings, people, bots, random.choice((10, 15, 25, 35)))

    def note(self, text: str) -> None:
        self.trace.append(f"{self.loop.steps} {self.loop.now:.6f} {text}")

    def list_running(self) -> list[SimulatedProcess]:
        return [process for process in self.processes if not process.owner.is_dead]

    async def run(self) -> list[str]:
        """Play through a storm, wait until it is calm, and say what is wrong."""
        for number in range(self.loop.random.choice((2, 2, 3))):
            self.processes.append(SimulatedProcess(self.loop, self.database, f"S{number}"))
        self.injector.upset_disk(self.processes[0])
        for player in self.players:
            player.start()
        await self.wait_until(STORM_SECONDS, lambda: all(group.is_tired for group in self.groups))
        self.is_calm = True
        self.injector.stop()
        self.note("calm")
        if not await self.wait_until(CALM_SECONDS, lambda: not self.find_differences()):
            return self.find_differences()
        self.freeze()
        return await self.find_wrong()

    def freeze(self) -> None:
        """Let nothing happen any more, so that everything can be compared as it stands."""
        self.is_over = self.database.is_frozen = True
        for process in self.processes:
            process.owner.is_dead = True

    async def wait_until(self, seconds: float, is_so: Callable[[], bool]) -> bool:
        """Look again and again until something is so; tells whether it ever was."""
        until = self.loop.now + seconds
        while self.loop.now < until:
            if is_so():
                return True
            await let_time_pass(self.loop, LOOK_SECONDS)
        return is_so()

    # What must be so.

    def find_differences(self) -> list[str]:
        """List what is not as the database has it: commands without an answer, processes and players left behind."""
        found = [f"{player.name} waits: {player.pending}" for player in self.players if not player.is_idle]
        for group in self.groups:
            if group.room is None:
                continue
            stored = self.find_stored(group.room)
            for process in self.processes:
                session = process.host.registry.sessions.get(group.room)
                if session is not None and session.watchers and describe(view_session(session)) != stored:
                    found.append(f"{process.name} has {describe(view_session(session))}, stored is {stored}")
            found += [
                f"{player.name} sees {describe(player.view)}, stored is {stored}"
                for player in self.players
                if player.group is group and player.view is not None and describe(player.view) != stored
            ]
        return found

    def find_stored(self, room_id: str) -> tuple[object, ...]:
        """Say how a room stands in the database."""
        found = self.database.read("find_room", (room_id,))
        if not found:
            return ("no room",)
        _, version, body, *_ = found[0]
        game = decode_room(body, None).game
        heads = self.database.connection.execute("SELECT count, head FROM heads WHERE game = ?", (game,)).fetchall()
        return version, game, *(heads[0] if heads else (0, ""))

    async def find_wrong(self) -> list[str]:
        """Compare all that was promised and shown with all that is stored."""
        contents = await read_contents(SimulatedStore(self.database, "reader"))
        faults = find_faults(self, contents)
        found = [f"{kind}: {one}" for kind, all_found in faults.items() for one in all_found]
        return [*found, *find_wrong_records(contents), *self.find_wrong_states(contents), *self.list_troubles()]

    def find_wrong_states(self, contents: DatabaseContents) -> list[str]:
        """Replay every game, and compare it with what the processes have in memory."""
        wrong = []
        for group in self.groups:
            room = contents.rooms.get(group.room or "")
            log = contents.logs.get(room.game or "") if room else None
            if room is None or log is None:
                continue
            table = build_table(log.game, log.rows)
            states = [track.state for track in table.replay.tracks]
            for process in self.processes:
                session = process.host.registry.sessions.get(room.id)
                if session is None or not session.watchers:
                    continue
                if session.table is None or [track.state for track in session.table.replay.tracks] != states:
                    wrong.append(f"{process.name} plays another game in {room.id}")
                elif session.room != room:
                    wrong.append(f"{process.name} has another room {room.id}")
        return wrong

    def list_troubles(self) -> list[str]:
        """List errors that nobody expected."""
        unexpected = [
            repr(error)
            for task in self.loop.tasks
            if task.done() and not task.cancelled() and (error := task.exception()) is not None
            if not isinstance(error, KnobelError)
        ]
        return [*self.loop.troubles, *unexpected]


def describe(view: RoomView) -> tuple[object, ...]:
    return view.version, view.room.game, view.count, view.head


async def let_time_pass(loop: VirtualLoop, seconds: float) -> None:
    done = loop.create_future()
    loop.call_later(seconds, resolve, done, None)
    await done


@contextmanager
def replace_clock_and_chance(loop: VirtualLoop) -> Iterator[None]:
    """Let the host read the time of the loop, and draw its secrets from the seed."""
    random = loop.random
    clock = SimpleNamespace(monotonic=loop.time, time=loop.time, perf_counter=loop.time)
    drawn = SimpleNamespace(
        choice=random.choice, token_bytes=random.randbytes, token_hex=lambda size: random.randbytes(size).hex()
    )
    with ExitStack() as stack:
        for module in CLOCK_MODULES:
            stack.enter_context(mock.patch(f"{module}.time", clock))
        for module in SECRET_MODULES:
            stack.enter_context(mock.patch(f"{module}.secrets", drawn))
        stack.enter_context(mock.patch.object(logging.getLogger("knobel"), "disabled", True))
        yield


def simulate(seed: int) -> SimulatedWorld:
    """Run one simulation; what is wrong with it, if anything, is in `wrong`."""
    world = SimulatedWorld(seed)
    with replace_clock_and_chance(world.loop):
        try:
            world.wrong = world.loop.run_until_complete(world.run())
        except (LoopIdle, LoopExhausted) as error:
            world.wrong = [f"{type(error).__name__} at {world.loop.now:.3f}", *world.find_differences()]
        finally:
            world.loop.drop_pending()
            world.database.connection.close()
    return world


def find_wrong_in(seed: int) -> list[str]:
    """Run one simulation, and list what is wrong with it."""
    return simulate(seed).wrong
