"""Whoever thinks longer about a move than the host allows counts as away; nothing is skipped, and acting is enough."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from knobel.host import move_clock
from knobel.host.late_moves import compute_seconds_left
from knobel.rooms.intents import ChangeSettings, ReturnToSeat, Sit, SitBot, SubstituteBot
from tests.support.hosted_rooms import ANN, BEN, SHORT_GAME, HostedRoom, open_host, run_async

TWO = ((ANN, Sit("Ann")), (BEN, Sit("Ben")))
HALF_A_MINUTE = replace(SHORT_GAME, move_seconds=30)


class FakeTime:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@run_async
async def test_a_late_player_counts_as_away_may_be_replaced_and_is_back_by_acting(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        clock = FakeTime()
        patch.setattr(move_clock, "time", clock)
        async with open_host(tmp_path) as host:
            hosted = await HostedRoom.open(host, HALF_A_MINUTE, TWO)
            table = await hosted.begin_game()
            late = int(table.state.player)
            other = BEN if late == 0 else ANN
            session = await hosted.session()
            assert compute_seconds_left(session) == 30
            clock.now += 29
            assert (await host.step(hosted.id), compute_seconds_left(session)) == (False, 1)
            clock.now += 1
            assert await host.step(hosted.id)
            assert table.replay.attendance.away == {late}
            assert (table.state.player, await host.step(hosted.id)) == (late, False)
            await hosted.play(most=1)
            assert table.replay.attendance.away == set()
            assert compute_seconds_left(session) == 30
            clock.now += 31
            while int(table.state.player) != late:
                await hosted.play(most=1)
                clock.now += 31
            assert await host.step(hosted.id)
            await hosted.execute(SubstituteBot(late, "random"), other)
            assert compute_seconds_left(session) is None
            assert await host.step(hosted.id)
            await hosted.execute(ReturnToSeat(late), ANN if late == 0 else BEN)


@pytest.mark.parametrize(
    ("settings", "seats"),
    [
        (SHORT_GAME, TWO),
        (replace(HALF_A_MINUTE, free=True), TWO),
        (HALF_A_MINUTE, ((ANN, Sit("Ann", real_dice=True)), (BEN, Sit("Ben", real_dice=True)))),
        (HALF_A_MINUTE, ((ANN, SitBot("random", "Bot")),)),
    ],
    ids=["no limit", "own pace", "real dice", "bots"],
)
@run_async
async def test_nobody_else_is_ever_late(
    tmp_path: Path, settings: ChangeSettings, seats: tuple[tuple[str, Sit | SitBot], ...]
) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, settings, seats)
        await hosted.begin_game()
        assert compute_seconds_left(await hosted.session()) is None


@run_async
async def test_another_limit_is_agreed_without_another_series(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, replace(SHORT_GAME, games=3), TWO)
        await hosted.begin_game()
        await hosted.finish()
        await hosted.execute(replace(SHORT_GAME, games=3, move_seconds=60))
        room = await hosted.room()
        assert (len(room.totals), room.settings.move_seconds) == (1, 60)
