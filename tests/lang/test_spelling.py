"""The report of words that no dictionary knows."""

from collections.abc import Iterable

import pytest
import spelling

from knobel.lang import COMPLETE


def test_a_sentence_is_split_into_its_words() -> None:
    text = "Gib {n:# Punkt|# Punkte} mit --dice an, z.B. in datei.toml: l’as, Haus-Yatzy, {name}"
    assert [*spelling.split_words(text)] == ["Gib", "Punkt", "Punkte", "mit", "an", "in", "l'as", "Haus-Yatzy"]


def test_only_words_that_are_unknown_as_a_whole_and_in_parts_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    def look_up(words: Iterable[str], _: str) -> set[str]:
        return {word for word in words if word.casefold() not in {"haus", "asso", "punkte"}}

    monkeypatch.setattr(spelling, "look_up", look_up)
    words = ["Haus", "dell'asso", "Punkte-Haus", "Yatzy-Haus", "Punkkte", "Haus-Punkkte", "ab"]
    assert spelling.find_unknown(words, "xx", {"yatzy"}) == {"Punkkte", "Haus-Punkkte"}


def test_printed_terms_and_the_words_of_the_translators_are_known() -> None:
    known = spelling.collect_known("de")
    assert {"fünfer", "yahtzee", "startwert"} <= known


def test_a_dictionary_that_is_missing_is_named_with_its_package(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(spelling, "has_dictionary", lambda _: False)
    spelling.show_unknown_words("de", "fi")
    first, second = capsys.readouterr().out.splitlines()
    assert "apt-get install hunspell hunspell-de-de" in first
    assert second.startswith("fi: ")


def test_every_complete_language_has_a_dictionary_or_none_at_all() -> None:
    assert set(COMPLETE) - spelling.DICTIONARIES.keys() == {"fi"}
