"""The coach in the browser: looking back at a game, a hint and the running ledger, and playing on from a position."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Route, WebSocketRoute, expect

from knobel.coach.review import Review, find_book_rules, review_seat
from knobel.coach.rounds import rank_moves
from knobel.coach.sheet import open_coach
from knobel.coach.win_chart import chart_wins
from knobel.coach.win_story import sum_win_ledger
from knobel.game import CHANCE, Roll
from knobel.host import Host
from knobel.notation import read_action, write_action
from knobel.record.events import Assisted, Landed, Record
from knobel.record.file import parse_record
from knobel.record.replay import Replay
from knobel.store.sqlite import SqliteStore
from tests.screenshots import ADA, BEFORE, BEN, Stage
from tests.support.browser import (
    CONFIRM_BUTTON,
    CONTINUE_BUTTON,
    PREVIEW_CELL,
    OpenScreen,
    Screen,
    Server,
    launch_browser,
)
from tests.support.hosted_rooms import SHORT_GAME
from tests.support.proofs import proof_script
from tests.support.selection import rest

ADAS = (
    ("..", ">66", "odd"),
    ("..", ">12", "..", ">35", "chance"),
    ("..", ">34", "3.", ">3", "neighbours"),
    ("..", ">11", "twins"),
    ("..", ">24", "even"),
)

"""Five turns with two dice: a zero nobody had to write, a roll too many, and what follows from it."""
BENS = ("22", "twins"), ("45", "neighbours"), ("13", "odd"), ("26", "even"), ("65", "chance")
OPENED = ("653", "6..", ">53", "stand over")
"""With two rolls, so the other one has a choice."""
ENTRIES = """cells => cells.map(td => {
  const cell = td.querySelector(".cell") ?? td;
  return cell.classList.contains("filled") ? Number(cell.firstChild.textContent) : null;
})"""
FACES = "dice => dice.map(die => [1, 2, 3, 4, 5, 6].find(face => die.classList.contains(`f${face}`)) ?? 0)"
TALL = "bars => bars.map(bar => Number(bar.getAttribute('height')))"
UNDER = "bars => bars.map(bar => Number(bar.getAttribute('y')))"
FIGURE = re.compile(r"[+±−-]?\d+\.\d")


LIST_MISTAKES = """async (losses) => {
  const { loadParts } = await import("/static/translations.js");
  const { buildMistakeList } = await import("/static/mistake-list.js");
  await loadParts("review", "table");
  const mistakes = losses.map((loss, event) => ({ loss, event, played: "a", best: "b", why: "" }));
  document.body.replaceChildren(buildMistakeList(mistakes, () => "then", () => {}, "points"));
}"""
SHOWN_LOSSES = "all => all.filter(one => one.checkVisibility()).map(one => one.textContent)"


@dataclass(frozen=True)
class PreparedGame:
    """A game that was prepared for this file: its room, its name."""

    room: str
    game: str


async def prepare_games(server: Server) -> dict[str, PreparedGame]:
    """Play what is looked at here, by legal actions only."""
    host = Host(await SqliteStore.open(server.database), paced=False)
    stage, found = Stage(host), {}
    for name in ("sheet", "rounds", "hint", "hints", "ledger", "open", "slow"):
        room = await (rounds_game(stage, name) if name in ("rounds", "hints") else sheet_game(stage, name))
        found[name] = PreparedGame(room, str((await host.find_session(room)).room.game))
    await host.close()
    return found


async def sheet_game(stage: Stage, name: str) -> str:
    """Play a game of five boxes: to its end, or to the first dice of a turn."""
    room = await stage.open(name, SHORT_GAME, ("Ada", ADA), ("Ben", BEN))
    session = await stage.host.find_session(room)
    assert session.table
    while session.table.state.rolloff:
        await stage.cast(room, "66" if session.table.state.player == 0 else "11")
    for mine, (dice, box) in zip(ADAS, BENS, strict=True):
        if name != "sheet" and mine is ADAS[1]:
            await stage.act(room, *([] if name == "ledger" else ["..", ">12"]))
            return room
        await stage.act(room, *mine, "..", f">{dice}", box)
    await stage.close(room)
    return room


async def rounds_game(stage: Stage, name: str) -> str:
    """Play a game of rounds: to its end, or until somebody has to beat a total."""
    if name == "hints":
        return await stage.lay_rounds(name, "654", "stand over", "321", "stand", *OPENED, "651", people=2)
    room = await stage.lay_rounds(name, "654", "stand over", "321", "stand", people=2)
    session = await stage.host.find_session(room)
    while session.table and (state := session.table.state).seat is not None:
        opens = state.phase != "follow"
        await stage.cast(room, "654" if state.player == 0 else "322")
        await stage.act(room, "stand over" if opens else "stand")
    await stage.close(room)
    return room


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server in which the games of this file have been played, and its coach knows their rules."""
    server = Server(tmp_path_factory.mktemp("review"))
    server.prepared = asyncio.run(prepare_games(server))  # type: ignore[attr-defined]
    with server:
        for name in ("sheet", "rounds"):
            urlopen(f"{server.url}/api/games/{server.prepared[name].game}/review").close()  # type: ignore[attr-defined]  # noqa: S310
        yield server


