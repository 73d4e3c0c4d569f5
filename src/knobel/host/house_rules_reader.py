"""Reads house rules in threads, so that nobody else waits meanwhile."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from knobel.rooms.intents import AnyIntent, ChangeSettings
from knobel.rooms.room import build_settings

MAX_READERS = 2
"""How many house-rule files are read at the same time; reading one takes a fraction of a second."""

P = ParamSpec("P")
T = TypeVar("T")


class HouseRulesReader:
    """Runs whatever reads a house-rule file in a thread, a few at a time."""

    def __init__(self) -> None:
        self.slots = asyncio.Semaphore(MAX_READERS)

    async def run(self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        async with self.slots:
            return await asyncio.to_thread(read, *args, **kwargs)

    async def read_intent(self, intent: AnyIntent) -> None:
        """Read the house rules of an intent; the rules package caches what was read."""
        if isinstance(intent, ChangeSettings) and intent.house_rules is not None:
            await self.run(build_settings, intent)
