"""The rules of a box on one page: our own sentences, and beside them dice as worked examples."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle, islice

from knobel.game import Land, Stand, Throw, play
from knobel.games.round_state import AIMS, FOLLOW, RoundState
from knobel.games.rounds import Rounds
from knobel.paper.boxes import Example, Speaker, example
from knobel.paper.pad import term
from knobel.paper.page import size_of
from knobel.phrase import LanguageName, phrase
from knobel.rules import Edition
from knobel.rules.articles import about_pattern, about_points
from knobel.rules.edition import FAMILIES
from knobel.rules.leaflet import chapters
from knobel.rules.rounds import RoundRules
from knobel.rules.ruleset import SheetRules

LAST = "end"
"""The chapter that stands below the examples where those are few."""
SHOWN_SEATS = 3
THROWN = ((5, 4, 2), (6, 5, 3), (4, 3, 1))
"""What the players of the example throw: the opener, one above him, one below."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet without columns, in millimetres."""

    width: float
    height: float
    margin: float


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading and its sentences."""

    title: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A worked example: whose it is, why, the dice, what they bring; who takes a chip is marked, a round begins."""

    name: str
    hint: str
    example: Example
    marked: bool = False
    begins: bool = False


@dataclass(frozen=True, slots=True)
class Leaf:
    """The rules on one page: chapters on the left, examples on the right and below them what belongs to them."""

    page: Paper
    lang: str
    title: str
    publisher: str
    about: str
    faces: int
    chapters: tuple[Chapter, ...]
    heading: str
    examples: tuple[Shown, ...]
    beside: tuple[str, ...]
    after: tuple[Chapter, ...]
    foot: str


def leaf_of(edition: Edition, text: str, switches: Mapping[str, str], words: Speaker, size: str = "a4") -> Leaf:
    """Write the rules of a box on one page."""
    paper = size_of(size)
    told, after = list[Chapter](), list[Chapter]()
    heading, beside = words.say(phrase("paper.example")), list[str]()
    sheet = edition.family == FAMILIES[0]
    for name, found in chapters(edition, text, switches):
        title = words.say(phrase(f"rules.chapter.{name}"))
        rules = tuple(words.say(article.phrase) for article in found if not article.topic.startswith("box."))
        if len(rules) < len(found):
            heading, beside = title, [*rules]
        else:
            (after if name == LAST and not sheet else told).append(Chapter(title, rules))
    rules_now = edition.rules(text, switches) if sheet else edition.round_rules(text, switches)
    return Leaf(
        page=Paper(paper.width, paper.height, paper.margin),
        lang=words.lang,
        title=edition.title,
        publisher=edition.publisher,
        about=about(edition, text, words),
        faces=rules_now.faces,
        chapters=tuple(told),
        heading=heading,
        examples=examples_of(rules_now, words),
        beside=tuple(beside),
        after=tuple(after),
        foot=words.say(phrase("paper.own_words")),
    )


def about(edition: Edition, text: str, words: Speaker) -> str:
    """Say below the title which text is played."""
    if not edition.publisher:
        return words.say(phrase("paper.house"))
    if edition.base:
        return words.say(phrase("paper.house_over", publisher=edition.publisher, language=LanguageName(text)))
    return words.say(phrase("paper.text", language=LanguageName(text)))


def examples_of(rules: SheetRules | RoundRules, words: Speaker) -> tuple[Shown, ...]:
    """Work out an example for each box, or play rounds."""
    if isinstance(rules, RoundRules):
        return tuple(shown for aim in AIMS for shown in round_shown(rules, words, aim))
    return tuple(
        Shown(
            words.box(box.id),
            words.say(phrase("rules.how", pattern=about_pattern(box, rules), points=about_points(box))),
            example(box, rules),
        )
        for box in rules.boxes
    )


def round_shown(rules: RoundRules, words: Speaker, aim: str) -> tuple[Shown, ...]:
    """Play one round by the rules, and tell who throws what and who takes the chip."""
    game = Rounds(rules)
    seats = max(rules.players.least, min(SHOWN_SEATS, rules.players.most or SHOWN_SEATS))
    state, thrown = game.start(seats, 0), list[tuple[int, ...]]()
    while state.told is None and state.tied is None:
        thrown.append(throw(rules, len(thrown)))
        state = thrown_by(game, state, thrown[-1], aim)
    loser = state.told.loser if state.told else None

    def shown(seat: int, dice: tuple[int, ...]) -> Shown:
        name = "rules.term.player" if seat else "rules.term.opener"
        told = "" if state.told is None else words.say(phrase("paper.takes" if seat == loser else "paper.beats"))
        hint = told if seat else term(words, f"rules.term.announce_{aim}")
        return Shown(term(words, name), hint, Example(dice, (True,) * len(dice), sum(dice)), seat == loser, not seat)

    return tuple(shown(seat, dice) for seat, dice in enumerate(thrown))


def thrown_by(game: Rounds, state: RoundState, dice: tuple[int, ...], aim: str) -> RoundState:
    """Let whoever's turn it is throw these dice and stand."""
    said = None if state.phase == FOLLOW or game.is_all_ones(dice) else aim
    for action in (Throw(()), Land(dice), Stand(said)):
        state = play(game, state, action)
    return state


def throw(rules: RoundRules, number: int) -> tuple[int, ...]:
    """Choose the dice of a player of the example."""
    shown = THROWN[min(number, len(THROWN) - 1)]
    return tuple(min(face, rules.faces) for face in islice(cycle(shown), rules.dice))
