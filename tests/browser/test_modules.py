"""The modules of the pages: one notation, one table of families, no cycles, and what an older page left behind."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from knobel.errors import NotationError
from knobel.game import Action, Announce, EnterDice, EnterPoints, Land, Leave, Roll, Score, Stand
from knobel.notation import read_action, read_dice, write_action, write_dice, write_points
from tests.screenshots import GO
from tests.support.browser import ROLL_BUTTON, OpenScreen, Server, open_screen

TESTS = Path(__file__).parents[1]
STATIC = TESTS.parent / "src" / "knobel" / "web" / "static"
PAIRS = json.loads((TESTS / "notation_pairs.json").read_text(encoding="utf-8"))
MODULES = {path.name: path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("*.js"))}
TABLE_OF_FAMILIES = "families.js"
ASKS_FAMILY = re.compile(r"family\s*(?:===?|!==?)|[\"'](?:sheet|rounds)[\"']|unit\s*(?:===?|!==?)|case [\"']rounds")


@pytest.fixture(scope="module")
def bench(browser: Any, server: Server) -> Iterator[Page]:
    """A page on which modules are tried."""
    one = open_screen(browser).open_home(server.url)
    yield one.page
    one.page.context.close()
    one.check_problems()


# Figures that add up.

ROUND = """async (rows) => {
  const { roundShares } = await import("/static/share-format.js");
  return rows.map(roundShares);
}"""
LEDGERS = """async (rows) => {
  const { formatLedger } = await import("/static/number-format.js");
  return rows.map(([par, lost, final]) => formatLedger({ par, lost, final }));
}"""


def make_shares(random: Random) -> list[float]:
    """Make chances that are 1 together, some of them tiny or none at all."""
    weights = [random.choice((0.0, 1e-4, 0.01, 1.0)) * random.random() for _ in range(random.randint(2, 9))]
    total = sum(weights)
    return [one / total for one in weights] if total else [1.0, 0.0]


def test_percentages_add_up_to_a_hundred_and_what_is_possible_is_not_none(bench: Page) -> None:
    random = Random(5)
    rows = [[0.14, 0.855, 0.005], [2 / 3, 1 / 3], [1 / 3] * 3, [1.0, 0.0], [0.9999, 0.0, 0.0001]]
    rows += [make_shares(random) for _ in range(500)]
    found = bench.evaluate(ROUND, rows)
    assert found[:5] == [["14", "86", "<1"], ["67", "33"], ["34", "33", "33"], ["100", "0"], [">99", "<1", "<1"]]
    for chances, shown in zip(rows, found, strict=True):
        whole = [0 if one == "<1" else 100 if one == ">99" else int(one) for one in shown]
        assert sum(whole) == 100, (chances, shown)
        assert all(abs(one - 100 * chance) < 1 for one, chance in zip(whole, chances, strict=True))
        assert all(one != "0" for one, chance in zip(shown, chances, strict=True) if chance > 1e-6)
        assert all(one != "100" for one, chance in zip(shown, chances, strict=True) if chance < 1 - 1e-6)
        assert not (">99" in shown and "0" in shown)


def test_the_sum_of_a_review_adds_up_as_it_is_shown(bench: Page) -> None:
    random = Random(6)
    rows = [[random.uniform(10, 300), random.uniform(0, 90), random.randrange(400) + 1e-12] for _ in range(300)]
    for row, shown in zip(rows, bench.evaluate(LEDGERS, rows), strict=True):
        par, luck, lost = (
            round(10 * float(shown[one].replace("−", "-").lstrip("±"))) for one in ("par", "luck", "lost")
        )
        assert par + luck - lost == 10 * round(row[2])
        assert shown["final"] == str(round(row[2]))


# One notation.


class Lying:
    """A state of which only the dice count."""

    def __init__(self, *dice: int) -> None:
        self.dice = dice


def encode_action(action: Action) -> dict[str, Any]:
    """Encode an action as the shared file does."""
    match action:
        case Announce(box):
            return {"kind": "announce", "box": box}
        case Score(box, cross_out, anyway):
            return {"kind": "score", "box": box, "cross_out": cross_out, "anyway": anyway}
        case EnterPoints(box, points, extra, alike, anyway):
            text = write_points(points, extra, alike)
            return {"kind": "enter_points", "box": box, "points": text, "anyway": anyway}
        case Land(dice):
            return {"kind": "land", "dice": list(dice)}
        case EnterDice(dice, rolls):
            return {"kind": "enter_dice", "dice": list(dice), "rolls": rolls}
        case Stand(aim):
            return {"kind": "stand", "aim": aim}
        case Leave(seat):
            return {"kind": "leave", "seat": seat}
        case Roll(keep):
            return {"kind": "roll", "keep": list(keep)}


def test_python_reads_and_writes_the_shared_pairs() -> None:
    nothing: Any = Lying()
    for text, meant in PAIRS["actions"].items():
        action = read_action(nothing, text)
        assert encode_action(action) == meant
        assert write_action(nothing, action, 5) == text
    for roll in PAIRS["rolls"]:
        lying: Any = Lying(*roll["dice"])
        assert read_action(lying, roll["text"]) == Roll(tuple(roll["kept"]))
        assert write_action(lying, Roll(tuple(roll["kept"])), roll["count"]) == roll["text"]
    for text, dice in PAIRS["dice"].items():
        assert (read_dice(text), write_dice(tuple(dice))) == (tuple(dice), text)
    for text, points in PAIRS["points"].items():
        assert write_points(points["points"], points["extra"], points["alike"]) == text
    for text in PAIRS["nothing"]:
        with pytest.raises(NotationError):
            read_action(nothing, text)


READ = """async (pairs) => {
  const notation = await import("/static/notation.js");
  const renamed = ([key, value]) => [key === "crossOut" ? "cross_out" : key, value];
  const keys = (found) => found && Object.fromEntries(Object.entries(found).map(renamed));
  const write = {
    announce: ({ box }) => notation.writeAnnounce(box), land: ({ dice }) => notation.writeLand(dice),
    score: ({ box, cross_out: crossOut, anyway }) => notation.writeScore(box, { crossOut, anyway }),
    enter_points: ({ box, points, anyway }) => notation.writeEnterPoints(box, points, { anyway }),
    enter_dice: ({ dice, rolls }) => notation.writeEnterDice(dice, rolls),
  };
  const texts = (part) => Object.keys(pairs[part]);
  return {
    actions: Object.fromEntries(texts("actions").map((text) => [text, keys(notation.readAction(text))])),
    written: Object.fromEntries(Object.entries(pairs.actions).filter(([, { kind }]) => write[kind])
      .map(([text, meant]) => [text, write[meant.kind](meant)])),
    rolls: pairs.rolls.map(({ count, dice, kept }) => notation.writeRoll(count, dice, new Set(kept))),
    kept: pairs.rolls.map(({ text }) => notation.readKept(text)),
    dice: Object.fromEntries(texts("dice").map((text) => [text, notation.readDice(text)])),
    back: Object.values(pairs.dice).map(notation.writeDice),
    points: Object.fromEntries(texts("points").map((text) => [text, notation.readPoints(text)])),
    nothing: pairs.nothing.map(notation.readAction),
  };
}"""


def test_the_browser_reads_and_writes_the_shared_pairs(bench: Page) -> None:
    found = bench.evaluate(READ, PAIRS)
    assert found["actions"] == PAIRS["actions"]
    assert found["written"] == {text: text for text in found["written"]}
    assert len(found["written"]) == sum(one["kind"] not in ("stand", "leave") for one in PAIRS["actions"].values())
    assert found["rolls"] == [roll["text"] for roll in PAIRS["rolls"]]
    assert found["kept"] == [roll["kept"] for roll in PAIRS["rolls"]]
    assert found["dice"] == PAIRS["dice"]
    assert set(found["back"]) == set(PAIRS["dice"])
    assert found["points"] == {text: {"text": text, **points} for text, points in PAIRS["points"].items()}
    assert found["nothing"] == [None] * len(PAIRS["nothing"])


# Whose page is shown.


def test_pages_about_people_begin_with_whoever_is_named_here_else_played_most_else_sits_first(bench: Page) -> None:
    def find_usual(name: str, *people: tuple[str, int]) -> str:
        found: str = bench.evaluate(
            """async ([name, people]) => {
              const { prefs } = await import("/static/prefs.js");
              const { findUsualPerson } = await import("/static/your-pages.js");
              const before = [prefs.get("name"), prefs.get("usual_players")];
              prefs.set("name", name);
              prefs.set("usual_players", ["Oma", "Lena"]);
              const usual = findUsualPerson(people.map(([name, games]) => ({ name, games, hidden: name === "Kit" })));
              prefs.set("name", before[0]);
              prefs.set("usual_players", before[1]);
              return usual?.name ?? "";
            }""",
            [name, [list(one) for one in people]],
        )
        return found

    assert find_usual("", ("Lena", 1), ("Oma", 1)) == "Oma"
    assert find_usual("", ("Lena", 2), ("Oma", 1), ("Kit", 9)) == "Lena"
    assert find_usual("Oma", ("Lena", 2), ("Oma", 1)) == "Oma"
    assert find_usual("Oma", ("Lena", 2), ("Oma", 0)) == "Lena"
    assert find_usual("Oma") == ""


def test_no_other_module_builds_an_action() -> None:
    builds = re.compile(r"action: [\"'`]|`[~!/=>]\$\{|\.toString\(13\)|parseInt\([^)]*13\)|\.startsWith\([\"'][!~=>]")
    apart = {"notation.js", "event-checker.js"}  # the check of a record stands for itself
    assert [name for name, code in MODULES.items() if name not in apart and builds.search(code)] == []


# One table of families.


def test_only_the_table_of_families_asks_which_family_a_game_is() -> None:
    known = {TABLE_OF_FAMILIES}
    assert [name for name, code in MODULES.items() if name not in known and ASKS_FAMILY.search(code)] == []


COIN = {"game": "coin-1", "title": "Heads", "publisher": "Tests", "text": "en", "dice": 1, "faces": 2, "rolls": 1}
SERIES: dict[str, Any] = {
    "games": 1,
    "number": 1,
    "independent": True,
    "standing": None,
    "agreed": None,
    "totals": [],
    "played": [],
    "scores": None,
    "places": None,
    "next": False,
    "starter": None,
}


def coin_seat(name: str, heads: int) -> dict[str, Any]:
    """A player of the third family."""
    plain = {"bot": None, "away": False, "stand_in": None, "left": False, "beginner": False, "real_dice": False}
    return {"name": name, **plain, "assisted": False, "ply": heads, "heads": heads}


def coin_room() -> dict[str, Any]:
    """A room in which the third family is played."""
    plain = {"bot": None, "beginner": False, "real_dice": False, "offered": False, "sealed": True, "present": True}
    seat: dict[str, Any] = {**plain, "handicap": 0}
    seats = [
        {"name": "Ada", "yours": True, "host": True, **seat},
        {"name": "Ben", "yours": False, "host": False, **seat},
    ]
    agreed = {"edition": "coin", "title": "Heads", "publisher": "", "family": "coin", "text": "en", "texts": ["en"]}
    state = {"id": "coins", "code": None, "running": True, "host": True, "game": "coin-1", "next_game": "coin-2"}
    more: dict[str, Any] = {
        "switches": {},
        "house_rules": None,
        "free": False,
        "pace": 1,
        "spectators": 0,
        "begin_refusal": None,
    }
    return {
        **state,
        **agreed,
        **more,
        "series": SERIES,
        "seats": seats,
        "commitment": "",
        "sealed": True,
    }


def coin_position(heads: int) -> dict[str, Any]:
    """Where a game of the third family stands."""
    tray = {"seat": 0, "phase": "roll", "prompt": "Ada tosses.", "own_prompt": "You toss."} | {
        "turn": heads,
        "dice": [],
        "locked": [],
        "rolling": [],
    }
    view = {"game": "coin-1", "ply": heads, "count": heads, "head": "", "round": heads + 1, "goal": 3, "undo": []}
    state: dict[str, Any] = {"waiting": [], "places": None, "closed": None, "practice": False, "seeded": False}
    seats = [coin_seat("Ada", heads), coin_seat("Ben", 0)]
    trays = [{**tray, "rolled": 0, "rolls": 1, "roll_refusal": None, "asks_rolls": False}]
    last = [{"event": "acted", "seat": 0, "action": "."}] if heads else []
    narration = [f"Ada has {heads} heads."] if heads else []
    return {
        "family": "coin",
        "view": {**view, **state, "seats": seats, "trays": trays},
        "last": last,
        "narration": narration,
        "own": [None for _ in narration],
        "seconds_left": None,
    }


REGISTER = """async () => {
  const { registerFamily } = await import("/static/families.js");
  const help = { lastStep: "help.choose", undo: "help.undo", keys: [] };
  const load = () => import("/static/coin-family.js");
  registerFamily("coin", { freeTurns: false, describeFacts: () => "a coin", help, load });
}"""


def test_a_third_family_is_drawn_and_played_without_another_file_touched(screen: OpenScreen, server: Server) -> None:
    one = screen("phone")
    tosses: list[str] = []

    def answer(link: WebSocketRoute) -> None:
        def tell(tag: str, **content: Any) -> None:
            link.send(json.dumps({"is": tag, **content}))

        def hear(message: str | bytes) -> None:
            wish = json.loads(message)
            if wish["do"] == "want" and wish["intent"]["want"] == "act":
                tosses.append(wish["intent"]["action"])
                tell("done", id=wish["id"], count=len(tosses), head="")
                tell("position", **coin_position(len(tosses)))
            elif wish["do"] == "ping":
                tell("pong")

        link.on_message(hear)
        tell("room", view=coin_room())
        tell("game", family="coin", **COIN)
        tell("position", **coin_position(0))

    def board(route: Route) -> None:
        route.fulfill(body=(TESTS / "coin_family.js").read_text(encoding="utf-8"), content_type="text/javascript")

    one.page.route_web_socket(re.compile("/ws/5/coins"), answer)
    one.page.route("**/static/coin-family.js", board)
    one.open_home(server.url)
    one.page.evaluate(REGISTER)
    one.page.evaluate(GO, "/room/coins")
    expect(one.find(".coins [data-seat='0']")).to_have_text("Ada 0 of 3")
    expect(one.find(".bar")).to_contain_text("toss 1")
    for heads in (1, 2):
        one.press(ROLL_BUTTON)
        expect(one.find(".coins [data-seat='0']")).to_have_text(f"Ada {heads} of 3")
    expect(one.find(".tray .status")).to_have_text("Ada has 2 heads.")
    expect(one.find(".sum-line")).to_have_text("face ?")
    one.press(".coins [data-seat='1'] button")
    expect(one.find(".menu-head")).to_contain_text("Ben · 0 heads")
    assert tosses == [".", "."]


# No cycles.


def test_no_module_imports_itself_in_a_circle() -> None:
    imports = {name: re.findall(r"(?:from |import |import\()\"\./([\w.-]+)\"", code) for name, code in MODULES.items()}
    assert {other for others in imports.values() for other in others} <= set(MODULES)
    done: set[str] = set()

    def walk(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, [*way[way.index(name) :], name]
        if name not in done:
            for other in imports[name]:
                walk(other, (*way, name))
            done.add(name)

    for name in imports:
        walk(name, ())


def test_no_module_is_long() -> None:
    assert {name: lines for name, code in MODULES.items() if (lines := code.count("\n")) > 400} == {}


# What an older page left behind.

OLD_PREFS = {"guided": True, "family": ["Ada", "Ben"], "each_throw": True, "name": "Ada"}
LEFT = """([room, game, ply]) => {
  const intent = { want: "act", chair: 0, action: "chance=17", ply };
  const item = { id: "0123456789abcdef.7", game, intent, box: "chance", shown: "17", sent: true };
  localStorage[`knobel.queue.${room}`] = JSON.stringify([item]);
}"""
STATE = """async () => {
  const { connection } = await import("/static/connection.js");
  const { game, seats } = connection.position.view;
  const seeds = Object.keys(localStorage).filter((key) => key.startsWith("knobel.seed."));
  return { game, ply: seats[0].ply, seeds: seeds.length };
}"""


def entries(server: Server, game: str) -> list[str]:
    """What was entered in a game, as its record has it."""
    with urlopen(f"{server.url}/games/{game}.knobel") as answer:  # noqa: S310
        return re.findall(r"\"action\":\"([^\"]+)\"", answer.read().decode())


@pytest.mark.rest
def test_what_an_older_page_queued_arrives_once_and_its_preferences_are_kept(
    screen: OpenScreen, server: Server
) -> None:
    one = screen("phone").open_home(server.url).choose_edition("carlit-yatzy").start_score_pad("Ada")
    room, state = one.page.url.rpartition("/")[2], one.page.evaluate(STATE)
    assert state["seeds"] > 0
    one.page.goto(f"{server.url}/check/")
    one.wait_for("knobel-check label")
    one.page.evaluate(LEFT, [room, state["game"], state["ply"]])
    one.page.evaluate("prefs => { localStorage['knobel.prefs'] = JSON.stringify(prefs); }", OLD_PREFS)
    one.page.goto(f"{server.url}/room/{room}")
    expect(one.find("[data-entry=chance]")).to_have_text("17")
    expect(one.find("[data-act=each-roll] input")).to_be_checked()
    one.page.reload()
    expect(one.find("[data-entry=chance]")).to_have_text("17")
    assert one.page.evaluate("room => localStorage[`knobel.queue.${room}`] ?? null", room) is None
    assert entries(server, state["game"]).count("chance=17") == 1
    assert one.page.evaluate(STATE)["seeds"] == state["seeds"]
    one.open_home(server.url).choose_edition("carlit-yatzy").press("[data-mode=round]")
    expect(one.find(".seated-name")).to_have_text(["Ada", "Ben"])


def test_a_page_that_is_too_old_says_so_until_it_is_loaded_again(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url).choose_edition("carlit-yatzy").start_shared_game("Ada")
    room, links = one.page.url, list[WebSocketRoute]()

    def refuse(link: WebSocketRoute) -> None:
        links.append(link)
        link.close(code=4003, reason="Load this page again.")

    one.page.clock.install()
    one.page.route_web_socket(re.compile("/ws/"), refuse)
    one.page.goto(room)
    expect(one.find("#lost")).to_have_text("Load this page again.")
    one.page.evaluate("dispatchEvent(new Event('online'))")
    one.page.clock.run_for(60_000)
    assert one.page.evaluate("fetch('/api/hello').then((answer) => answer.ok)")
    expect(one.find("#lost")).to_be_visible()
    assert len(links) == 1
