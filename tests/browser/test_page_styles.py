"""A page looks the same whether it was reloaded or reached from another page, whose style sheets are still there."""

from collections.abc import Iterator

import pytest

from knobel.rooms.intents import ChangeSettings, LeaveGame
from tests.screenshots import ADA, BEN, Stage, boxes, visit
from tests.support.browser import FACE_KEY, PREVIEW_CELL, OpenScreen, Screen, Size
from tests.support.staged_server import StagedServer, own

LAZY = (
    *(
        "bots.css",
        "charts.css",
        "check.css",
        "hint.css",
        "inks.css",
        "memory.css",
        "pad.css",
        "review.css",
        "rounds.css",
    ),
    *("solving.css", "views.css", "your-games.css"),
)
LOAD = "files => import('/static/dom.js').then(dom => Promise.all(files.map(dom.loadStylesheet)))"
LAYOUT = """async () => {
  const read = () => [...document.querySelectorAll("#page :not(.status *), .bar *")]
    .filter((one) => one.getClientRects().length)
    .map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      const { color, backgroundColor, fontSize } = getComputedStyle(one);
      const name = `${one.localName}.${one.className.baseVal ?? one.className}`;
      return `${name} ${[x, y, width, height].map(Math.round)} ${color} ${backgroundColor} ${fontSize}`;
    });
  const stillFrames = 12;
  await document.fonts.load("600 16px Caveat", "0123456789");
  await document.fonts.ready;
  let before = [];
  for (let still = 0; still < stillFrames; still++) {
    await new Promise(requestAnimationFrame);
    const now = read();
    if (now.join() !== before.join()) still = 0;
    before = now;
  }
  return before;
}"""
"""Where everything is and how it is coloured once nothing moves; the narration of the last move may differ."""

ATTEMPTS = 10
"""On a busy machine something may still be on its way when nothing has moved for some frames."""


async def play_rooms(stage: Stage) -> None:
    """A lobby, a sheet somebody has left, a pad, a game of rounds, an end."""
    two = (("Ada", ADA), ("Ben", BEN))
    tactic = ChangeSettings("tactic-xl-yatzy", "en")
    await stage.open("lobby", tactic, *two, ("Mia", None), begin=False)
    room = await stage.open("table", tactic, *two, ("Cleo", ADA))
    await stage.fill(room, "ones", "sixes", "full_house", "two_pairs")
    await stage.do(room, BEN, LeaveGame(1))
    await stage.act(room, ".....", ">63626")
    await stage.open("pad", ChangeSettings("tactic-xl-yatzy", "sv", free=True), ("Ada", ADA), ("Cleo", ADA))
    room = await stage.open("rounds", ChangeSettings("carlit-chicago"), ("Ada", ADA), ("Cleo", ADA))
    await stage.cast(room, "666", "111", "632")
    room = await stage.open("end", ChangeSettings("hasbro-yahtzee", free=True), ("Ada", ADA), ("Cleo", ADA))
    for seat in (0, 1):
        await stage.enter(room, seat, *(f"{box}=0" for box in boxes("hasbro-yahtzee")))
    await stage.close(room)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StagedServer]:
    with StagedServer(tmp_path_factory.mktemp("styles"), play_rooms) as server:
        yield server


def list_pages(server: StagedServer) -> dict[str, str]:
    """Every kind of page, and what it shows when it is there."""
    return {
        server.address("lobby"): ".invite [data-code]",
        server.address("table"): PREVIEW_CELL,
        server.address("rounds"): ".sum-line",
        server.address("pad"): FACE_KEY,
        server.address("end"): ".end",
        f"{server.address('table')}/screen": ".tray",
        f"{server.address('lobby')}/screen": ".invite [data-code]",
        f"{server.address('rounds')}/screen": ".tray",
        f"{server.url}/check/": "[data-field=record]",
        f"{server.url}/people": "li.person",
        f"{server.url}/games": ".past-game",
        f"{server.url}/": "[data-edition]",
    }


def read_layout(one: Screen, selector: str) -> list[str]:
    one.wait_for(selector)
    found: list[str] = one.page.evaluate(LAYOUT)
    return found


@pytest.mark.rest
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_a_page_looks_as_if_it_had_been_loaded_first(
    screen: OpenScreen, server: StagedServer, width: int, height: int
) -> None:
    size: Size = "phone" if width < height else "desktop"
    one = own(screen(size, viewport={"width": width, "height": height}), server, each_roll=False)
    pages = list_pages(server)
    one.page.goto(server.url)
    for earlier in ("pad", "table"):
        visit(one, server.address(earlier), ".tray")
    visit(one, f"{server.url}/people", "li.person")  # from here on the browser knows the colours of its people
    one.page.evaluate(LOAD, LAZY)
    reached = {}
    for address, selector in pages.items():
        visit(one, address, selector)
        reached[address] = read_layout(one, selector)
    # Home lists the rooms one has been in: it is the last page that is reached and the first that is loaded.
    for address, selector in reversed(pages.items()):
        one.page.goto(address)
        fresh: list[str] = []
        for _ in range(ATTEMPTS):
            fresh = read_layout(one, selector)
            if fresh == reached[address]:
                break
        assert fresh == reached[address], address
