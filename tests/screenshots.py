"""Takes a picture of every screen, on a phone and a desktop, light and dark, into build/screenshots.

python -m tests.screenshots            all of them
python -m tests.screenshots end lobby  only those whose names begin so
"""

import asyncio
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Browser

from knobel.host import Host
from knobel.host.session import encode_intent
from knobel.rooms.intents import (
    Act,
    Advance,
    AnyIntent,
    BeginGame,
    ChangeSettings,
    Correct,
    SealSeed,
    Sit,
    SitBot,
    StopGame,
)
from knobel.rules import load_edition
from knobel.store.sqlite import SqliteStore
from tests.support.browser import (
    ANNOUNCE_CELL,
    CONTINUE_BUTTON,
    FACE_KEY,
    LEFT_WHILE_CONNECTING,
    PREVIEW_CELL,
    ROLL_BUTTON,
    ROLL_OFF_BUTTON,
    SIZES,
    Screen,
    Server,
    Size,
    launch_browser,
    open_screen,
)
from tests.support.proofs import proof_script
from tests.support.waiting import poll_until

INTO = Path(__file__).parent.parent / "build" / "screenshots"
RECORDS = Path(__file__).parent / "records" / "format-2"
ADA, BEN = "ad" * 32, "be" * 32
"""The secrets of two browsers."""
EIGHT = ("Ada", "Ben", "Cleo", "Dan", "Eva-Maria", "Finn", "Gro", "Maximilian")
BEFORE = {"theme": "auto", "guided": True, "name": "Ada", "family": ["Ada", "Ben", "Cleo"], "known": ["Oma"]}
BEFORE |= {"each_roll": True, "guided_rounds": True}
"""What a browser remembers; the dice of these tables are typed, roll by roll."""
HANDS = {
    "ones": "11135", "twos": "22246", "threes": "33316", "fours": "44425", "fives": "55516", "sixes": "66625",
    "one_pair": "66123", "two_pairs": "55443", "three_of_a_kind": "44416", "four_of_a_kind": "55551",
    "small_straight": "12345", "large_straight": "23456", "full_house": "66655", "chance": "66543", "yatzy": "22222",
}  # fmt: skip

GO = """address => {
  document.getElementById("page").replaceChildren();
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}"""
"""Goes to another page as a link of the server does, without loading everything again."""
PATIENCE = 300.0
BY_HAND = """() => {
  localStorage["knobel.prefs"] = JSON.stringify({...JSON.parse(localStorage["knobel.prefs"]), each_roll: false});
  dispatchEvent(new StorageEvent("storage", {key: "knobel.prefs"}));
}"""
CUT = """async () => {
  const { connection } = await import("/static/connection.js");
  connection.socket.handleLost();
  clearTimeout(connection.socket.retryTimer);
}"""
"""Breaks the connection, and lets nobody open another."""
FORGET_WAITING = """() => {
  const waiting = Object.keys(localStorage).filter((key) => key.startsWith("knobel.queue."));
  for (const key of waiting) localStorage.removeItem(key);
}"""
"""Forgets what waits to be sent, so that the room stays as it was prepared."""
CHILDREN = """() => {
  localStorage["knobel.prefs"] = JSON.stringify({...JSON.parse(localStorage["knobel.prefs"]), view: "children"});
  dispatchEvent(new StorageEvent("storage", {key: "knobel.prefs"}));
}"""

Shots: TypeAlias = Iterator[str]


