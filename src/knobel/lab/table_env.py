"""A table of players as a PettingZoo environment: everybody decides in turn."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from knobel.errors import IllegalAction
from knobel.game import play
from knobel.lab.families import FAMILIES, rate_places
from knobel.lab.selection import open_game, select_rules
from knobel.lab.single_env import TEXT_MODE, Seen, build_observation_space, draw_position, roll_on, see
from knobel.library.selection import RulesLike
from knobel.phrase import phrase
from knobel.solver.batch_arrays import ILLEGAL_REWARD


class TableEnv(AECEnv[str, Seen, int]):
    """A game of several players; rolls that nobody chooses happen by themselves.

    Rewards come at the end, from 1 for the first place to -1 for the last; who ties shares the rates. An action that is
    not possible is refused by an error; `make_table_env` ends the game instead.
    """

    metadata = {"name": "knobel_table_v0", "render_modes": [TEXT_MODE], "render_fps": 1, "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        rules: RulesLike,
        players: int = 2,
        *,
        text: str | None = None,
        render_mode: str | None = None,
        **switches: str | bool,
    ) -> None:
        super().__init__()
        self.rules = select_rules(rules, text, switches)
        self.game = open_game(self.rules, players)
        self.encoding = FAMILIES[self.rules.family].encode(self.rules, players)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.observation_spaces = {agent: build_observation_space(self.encoding) for agent in self.possible_agents}
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(len(self.encoding.action_names)) for agent in self.possible_agents
        }
        self.render_mode = render_mode
        self.np_random, _ = seeding.np_random(None)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game; the first player starts."""
        if seed is not None:
            self.np_random, _ = seeding.np_random(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.state_of_game = roll_on(self.game, self.game.start(len(self.agents), 0), self.np_random)
        self.agent_selection = self.possible_agents[self.state_of_game.player]

    def observe(self, agent: str) -> Seen:
        seat, state = self.possible_agents.index(agent), self.state_of_game
        mask = self.encoding.mask(self.game, state)
        return see(self.encoding.observe(self.game, state, seat), mask if state.seat == seat else np.zeros_like(mask))

    def render(self) -> str | None:
        """Show the sheets and the dice as text, if it was made with `render_mode="ansi"`."""
        return draw_position(self.game, self.state_of_game) if self.render_mode == TEXT_MODE else None

    def step(self, action: int) -> None:
        """Carry out the action of the player whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        mask = self.encoding.mask(self.game, self.state_of_game)
        if not self.action_space(agent).contains(action) or not mask[action]:
            raise IllegalAction(why=phrase("rules.refusal.not_now"))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        move = self.encoding.decode(self.game, self.state_of_game, int(action))
        self.state_of_game = roll_on(self.game, play(self.game, self.state_of_game, move), self.np_random)
        if outcome := self.game.outcome(self.state_of_game):
            rates = rate_places(outcome, len(self.possible_agents))
            self.rewards = dict(zip(self.possible_agents, rates, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self.state_of_game.player]
        self._accumulate_rewards()


class EndingWrapper(wrappers.TerminateIllegalWrapper[str, Seen, int]):
    """Ends the game after an action that is not possible, numbers that are no action at all included."""

    def step(self, action: int) -> None:
        agent = self.agent_selection
        is_over = self.terminations[agent] or self.truncations[agent]
        if not is_over and not self.action_space(agent).contains(action):
            # The mask is asked for the action, and would take −1 for its last one.
            self._prev_obs, action = {"action_mask": [0]}, 0
        super().step(action)


def make_table_env(
    rules: RulesLike,
    players: int = 2,
    *,
    text: str | None = None,
    render_mode: str | None = None,
    **switches: str | bool,
) -> Any:
    """Make a table in PettingZoo's usual wrapping: what is not possible ends the game, and steps come in order."""
    table = TableEnv(rules, players, text=text, render_mode=render_mode, **switches)
    return wrappers.OrderEnforcingWrapper(EndingWrapper(table, ILLEGAL_REWARD))
