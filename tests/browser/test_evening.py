"""Whole evenings with real dice: three phones and a shared screen, every box, a line that is cut, entries corrected."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

from knobel.games.sheet import SheetGame
from knobel.record.events import Acted, Corrected, Record, Undone
from knobel.record.file import parse_record
from knobel.record.marks import list_marked_boxes
from knobel.record.replay import replay_record
from knobel.record.verify import verify
from knobel.rules import load_edition
from tests.screenshots import GO
from tests.support.browser import (
    ANNOUNCE_CELL,
    CONFIRM_BUTTON,
    CONNECTION_LOST,
    END_BUTTON,
    FACE_KEY,
    PREVIEW_CELL,
    ROLL_BUTTON,
    OpenScreen,
    Screen,
    Server,
    open_screen,
)
from tests.support.faulty_network import FaultyLink
from tests.support.waiting import poll_until

GAME = """async () => (await import("/static/connection.js")).connection.position.view.game"""
HASTE = """localStorage["knobel.prefs"] ??= JSON.stringify({ pace: 0, guided: true, guided_rounds: true });"""
"""Bots that nobody wants to watch."""
HAND_IN = """async (lines) => {
  const { connection } = await import("/static/connection.js");
  const { getQueue } = await import("/static/intent-queue.js");
  for (const [seat, action, box, shown] of lines)
    getQueue(connection.roomId).add(connection.position.view, { want: "act", seat, action }, box ? { box, shown } : {});
}"""
"""Enters lines as taps do, without the taps."""
OUR_DICE = """async (seat) => {
  const { connection } = await import("/static/connection.js");
  const heard = () => new Promise((soon) => { const stop = connection.on("position", () => { stop(); soon(); }); });
  for (;;) {
    const { view } = connection.position;
    const tray = view.trays.find((one) => one.seat === seat);
    if (!tray) return;
    const box = tray.dice.length && tray.options.find((one) => !one.refusal).box;
    let next = heard();
    await connection.sendIntent({ want: "act", seat, ply: view.seats[seat].ply, action: box || "....." });
    for (; connection.position.view.count === view.count; next = heard()) await next;
  }
}"""
"""Rolls our dice once a turn, and writes them into the first box that takes them."""
TAPS = 4
"""How many entries of each column are tapped by finger; `torture` taps them all."""
ONLINE = """() => { dispatchEvent(new Event("online")); }"""
"""What a phone says when it has its network again."""
SHEET = """() => {
  const text = (one) => one.textContent;
  const texts = (what) => [...document.querySelectorAll(what)].map(text);
  return {
    rows: [...document.querySelectorAll(".board tr.line")].map((row) => [...row.querySelectorAll("td")].map(text)),
    bonus: texts(".board tr.bonus td"), extra: texts(".board tr.extra td"), total: texts(".board tr.total td"),
    ranking: texts(".end .ranking li"),
  };
}"""

UPPER = """
ones            11135=3 11116=4 22341=1
twos            22246=6 22225=8 12234=4
threes          33316=9 33331=12 33124=6
fours           44425=12 44441=16 44126=8
fives           55516=15 55551=20 55124=10
sixes           66625=18 66661=24 66124=12
"""
NORDIC = f"""{UPPER}
one_pair        66123=12 44123=8 11234=2
two_pairs       55443=18 66551=22 22113=6
three_of_a_kind 44416=12 66612=18 11123=3
four_of_a_kind  55551=20 33331=12 66662=24
small_straight  12345=15
large_straight  23456=20
full_house      66655=28 22233=12 11144=11
chance          66543=24 11234=11 65442=21
yatzy           22222=50 66666=50
"""
FRENCH = f"""{UPPER}
three_of_a_kind 44416=19 66612=21 11123=8
four_of_a_kind  55551=21 33331=13 66662=26
full_house      66655=25 22233=25
small_straight  12346=30 23451=30
large_straight  12345=40 23456=40
yatzy           22222=50 66666=50
chance          66543=24 11234=11 65442=21
"""
"""What dice score on the two kinds of score pads, counted by hand."""

WAYS = ("points", "points", "keys", "typed")


@dataclass(frozen=True)
class Line:
    """One entry: a box, its points, the dice if they are entered, the extra points, whether it is against the rules."""

    box: str
    points: int
    dice: str = ""
    extra: int = 0
    anyway: bool = False

    @property
    def text(self) -> str:
        """The points as the key shows them."""
        return f"{self.points}+{self.extra}" if self.extra else str(self.points)


@dataclass(frozen=True)
class Setup:
    """An edition, the people on each phone, and what they do besides the usual."""

    edition: str
    pad: str
    bonus: tuple[int, int]
    """The upper total it needs, and the points it gives."""
    phones: tuple[tuple[str, ...], ...] = (("Ada",), ("Ben",), ("Cleo",))
    agreed: Mapping[str, Any] = field(default_factory=dict)
    announced: bool = False
    openings: Mapping[str, tuple[Line, ...]] = field(default_factory=dict)
    """The first entries of some players."""
    mend: tuple[str, Line] = ("Ben", Line("threes", 6))
    ours: str | None = None
    """Who rolls our dice."""
    bot: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """All people, in the order of their seats."""
        return tuple(name for phone in self.phones for name in phone)


SETUPS = (
    Setup(
        "tactic-xl-yatzy",
        NORDIC.replace("22222=50 66666=50", "22222=60 66666=80"),
        (63, 50),
        (("Ada", "Ann"), ("Ben",), ("Cleo",)),
        {"text": "Danish"},
        announced=True,
        openings={"Ben": (Line("sixes", 24, anyway=True),)},
    ),
    Setup(
        "mb-yahtzee",
        FRENCH,
        (63, 35),
        agreed={"games": 2},
        openings={
            "Ada": (Line("yatzy", 50, "44444"), Line("twos", 10, extra=100), Line("large_straight", 40, "22222", 100)),
            "Cleo": (Line("yatzy", 0),),
        },
    ),
    Setup(
        "philos-yatzi",
        FRENCH,
        (63, 35),
        (("Ada",), ("Ben", "Bea"), ("Cleo",)),
        openings={
            "Ada": (Line("yatzy", 50, "55555"), Line("chance", 100, "66666")),
            "Ben": (Line("yatzy", 50), Line("chance", 100)),
        },
    ),
    Setup("noris-yatzy", FRENCH, (63, 35), openings={"Ada": (Line("chance", 23, "66434", anyway=True),)}),
    Setup("carlit-yatzy", NORDIC, (64, 25), ours="Cleo", bot=True),
    Setup(
        "hasbro-yahtzee",
        FRENCH,
        (63, 35),
        openings={
            "Ada": (Line("yatzy", 50, "66666"), Line("sixes", 30, "66666", 100), Line("full_house", 25, "66666", 100)),
            "Ben": (Line("yatzy", 50), Line("four_of_a_kind", 25, "55555", 100, anyway=True)),
        },
        bot=True,
    ),
)


def hands(pad: str) -> dict[str, dict[str, int]]:
    """Read a score pad."""
    rows = (line.split() for line in pad.split("\n") if line)
    return {box: {dice: int(points) for dice, points in (one.split("=") for one in row)} for box, *row in rows}


def column(setup: Setup, name: str, game: int) -> list[Line]:
    """Choose the entries of a column: its openings first, the other boxes in any order, then Chance, zeros last."""
    chance = Random(f"{setup.edition} {name} {game}")
    first = list(setup.openings.get(name, ())) if game == 0 else []
    rest = []
    for box, pool in hands(setup.pad).items():
        if all(line.box != box for line in first):
            dice = chance.choice(sorted(pool))
            rest.append(Line(box, pool[dice], dice) if box == "chance" or chance.random() > 0.15 else Line(box, 0))
    chance.shuffle(rest)
    rest.sort(key=lambda line: (line.points == 0, line.box == "chance"))
    return first + rest


@dataclass
class Evening:
    """Three phones and a big screen around one pad, and what everybody has written there by their own reckoning."""

    setup: Setup
    server: Server
    phones: list[Screen]
    big: Screen
    columns: dict[str, dict[str, Line]] = field(default_factory=dict)

    @property
    def pages(self) -> list[Screen]:
        """All that show the score pad."""
        return [*self.phones, self.big]

    def seat(self, name: str) -> int:
        """Find somebody's seat."""
        return self.setup.names.index(name)

    def phone(self, name: str) -> Screen:
        """Find somebody's phone."""
        return next(one for one, names in zip(self.phones, self.setup.phones, strict=True) if name in names)

    # Coming together.

    def gather(self) -> None:
        """Open a pad on the first phone, let the others come by its link, and begin."""
        first, setup = self.phones[0], self.setup
        visit(first, self.server.url, "[data-edition]")
        first.choose_edition(setup.edition, **setup.agreed).press("[data-mode=pad]")
        if not first.is_visible(".seated-name"):
            first.type_into("[data-field=name]", setup.names[0])
            first.press("[data-act=add-name]")
        while first.is_visible(".seated li:nth-child(2)"):
            first.press(".seated li:nth-child(2) .gone")
        first.press("[data-act=phones]")
        first.wait_for(".invite [data-code]")
        for one, names in zip(self.phones, setup.phones, strict=True):
            if one is not first:
                visit(one, first.page.url, ".seating [data-field=name]")
            for name in names[one is first :]:
                one.find(".seating [data-field=name]").fill(name)
                one.press("[data-act=sit]")
                expect(first.find(".seat-name").get_by_text(name, exact=True)).to_be_visible()
        if setup.ours:
            one = self.phone(setup.ours)
            one.press(f"[data-seat='{self.seat(setup.ours)}']")
            one.press("[data-act=real-dice]")
            expect(one.find(f"[data-seat='{self.seat(setup.ours)}']")).to_contain_text("our dice")
        if setup.bot:
            first.add_bot()
        self.big.page.goto(f"{first.page.url}/screen")
        expect(self.big.find(".seat-name")).to_have_count(len(setup.names) + setup.bot)
        first.press("[data-act=start]")
        self.begun()

    def begun(self) -> None:
        """Wait until everybody can write."""
        for one in self.phones:
            one.wait_for(FACE_KEY, ANNOUNCE_CELL, ROLL_BUTTON, ".rounds")

    # Writing.

    def write(self, game: int, taps: int | None) -> None:
        """Fill everybody's column: some entries of each by finger, or all, and the others in one go."""
        setup = self.setup
        lines = {name: column(setup, name, game) for name in setup.names if name != setup.ours}
        self.columns = {name: {line.box: line for line in mine} for name, mine in lines.items()}
        for place in range(taps or max(map(len, lines.values()))):
            for name, mine in lines.items():
                way = WAYS[(place + self.seat(name)) % len(WAYS)]
                if place < len(mine):
                    self.tap(name, mine[place], way)
                if place == 3 and name == setup.names[0]:
                    self.take_back(name, mine[place], way)
        for one, names in zip(self.phones, setup.phones, strict=True):
            rest = [
                (name, line) for name in names if name != setup.ours for line in (lines[name][taps:] if taps else ())
            ]
            one.page.evaluate(HAND_IN, [step for name, line in rest for step in self.steps(name, line)])
        if setup.ours:
            one = self.phone(setup.ours)
            for _ in range(taps or len(hands(setup.pad))):
                one.play_turn()
            one.page.evaluate(OUR_DICE, self.seat(setup.ours))

    def steps(self, name: str, line: Line) -> list[tuple[int, str, str, str]]:
        """Say a line as actions."""
        call = [(self.seat(name), f"!{line.box}", "", "")] if self.setup.announced else []
        return [*call, (self.seat(name), f"{line.box}={line.text}", line.box, line.text)]

    def tap(self, name: str, line: Line, way: str) -> None:
        """Enter a line by finger or keyboard."""
        one, box = self.phone(name), f".cell[data-box={line.box}]"
        expect(one.find(".keypad-prompt")).to_contain_text(name)
        if self.setup.announced and not line.anyway:
            one.press(f"{ANNOUNCE_CELL}[data-box={line.box}]")
            expect(one.find(f"tr.announced {box}")).to_be_visible()
        if self.tells(name, line, way):
            tell(one, line.dice, way)
            expect(one.find(f"{PREVIEW_CELL}{box}, .refused{box}")).to_have_text("–" if line.anyway else line.text)
            self.choose(one, box)
        elif self.setup.announced and line.anyway:
            one.press(f"tr:has({box}) th .name")
            one.press(".menu [data-act=points]")
            one.press(f".picker [data-points='{line.text}']")
        else:
            self.choose(one, box)
            one.press(f".picker [data-points='{line.text}']")
        if line.anyway:
            one.press(CONFIRM_BUTTON)

    def tells(self, name: str, line: Line, way: str) -> bool:
        """Say whether somebody tells the dice of a line, and not its points alone."""
        opens = line in self.setup.openings.get(name, ())
        return bool(line.dice) and (opens or (way != "points" and line.box != "chance"))

    def choose(self, one: Screen, box: str) -> None:
        """Tap a box; where it may have been tapped a moment ago, choose it by keyboard, as no second tap counts."""
        if self.setup.announced or len(self.setup.phones[self.phones.index(one)]) > 1:
            one.find(box).locator("visible=true").press("Enter")
        else:
            one.press(box)

    def take_back(self, name: str, line: Line, way: str) -> None:
        """Undo the entry somebody has just made, and make it again; dice that were entered still lie there."""
        one, box = self.phone(name), f".cell[data-box={line.box}]"
        one.press("[data-act=undo]")
        expect(one.find(".keypad-prompt")).to_contain_text(name)
        expect(one.find(f"{box}:not(.filled):not(.pending)")).to_be_visible()
        if self.tells(name, line, way):
            one.wait_for(f"{PREVIEW_CELL}{box}")
        self.choose(one, box)
        if not self.tells(name, line, way):
            one.press(f".picker [data-points='{line.text}']")

    def mend(self) -> None:
        """Correct an entry when everything is full, and wait until all pages know it."""
        name, line = self.setup.mend
        one = self.phone(name)
        one.press(f"[data-entry={line.box}]")
        one.press(f".correct [data-points='{line.text}']")
        row = list(hands(self.setup.pad)).index(line.box)
        for page in self.pages:
            expect(page.find(".board tr.line").nth(row).locator("td").nth(self.seat(name))).to_have_text(line.text)
        self.columns[name][line.box] = line

    # Adding up.

    def agree(self) -> list[int]:
        """Insist that all pages show what was written, added up and ranked as we do it; give the totals."""
        shown = [one.page.evaluate(SHEET) for one in self.pages]
        assert all(one == shown[0] for one in shown), shown
        sheet, boxes = shown[0], list(hands(self.setup.pad))
        columns = [dict(zip(boxes, map(int, cells), strict=True)) for cells in zip(*sheet["rows"], strict=True)]
        for name, lines in self.columns.items():
            assert columns[self.seat(name)] == {box: lines[box].points for box in boxes}, name
        extras = [int(extra or 0) for extra in sheet["extra"]]
        for name, lines in self.columns.items():
            assert extras[self.seat(name)] == sum(line.extra for line in lines.values()), name
        least, paid = self.setup.bonus
        above = [sum(points for box, points in one.items() if box in hands(UPPER)) for one in columns]
        bonuses = [paid if points >= least else 0 for points in above]
        totals = [sum(one.values()) + bonus + extra for one, bonus, extra in zip(columns, bonuses, extras, strict=True)]
        assert sheet["bonus"] == [str(bonus) for bonus in bonuses]
        assert sheet["total"] == [str(total) for total in totals]
        assert sheet["ranking"] == self.ranking(totals)
        return totals

    def ranking(self, totals: list[int]) -> list[str]:
        """Rank everybody; who has the same shares a place."""
        names = [
            *self.setup.names,
            *self.phones[0].find("thead th[data-seat] .name").all_text_contents()[len(self.setup.names) :],
        ]
        order = sorted(range(len(totals)), key=lambda seat: (-totals[seat], seat))
        return [f"{1 + sum(one > totals[seat] for one in totals)}.{names[seat]}{totals[seat]}" for seat in order]

    def close(self) -> Record:
        """Say on the last phone that this is the end, and read the record once all pages know it."""
        self.phones[-1].press(END_BUTTON)
        for one in self.phones:
            one.wait_for(".end [data-act=review]")
        self.big.wait_for(".end .ranking")
        content = self.phones[-1].download_record()
        verdict = verify(content, "evening.knobel")
        assert verdict.is_verified, verdict.why
        return parse_record(content, "evening.knobel")

    def recorded(self, record: Record, totals: list[int]) -> None:
        """Insist that the record tells of the same evening."""
        told = replay_record(record)
        for seat, total in enumerate(totals):
            game = told.track(seat).game
            assert isinstance(game, SheetGame)
            assert game.tally(told.track(seat).state, 0).total == total
        for name, lines in self.columns.items():
            bent, mended = list_marked_boxes(told, self.seat(name))
            assert set(bent) == {box for box, line in lines.items() if line.anyway}, name
            assert set(mended) == ({self.setup.mend[1].box} if name == self.setup.mend[0] else set())

    def ranked(self) -> list[list[str]]:
        """What each page says about who came where."""
        places = [one.find(".end .ranking .place").all_text_contents() for one in self.pages]
        names = [one.find(".end .ranking .name").all_text_contents() for one in self.pages]
        return [
            [f"{place}{name}" for place, name in zip(*both, strict=True)] for both in zip(places, names, strict=True)
        ]