@pytest.fixture(scope="module")
def browser(server: Server) -> Iterator[Browser]:
    """A browser for this file; games are played before it runs, as no other event loop can run beside it."""
    with launch_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def games(server: Server) -> dict[str, PreparedGame]:
    """The games by name."""
    return server.prepared  # type: ignore[attr-defined,no-any-return]


@pytest.fixture
def ada(screen: OpenScreen, server: Server) -> OpenScreen:
    """Hands out Ada's browser."""

    def taken(size: Any = "desktop", **prefs: Any) -> Screen:
        one = screen(size)
        one.page.context.add_cookies([{"name": "knobel", "value": ADA, "url": server.url}])
        one.page.context.add_init_script(proof_script(ADA))
        kept = repr(BEFORE | prefs).replace("True", "true").replace("False", "false")
        one.page.context.add_init_script(f"localStorage['knobel.prefs'] ??= JSON.stringify({kept})")
        return one

    return taken


def open_review(one: Screen, server: Server, game: str, seat: int = 0) -> Screen:
    """Open the review of a seat."""
    one.page.goto(f"{server.url}/review/{game}?seat={seat}")
    one.wait_for(".stage[data-event]")
    return one


def record_of(server: Server, game: str) -> Record:
    """Fetch a record as anybody can."""
    with urlopen(f"{server.url}/games/{game}.knobel") as answer:  # noqa: S310
        return parse_record(answer.read(), f"{game}.knobel")


def replay_until(record: Record, events: int | None = None) -> Replay:
    """Play a record again, up to one of its events."""
    replay = Replay(record.header)
    for event in record.events[:events]:
        replay.apply_event(event)
    return replay


@cache
def review_seat_of(server: Server, game: str, seat: int) -> Review:
    """Review a seat as the command line does."""
    record = record_of(server, game)
    return review_seat(record, replay_until(record), seat)


def entries(one: Screen) -> list[int | None]:
    """What is written in the column that is shown."""
    return list(one.find(".line td.shown").evaluate_all(ENTRIES))


def faces(one: Screen) -> list[int]:
    """What the dice on the tray show; nothing where none lies."""
    return [int(face) for face in one.find(".die").evaluate_all(FACES)]


def lying(record: Record, event: int) -> list[int]:
    """What lies on the tray after an event: the dice less those in the air, or a roll that was the last."""
    state, dice = replay_until(record, event).state, replay_until(record).game.rules.dice
    last = record.events[event - 1] if event else None
    if state.dice:
        return [0 if place in state.rolling else face for place, face in enumerate(state.dice)]
    return list(last.dice) if isinstance(last, Landed) else [0] * dice


