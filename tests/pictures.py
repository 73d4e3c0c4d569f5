"""Takes the pictures of the README from the real program, and notes from which sources: `make pictures`."""

import hashlib
import json
import re
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Request

from tests.screenshots import device, play_all, visit
from tests.support.browser import CONTINUE_BUTTON, PREVIEW_CELL, ROLL_BUTTON, Screen, launch_browser, open_screen
from tests.support.staged_server import StagedServer

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures"
SOURCES = FOLDER / "sources.json"
STATIC = ROOT / "src" / "knobel" / "web" / "static"
WORDS = ROOT / "src" / "knobel" / "lang" / "en" / "LC_MESSAGES"
CATALOGS = ("web", "rules", "coach")
FILM_SIZE = {"width": 375, "height": 720}
FILM_STEPS, FRAMES_A_STEP, FRAME_SECONDS = 10, 2, 0.4
SIGNATURE = b"\x89PNG\r\n\x1a\n"


# From which sources a picture was taken.


def digest_sources(files: list[str]) -> str:
    """Hash the files a page was made of, and the English words."""
    found = hashlib.sha256()
    for path in [*(STATIC / name for name in files), *(WORDS / f"{name}.po" for name in CATALOGS)]:
        found.update(path.read_bytes() if path.is_file() else b"gone")
    return found.hexdigest()


def list_outdated() -> list[str]:
    """Name the pictures whose sources have changed since."""
    kept: dict[str, dict[str, object]] = json.loads(SOURCES.read_text(encoding="utf-8"))
    return [name for name, one in kept.items() if digest_sources(list(one["files"])) != one["digest"]]  # type: ignore[call-overload]


def note_files(one: Screen) -> set[str]:
    """Note which files of the program a page asks for."""
    found: set[str] = set()

    def note(request: Request) -> None:
        path = urlsplit(request.url).path
        if path.startswith("/static/"):
            found.add(path.removeprefix("/static/"))

    one.page.on("request", note)
    return found


# Single pictures.


def show_score_pad(one: Screen, server: StagedServer) -> None:
    visit(one, server.address("pad-marks"), ".against-rules")
    one.page.keyboard.type("33355")
    one.wait_for(PREVIEW_CELL)


def show_coach(one: Screen, server: StagedServer) -> None:
    one.page.goto(f"{server.url}/review/{server.games['end']}")
    one.find(".stage[data-event]").wait_for(timeout=60_000)


def show_big_screen(one: Screen, server: StagedServer) -> None:
    visit(one, f"{server.address('eight')}/screen", ".tray")


def show_chicago(one: Screen, server: StagedServer) -> None:
    visit(one, server.address("rounds-follow"), ".sum-line")


STILLS: dict[str, tuple[Callable[[Screen, StagedServer], None], tuple[int, int], str]] = {
    "score-pad": (show_score_pad, (390, 780), "light"),
    "coach": (show_coach, (1280, 860), "light"),
    "big-screen": (show_big_screen, (1280, 720), "light"),
    "chicago": (show_chicago, (390, 780), "dark"),
}


def take_still(browser: Browser, server: StagedServer, name: str) -> list[str]:
    """Take one picture; give the files it was made of."""
    show, (width, height), scheme = STILLS[name]
    one = device(browser, server, "phone" if width < height else "desktop", scheme, each_roll=False)
    files = note_files(one)
    one.page.set_viewport_size({"width": width, "height": height})
    show(one, server)
    one.page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")
    one.page.context.close()
    return sorted(files)


# A game on a phone, as a film.


def play_a_little(one: Screen, url: str) -> Iterator[None]:
    """Start a game in one tap and play, a step at a time."""
    one.open_home(url)
    yield
    one.press(".hero-play")
    one.wait_for(ROLL_BUTTON)
    one.skip_guide()
    while True:
        yield
        if one.is_visible(ROLL_BUTTON):
            one.press(ROLL_BUTTON)
            one.wait_for(PREVIEW_CELL)
            yield
            yield from keep_most_common(one)
            one.press(ROLL_BUTTON)
            yield
            yield
            one.score()
        elif one.is_visible(CONTINUE_BUTTON):
            one.press(CONTINUE_BUTTON)


def keep_most_common(one: Screen) -> Iterator[None]:
    """Keep the dice that show the most common face."""
    faces = [re.findall(r"\d+", said)[1] for said in one.read_dice()]
    best = max(faces, key=lambda face: (faces.count(face), face))
    for place, face in enumerate(faces):
        if face == best:
            one.press(f"[data-die='{place}']")
    yield


def film(one: Screen, url: str) -> list[tuple[bytes, float]]:
    """Take frames while a game is played; give each with how long it is shown."""
    steps = play_a_little(one, url)
    frames: list[tuple[bytes, float]] = []
    for _ in range(FILM_STEPS):
        next(steps)
        for _ in range(FRAMES_A_STEP):
            picture = one.page.screenshot()
            if frames and frames[-1][0] == picture:
                frames[-1] = picture, frames[-1][1] + FRAME_SECONDS
            else:
                frames.append((picture, FRAME_SECONDS))
    return frames


def list_chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Take a PNG apart."""
    at = len(SIGNATURE)
    while at < len(picture):
        (size,) = struct.unpack(">I", picture[at : at + 4])
        yield picture[at + 4 : at + 8], picture[at + 8 : at + 8 + size]
        at += size + 12


def build_chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def join_frames(frames: list[tuple[bytes, float]]) -> bytes:
    """Join pictures of one size into an animated PNG that runs for ever."""
    chunks = [list(list_chunks(picture)) for picture, _ in frames]
    header = next(content for kind, content in chunks[0] if kind == b"IHDR")
    width, height = struct.unpack(">II", header[:8])
    found = [SIGNATURE, build_chunk(b"IHDR", header), build_chunk(b"acTL", struct.pack(">II", len(frames), 0))]
    number = 0
    for place, (parts, (_, shown)) in enumerate(zip(chunks, frames, strict=True)):
        control = struct.pack(">IIIIIHHBB", number, width, height, 0, 0, round(shown * 1000), 1000, 0, 0)
        found.append(build_chunk(b"fcTL", control))
        number += 1
        for content in (content for kind, content in parts if kind == b"IDAT"):
            if place == 0:
                found.append(build_chunk(b"IDAT", content))
            else:
                found.append(build_chunk(b"fdAT", struct.pack(">I", number) + content))
                number += 1
    return b"".join([*found, build_chunk(b"IEND", b"")])


def take_film(browser: Browser, server: StagedServer) -> list[str]:
    """Film a game on a phone; give the files it was made of."""
    one = open_screen(browser, "phone", viewport=FILM_SIZE, device_scale_factor=1)
    files = note_files(one)
    (FOLDER / "phone.png").write_bytes(join_frames(film(one, server.url)))
    one.page.context.close()
    return sorted(files)


def main() -> None:
    """Take them all."""
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        StagedServer(Path(folder), play_all) as server,
        launch_browser() as browser,
    ):
        used = {name: take_still(browser, server, name) for name in STILLS}
        used["phone"] = take_film(browser, server)
    kept = {name: {"files": files, "digest": digest_sources(files)} for name, files in used.items()}
    SOURCES.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    for path in sorted(FOLDER.glob("*.png")):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
