"""Paper: every box in every language on one page, nothing cut, nothing read as code; records printed as they were."""

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from msgspec.structs import replace
from pypdfium2.raw import FPDF_PAGEOBJ_TEXT

from knobel.cli import main
from knobel.errors import PadColumnCount, PadColumnsUneven, PadCopyCount, PaperTooSmall, UnknownPaper
from knobel.host import Host
from knobel.host.record_edition import rebuild_edition
from knobel.lang import LANGUAGES, Translator
from knobel.paper.boxes import ANY_FACE, build_example, list_wanted_dice
from knobel.paper.chips import build_blank_table
from knobel.paper.families import lay_out_game
from knobel.paper.pad import PadOptions, build_blank_pad
from knobel.paper.page import PAD_PAPER_SIZES, PAPER_SIZES, PadPaper, count_max_columns, find_paper_size
from knobel.paper.render import TEMPLATE_DIR, render_pdf, render_png
from knobel.paper.rules_page import build_rules_page
from knobel.record.chain import compute_head
from knobel.record.events import Record, Seat
from knobel.record.file import load_record
from knobel.record.replay import replay_record
from knobel.record.verify import verify
from knobel.rooms.intents import BeginGame, ChangeSettings, SitBot
from knobel.rules import Edition, edition_ids, load_edition, read_house_rules
from knobel.rules.leaflet import build_articles
from knobel.rules.scoring import find_pattern, worth
from knobel.web.app import AppContext, build_app
from tests.support.hosted_rooms import open_host, run_async
from tests.support.pdf_pages import find_crossed_letters
from tests.support.played_tables import open_table
from tests.support.selection import mostly_rest, mostly_solve, thin_out

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(str(path) for path in (ROOT / "examples" / "house-rules").glob("*.toml"))
EDITIONS = (*edition_ids(), *EXAMPLES)
RECORDS = sorted((ROOT / "tests" / "records").rglob("*.knobel"))
CHAINED = [path for path in RECORDS if path.parent.name == "format-2"]
PICTURES = ROOT / "docs" / "pads"
MILLIMETRE = 72 / 25.4
FONTS = ("Literata", "Libertinus")


@dataclass(frozen=True)
class Piece:
    """A piece of text on a page, with its edges in points from the lower left corner."""

    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True)
class Seen:
    """One page as a reader sees it."""

    width: float
    height: float
    text: str
    pieces: tuple[Piece, ...]
    fonts: frozenset[str]

    def has(self, *words: str) -> list[str]:
        """List which of these words are not on the page, wherever lines break."""
        return [word for word in words if flat(word) not in flat(self.text)]


def flat(text: str) -> str:
    """Take out what only layout puts in: breaks, blanks, and the marks of a hyphen at the end of a line."""
    return re.sub(r"[\s\u200b\u00ad\ufffe\x02-]+", "", text)


def read(content: bytes) -> list[Seen]:
    """Read a file as any reader of PDF does."""
    found = []
    document = pypdfium2.PdfDocument(content)
    for page in document:
        pieces = list(page.get_objects(filter=[FPDF_PAGEOBJ_TEXT]))
        edges = tuple(Piece(*item.get_bounds()) for item in pieces)
        fonts = frozenset(item.get_font().get_base_name().partition("+")[2] for item in pieces)
        text = page.get_textpage().get_text_range()
        width, height = page.get_size()
        found.append(Seen(width, height, text, edges, fonts))
    document.close()
    return found


def pad_of(edition: Edition, lang: str = "en", **wish: Any) -> bytes:
    """Print the score pad of an edition."""
    words, text = Translator(lang, edition), edition.choose_text(None, lang)
    if edition.family == "sheet":
        return render_pdf(
            "pad", build_blank_pad(edition.rules(text), words, edition.title, edition.publisher, PadOptions(**wish))
        )
    rules = edition.rules(text)
    return render_pdf("chips", build_blank_table(rules, words, edition.title, edition.publisher, PadOptions(**wish)))


def sheet_of(edition: Edition, lang: str = "en", size: str = "a4") -> bytes:
    """Print the rules of a box."""
    return render_pdf(
        "leaf", build_rules_page(edition, edition.choose_text(None, lang), {}, Translator(lang, edition), size)
    )