def stops_of(record: Record) -> list[int]:
    """The events after which there is something to see, and the beginning."""
    return [0, *(step.number for step in replay_until(record).steps)]


def stands_at(one: Screen, event: int) -> None:
    """Wait until the film stands after an event."""
    expect(one.find(".stage")).to_have_attribute("data-event", str(event))


def figures(one: Screen, selector: str) -> list[float]:
    """The numbers with a digit behind the point in a text."""
    text = one.find(selector).first.inner_text()
    return [float(found.replace("−", "-").lstrip("±+")) for found in FIGURE.findall(text)]


def assert_sum_is_shown(one: Screen, found: Review) -> None:
    """The sum says par, luck, what was lost and the whole total, which add up as they stand there."""
    par, luck, lost = figures(one, "[data-ledger]")
    assert (par, lost) == (round(found.par, 1), round(found.lost, 1))
    assert luck == pytest.approx(found.luck, abs=0.11)
    assert par + luck - lost == pytest.approx(found.final)
    assert re.search(rf"\b{found.final:.0f}\b(?!\.\d)", one.find("[data-ledger]").inner_text())


def lead_up(record: Record, event: int) -> int:
    """The stop at which a decision had to be made."""
    return max(stop for stop in stops_of(record) if stop < event)


# Looking back.


def test_the_headline_is_the_ledger(ada: OpenScreen, server: Server, games: dict[str, PreparedGame]) -> None:
    one, found = open_review(ada(), server, games["sheet"].game), review_seat_of(server, games["sheet"].game, 0)
    expect(one.find("#headline")).to_contain_text(f"Score: {found.final:.0f}.")
    expect(one.find(".summary")).to_contain_text(
        re.compile(rf"\b{abs(found.luck):.0f} points?\b.*\b{found.lost:.0f}\.")
    )
    assert_sum_is_shown(one, found)
    expect(one.find(".headline em")).to_have_text(re.compile((found.level or "").replace("_", " "), re.IGNORECASE))
    (line,) = found.headlines
    expect(one.find("[data-level]")).to_contain_text(f"{line.adjusted:.1f} points, give or take {line.error:.1f}")
    assert one.find(".mistake").count() == len(found.flawed_decisions) > 2


@pytest.mark.rest
def test_the_slider_shows_what_the_record_says_at_every_stop(
    ada: OpenScreen, server: Server, games: dict[str, PreparedGame]
) -> None:
    game = games["sheet"].game
    one, record = open_review(ada(), server, game), record_of(server, game)
    one.find("[data-field=place]").press("Home")
    for event in stops_of(record):
        stands_at(one, event)
        assert entries(one) == list(replay_until(record, event).state.columns[0].entries), event
        assert faces(one) == lying(record, event), event
        one.find("[data-field=place]").press("ArrowRight")
    assert None not in entries(one)
    expect(one.find("[data-field=place]")).to_have_attribute("aria-valuetext", "Game over")
    expect(one.find("[data-act=play-on]")).to_be_disabled()


@pytest.mark.parametrize(("name", "seat"), [("sheet", 0), rest("rounds", 1)])
def test_every_mistake_leads_to_its_position(
    ada: OpenScreen, server: Server, games: dict[str, PreparedGame], name: str, seat: int
) -> None:
    game = games[name].game
    one, record, found = (
        open_review(ada("phone"), server, game, seat),
        record_of(server, game),
        review_seat_of(server, game, seat),
    )
    assert found.flawed_decisions
    for place, decision in enumerate(found.flawed_decisions):
        one.press(one.find(".mistake").nth(place))
        stands_at(one, lead_up(record, decision.event_number))
        assert faces(one) == list(decision.dice)
        assert figures(one, ".coach-note .grade")[0] == pytest.approx(-decision.loss, abs=0.05)
        expect(one.find("[data-played]")).to_have_text(re.compile(r".+\."))
        state = replay_until(record, lead_up(record, decision.event_number)).state
        kept = read_action(state, decision.best_action)
        outlined = [int(str(die.get_attribute("data-die"))) for die in one.find(".die.advised").all()]
        assert outlined == (sorted(kept.keep) if isinstance(kept, Roll) else [])
        if not isinstance(kept, Roll) and name == "sheet":
            assert one.find("td.advised").get_attribute("data-row") == decision.best_action
        expect(one.find(".mistake[aria-current]")).to_have_count(1)


