"""Whoever cannot see well, hear, or hold a mouse plays too: every screen is looked at with the eyes of axe."""

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeAlias

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, ViewportSize, expect

from tests.browser import GO_ON, LAST, PATIENCE, PREVIEW, THROW, Screen, Server, launched, screen_of
from tests.screenshots import BY_HAND, TOURS, Shots, device, first_visit, laid, visit, workers_folder
from tests.test_browser import tab_to
from tests.walking import wrong

LANGUAGES = ("en", "fi", "uk")
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 860}
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
FLAT = """
.tray, .ready, .tabletop { background: var(--felt) !important } .die { background: var(--ivory) !important }
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
UNMARKED = """lang => {
  const names = [...document.querySelectorAll(".block tbody .line .name")];
  const unmarked = names.filter((name) => name.firstElementChild?.lang !== lang);
  const wrong = unmarked.map((name) => `no lang: ${name.outerHTML}`);
  return document.documentElement.lang === "en" ? wrong : [`the page says it speaks ${document.documentElement.lang}`];
}"""
"""The page says which language it really speaks; box names in another one are marked."""
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
"""One screen of each kind: it is seen in both sizes by both lights, the others by day in a hand, by night on a desk."""
SAME = ("check-luck",)
"""Screens that differ from the one before only in where they are scrolled to."""

Tour: TypeAlias = Callable[[Screen, str, dict[str, str]], Shots]


def called(tour: Tour) -> str:
    """Call a tour by its name."""
    return tour.__name__


class House(Server):
    """A house in which every table there is has been laid, once for each language."""

    rooms: list[dict[str, str]]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Lay all tables, and open the house."""
    server = House(tmp_path_factory.mktemp("access"))
    server.rooms = laid(server.database, len(LANGUAGES), workers_folder(tmp_path_factory, "access"))
    with server:
        yield server


@pytest.fixture(scope="module")
def browser(house: House) -> Iterator[Browser]:
    """A browser for this file; tables are laid before it runs, as no other event loop can run beside it."""
    with launched() as opened:
        yield opened


def judged(one: Screen, *rules: str, but: tuple[str, ...] = ()) -> list[str]:
    """Let axe look at the page as it is: at everything, at some rules, or at everything but some."""
    if not one.page.evaluate(READY, FLAT):
        one.page.evaluate(Axe().axe_script)
    only = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": TAGS}
    return [str(found) for found in one.page.evaluate(RUN, [only, {rule: {"enabled": False} for rule in but}])]


def taken(browser: Browser, house: House, tour: Tour, lang: str) -> tuple[Screen, Shots]:
    """Set out on a tour on a small screen, in a language."""
    rooms = house.rooms[LANGUAGES.index(lang)]
    fresh: dict[str, Any] = {"guided": False, "name": "", "family": [], "known": []}
    known = {"rooms": [rooms["table-before"], rooms["theirs"], rooms["lobby-host"]]}
    one = device(browser, house, "desktop", "light", lang=lang, **(fresh if tour is first_visit else known))
    one.page.set_viewport_size(PHONE)
    return one, tour(one, house.url, rooms)


def at(one: Screen, size: ViewportSize, light: Literal["light", "dark"]) -> Screen:
    """Look at the same screen in another size, by another light."""
    one.page.set_viewport_size(size)
    one.page.emulate_media(color_scheme=light)
    return one


def ended(one: Screen, found: dict[str, list[str]]) -> None:
    """Insist that a tour was without fault."""
    one.page.context.close()
    wrong = {name: what for name, what in found.items() if what}
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)


@pytest.mark.parametrize("tour", TOURS, ids=called)
def test_axe_finds_nothing_on_any_screen_by_day_and_by_night(browser: Browser, house: House, tour: Tour) -> None:
    one, screens = taken(browser, house, tour, "en")
    found = {}
    for name in screens:
        if name in SAME:
            continue
        found[name] = judged(one) + one.page.evaluate(SMALL)
        if name in OF_A_KIND:
            found[f"{name} on a desk"] = judged(at(one, DESK, "light"), "color-contrast")
            found[f"{name} by night"] = judged(at(one, PHONE, "dark"), "color-contrast")
        found[f"{name} by night on a desk"] = judged(at(one, DESK, "dark"))
        at(one, PHONE, "light")
    ended(one, found)


