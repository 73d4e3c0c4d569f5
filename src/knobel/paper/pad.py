"""The score block as it will be printed: its rows, its columns, and what stands in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knobel.errors import PlayersOutside
from knobel.paper.boxes import Speaker, how, picture
from knobel.paper.page import Page, checked_copies, columns_of, page_of
from knobel.phrase import BoxName, phrase
from knobel.rules.articles import about_players
from knobel.rules.column import Column, Tally
from knobel.rules.rounds import RoundRules
from knobel.rules.ruleset import Players, SheetRules

PRIME_MARKS = 4
"""How many little squares a column has for extras that come again and again."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants on paper: which size, how large, for how many, how often."""

    size: str = "a4"
    large: bool = False
    columns: int | None = None
    players: int | None = None
    copies: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the block: a box, a sum, extras or the total; an entry for each column, empty on a fresh one."""

    kind: str
    name: str
    hint: str = ""
    dice: tuple[int, ...] = ()
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Foot:
    """What stands below the block: ranking and remarks of a played game, small print."""

    notes: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    print: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pad:
    """One sheet of a score block; `games` are the heads over groups of columns, `names` stand on the columns."""

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
    upper: tuple[Row, ...]
    lower: tuple[Row, ...]
    foot: Foot
    copies: int = 1


@dataclass(frozen=True, slots=True)
class Block:
    """Sheets that are printed together."""

    sheets: tuple[Pad, ...]


def blank_pad(rules: SheetRules, words: Speaker, title: str, publisher: str, wish: Wish) -> Block:
    """Take a fresh sheet from the block."""
    check_players(rules.players, wish.players, rules)
    columns = columns_of(wish.size, wish.large, wish.columns, wish.players)
    players = wish.players or columns
    games = columns // players if players < columns else 0
    upper, lower = rows_of(rules, words)
    pad = Pad(
        page=page_of(wish.size, wish.large, columns),
        lang=words.lang,
        title=title,
        publisher=publisher,
        date=words.say(phrase("paper.date")),
        faces=rules.faces,
        games=tuple(words.say(phrase("paper.game", number=game + 1)) for game in range(games)),
        names=("",) * columns,
        player=term(words, "rules.term.player"),
        marks=PRIME_MARKS if rules.yatzy and rules.yatzy.prime else 0,
        upper=upper,
        lower=lower,
        foot=Foot(notes=tuple(remarks(rules, words))),
        copies=checked_copies(wish.copies),
    )
    return Block((pad,))


def rows_of(rules: SheetRules, words: Speaker) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """List the rows of both halves, with the sums where a block has them."""

    def row(place: int) -> Row:
        box = rules.boxes[place]
        return Row("box", words.box(box.id), words.say(how(box, rules)), picture(box, rules))

    places = range(len(rules.boxes))
    upper = [row(place) for place in places if rules.boxes[place].upper]
    lower = [row(place) for place in places if not rules.boxes[place].upper]
    if rules.bonus:
        earned = words.say(phrase("paper.bonus", goal=rules.bonus.goal, n=rules.bonus.points))
        upper.append(Row("sum", term(words, "rules.term.upper_total")))
        upper.append(Row("bonus", term(words, "rules.term.bonus"), earned))
    if rules.yatzy and rules.yatzy.prime:
        each = phrase("paper.prime", n=rules.yatzy.prime, box=BoxName(rules.yatzy.box))
        lower.append(Row("extra", term(words, "rules.term.yahtzee_bonus"), words.say(each)))
    lower.append(Row("total", term(words, "rules.term.total")))
    return tuple(upper), tuple(lower)


def filled_rows(
    rules: SheetRules,
    words: Speaker,
    columns: Sequence[Column],
    tallies: Sequence[Tally],
    marks: Sequence[Mapping[str, str]],
) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """List the rows of both halves as they were written; each column has marks behind some of its entries."""
    sums = {
        "sum": [tally.upper for tally in tallies],
        "bonus": [tally.bonus for tally in tallies],
        "extra": [tally.extra for tally in tallies],
        "total": [tally.total for tally in tallies],
    }
    halves = []
    for rows, is_upper in zip(rows_of(rules, words), (True, False), strict=True):
        places = iter([place for place, box in enumerate(rules.boxes) if box.upper == is_upper])
        written = []
        for row in rows:
            if row.kind == "box":
                place = next(places)
                own = [(column.entries[place], marked) for column, marked in zip(columns, marks, strict=True)]
                box = rules.boxes[place].id
                entries = tuple("" if points is None else f"{points}{marked.get(box, '')}" for points, marked in own)
            else:
                entries = tuple(map(str, sums[row.kind]))
            written.append(Row(row.kind, row.name, row.hint, row.dice, entries))
        halves.append(tuple(written))
    return halves[0], halves[1]


def remarks(rules: SheetRules, words: Speaker) -> list[str]:
    """Say below the block what one must know while writing."""
    found = [phrase("paper.dice", n=rules.dice), phrase("paper.throws", n=rules.throws)]
    if rules.locked_dice:
        found.append(phrase("paper.note.locked"))
    if rules.order == "announced":
        found.append(phrase("paper.note.announced"))
    if rules.order == "top_down":
        found.append(phrase("paper.note.top_down"))
    if rules.must_fit:
        found.append(phrase("paper.note.must_fit"))
    return [words.say(said) for said in found]


def check_players(limits: Players, players: int | None, rules: SheetRules | RoundRules) -> None:
    """Take only as many players as the rules do."""
    if players is None:
        return
    if players < limits.least or (limits.most is not None and players > limits.most):
        if isinstance(rules, SheetRules):
            said = about_players(rules).phrase
        else:
            said = phrase("rules.players.between", n=limits.most or players, least=limits.least)
        raise PlayersOutside(n=players, limits=said)


def term(words: Speaker, key: str) -> str:
    """Name a thing of the sheet."""
    return words.term(key) or ""
