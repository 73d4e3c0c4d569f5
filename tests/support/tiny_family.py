"""A third family of games that lives only in the tests: everybody rolls one die once, the highest wins.

It is registered in every table of families and nowhere else: that it plays, prints and is reviewed proves that adding
a family touches nothing but those tables.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NoReturn

import numpy as np
import pytest
from msgspec import Struct

import knobel.bots.families
import knobel.cli.families
import knobel.coach.families
import knobel.games.families
import knobel.lab.families
import knobel.learning.families
import knobel.library.families
import knobel.paper.families
import knobel.record.families
import knobel.rules.families
import knobel.stats.families
import knobel.tui.families
import knobel.view.families
import knobel.web.families
from knobel.bots.families import BotFamily, BotKind
from knobel.cli.commands import CommandTable
from knobel.cli.display import GameDisplay
from knobel.cli.families import CliFamily
from knobel.cli.parser import Given
from knobel.cli.screen import say
from knobel.cli.selection import Selection
from knobel.coach.advice import Advice
from knobel.coach.families import CoachFamily
from knobel.coach.grades import grade_decision
from knobel.coach.ledger import POINTS, Review
from knobel.coach.moves import describe_move
from knobel.coach.sheet import MoveValue
from knobel.errors import WrongPlayerCount
from knobel.game import (
    CHANCE,
    Action,
    EnterDice,
    Land,
    Leave,
    Move,
    Outcome,
    PendingRoll,
    Roll,
    Stand,
    count_turn,
    find_pending_roll,
    refuse_faces,
    refuse_land,
)
from knobel.games.families import GameFamily
from knobel.lab.encoding import ActionMask, Observation
from knobel.lab.families import LabFamily
from knobel.lang import Translator
from knobel.learning.families import LearningFamily
from knobel.learning.themes import KEEP
from knobel.library.families import BoardFamily
from knobel.notation import write_action
from knobel.paper.boxes import CaptionedExample, Example, PageTranslator
from knobel.paper.families import PaperFamily
from knobel.paper.filled_pad import rank_with_total
from knobel.paper.pad import Footer, PadLine, PadOptions, PadSheet, ScorePad
from knobel.paper.page import PadPaper, PrintedSheets
from knobel.paper.played_game import build_footer
from knobel.phrase import Phrase, Value, phrase
from knobel.record.events import Corrected, Header
from knobel.record.families import RecordFamily
from knobel.record.replay import Replay
from knobel.record.track import GameTrack, Step
from knobel.rules.articles import Article
from knobel.rules.families import RulesFamily
from knobel.rules.fields import Int, KeyPath
from knobel.rules.schema import read_players, read_required, reject_unknown_keys
from knobel.rules.sheet_rules import PlayerLimits
from knobel.stats.families import StatsFamily
from knobel.table import Table
from knobel.tui.families import TuiFamily
from knobel.tui.game_board import GameBoard
from knobel.view.families import ViewFamily
from knobel.view.sentences import Translate
from knobel.web.families import WireFamily
from knobel.web.wire import GameMessage, PositionMessage, TurnMessage

FAMILY = "highest"
KEYS = ("faces", "players")
EDITION = """
title = "Highest roll"
publisher = "Tests"
game = "highest"
printed = ["en", "de"]
default_text = "en"
faces = 6
players = { least = 2, most = 9 }
"""


# Rules.


@dataclass(frozen=True)
class TinyRules:
    """One die, and how many faces it has."""

    family: ClassVar[str] = FAMILY
    series: ClassVar[str] = "none"
    starts_with_rolloff: ClassVar[bool] = False
    dice: ClassVar[int] = 1
    rolls: ClassVar[int] = 1

    faces: int
    players: PlayerLimits

    @property
    def as_dict(self) -> dict[str, object]:
        players = {"least": self.players.least, "most": self.players.most}
        return {"game": FAMILY, "faces": self.faces, "players": players}

    @property
    def fingerprint(self) -> str:
        return f"{self.faces:064x}"


def read_tiny_rules(table: Mapping[str, object], path: KeyPath) -> TinyRules:
    reject_unknown_keys(table, KEYS, path)
    players = table["players"]
    assert isinstance(players, dict)
    return TinyRules(read_required(table, "faces", Int(2, 12), path), read_players(players, path.child("players")))


def describe_limits(rules: TinyRules) -> Phrase:
    return phrase("rules.players.between", n=rules.players.most or 9, least=rules.players.least)


def build_tiny_articles(rules: TinyRules) -> tuple[Article, ...]:
    return (Article("players", "", describe_limits(rules)), Article("win", "", phrase("rules.rounds.win")))


def list_tiny_features(rules: TinyRules) -> dict[str, dict[str, Value]]:
    return {"rounds": {"n": rules.faces}}


# The game.


@dataclass(frozen=True)
class TinyState:
    """What everybody has rolled."""

    scores: tuple[int | None, ...]
    seat: int | None
    player: int
    turns: tuple[int, ...]
    dice: tuple[int, ...] = ()
    rolls_used: int = 0
    rolling: tuple[int, ...] = ()
    rolloff: None = None
    left: frozenset[int] = frozenset()


@dataclass(frozen=True)
class TinyGame:
    """Roll once, stand; the highest wins."""

    rules: TinyRules

    def start(self, seats: int, first: int | None = None, roll_off: bool = False) -> TinyState:  # noqa: ARG002
        limits = self.rules.players
        if not limits.least <= seats <= (limits.most or seats):
            raise WrongPlayerCount(n=seats, limits=describe_limits(self.rules))
        return TinyState((None,) * seats, first or 0, first or 0, (0,) * seats)

    def refusal(self, state: TinyState, action: Action) -> Phrase | None:
        if state.seat is None:
            return phrase("rules.refusal.over")
        match action:
            case Land():
                return refuse_land(state, action, 1, self.rules.faces)
            case _ if state.seat == CHANCE:
                return phrase("rules.refusal.falling")
            case Leave(seat) if 0 <= seat < len(state.scores) and seat not in state.left:
                return None
            case Roll(()) if not state.dice:
                return None
            case EnterDice(dice, 0) if not state.dice:
                return refuse_faces(dice, 1, self.rules.faces)
            case Stand(None) if state.dice:
                return None
        return phrase("rules.refusal.not_now")

    def legal_moves(self, state: TinyState) -> Iterator[Move]:
        moves: tuple[Move, ...] = (Roll(), Stand())
        yield from (move for move in moves if state.seat != CHANCE and self.refusal(state, move) is None)

    def apply(self, state: TinyState, action: Action) -> TinyState:
        match action:
            case Roll():
                return replace(state, seat=CHANCE, rolling=(0,))
            case Land(dice) | EnterDice(dice):
                return replace(state, seat=state.player, dice=dice, rolls_used=1, rolling=())
            case Stand():
                scores = (*state.scores[: state.player], state.dice[0], *state.scores[state.player + 1 :])
                return self.pass_turn(replace(state, scores=scores, turns=count_turn(state.turns, state.player)))
            case Leave(seat):
                state = replace(state, left=state.left | {seat})
                return self.pass_turn(state) if seat == state.player else state
        raise TypeError(action)

    def pass_turn(self, state: TinyState) -> TinyState:
        state = replace(state, dice=(), rolls_used=0, rolling=())
        seats = len(state.scores)
        for step in range(1, seats + 1):
            seat = (state.player + step) % seats
            if state.scores[seat] is None and seat not in state.left:
                return replace(state, seat=seat, player=seat)
        return replace(state, seat=None)

    def pending_roll(self, state: TinyState) -> PendingRoll | None:
        return find_pending_roll(state)

    def has_left(self, state: TinyState, seat: int) -> bool:
        return seat in state.left

    def outcome(self, state: TinyState) -> Outcome | None:
        if state.seat is not None:
            return None
        totals = tuple(score or 0 for score in state.scores)
        ranked = sorted(set(totals), reverse=True)
        return Outcome(tuple(tuple(s for s, own in enumerate(totals) if own == total) for total in ranked), totals)

    def find_positions(self, state: TinyState, values: tuple[int, ...]) -> tuple[int, ...] | None:
        return tuple(range(len(values))) if values in ((), state.dice) else None


# Record, view, wire.


class TinyView(Struct, frozen=True):
    """What everybody has rolled."""

    scores: tuple[int | None, ...]
    undo: tuple[int, ...] = ()


class TinyTurnView(Struct, frozen=True):
    """A turn that is to be corrected."""

    turn: str
    dice: str


class TinyGameMessage(GameMessage, frozen=True, tag="game"):
    """Nothing but what every game prints."""


def build_tiny_view(table: Table, translate: Translate) -> TinyView:
    assert translate(phrase("interface.play.undone"))
    return TinyView(table.state.scores)


def build_tiny_turn(track: GameTrack, seat: int, name: str, dice: str, translate: Translate) -> TinyTurnView:
    return TinyTurnView(name, dice)


def narrate_tiny(table: Table, step: Step, seat: int) -> tuple[Phrase, ...]:
    if not isinstance(step.action, Stand):
        return ()
    names = [one.name for one in table.header.seats]
    return (phrase("interface.rounds.place", place=1, names=names[seat], n=step.before.dice[0]),)


def narrate_tiny_correction(table: Table, step: Step, event: Corrected) -> tuple[Phrase, ...]:
    return (phrase("interface.play.undone"),)


def build_tiny_message(header: Header, rules: TinyRules, words: Translator) -> TinyGameMessage:
    edition = header.edition
    return TinyGameMessage(
        FAMILY, header.game, edition.title, edition.publisher, header.text, rules.dice, rules.faces, rules.rolls, None
    )


# Paper.


def build_tiny_sheet(rules: TinyRules, words: PageTranslator, title: str, entries: tuple[str, ...]) -> PadSheet:
    total = words.find_term("rules.term.total") or ""
    return PadSheet(
        page=PadPaper().lay_out_page(),
        lang=words.lang,
        title=title,
        publisher="",
        date="",
        faces=rules.faces,
        games=(),
        names=("",) * len(entries),
        player="",
        marks=0,
        upper=(),
        lower=(PadLine("total", total, entries=entries),),
        foot=Footer(),
    )


def build_tiny_blank(
    rules: TinyRules, words: PageTranslator, title: str, publisher: str, options: PadOptions
) -> ScorePad:
    return PrintedSheets(PadPaper().find_paper(), (build_tiny_sheet(rules, words, title, ("", "")),))


def build_tiny_filled(replay: Replay, words: PageTranslator, chain_head: str, date: str) -> ScorePad:
    entries = tuple("" if score is None else str(score) for score in replay.state.scores)
    rules = replay.game.rules
    assert isinstance(rules, TinyRules)
    sheet = build_tiny_sheet(rules, words, replay.header.edition.title, entries)
    sheet = replace(sheet, foot=build_footer(replay, words, chain_head, rank_with_total))
    return PrintedSheets(PadPaper().find_paper(), (sheet,))


def build_tiny_examples(rules: TinyRules, words: PageTranslator) -> tuple[CaptionedExample, ...]:
    return (CaptionedExample("", "", Example((rules.faces,), (True,), rules.faces)),)


# Coach and terminal.


def review_tiny(game: TinyGame, track: GameTrack, seat: int, coach: None) -> Review:
    par, scored = (game.rules.faces + 1) / 2, float(track.state.scores[seat] or 0)
    return Review(seat, POINTS, par, par, scored, track.state.seat is None, (), (), ())


def advise_tiny(game: TinyGame, state: TinyState, coach: None) -> tuple[Advice, ...]:
    value = float(sum(state.dice)) or (game.rules.faces + 1) / 2
    action = write_action(state, next(game.legal_moves(state)), 1)
    return (Advice(action, phrase("interface.advise.roll_all"), value, 0.0, grade_decision(0.0)),)


def rank_tiny(game: TinyGame, state: TinyState, coach: None) -> list[MoveValue]:
    return [MoveValue(move, 0.0, 0.0) for move in game.legal_moves(state)]


class TinyDisplay(GameDisplay):
    """Nothing but what every display has."""


def show_tiny_board(words: Translator, game: TinyGame, state: TinyState, names: Sequence[str]) -> None:
    say(" ".join(f"{name} {score}" for name, score in zip(names, state.scores, strict=True)))


def describe_tiny_player(game: TinyGame, state: TinyState, seat: int) -> dict[str, object]:
    return {"left": game.has_left(state, seat), "score": state.scores[seat]}


def answer_tiny(selection: Selection, given: Given) -> None:
    say(selection.edition.title)


def find_no_rules(*_: object) -> None:
    return None


class TinyEncoding:
    """The die and what everybody has; to roll, and to stand."""

    action_names = ("roll", "stand")

    def __init__(self, rules: TinyRules, players: int) -> None:
        self.observation_names = ("die", *(f"score_{seat}" for seat in range(players)))
        self.observation_limits = np.full(players + 1, rules.faces, np.float32)

    def observe(self, game: TinyGame, state: TinyState, seat: int) -> Observation:  # noqa: ARG002
        scores = (*state.scores[seat:], *state.scores[:seat])
        return np.array([sum(state.dice), *(score or 0 for score in scores)], np.float32)

    def mask(self, game: TinyGame, state: TinyState) -> ActionMask:
        moves = list(game.legal_moves(state))
        return np.array([Roll() in moves, Stand() in moves], np.int8)

    def decode(self, game: TinyGame, state: TinyState, action: int) -> Move:  # noqa: ARG002
        return Stand() if action else Roll()

    def encode(self, state: TinyState, move: Move) -> int:  # noqa: ARG002
        return int(isinstance(move, Stand))


def list_tiny_losses(game: TinyGame, state: TinyState) -> dict[Move, float]:
    return dict.fromkeys(game.legal_moves(state), 0.0)


def refuse_batch(rules: TinyRules, games: int, opponents: Sequence[str]) -> NoReturn:
    raise NotImplementedError((rules, games, opponents))


TABLES: tuple[tuple[dict[str, Any], object], ...] = (
    (
        knobel.lab.families.FAMILIES,
        LabFamily(TinyEncoding, ("random",), None, lambda _: list_tiny_losses, refuse_batch),
    ),
    (
        knobel.rules.families.FAMILIES,
        RulesFamily(KEYS, read_tiny_rules, {}, build_tiny_articles, list_tiny_features, describe_limits, lambda _: ()),
    ),
    (knobel.games.families.FAMILIES, GameFamily(lambda rules, _beginners, _practice: TinyGame(rules))),
    (
        knobel.record.families.RECORD_FAMILIES,
        RecordFamily(
            name_turn=lambda last: str(last.before.turns[last.before.player] + 1),
            explain_unknown_turn=lambda _, name: phrase("rules.refusal.no_round", round=int(name)),
            explain_turn_change=find_no_rules,
            describe_impossible=find_no_rules,
            find_starter=lambda _: 0,
        ),
    ),
    (
        knobel.view.families.FAMILIES,
        ViewFamily(build_tiny_view, build_tiny_turn, narrate_tiny, narrate_tiny_correction),
    ),
    (
        knobel.web.families.FAMILIES,
        WireFamily(build_tiny_message, (TinyGameMessage, PositionMessage[TinyView], TurnMessage[TinyTurnView])),
    ),
    (
        knobel.bots.families.FAMILIES,
        BotFamily({name: BotKind("random_bot", "random_bot") for name in ("random", "greedy")}, find_no_rules),
    ),
    (knobel.coach.families.FAMILIES, CoachFamily(POINTS, find_no_rules, review_tiny, advise_tiny)),
    (
        knobel.learning.families.FAMILIES,
        LearningFamily(
            POINTS,
            (KEEP,),
            lambda game: game.start(1, 0),
            rank_tiny,
            lambda *_: None,
            lambda *_: KEEP,
            lambda _game, state, move: describe_move(state.dice, move),
            lambda *_: (),
            lambda *_: phrase("coach.puzzle.ask_box"),
            lambda *_: True,
        ),
    ),
    (
        knobel.paper.families.FAMILIES,
        PaperFamily("pad", build_tiny_blank, build_tiny_filled, build_tiny_examples),
    ),
    (
        knobel.cli.families.FAMILIES,
        CliFamily(
            TinyDisplay,
            CommandTable(()),
            show_tiny_board,
            describe_tiny_player,
            "interface.play.place",
            "interface.play.left",
            answer_tiny,
            answer_tiny,
        ),
    ),
    (
        knobel.library.families.FAMILIES,
        BoardFamily(lambda _game, state: tuple(one or 0 for one in state.scores), lambda _game, _state, _seat: {}),
    ),
    (knobel.stats.families.FAMILIES, StatsFamily(lambda _track, _seat: {}, has_totals=True)),
    (
        knobel.tui.families.FAMILIES,
        TuiFamily(
            GameBoard,
            lambda _: (),
            find_no_rules,
            phrase("web.tray.all_kept_stand"),
            (),
            "interface.play.place",
            "interface.play.left",
            lambda _: phrase("web.table.round_n", round=1),
        ),
    ),
)
"""Every table of families, and what is entered there for this one."""


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enter the family in every table, for the time of a test."""
    for table, entry in TABLES:
        monkeypatch.setitem(table, FAMILY, entry)