def names_of(edition: Edition, lang: str) -> list[str]:
    """List the names that must stand on a score pad: of the edition, its boxes, its sums."""
    words, text = Translator(lang, edition), edition.choose_text(None, lang)
    if edition.family != "sheet":
        terms = ("player", "kitty", "round", "opener", "over", "under", "chip")
        return [edition.title, *(words.find_term(f"rules.term.{term}") or "?" for term in terms)]
    rules = edition.rules(text)
    terms = ("player", "total", *(("upper_total", "bonus") if rules.bonus else ()))
    named = [words.name_box(box.id) for box in rules.boxes] + [
        words.find_term(f"rules.term.{term}") or "?" for term in terms
    ]
    prime = rules.yatzy.prime if rules.yatzy else 0
    return [
        edition.title,
        *named,
        *([words.find_term("rules.term.yahtzee_bonus") or "?", f"+{prime}"] if prime else []),
    ]


def check_inside(page: Seen, margin: float = 0.0) -> None:
    """No word may reach over the edge of the paper."""
    edge = max(0.0, margin * MILLIMETRE - 3)  # letters lean a little out of their places
    assert page.pieces
    outside = [
        piece
        for piece in page.pieces
        if piece.left < edge or piece.bottom < edge or piece.right > page.width - edge or piece.top > page.height - edge
    ]
    assert outside == []


def check_fonts(page: Seen) -> None:
    """Every letter has a font of ours that comes with the file."""
    assert {font for font in page.fonts if not font.startswith(FONTS)} == set()


# Every edition in every language.


PAD, RULES = "pad", "rules"
PAGES = thin_out(
    edition_ids(),
    LANGUAGES,
    [PAD, RULES],
    chosen=product(("tactic-xl-yatzy", "carlit-chicago"), ["uk"], [PAD, RULES]),
)


@pytest.mark.parametrize(("name", "lang", "kind"), PAGES)
def test_every_edition_is_one_page_in_every_language_with_every_word_whole(name: str, lang: str, kind: str) -> None:
    (check_pad if kind == PAD else check_rules)(load_edition(name), lang)


def check_pad(edition: Edition, lang: str) -> None:
    content = pad_of(edition, lang)
    (page,) = read(content)
    assert page.has(*names_of(edition, lang)) == []
    check_inside(page, PAPER_SIZES["a4"].margin)
    assert find_crossed_letters(content) == []
    check_fonts(page)


def check_rules(edition: Edition, lang: str) -> None:
    words, text = Translator(lang, edition), edition.choose_text(None, lang)
    (page,) = read(sheet_of(edition, lang))
    told = [item for item in build_articles(edition, text, {}) if not item.topic.startswith("box.")]
    assert page.has(edition.title, *(words.translate(item.phrase) for item in told)) == []
    if edition.family == "sheet":
        rules = edition.rules(text)
        assert page.has(*(words.name_box(box.id) for box in rules.boxes)) == []
        assert page.has(*(str(build_example(box, rules).points) for box in rules.boxes)) == []
    check_inside(page)
    check_fonts(page)


@pytest.mark.parametrize(
    ("name", "size", "large"),
    thin_out(
        EDITIONS,
        list(PAPER_SIZES),
        [False, True],
        chosen=product(("tactic-xl-yatzy", "carlit-chicago"), ["a5"], [False, True]),
    ),
)
def test_every_box_fits_every_paper_also_in_large_print(name: str, size: str, large: bool) -> None:
    edition = load_edition(name)
    content = pad_of(edition, "de", size=size, large=large)
    (page,) = read(content)
    assert page.has(*names_of(edition, "de")) == []
    paper = find_paper_size(size)
    assert (page.width, page.height) == pytest.approx((paper.width * MILLIMETRE, paper.height * MILLIMETRE), abs=0.6)
    check_inside(page, paper.margin)
    assert find_crossed_letters(content) == []


@pytest.mark.parametrize("size", mostly_rest(PAPER_SIZES, "a5"))
@pytest.mark.parametrize("name", mostly_solve(EXAMPLES, EXAMPLES[0]), ids=lambda name: Path(name).stem)
def test_house_rules_fit_one_page_of_any_paper_or_two_small_ones(name: str, size: str) -> None:
    edition = load_edition(name)
    pages = read(sheet_of(edition, "en", size))
    assert len(pages) in ((1, 2) if size == "a5" else (1,))
    names = (edition.title, *(Translator("en", edition).name_box(box.id) for box in edition.rules().boxes))
    assert [wanted for wanted in names if all(page.has(wanted) for page in pages)] == []
    for page in pages:
        check_inside(page)


