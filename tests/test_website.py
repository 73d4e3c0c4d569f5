"""The documentation as a site: its links, its navigation, a page for every edition, and a search without a server."""

import re
from pathlib import Path, PurePosixPath

import pytest
from website.build import BuildFailed, build_pages, build_site, stage_fonts
from website.guides import stage_guides
from website.links import ROOT, DeadLink, find_place, relocate_links
from website.navigation import build_navigation
from website.reference import build_reference

import knobel
from knobel.rules import edition_ids, load_edition
from tests.support.browser import launch_browser

LANG = "de"
LOADED = re.compile(
    r"""<(?:script|img|iframe)[^>]+src=["']?([^"'\s>]+)|<link[^>]+href=["']?([^"'\s>]+)|url\(["']?(\w+:)"""
)

# Links.


def relocate(text: str, source: str) -> tuple[str, list[str]]:
    """Relocate the links of a text; give their targets, too."""
    targets: list[PurePosixPath] = []
    return relocate_links(text, PurePosixPath(source), targets.append), [str(target) for target in targets]


@pytest.mark.parametrize(
    ("source", "link", "moved"),
    [
        ("docs/solver.md", "commands.md#editions", "commands.md#editions"),
        ("docs/guides/home.md", "../paper.md", "../paper.md"),
        ("docs/testing.md", "../CONTRIBUTING.md#style", "project/contributing.md#style"),
        ("README.md", "docs/decisions", "../decisions/index.md"),
        ("README.md", "LICENSE", "../files/LICENSE.md"),
        ("docs/commands.md", "../examples/house-rules/kniffel.toml", "files/examples/house-rules/kniffel.toml.md"),
        ("docs/commands.md", "../examples/house-rules", "files/examples/house-rules/index.md"),
        ("README.md", "docs/pictures/coach.png", "../pictures/coach.png"),
        ("README.md", "https://example.org/docs", "https://example.org/docs"),
        ("README.md", "#par", "#par"),
    ],
)
def test_a_link_leads_to_the_same_thing_on_the_site(source: str, link: str, moved: str) -> None:
    assert relocate(f"see [this]({link}).", source)[0] == f"see [this]({moved})."


def test_pictures_in_html_are_found_and_code_is_left_alone() -> None:
    text = '<img src="docs/pads/chicago.png"> `[x](gone.md)`\n```sh\n[x](gone.md)\n```\n[`y`](LICENSE)'
    moved, targets = relocate(text, "README.md")
    assert targets == ["docs/pads/chicago.png", "LICENSE"]
    assert '<img src="../pads/chicago.png"> `[x](gone.md)`\n```sh\n[x](gone.md)\n```' in moved


def test_the_reference_has_every_public_name_as_a_program_writes_it() -> None:
    text = build_reference()
    assert re.findall(r"^### (\w+)$", text, re.MULTILINE) == knobel.__all__
    assert "- `odds: Odds`: The exact distribution" in text
    assert "Board(rules: Rules | Edition | str | Path, players: int = 1," in text
    assert "- `copy() -> Board`: " in text
    assert "explain(error: KnobelError | Phrase, lang: str = 'en') -> str" in text


@pytest.mark.parametrize("link", ["gone.md", "../gone", "../../README.md"])
def test_a_link_to_something_that_is_not_in_the_repository_is_an_error(link: str) -> None:
    with pytest.raises(DeadLink, match=r"docs/index\.md"):
        relocate(f"[x]({link})", "docs/index.md")


def test_every_file_a_guide_links_to_is_on_the_site(tmp_path: Path) -> None:
    stage_guides(tmp_path)
    guides = [path.relative_to(ROOT) for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))]
    places = [find_place(PurePosixPath(guide.as_posix())) for guide in guides]
    assert len(set(places)) == len(places)
    assert all((tmp_path / place).is_file() for place in places)
    assert "rolls = 4" in (tmp_path / "files/examples/house-rules/four-rolls.toml.md").read_text(encoding="utf-8")


# Navigation.


