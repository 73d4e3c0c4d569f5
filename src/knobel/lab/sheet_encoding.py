"""A score-sheet game as numbers; `solver/batch_kernel.py` writes the same for many games at once."""

from functools import cached_property

import numpy as np

from knobel.dice import sort_dice
from knobel.game import Announce, Move, Roll, Score
from knobel.games.sheet import SheetGame, SheetState
from knobel.lab.encoding import ActionMask, DiceActions, Observation, count_faces, name_by_seat
from knobel.rules.column import Column, tally
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.position import encode_column
from knobel.solver.tables import Tables, build_tables


class SheetEncoding:
    """The dice and what they would score come first, then every column, that of the seat itself first."""

    def __init__(self, rules: SheetRules, players: int = 1) -> None:
        self.rules = rules
        self.players = players
        self.boxes = tuple(box.id for box in rules.boxes)
        self.is_announcing = rules.order == "announced"
        self.keeps = DiceActions(rules.dice)

    @cached_property
    def tables(self) -> Tables:
        return build_tables(self.rules)

    @cached_property
    def action_names(self) -> tuple[str, ...]:
        announced = tuple(f"announce_{box}" for box in self.boxes) if self.is_announcing else ()
        return (*self.keeps.names, *(f"score_{box}" for box in self.boxes), *announced)

    @cached_property
    def observation_names(self) -> tuple[str, ...]:
        faces = range(1, self.rules.faces + 1)
        column = (
            *(f"{box}.used" for box in self.boxes),
            *(f"{box}.points" for box in self.boxes),
            *("upper_total", "points", "yatzy_scored", "yatzy_rolled"),
        )
        return (
            *(f"die_{place + 1}" for place in range(self.rules.dice)),
            *(f"showing_{face}" for face in faces),
            *(f"locked_{face}" for face in (faces if self.rules.locked_dice else ())),
            "rolls_left",
            *(f"{box}.announced" for box in (self.boxes if self.is_announcing else ())),
            *(f"{box}.now" for box in self.boxes),
            *name_by_seat(column, self.players),
        )

    @cached_property
    def observation_limits(self) -> Observation:
        """How large each number can be; a prime may come on top of any box, a bonus on top of a column."""
        rules, boxes = self.rules, len(self.boxes)
        highest = float(self.tables.worth.max() + self.tables.extra.max())
        column = [*[1.0] * boxes, *[highest] * boxes, max(float(self.tables.upper_cap), 1.0)]
        column += [highest * boxes + self.tables.bonus, 1.0, 1.0]
        counts = [float(rules.dice)] * rules.faces
        return np.array(
            [
                *[float(rules.faces)] * rules.dice,
                *counts * (2 if rules.locked_dice else 1),
                float(rules.rolls),
                *[1.0] * (boxes if self.is_announcing else 0),
                *[highest] * boxes,
                *column * self.players,
            ],
            np.float32,
        )

    def observe(self, game: SheetGame, state: SheetState, seat: int) -> Observation:
        rules, is_on = self.rules, state.seat is not None
        rolls_left = rules.rolls - state.rolls_used if is_on else 0
        locked = tuple(state.dice[place] for place in state.locked)
        options = game.list_options(state) if state.dice else {}
        now = {box: one.points + one.extra for box, one in options.items() if one.refusal is None}
        numbers = [
            *(sort_dice(state.dice) or (0,) * rules.dice),
            *count_faces(state.dice, rules.faces),
            *(count_faces(locked, rules.faces) if rules.locked_dice else ()),
            rolls_left,
            *(box == state.announced for box in (self.boxes if self.is_announcing else ())),
            *(now.get(box, 0) for box in self.boxes),
        ]
        for step in range(self.players):
            numbers += self.describe_column(state.columns[(seat + step) % self.players])
        return np.array(numbers, np.float32)

    def describe_column(self, column: Column) -> list[int]:
        """Write down a column: what is used, with how many points, and its sums; the bonus counts at the end."""
        key, sums = encode_column(self.tables, column), tally(self.rules, column)
        offer, points = self.tables.offer, sums.total if column.is_full else sums.total - sums.bonus
        return [
            *(one is not None for one in column.entries),
            *(one or 0 for one in column.entries),
            *(
                key.upper_total,
                points,
                key.flag_state & offer.scored_flag != 0,
                key.flag_state & offer.rolled_flag != 0,
            ),
        ]

    def mask(self, game: SheetGame, state: SheetState) -> ActionMask:
        mask = np.zeros(len(self.action_names), np.int8)
        for move in game.legal_moves(state):
            mask[self.encode(state, move)] = 1
        return mask

    def encode(self, state: SheetState, move: Move) -> int:
        """Find the action of a move."""
        match move:
            case Roll():
                return self.keeps.encode(state.dice, move)
            case Score(box):
                return self.keeps.count + self.rules.index[box]
            case Announce(box):
                return self.keeps.count + len(self.boxes) + self.rules.index[box]
        raise TypeError(move)

    def decode(self, game: SheetGame, state: SheetState, action: int) -> Move:
        boxes = len(self.boxes)
        if action < self.keeps.count:
            return self.keeps.decode(game, state, action)
        box = self.boxes[(action - self.keeps.count) % boxes]
        return Score(box) if action < self.keeps.count + boxes else Announce(box)