def name_device(token: str) -> str:
    """Name a browser as the server does."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass
class Stage:
    """Plays rooms into the states to be shown, with dice that are said, by legal actions only."""

    host: Host
    rooms: dict[str, str] = field(default_factory=dict)
    commands: int = 0

    async def do(self, room: str, token: str, wanted: AnyIntent) -> None:
        """Want something."""
        self.commands += 1
        await self.host.execute(room, name_device(token), f"stage:{self.commands}", wanted, encode_intent(wanted))

    async def open(
        self, name: str, settle: ChangeSettings, *people: tuple[str, str | None], begin: bool = True, typed: bool = True
    ) -> str:
        """Open a room; whoever has no browser is a bot; dice are typed, or really rolled."""
        self.commands += 1
        opener = people[0][1] if not begin else ADA
        opened = await self.host.open_room(name_device(opener or ADA), f"stage:{self.commands}", settle)
        room = self.rooms[name] = opened.id
        for person, token in people:
            if token is None:
                await self.do(room, ADA, SitBot("cautious", person))
            else:
                await self.do(room, token, Sit(person, real_dice=begin and typed))
        if begin:
            await self.do(room, ADA, BeginGame(anyway=True))
        return room

    async def act(self, room: str, *actions: str) -> None:
        """Act for whoever's turn it is."""
        room_session = await self.host.find_session(room)
        for action in actions:
            assert room_session.table
            state = room_session.table.replay.tracks[0].state
            token = next(one for one in (ADA, BEN) if room_session.room.seats[state.player].device == name_device(one))
            await self.do(room, token, Act(state.player, room_session.table.replay.ply, action))

    async def enter(self, room: str, seat: int, *actions: str) -> None:
        """Enter something in a column, whoever's turn it would be."""
        room_session = await self.host.find_session(room)
        token = next(one for one in (ADA, BEN) if room_session.room.seats[seat].device == name_device(one))
        for action in actions:
            assert room_session.table
            await self.do(room, token, Act(seat, room_session.table.replay.track(seat).ply, action))

    async def start(self, room: str) -> None:
        """Roll to see who starts, where that is the rule: the first seat begins."""
        room_session = await self.host.find_session(room)
        while room_session.table and (state := room_session.table.replay.tracks[0].state).rolloff:
            await self.act(room, ".....", f">{'66666' if state.player == 0 else '11111'}")

    async def fill(self, room: str, *boxes: str) -> None:
        """Fill boxes, one a turn, as the hands of this file fall."""
        await self.start(room)
        room_session = await self.host.find_session(room)
        for box in boxes:
            assert room_session.table
            announced = getattr(room_session.table.game.rules, "order", "free") == "announced"
            await self.act(room, *([f"!{box}"] if announced else []), ".....", f">{HANDS.get(box, '66543')}", box)

    async def cast(self, room: str, *hands: str) -> None:
        """Let whoever's turn it is roll all dice, hand after hand."""
        for hand in hands:
            await self.act(room, "." * len(hand), f">{hand}")

    async def lay_rounds(self, name: str, *actions: str, people: int = 3) -> str:
        """Open a game of rounds: the first seat begins; what stands after a roll is done with it."""
        seating = (("Ada", ADA), ("Ben", BEN), ("Cleo", BEN), ("Dan", BEN))[:people]
        room = await self.open(name, ChangeSettings("carlit-chicago"), *seating)
        if actions:
            await self.cast(room, "666", *["111"] * (people - 1))
        for action in actions:
            await (self.cast(room, action) if action.isdecimal() else self.act(room, action))
        return room

    async def close(self, room: str) -> None:
        """Agree that this is the end."""
        room_session = await self.host.find_session(room)
        assert room_session.table
        await self.do(room, ADA, Advance(room_session.table.replay.ply))


def boxes(edition: str, text: str | None = None) -> list[str]:
    """List the boxes of an edition."""
    return [box.id for box in load_edition(edition).rules(text).boxes]


async def stage_rooms(database: Path, times: int) -> list[dict[str, str]]:
    """Play all rooms, as often as they are needed."""
    store = await SqliteStore.open(database)
    host = Host(store, paced=False)
    found = []
    for number in range(times):
        stage = Stage(host, commands=number * 10_000)
        await play_all(stage)
        found.append(stage.rooms)
    await host.close()
    return found


