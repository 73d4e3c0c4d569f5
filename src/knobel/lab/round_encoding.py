"""A game of rounds and chips as numbers."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from knobel.dice import sort_dice
from knobel.game import Move, Roll, Stand
from knobel.games.round_state import AIMS, FOLLOW, RoundState
from knobel.games.rounds import RoundsGame
from knobel.lab.encoding import ActionMask, DiceActions, Observation, count_faces, name_by_seat
from knobel.rules.round_rules import RoundRules

STANDS: Sequence[str | None] = (None, *AIMS)
SEAT_NUMBERS = ("chips", "still_in", "opener", "to_move", "round_total")


class RoundEncoding:
    """The dice and the round come first, then every seat, the seat itself first."""

    def __init__(self, rules: RoundRules, players: int) -> None:
        self.rules = rules
        self.players = players
        self.keeps = DiceActions(rules.dice)

    @cached_property
    def action_names(self) -> tuple[str, ...]:
        return (*self.keeps.names, *(f"stand_{aim}" if aim else "stand" for aim in STANDS))

    @cached_property
    def observation_names(self) -> tuple[str, ...]:
        return (
            *(f"die_{place + 1}" for place in range(self.rules.dice)),
            *(f"showing_{face}" for face in range(1, self.rules.faces + 1)),
            *("rolls_left", "opener_stood", *(f"aim_{aim}" for aim in AIMS), "target", "kitty"),
            *name_by_seat(SEAT_NUMBERS, self.players),
        )

    @cached_property
    def observation_limits(self) -> Observation:
        rules = self.rules
        highest, chips = float(rules.dice * rules.faces), float(rules.chips)
        seat = [chips, 1.0, 1.0, 1.0, highest]
        dice = [*[float(rules.faces)] * rules.dice, *[float(rules.dice)] * rules.faces]
        return np.array([*dice, float(rules.rolls), 1.0, 1.0, 1.0, highest, chips, *seat * self.players], np.float32)

    def observe(self, game: RoundsGame, state: RoundState, seat: int) -> Observation:
        rules, is_on = self.rules, state.seat is not None
        totals = dict(state.totals)
        numbers = [
            *(sort_dice(state.dice) or (0,) * rules.dice),
            *count_faces(state.dice, rules.faces),
            game.max_rolls(state) - state.rolls_used if is_on else 0,
            is_on and state.phase == FOLLOW,
            *(state.aim == aim for aim in AIMS),
            state.target,
            state.kitty,
        ]
        for step in range(self.players):
            other = (seat + step) % self.players
            numbers += [
                state.chips[other],
                other in state.active,
                other == state.opener,
                is_on and other == state.player,
            ]
            numbers.append(totals.get(other, 0))
        return np.array(numbers, np.float32)

    def mask(self, game: RoundsGame, state: RoundState) -> ActionMask:
        mask = np.zeros(len(self.action_names), np.int8)
        for move in game.legal_moves(state):
            mask[self.encode(state, move)] = 1
        return mask

    def encode(self, state: RoundState, move: Move) -> int:
        """Find the action of a move."""
        match move:
            case Roll():
                return self.keeps.encode(state.dice, move)
            case Stand(aim):
                return self.keeps.count + STANDS.index(aim)
        raise TypeError(move)

    def decode(self, game: RoundsGame, state: RoundState, action: int) -> Move:
        if action < self.keeps.count:
            return self.keeps.decode(game, state, action)
        return Stand(STANDS[action - self.keeps.count])
