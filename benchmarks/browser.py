"""Measures the game in the browser: how heavy the first page is, and how soon dice are seen after a finger is down.

python -m benchmarks.browser
"""

import statistics
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Response
from tests.support.browser import PREVIEW_CELL, ROLL_BUTTON, Screen, Server, launch_browser, open_screen

TIMES = 30
MOST_BYTES = 220 * 1024
MOST_MS = 50.0
MOST_FIRST_MS = 300.0
SHOWN = """window.empty = 0;
new MutationObserver((_, watch) => {
  if (document.readyState === "loading") return;
  const lists = [...document.querySelectorAll("#page, #page .editions, #page ul")];
  window.empty += lists.filter((one) => !one.firstElementChild).length;
  if (document.querySelector("knobel-home h2")) window.content ??= performance.now();
  if (!document.querySelector("[data-edition]")) return;
  window.shown = performance.now();
  watch.disconnect();
}).observe(document, { childList: true, subtree: true })"""
"""Notes when the page has words, when its first edition is there, and whether a list was ever empty before that."""
BEFORE = """() => [location.href, ...performance.getEntriesByType("resource")
  .filter((one) => one.startTime < shown).map((one) => one.name)]"""
"""What was asked for until then."""
WATCH = """() => {
  window.seen = [];
  const bed = document.querySelector(".dice");
  const faces = () => [...bed.querySelectorAll("[data-die]")].map((die) => die.getAttribute("aria-label")).join();
  document.querySelector("[data-act=roll]").addEventListener("pointerdown", () => {
    const begin = performance.now();
    const before = faces();
    const wait = () => (faces() === before ? requestAnimationFrame(wait) : window.seen.push(performance.now() - begin));
    requestAnimationFrame(wait);
  });
}"""
"""From the finger on the button to the frame that shows other dice."""
FRAMES = """async (times) => {
  const took = [];
  for (let n = 0; n < times; n++) {
    const begin = performance.now();
    await new Promise(requestAnimationFrame);
    took.push(performance.now() - begin);
  }
  return took;
}"""
"""One empty frame: nothing can be seen sooner."""
ROUND = """async (times) => {
  const took = [];
  for (let n = 0; n < times; n++) {
    const begin = performance.now();
    await (await fetch("/api/rooms?ids=")).text();
    took.push(performance.now() - begin);
  }
  return took;
}"""
"""A request the server answers without computing anything."""
SOCKET = """async (times) => {
  const line = new WebSocket(`ws://${location.host}/ws`);
  await new Promise((open) => line.addEventListener("open", open));
  const took = [];
  for (let n = 0; n < times; n++) {
    const begin = performance.now();
    const answered = new Promise((heard) => line.addEventListener("message", heard, { once: true }));
    line.send(JSON.stringify({ do: "enter", room: "nowhere" }));
    await answered;
    took.push(performance.now() - begin);
  }
  line.close();
  return took;
}"""
"""A message to the server and its answer, on a bare socket."""


def measure_first_page(browser: Browser, server: Server) -> bool:
    """Add up the bytes of every request until the editions are shown."""
    one = open_screen(browser)
    fetched: list[Response] = []

    def note_response(answer: Response) -> None:
        fetched.append(answer)

    one.page.on("response", note_response)
    one.page.add_init_script(SHOWN)
    one.open_home(server.url)
    before = {urlsplit(url).path for url in one.page.evaluate(BEFORE)}
    weights = {urlsplit(answer.url).path: len(answer.body()) for answer in fetched}
    for path, weight in sorted(weights.items(), key=lambda item: -item[1]):
        print(f"{path:<44} {weight:9,} bytes{'' if path in before else ', after the editions are seen'}")
    whole = sum(weight for path, weight in weights.items() if path in before)
    print(f"{'the whole first page, as it is':<44} {whole:9,} bytes  goal at most {MOST_BYTES:,}")
    content, shown, empty = one.page.evaluate("[content, shown, empty]")
    print(f"{'until the page shows content':<44} {content:9.0f} ms     goal at most {MOST_FIRST_MS:.0f} ms")
    print(f"{'until its editions are seen':<44} {shown:9.0f} ms")
    print(f"{'lists that were empty before that':<44} {empty:9}        goal none")
    print(f"{'requests that leave the machine':<44} {len(one.problems):9}        goal none")
    well = whole <= MOST_BYTES and not one.problems and content <= MOST_FIRST_MS and not empty
    one.page.context.close()
    return well


def measure_rolls(browser: Browser, server: Server) -> bool:
    """Time rolls, from the finger to the frame, without motion."""
    one = open_screen(browser)
    one.open_home(server.url).choose_edition("tactic-xl-yatzy").start_shared_game("Ada").skip_guide()
    one.wait_for(ROLL_BUTTON)
    one.page.evaluate(WATCH)
    while len(one.page.evaluate("seen")) < TIMES:
        roll_dice(one)
    took = one.page.evaluate("seen")[:TIMES]
    frame, fetch, socket = (one.page.evaluate(work, TIMES) for work in (FRAMES, ROUND, SOCKET))
    for name, times in (("an empty frame", frame), ("a bare HTTP answer", fetch), ("a bare socket answer", socket)):
        print(f"{name:<44} {statistics.median(times):9.1f} ms median {find_95th_percentile(times):7.1f} ms p95")
    median, slow = statistics.median(took), find_95th_percentile(took)
    compared = median / (statistics.median(frame) + statistics.median(socket))
    print(f"{'a roll, from the finger to the dice seen':<44} {median:9.1f} ms median {slow:7.1f} ms p95", end="")
    print(f"  {compared:.2f} x frame and socket answer  goal under {MOST_MS:.0f} ms")
    one.check_problems()
    one.page.context.close()
    return slow < MOST_MS


def roll_dice(one: Screen) -> None:
    """Roll three times, slowly enough that no two clicks count as one, and score."""
    for left in (2, 1, 0):
        one.page.wait_for_timeout(550)
        one.press(ROLL_BUTTON)
        one.find(f".left:not(:has(b.on:nth-last-child({left + 1})))").wait_for(state="attached")
    one.wait_for(PREVIEW_CELL)
    one.score()


def find_95th_percentile(times: list[float]) -> float:
    """The time that nineteen of twenty stay under."""
    return sorted(times)[int(len(times) * 0.95)]


def main() -> None:
    """Measure everything."""
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, launch_browser() as browser:
        well = [measure_first_page(browser, server), measure_rolls(browser, server)]
    sys.exit(not all(well))


if __name__ == "__main__":
    main()