@pytest.fixture(scope="module")
def around(browser: Browser) -> Iterator[tuple[list[Screen], Screen]]:
    """Three phones and a big screen; they stay on the table all evening."""
    phones, big = [open_screen(browser, "phone") for _ in range(3)], open_screen(browser)
    phones[0].page.context.add_init_script(HASTE)
    yield phones, big
    for one in (*phones, big):
        one.page.context.close()


def visit(one: Screen, address: str, *shows: str) -> None:
    """Go to a page as a link of the server does, if the server is open already."""
    if one.page.url.startswith("http"):
        one.page.evaluate(GO, address)
    else:
        one.page.goto(address)
    one.wait_for(*shows)


def tell(one: Screen, dice: str, way: str) -> None:
    """Tell the dice, on the keys of the pad or on a keyboard."""
    if way == "typed":
        one.wait_for(FACE_KEY)
        one.page.keyboard.type(dice)
    else:
        for face in dice:
            one.press(f"{FACE_KEY}[data-face='{face}']")


def name_setup(setup: Setup) -> str:
    return setup.edition


def adds_up(setup: Setup) -> bool:
    """Whether the games of a group are added up, or stand for themselves."""
    return bool(load_edition(setup.edition).rules().series == "agreed")


def a_whole_evening(setup: Setup, server: Server, around: tuple[list[Screen], Screen], taps: int | None) -> None:
    """Play as many games as agreed, to the end."""
    evening = Evening(setup, server, *around)
    evening.gather()
    sums = []
    for game in range(setup.agreed.get("games", 1)):
        if game:
            evening.phones[0].press("[data-act=rematch]")
            for one in evening.pages:
                expect(one.find(".end")).to_be_hidden()
            evening.begun()
        evening.write(game, 1 if game else taps)
        for one in evening.phones:
            expect(one.find(END_BUTTON)).to_be_visible()
        evening.mend()
        record = evening.close()
        sums.append(evening.agree())
        evening.recorded(record, sums[-1])
    if len(sums) > 1:
        for one in evening.pages:
            totals = sorted(map(sum, zip(*sums, strict=True)), reverse=True)
            told = one.find(".series td.sum").all_text_contents()
            assert told == ([str(total) for total in totals] if adds_up(setup) else [])
            games = one.find(".series tbody td:not(.sum)").all_text_contents()
            assert sorted(map(int, games)) == sorted(points for game in sums for points in game)
    for one in evening.pages:
        one.check_problems()


