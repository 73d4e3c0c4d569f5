"""The score pad as it will be printed: its lines, its columns, and what is in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from knobel.errors import PadNamesForOne
from knobel.paper.boxes import PageTranslator, describe_entry, describe_points, find_name_language, list_wanted_dice
from knobel.paper.page import (
    DEFAULT_COLUMNS,
    PadPaper,
    Page,
    PrintedSheets,
    choose_column_count,
    count_max_columns,
    plan_columns,
    validate_copies,
)
from knobel.phrase import BoxName, phrase
from knobel.rules.column import Column, Tally
from knobel.rules.sheet_rules import SheetRules

EXTRA_YATZY_MARKS = 4
"""How many little squares a column has for extras that come again and again."""


@dataclass(frozen=True, slots=True)
class PadOptions:
    """Options of a printed pad: its paper, the number of columns or players, whose it is, copies."""

    size: str = "a4"
    large: bool = False
    columns: int | None = None
    players: int | None = None
    copies: int = 1
    landscape: bool = False
    per_page: int = 1
    names: tuple[str, ...] = ()

    @property
    def paper(self) -> PadPaper:
        """The paper, and how large it is printed."""
        return PadPaper(self.size, self.large, self.per_page)

    @property
    def owners(self) -> tuple[str, ...]:
        """Whose sheets are printed, one after the other; without names one sheet is for anybody."""
        if self.names and self.players not in (None, 1):
            raise PadNamesForOne
        return self.names or ("",)

    @property
    def group(self) -> int | None:
        """How many play a game."""
        return 1 if self.names else self.players


@dataclass(frozen=True, slots=True)
class PadLine:
    """One line of the pad: a box, a sum, extras or the total; an entry for each column, empty on a fresh one.

    `brief` says less than `hint`, for narrow paper; `lang` is the language of a name that is in another one.
    """

    kind: str
    name: str
    hint: str = ""
    brief: str = ""
    lang: str = ""
    dice: tuple[int, ...] = ()
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Footer:
    """What is printed below the pad: ranking and remarks of a played game, small print."""

    notes: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    print: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PadSheet:
    """One sheet of a score pad; `games` are the heads over groups of columns, `names` stand on the columns.

    Where all columns are one player's, `owner` is that name, empty if it will be written by hand.
    """

    page: Page
    lang: str
    title: str
    publisher: str
    date: str
    faces: int
    games: tuple[str, ...]
    names: tuple[str, ...]
    player: str
    marks: int
    upper: tuple[PadLine, ...]
    lower: tuple[PadLine, ...]
    foot: Footer
    owner: str | None = None


ScorePad: TypeAlias = PrintedSheets[PadSheet]


def build_blank_pad(
    rules: SheetRules, words: PageTranslator, title: str, publisher: str, options: PadOptions
) -> ScorePad:
    paper, owners = options.paper, options.owners
    columns = choose_column_count(options.columns, options.group, min(DEFAULT_COLUMNS, count_max_columns(paper)))
    players = options.group or columns
    plan = plan_columns(paper, columns, players, options.landscape)
    upper, lower = build_lines(rules, words)
    heads = [words.translate(phrase("paper.game", number=game + 1)) for game in range(columns // players)]
    alone = players == 1
    blank = PadSheet(
        page=paper.lay_out_page(plan.landscape),
        lang=words.lang,
        title=title,
        publisher=publisher,
        date=words.translate(phrase("paper.date")),
        faces=rules.faces,
        games=(),
        names=(),
        player=translate_term(words, "rules.term.player"),
        marks=EXTRA_YATZY_MARKS if rules.yatzy and rules.yatzy.prime else 0,
        upper=upper,
        lower=lower,
        foot=Footer(notes=tuple(list_notes(rules, words))),
    )
    sheets = [
        replace(
            blank,
            games=() if alone or len(heads) == 1 else tuple(heads[at.start // players : -(-at.stop // players)]),
            names=tuple(str(column + 1) if alone and columns > 1 else "" for column in at),
            owner=owner if alone else None,
        )
        for owner in owners
        for at in plan.sheets
    ]
    return PrintedSheets(paper.find_paper(plan.landscape), tuple(sheets), validate_copies(options.copies))


def build_lines(rules: SheetRules, words: PageTranslator) -> tuple[tuple[PadLine, ...], tuple[PadLine, ...]]:
    """List the lines of both halves, with the sums where a pad has them."""

    def build_line(place: int) -> PadLine:
        box = rules.boxes[place]
        hint, brief = (words.translate(said) for said in (describe_entry(box, rules), describe_points(box)))
        lang = find_name_language(words, box.id)
        dice = list_wanted_dice(box, rules)
        return PadLine("box", words.name_box(box.id), hint, brief, lang if lang != words.lang else "", dice)

    places = range(len(rules.boxes))
    upper = [build_line(place) for place in places if rules.boxes[place].upper]
    lower = [build_line(place) for place in places if not rules.boxes[place].upper]
    if rules.bonus:
        earned = words.translate(phrase("paper.bonus", goal=rules.bonus.goal, n=rules.bonus.points))
        upper.append(PadLine("sum", translate_term(words, "rules.term.upper_total")))
        brief = f"{rules.bonus.goal}: +{rules.bonus.points}"
        upper.append(PadLine("bonus", translate_term(words, "rules.term.bonus"), earned, brief))
    if words.edition and words.edition.lower_total and upper:
        lower.append(PadLine("lower", translate_term(words, "rules.term.lower_total")))
    if rules.yatzy and rules.yatzy.prime:
        each = phrase("paper.prime", n=rules.yatzy.prime, box=BoxName(rules.yatzy.box))
        name, brief = translate_term(words, "rules.term.yahtzee_bonus"), f"+{rules.yatzy.prime}"
        lower.append(PadLine("extra", name, words.translate(each), brief))
    lower.append(PadLine("total", translate_term(words, "rules.term.total")))
    return tuple(upper), tuple(lower)


def build_filled_lines(
    rules: SheetRules,
    words: PageTranslator,
    columns: Sequence[Column],
    tallies: Sequence[Tally],
    marks: Sequence[Mapping[str, str]],
) -> tuple[tuple[PadLine, ...], tuple[PadLine, ...]]:
    """List the lines of both halves as they were filled in; columns have marks behind some entries."""
    sums = {
        "sum": [tally.upper for tally in tallies],
        "bonus": [tally.bonus for tally in tallies],
        "lower": [tally.lower for tally in tallies],
        "extra": [tally.extra for tally in tallies],
        "total": [tally.total for tally in tallies],
    }
    halves = []
    for lines, is_upper in zip(build_lines(rules, words), (True, False), strict=True):
        places = iter([place for place, box in enumerate(rules.boxes) if box.upper == is_upper])
        filled = []
        for line in lines:
            if line.kind == "box":
                place = next(places)
                own = [(column.entries[place], marked) for column, marked in zip(columns, marks, strict=True)]
                box = rules.boxes[place].id
                entries = tuple("" if points is None else f"{points}{marked.get(box, '')}" for points, marked in own)
            else:
                entries = tuple(map(str, sums[line.kind]))
            filled.append(replace(line, entries=entries))
        halves.append(tuple(filled))
    return halves[0], halves[1]


def list_notes(rules: SheetRules, words: PageTranslator) -> list[str]:
    """List the notes printed below the pad."""
    found = [phrase("paper.dice", n=rules.dice), phrase("paper.rolls", n=rules.rolls)]
    if rules.locked_dice:
        found.append(phrase("paper.note.locked"))
    if rules.order == "announced":
        found.append(phrase("paper.note.announced"))
    if rules.order == "top_down":
        found.append(phrase("paper.note.top_down"))
    if rules.must_fit:
        found.append(phrase("paper.note.must_fit"))
    return [words.translate(said) for said in found]


def translate_term(words: PageTranslator, key: str) -> str:
    return words.find_term(key) or ""
