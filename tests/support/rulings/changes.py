"""Changes under which the checks of the rulings fail: of the rules, of the games, of what is said, of the page."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import pytest

import knobel.games.round_leaving
import knobel.games.round_rolloff
import knobel.games.round_settlement
import knobel.games.round_state
import knobel.games.rounds
import knobel.rules.leaflet
from knobel.cli.typed_lines import STARTS
from knobel.errors import KnobelError
from knobel.games.round_settlement import give_chip
from knobel.games.round_state import RoundState
from knobel.lang import Translator
from knobel.phrase import phrase
from knobel.record.verify import RecordVerifier
from knobel.rules import edition_ids, load_edition
from knobel.rules.edition import Edition, merge_tables
from knobel.rules.families import read_rules
from knobel.rules.fields import KeyPath
from knobel.rules.round_rules import RoundRules
from tests.support.rulings import page, play, texts

Change: TypeAlias = Callable[[pytest.MonkeyPatch], None]

RULES: tuple[dict[str, Any], ...] = (
    {"throws": 2},
    {"must_fit": True},
    {"must_fit": False},
    {"order": "announced"},
    {"order": "free"},
    {"start": "any"},
    {"start": "highest"},
    {"series": "agreed"},
    {"yatzy": {"joker": "none", "prime": 0, "second": 0}},
    {"chips": 2},
    {"chicago_special": True},
    {"chicago_special": False},
    {"players": {"least": 3, "most": 3}},
)
GOLDEN_CASE = {"id": "T06", "edition": "", "printed": True, "setup": {"sheet": {"sixes": 24}}}
"""A printed case that is ours in part."""
BOXES: tuple[dict[str, Any], ...] = (
    {"points": 1},
    {"pattern": "group", "size": 2, "counts": "group"},
    {"pattern": "group", "size": 5, "counts": "all"},
)


def change_rules(change: Mapping[str, Any], box: Mapping[str, Any] | None = None) -> Change:
    """Let every edition play by changed rules, where the rules of its family can be changed like that."""
    resolve = Edition.resolve_rules

    def resolve_changed(edition: Edition, text: str, switches: Mapping[str, str]) -> Any:
        rules = resolve(edition, text, switches)
        table = rules.as_dict
        patch = {key: value for key, value in change.items() if key in table}
        if box and "boxes" in table:
            patch["boxes"] = dict.fromkeys(table["boxes"], box)
        try:
            return read_rules(merge_tables(table, patch), KeyPath(edition.id))
        except KnobelError:
            return rules

    return lambda monkeypatch: monkeypatch.setattr(Edition, "resolve_rules", resolve_changed)


def forget_rules() -> None:
    """Let the editions resolve their rules again."""
    for name in edition_ids():
        load_edition(name).rules_cache.clear()


# The game of rounds.


def let_equal_totals_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    beats = knobel.games.round_state.beats_opener

    def beats_or_equals(state: RoundState, total: int) -> bool:
        return total == state.target or beats(state, total)

    for module in (knobel.games.round_state, knobel.games.round_settlement):
        monkeypatch.setattr(module, "beats_opener", beats_or_equals)


def let_the_opener_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    def settle(rules: RoundRules, state: RoundState) -> RoundState:
        return give_chip(rules, state, state.opener)

    monkeypatch.setattr(knobel.games.round_settlement, "settle_round", settle)


def pay_every_chip_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    move = knobel.games.round_settlement.move_chip

    def move_two(rules: RoundRules, state: RoundState, giver: int | None) -> RoundState:
        return move(rules, replace(state, kitty=state.kitty - 1), giver)

    monkeypatch.setattr(knobel.games.round_settlement, "move_chip", move_two)


def keep_the_chips_of_leavers(monkeypatch: pytest.MonkeyPatch) -> None:
    take = knobel.games.round_state.take_out

    def take_out(state: RoundState, seat: int) -> RoundState:
        return replace(take(state, seat), chips=state.chips, kitty=state.kitty)

    for module in (knobel.games.rounds, knobel.games.round_settlement, knobel.games.round_leaving):
        monkeypatch.setattr(module, "take_out", take_out)


def let_the_first_seat_win_roll_offs(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve = knobel.games.round_rolloff.resolve_rolloff
    monkeypatch.setattr(
        knobel.games.round_rolloff, "resolve_rolloff", lambda rules, state, kind, _: resolve(rules, state, kind, 0)
    )


def allow_every_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knobel.games.rounds, "refuse_stand", lambda *_: None)


# What is said, drawn and printed.


def call_everything_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Translator, "name_box", lambda *_: "box")
    monkeypatch.setattr(Translator, "find_term", lambda *_: "term")


def cite_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knobel.rules.leaflet, "cite_source", lambda *_: phrase("rules.source.common", passage=""))


def know_one_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knobel.cli.play.STARTS", dict.fromkeys(STARTS, "first"))


def start_with_the_same_seat_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "choose_start", lambda room: (room.first or 1, None))


def trust_every_lot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RecordVerifier, "check_lot", lambda *_: None)


def empty_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "read_page", lambda: "\n| TA-D1 | printed |\n")


def print_upright_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "measure_pad", lambda *_: (210.0, 297.0))


def mark_nothing_as_reconstructed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "read_golden", lambda _: [GOLDEN_CASE | {"reconstructed": False}])


CHANGES: tuple[Change, ...] = (
    call_everything_alike,
    cite_nothing,
    know_one_start,
    start_with_the_same_seat_again,
    trust_every_lot,
    empty_the_page,
    print_upright_only,
    mark_nothing_as_reconstructed,
    let_equal_totals_beat,
    let_the_opener_pay,
    pay_every_chip_twice,
    keep_the_chips_of_leavers,
    let_the_first_seat_win_roll_offs,
    allow_every_stand,
    *(change_rules({}, box) for box in BOXES),
    *(change_rules(change) for change in RULES),
)
