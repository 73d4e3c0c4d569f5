"""Win charts of a server: once for all who ask, with progress, in a thread; given up when nobody waits."""

import asyncio
from pathlib import Path
from random import Random
from threading import Event

import pytest

from knobel.coach.families import FAMILIES
from knobel.coach.win_chart import chart_wins
from knobel.errors import GameNotFinished
from knobel.host import win_charts
from knobel.host.coach_service import CoachService
from knobel.host.win_chance_service import WinChanceService
from knobel.host.win_charts import WinChartService
from knobel.rooms.intents import Sit
from tests.support.hosted_rooms import ANN, BEN, SHORT_GAME, HostedRoom, open_host, run_async


@pytest.mark.solve
@run_async
async def test_a_chart_is_worked_out_once_and_its_progress_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, SHORT_GAME, [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        table = await hosted.begin_game()
        service = WinChartService(CoachService(host), WinChanceService(host.solve_queue))
        with pytest.raises(GameNotFinished):
            await service.find_chart(table.header.game)
        await hosted.finish(Random(3))
        go_on, begun = Event(), list[int]()

        def chart_slowly(replay, progress, losses):  # type: ignore[no-untyped-def]
            begun.append(1)
            progress(0.25)
            go_on.wait()
            return chart_wins(replay, progress, losses)

        monkeypatch.setattr(win_charts, "ANSWER_SECONDS", 0.01)
        object.__setattr__(FAMILIES["sheet"], "chart_wins", chart_slowly)
        try:
            while (await service.find_chart(table.header.game))[2] != 0.25:
                await asyncio.sleep(0)
            go_on.set()
            while (found := (await service.find_chart(table.header.game))[1]) is None:
                await asyncio.sleep(0)
        finally:
            go_on.set()
            object.__setattr__(FAMILIES["sheet"], "chart_wins", chart_wins)
        assert found == chart_wins(table.replay)
        assert len(begun) == 1


@pytest.mark.solve
@run_async
async def test_a_chart_that_nobody_waits_for_is_given_up_and_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, SHORT_GAME, [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        table = await hosted.begin_game()
        await hosted.finish(Random(3))
        service = WinChartService(CoachService(host), WinChanceService(host.solve_queue))
        with monkeypatch.context() as impatient:
            impatient.setattr(win_charts, "PATIENCE_SECONDS", -1.0)
            for _ in range(3):
                assert (await service.find_chart(table.header.game))[1:] == (None, 0.0)
        while (found := (await service.find_chart(table.header.game))[1]) is None:
            pass
        assert found.turns
