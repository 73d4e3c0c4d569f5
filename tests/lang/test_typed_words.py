"""Every word the terminal asks a player to type is understood: in the language it was asked in, and in English."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import catalogs
import pytest

from knobel.cli import COMMANDS, find_command, main
from knobel.cli.commands import PLACEHOLDER, CommandTable
from knobel.cli.parser import parse_arguments
from knobel.cli.position import find_box
from knobel.cli.round_commands import ROUND_COMMANDS
from knobel.cli.sheet_commands import SHEET_COMMANDS
from knobel.games.round_state import AIM_WORDS, AIMS
from knobel.lang import Translator
from knobel.rules import edition_ids, load_edition
from tests.cli.test_playthroughs import run_playthrough
from tests.support.languages import SPOKEN

CHICAGO = "$ knobel play carlit-chicago --player Ada --player Ben --seed 1 --lang {lang}"
TO_THE_OPENER = ("r", "r", "r")
"""Both roll to see who starts, and whoever opens rolls once."""
COMMAND_LINE = re.compile(r"(?<![.\w])knobel ([a-z]+)")
OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]+)")
TYPED_AT_THE_TABLE = re.compile(r"(?<![\w{’-])(undo|leave|[rsdekxac]|~|\?)(?![\w}’'-])")
"""What a sentence of the conversation tells a player to type."""


def answer(lang: str, *lines: str) -> str:
    """Type some lines once the opener has rolled, and read what is shown, on one line."""
    typed = [f"> {line}" for line in (*TO_THE_OPENER, *lines, "q")]
    return " ".join(run_playthrough("\n".join([CHICAGO.format(lang=lang), *typed])).split())


@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("lang", SPOKEN)
class TestOverAndUnder:
    def test_a_refusal_and_the_total_name_the_word_that_is_then_understood(self, lang: str, aim: str) -> None:
        words = Translator(lang)
        word = words.translate(AIM_WORDS[aim])
        refused, stands = answer(lang, "s"), answer(lang, f"s {word}")
        assert " ".join(words("rules.refusal.say_aim", **AIM_WORDS).split()) in refused
        assert f"s {word}" in refused
        assert read_standing(words, aim) in stands

    def test_english_is_understood_too(self, lang: str, aim: str) -> None:
        assert read_standing(Translator(lang), aim) in answer(lang, f"s {aim}")

    def test_what_a_refusal_shows_can_be_typed_alone_with_its_quotes(self, lang: str, aim: str) -> None:
        words = Translator(lang)
        shown = show_word("rules.refusal.say_aim", lang, aim)
        assert shown in answer(lang, "s")
        assert read_standing(words, aim) in answer(lang, "s", shown)
        assert read_standing(words, aim) in answer(lang, f"s {shown}")
        assert read_standing(words, aim) in answer(lang, "s", aim)

    def test_the_word_of_the_rules_is_understood(self, lang: str, aim: str) -> None:
        for words in (Translator(lang), Translator(lang, load_edition("carlit-chicago"))):
            term = words.find_term(f"rules.term.{aim}")
            assert read_standing(words, aim) in answer(lang, f"s {term}")
            assert read_standing(words, aim) in answer(lang, "s", str(term).upper())

    def test_the_word_alone_completes_a_correction_that_lacked_it(self, lang: str, aim: str) -> None:
        words, shown = Translator(lang), show_word("rules.refusal.say_aim", lang, aim)
        typed = ("666", "111", "654:2", "s over", "641:2", "s", "c 1 1 655:2", shown, "q")
        told = run_playthrough(
            "\n".join([f"{CHICAGO.format(lang=lang)} --real-dice", *(f"> {line}" for line in typed)])
        )
        _, _, after = " ".join(told.split()).partition(show_word("rules.refusal.say_aim", lang, "under"))
        said = words("interface.narration.corrected_round", name="Ada", round=1, sum=16)
        assert " ".join(said.split()) in after


def show_word(key: str, lang: str, aim: str) -> str:
    """Give a word to type as a sentence shows it: with the quotes around it."""
    text = next(text for found, text in sentences(lang) if found == key)
    shown = re.search(rf"([«„“”‚‘]\s?)?\{{{aim}\}}(\s?[»“”‘’])?", text)
    assert shown
    return " ".join(shown[0].split()).format_map({aim: Translator(lang).translate(AIM_WORDS[aim])})


def read_standing(words: Translator, aim: str) -> str:
    """Give the end of the sentence that says how somebody stands."""
    return " ".join(words(f"interface.rounds.stands.{aim}", name="", n=0).rpartition("0")[2].split())


def show_whole_help(table: CommandTable, words: Translator) -> None:
    """Show the help of every command, whether it is of use now or not."""
    whole = replace(table, commands=tuple(replace(one, helps=lambda _: True) for one in table.commands))
    whole.show_help(SimpleNamespace(words=words))


@pytest.mark.parametrize("table", [SHEET_COMMANDS, ROUND_COMMANDS], ids=["sheet", "rounds"])
@pytest.mark.parametrize("lang", SPOKEN)
def test_every_line_of_the_help_is_a_command(
    lang: str, table: CommandTable, capsys: pytest.CaptureFixture[str]
) -> None:
    words = Translator(lang)
    show_whole_help(table, words)
    shown = [
        line[2:].split("  ")[0].strip() for line in capsys.readouterr().out.splitlines() if re.match("  [^ ]", line)
    ]
    examples = [example for command in table.commands for example, _ in command.help_keys]
    assert len(shown) == len(examples)
    box = words("interface.placeholder.box")
    for line in shown:
        table.find(SimpleNamespace(words=words), line.replace(box, "chance"))


SHEETS = [name for name in edition_ids() if load_edition(name).family == "sheet"]


@pytest.mark.parametrize("lang", SPOKEN)
@pytest.mark.parametrize("name", [*SHEETS, "examples/house-rules/maxi-yatzy.toml"])
def test_the_box_in_an_example_of_the_help_is_one_of_the_game(
    name: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    edition = load_edition(name)
    words = Translator(lang, edition)
    show_whole_help(SHEET_COMMANDS, words)
    shown = " ".join(capsys.readouterr().out.split())
    before = " ".join(words("interface.play.help.score", box="").split())
    typed, _, _ = shown.partition(before)[2].partition(" x ")
    assert find_box(words, edition.rules(), typed) in {box.id for box in edition.rules().boxes}


@pytest.mark.parametrize(
    ("lang", "typed"), [("it", "full"), ("it", "«casa piena»"), ("it", "Full House"), ("fr", "full")]
)
def test_a_box_is_understood_by_any_name_the_language_has_for_it(lang: str, typed: str) -> None:
    edition = load_edition("carlit-yatzy")
    assert find_box(Translator(lang, edition), edition.rules(), typed) == "full_house"


@pytest.mark.parametrize("lang", SPOKEN)
def test_words_to_type_are_single_and_differ(lang: str) -> None:
    words = [Translator(lang).translate(word) for word in AIM_WORDS.values()]
    assert len({word.casefold() for word in words}) == len(words)
    assert all(word == "".join(word.split()) for word in words)


def test_the_apostrophe_of_a_keyboard_is_as_good_as_the_printed_one() -> None:
    rules, words = load_edition("tactic-xl-yatzy").rules(), Translator("uk")
    assert "’" in words.name_box("fives")
    assert find_box(words, rules, words.name_box("fives").replace("’", "'")) == "fives"


# Every command, option and word that a sentence names.


def sentences(lang: str) -> Iterator[tuple[str, str]]:
    """Walk over every sentence of a language, examples too."""
    for domain in catalogs.DOMAINS:
        for message in catalogs.iterate_entries(lang, domain):
            yield from ((catalogs.find_key(message), text) for text in catalogs.list_forms(message) if text)


EXAMPLES = {f"interface.{name}.example" for name in COMMANDS}
OPTIONS = {item.name for name in COMMANDS for item in find_command(name).options} | {"help", "version"}


@pytest.mark.parametrize("lang", SPOKEN)
class TestWhatASentenceNames:
    def test_every_command_and_option_exists(self, lang: str) -> None:
        for key, text in sentences(lang):
            assert key == "interface.welcome.about" or set(COMMAND_LINE.findall(text)) <= set(COMMANDS), key
            assert set(OPTION.findall(text)) <= OPTIONS, key

    def test_every_example_can_be_typed(self, lang: str) -> None:
        lines = [line for key, text in sentences(lang) if key in EXAMPLES for line in text.split("\n")]
        assert len(lines) >= len(COMMANDS)
        for line in lines:
            program, name, *rest = shlex.split(line)
            assert program == "knobel"
            parse_arguments(find_command(name), rest)

    def test_a_word_to_type_at_the_table_is_the_one_that_is_understood(self, lang: str) -> None:
        said = dict(sentences(lang))
        commands = [one for table in (SHEET_COMMANDS, ROUND_COMMANDS) for one in table.commands]
        known = {name for one in commands for name in one.list_names(Translator(lang))}
        for key in ("kept", "over", "pause", "how", "how_real", "how_real_round", "leaving", "help.short"):
            english = dict(sentences("en"))[f"interface.play.{key}"]
            wanted = set(TYPED_AT_THE_TABLE.findall(english)) - {"a"}
            assert wanted, key
            assert wanted <= known, key
            assert wanted <= set(TYPED_AT_THE_TABLE.findall(said[f"interface.play.{key}"])), key

    def test_a_placeholder_is_in_the_language_wherever_it_stands(self, lang: str) -> None:
        words, own = Translator(lang), dict(sentences(lang))
        for key, text in sentences("en"):
            for word in PLACEHOLDER.findall(text) if not key.startswith("interface.placeholder.") else ():
                if f"interface.placeholder.{word.lower()}" in own:
                    shown = words(f"interface.placeholder.{word.lower()}")
                    assert re.search(rf"(?<!\w){shown}(?!\w)", own[key]), (key, shown)
                    assert shown == word or not re.search(rf"\b{word}\b", own[key]), key

    @pytest.mark.parametrize("aim", AIMS)
    def test_the_coach_takes_the_aims_it_names(self, lang: str, aim: str, capsys: pytest.CaptureFixture[str]) -> None:
        line = ["advise", "carlit-chicago", "--target", "9", "--opener-rolls", "3", "--dice", "144", "--lang", lang]
        word = Translator(lang).translate(AIM_WORDS[aim])
        main([*line, "--aim", "nothing"])
        assert word in capsys.readouterr().err
        assert main([*line, "--aim", word]) == 0
        told = capsys.readouterr().out
        assert main([*line, "--aim", show_word("errors.aim_unknown", lang, aim)]) == 0
        assert capsys.readouterr().out == told
        assert main([*line, "--aim", aim]) == 0
        assert capsys.readouterr().out == told


@pytest.mark.parametrize("lang", SPOKEN)
@pytest.mark.parametrize("name", ["mb-yahtzee", "tactic-xl-yatzy", "carlit-yatzy"])
def test_a_box_is_understood_by_the_name_a_refusal_gives_it_and_in_english(name: str, lang: str) -> None:
    edition = load_edition(name)
    words, english = Translator(lang, edition), Translator("en", edition)
    for box in edition.rules().boxes:
        assert find_box(words, edition.rules(), words.name_box(box.id)) == box.id
        assert find_box(english, edition.rules(), english.name_box(box.id)) == box.id
        assert find_box(words, edition.rules(), box.id) == box.id