def test_a_decision_is_tried_again_and_the_chances_to_win_are_shown(
    ada: OpenScreen, server: Server, games: dict[str, PreparedGame]
) -> None:
    one = open_review(ada(), server, games["sheet"].game)
    review = review_seat_of(server, games["sheet"].game, 0)
    mistake = review.flawed_decisions[0]
    one.wait_for(".win-area svg")
    assert one.find(".win-area .win-line").count() == 2
    rows = one.find(".win-chart tbody tr")
    assert rows.count() == 1 + 2 * len(review.turn_summaries)
    assert rows.first.locator("td").all_text_contents()[:2] == ["50%", "50%"]
    shares = [float(cell.strip("~%")) for cell in rows.last.locator("td").all_text_contents()[:2]]
    assert sum(shares) == 100
    expect(one.find("[data-to-win]")).to_contain_text("% to win")

    one.press("[data-act=retry]")
    one.wait_for("[data-retry] [data-choice]")
    assert not one.is_visible(".coach-note [data-best]")
    assert one.find(".advised").count() == 0
    expect(one.find(".mistake[aria-current] .moves")).to_be_hidden()
    best = one.find(f"[data-choice='{mistake.best_action}']")
    if best.count():
        best.click()
    else:
        for place, face in enumerate(mistake.best_action):
            if face != ".":
                one.press(f"[data-keep='{place}']")
        one.press("[data-act=retry-roll]")
    expect(one.find("[data-retry-loss='0']")).to_contain_text("best choice")
    one.press("[data-act=retry-back]")
    expect(one.find(".coach-note [data-best]")).to_be_visible()
    expect(one.find(".mistake[aria-current] .moves")).to_be_visible()
    stands_at(one, lead_up(record_of(server, games["sheet"].game), mistake.event_number))


SIX = ("Ada", "Ben", "Cleo", "Dan", "Eva-Maria", "Maximilian the Second")
ROUNDS = 20
OUTSIDE = """figure => {
  const room = figure.getBoundingClientRect();
  return [...figure.querySelectorAll(".win-plot :not(title)")].map(part => part.getBoundingClientRect())
    .filter(part => part.left < room.left || part.right > room.right || room.right > innerWidth).length
    + (document.documentElement.scrollWidth > innerWidth);
}"""
OVERLAPS = """parts => parts.map(part => part.getBoundingClientRect())
  .filter((one, place, all) => all.some((other, at) => at < place && one.left < other.right && other.left < one.right
    && one.top < other.bottom && other.top < one.bottom)).length"""
MARKED = """([area]) => {
  const line = area.querySelector(".win-line.mine path"), map = line.getScreenCTM();
  const points = line.getAttribute("d").split(/[ML]/).slice(1)
    .map(pair => pair.split(" ").map(Number)).map(([x, y]) => new DOMPoint(x, y).matrixTransform(map));
  return [...area.querySelectorAll(".win-mark")].map(mark => mark.getBoundingClientRect()).map(mark =>
    points.findIndex(point => Math.hypot(point.x - mark.x - mark.width / 2, point.y - mark.y - mark.height / 2) < 1));
}"""


