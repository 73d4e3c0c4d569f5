"""Draws the icons of an installed Knobel from the one of the page.

python -m tests.icons
"""

from pathlib import Path

from playwright.sync_api import Browser

from tests.support.browser import launch_browser

STATIC = Path(__file__).parents[1] / "src" / "knobel" / "web" / "static"
BACKGROUND = "#8c2f2a"
ICONS = {"icon-192.png": (192, False), "icon-512.png": (512, False), "icon-maskable-512.png": (512, True)}
"""Each icon with its size, and whether a system may cut its edges off."""


def draw_icon(browser: Browser, size: int, maskable: bool) -> bytes:
    """Draw one icon; one that may be cut fills its square and keeps its pips in the middle."""
    drawing = (STATIC / "icon.svg").read_text(encoding="utf-8")
    page = browser.new_page(viewport={"width": size, "height": size})
    ground = BACKGROUND if maskable else "transparent"
    page.set_content(f"<style>*{{margin:0}}svg{{display:block}}body{{background:{ground}}}</style>{drawing}")
    picture = page.screenshot(omit_background=not maskable)
    page.close()
    return picture


def main() -> None:
    """Draw them all."""
    with launch_browser() as browser:
        for name, (size, maskable) in ICONS.items():
            (STATIC / name).write_bytes(draw_icon(browser, size, maskable))


if __name__ == "__main__":
    main()