@pytest.mark.rest
@pytest.mark.parametrize(
    "setup", [*SETUPS[:2], *(pytest.param(one, marks=pytest.mark.torture) for one in SETUPS[2:])], ids=name_setup
)
def test_a_whole_evening_on_three_phones_and_a_big_screen(
    server: Server, around: tuple[list[Screen], Screen], setup: Setup
) -> None:
    a_whole_evening(setup, server, around, TAPS)


@pytest.mark.torture
@pytest.mark.parametrize("setup", SETUPS, ids=name_setup)
def test_every_box_of_every_column_is_filled_by_finger(
    server: Server, around: tuple[list[Screen], Screen], setup: Setup
) -> None:
    a_whole_evening(setup, server, around, None)


# Rounds of Chicago: who, what the dice show, in how many rolls for an opener, and what they ask for; then all chips.

ROLLED = (("Ada", "666"), ("Ben", "111"), ("Cleo", "222"), ("Cora", "333"))
ROUNDS: tuple[tuple[tuple[tuple[str, str, str], ...], tuple[int, int, int, int]], ...] = (
    ((("Ada", "632", "2 over"), ("Ben", "654", ""), ("Cleo", "321", ""), ("Cora", "441", "")), (0, 0, 1, 0)),
    (
        (
            ("Cleo", "653", "1 over"),
            ("Cora", "432", ""),
            ("Ada", "531", ""),
            ("Cora", "641", "tie"),
            ("Ada", "421", "tie"),
        ),
        (1, 0, 1, 0),
    ),
    ((("Ada", "642", "1 over"), ("Cleo", "111", ""), ("Cora", "631", "")), (1, 0, 0, 1)),
    ((("Cora", "431", "3 under"), ("Ada", "321", "")), (1, 0, 0, 2)),
    ((("Cora", "431", "1 under"), ("Ada", "333", "")), (2, 0, 0, 1)),
    ((("Ada", "433", "1 over"), ("Cora", "663", "")), (3, 0, 0, 0)),
)