def letters(content: bytes, wanted: str) -> float:
    """Measure the type of a name: the size of its letters in points."""
    document = pypdfium2.PdfDocument(content)
    text = document[0].get_textpage()
    found = text.search(wanted).get_next()
    assert found is not None
    sizes = {round(pypdfium2.raw.FPDFText_GetFontSize(text, found[0] + at), 1) for at in range(found[1])}
    return float(min(sizes))


@pytest.mark.parametrize("size", mostly_solve(PAPER_SIZES, "a5"))
def test_large_print_is_at_least_sixteen_points(size: str) -> None:
    maxi = load_edition(str(ROOT / "examples" / "house-rules" / "maxi-yatzy.toml"))
    assert letters(pad_of(maxi, size=size, large=True), "Small Straight") >= 16
    assert letters(pad_of(maxi, size=size), "Small Straight") < 14


# What a score pad looks like.


def test_several_games_stand_side_by_side() -> None:
    edition = load_edition("noris-yatzy")
    (three,) = read(pad_of(edition, "de", players=3))
    assert three.has("Spiel 1", "Spiel 2") == []
    assert three.has("Spiel 3") == ["Spiel 3"]
    (alone,) = read(pad_of(load_edition("mb-yahtzee"), "en", players=1, columns=4))
    assert re.search(r"1\s+2\s+3\s+4", alone.text)
    (one,) = read(pad_of(edition, "en", players=6))
    assert one.has("Game 1") == ["Game 1"]


@pytest.mark.parametrize("name", edition_ids())
def test_a_sheet_may_be_for_one_player_in_every_edition(name: str) -> None:
    edition = load_edition(name)
    (alone,) = read(pad_of(edition, "en", players=1))
    assert edition.family != "sheet" or re.search(r"1\s+2\s+3\s+4\s+5\s+6", alone.text)


def test_as_many_players_as_may_play_find_room_on_the_long_side() -> None:
    chicago = load_edition("carlit-chicago")
    most = chicago.rules().players.most
    for wish in ("players", "columns"):
        upright, wide = (read(pad_of(chicago, "de", **{wish: players}))[0] for players in (8, most))
        assert upright.width < upright.height
        assert wide.width > wide.height
    (lying,) = read(pad_of(load_edition("mb-yahtzee"), "fr", landscape=True))
    assert lying.width > lying.height


def test_the_100_of_a_second_yatzi_is_printed_at_its_box() -> None:
    for lang, printed in (("de", "2. Yatzi: 100"), ("en", "2nd Yatzi: 100"), ("ru", "2-й «Yatzi»: 100")):
        assert read(pad_of(load_edition("philos-yatzi"), lang))[0].has(printed) == []


def test_as_many_pages_as_copies() -> None:
    pages = read(pad_of(load_edition("mb-yahtzee"), copies=3))
    assert [page.text for page in pages] == [pages[0].text] * 3
    assert len(read(pad_of(load_edition("carlit-chicago"), copies=2))) == 2


def test_the_bonus_line_says_its_condition_and_switches_reach_the_paper() -> None:
    finnish = load_edition("tactic-xl-yatzy")
    words = Translator("en", finnish)

    def page(**switches: str) -> Seen:
        rules = finnish.rules("fi", switches)
        return read(render_pdf("pad", build_blank_pad(rules, words, "XL", "Tactic", PadOptions())))[0]

    assert page().has("63 or more: 50 points") == []
    assert page(literal_bonus="true").has("36 or more: 50 points") == []
    assert page(order="announced").has("announce your box before you roll") == []


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        ({"columns": 100}, PadColumnCount),
        ({"columns": 0}, PadColumnCount),
        ({"columns": 7, "players": 3}, PadColumnsUneven),
        ({"players": 0}, PadColumnCount),
        ({"players": 100}, PadColumnCount),
        ({"size": "a6", "large": True}, PaperTooSmall),
        ({"size": "a6", "landscape": True}, PaperTooSmall),
        ({"size": "a6", "per_page": 2}, PaperTooSmall),
        ({"size": "a5", "per_page": 4}, PaperTooSmall),
        ({"per_page": 4, "large": True}, PaperTooSmall),
        ({"copies": 0}, PadCopyCount),
        ({"copies": 101}, PadCopyCount),
        ({"size": "a7"}, UnknownPaper),
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused_with_its_limit(wish: dict[str, Any], error: type[Exception]) -> None:
    for name in ("mb-yahtzee", "carlit-chicago"):
        with pytest.raises(error):
            pad_of(load_edition(name), **wish)