def prepare_rooms(database: Path, times: int, shared: Path) -> list[dict[str, str]]:
    """Play all rooms once for all workers of a run: the first one plays them, the others take a copy."""
    shared.mkdir(exist_ok=True)
    kept, rooms = shared / "knobel.db", shared / "rooms.json"
    try:
        (shared / "begun").touch(exist_ok=False)
    except FileExistsError:
        poll_until(rooms.exists, PATIENCE)
    else:
        found = asyncio.run(stage_rooms(kept, times))
        (shared / "rooms.part").write_text(json.dumps(found), encoding="utf-8")
        (shared / "rooms.part").rename(rooms)
    for part in ("", "-wal", "-shm"):
        if (one := kept.with_name(kept.name + part)).exists():
            shutil.copy(one, database.with_name(database.name + part))
    read: list[dict[str, str]] = json.loads(rooms.read_text(encoding="utf-8"))
    return read


class PreparedServer(Server):
    """A server with every room there is a picture of, once for each language, and once more for what is run again."""

    def __init__(self, folder: Path, langs: Sequence[str], shared: Path) -> None:
        super().__init__(folder)
        *rooms, self.spare = prepare_rooms(self.database, len(langs) + 1, shared)
        self.rooms = dict(zip(langs, rooms, strict=True))
        self.begun: set[tuple[str, str]] = set()

    def take_rooms(self, tour: str, lang: str) -> dict[str, str]:
        """Give the rooms of a language to a tour; a tour may play in them, so if it is run again it gets others."""
        rooms = self.spare if (tour, lang) in self.begun else self.rooms[lang]
        self.begun.add((tour, lang))
        return rooms