@pytest.mark.rest
def test_an_evening_of_rounds_with_real_dice(server: Server, around: tuple[list[Screen], Screen]) -> None:
    setup = Setup("carlit-chicago", "", (0, 0), (("Ada",), ("Ben",), ("Cleo", "Cora")))
    evening = Evening(setup, server, *around)
    evening.gather()
    for name, dice in ROLLED:
        show(evening.phone(name), name, dice, "tie")
    for moves, chips in ROUNDS:
        for name, dice, how in moves:
            show(evening.phone(name), name, dice, how)
        for one in evening.pages:
            for seat, n in enumerate(chips):
                expect(one.find(f".players tr[data-seat='{seat}'] .token")).to_have_count(n)
    record = evening.close()
    assert evening.ranked() == [["1.Ben", "2.Cleo", "3.Cora", "4.Ada"]] * 4
    outcome = replay_record(record).outcome
    assert outcome is not None
    assert outcome.places == ((1,), (2,), (3,), (0,))
    for one in evening.pages:
        one.check_problems()


def show(one: Screen, name: str, dice: str, how: str) -> None:
    """Tell the dice of a turn, the last one wrong at first, and stop there."""
    expect(one.find(".keypad-prompt")).to_contain_text(name)
    one.wait_for(FACE_KEY)
    if how[:1].isdigit():
        one.press(f".roll-count .pick:nth-child({how[0]})")
    if how or dice == "111":
        one.page.keyboard.type(dice)
    else:
        one.page.keyboard.type(f"{dice[:2]}{7 - int(dice[2])}")
        one.wait_for(f".tray .main-button:has-text('{int(dice[0]) + int(dice[1]) + 7 - int(dice[2])}')")
        one.page.keyboard.press("Backspace")
        one.page.keyboard.type(dice[2])
    if how != "tie":
        one.press(f"[data-act=stand-{how[2:]}]" if how else f".tray .main-button:has-text('{sum(map(int, dice))}')")


