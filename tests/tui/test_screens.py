"""How every screen looks: as text at two sizes, readable in both themes, and without a single colour if asked for."""

from pathlib import Path

import pytest
from rich.color import Color, ColorType
from rich.style import Style

from tests.support.hosted_rooms import run_async
from tests.support.selection import mostly_rest
from tests.support.terminal import SMALL, Terminal, open_terminal
from tests.support.terminal_scenes import CASES, FOLDER, SCENES, draw_scene, find_file

LEAST_CONTRAST = 4.5
"""What people need to read text, by the guidelines for the web."""
READ_ELSEWHERE = {"zero", "end", "history", "statistics"}
"""A question over a dimmed table, and scenes that take long to play and have only the styles of others."""


@pytest.mark.parametrize(
    "case", mostly_rest(CASES, ("home", SMALL), ("table", SMALL), ("table", (120, 40)), ("chicago", (120, 40)))
)
@run_async
async def test_a_screen_looks_as_it_did(tmp_path: Path, case: tuple[str, tuple[int, int]]) -> None:
    name, size = case
    assert await draw_scene(name, size, tmp_path) == find_file(name, size).read_text(encoding="utf-8")


def test_every_committed_screen_is_compared() -> None:
    assert {path.name for path in FOLDER.glob("*")} == {find_file(name, size).name for name, size in CASES}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("scene", mostly_rest([name for name in SCENES if name not in READ_ELSEWHERE], "home", "table"))
@run_async
async def test_every_word_can_be_read(tmp_path: Path, scene: str, theme: str) -> None:
    async with open_terminal(tmp_path, theme=theme, edition="noris-yatzy") as terminal:
        await SCENES[scene](terminal)
        pale = {text: contrast for text, contrast in list_contrasts(terminal) if contrast < LEAST_CONTRAST}
    assert pale == {}


def list_contrasts(terminal: Terminal) -> list[tuple[str, float]]:
    """List what is written, and the contrast of each part to what it is written on."""
    segments = (segment for strip in terminal.read_strips() for segment in strip)
    return [
        (segment.text.strip(), compute_contrast(segment.style))
        for segment in segments
        if any(letter.isalnum() for letter in segment.text) and segment.style is not None
    ]


def compute_contrast(style: Style) -> float:
    assert style.color is not None
    assert style.bgcolor is not None
    light, dark = sorted((compute_luminance(style.color), compute_luminance(style.bgcolor)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def compute_luminance(color: Color) -> float:
    parts = [part / 255 for part in color.get_truecolor()]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("environment", "theme"), [({"NO_COLOR": "1"}, "dark"), ({}, "none")])
@run_async
async def test_without_colours_none_is_written(tmp_path: Path, environment: dict[str, str], theme: str) -> None:
    async with open_terminal(tmp_path, environment=environment, theme=theme) as terminal:
        await SCENES["table"](terminal)
        segments = [segment for strip in terminal.read_strips() for segment in strip]
        for line_filter in terminal.app.get_line_filters():
            segments = line_filter.apply(segments, terminal.app.screen.background_colors[1])
        colours = {
            colour.type
            for segment in segments
            if segment.style is not None
            for colour in (segment.style.color, segment.style.bgcolor)
            if colour is not None
        }
        assert colours <= {ColorType.DEFAULT}
        assert "".join(segment.text for segment in segments).count("kept") == 2


@run_async
async def test_without_colours_what_is_chosen_is_underlined(tmp_path: Path) -> None:
    async with open_terminal(tmp_path, theme="none", edition="noris-yatzy") as terminal:
        segments = [segment for strip in terminal.read_strips() for segment in strip]
        chosen = [segment.text.strip() for segment in segments if segment.style and segment.style.underline]
        assert [text for text in chosen if text] == ["Yatzy · Noris"]


@pytest.mark.parametrize("lang", ["de", "fi", "ru"])
@run_async
async def test_a_screen_speaks_the_language_of_its_player(tmp_path: Path, lang: str) -> None:
    async with open_terminal(tmp_path, lang=lang) as terminal:
        await SCENES["table"](terminal)
        words = terminal.position.words
        assert words.lang == lang
        lines = "\n".join(terminal.read_lines())
        assert words("web.tray.dice") in lines
        assert words("web.tray.last") in lines