@pytest.mark.parametrize("size", mostly_solve(PAD_PAPER_SIZES, "a5"))
def test_the_most_columns_still_fit(size: str) -> None:
    for large in (False, True) if size in PAPER_SIZES else (False,):
        most = count_max_columns(PadPaper(size, large))
        content = pad_of(load_edition("mb-yahtzee"), "fr", size=size, large=large, columns=most)
        (page,) = read(content)
        assert page.has(*names_of(load_edition("mb-yahtzee"), "fr")) == []
        assert find_crossed_letters(content) == []


# Worked examples.


@pytest.mark.parametrize(
    "name", [name for name in EDITIONS if load_edition(name).family == "sheet"], ids=lambda n: Path(n).stem
)
def test_the_example_of_a_box_fits_it_and_brings_what_the_rules_say(name: str) -> None:
    rules = load_edition(name).rules()
    for box in rules.boxes:
        shown = build_example(box, rules)
        assert shown.points == worth(box, shown.dice) > 0
        assert len(shown.dice) == rules.dice
        assert set(shown.dice) <= set(range(1, rules.faces + 1))
        assert any(shown.counted)
        fixed = [face for face in list_wanted_dice(box, rules) if face != ANY_FACE]
        assert box.pattern.name in ("sum", "faces") or find_pattern(box.pattern, tuple(sorted(fixed))) is not None


@pytest.mark.solve
def test_every_pattern_has_an_example_also_with_the_oddest_dice() -> None:
    for dice, faces in ((1, 2), (8, 12), (3, 4)):
        rows = {"any": {"pattern": "sum", "counts": "all"}, "one": {"pattern": "faces", "face": 1, "counts": "group"}}
        if dice > 1:
            rows |= {
                "two": {"pattern": "group", "size": 2, "points": 3},
                "row": {"pattern": "run", "length": 2, "points": 1},
            }
            rows |= {"odd": {"pattern": "only", "faces": [1, 3], "counts": "all"}}
        if dice > 4:
            rows |= {"house": {"pattern": "house", "sizes": [3, 2], "counts": "group"}}
            rows |= {"pairs": {"pattern": "pairs", "count": 3, "counts": "group"}}
        edition = read_rules({"title": "Odd", "dice": dice, "faces": faces, "rolls": 2, "boxes": rows})
        rules = edition.rules()
        assert all(build_example(box, rules).points > 0 for box in rules.boxes)
        assert all(max(build_example(box, rules).dice) <= faces for box in rules.boxes)
        assert len(read(pad_of(edition))) == len(read(sheet_of(edition))) == 1


def test_a_round_is_played_by_the_rules_on_the_page() -> None:
    edition = load_edition("carlit-chicago")
    leaf = build_rules_page(edition, "de", {}, Translator("de", edition))
    over, under = leaf.examples[:3], leaf.examples[3:]
    assert [one.example.points for one in over] == [sum(one.example.dice) for one in over]
    (loser,) = [one.example.points for one in over if one.marked]
    assert loser == min(one.example.points for one in over)
    (loser,) = [one.example.points for one in under if one.marked]
    assert loser == max(one.example.points for one in under)
    assert flat(over[0].hint) == flat("Dieser Wurf ist zu überbieten")


# Hostile words.

HOSTILE = (
    '#panic("x")',
    '"]); #read("/etc/passwd")',
    "*bold* _it_ `raw` $x$ <l> @ref",
    "\\u{202e}#set page(width: 1pt)",
    "= Heading // comment /* */",
    "[#sys.inputs] #{1+1} ~ -- ---",
    "W" * 24,
    "Ω≈ç√∫ 日本語 العربية",
)


