"""Every complete language in the terminal, on paper, and for whoever comes in with wishes of their browser."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest
from starlette.requests import HTTPConnection

from knobel.cli import COMMANDS, main
from knobel.lang import COMPLETE, Translator, sort_languages
from knobel.paper.chips import build_blank_table
from knobel.paper.pad import PadOptions, build_blank_pad
from knobel.paper.rules_page import build_rules_page
from knobel.rules import edition_ids, load_edition
from knobel.web.descriptions import describe_server
from knobel.web.requests import choose_language
from tests.cli.test_playthroughs import run_playthrough
from tests.support.language_walk import find_english, find_english_sentences
from tests.support.selection import mostly_rest

# Whoever comes in.


@pytest.mark.parametrize(
    ("asked", "accepted", "lang"),
    [
        ("", "", "en"),
        ("", "de-AT,de;q=0.9,en;q=0.8", "de"),
        ("", "en;q=0.5, fi;q=0.9", "fi"),
        ("", "fi;q=0, sv;q=0.1", "sv"),
        ("", "xx-BR, xy", "en"),
        ("", "nl, en;q=0.8", "nl"),
        ("", "nl, de;q=0.8, en;q=0.7", "nl"),
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


def test_a_browser_that_also_likes_a_complete_language_gets_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knobel.web.requests.COMPLETE", ("de", "en"))
    scope = {"type": "http", "headers": [(b"accept-language", b"nl, de;q=0.8, en;q=0.7")], "query_string": b""}
    assert choose_language(HTTPConnection(scope)) == "de"


# The terminal.

PASSAGE = re.compile(r"(\[[^\[\]:]*:)[^\[\]]*\]")
"""Where a rule is printed: words of the booklet, in its own language."""


def run_command(capsys: pytest.CaptureFixture[str], *line: str) -> str:
    """Type a command, and read what comes; an error is one line, however long it is."""
    main(list(line))
    out, err = capsys.readouterr()
    return out or err.replace(" ", "\n")


@pytest.mark.parametrize("lang", mostly_rest(COMPLETE, "en", "uk"))
def test_the_terminal_speaks_the_language_and_keeps_to_its_eighty_columns(
    lang: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = [["--help"], *([name, "--help"] for name in COMMANDS), ["editions"], ["rules", "nowhere"]]
    lines += [["rules", name] for name in edition_ids()]
    lines += [["diff", "mb-yahtzee", "tactic-xl-yatzy"], ["score", "noris-yatzy", "1", "1", "2", "3", "6"]]
    for line in lines:
        shown = run_command(capsys, *line, "--lang", lang)
        assert shown.strip()
        assert find_english_sentences(lang, PASSAGE.sub(r"\1]", shown)) == [], line
        assert [one for one in shown.splitlines() if len(one) > 80] == [], line


CONVERSATIONS = (
    "play philos-yatzi --player Ada --player bot:greedy --seed 1\n> ?\n> r\n> k 6\n> r\n> s chance\n> q",
    "play tactic-xl-yatzy --text da --player Ada --seed 1\n> a ones\n> r\n> s ones\n> sheet\n> undo\n> q",
    "play carlit-chicago --player Ada --player Ben --seed 1\n> r\n> r\n> ?\n> r\n> s over\n> q",
    "replay tests/records/format-2/chicago.knobel",
    "verify tests/records/format-2/yahtzee.knobel",
    "games",
)


@pytest.mark.parametrize("lang", mostly_rest(COMPLETE, "en", "uk"))
def test_a_conversation_is_held_in_the_language(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for conversation in CONVERSATIONS:
        command, *rest = conversation.split("\n")
        shown = run_playthrough("\n".join([f"$ knobel {command} --lang {lang}", *rest]))
        assert find_english_sentences(lang, shown) == [], command
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


@pytest.mark.parametrize("lang", mostly_rest(COMPLETE, "en", "uk"))
def test_nothing_on_paper_is_left_in_english(lang: str) -> None:
    for name in edition_ids():
        edition, words = load_edition(name), Translator(lang, load_edition(name))
        text = edition.choose_text(None, lang)
        pages: list[object] = [build_rules_page(edition, text, {}, words, "a4")]
        if edition.family == "sheet":
            pages.append(build_blank_pad(edition.rules(text), words, edition.title, edition.publisher, PadOptions()))
        else:
            pages.append(build_blank_table(edition.rules(text), words, edition.title, edition.publisher, PadOptions()))
        assert find_english(lang, strings(pages)) == [], name


# The menu.


def test_languages_are_listed_by_their_own_names_in_one_order() -> None:
    offered = describe_server("fr", None, house_rules=False)["languages"]
    assert isinstance(offered, list)
    names = [one["name"] for one in offered]
    assert names[:8] == ["Dansk", "Deutsch", "Eesti", "English", "Español", "Français", "Íslenska", "Italiano"]
    assert names[-2:] == ["Русский", "Українська"]
    assert [one["lang"] for one in offered] == [lang for lang in sort_languages() if lang in COMPLETE]


@pytest.mark.parametrize("lang", ["de", "uk"])
def test_the_help_of_a_command_lists_the_languages_in_the_same_order(
    lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "--help", "--lang", lang]) == 0
    assert " ".join(sort_languages()) in " ".join(capsys.readouterr().out.split())
