"""The clairvoyant: the best total of known dice, against every way to play them."""

from functools import cache
from random import Random

import pytest

from knobel.game import Land
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules import load_edition
from knobel.rules.column import Column, empty_column, list_options, tally
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.known_dice import find_best_total, list_reachable_hands
from knobel.solver.tables import build_tables
from tests.coach.test_review import short
from tests.support.house_rules import EXAMPLES
from tests.support.rulesets import REPRESENTATIVE, list_rulesets
from tests.support.selection import mostly_rest

RULESETS = tuple(name for name in (*REPRESENTATIVE, "noris-yatzy de") if not name.startswith("philos"))
"""One of each kind, but not the one whose reachable sheets take long to walk through."""


def draw_turns(rules: SheetRules, random: Random) -> list[list[list[int]]]:
    """Draw what each die shows in each roll of each turn; few faces, so that dice all alike come up."""
    faces = random.sample(range(1, rules.faces + 1), min(rules.faces, random.choice((2, 3))))
    return [
        [[random.choice(faces) for _ in range(rules.dice)] for _ in range(rules.rolls)] for _ in range(len(rules.boxes))
    ]


def walk_all_ways(rules: SheetRules, turns: list[list[list[int]]]) -> int:
    """Find the best total by asking the rules about every hand and every box of every turn."""

    @cache
    def best_from(column: Column, turn: int) -> int:
        if column.is_full:
            return tally(rules, column).total
        names = [rules.boxes[place].id for place in column.open_boxes] if rules.order == "announced" else [None]
        found = []
        for announced in names:
            for hand in list_reachable_hands(turns[turn]):
                for place, (_, option) in enumerate(list_options(rules, column, hand, announced).items()):
                    if option.refusal is None:
                        entries = tuple(
                            option.points if here == place else old for here, old in enumerate(column.entries)
                        )
                        after = Column(entries, column.extra + option.extra, column.yatzys + (hand[0] == hand[-1]))
                        found.append(best_from(after, turn + 1))
        return max(found)

    return best_from(empty_column(rules), 0)


@pytest.mark.parametrize("name", mostly_rest(RULESETS, "mb-yahtzee fr", "tactic-xl-yatzy da", "noris-yatzy de"))
def test_the_clairvoyant_finds_the_best_of_all_ways(name: str) -> None:
    rules, random = short(list_rulesets()[name]), Random(name)
    for _ in range(2):
        turns = draw_turns(rules, random)
        assert find_best_total(build_tables(rules), turns) == walk_all_ways(rules, turns)


def test_every_hand_that_keeping_can_lead_to_is_reachable() -> None:
    rolls, seen = [(1, 2), (3, 4), (5, 6)], set[tuple[int, ...]]()
    game = SheetGame(load_edition(str(EXAMPLES / "two-dice.toml")).rules(), practice=True)

    def walk(state: SheetState, used: int) -> None:
        for move in game.legal_moves(state):
            after = game.apply(state, move)
            if pending := game.pending_roll(after):
                landed = game.apply(after, Land(tuple(rolls[used][place] for place in pending.positions)))
                seen.add(landed.hand)
                walk(landed, used + 1)

    walk(game.start(1, 0), 0)
    assert seen == list_reachable_hands(rolls[: game.rules.rolls])
