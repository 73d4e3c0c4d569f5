"""Whole games at the table on the screen, by keyboard and by mouse."""

from pathlib import Path
from random import Random

import pytest

from knobel.rooms.intents import ChangeSettings
from knobel.rules import edition_ids
from tests.support.hosted_rooms import run_async
from tests.support.selection import mostly_rest
from tests.support.terminal import open_terminal, play_by_keys


@pytest.mark.parametrize("edition", mostly_rest(edition_ids(), "carlit-chicago", "noris-yatzy"))
@run_async
async def test_a_whole_game_is_played_by_keyboard(tmp_path: Path, edition: str) -> None:
    async with open_terminal(tmp_path) as terminal:
        await terminal.play(ChangeSettings(edition, pace=0), seed="keys")
        await play_by_keys(terminal, Random(edition))
        lines = terminal.read_lines()
        assert any("1. " in line for line in lines)