# Bad lines.


def pick(one: Screen, name: str, box: str, points: str) -> None:
    """Enter points without dice."""
    expect(one.find(".keypad-prompt")).to_contain_text(name)
    one.press(f".cell[data-box={box}]")
    one.press(f".picker [data-points='{points}']")


def together(one: Screen, url: str, other: Screen, there: str) -> str:
    """Seat Ada and Ann on one phone and Ben on another, at a pad both can reach; give the address of its room."""
    one.expected_problems = CONNECTION_LOST
    one.open_home(url).choose_edition("tactic-xl-yatzy").press("[data-mode=pad]")
    one.type_into("[data-field=name]", "Ada")
    one.press("[data-act=add-name]")
    one.press("[data-act=phones]")
    one.wait_for(".invite [data-code]")
    one.take_seat("Ann")
    room = one.page.url.replace(url, there)
    other.page.goto(room)
    other.wait_for("[data-field=name]")
    other.take_seat("Ben")
    expect(one.find(".seat-name")).to_have_count(3)
    one.press("[data-act=start]")
    for each in (one, other):
        each.wait_for(FACE_KEY)
    return room


def record_of(one: Screen, server: Server) -> Record:
    """Read the record of the game on the table so far; it must be one that can be played again."""
    with urlopen(f"{server.url}/games/{one.page.evaluate(GAME)}.knobel") as answer:  # noqa: S310
        record = parse_record(answer.read(), "read.knobel")
    replay_record(record)
    return record


