"""Sheets beyond the usual one: many players, small paper, names on them, several played games together."""

from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from knobel.cli import main
from knobel.errors import PadNamesForOne, PlayerNotInRecord, PrintedSingly, RecordPlayersDiffer, RecordRulesDiffer
from knobel.host.record_edition import rebuild_edition
from knobel.lang import Translator
from knobel.paper.families import lay_out_games, lay_out_pad
from knobel.paper.pad import PadOptions
from knobel.paper.page import PAD_PAPER_SIZES, PadPaper, plan_columns
from knobel.paper.render import render_pdf
from knobel.paper.several_games import PlayedGame
from knobel.record.chain import compute_head
from knobel.record.events import Record, Seat
from knobel.record.file import load_record
from knobel.record.replay import replay_record
from knobel.rules import edition_ids, load_edition, read_house_rules
from tests.support.pdf_pages import find_crossed_letters, list_type_sizes, read_letters, read_lines
from tests.support.played_tables import open_table
from tests.support.selection import rest

RECORDS = Path(__file__).parents[1] / "records"
MILLIMETRE = 72 / 25.4
HOME_PRINTER_MARGIN = 5 * MILLIMETRE


def print_pad(name: str, lang: str = "en", **wish: Any) -> bytes:
    edition = load_edition(name)
    rules = edition.rules(edition.choose_text(None, lang))
    pad = lay_out_pad(rules, Translator(lang, edition), edition.title, edition.printed_by, PadOptions(**wish))
    return render_pdf(pad.template, pad.page)


