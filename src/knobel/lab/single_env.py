"""One player's view of a game as a Gymnasium environment: alone, or against bots."""

from random import Random
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces

from knobel.bots import Bot, load_bot
from knobel.game import Game, Land, Roll
from knobel.lab.encoding import ActionMask, Encoding, Observation
from knobel.lab.families import FAMILIES, name_opponents, rate_places
from knobel.lab.selection import open_game, select_rules
from knobel.library.board import BoardPosition
from knobel.library.selection import RulesLike
from knobel.rules.fields import check_type
from knobel.solver.batch_arrays import ILLEGAL_REWARD

Seen: TypeAlias = dict[str, Any]
OWN_SEAT = 0
TEXT_MODE = "ansi"
"""What Gymnasium calls a picture made of text."""


def build_observation_space(encoding: Encoding) -> spaces.Dict:
    """Say what an environment shows: the observation, and a 1 for every action that is possible."""
    limits = encoding.observation_limits
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros_like(limits), limits, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (len(encoding.action_names),), np.int8),
        }
    )


def see(observation: Observation, mask: ActionMask) -> Seen:
    return {"observation": observation, "action_mask": mask}


def draw_position(game: Game[Any], state: Any) -> str:
    """Draw a position as text, as a board of the library shows itself."""
    return str(BoardPosition(game, state))


def is_forced_roll(game: Game[Any], state: Any) -> bool:
    """Tell whether rolling all dice is all there is to do."""
    return not state.dice and all(isinstance(move, Roll) for move in game.legal_moves(state))


def roll_on(game: Game[Any], state: Any, random: np.random.Generator) -> Any:
    """Let dice land and forced rolls happen, until somebody has to decide or the game is over."""
    while state.seat is not None:
        if pending := game.pending_roll(state):
            faces = random.integers(1, game.rules.faces, len(pending.positions), endpoint=True)
            state = game.apply(state, Land(tuple(map(int, faces))))
        elif is_forced_roll(game, state):
            state = game.apply(state, Roll())
        else:
            break
    return state


class SinglePlayerEnv(gymnasium.Env[Seen, np.int64]):
    """A game in which you make every decision of the first seat; rolls that nobody chooses happen by themselves.

    A score sheet is played alone, and its rewards are points: they add up to the final total. Against opponents, which
    are bots by name, the only reward comes at the end, from 1 for the first place to -1 for the last. An action that is
    not possible changes nothing and costs 1. After the end, `step` raises `ResetNeeded`. With
    `oracle`, the info of a step has the exact `loss` of its action.
    """

    metadata = {"render_modes": [TEXT_MODE], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        rules: RulesLike,
        *,
        text: str | None = None,
        opponents: tuple[str, ...] | list[str] | None = None,
        oracle: bool = False,
        render_mode: str | None = None,
        **switches: str | bool,
    ) -> None:
        self.rules = select_rules(rules, text, switches)
        self.family = FAMILIES[self.rules.family]
        names = name_opponents(opponents, self.rules.family)
        self.bots: list[Bot] = [load_bot(name, self.rules.family) for name in names]
        self.players = len(self.bots) + 1
        self.game = open_game(self.rules, self.players)
        self.encoding = self.family.encode(self.rules, self.players)
        self.observation_space = build_observation_space(self.encoding)
        self.action_space = spaces.Discrete(len(self.encoding.action_names))
        check_type("oracle", oracle, bool)
        self.find_losses = self.family.open_losses(self.rules) if oracle else None
        self.render_mode = render_mode
        self.state: Any = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin a game."""
        super().reset(seed=seed, options=options)
        self.random = Random(int(self.np_random.integers(1 << 62)))  # noqa: S311
        self.state = self.continue_to_decision(self.game.start(self.players, OWN_SEAT))
        return self.look(), {}

    def step(self, action: np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Carry out an action, then whatever nobody of this seat decides."""
        if self.state is None or self.state.seat is None:
            raise gymnasium.error.ResetNeeded("reset()")
        if not self.action_space.contains(action) or not self.action_masks()[action]:
            return self.look(), ILLEGAL_REWARD, False, False, {"illegal": True}
        move = self.encoding.decode(self.game, self.state, int(action))
        info = {} if self.find_losses is None else {"loss": self.find_losses(self.game, self.state)[move]}
        before = self.count_points()
        self.state = self.continue_to_decision(self.game.apply(self.state, move))
        is_over = self.state.seat is None
        reward = float(self.count_points() - before) + (self.rate_place() if is_over else 0.0)
        return self.look(), reward, is_over, False, info

    def render(self) -> str | None:
        """Show the sheets and the dice as text, if it was made with `render_mode="ansi"`."""
        return draw_position(self.game, self.state) if self.render_mode == TEXT_MODE else None

    def look(self) -> Seen:
        return see(self.encoding.observe(self.game, self.state, OWN_SEAT), self.action_masks())

    def action_masks(self) -> ActionMask:
        """Mark the possible actions; libraries that learn with masks ask for them by this name."""
        return self.encoding.mask(self.game, self.state)

    def continue_to_decision(self, state: Any) -> Any:
        """Let dice land, forced rolls happen and opponents play, until this seat has to decide or the game is over."""
        state = roll_on(self.game, state, self.np_random)
        while state.seat is not None and state.player != OWN_SEAT:
            move = self.bots[state.player - 1](self.game, state, self.random)
            state = roll_on(self.game, self.game.apply(state, move), self.np_random)
        return state

    def count_points(self) -> int:
        """Count the points where they are the reward."""
        count = None if self.bots else self.family.count_points
        return 0 if count is None else count(self.game, self.state, OWN_SEAT)

    def rate_place(self) -> float:
        """Rate the place at the end, where it is the reward."""
        outcome = self.game.outcome(self.state)
        return rate_places(outcome, self.players)[OWN_SEAT] if outcome and self.bots else 0.0