def read_rules(table: dict[str, Any]) -> Edition:
    """Read house rules from a table."""
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in table.items() if key != "boxes"]
    for box, settings in table["boxes"].items():
        lines.append(f"[boxes.{box}]")
        for key, value in settings.items():
            inner = (
                "{ " + ", ".join(f"{k} = {json.dumps(v, ensure_ascii=False)}" for k, v in value.items()) + " }"
                if isinstance(value, dict)
                else json.dumps(value)
            )
            lines.append(f"{key} = {inner}")
    return read_house_rules("\n".join(lines).encode(), "house.toml")


@pytest.mark.parametrize("words", mostly_rest(HOSTILE, HOSTILE[0], HOSTILE[-1]))
def test_no_word_of_anybody_is_read_as_code(words: str) -> None:
    row = {"pattern": "sum", "counts": "all", "names": {"en": words[:24]}}
    edition = read_rules({"title": words[:40], "dice": 5, "faces": 6, "rolls": 3, "boxes": {"any": row}})
    for content in (pad_of(edition), sheet_of(edition), pad_of(edition, size="a5", large=True)):
        (page,) = read(content)
        if words.isascii():
            assert page.has(edition.title, words[:24]) == []
        check_inside(page)


@pytest.mark.parametrize("words", mostly_rest(HOSTILE, HOSTILE[0], HOSTILE[-1]))
def test_a_name_of_a_player_is_a_name(words: str) -> None:
    record = load_record(RECORDS[0])
    seats = tuple(replace(seat, name=(words * 9)[:80]) for seat in record.header.seats)
    renamed = Record(replace(record.header, seats=seats), record.events)
    (page,) = read(print_of(renamed))
    if words.isascii():
        assert page.has((words * 9)[:80]) == []
    check_inside(page)


def test_the_templates_take_words_from_nowhere_but_their_page() -> None:
    forms = sorted(TEMPLATE_DIR.glob("*.typ"))
    assert {form.stem for form in forms} == {"look", "pad", "chips", "leaf", "certificate"}
    for form in forms:
        code = form.read_text(encoding="utf-8")
        assert not re.search(r"\b(eval|read|plugin|include)\(", code)
        assert set(re.findall(r"sys\.inputs\.(\w+)", code)) <= {"page"}
        assert re.findall(r"#import \"(.*?)\"", code) in ([], ["look.typ"])


# Played games.


def print_of(record: Record, lang: str = "en") -> bytes:
    """Print a record."""
    sheet = lay_out_game(
        replay_record(record), Translator(lang, rebuild_edition(record.header)), compute_head(record), "2024-05-03"
    )
    return render_pdf(sheet.template, sheet.page)


@cache
def record_of(path: Path) -> Record:
    return load_record(path)


def figures(text: str) -> list[str]:
    """List the numbers of a page as they come."""
    return re.findall(r"\d+", text)