@pytest.mark.parametrize("size", ["phone", rest("desktop")])
def test_six_players_and_twenty_rounds_fit_the_win_chart_and_turning_points_are_on_the_curve(
    ada: OpenScreen, server: Server, games: dict[str, PreparedGame], size: str
) -> None:
    turning = 7, 70, 118
    """Their places among all turns; after each of them the first seat stands at a half more."""

    def add_seats(route: Route) -> None:
        found = route.fetch().json()
        found["seats"] = [found["seats"][0] | {"name": name, "colour": at, "emblem": at} for at, name in enumerate(SIX)]
        route.fulfill(json=found)

    def write_chart(route: Route) -> None:
        chart = {"progress": 1, "chart": draw_long_game(turning)}
        route.fulfill(json=chart)

    one = ada(size)
    one.page.route(re.compile(r"/review\?lang"), add_seats)
    one.page.route(re.compile(r"/wins\?"), write_chart)
    open_review(one, server, games["sheet"].game).wait_for(".win-area svg")
    assert one.find(".win-chart").evaluate(OUTSIDE) == 0
    labels = one.find(".win-axis span, .win-rounds span")
    assert labels.evaluate_all(OVERLAPS) == 0
    assert {"0%", "100%", "1"} < set(labels.all_inner_texts())
    assert one.find(".win-area").evaluate_all(MARKED) == [at + 1 for at in turning]
    expect(one.find(".highlights li").nth(1)).to_have_text("2 Turning point 2")
    one.press(".win-chart summary")
    said = {at: number for number, at in enumerate(turning, 1)}
    assert one.find(".win-chart tbody td:last-child").all_inner_texts() == [
        "", *(str(said.get(at, "")) for at in range(ROUNDS * len(SIX)))
    ]  # fmt: skip