def abroad() -> Iterator[Any]:
    """Walk every tour in one of two other languages, in turn; `torture` walks all in both."""
    for number, tour in enumerate(TOURS):
        for place, lang in enumerate(("fi", "uk")):
            marks = [] if number % 2 == place else [pytest.mark.torture]
            yield pytest.param(tour, lang, marks=marks, id=f"{called(tour)}-{lang}")


@pytest.mark.parametrize(("tour", "lang"), abroad())
def test_axe_finds_nothing_in_other_languages(browser: Browser, house: House, tour: Tour, lang: str) -> None:
    one, screens = taken(browser, house, tour, lang)
    found = {name: judged(one, but=("color-contrast", "target-size")) + wrong(one, lang) for name in screens}
    assert one.page.evaluate("document.documentElement.lang") == lang
    ended(one, found)


def test_box_names_in_a_language_the_page_does_not_speak_are_marked(browser: Browser, house: House) -> None:
    one = device(browser, house, "phone", "light", lang="nl")
    one.page.goto(f"{house.url}/room/{house.rooms[0]['table-thrown']}")
    one.await_(PREVIEW)
    ended(one, {"table": one.page.evaluate(UNMARKED, "nl")})


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


def heard(one: Screen, *, words: int = 1) -> list[str]:
    """Hear what was said since the last time, once something was; and nothing more comes."""
    if words:
        until = time.monotonic() + PATIENCE / 1000
        while not one.page.evaluate("heard.length") and time.monotonic() < until:
            one.page.wait_for_timeout(20)
    one.page.wait_for_timeout(150)
    return [str(said).strip() for said in one.page.evaluate("heard.splice(0)")]


def listening(one: Screen) -> Screen:
    """Begin to note what is said, from now on."""
    one.page.evaluate(HEARING)
    one.page.wait_for_timeout(100)
    one.page.evaluate("heard.splice(0)")
    return one


def known(browser: Browser, motion: str = "full", **context: Any) -> Screen:
    """Take a device in hand on which somebody has played before."""
    one = screen_of(browser, "phone", **context)
    kept = json.dumps({"guided": True, "motion": motion})
    one.page.add_init_script(f"localStorage['knobel.prefs'] ??= {json.dumps(kept)}")
    return one


def faces(one: Screen) -> list[str]:
    """What the dice show."""
    return [re.findall(r"\d+", said)[1] for said in one.dice()]


def test_each_action_is_said_once_and_in_one_sentence_or_two(browser: Browser, house: House) -> None:
    one = listening(known(browser).home(house.url).unpack("carlit-yatzy").pass_round("Ada", "Ben"))
    first, second = "Ada", "Ben"
    one.press(THROW)
    one.await_(PREVIEW)
    best = max(one.previews().values())
    names = [box.title() for box, points in one.previews().items() if points == best]
    [said] = heard(one)
    assert said.startswith(f"{first}, roll 1 of 3: {' '.join(faces(one))}. Best now: ")
    assert said.endswith(f", {best}.")
    assert said.count(",") == 1 + len(names)
    one.press("[data-die='1']")
    assert one.find("[data-die='1']").get_attribute("aria-pressed") == "true"
    assert heard(one, words=0) == []
    kept = faces(one)[1]
    one.press(THROW)
    [said] = heard(one)
    assert said.startswith(f"{first} keeps {kept}. {first}, roll 2 of 3: {' '.join(faces(one))}. Best now: ")
    points = sum(map(int, faces(one)))
    one.choose("chance")
    assert heard(one) == [f"{first} scores {points} in Chance. Total {points}. {second}’s turn."]
    one.press("[data-act=undo]")
    [said] = heard(one)
    assert said.startswith(f"Taken back. {first}’s turn. Best now: ")
    one.choose("chance")
    assert len(heard(one)) == 1
    one.page.context.close()