@pytest.mark.parametrize(
    "path", mostly_rest(RECORDS, *RECORDS[::5]), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_record_is_printed_with_every_entry(path: Path) -> None:
    record = record_of(path)
    replay = replay_record(record)
    (page,) = read(print_of(record))
    assert page.has(*(seat.name for seat in record.header.seats), record.header.edition.title, "2024-05-03") == []
    assert page.has(record.header.game) == []
    check_inside(page)
    found = figures(page.text)
    if "boxes" not in record.header.rules:
        told = [step.after.result for step in replay.steps if step.after.result is not step.before.result]
        wanted = [str(total) for one in told if one for _, total in one.totals]
    else:
        seats = [(replay.track(seat), replay.track(seat).local_seat(seat)) for seat in range(len(record.header.seats))]
        columns = [track.state.columns[within] for track, within in seats]
        tallies = [track.game.tally(track.state, within) for track, within in seats]  # type: ignore[attr-defined]
        wanted = [str(points) for column in columns for points in column.entries if points is not None]
        wanted += [str(tally.total) for tally in tallies]
    assert wanted
    for number in set(wanted):
        assert found.count(number) >= wanted.count(number)


def test_entries_played_anyway_and_corrected_ones_are_marked() -> None:
    (page,) = read(print_of(next(record_of(path) for path in CHAINED if path.stem == "pad")))
    assert page.has("24†", "15*†", "18*", "2†") == []
    assert page.has("* Against the rules, but played anyway.", "† Corrected.") == []
    check_fonts(page)
    (plain,) = read(print_of(next(record_of(path) for path in CHAINED if path.stem == "free")))
    assert not re.search(r"[*†]", plain.text)


@pytest.mark.parametrize("path", mostly_rest(CHAINED, *CHAINED[::5]), ids=lambda path: path.stem)
def test_the_small_print_names_the_head_that_verifying_names(path: Path) -> None:
    head = verify(path.read_bytes(), path.name).head
    assert head is not None
    assert compute_head(record_of(path)) == head
    assert read(print_of(record_of(path)))[0].has(head) == []


def test_many_players_share_several_sheets() -> None:
    table = open_table("tactic-xl-yatzy", tuple(Seat(f"Player {seat}") for seat in range(23)), typed="many")
    sheet = lay_out_game(table.replay, Translator("en", rebuild_edition(table.header)), table.head)
    pages = read(render_pdf(sheet.template, sheet.page))
    assert len(pages) == 3
    assert [page.has("not finished") for page in pages] == [[], [], []]
    assert [name for seat in range(23) if all(page.has(name := f"Player {seat}") for page in pages)] == []


# At the command line.


def test_paper_is_written_whole_or_not_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "pad.pdf"
    place.write_bytes(b"before")
    assert main(["pad", "mb-yahtzee", "--columns", "999", "-o", str(place)]) == 2
    assert place.read_bytes() == b"before"
    said = capsys.readouterr().err
    assert "1 to 99" in said
    assert said.count("\n") == 1
    assert main(["pad", "mb-yahtzee", "-o", str(place)]) == 0
    assert read(place.read_bytes())[0].has("Three of a Kind") == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pad.pdf"]


def test_without_a_file_paper_is_named_for_its_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["pad", "carlit-chicago", "--lang", "it", "--players", "4"]) == 0
    assert main(["leaflet", EXAMPLES[0]]) == 0
    assert main(["print", str(RECORDS[0])]) == 0
    names = {"carlit-chicago-pad.pdf", f"{Path(EXAMPLES[0]).stem}-rules.pdf", f"{RECORDS[0].stem}.pdf"}
    assert {path.name for path in tmp_path.iterdir()} == names
    assert all(path.read_bytes().startswith(b"%PDF-") for path in tmp_path.iterdir())


@pytest.mark.parametrize(
    "line",
    [
        ["pad", "nonsense"],
        ["pad", "mb-yahtzee", "--size", "a9"],
        ["pad", "mb-yahtzee", "--players", "many"],
        ["leaflet", "mb-yahtzee", "--text", "xx"],
        ["print", "nowhere.knobel"],
        ["print", str(ROOT / "README.md")],
    ],
    ids=" ".join,
)
def test_what_cannot_be_printed_is_said_in_one_line(line: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line) == 2
    answer = capsys.readouterr()
    assert answer.out == ""
    assert answer.err.count("\n") == 1


# In the browser.


WRONG = (
    *("edition=x", "columns=9", "room=nowhere", "edition=..%2Fx.toml", "edition=mb-yahtzee&size=a9"),
    *("edition=mb-yahtzee&per_page=3", "edition=mb-yahtzee&columns=999", "edition=mb-yahtzee&set=x"),
)
"""What the server cannot print."""


async def fetch_file(app: Any, path: str, query: str = "") -> tuple[int, dict[str, str], bytes]:
    """Ask the server for a file."""
    scope = {
        **{"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http"},
        **{"path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": ""},
        "headers": [(b"host", b"localhost")],
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    headers = {key.decode(): value.decode() for key, value in sent[0]["headers"]}
    return sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:])