def read_pages(content: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(content)
    pages = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return pages


def measure_page(content: bytes) -> tuple[int, int]:
    """Measure the first page in millimetres."""
    document = pypdfium2.PdfDocument(content)
    width, height = document[0].get_size()
    document.close()
    return round(width / MILLIMETRE), round(height / MILLIMETRE)


# Many players.


@pytest.mark.parametrize("name", ["mb-yahtzee", "carlit-chicago"])
@pytest.mark.parametrize("players", [1, rest(2), rest(11), 16, rest(23), 99])
def test_any_number_of_players_finds_room(name: str, players: int) -> None:
    assert read_pages(print_pad(name, players=players))
    assert read_pages(print_pad(name, columns=players))


@pytest.mark.parametrize(
    ("columns", "players", "sheets"),
    [
        (6, 6, [6]),
        (16, 16, [16]),
        (21, 21, [11, 10]),
        (20, 20, [10, 10]),
        (24, 3, [12, 12]),
        (40, 20, [10, 10, 10, 10]),
        (20, 1, [10, 10]),
    ],
)
def test_columns_are_shared_by_sheets_of_whole_games(columns: int, players: int, sheets: list[int]) -> None:
    plan = plan_columns(PadPaper(), columns, players)
    assert [len(sheet) for sheet in plan.sheets] == sheets
    assert [column for sheet in plan.sheets for column in sheet] == list(range(columns))
    assert plan.landscape == (max(sheets) > 10)


def test_games_and_columns_keep_their_numbers_on_the_next_sheet() -> None:
    first, second = read_pages(print_pad("mb-yahtzee", players=3, columns=24))
    assert ("Game 1" in first, "Game 4" in first, "Game 5" in first) == (True, True, False)
    assert ("Game 5" in second, "Game 8" in second) == (True, True)
    _, more = read_pages(print_pad("mb-yahtzee", players=1, columns=20))
    assert "20" in more.split()


# Small paper.


@pytest.mark.parametrize(
    ("wish", "size", "times"),
    [
        ({"size": "a6"}, (105, 148), 1),
        ({"per_page": 2}, (297, 210), 2),
        ({"per_page": 2, "landscape": True}, (210, 297), 2),
        ({"per_page": 4}, (210, 297), 4),
        ({"size": "a5", "per_page": 2}, (210, 148), 2),
        ({"size": "letter", "per_page": 2}, (279, 216), 2),
        ({"size": "letter", "per_page": 4}, (216, 279), 4),
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ["philos-yatzi", rest("carlit-chicago")])
def test_a_page_holds_as_many_sheets_as_asked_for(
    name: str, wish: dict[str, Any], size: tuple[int, int], times: int
) -> None:
    content = print_pad(name, "de", **wish)
    (page,) = read_pages(content)
    assert page.count(load_edition(name).title) >= times
    assert page.count("Datum") == times
    assert measure_page(content) == size


def test_cut_marks_and_words_stay_where_a_home_printer_prints() -> None:
    document = pypdfium2.PdfDocument(print_pad("mb-yahtzee", "fr", per_page=4))
    page = document[0]
    width, height = page.get_size()
    lines, marks = read_lines(page), [one for one in read_lines(page) if 10 < one.right - one.left < 13]
    assert marks
    for one in (*lines, *(letter.ink for letter in read_letters(page))):
        assert min(one.left, one.bottom, width - one.right, height - one.top) >= HOME_PRINTER_MARGIN - 0.5
    document.close()


def test_our_margins_are_wider_than_those_of_home_printers() -> None:
    assert min(size.margin for size in PAD_PAPER_SIZES.values()) >= 9


# Names.


@pytest.mark.parametrize("name", edition_ids())
def test_every_name_has_its_own_sheet(name: str) -> None:
    pages = read_pages(print_pad(name, names=("Anna", "Zoë")))
    assert [("Anna" in page, "Zoë" in page) for page in pages] == [(True, False), (False, True)]


def test_named_sheets_share_a_page_and_are_for_one_player_each() -> None:
    (page,) = read_pages(print_pad("mb-yahtzee", names=("Anna", "Zoë"), per_page=2))
    assert ("Anna" in page, "Zoë" in page) == (True, True)
    with pytest.raises(PadNamesForOne):
        print_pad("mb-yahtzee", names=("Anna",), players=3)


def test_a_name_in_another_language_says_so_to_screen_readers() -> None:
    rules = b'title = "Ours"\nextends = "noris-yatzy"\nboxes.full_house.names = { en = "Crowded House" }'
    edition = read_house_rules(rules, "ours.toml")
    words = [Translator(lang, edition) for lang in ("de", "en")]
    pads = [lay_out_pad(edition.rules(), one, edition.title, "", PadOptions()) for one in words]
    german, english = (
        {line.lang for sheet in pad.page.sheets for line in sheet.lower if line.name == "Crowded House"}  # type: ignore[attr-defined]
        for pad in pads
    )
    assert (german, english) == ({"en"}, {""})
    assert b"/Lang" in render_pdf(pads[0].template, pads[0].page)


# A lower total.


def test_the_lower_total_is_printed_where_the_publisher_prints_one() -> None:
    (french,) = read_pages(print_pad("mb-yahtzee", "fr"))
    assert "Total de la Section Inférieure" in french
    assert "Lower total" not in read_pages(print_pad("noris-yatzy"))[0]
    kniffel = load_edition(str(RECORDS.parents[1] / "examples" / "house-rules" / "kniffel.toml"))
    assert kniffel.lower_total == (kniffel.base in ("mb-yahtzee", "hasbro-yahtzee"))


# Several played games.


def load_game(path: Path) -> PlayedGame:
    record = load_record(path)
    return PlayedGame(path.name, replay_record(record), compute_head(record))


def print_games(*games: PlayedGame, player: str | None = None, lang: str = "en") -> bytes:
    words = Translator(lang, rebuild_edition(games[0].replay.header))
    sheet = lay_out_games(games, words, player)
    return render_pdf(sheet.template, sheet.page)


def play_game(*names: str, edition: str = "mb-yahtzee") -> PlayedGame:
    table = open_table(edition, tuple(Seat(name) for name in names), typed="several")
    return PlayedGame(f"{'-'.join(names)}.knobel", table.replay, table.head)


def test_six_games_of_one_player_are_six_numbered_columns() -> None:
    game = load_game(RECORDS / "mb-yahtzee.knobel")
    name = game.replay.header.seats[0].name
    content = print_games(*[game] * 6, player=name, lang="fr")
    (page,) = read_pages(content)
    total = game.replay.outcome.totals[0] if game.replay.outcome else None
    assert page.count(name) == 1
    assert page.split().count(str(total)) >= 6
    assert "Total de la Section Inférieure" in page
    assert min(list_type_sizes(content)) >= 8
    assert find_crossed_letters(content) == []


def test_games_of_the_same_players_stand_side_by_side_in_one_order() -> None:
    (page,) = read_pages(print_games(play_game("Anna", "Zoë"), play_game("Zoë", "Anna")))
    assert "Game 1" in page
    assert "Game 2" in page
    assert page.index("Anna") < page.index("Zoë")


def test_games_that_do_not_belong_together_are_refused() -> None:
    with pytest.raises(RecordRulesDiffer):
        print_games(play_game("Anna"), play_game("Anna", edition="noris-yatzy"))
    with pytest.raises(RecordPlayersDiffer):
        print_games(play_game("Anna", "Zoë"), play_game("Anna", "Tom"))
    with pytest.raises(PlayerNotInRecord):
        print_games(play_game("Anna", "Zoë"), play_game("Zoë", "Tom"), player="Anna")
    with pytest.raises(PrintedSingly):
        print_games(*[load_game(RECORDS / "rounds" / "carlit-chicago.knobel")] * 2)


def test_at_the_command_line_games_are_joined_or_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(RECORDS / f"{name}.knobel") for name in ("mb-yahtzee", "mb-yahtzee", "noris-yatzy")]
    assert main(["print", *paths[:2], "-o", str(tmp_path / "both.pdf")]) == 0
    assert "Game 2" in read_pages((tmp_path / "both.pdf").read_bytes())[0]
    capsys.readouterr()
    assert main(["print", *paths, "-o", str(tmp_path / "three.pdf")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "three.pdf").exists()


# The text that was played.


def test_a_played_game_names_its_text_where_there_are_several() -> None:
    danish = load_record(RECORDS / "tactic-da.knobel")
    assert "text: Danish" in print_record(danish)
    assert "tekst: dansk" in print_record(danish, "da")
    assert "text:" not in print_record(load_record(RECORDS / "noris-yatzy.knobel"))


def print_record(record: Record, lang: str = "en") -> str:
    from knobel.paper.families import lay_out_game

    words = Translator(lang, rebuild_edition(record.header))
    sheet = lay_out_game(replay_record(record), words, compute_head(record))
    content = render_pdf(sheet.template, sheet.page)
    assert find_crossed_letters(content) == []
    assert min(list_type_sizes(content)) >= 8
    return read_pages(content)[0]


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.knobel")), ids=lambda path: path.stem)
def test_ranks_and_small_print_do_not_lie_on_each_other(path: Path) -> None:
    game = load_game(path)
    words = Translator("en", rebuild_edition(game.replay.header))
    from knobel.paper.families import lay_out_game

    sheet = lay_out_game(game.replay, words, game.chain_head)
    document = pypdfium2.PdfDocument(render_pdf(sheet.template, sheet.page))
    foot = [one for one in read_letters(document[0]) if one.ink.top < 90]
    small, others = ([one for one in foot if (one.size < 8.5) == is_small] for is_small in (True, False))
    assert [one.text for one in others if any(one.ink.meets(other.ink) for other in small)] == []
    document.close()