def test_what_a_bot_does_is_said_step_by_step(browser: Browser, house: House) -> None:
    one = known(browser).home(house.url).unpack("hasbro-yahtzee").against_bot().start()
    one.throw()
    one.choose()
    one.await_(GO_ON)
    listening(one)
    steps = []
    while one.sees(GO_ON):
        one.hurry()
        steps += heard(one)
    assert len(steps) == len(set(steps))
    assert ", roll 1 of 3: " in steps[0]
    assert " scores " in steps[-1]
    assert all(said.count("roll ") + said.count("scores ") == 1 for said in steps)
    one.page.context.close()


def test_a_refusal_is_said_once(browser: Browser, house: House) -> None:
    one = device(browser, house, "phone", "light")
    one.home(house.url)
    listening(one)
    one.write("[data-field=code]", "aaaa aaaa")
    one.press("[data-act=join]")
    [said] = heard(one)
    assert said == one.find(".toast").inner_text()
    one.unpack("hasbro-yahtzee", order="from the top down").pass_round().start().throw()
    heard(one)
    one.poke(".cell.refused[data-box=chance]")
    [said] = heard(one)
    assert said == one.find(".tip").inner_text()
    one.page.context.close()


def test_what_happens_behind_a_dialog_is_said_when_it_is_closed(browser: Browser, house: House) -> None:
    one = known(browser).home(house.url).unpack("hasbro-yahtzee").against_bot().start()
    one.throw()
    one.choose()
    listening(one)
    one.page.keyboard.press("?")
    expect(one.find("dialog .keys")).to_contain_text("1 – 5")
    one.find(".tray .say").get_by_text(", roll 1 of 3: ").wait_for()
    assert heard(one, words=0) == []
    one.page.keyboard.press("Escape")
    [said] = heard(one)
    assert ", roll 1 of 3: " in said
    one.page.context.close()


def test_rounds_are_played_by_keyboard_alone(browser: Browser, house: House) -> None:
    one = screen_of(browser).home(house.url)
    keys = one.page.keyboard
    tab_to(one, "[data-edition=carlit-chicago]")
    keys.press("Enter")
    tab_to(one, "[data-way=friends]")
    keys.press("Enter")
    for name in ("Ada", "Ben"):
        tab_to(one, "[data-field=name]")
        keys.press("Control+a")
        keys.type(name)
        keys.press("Enter")
        expect(one.find(".plate").get_by_text(name, exact=True)).to_be_visible()
        held(one)
    tab_to(one, "[data-act=start]")
    keys.press("Enter")
    one.await_(THROW)
    keys.press("?")
    one.await_("dialog .keys")
    assert {"1 – 3", "Space, r", "s", "+", "−", "u", "?"} <= set(one.find("dialog .keys kbd").all_inner_texts())
    keys.press("Escape")
    listening(one)
    tried = set[str]()
    while not tried >= {"keep", "undo", "button", "+", "-", "s"}:
        while not one.sees(LAST):
            tried.add(a_move(one, tried))
            held(one)
        assert "win" in heard(one)[-1]
        tab_to(one, LAST)
        keys.press("Enter")
        one.await_("[data-act=rematch]")
        held(one)
        tab_to(one, "[data-act=rematch]")
        keys.press("Enter")
        one.await_(THROW)
        held(one)
    one.page.context.close()


def a_move(one: Screen, tried: set[str]) -> str:
    """Do the next thing, in a way that was not tried yet, with keys; say which."""
    keys, before = one.page.keyboard, one.state()
    over, plain = one.sees("[data-act=stand-over]"), one.sees("[data-act=stand]")
    label = one.find(".tray .throw .label").inner_text()
    if one.sees("[data-act=undo]:not(:disabled)") and "undo" not in tried:
        keys.press("u")
        way = "undo"
    elif label.startswith("Roll") and not over and not plain:
        keys.press("Space")
        way = "throw"
    elif one.sees(".die:not([aria-disabled])") and "keep" not in tried:
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
    one.changed_from(before)
    return way


def held(one: Screen) -> None:
    """Insist that the focus is somewhere."""
    assert not one.page.evaluate("document.activeElement === document.body"), one.page.url


