"""What docs/rulings.md says that Knobel does, as checks: each id of the page has at least one."""

from collections.abc import Callable
from typing import TypeAlias

Check: TypeAlias = Callable[[], None]

CHECKS: dict[str, list[Check]] = {}
"""The checks of each ruling, by its id."""


def ruling(*ids: str) -> Callable[[Check], Check]:
    """Enter a check for these rulings."""

    def enter(check: Check) -> Check:
        for one in ids:
            CHECKS.setdefault(one, []).append(check)
        return check

    return enter