def actions(one: Screen, server: Server, *seats: int) -> list[tuple[int, str]]:
    """List what these seats did, in order."""
    events = record_of(one, server).events
    return [(event.seat, event.action) for event in events if isinstance(event, Acted) and event.seat in seats]


def same_sheet(*pages: Screen) -> None:
    """Insist that pages come to show the same."""
    poll_until(lambda: len({str(one.page.evaluate(SHEET)) for one in pages}) == 1)


@pytest.mark.rest
def test_entries_of_a_phone_without_a_line_arrive_once_and_in_order(screen: OpenScreen, server: Server) -> None:
    ada, ben, big = screen("phone"), screen("phone"), screen()
    with FaultyLink(server.port) as link:
        room = together(ada, link.url, ben, server.url)
        big.page.goto(f"{room}/screen")
        link.cut()
        expect(ada.find("#lost")).to_be_visible()
        pick(ada, "Ada", "ones", "3")
        ada.press("[data-act=undo]")
        expect(ada.find(".pending")).to_have_count(0)
        pick(ada, "Ada", "fours", "12")
        expect(ada.find(".keypad-prompt")).to_contain_text("Ann")
        tell(ada, "66661", "typed")
        ada.press(".cell.preview[data-box=sixes]")
        pick(ben, "Ben", "fives", "15")
        pick(ada, "Ada", "twos", "0")
        pick(ada, "Ann", "threes", "9")
        expect(ada.find("#lost")).to_have_text("No connection. 4 entries are waiting.")
        expect(ada.find("td.shown .pending")).to_have_text(["0", "12"])
        pick(ben, "Ben", "chance", "21")
        later = Screen(ada.page.context.new_page(), ada.touch)
        ada.page.close()
        link.restore()
        later.page.goto(room.replace(server.url, link.url))
        expect(later.find("[data-entry=twos]").first).to_have_text("0")
        expect(later.find(".pending")).to_have_count(0)
        expect(big.find(".so-far li")).to_have_text(["1.Ben36", "2.Ann33", "3.Ada12"])
        told = ((0, "ones=3"), (0, "fours=12"), (1, "=66661"), (1, "sixes"), (0, "twos=0"), (1, "threes=9"))
        assert actions(ben, server, 0, 1) == list(told)
        assert actions(ben, server, 2) == [(2, "fives=15"), (2, "chance=21")]
        assert sum(isinstance(event, Undone) for event in record_of(ben, server).events) == 1
        same_sheet(later, ben, big)
        later.check_problems()
        later.page.context.close()


