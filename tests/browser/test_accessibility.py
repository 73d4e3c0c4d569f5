"""Whoever cannot see well, hear, or hold a mouse plays too: axe checks every screen."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeAlias

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, ViewportSize, expect

from tests.browser.test_play import tab_to
from tests.screenshots import (
    BY_HAND,
    TOURS,
    PreparedServer,
    Shots,
    device,
    first_visit,
    lobbies,
    visit,
    workers_folder,
)
from tests.support.browser import (
    CONFIRM_BUTTON,
    CONTINUE_BUTTON,
    END_BUTTON,
    PREVIEW_CELL,
    ROLL_BUTTON,
    Screen,
    launch_browser,
    open_screen,
)
from tests.support.language_walk import find_problems
from tests.support.selection import mostly_rest, rest

LANGUAGES = ("en", "fi")
PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 860}
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
FLAT = """
.tray, .start-panel, .tabletop { background: var(--felt) !important } .die { background: var(--ivory) !important }
.die.blank { background: none !important } .refused { background: none !important }
.rolls tbody tr:nth-child(n + 9) { display: none }
"""
"""Gradients as plain colours, the end with less contrast, as axe does not judge what lies on a gradient; few rows."""
READY = """css => {
  if (document.adoptedStyleSheets.length) return Boolean(window.axe);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
  return Boolean(window.axe);
}"""
RUN = """async ([runOnly, rules]) => {
  const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime));
  for (const animation of ending) animation.finish();
  const asked = { runOnly, rules, resultTypes: ["violations"], preload: false, selectors: false };
  const { violations } = await axe.run(document, asked);
  const told = ({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`;
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${told(node)}`));
}"""
SMALL = """() => {
  const doing = "button, a[href], select, summary, input:not(.unseen, .pick *, .switch *), label.pick, label.file";
  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("[inert]");
  const sized = [...document.querySelectorAll(doing)].filter(seen).map((one) => [one, one.getBoundingClientRect()]);
  return sized.filter(([, { width, height }]) => width < 43.9 || height < 43.9)
    .map(([one, { width, height }]) => `${Math.round(width)}x${Math.round(height)} ${one.outerHTML.slice(0, 120)}`);
}"""
"""What is too small for a finger."""
OF_A_KIND = (
    "home-switches",
    "settings",
    "lobby-host",
    "table-kept",
    "announced",
    "refused",
    "end-series",
    "rounds-follow",
)

"""One screen of each kind, checked in both sizes, light and dark; the others light on phones, dark on desktops."""
SAME = ("check-luck",)
"""Screens that differ from the one before only in where they are scrolled to."""

Tour: TypeAlias = Callable[[Screen, str, dict[str, str]], Shots]


def name_tour(tour: Tour) -> str:
    return tour.__name__


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PreparedServer]:
    """Prepare all tables, and start the server."""
    shared = workers_folder(tmp_path_factory, "access")
    with PreparedServer(tmp_path_factory.mktemp("access"), LANGUAGES, shared) as server:
        yield server


@pytest.fixture(scope="module")
def browser(server: PreparedServer) -> Iterator[Browser]:
    """A browser for this file; tables are prepared before it runs, as no other event loop can run beside it."""
    with launch_browser() as opened:
        yield opened


def run_axe(one: Screen, *rules: str, but: tuple[str, ...] = ()) -> list[str]:
    """List what axe finds on the page: by all rules, by some, or by all `but` some."""
    if not one.page.evaluate(READY, FLAT):
        one.page.evaluate(Axe().axe_script)
    only = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": TAGS}
    return [str(found) for found in one.page.evaluate(RUN, [only, {rule: {"enabled": False} for rule in but}])]


def start_tour(browser: Browser, server: PreparedServer, tour: Tour, lang: str) -> tuple[Screen, Shots]:
    """Start a tour on a small screen, in a language."""
    rooms = server.take_rooms(tour.__name__, lang)
    fresh: dict[str, Any] = {"guided": False, "name": "", "family": [], "known": []}
    known = {"rooms": [rooms["table-before"], rooms["theirs"], rooms["lobby-host"]]}
    one = device(browser, server, "desktop", "light", lang=lang, **(fresh if tour is first_visit else known))
    one.page.set_viewport_size(PHONE)
    return one, tour(one, server.url, rooms)


def at(one: Screen, size: ViewportSize, light: Literal["light", "dark"]) -> Screen:
    """Look at the same screen in another size, by another light."""
    one.page.set_viewport_size(size)
    one.page.emulate_media(color_scheme=light)
    return one


def end_tour(one: Screen, found: dict[str, list[str]]) -> None:
    """Close the screen, and insist that nothing was found on the tour."""
    one.page.context.close()
    wrong = {name: what for name, what in found.items() if what}
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)


@pytest.mark.parametrize("tour", mostly_rest(TOURS, first_visit), ids=name_tour)
def test_axe_finds_nothing_on_any_screen_in_light_and_in_dark(
    browser: Browser, server: PreparedServer, tour: Tour
) -> None:
    one, screens = start_tour(browser, server, tour, "en")
    found = {}
    for name in screens:
        if name in SAME:
            continue
        found[name] = run_axe(one) + one.page.evaluate(SMALL)
        if name in OF_A_KIND:
            found[f"{name}, on a desktop"] = run_axe(at(one, DESKTOP, "light"), "color-contrast")
            found[f"{name}, dark"] = run_axe(at(one, PHONE, "dark"), "color-contrast")
        found[f"{name}, dark, on a desktop"] = run_axe(at(one, DESKTOP, "dark"))
        at(one, PHONE, "light")
    end_tour(one, found)


def iter_tours_in_another_language() -> Iterator[Any]:
    """Walk every tour in another language."""
    for tour in TOURS:
        yield pytest.param(tour, marks=[] if tour is lobbies else [pytest.mark.rest], id=name_tour(tour))


@pytest.mark.languages
@pytest.mark.parametrize("tour", iter_tours_in_another_language())
def test_axe_finds_nothing_in_another_language(browser: Browser, server: PreparedServer, tour: Tour) -> None:
    lang = "fi"
    one, screens = start_tour(browser, server, tour, lang)
    found = {name: run_axe(one, but=("color-contrast", "target-size")) + find_problems(one, lang) for name in screens}
    assert one.page.evaluate("document.documentElement.lang") == lang
    end_tour(one, found)


HEARING = """() => {
  const live = "[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]";
  window.heard = [];
  new MutationObserver((changes) => {
    const places = changes.map(({ target }) => (target.closest ? target : target.parentElement));
    const regions = new Set(places.map((place) => place?.closest(live)).filter(Boolean));
    for (const region of regions) if (region.checkVisibility() && region.textContent) heard.push(region.textContent);
  }).observe(document, { subtree: true, childList: true, characterData: true });
}"""
"""Notes what a screen reader would be given to say."""
FLUSH = """async () => {
  await fetch("/api/hello");
  await new Promise((done) => setTimeout(done, 150));
}"""
"""Comes after what the server had to say and after every sentence that waits: timers of a page go off in order."""


def read_announcements(one: Screen, *, words: int = 1) -> list[str]:
    """Read what was announced since the last time; wait for something, and insist that nothing follows it."""
    if words:
        one.page.wait_for_function("() => heard.length")
    one.page.evaluate(FLUSH)
    return [str(said).strip() for said in one.page.evaluate("heard.splice(0)")]


def listening(one: Screen) -> Screen:
    """Begin to note what is said, from now on."""
    one.page.evaluate(HEARING)
    one.page.evaluate(FLUSH)
    one.page.evaluate("heard.splice(0)")
    return one


def known(browser: Browser, motion: str = "full", **context: Any) -> Screen:
    """Take a device in hand on which somebody has played before."""
    one = open_screen(browser, "phone", **context)
    kept = json.dumps({"guided": True, "motion": motion})
    one.page.add_init_script(f"localStorage['knobel.prefs'] ??= {json.dumps(kept)}")
    return one


def faces(one: Screen) -> list[str]:
    """What the dice show."""
    return [re.findall(r"\d+", said)[1] for said in one.read_dice()]


def test_each_action_is_said_once_and_in_one_sentence_or_two(browser: Browser, server: PreparedServer) -> None:
    one = listening(known(browser).open_home(server.url).choose_edition("carlit-yatzy").start_shared_game("Ada", "Ben"))
    first, second = "Ada", "Ben"
    one.press(ROLL_BUTTON)
    one.wait_for(PREVIEW_CELL)
    best = max(one.read_previews().values())
    names = [box.title() for box, points in one.read_previews().items() if points == best]
    [said] = read_announcements(one)
    assert said.startswith(f"{first}, roll 1 of 3: {' '.join(faces(one))}. Highest score now: ")
    assert said.endswith(f", {best}.")
    assert said.count(",") == 1 + len(names)
    one.press("[data-die='1']")
    assert one.find("[data-die='1']").get_attribute("aria-pressed") == "true"
    assert read_announcements(one, words=0) == []
    kept = faces(one)[1]
    one.press(ROLL_BUTTON)
    [said] = read_announcements(one)
    assert said.startswith(f"{first} keeps {kept}. {first}, roll 2 of 3: {' '.join(faces(one))}. Highest score now: ")
    points = sum(map(int, faces(one)))
    one.score("chance")
    assert read_announcements(one) == [f"{first} scores {points} in Chance. Total {points}. {second}’s turn."]
    one.press("[data-act=undo]")
    [said] = read_announcements(one)
    assert said.startswith(f"Undone. {first}’s turn. Highest score now: ")
    one.score("chance")
    assert len(read_announcements(one)) == 1
    one.page.context.close()


@pytest.mark.rest
def test_what_a_bot_does_is_said_step_by_step(browser: Browser, server: PreparedServer) -> None:
    one = known(browser).open_home(server.url).choose_edition("hasbro-yahtzee").start_bot_game().play_until_own_turn()
    one.roll()
    one.score()
    one.wait_for(CONTINUE_BUTTON)
    listening(one)
    steps = []
    while one.is_visible(CONTINUE_BUTTON):
        one.hurry_bot()
        steps += read_announcements(one)
    assert len(steps) == len(set(steps))
    assert ", roll 1 of 3: " in steps[0]
    assert " scores " in steps[-1]
    assert all(said.count("roll ") + said.count("scores ") == 1 for said in steps)
    one.page.context.close()


@pytest.mark.rest
def test_a_refusal_is_said_once(browser: Browser, server: PreparedServer) -> None:
    one = device(browser, server, "phone", "light")
    one.open_home(server.url)
    listening(one)
    one.press("[data-act=code]")
    one.type_into("[data-field=code]", "aaaa aaaa")
    one.press("[data-act=join]")
    [said] = read_announcements(one)
    assert said == one.find(".wrong-code").inner_text()
    one.choose_edition("hasbro-yahtzee", order="from top to bottom").start_shared_game().play_until_own_turn().roll()
    read_announcements(one)
    one.press_at(".cell.refused[data-box=chance]")
    [said] = read_announcements(one)
    assert said == one.find(".tooltip").inner_text()
    one.page.context.close()


@pytest.mark.rest
def test_what_happens_behind_a_dialog_is_said_when_it_is_closed(browser: Browser, server: PreparedServer) -> None:
    one = known(browser).open_home(server.url).choose_edition("hasbro-yahtzee").start_bot_game().play_until_own_turn()
    one.roll()
    one.score()
    listening(one)
    one.page.keyboard.press("?")
    expect(one.find("dialog .keys")).to_contain_text("1 – 5")
    one.find(".tray .status").get_by_text(", roll 1 of 3: ").wait_for()
    assert read_announcements(one, words=0) == []
    one.page.keyboard.press("Escape")
    [said] = read_announcements(one)
    assert ", roll 1 of 3: " in said
    one.page.context.close()


@pytest.mark.rest
def test_rounds_are_played_by_keyboard_alone(browser: Browser, server: PreparedServer) -> None:
    one = open_screen(browser).open_home(server.url)
    keys = one.page.keyboard
    tab_to(one, "[data-edition=carlit-chicago]")
    keys.press("Enter")
    tab_to(one, "[data-mode=friends]")
    keys.press("Enter")
    for name in ("Ada", "Ben"):
        tab_to(one, "[data-field=name]")
        keys.press("Control+a")
        keys.type(name)
        keys.press("Enter")
        expect(one.find(".seat-name").get_by_text(name, exact=True)).to_be_visible()
        assert_focus_held(one)
    tab_to(one, "[data-act=start]")
    keys.press("Enter")
    one.wait_for(ROLL_BUTTON)
    keys.press("?")
    one.wait_for("dialog .keys")
    assert {"1 – 3", "Space, r", "s", "+", "−", "u", "?"} <= set(one.find("dialog .keys kbd").all_inner_texts())
    keys.press("Escape")
    listening(one)
    tried = set[str]()
    while not tried >= {"keep", "undo", "button", "+", "-", "s"}:
        while not one.is_visible(END_BUTTON):
            tried.add(make_a_move(one, tried))
            assert_focus_held(one)
        assert "win" in read_announcements(one)[-1]
        tab_to(one, END_BUTTON)
        keys.press("Enter")
        one.wait_for("[data-act=rematch]")
        assert_focus_held(one)
        tab_to(one, "[data-act=rematch]")
        keys.press("Enter")
        one.wait_for(ROLL_BUTTON)
        assert_focus_held(one)
    one.page.context.close()


def make_a_move(one: Screen, tried: set[str]) -> str:
    """Do the next thing, in a way that was not tried yet, with keys; say which."""
    keys, before = one.page.keyboard, one.read_table()
    over, plain = one.is_visible("[data-act=stand-over]"), one.is_visible("[data-act=stand]")
    label = one.find(".tray .main-button .label").inner_text()
    if one.is_visible("[data-act=undo]:not(:disabled)") and "undo" not in tried:
        keys.press("u")
        way = "undo"
    elif label.startswith("Roll") and not over and not plain:
        keys.press("Space")
        way = "roll"
    elif one.is_visible(".die:not([aria-disabled])") and "keep" not in tried:
        keys.press("1")
        expect(one.find(".die.kept")).to_have_count(1)
        keys.press("r")
        way = "keep"
    elif over and "button" not in tried:
        tab_to(one, "[data-act=stand-over]")
        keys.press("Enter")
        way = "button"
    elif over:
        way = "-" if "+" in tried else "+"
        keys.press(way)
    else:
        keys.press("s")
        way = "s"
    if one.is_visible(CONFIRM_BUTTON):
        tab_to(one, CONFIRM_BUTTON)
        keys.press("Enter")
    one.wait_for_change(before)
    return way


def assert_focus_held(one: Screen) -> None:
    """Insist that the focus is somewhere."""
    assert not one.page.evaluate("document.activeElement === document.body"), one.page.url


NOTE_MOTION = """() => {
  window.moving = 0;
  const look = () => {
    window.moving += document.getAnimations().filter((one) => one.playState === "running").length;
    requestAnimationFrame(look);
  };
  look();
}"""
"""Counts what moves in each picture from now on."""
PICTURES = """async (count) => { for (; count; count--) await new Promise(requestAnimationFrame); }"""


@pytest.mark.parametrize(
    ("asked", "chosen", "moves"),
    [("reduce", "full", False), rest("no-preference", "off", False), rest("no-preference", "full", True)],
)
def test_whoever_wants_no_motion_sees_none(
    browser: Browser, server: PreparedServer, asked: Any, chosen: str, moves: bool
) -> None:
    one = known(browser, motion=chosen, reduced_motion=asked)
    one.open_home(server.url).choose_edition("carlit-yatzy").start_shared_game("Ada", "Ben").play_until_own_turn()
    one.page.evaluate(NOTE_MOTION)
    one.page.keyboard.press("Space")
    one.wait_for(PREVIEW_CELL)
    assert has_moved(one) == moves
    one.page.evaluate("window.moving = 0")
    one.find(f"td.best > {PREVIEW_CELL}").first.evaluate("one => one.click()")
    one.find(PREVIEW_CELL).first.wait_for(state="detached")
    assert has_moved(one) == moves
    one.page.context.close()


def has_moved(one: Screen) -> bool:
    """Tell whether something has moved, or does so in the next pictures."""
    one.page.evaluate(PICTURES, 30)
    return bool(one.page.evaluate("window.moving"))


@pytest.mark.rest
def test_short_motion_is_over_at_once(browser: Browser, server: PreparedServer) -> None:
    one = known(browser, motion="short", reduced_motion="no-preference")
    one.open_home(server.url).choose_edition("carlit-yatzy").start_shared_game("Ada").play_until_own_turn()
    one.page.keyboard.press("Space")
    one.wait_for(PREVIEW_CELL)
    longest = "Math.max(0, ...document.getAnimations().map((one) => one.effect.getComputedTiming().endTime))"
    assert one.page.evaluate(longest) <= 200
    one.page.context.close()


CUT = """() => {
  const buttons = "button, a[href], input:not(.unseen), select, summary";
  const words = "h1, h2, .status, .sum-line, .prompt, .seat-name";
  const signs = ".main-button, .stand, .button, .table-button, .continue-button, .menu-item, .prompt, .sum-line";
  const off = "[aria-disabled], .pick *, .switch *", scrolls = ".seats, .log-rounds, .unseen";
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const past = ({ left, right }) => left < -1 || right > innerWidth + 1;
  const all = [...document.querySelectorAll(`${buttons}, ${words}`)].filter(seen);
  const { scrollWidth } = document.documentElement;
  const wide = scrollWidth > innerWidth ? [`the page is ${scrollWidth} px wide`] : [];
  const out = all.filter((one) => !one.closest(scrolls) && past(one.getBoundingClientRect()));
  const cut = all.filter((one) => one.matches(signs) && one.scrollWidth > one.clientWidth + 1);
  const doing = all.filter((one) => one.matches(buttons) && !one.matches(off));
  const covered = doing.filter((one) => {
    one.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const at = one.getBoundingClientRect();
    const hit = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
    return !(hit && (one.contains(hit) || hit.contains(one) && hit.matches("label")));
  });
  const say = (what) => (one) => `${what}: ${one.outerHTML.slice(0, 120)}`;
  return [...wide, ...out.map(say("outside")), ...cut.map(say("cut")), ...covered.map(say("covered"))];
}"""
"""What does not fit: wider than the window, cut, or under something else."""


@pytest.mark.parametrize(
    "size",
    mostly_rest([(320, 640), (640, 400), (320, 256)], (320, 256)),
    ids=["narrow", "twice the size", "four times the size"],
)
def test_nothing_is_cut_or_covered_when_everything_is_large(
    browser: Browser, server: PreparedServer, size: tuple[int, int]
) -> None:
    rooms = server.rooms["en"]
    one = device(browser, server, "desktop", "light", rooms=[rooms["table-before"]])
    one.page.set_viewport_size({"width": size[0], "height": size[1]})
    found = {}
    one.open_home(server.url)
    found["home"] = one.page.evaluate(CUT)
    one.choose_edition("tactic-xl-yatzy")
    found["home-opened"] = one.page.evaluate(CUT)
    see = {
        "lobby-host": ".invite [data-code]",
        "table-before": ROLL_BUTTON,
        "table-rolled": PREVIEW_CELL,
        "announced": PREVIEW_CELL,
        "end": ".end",
        "away": CONTINUE_BUTTON,
    }
    see |= {"rounds-follow": ".stand", "rounds-opened": ".stand", "rounds-tie": ".prompt", "rounds-end": ".end"}
    for name, selector in see.items():
        visit(one, f"{server.url}/room/{rooms[name]}", selector)
        found[name] = one.page.evaluate(CUT)
    one.page.evaluate(BY_HAND)
    for name in ("pad-marks", "pad-rounds"):
        visit(one, f"{server.url}/room/{rooms[name]}", ".keypad", ".stand")
        found[name] = one.page.evaluate(CUT)
    end_tour(one, found)


def test_dice_and_choices_are_seen_without_colours(browser: Browser, server: PreparedServer) -> None:
    one = device(browser, server, "phone", "light")
    one.page.emulate_media(forced_colors="active")
    visit(one, f"{server.url}/room/{server.rooms['en']['locked']}", ".die.locked")
    shown = "at => getComputedStyle(document.querySelector(at))"
    pip, die = (
        one.page.evaluate(f"{shown}.backgroundImage.length", at) for at in (".die:not(.blank) i", ".die:not(.blank)")
    )
    assert pip > len("none")
    assert die > len("none")
    assert one.page.evaluate(f"{shown}.outlineStyle", ".die.locked") == "double"
    one.open_settings()
    assert one.page.evaluate(f"{shown}.outlineStyle", ".pick input:checked + span") == "solid"
    one.page.context.close()
