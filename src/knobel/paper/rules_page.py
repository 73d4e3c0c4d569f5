"""The rules of a box on one page: our own sentences, and beside them dice as worked examples."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle, islice

from knobel.game import Land, Roll, Stand, play
from knobel.games.round_state import AIMS, FOLLOW, RoundState
from knobel.games.rounds import RoundsGame
from knobel.paper.boxes import Example, PageTranslator, build_example
from knobel.paper.pad import translate_term
from knobel.paper.page import find_paper_size
from knobel.phrase import LanguageName, phrase
from knobel.rules import Edition
from knobel.rules.articles import describe_pattern, describe_points
from knobel.rules.leaflet import list_chapters
from knobel.rules.round_rules import RoundRules
from knobel.rules.sheet_rules import SheetRules

LAST_CHAPTER = "end"
"""The chapter that stands below the examples where those are few."""
EXAMPLE_SEATS = 3
EXAMPLE_ROLLS = ((5, 4, 2), (6, 5, 3), (4, 3, 1))
"""What the players of the example throw: the opener, one above him, one below."""


@dataclass(frozen=True, slots=True)
class PlainPage:
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
class CaptionedExample:
    """A worked example: whose it is, why, the dice, what they bring; who takes a chip is marked, a round begins."""

    name: str
    hint: str
    example: Example
    marked: bool = False
    begins: bool = False


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The rules on one page: chapters on the left, examples on the right and below them what belongs to them."""

    page: PlainPage
    lang: str
    title: str
    publisher: str
    about: str
    faces: int
    chapters: tuple[Chapter, ...]
    heading: str
    examples: tuple[CaptionedExample, ...]
    beside: tuple[str, ...]
    after: tuple[Chapter, ...]
    foot: str


def build_rules_page(
    edition: Edition, text: str, switches: Mapping[str, str], words: PageTranslator, size: str = "a4"
) -> RulesPage:
    """Write the rules of a box on one page."""
    paper = find_paper_size(size)
    told, after = list[Chapter](), list[Chapter]()
    heading, beside = words.translate(phrase("paper.example")), list[str]()
    sheet = edition.family == "sheet"
    for name, found in list_chapters(edition, text, switches):
        title = words.translate(phrase(f"rules.chapter.{name}"))
        rules = tuple(words.translate(article.phrase) for article in found if not article.topic.startswith("box."))
        if len(rules) < len(found):
            heading, beside = title, [*rules]
        else:
            (after if name == LAST_CHAPTER and not sheet else told).append(Chapter(title, rules))
    rules_now = edition.rules(text, switches)
    return RulesPage(
        page=PlainPage(paper.width, paper.height, paper.margin),
        lang=words.lang,
        title=edition.title,
        publisher=edition.publisher,
        about=describe_text(edition, text, words),
        faces=rules_now.faces,
        chapters=tuple(told),
        heading=heading,
        examples=build_examples(rules_now, words),
        beside=tuple(beside),
        after=tuple(after),
        foot=words.translate(phrase("paper.own_words")),
    )


def describe_text(edition: Edition, text: str, words: PageTranslator) -> str:
    """Say below the title which text is played."""
    if not edition.publisher:
        return words.translate(phrase("paper.house"))
    if edition.base:
        return words.translate(phrase("paper.house_over", publisher=edition.publisher, language=LanguageName(text)))
    return words.translate(phrase("paper.text", language=LanguageName(text)))


def build_examples(rules: SheetRules | RoundRules, words: PageTranslator) -> tuple[CaptionedExample, ...]:
    """Work out an example for each box, or play rounds."""
    if isinstance(rules, RoundRules):
        return tuple(shown for aim in AIMS for shown in build_round_examples(rules, words, aim))
    return tuple(
        CaptionedExample(
            words.name_box(box.id),
            words.translate(phrase("rules.how", pattern=describe_pattern(box, rules), points=describe_points(box))),
            build_example(box, rules),
        )
        for box in rules.boxes
    )


def build_round_examples(rules: RoundRules, words: PageTranslator, aim: str) -> tuple[CaptionedExample, ...]:
    """Play one round by the rules, and tell who throws what and who takes the chip."""
    game = RoundsGame(rules)
    seats = max(rules.players.least, min(EXAMPLE_SEATS, rules.players.most or EXAMPLE_SEATS))
    state, thrown = game.start(seats, 0), list[tuple[int, ...]]()
    while state.result is None and state.rolloff is None:
        thrown.append(choose_example_roll(rules, len(thrown)))
        state = roll_and_stand(game, state, thrown[-1], aim)
    loser = state.result.loser if state.result else None

    def shown(seat: int, dice: tuple[int, ...]) -> CaptionedExample:
        name = "rules.term.player" if seat else "rules.term.opener"
        told = (
            "" if state.result is None else words.translate(phrase("paper.takes" if seat == loser else "paper.beats"))
        )
        hint = told if seat else translate_term(words, f"rules.term.announce_{aim}")
        return CaptionedExample(
            translate_term(words, name), hint, Example(dice, (True,) * len(dice), sum(dice)), seat == loser, not seat
        )

    return tuple(shown(seat, dice) for seat, dice in enumerate(thrown))


def roll_and_stand(game: RoundsGame, state: RoundState, dice: tuple[int, ...], aim: str) -> RoundState:
    """Let whoever's turn it is throw these dice and stand."""
    said = None if state.phase == FOLLOW or game.is_all_ones(dice) else aim
    for action in (Roll(()), Land(dice), Stand(said)):
        state = play(game, state, action)
    return state


def choose_example_roll(rules: RoundRules, number: int) -> tuple[int, ...]:
    """Choose the dice of a player of the example."""
    shown = EXAMPLE_ROLLS[min(number, len(EXAMPLE_ROLLS) - 1)]
    return tuple(min(face, rules.faces) for face in islice(cycle(shown), rules.dice))