MOVING = """async () => {
  let most = 0;
  for (const until = performance.now() + 700; performance.now() < until;) {
    most = Math.max(most, document.getAnimations().filter((one) => one.playState === "running").length);
    await new Promise(requestAnimationFrame);
  }
  return most;
}"""


@pytest.mark.parametrize(
    ("asked", "chosen", "moves"),
    [("reduce", "full", False), ("no-preference", "off", False), ("no-preference", "full", True)],
)
def test_whoever_wants_no_motion_sees_none(
    browser: Browser, house: House, asked: Any, chosen: str, moves: bool
) -> None:
    one = known(browser, motion=chosen, reduced_motion=asked)
    one.home(house.url).unpack("carlit-yatzy").pass_round("Ada", "Ben").start()
    one.page.keyboard.press("Space")
    assert (one.page.evaluate(MOVING) > 0) == moves
    one.find(f"td.best > {PREVIEW}").first.evaluate("one => one.click()")
    assert (one.page.evaluate(MOVING) > 0) == moves
    one.page.context.close()


def test_short_motion_is_over_at_once(browser: Browser, house: House) -> None:
    one = known(browser, motion="short", reduced_motion="no-preference")
    one.home(house.url).unpack("carlit-yatzy").pass_round("Ada").start()
    one.press(THROW)
    one.await_(PREVIEW)
    longest = "Math.max(0, ...document.getAnimations().map((one) => one.effect.getComputedTiming().endTime))"
    assert one.page.evaluate(longest) <= 200
    one.page.context.close()


CUT = """() => {
  const buttons = "button, a[href], input:not(.unseen), select, summary";
  const words = "h1, h2, .say, .sum-says, .slip, .plate";
  const signs = ".throw, .stand, .button, .felt-button, .go-on, .menu-item, .slip, .sum-says";
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
    "size", [(320, 640), (640, 400), (320, 256)], ids=["narrow", "twice the size", "four times the size"]
)
def test_nothing_is_cut_or_covered_when_everything_is_large(
    browser: Browser, house: House, size: tuple[int, int]
) -> None:
    rooms = house.rooms[0]
    one = device(browser, house, "desktop", "light", rooms=[rooms["table-before"]])
    one.page.set_viewport_size({"width": size[0], "height": size[1]})
    found = {}
    one.home(house.url)
    found["home"] = one.page.evaluate(CUT)
    one.unpack("tactic-xl-yatzy")
    found["home-opened"] = one.page.evaluate(CUT)
    see = {
        "lobby-host": ".invite img",
        "table-before": THROW,
        "table-thrown": PREVIEW,
        "announced": PREVIEW,
        "end": ".end",
        "away": GO_ON,
    }
    see |= {"rounds-follow": ".stand", "rounds-opened": ".stand", "rounds-tie": ".slip", "rounds-end": ".end"}
    for name, selector in see.items():
        visit(one, f"{house.url}/room/{rooms[name]}", selector)
        found[name] = one.page.evaluate(CUT)
    one.page.evaluate(BY_HAND)
    for name in ("pad-marks", "pad-rounds"):
        visit(one, f"{house.url}/room/{rooms[name]}", ".keypad", ".stand")
        found[name] = one.page.evaluate(CUT)
    ended(one, found)


def test_dice_and_choices_are_seen_without_colours(browser: Browser, house: House) -> None:
    one = device(browser, house, "phone", "light")
    one.page.emulate_media(forced_colors="active")
    visit(one, f"{house.url}/room/{house.rooms[0]['locked']}", ".die.locked")
    shown = "at => getComputedStyle(document.querySelector(at))"
    pip, die = (
        one.page.evaluate(f"{shown}.backgroundImage.length", at) for at in (".die:not(.blank) i", ".die:not(.blank)")
    )
    assert pip > len("none")
    assert die > len("none")
    assert one.page.evaluate(f"{shown}.outlineStyle", ".die.locked") == "double"
    one.settings()
    assert one.page.evaluate(f"{shown}.outlineStyle", ".pick input:checked + span") == "solid"
    one.page.context.close()
