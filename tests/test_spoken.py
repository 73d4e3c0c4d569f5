"""Every complete language in the terminal, on paper, and for whoever comes in with wishes of his browser."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest
from starlette.requests import HTTPConnection

from knobel.cli import COMMANDS, main
from knobel.lang import Translator
from knobel.paper.chips import build_blank_table
from knobel.paper.pad import PadOptions, build_blank_pad
from knobel.paper.rules_page import build_rules_page
from knobel.rules import edition_ids, load_edition
from knobel.web.requests import choose_language
from tests.test_lang import COMPLETE
from tests.test_playthroughs import performed
from tests.walking import english_within, left_english

# Whoever comes in.


@pytest.mark.parametrize(
    ("asked", "accepted", "lang"),
    [
        ("", "", "en"),
        ("", "de-AT,de;q=0.9,en;q=0.8", "de"),
        ("", "en;q=0.5, fi;q=0.9", "fi"),
        ("", "fi;q=0, sv;q=0.1", "sv"),
        ("", "pt-BR, ja", "en"),
        ("", "nl, en;q=0.8", "nl"),
        ("", "nl, de;q=0.8, en;q=0.7", "de"),
        ("", "nb-NO, nn;q=0.9", "no"),
        ("", "*, ;q=x,,uk", "uk"),
        ("fr", "de", "fr"),
        ("nl", "de", "nl"),
        ("xx", "de", "de"),
    ],
)
def test_a_browser_is_answered_in_the_language_it_likes_best(asked: str, accepted: str, lang: str) -> None:
    headers = [(b"accept-language", accepted.encode())] if accepted else []
    scope = {"type": "http", "headers": headers, "query_string": f"lang={asked}".encode()}
    assert choose_language(HTTPConnection(scope)) == lang


# The terminal.


def typed(capsys: pytest.CaptureFixture[str], *line: str) -> str:
    """Type a command, and read what comes; an error is one line, however long it is."""
    main(list(line))
    out, err = capsys.readouterr()
    return out or err.replace(" ", "\n")


@pytest.mark.parametrize("lang", COMPLETE)
def test_the_terminal_speaks_the_language_and_keeps_to_its_eighty_columns(
    lang: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = [["--help"], *([name, "--help"] for name in COMMANDS), ["editions"], ["rules", "nowhere"]]
    lines += [["rules", name] for name in edition_ids()]
    lines += [["diff", "mb-yahtzee", "tactic-xl-yatzy"], ["score", "noris-yatzy", "1", "1", "2", "3", "6"]]
    for line in lines:
        shown = typed(capsys, *line, "--lang", lang)
        assert shown.strip()
        assert english_within(lang, shown) == [], line
        assert [one for one in shown.splitlines() if len(one) > 80] == [], line


CONVERSATIONS = (
    "play philos-yatzi --player Ada --player bot:greedy --seed 1\n> ?\n> r\n> k 6\n> r\n> s chance\n> q",
    "play tactic-xl-yatzy --text da --player Ada --seed 1\n> a ones\n> r\n> s ones\n> sheet\n> undo\n> q",
    "play carlit-chicago --player Ada --player Ben --seed 1\n> r\n> r\n> ?\n> r\n> s over\n> q",
    "replay tests/records/format-2/chicago.knobel",
    "verify tests/records/format-2/yahtzee.knobel",
    "games",
)


@pytest.mark.parametrize("lang", COMPLETE)
def test_a_conversation_is_held_in_the_language(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for conversation in CONVERSATIONS:
        command, *rest = conversation.split("\n")
        shown = performed("\n".join([f"$ knobel {command} --lang {lang}", *rest]))
        assert english_within(lang, shown) == [], command
        assert [line for line in shown.splitlines() if len(line) > 80 and not line.startswith("$")] == [], command


# Paper.


def strings(value: object) -> Iterator[str]:
    """Walk over every text of what is to be printed."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from strings(one)
    elif is_dataclass(value):
        for field in fields(value):
            yield from strings(getattr(value, field.name))


@pytest.mark.parametrize("lang", COMPLETE)
def test_nothing_on_paper_is_left_in_english(lang: str) -> None:
    for name in edition_ids():
        edition, words = load_edition(name), Translator(lang, load_edition(name))
        text = edition.choose_text(None, lang)
        pages: list[object] = [build_rules_page(edition, text, {}, words, "a4")]
        if edition.family == "sheet":
            pages.append(build_blank_pad(edition.rules(text), words, edition.title, edition.publisher, PadOptions()))
        else:
            pages.append(build_blank_table(edition.rules(text), words, edition.title, edition.publisher, PadOptions()))
        assert left_english(lang, strings(pages)) == [], name