def draw_long_game(turning: Sequence[int]) -> dict[str, Any]:
    """Give the win chart of a game in which the first seat becomes ever likelier to win, at these turns alone."""
    turns, share = [], 0.1
    for at in range(ROUNDS * len(SIX)):
        share += (1 - share) / 2 if at in turning else 0
        others = [(1 - share) / (len(SIX) - 1)] * (len(SIX) - 1)
        turns.append({"seat": at % 6, "turn": at // 6 + 1, "event": 10 + at, "shares": [share, *others], "exact": True})
    return {
        "title": "Chance to win",
        "start": [1 / len(SIX)] * len(SIX),
        "start_exact": True,
        "start_label": "start",
        "turns": turns,
        "turning_points": [10 + at for at in turning],
        "turning_point_label": "Turning point",
        "highlights": [f"Turning point {number}" for number in range(1, len(turning) + 1)],
        "choices": {},
        "ledger_line": "",
        "method": [],
    }


@pytest.mark.parametrize(("name", "seat"), [("sheet", 0), rest("rounds", 1)])
def test_the_bars_of_the_chart_add_up_to_the_ledger(
    ada: OpenScreen, server: Server, games: dict[str, PreparedGame], name: str, seat: int
) -> None:
    game = games[name].game
    one, found = open_review(ada(), server, game, seat), review_seat_of(server, game, seat)
    turns = {roll.turn for roll in found.luck_events} | {decision.turn for decision in found.decisions}
    assert one.find(".chart [data-turn] .luck").count() == len(turns)
    luck, given = (one.find(f".chart {bar}").evaluate_all(TALL) for bar in ("rect.luck", "rect.given"))
    floor = one.find(".chart rect.given").evaluate_all(UNDER)[0]
    above = [y < floor - 1e-6 for y in one.find(".chart rect.luck").evaluate_all(UNDER)]
    signed = sum(bar if up else -bar for bar, up in zip(luck, above, strict=True))
    assert signed / sum(given) == pytest.approx(found.luck / found.lost, abs=1e-6)
    one.press(".chart summary")
    sums = [figures(one, f"[data-sum={kind}]")[0] for kind in ("luck", "lost")]
    assert sums == [round(found.luck, 1), round(found.lost, 1)]
    assert one.find(".chart:not(.win-chart) tbody tr").count() == len(turns)


@pytest.mark.rest
def test_on_a_large_screen_the_name_above_the_column_is_whole(
    ada: OpenScreen, server: Server, games: dict[str, PreparedGame]
) -> None:
    one = open_review(ada(), server, games["sheet"].game)
    name = one.find(".board thead th.shown .name")
    name.locator("span").evaluate("name => { name.textContent = 'Player'; }")
    for width in (1024, 1280, 1920):
        one.page.set_viewport_size({"width": width, "height": 900})
        assert name.evaluate("name => name.scrollWidth <= name.clientWidth"), width


def test_the_costliest_mistakes_are_listed_first_and_all_on_request(screen: OpenScreen, server: Server) -> None:
    one = screen("phone").open_home(server.url)
    losses = [1.0, 9.0, 2.0, 8.0, 3.0, 7.0, 6.0]
    one.page.evaluate(LIST_MISTAKES, losses)
    shown = one.find(".mistakes li b")
    assert shown.evaluate_all(SHOWN_LOSSES) == ["−9.0 points", "−8.0 points", "−7.0 points", "−6.0 points"]
    one.press("[data-act=all-mistakes]")
    assert len(shown.evaluate_all(SHOWN_LOSSES)) == len(losses)
    one.press("[data-act=all-mistakes]")
    assert len(shown.evaluate_all(SHOWN_LOSSES)) == 4
    one.page.evaluate(LIST_MISTAKES, losses[:4])
    expect(one.find("[data-act=all-mistakes]")).to_have_count(0)


@pytest.mark.rest
def test_another_players_game_is_one_choice_away(
    ada: OpenScreen, server: Server, games: dict[str, PreparedGame]
) -> None:
    game = games["rounds"].game
    one = open_review(ada(), server, game, 0)
    one.find(".player-choice input").nth(0).press("ArrowRight")
    expect(one.find(".titles span")).to_contain_text("Ben")
    found = review_seat_of(server, game, 1)
    assert_sum_is_shown(one, found)
    assert "%" in one.find("[data-ledger]").inner_text()
    expect(one.find(".player-choice input").nth(1)).to_be_focused()
    one.page.reload()
    expect(one.find(".player-choice input").nth(1)).to_be_checked()


def test_keys_walk_through_the_game_and_the_film_plays_by_itself(
    ada: OpenScreen, server: Server, games: dict[str, PreparedGame]
) -> None:
    game = games["sheet"].game
    one, record, found = open_review(ada(), server, game), record_of(server, game), review_seat_of(server, game, 0)
    first, second = (lead_up(record, decision.event_number) for decision in found.flawed_decisions[:2])
    stands_at(one, first)
    stops = stops_of(record)
    for key, event in (
        ("n", second),
        ("p", first),
        ("ArrowLeft", stops[stops.index(first) - 1]),
        ("ArrowRight", first),
    ):
        one.page.keyboard.press(key)
        stands_at(one, event)
    one.page.keyboard.press("Space")
    expect(one.find("[data-act=play]")).to_have_text("Pause")
    expect(one.find(".stage")).not_to_have_attribute("data-event", str(first))
    one.press("[data-act=play]")
    expect(one.find("[data-act=play]")).to_have_text("Play")
    assert int(str(one.find(".stage").get_attribute("data-event"))) > first


@pytest.mark.rest
def test_the_page_says_that_the_coach_is_at_work_and_why_there_is_nothing(
    ada: OpenScreen, server: Server, games: dict[str, PreparedGame]
) -> None:
    one, held = ada(), list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    one.page.route("**/review?*", hold)
    one.page.goto(f"{server.url}/review/{games['sheet'].game}")
    expect(one.find("knobel-review")).to_contain_text("going through the game")
    held[0].continue_()
    one.wait_for(".stage[data-event]")
    one.page.unroute("**/review?*")
    one.expected_problems = ("409",)
    one.page.goto(f"{server.url}/review/{games['open'].game}")
    expect(one.find("knobel-review [role=alert]")).to_have_text(re.compile(r"\w+"))


def test_a_game_goes_on_from_exactly_the_position_that_is_shown(
    ada: OpenScreen, server: Server, games: dict[str, PreparedGame]
) -> None:
    one = open_review(ada("phone"), server, games["sheet"].game)
    one.press(one.find(".mistake").last)
    expect(one.find(".mistake").last).to_have_attribute("aria-current", "true")
    written, dice = entries(one), faces(one)
    assert any(dice)
    assert written.count(None) < len(written)
    one.select_option(".play-on select", "Greedy")
    one.press("[data-act=play-on]")
    one.wait_for("knobel-table .tray")
    expect(one.find(".die:not(.blank)")).to_have_count(len(dice))
    assert (entries(one), faces(one)) == (written, dice)
    one.press(f"{PREVIEW_CELL}")
    if one.is_visible(CONFIRM_BUTTON):
        one.press(CONFIRM_BUTTON)
    one.wait_for(CONTINUE_BUTTON, ".die.blank")
    assert entries(one) != written


@pytest.mark.rest
def test_the_end_of_a_game_and_the_home_lead_to_its_review(
    ada: OpenScreen, server: Server, games: dict[str, PreparedGame]
) -> None:
    one = ada("phone", rooms=[games["sheet"].room])
    one.page.goto(f"{server.url}/room/{games['sheet'].room}")
    one.press(".end [data-act=review]")
    one.wait_for(".stage[data-event]")
    assert one.page.url.endswith(f"/review/{games['sheet'].game}?seat=0")
    one.open_home(server.url)
    one.press(f".open-game[data-game='{games['sheet'].game}'], .open-games [data-act=review]")
    one.wait_for(".stage[data-event]")


# At the table.


def ask_for_hint(one: Screen, server: Server, room: str) -> None:
    """Ask the coach by its key, and see what that means first."""
    one.page.goto(f"{server.url}/room/{room}")
    one.wait_for("[data-act=hint]:not([disabled])")
    one.page.keyboard.press("h")
    one.wait_for(".ask")
    assert "assisted" in one.find(".ask").inner_text()


def test_a_hint_is_asked_about_first_and_shows_the_coachs_best_move(
    ada: OpenScreen, server: Server, games: dict[str, PreparedGame]
) -> None:
    one, game = ada("phone"), games["hint"].game
    ask_for_hint(one, server, games["hint"].room)
    one.press(".ask [data-act=no]")
    assert not [event for event in record_of(server, game).events if isinstance(event, Assisted)]
    one.press("[data-act=hint]")
    one.press(CONFIRM_BUTTON)
    one.wait_for(".hint ul")
    record = record_of(server, game)
    assert [event for event in record.events if isinstance(event, Assisted)] == [Assisted(0)]
    expect(one.find(".seats li").first).to_contain_text("assisted")
    replay = replay_until(record)
    best = open_coach(find_book_rules(replay, 0)).rank_moves(replay.game, replay.state)[0]  # type: ignore[arg-type]
    assert figures(one, ".hint .explained") == [round(best.value, 1)]
    shown = read_advised_move(one)
    assert shown == (write_action(replay.state, best.move, 2))
    one.press("[data-act=close-hint]")
    assert (one.is_visible(".hint"), one.find(".advised").count()) == (False, 0)
    one.press("[data-act=hint]")
    one.wait_for(".hint ul")
    one.press(PREVIEW_CELL)
    if one.is_visible(CONFIRM_BUTTON):
        one.press(CONFIRM_BUTTON)
    expect(one.find(".hint")).to_have_count(0)
    assert one.find(".advised").count() == 0


def read_advised_move(one: Screen) -> str:
    """The move that is outlined, as an action."""
    box = one.find("td.advised > .cell")
    if box.count():
        return str(box.get_attribute("data-box"))
    kept = {str(die.get_attribute("data-die")) for die in one.find(".die.advised").all()}
    return "".join(str(face) if str(place) in kept else "." for place, face in enumerate(faces(one)))


@pytest.mark.rest
def test_a_hint_in_a_game_of_rounds(ada: OpenScreen, server: Server, games: dict[str, PreparedGame]) -> None:
    one, game = ada(), games["hints"].game
    ask_for_hint(one, server, games["hints"].room)
    one.press(CONFIRM_BUTTON)
    one.wait_for(".hint ul")
    replay = replay_until(record_of(server, game))
    assert replay.state.seat == 0 != CHANCE
    best = rank_moves(replay.game, replay.state)[0]  # type: ignore[arg-type]
    assert read_advised_move(one) == write_action(replay.state, best.move, 3)
    assert "%" in one.find(".hint .best").inner_text()
    expect(one.find("tr[data-seat='0']")).to_contain_text("assisted")
    one.page.keyboard.press("Escape")
    expect(one.find(".hint")).to_have_count(0)


@pytest.mark.rest
def test_whoever_does_not_wait_for_the_coach_plays_on(
    ada: OpenScreen, server: Server, games: dict[str, PreparedGame]
) -> None:
    one, held = ada("phone"), list[str | bytes]()

    def between(line: WebSocketRoute) -> None:
        onward = line.connect_to_server()

        def said(message: str | bytes) -> None:
            if '"do":"hint"' in str(message):
                held.append(message)
            else:
                onward.send(message)

        line.on_message(said)

    one.page.route_web_socket(re.compile("/ws"), between)
    ask_for_hint(one, server, games["slow"].room)
    one.press(CONFIRM_BUTTON)
    expect(one.find(".hint")).to_contain_text("thinking")
    assert len(held) == 1
    one.press(PREVIEW_CELL)
    if one.is_visible(CONFIRM_BUTTON):
        one.press(CONFIRM_BUTTON)
    expect(one.find(".hint")).to_have_count(0)


@pytest.mark.rest
def test_the_running_ledger_closes_after_every_turn(
    ada: OpenScreen, server: Server, games: dict[str, PreparedGame]
) -> None:
    one, game = ada(ledger=True), games["ledger"].game
    one.page.goto(f"{server.url}/room/{games['ledger'].room}")
    one.wait_for(".ask")
    assert "assisted" in one.find(".ask").inner_text()
    one.press(CONFIRM_BUTTON)
    one.wait_for(".ledger")
    before, line = figures(one, ".ledger"), one.find(".ledger").inner_text()
    one.press("[data-act=roll]")
    one.wait_for(".die.entering")
    one.page.keyboard.type("1" * one.find(".die.entering").count())
    one.press(PREVIEW_CELL)
    if one.is_visible(CONFIRM_BUTTON):
        one.press(CONFIRM_BUTTON)
    expect(one.find(".ledger")).not_to_have_text(line)
    record = record_of(server, game)
    found = review_seat(record, replay_until(record), 0)
    wins = sum_win_ledger(chart_wins(replay_until(record)), 0)
    expected = (found.par, found.luck, found.lost, 100 * wins.dice, 100 * wins.choices)
    assert figures(one, ".ledger") == pytest.approx(expected, abs=0.051)
    assert figures(one, ".ledger") != before
    assert found.par + found.luck - found.lost == pytest.approx(found.final)
    expect(one.find("thead [data-seat='0']")).to_contain_text("assisted")


@pytest.mark.rest
def test_whoever_does_not_want_the_ledger_is_not_marked(
    ada: OpenScreen, server: Server, games: dict[str, PreparedGame]
) -> None:
    one = ada(ledger=True)
    one.page.goto(f"{server.url}/room/{games['open'].room}")
    one.press(".ask [data-act=no]")
    assert not [event for event in record_of(server, games["open"].game).events if isinstance(event, Assisted)]
    assert not one.is_visible(".ledger")
    one.open_settings()
    one.press("[data-setting=ledger] .pick:first-child")
    one.press("dialog [data-act=close]")
    one.page.reload()
    one.wait_for(PREVIEW_CELL)
    assert not one.is_visible(".ask")