@pytest.mark.rest
def test_a_waiting_entry_that_is_refused_is_named_and_only_what_hangs_on_it_falls(
    screen: OpenScreen, server: Server
) -> None:
    ada, ben = screen("phone"), screen("phone")
    with FaultyLink(server.port) as link:
        room = together(ada, link.url, ben, server.url)
        link.cut()
        expect(ada.find("#lost")).to_be_visible()
        pick(ada, "Ada", "fours", "12")
        pick(ada, "Ann", "fours", "8")
        pick(ada, "Ada", "fives", "15")
        pick(ben, "Ben", "fours", "16")
        other = Screen(ada.page.context.new_page(), ada.touch)
        secret = ada.page.evaluate("localStorage['knobel.secret']")
        other.page.add_init_script(f"localStorage['knobel.secret'] = '{secret}'")  # the link is an origin of its own
        other.page.goto(room)
        pick(other, "Ada", "fours", "4")
        expect(ben.find(".board tr.total td").first).to_have_text("4")
        ada.page.bring_to_front()
        link.restore()
        ada.page.evaluate(ONLINE)
        expect(ada.find(".ask h2")).to_have_text("Not scored: Ada, Fours, 12")
        expect(ada.find(".ask .undone-list")).to_have_text("Ada, Fives, 15")
        ada.press("[data-act=ok]")
        expect(ada.find(".pending")).to_have_count(0)
        expect(ben.find(".board tr.total td")).to_have_text(["4", "8", "16"])
        assert actions(ben, server, 0, 1) == [(0, "fours=4"), (1, "fours=8")]
        same_sheet(ben, ada, other)
        ada.press(".seats [data-seat='0']")
        pick(ada, "Ada", "fives", "15")
        expect(ben.find(".board tr.total td")).to_have_text(["19", "8", "16"])
        other.check_problems()
        ada.page.context.close()


