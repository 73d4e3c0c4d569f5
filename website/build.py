"""Builds the site: gathers its pages in a folder, writes the navigation and runs Zensical."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from website.edition_pages import build_cards, open_editions, stage_editions
from website.guides import stage_guides
from website.links import ROOT
from website.navigation import build_navigation
from website.reference import MARK, build_reference

HERE = Path(__file__).parent
STATIC = ROOT / "src" / "knobel" / "web" / "static"
PAGES, SITE = "pages", "site"
COLOUR = re.compile(r"\x1b\[[\d;]*m")
CARDS = "<!-- editions -->"
"""What the first page says where the editions are to be shown."""
HOME_SETTINGS = "---\nhide: [navigation, toc]\n---\n"


class BuildFailed(RuntimeError):
    """Something is wrong with the pages: what was said about it."""


def build_site(folder: Path, languages: Sequence[str]) -> Path:
    """Build the site in a folder from scratch, with pads in these languages, and say where it is."""
    pages = folder / PAGES
    shutil.rmtree(pages, ignore_errors=True)
    stage_guides(pages)
    editions = open_editions()
    stage_editions(editions, pages, languages)
    home = pages / "index.md"
    text = home.read_text(encoding="utf-8").replace(CARDS, build_cards(editions))
    home.write_text(HOME_SETTINGS + text, encoding="utf-8")
    library = pages / "api.md"
    library.write_text(library.read_text(encoding="utf-8").replace(MARK, build_reference()), encoding="utf-8")
    stage_fonts(pages / "assets")
    return build_pages(folder)


def stage_fonts(folder: Path) -> None:
    """Copy our own fonts: the site loads nothing from elsewhere."""
    shutil.copytree(STATIC / "fonts", folder / "fonts", ignore=shutil.ignore_patterns("caveat*"))
    css = (STATIC / "fonts.css").read_text(encoding="utf-8")
    kept = [line for line in css.splitlines() if "caveat" not in line]
    (folder / "fonts.css").write_text("\n".join(kept) + "\n", encoding="utf-8")
    shutil.copy(STATIC / "icon.svg", folder / "icon.svg")


def build_pages(folder: Path) -> Path:
    """Build a site of the pages that were gathered in a folder; a dead link or anchor is an error."""
    site = folder / SITE
    shutil.rmtree(site, ignore_errors=True)
    settings = {
        "INHERIT": str(HERE / "mkdocs.yml"),
        "docs_dir": PAGES,
        "site_dir": SITE,
        "nav": build_navigation(folder / PAGES),
        "theme": {"custom_dir": str(HERE / "theme")},
    }
    config = folder / "mkdocs.yml"
    config.write_text(json.dumps(settings, ensure_ascii=False, indent=1), encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict", "--config-file", str(config)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise BuildFailed(COLOUR.sub("", done.stdout + done.stderr).partition("Traceback")[0])
    return site
