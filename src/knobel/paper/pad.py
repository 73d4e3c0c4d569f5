"""The score pad as it will be printed: its lines, its columns, and what is in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knobel.errors import WrongPlayerCount
from knobel.paper.boxes import PageTranslator, describe_scoring, list_wanted_dice
from knobel.paper.page import Page, choose_column_count, lay_out_page, validate_copies
from knobel.phrase import BoxName, phrase
from knobel.rules.column import Column, Tally
from knobel.rules.families import Rules, find_family
from knobel.rules.sheet_rules import SheetRules

EXTRA_YATZY_MARKS = 4
"""How many little squares a column has for extras that come again and again."""


@dataclass(frozen=True, slots=True)
class PadOptions:
    """Options of a printed pad: paper size, scale, number of players, copies."""

    size: str = "a4"
    large: bool = False
    columns: int | None = None
    players: int | None = None
    copies: int = 1


@dataclass(frozen=True, slots=True)
class PadLine:
    """One line of the pad: a box, a sum, extras or the total; an entry for each column, empty on a fresh one."""

    kind: str
    name: str
    hint: str = ""
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
    """One sheet of a score pad; `games` are the heads over groups of columns, `names` stand on the columns."""

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
    copies: int = 1


@dataclass(frozen=True, slots=True)
class ScorePad:
    """Sheets that are printed together."""

    sheets: tuple[PadSheet, ...]


def build_blank_pad(
    rules: SheetRules, words: PageTranslator, title: str, publisher: str, options: PadOptions
) -> ScorePad:
    check_players(rules, options.players)
    columns = choose_column_count(options.size, options.large, options.columns, options.players)
    players = options.players or columns
    games = columns // players if players < columns else 0
    upper, lower = build_lines(rules, words)
    pad = PadSheet(
        page=lay_out_page(options.size, options.large, columns),
        lang=words.lang,
        title=title,
        publisher=publisher,
        date=words.translate(phrase("paper.date")),
        faces=rules.faces,
        games=tuple(words.translate(phrase("paper.game", number=game + 1)) for game in range(games)),
        names=("",) * columns,
        player=translate_term(words, "rules.term.player"),
        marks=EXTRA_YATZY_MARKS if rules.yatzy and rules.yatzy.prime else 0,
        upper=upper,
        lower=lower,
        foot=Footer(notes=tuple(list_notes(rules, words))),
        copies=validate_copies(options.copies),
    )
    return ScorePad((pad,))


def build_lines(rules: SheetRules, words: PageTranslator) -> tuple[tuple[PadLine, ...], tuple[PadLine, ...]]:
    """List the lines of both halves, with the sums where a pad has them."""

    def build_line(place: int) -> PadLine:
        box = rules.boxes[place]
        return PadLine(
            "box", words.name_box(box.id), words.translate(describe_scoring(box, rules)), list_wanted_dice(box, rules)
        )

    places = range(len(rules.boxes))
    upper = [build_line(place) for place in places if rules.boxes[place].upper]
    lower = [build_line(place) for place in places if not rules.boxes[place].upper]
    if rules.bonus:
        earned = words.translate(phrase("paper.bonus", goal=rules.bonus.goal, n=rules.bonus.points))
        upper.append(PadLine("sum", translate_term(words, "rules.term.upper_total")))
        upper.append(PadLine("bonus", translate_term(words, "rules.term.bonus"), earned))
    if rules.yatzy and rules.yatzy.prime:
        each = phrase("paper.prime", n=rules.yatzy.prime, box=BoxName(rules.yatzy.box))
        lower.append(PadLine("extra", translate_term(words, "rules.term.yahtzee_bonus"), words.translate(each)))
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
            filled.append(PadLine(line.kind, line.name, line.hint, line.dice, entries))
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


def check_players(rules: Rules, players: int | None) -> None:
    """Refuse more or fewer players than the rules allow."""
    limits = rules.players
    if players is None:
        return
    if players < limits.least or (limits.most is not None and players > limits.most):
        raise WrongPlayerCount(n=players, limits=find_family(rules).describe_players(rules))


def translate_term(words: PageTranslator, key: str) -> str:
    return words.find_term(key) or ""
