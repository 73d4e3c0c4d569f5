"""The lab: environments for machines that learn to play, with exact values to measure them by.

Importing it registers an environment for every edition by its id:
`gymnasium.make("knobel/EDITION-v0")`. It needs the extra
`knobel[lab]`; `docs/lab.md` has examples.
"""

from knobel.extras import LAB, require_extra

require_extra(LAB)

from knobel.lab.action_values import ActionValues, open_oracle  # noqa: E402
from knobel.lab.batch_env import BatchEnv  # noqa: E402
from knobel.lab.registration import register_editions, register_environment  # noqa: E402
from knobel.lab.single_env import SinglePlayerEnv  # noqa: E402
from knobel.lab.table_env import TableEnv, make_table_env  # noqa: E402

ENVIRONMENTS = register_editions()
"""The ids of the environments of the printed editions."""

__all__ = [
    "ENVIRONMENTS",
    "ActionValues",
    "BatchEnv",
    "SinglePlayerEnv",
    "TableEnv",
    "make_table_env",
    "open_oracle",
    "register_environment",
]
