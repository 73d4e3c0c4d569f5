"""Many games at once as a vectorised Gymnasium environment, stepped by compiled code."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from knobel.errors import WrongArgument
from knobel.lab.families import FAMILIES, name_opponents
from knobel.lab.selection import open_game, select_rules
from knobel.lab.single_env import Seen, build_observation_space, see
from knobel.library.selection import RulesLike
from knobel.rules.fields import abbreviate, check_number
from knobel.solver.arrays import Ints
from knobel.solver.batch_arrays import BatchView

MAX_GAMES = 1 << 24
"""More than fit into the memory of usual machines."""


class BatchEnv(VectorEnv[Seen, Any, Any]):
    """As many games as you like, each as in `SinglePlayerEnv`: a score sheet alone, a game of rounds against `greedy`.

    A game that is over begins anew with the next step, whatever its action. A seed gives the same dice on any number of
    processors.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        rules: RulesLike,
        num_envs: int = 1,
        *,
        text: str | None = None,
        opponents: tuple[str, ...] | list[str] | None = None,
        render_mode: None = None,
        **switches: str | bool,
    ) -> None:
        check_number("num_envs", num_envs, 1, MAX_GAMES)
        self.rules = select_rules(rules, text, switches)
        family, names = FAMILIES[self.rules.family], name_opponents(opponents, self.rules.family)
        open_game(self.rules, len(names) + 1)
        self.encoding = family.encode(self.rules, len(names) + 1)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = build_observation_space(self.encoding)
        self.single_action_space = spaces.Discrete(len(self.encoding.action_names))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.batch = family.open_batch(self.rules, num_envs, names)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin every game anew."""
        super().reset(seed=seed, options=options)
        drawn = int(self.np_random.integers(1 << 62)) if seed is not None or not self.is_seeded else None
        self.is_seeded = True
        return self.look(self.batch.reset(drawn)), {}

    is_seeded = False

    def step(self, actions: Any) -> tuple[Seen, Any, Any, Any, dict[str, Any]]:
        """Carry out an action in every game."""
        view = self.batch.step(self.check_actions(actions))
        is_over = self.batch.is_over
        info = {"illegal": view.is_illegal.copy()} if view.is_illegal.any() else {}
        return self.look(view), view.rewards.copy(), is_over, np.zeros(self.num_envs, np.bool_), info

    def check_actions(self, actions: Any) -> Ints:
        """Refuse what is not a whole number for every game."""
        try:
            found = np.asarray(actions)
        except ValueError:
            found = np.empty(0)
        if found.shape != (self.num_envs,) or found.dtype.kind not in "iu":
            raise WrongArgument(name="actions", wanted=f"{self.num_envs} × int", value=abbreviate(repr(actions)))
        return found

    def look(self, view: BatchView) -> Seen:
        """Give what is seen, as arrays of their own."""
        rows = self.num_envs
        return see(view.observations.reshape(rows, -1).copy(), view.action_masks.reshape(rows, -1).copy())

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ARG002
        self.batch.close()