# Corrections that hang together.


def amend(one: Screen, box: str, *ways: str) -> None:
    """Open the correction of an entry, and press what is asked for there."""
    one.press(f"[data-entry={box}]")
    for way in ways:
        if way.isdigit():
            one.press(".correct [data-tab=dice]")
            one.page.keyboard.type(way)
        else:
            one.press(f".correct {way}")


@pytest.mark.rest
def test_a_chain_of_corrections_is_refused_where_a_later_entry_would_break_and_goes_on_from_there(
    screen: OpenScreen, server: Server
) -> None:
    one = screen().open_home(server.url).choose_edition("mb-yahtzee").start_score_pad("Ada")
    one.page.keyboard.type("66666")
    one.score("yatzy")
    pick(one, "Ada", "sixes", "30+100")
    pick(one, "Ada", "twos", "8")
    pick(one, "Ada", "full_house", "25")
    total = one.find(".total td.shown")
    expect(total).to_have_text(str(50 + 30 + 100 + 8 + 25))
    amend(one, "twos", "[data-points='6']")
    expect(total).to_have_text(str(50 + 30 + 100 + 6 + 25))
    amend(one, "full_house", "[data-tab=box]", "[data-row=chance]", "[data-points='21']")
    expect(total).to_have_text(str(50 + 30 + 100 + 6 + 21))
    amend(one, "yatzy", "55551", "[data-row=four_of_a_kind]")
    expect(one.find(".correct .wrong")).to_contain_text("Sixes")
    one.press(".correct [data-act=close]")
    expect(total).to_have_text(str(50 + 30 + 100 + 6 + 21))
    amend(one, "sixes", "66661", "[data-row=sixes]")
    expect(total).to_have_text(str(50 + 24 + 6 + 21))
    amend(one, "yatzy", "55551", "[data-row=four_of_a_kind]")
    expect(total).to_have_text(str(21 + 24 + 6 + 21))
    expect(one.find(".cell.corrected[data-entry]")).to_have_count(4)
    told = [event.actions for event in record_of(one, server).events if isinstance(event, Corrected)]
    assert told == [("twos=6",), ("chance=21",), ("=66661", "sixes"), ("=55551", "four_of_a_kind")]


def test_the_way_back_takes_open_points_along(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url).choose_edition("noris-yatzy").start_score_pad("Ada", "Ben")
    one.press(".cell[data-box=sixes]")
    one.wait_for(".picker")
    one.page.go_back()
    one.wait_for("[data-edition]")
    expect(one.find("dialog")).to_have_count(0)
