"""Drops the moves of games that ended long ago, where whoever runs the server wants that; their results stay."""

import logging

from knobel.host.archive import CLOCK_TOLERANCE, DAY_SECONDS, MAX_DAYS_OFF
from knobel.store import DropMoves, Store

LOG = logging.getLogger("knobel")
BATCH_GAMES = 100
"""How many games lose their moves in one commit: others want to write, too."""


async def has_plausible_clock(store: Store, now: float) -> bool:
    """Tell whether the clock went on from the last upkeep as clocks do; one that jumped drops nothing."""
    last = await store.find_upkeep()
    return last is None or -CLOCK_TOLERANCE <= now - last <= MAX_DAYS_OFF * DAY_SECONDS


async def drop_old_moves(store: Store, now: float, keep_days: int) -> int:
    """Drop the moves of games that ended so many days ago and whose room is gone; count them."""
    dropped = 0
    while games := await store.list_old_games(now - keep_days * DAY_SECONDS, BATCH_GAMES):
        await store.commit(*map(DropMoves, games))
        dropped += len(games)
    if dropped:
        LOG.info("dropped %d", dropped, extra={"knobel_fields": {"event": "dropped", "games": dropped}})
    return dropped
