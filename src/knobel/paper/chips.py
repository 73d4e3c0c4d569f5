"""The table of a game of rounds as it will be printed: chips, rounds with the opener's total, places."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from knobel.paper.boxes import PageTranslator
from knobel.paper.pad import Footer, PadOptions, translate_term
from knobel.paper.page import (
    DEFAULT_COLUMNS,
    Page,
    PrintedSheets,
    choose_column_count,
    count_max_columns,
    plan_columns,
    validate_copies,
)
from knobel.phrase import phrase
from knobel.rules.round_rules import RoundRules

ROUND_LABEL = 10.0
"""The number of a round, its opener and the aim need more room than the name of a box."""


@dataclass(frozen=True, slots=True)
class ChipTableWords:
    """Every word printed on a table of chips, translated."""

    player: str
    chips: str
    kitty: str
    round: str
    opener: str
    over: str
    under: str
    place: str


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round as it was played: the opener's seat, total and aim, all totals, who took the chip, who went out."""

    number: int
    opener: int
    target: str
    aim: str
    totals: tuple[str, ...]
    loser: int
    left: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChipTable:
    """The table of a game of rounds, fresh or written; `held` are the chips of each player at the end."""

    page: Page
    lang: str
    title: str
    publisher: str
    date: str
    words: ChipTableWords
    chips: int
    names: tuple[str, ...]
    held: tuple[int, ...]
    rounds: tuple[RoundLine, ...]
    places: tuple[str, ...]
    foot: Footer
    written: bool = False


ChipPad: TypeAlias = PrintedSheets[ChipTable]


def build_blank_table(
    rules: RoundRules, words: PageTranslator, title: str, publisher: str, options: PadOptions
) -> ChipPad:
    paper, owners = replace(options.paper, more_label=ROUND_LABEL), options.owners
    usual = options.group or min(DEFAULT_COLUMNS, count_max_columns(paper))
    columns = choose_column_count(options.columns, options.group, usual)
    plan = plan_columns(paper, columns, columns, options.landscape)
    notes = (phrase("paper.dice", n=rules.dice), phrase("paper.rolls", n=rules.rolls))
    blank = ChipTable(
        page=paper.lay_out_page(plan.landscape),
        lang=words.lang,
        title=title,
        publisher=publisher,
        date=words.translate(phrase("paper.date")),
        words=find_table_words(words),
        chips=rules.chips,
        names=(),
        held=(),
        rounds=(),
        places=(),
        foot=Footer(notes=tuple(words.translate(said) for said in notes)),
    )
    sheets = [
        replace(blank, names=(owner,) * len(at), held=(0,) * len(at), places=("",) * len(at))
        for owner in owners
        for at in plan.sheets
    ]
    return PrintedSheets(paper.find_paper(plan.landscape), tuple(sheets), validate_copies(options.copies))


def find_table_words(words: PageTranslator) -> ChipTableWords:
    """Find the words on the table, as the edition prints them."""
    return ChipTableWords(
        player=translate_term(words, "rules.term.player"),
        chips=translate_term(words, "rules.term.chip"),
        kitty=translate_term(words, "rules.term.kitty"),
        round=translate_term(words, "rules.term.round"),
        opener=translate_term(words, "rules.term.opener"),
        over=translate_term(words, "rules.term.over"),
        under=translate_term(words, "rules.term.under"),
        place=words.translate(phrase("paper.place")),
    )
