"""Prints the mistakes of the human bot in some games, each with the plan it is from, to be read; and counts odd ones.

python -m tests.human_errors                                    40 games of human:15, spread over all printed rulesets
python -m tests.human_errors --bot human:30 --games 60 --least 1  more games, only mistakes of a point or more
python -m tests.human_errors --top-down --summary                from top to bottom, only the figures
python -m tests.human_errors --text "tactic-xl-yatzy da"         the Danish game, where boxes are announced
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from statistics import fmean

from knobel.bots.levels import calibrate_level, draw_move
from knobel.coach.keeps import find_usable_faces, list_usable_boxes
from knobel.coach.plans import PlannedMove, list_planned_moves
from knobel.coach.sheet import open_coach
from knobel.coach.sheet_review import describe_sheet_move
from knobel.game import Land, Roll, Score, play
from knobel.games.sheet import SheetGame, SheetState, fill_top_down
from knobel.lang import Translator
from knobel.rules import load_edition
from knobel.rules.sheet_rules import SheetRules
from tests.support.printed_rulesets import list_printed_rulesets


@dataclass(frozen=True)
class HumanError:
    """A move that was not the best one, where it was made, and what was best."""

    game: SheetGame
    state: SheetState
    chosen: PlannedMove
    best: PlannedMove


def play_human_game(rules: SheetRules, level: int, random: Random) -> Iterator[HumanError]:
    """Play one game and give what was not best."""
    game, coach, care = SheetGame(rules, practice=True), open_coach(rules), calibrate_level(rules, level)
    state = game.start(1, 0)
    while state.seat is not None:
        if pending := game.pending_roll(state):
            state = game.apply(state, Land(tuple(random.randint(1, rules.faces) for _ in pending.positions)))
            continue
        moves = list_planned_moves(coach, game, state)
        chosen = draw_move(moves, care, random)
        if chosen.loss:
            yield HumanError(game, state, chosen, moves[0])
        state = play(game, state, chosen.move)


def list_oddities(error: HumanError) -> Iterator[str]:
    """List what nobody would do: keep a face no box can use, take a zero with rolls left where another box scores."""
    game, state, move = error.game, error.state, error.chosen.move
    if isinstance(move, Roll):
        boxes = list_usable_boxes(game.rules, state.column, state.announced)
        usable = find_usable_faces(boxes, game.rules.dice, game.rules.faces)
        if any(state.dice[place] not in usable for place in move.keep if place not in state.locked):
            yield "keeps a face no box can use"
    if isinstance(move, Score) and state.rolls_used < game.rules.rolls:
        options = game.list_options(state)
        if not options[move.box].points and any(one.points for one in options.values() if one.refusal is None):
            yield "zero with rolls left"
    if error.chosen.plan is None:
        yield "no plan"


def print_error(words: Translator, error: HumanError) -> None:
    """Print a mistake with its dice, its sheet and its plan."""
    state, rules = error.state, error.game.rules
    boxes = ", ".join(words.name_box(rules.boxes[place].id) for place in state.column.open_boxes)
    locked = f", locked {' '.join(str(state.dice[place]) for place in state.locked)}" if state.locked else ""
    announced = f", announced {words.name_box(state.announced)}" if state.announced else ""
    moves = [words.translate(describe_sheet_move(error.game, state, one.move)) for one in (error.chosen, error.best)]
    plan = words.translate(error.chosen.plan) if error.chosen.plan else "no plan"
    print(f"  {' '.join(map(str, state.dice))} (roll {state.rolls_used}{locked}{announced}; open: {boxes})")
    print(f"    -{error.chosen.loss:.2f} {moves[0]}; best: {moves[1]}: {plan}")


def main() -> None:
    """Play the games, print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bot", default="human:15")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--least", type=float, default=0.5, help="the least loss that is printed")
    parser.add_argument("--top-down", action="store_true")
    parser.add_argument(
        "--text", default="", help="only rulesets of texts whose names begin so, as in tactic-xl-yatzy da"
    )
    parser.add_argument("--summary", action="store_true")
    given = parser.parse_args()
    level = int(given.bot.partition(":")[2])
    rulesets = [(one.rules, one.texts[0]) for one in list_printed_rulesets() if isinstance(one.rules, SheetRules)]
    rulesets = [(rules, text) for rules, text in rulesets if text.startswith(given.text)]
    plans, oddities, lost = Counter[str](), Counter[str](), []
    for number in range(given.games):
        rules, text = rulesets[number % len(rulesets)]
        rules = fill_top_down(rules) if given.top_down else rules
        words = Translator("en", load_edition(text.split()[0]))
        errors = list(play_human_game(rules, level, Random(number)))
        lost.append(sum(one.chosen.loss for one in errors))
        if not given.summary:
            print(f"{text}, game {number + 1}: lost {lost[-1]:.1f}")
        for one in errors:
            plans[one.chosen.plan.key.rpartition(".")[2] if one.chosen.plan else "none"] += 1
            oddities.update(list_oddities(one))
            if one.chosen.loss >= given.least and not given.summary:
                print_error(words, one)
    print(f"lost {fmean(lost):.1f} a game; plans: {dict(plans)}; oddities: {dict(oddities)}")


if __name__ == "__main__":
    main()