@run_async
async def test_the_server_prints_what_the_command_line_prints(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        app = build_app(AppContext(host, frozenset({"localhost"})))
        status, headers, content = await fetch_file(
            app, "/paper/pad.pdf", "edition=mb-yahtzee&lang=fr&size=a5&large=true"
        )
        assert (status, headers["content-type"]) == (200, "application/pdf")
        assert headers["content-disposition"] == 'attachment; filename="mb-yahtzee-pad.pdf"'
        assert read(content)[0].text == read(pad_of(load_edition("mb-yahtzee"), "fr", size="a5", large=True))[0].text
        _, _, content = await fetch_file(app, "/paper/rules.pdf", "edition=carlit-chicago&lang=de&text=it")
        assert read(content)[0].has("Chicago", "Regeln · Text: Italienisch") == []
        asked = ("edition=noris-yatzy&set=must_fit%3Dfalse&columns=3", "edition=noris-yatzy&columns=3")
        free, strict = [read((await fetch_file(app, "/paper/pad.pdf", one))[2])[0] for one in asked]
        assert [page.has("score where it fits") for page in (free, strict)] == [["score where it fits"], []]
        _, _, content = await fetch_file(app, "/paper/pad.pdf", "edition=noris-yatzy&per_page=2&name=Ann&name=Zo%C3%AB")
        (named,) = read(content)
        assert named.has("Ann", "Zoë") == []
        for query in WRONG:
            status, _, content = await fetch_file(app, "/paper/pad.pdf", query)
            assert status in (400, 404)
            assert set(json.loads(content)) == {"code", "text"}


@run_async
async def test_the_server_prints_a_kept_game_and_the_rules_of_its_room(tmp_path: Path) -> None:
    async with open_host(tmp_path, paced=False) as host:
        app = build_app(AppContext(host, frozenset({"localhost"})))
        rules = Path(EXAMPLES[-1]).read_text(encoding="utf-8")
        settle = ChangeSettings(edition=Path(EXAMPLES[-1]).stem, house_rules=rules)
        room = await host.open_room(
            "me", "open", settle, [SitBot("random", "Zoë"), SitBot("random", "Łukasz")], "paper"
        )
        await host.execute(room.id, "me", "begin", BeginGame(), b"begin")
        await finish(host, room.id)
        session = await host.find_session(room.id)
        assert session.table is not None
        status, headers, content = await fetch_file(app, f"/games/{session.table.header.game}.pdf", "lang=de")
        assert (status, headers["content-type"]) == (200, "application/pdf")
        (page,) = read(content)
        assert page.has("Zoë", "Łukasz", "Zwillinge", session.table.head) == []
        assert re.search(r"\d\d\.\d\d\.20\d\d", page.text)
        _, _, content = await fetch_file(app, "/paper/pad.pdf", f"room={room.id}&lang=sv")
        assert read(content)[0].has("Tvillingar", "Grannar") == []
        assert (await fetch_file(app, "/games/nothing.pdf"))[0] == 404


async def finish(host: Host, room: str) -> None:
    """Let the bots play to the end."""
    while await host.step(room):
        await asyncio.sleep(0)


@run_async
async def test_who_asks_while_many_wait_is_asked_to_come_again(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        app = build_app(AppContext(host, frozenset({"localhost"})))
        asked = [fetch_file(app, "/paper/pad.pdf", "edition=mb-yahtzee&lang=et") for _ in range(40)]
        answers = await asyncio.gather(*asked)
        assert {status for status, _, _ in answers} == {200, 400}
        assert {json.loads(content)["code"] for status, _, content in answers if status == 400} == {"paper_busy"}


# Pictures of it all.


def pictures() -> Iterator[Path]:
    yield from sorted(PICTURES.glob("*.png"))


def test_six_score_pads_are_shown_in_the_guide_and_are_small() -> None:
    shown = re.findall(r"\(pads/([\w-]+\.png)\)", (ROOT / "docs" / "paper.md").read_text(encoding="utf-8"))
    assert sorted(shown) == [path.name for path in pictures()]
    assert len(shown) == 6
    assert [path.name for path in pictures() if path.stat().st_size > 120 * 1024] == []


def test_the_same_page_is_the_same_file_and_a_picture_of_it_is_black_on_white() -> None:
    edition = load_edition("mb-yahtzee")
    assert pad_of(edition, "fr") == pad_of(edition, "fr")
    page = build_blank_pad(edition.rules(), Translator("en", edition), edition.title, "", PadOptions())
    (picture_of_it,) = render_png("pad", page, 20)
    assert picture_of_it.startswith(b"\x89PNG")
    assert asdict(page)["sheets"][0]["names"] == ("",) * 6
