"""The names of the environments in Gymnasium's registry: one for each edition, and for house rules by their own."""

import gymnasium

from knobel.library.selection import RulesLike, edition, editions, resolve_rules
from knobel.rules.fields import check_type

NAMESPACE, VERSION = "knobel", 0
SINGLE_ENTRY, BATCH_ENTRY = "knobel.lab.single_env:SinglePlayerEnv", "knobel.lab.batch_env:BatchEnv"


def register_environment(name: str, rules: RulesLike) -> str:
    """Register an environment for some rules, such as a house-rule file; give its id."""
    check_type("name", name, str)
    found = f"{NAMESPACE}/{name}-v{VERSION}"
    resolve_rules(rules)
    gymnasium.register(
        found,
        entry_point=SINGLE_ENTRY,
        vector_entry_point=BATCH_ENTRY,
        kwargs={"rules": rules},
    )
    return found


def register_editions() -> tuple[str, ...]:
    """Register every printed edition by its id."""
    return tuple(register_environment(one.id, edition(one.id)) for one in editions())
