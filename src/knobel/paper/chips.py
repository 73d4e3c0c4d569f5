"""The table of a game of rounds as it will be printed: chips, rounds with the opener's sum, places."""

from dataclasses import dataclass

from knobel.paper.boxes import Speaker
from knobel.paper.pad import Foot, Wish, check_players, term
from knobel.paper.page import Page, checked_copies, columns_of, page_of
from knobel.phrase import phrase
from knobel.rules.rounds import RoundRules


@dataclass(frozen=True, slots=True)
class ChipWords:
    """The words on the table."""

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
    """One round as it was played: the opener's seat and sum, what he said, all sums, who took the chip, who left."""

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
    words: ChipWords
    chips: int
    names: tuple[str, ...]
    held: tuple[int, ...]
    rounds: tuple[RoundLine, ...]
    places: tuple[str, ...]
    foot: Foot
    written: bool = False
    copies: int = 1


def blank_table(rules: RoundRules, words: Speaker, title: str, publisher: str, wish: Wish) -> ChipTable:
    """Take a fresh table from the block."""
    check_players(rules.players, wish.players, rules)
    columns = wish.players or columns_of(wish.size, wish.large, wish.columns, None)
    notes = (phrase("paper.dice", n=rules.dice), phrase("paper.throws", n=rules.throws))
    return ChipTable(
        page=page_of(wish.size, wish.large, columns),
        lang=words.lang,
        title=title,
        publisher=publisher,
        date=words.say(phrase("paper.date")),
        words=words_of(words),
        chips=rules.chips,
        names=("",) * columns,
        held=(0,) * columns,
        rounds=(),
        places=("",) * columns,
        foot=Foot(notes=tuple(words.say(said) for said in notes)),
        copies=checked_copies(wish.copies),
    )


def words_of(words: Speaker) -> ChipWords:
    """Find the words on the table, as the box prints them."""
    return ChipWords(
        player=term(words, "rules.term.player"),
        chips=term(words, "rules.term.chip"),
        kitty=term(words, "rules.term.kitty"),
        round=term(words, "rules.term.round"),
        opener=term(words, "rules.term.opener"),
        over=term(words, "rules.term.over"),
        under=term(words, "rules.term.under"),
        place=words.say(phrase("paper.place")),
    )