def workers_folder(factory: pytest.TempPathFactory, name: str) -> Path:
    """Name a folder that all workers of a run share."""
    base = factory.getbasetemp()
    return (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / f"prepared-{name}"


async def play_all(stage: Stage) -> None:
    """Play every room there is a picture of."""
    two, alone = (("Ada", ADA), ("Ben", BEN)), (("Ada", ADA),)
    tactic = ChangeSettings("tactic-xl-yatzy", "en")
    await stage.open("lobby-host", tactic, *two, ("Mia", None), begin=False)
    await stage.open("lobby-guest", ChangeSettings("noris-yatzy", games=3), ("Ben", BEN), begin=False)
    room = await stage.open("table-before", tactic, *two)
    await stage.fill(room, "ones", "sixes", "full_house", "two_pairs", "fives", "chance", "one_pair", "fours")
    room = await stage.open("table-rolled", tactic, *two)
    await stage.fill(room, "ones", "sixes", "full_house", "two_pairs")
    await stage.act(room, ".....", ">63626")
    room = await stage.open("theirs", tactic, *two)
    await stage.fill(room, "ones", "sixes", "full_house")
    await stage.act(room, ".....", ">63626")
    room = await stage.open("bot", tactic, *alone, ("Mia", None))
    await stage.fill(room, "ones")
    room = await stage.open("must-zero", tactic, *alone)
    await stage.fill(room, *[box for box in boxes("tactic-xl-yatzy") if box not in ("yatzy", "large_straight")])
    await stage.act(room, ".....", ">66321", "66...", ">421", "66...", ">531")
    danish = ChangeSettings("tactic-xl-yatzy", "da")
    room = await stage.open("announce", danish, *alone)
    await stage.fill(room, "ones", "full_house")
    room = await stage.open("announced", danish, *alone)
    await stage.fill(room, "ones", "full_house")
    await stage.act(room, "!fours", ".....", ">44621")
    room = await stage.open("locked", ChangeSettings("noris-yatzy"), *two)
    await stage.fill(room, "ones", "sixes")
    await stage.act(room, ".....", ">66321", "66...", ">624")
    room = await stage.open("joker", ChangeSettings("mb-yahtzee"), *two)
    last = boxes("mb-yahtzee")[-2:]
    five = next(box for box in boxes("mb-yahtzee") if "ya" in box)
    await stage.fill(room, five, last[0] if last[0] != five else last[1], "sixes", "ones")
    await stage.act(room, ".....", ">22222")
    room = await stage.open(
        "eight",
        ChangeSettings("carlit-yatzy"),
        *((name, ADA if place % 2 else BEN) for place, name in enumerate(EIGHT)),
    )
    await stage.fill(room, *(("sixes", "chance") * 4), "ones", "fives")
    await stage.act(room, ".....", ">66321")
    room = await stage.open("passing", tactic, ("Ada", ADA), ("Cleo", ADA), ("Ben", ADA), typed=False)
    room = await stage.open("real-dice", tactic, *alone)
    await stage.act(room, ".....")
    for name, games, closed in (("end-open", 1, False), ("end", 1, True), ("end-series", 3, True)):
        room = await stage.open(name, ChangeSettings("hasbro-yahtzee", games=games), *two)
        await stage.start(room)
        for box in boxes("hasbro-yahtzee"):
            await stage.act(room, ".....", f">{HANDS.get(box, '66543')}", box, ".....", ">11346", box)
        if closed:
            await stage.close(room)
    await play_odd(stage)
    await play_pads(stage)
    await play_rounds(stage)


async def play_odd(stage: Stage) -> None:
    """Play what is seldom seen: a seed that does not come, somebody who is away, an end before the end."""
    tactic, two = ChangeSettings("tactic-xl-yatzy", "en"), (("Ada", ADA), ("Ben", BEN))
    room = await stage.open("waiting", tactic, *two, begin=False)
    coming = (await stage.host.find_session(room)).room.coming
    await stage.do(room, BEN, SealSeed(coming.game, "5e" * 32))
    await stage.do(room, ADA, BeginGame(anyway=True))
    room = await stage.open("away", tactic, *two)
    await stage.fill(room, "ones", "sixes", "full_house")
    await stage.host.record_attendance(room, [1], present=False)
    room = await stage.open("swedish", ChangeSettings("tactic-xl-yatzy", "sv"), *two)
    await stage.fill(room, "ones", "sixes")
    await stage.act(room, ".....", ">11162")
    room = await stage.open("hint", ChangeSettings("hasbro-yahtzee"), *two)
    await stage.fill(room, "ones", "sixes", "full_house", "twos")
    await stage.act(room, ".....", ">66321")
    room = await stage.open("stopped", tactic, *two)
    await stage.fill(room, "ones", "sixes")
    await stage.do(room, ADA, StopGame())


async def play_pads(stage: Stage) -> None:
    """Lay the pads of people with real dice: one that has begun, one with marks, one that is full, one for rounds."""
    swedish, three = ChangeSettings("tactic-xl-yatzy", "sv", free=True), (("Ada", ADA), ("Ben", BEN), ("Cleo", ADA))
    await stage.open("pad", swedish, *three)
    room = await stage.open("pad-marks", swedish, *three, ("Mia", None))
    await stage.enter(room, 0, "=66662", "sixes", "fours=12", "=11162", "~chance")
    await stage.enter(room, 1, "=33355", "full_house", "ones=0")
    await stage.enter(room, 2, "=12345", "small_straight", "fives=20")
    ply = (await stage.host.find_session(room)).table.replay.track(0).ply  # type: ignore[union-attr]
    await stage.do(room, ADA, Correct(0, ply, "fours", ("fours=8",)))
    room = await stage.open("pad-end", ChangeSettings("hasbro-yahtzee", free=True), ("Ada", ADA), ("Ben", ADA))
    for seat, points in ((0, "0"), (1, "0")):
        await stage.enter(room, seat, *(f"{box}={points}" for box in boxes("hasbro-yahtzee")))
    await stage.lay_rounds("pad-rounds", "654", "stand over", "664", "stand", "665", "stand")


async def play_rounds(stage: Stage) -> None:
    """Play a game of rounds into everything it shows."""
    await stage.lay_rounds("rounds-start")
    await stage.lay_rounds("rounds-open", "654", "stand over", "664", "stand", "665", "stand")
    await stage.lay_rounds("rounds-opened", "652")
    await stage.lay_rounds("rounds-last", "652", "6..", ">52", "6..", ">54")
    cleo, ben = (
        ("632", "stand over", "653", "stand", "321", "stand"),
        ("632", "stand over", "321", "stand", "653", "stand"),
    )
    await stage.lay_rounds("rounds-follow", *cleo, "653", "6..", ">53", "stand over", "651")
    await stage.lay_rounds("rounds-tie", *ben, "654", "stand over", "321", "stand", "222", "stand", "321")
    await stage.lay_rounds("rounds-out", "111", "stand", "654", "stand over", "441", "stand", people=4)
    for name, closed in (("rounds-end-open", False), ("rounds-end", True)):
        room = await stage.lay_rounds(name, "654", "stand over", "321", "stand", people=2)
        while (state := (await stage.host.find_session(room)).table.replay.state).seat is not None:  # type: ignore[union-attr]
            opens = state.phase != "follow"
            await stage.cast(room, "654" if state.player == 0 else "322")
            await stage.act(room, "stand over" if opens else "stand")
        if closed:
            await stage.close(room)


def device(browser: Browser, server: Server, size: Size, scheme: str, **prefs: object) -> Screen:
    """Take the browser of Ada in hand, with what it remembers."""
    one = open_screen(browser, size, color_scheme=scheme)
    context = one.page.context
    context.add_cookies([{"name": "knobel", "value": ADA, "url": server.url}])
    context.add_init_script(proof_script(ADA))
    kept = json.dumps(BEFORE | prefs)
    context.add_init_script(f"localStorage['knobel.prefs'] ??= {json.dumps(kept)}")
    return one


def home(one: Screen, url: str, rooms: dict[str, str]) -> Shots:
    """The table with the boxes, and what can be opened from there."""
    one.open_home(url)
    yield "home"
    one.choose_edition("tactic-xl-yatzy")
    yield "home-opened"
    one.press(".switches summary")
    yield "home-switches"
    one.press("[data-mode=round]")
    yield "home-names"
    one.open_settings()
    yield "settings"
    one.press("dialog [data-act=close]")
    one.press(".bar [data-act=more]")
    one.press(".menu [data-act=help]")
    yield "help"


def first_visit(one: Screen, url: str, rooms: dict[str, str]) -> Shots:
    """Home for whoever was never here, and the first turn hand in hand."""
    one.page.context.clear_cookies()
    one.open_home(url)
    yield "first-visit"
    one.choose_edition("hasbro-yahtzee").start_shared_game("Ada")
    one.wait_for(".guide")
    yield "first-guide"
    one.roll()
    yield "first-guide-keep"


def visit(one: Screen, address: str, *selectors: str) -> None:
    """Go to another page of the server, and wait until one of these is to be seen."""
    if one.page.url == "about:blank":
        one.page.goto(address)
    else:
        one.page.evaluate(GO, address)
    one.wait_for(*selectors)


def lobbies(one: Screen, url: str, rooms: dict[str, str]) -> Shots:
    """The seats before a game."""
    for name in ("lobby-host", "lobby-guest"):
        visit(one, f"{url}/room/{rooms[name]}", ".invite [data-code]")
        yield name
    visit(one, f"{url}/room/{rooms['lobby-host']}", "[data-seat='1']")
    one.press("[data-seat='1']")
    yield "lobby-menu"


def tables(one: Screen, url: str, rooms: dict[str, str]) -> Shots:
    """The table in every state."""
    see = {"bot": CONTINUE_BUTTON, "announce": ANNOUNCE_CELL, "theirs": ".tray.theirs", "table-before": ROLL_BUTTON}
    see |= {"eight": ".tray", "passing": ROLL_BUTTON, "real-dice": ".die.entering", "swedish": ".refused"}
    see |= {"waiting": ".tray.theirs", "away": CONTINUE_BUTTON, "stopped": ".end"}
    see |= dict.fromkeys(("table-rolled", "must-zero", "announced", "locked", "joker"), PREVIEW_CELL)
    see |= dict.fromkeys(("end-open", "end", "end-series"), ".end")
    for name, selector in see.items():
        visit(one, f"{url}/room/{rooms[name]}", selector)
        if name == "passing":
            one.play_turn()
        yield name
        if name == "locked":
            one.press_at(".cell.refused")
            yield "refused"
            one.press(".ask [data-act=no]")
        if name == "table-rolled":
            yield from visit_turn(one)


def visit_turn(one: Screen) -> Shots:
    """What can be opened in the middle of a turn."""
    for die in (0, 2, 4):
        one.press(f"[data-die='{die}']")
    yield "table-kept"
    one.press(f"{PREVIEW_CELL}.zero")
    yield "zero"
    one.press(".ask [data-act=no]")
    one.press(".bar [data-act=more]")
    yield "menu"
    one.press(".menu [data-act=rules]")
    one.wait_for(".chapters details")
    yield "rules"
    one.press("dialog [data-act=close]")
    one.press(".line .name")
    yield "box-menu"


def rounds(one: Screen, url: str, rooms: dict[str, str]) -> Shots:
    """The table of a game of rounds in every state."""
    see = {
        "rounds-start": ROLL_OFF_BUTTON,
        "rounds-open": ROLL_BUTTON,
        "rounds-opened": ".stand",
        "rounds-last": ".stand",
    }
    see |= {"rounds-follow": ".sum-line", "rounds-tie": ".prompt", "rounds-out": ".out"}
    see |= dict.fromkeys(("rounds-end-open", "rounds-end"), ".end")
    for name, selector in see.items():
        visit(one, f"{url}/room/{rooms[name]}", selector)
        yield name
    visit(one, f"{url}/room/{rooms['rounds-follow']}", ".log summary")
    one.press(".log summary")
    yield "rounds-log"


def pads(one: Screen, url: str, rooms: dict[str, str]) -> Shots:
    """The pad: empty, with dice, points to pick, against the rules, corrected, no connection, on the big screen."""
    one.open_home(url)
    one.page.evaluate(BY_HAND)
    visit(one, f"{url}/room/{rooms['pad']}", FACE_KEY)
    yield "pad"
    one.page.keyboard.type("11162")
    one.wait_for(PREVIEW_CELL)
    yield "pad-dice"
    one.press(".cell.refused[data-box=chance]")
    yield "pad-bend"
    one.press(".ask [data-act=no]")
    visit(one, f"{url}/room/{rooms['pad-marks']}", ".against-rules")
    yield "pad-marks"
    one.press(".cell.open[data-box=twos]")
    yield "pad-picker"
    one.press(".picker [data-act=close]")
    yield from correct_pad(one)
    one.page.evaluate(CUT)
    one.wait_for("#lost")
    one.press(".cell.open[data-box=twos]")
    one.press(".picker [data-points='6']")
    one.press(".seats [data-seat='0'], th[data-seat='0'] .name")
    yield "pad-waiting"
    one.page.evaluate(FORGET_WAITING)
    one.page.reload()
    visit(one, f"{url}/room/{rooms['pad-end']}", ".end")
    yield "pad-end"
    visit(one, f"{url}/room/{rooms['pad-marks']}/screen", ".so-far")
    yield "pad-screen"
    visit(one, f"{url}/room/{rooms['pad-rounds']}", FACE_KEY)
    yield "pad-rounds"
    if not one.is_visible(".log button.round-total"):
        one.press(".log summary")
    one.press(".log button.round-total")
    one.wait_for(".correct .stay")
    yield "pad-correct-round"
    one.press(".correct [data-act=close]")
    one.page.keyboard.type("654")
    one.wait_for(".stand")
    yield "pad-rounds-dice"


def correct_pad(one: Screen) -> Shots:
    """An entry corrected: its points, the whole row, its dice."""
    one.press(".seats [data-seat='0'], th[data-seat='0'] .name")
    one.press("[data-entry=sixes]")
    one.wait_for(".correct")
    yield "pad-correct"
    one.press(".correct [data-tab=box]")
    one.wait_for(".correction-row")
    yield "pad-correct-row"
    one.press(".correct [data-tab=dice]")
    one.page.keyboard.type("66655")
    one.wait_for(".correction-row b")
    yield "pad-correct-dice"
    one.press(".correct [data-act=close]")


def others(one: Screen, url: str, rooms: dict[str, str]) -> Shots:
    """The big screen, the eyes of whoever only watches, and those of children."""
    see = {"lobby-host": ".invite [data-code]", "table-rolled": ".tray", "rounds-follow": ".tray", "end": ".end"}
    for name, selector in see.items():
        visit(one, f"{url}/room/{rooms[name]}/screen", selector)
        yield f"screen-{name}"
    one.page.evaluate(CHILDREN)
    for name, selector in {"table-rolled": PREVIEW_CELL, "rounds-opened": ".stand"}.items():
        visit(one, f"{url}/room/{rooms[name]}", selector)
        yield f"children-{name}"
    one.page.context.clear_cookies()
    one.page.goto(url)
    for name in ("table-rolled", "rounds-follow"):
        visit(one, f"{url}/room/{rooms[name]}", ".tray.theirs")
        yield f"spectator-{name}"


def checks(one: Screen, url: str, rooms: dict[str, str]) -> Shots:
    """The dice of a game, checked: true ones, what lies below them, and a record in which a die was turned."""
    true = (RECORDS / "yahtzee.knobel").read_bytes()
    turned = true.replace(b'"dice":[', b'"dice":[7,', 1)
    one.page.goto(f"{url}/check/")
    for name, content, selector in (("check", true, ".luck"), ("check-wrong", turned, ".verdict.wrong")):
        one.find("[data-field=record]").set_input_files({"name": "a.knobel", "mimeType": "", "buffer": content})
        one.wait_for(selector)
        yield name
        if name == "check":
            one.press(".rolls summary")
            yield "check-rolls"
            one.find(".luck").scroll_into_view_if_needed()
            yield "check-luck"


def visit_coach(one: Screen, url: str, rooms: dict[str, str]) -> Shots:
    """The coach: looking back at a game, a hint, the running ledger; the first time its book has to be written."""
    for name, game in (("review", "end"), ("review-rounds", "rounds-end")):
        visit(one, f"{url}/room/{rooms[game]}", ".end [data-act=review]")
        one.press(".end [data-act=review]")
        one.find(".stage[data-event]").wait_for(timeout=60_000)
        yield name
    visit(one, f"{url}/room/{rooms['hint']}", "[data-act=hint]:not([disabled])")
    one.press("[data-act=hint]")
    one.wait_for(".ask")
    yield "hint-ask"
    one.press(".ask [data-act=yes]")
    one.wait_for(".hint ul")
    yield "hint"
    one.open_settings()
    one.press("[data-setting=ledger] .pick:last-child")
    one.press("dialog [data-act=close]")
    one.wait_for(".ledger")
    yield "ledger"


def your_games(one: Screen, url: str, rooms: dict[str, str]) -> Shots:
    """People, their games and their statistics."""
    visit(one, f"{url}/people", "li.person")
    yield "people"
    one.press("[data-act=add-person]")
    yield "people-add"
    one.press("dialog [data-act=close]")
    one.press("[data-act=person-more]")
    one.press(".menu [data-act=move]")
    one.wait_for("[data-person-code]")
    yield "people-move"
    one.press("dialog [data-act=close]")
    one.press("[data-act=person-more]")
    one.press(".menu [data-act=delete]")
    yield "people-delete"
    one.press("dialog [data-act=close]")
    visit(one, f"{url}/games", ".past-game")
    one.press(".past-game summary")
    yield "games"
    one.find("[data-field=since]").fill("2000-01-01")
    one.find("[data-field=until]").fill("2000-01-02")
    one.wait_for("[data-empty]")
    yield "games-none"
    visit(one, f"{url}/statistics", "[data-figure=games]")
    yield "statistics"


def practice(one: Screen, url: str, rooms: dict[str, str]) -> Shots:
    """A puzzle, a lesson, and the game of the day."""
    visit(one, f"{url}/practice?kind=practice&edition=carlit-chicago", ".practice-stage")
    yield "practice"
    visit(one, f"{url}/practice?kind=lesson&edition=carlit-chicago", ".lessons")
    yield "lessons"
    one.press("[data-lesson=beat_over]")
    one.press(".lesson-choice")
    one.wait_for("[data-verdict]")
    yield "lesson"
    one.press("[data-act=all-lessons]")
    one.press("[data-field=simple]")
    one.press("[data-lesson=beat_under]")
    one.wait_for(".lesson-stage.simple")
    yield "lesson-children"
    one.press("[data-act=all-lessons]")
    one.press("[data-field=simple]")
    visit(one, f"{url}/practice?kind=game&edition=hasbro-yahtzee", ".practice-stage")
    yield "game-of-day"


def tournaments(one: Screen, url: str, rooms: dict[str, str]) -> Shots:
    """The form of a tournament, its page before the first round, and with a round that is being played."""
    visit(one, f"{url}/tournament", ".tournament-form")
    yield "tournament-form"
    one.page.fill("[data-field=title]", "Knobel")
    one.page.fill("[data-field=players]", "Ada\nBen\nCleo")
    one.press("[data-act=create]")
    one.wait_for("[data-act=open]")
    yield "tournament"
    one.press("[data-act=open]")
    one.wait_for("[data-act=room]")
    yield "tournament-round"


TOURS: tuple[Callable[[Screen, str, dict[str, str]], Shots], ...] = (
    first_visit,
    home,
    lobbies,
    tables,
    rounds,
    pads,
    others,
    checks,
    visit_coach,
    your_games,
    practice,
    tournaments,
)


def is_wanted(name: str, asked: list[str]) -> bool:
    """Tell whether a picture was asked for."""
    return not asked or any(name.startswith(one) for one in asked)


def main(asked: list[str]) -> None:
    """Take all pictures."""
    INTO.mkdir(parents=True, exist_ok=True)
    variants: list[tuple[Size, str]] = [(size, scheme) for size in SIZES for scheme in ("light", "dark")]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        rooms = asyncio.run(stage_rooms(server.database, len(variants)))
        begin = time.monotonic()
        with server, launch_browser() as browser:
            for (size, scheme), mine in zip(variants, rooms, strict=True):
                for tour in TOURS:
                    take(browser, server, tour, mine, size, scheme, asked)
            shoot_lost_server(browser, server, rooms, variants, asked)
    print(f"{len(list(INTO.glob('*.png')))} pictures in {INTO} after {time.monotonic() - begin:.0f} s")


def take(
    browser: Browser, server: Server, tour: Callable[[Screen, str, dict[str, str]], Shots], rooms: dict[str, str],
    size: Size, scheme: str, asked: list[str],
) -> None:  # fmt: skip
    """Take the pictures of one tour."""
    first = tour is first_visit
    prefs: dict[str, Any] = {"guided": False, "name": "", "usual_players": [], "known": []} if first else {}
    here = [] if first else [rooms["table-before"], rooms["theirs"], rooms["lobby-host"]]
    one = device(browser, server, size, scheme, rooms=here, **prefs)
    one.expected_problems = LEFT_WHILE_CONNECTING
    for name in tour(one, server.url, rooms):
        if is_wanted(name, asked):
            one.page.screenshot(path=INTO / f"{name}-{size}-{scheme}.png")
    one.check_problems()
    one.page.context.close()


def shoot_lost_server(
    browser: Browser, server: Server, rooms: list[dict[str, str]], variants: list[tuple[Size, str]], asked: list[str]
) -> None:
    """Take the pictures of a table whose server is out of reach."""
    if not is_wanted("lost", asked):
        return
    for (size, scheme), mine in zip(variants, rooms, strict=True):
        one = device(browser, server, size, scheme)
        one.page.goto(f"{server.url}/room/{mine['table-rolled']}")
        one.wait_for(PREVIEW_CELL)
        server.stop()
        one.wait_for("#lost")
        one.page.screenshot(path=INTO / f"lost-{size}-{scheme}.png")
        one.page.context.close()
        server.start()


if __name__ == "__main__":
    main(sys.argv[1:])