def test_a_page_nobody_thought_of_is_in_the_navigation(tmp_path: Path) -> None:
    for page in ("index.md", "solver.md", "api/rooms.md", "later/new.md", "rules/uk.md", "files/LICENSE.md"):
        (tmp_path / page).parent.mkdir(exist_ok=True)
        (tmp_path / page).write_text("# Title\n", encoding="utf-8")
    assert build_navigation(tmp_path) == [
        {"Home": "index.md"},
        {"Rules": [{"Українська": "rules/uk.md"}]},
        {"Research": ["solver.md"]},
        {"Development": ["api/rooms.md"]},
        {"Project": ["later/new.md"]},
    ]


# The site itself.


def check_editions(site: Path) -> None:
    """Check that every edition has a page with its rules, its odds and its pad."""
    for name in edition_ids():
        page = (site / "editions" / f"{name}.html").read_text(encoding="utf-8")
        edition = load_edition(name)
        for part in (f"{edition.title} ({edition.publisher})", 'id="rules"', 'id="perfect-play"', 'id="score-pads"'):
            assert part in page, (name, part)
        assert f'href="{name}/pad-{LANG}.pdf"' in page
        assert (site / "editions" / name / f"pad-{LANG}.pdf").read_bytes().startswith(b"%PDF")
        pictures = re.findall(rf'src="({name}/[^"]+)"', page)
        assert pictures
        assert all((site / "editions" / picture).is_file() for picture in pictures)


def check_first_page(site: Path) -> None:
    """Check that the first page leads to every guide and every edition."""
    page = (site / "index.html").read_text(encoding="utf-8")
    wanted = [f"editions/{name}.html" for name in edition_ids()]
    wanted += [f"guides/{path.stem}.html" for path in (ROOT / "docs" / "guides").glob("*.md")]
    content = page.partition("<article")[2].partition("</article")[0]
    assert [link for link in wanted if f'href="{link}"' not in content] == []


def check_sources(site: Path) -> None:
    """Check that nothing is loaded from elsewhere."""
    files = [*site.rglob("*.html"), *site.rglob("*.css")]
    loaded = {"".join(found) for file in files for found in LOADED.findall(file.read_text(encoding="utf-8"))}
    assert any(name.endswith("site.css") for name in loaded)
    assert sorted(name for name in loaded if re.match(r"(?:\w+:)?//|https?:", name)) == []


@pytest.mark.rest
@pytest.mark.solve
def test_the_site_has_a_page_and_a_pad_for_every_edition_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    site = build_site(tmp_path, (LANG,))
    check_editions(site)
    check_first_page(site)
    check_sources(site)
    assert '<div lang="uk">' in (site / "rules" / "uk.html").read_text(encoding="utf-8")


def write_pages(folder: Path, **pages: str) -> None:
    for name, text in pages.items():
        (folder / "pages").mkdir(exist_ok=True)
        (folder / "pages" / f"{name}.md").write_text(text, encoding="utf-8")


@pytest.mark.rest
def test_dead_links_and_dead_anchors_fail(tmp_path: Path) -> None:
    write_pages(tmp_path, index="# Home\n\n[to](other.md#other)\n", other="# Other\n\n[home](index.md#home)\n")
    assert (build_pages(tmp_path) / "other.html").is_file()
    write_pages(tmp_path, index="# Home\n\n[a](gone.md)\n[b](other.md#gone)\n[c](#nowhere)\n[d](other.md#other)\n")
    with pytest.raises(BuildFailed) as failed:
        build_pages(tmp_path)
    assert re.findall(r"(index\.md:\d+)|(other\.md:\d+)", str(failed.value)) == [
        (f"index.md:{line}", "") for line in (3, 4, 5)
    ]


@pytest.mark.rest
@pytest.mark.browser
def test_the_search_works_without_a_server(tmp_path: Path) -> None:
    write_pages(tmp_path, index="# Home\n\nNothing.\n", rules="# Кубики\n\nA joker counts as anything.\n")
    stage_fonts(tmp_path / "pages" / "assets")
    address = (build_pages(tmp_path) / "index.html").as_uri()
    asked: list[str] = []
    with launch_browser() as browser:
        for word in ("joke", "кубик"):
            page = browser.new_page()
            page.on("request", lambda request: asked.append(request.url))
            page.goto(address)
            page.locator(".md-search__button").click()
            page.locator("input[aria-label=Search]").wait_for()
            page.keyboard.type(word)
            page.locator('a[role=option][href*="rules.html"]').first.wait_for()
    assert asked
    assert all(url.startswith("file:") for url in asked)
