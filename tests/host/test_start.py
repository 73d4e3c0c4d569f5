"""Who starts: the first seat, the seat that lots give, or the highest roll, in every game that is opened."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from knobel.errors import IllegalAction
from knobel.game import CHANCE
from knobel.host.continuation import continue_game
from knobel.record.events import Drawn
from knobel.record.verify import verify
from knobel.rooms.intents import Act, BeginGame, ChangeSettings, Sit, SitBot, Start, StartWithout
from knobel.table import Table
from tests.support.hosted_rooms import ANN, BEN, SHORT_GAME, HostedRoom, open_host, run_async

THREE = ((ANN, Sit("Ann")), (BEN, Sit("Ben")), (ANN, SitBot("greedy", "Bot")))
REAL = ((ANN, Sit("Ann", real_dice=True)), (ANN, Sit("Ben", real_dice=True)))


def find_lots(table: Table) -> list[int]:
    return [event.seat for event in table.events if isinstance(event, Drawn)]


@pytest.mark.parametrize(
    ("edition", "start", "first", "rolls_off", "lots"),
    [
        ("tactic-xl-yatzy", None, None, False, 0),
        ("tactic-xl-yatzy", "first", 0, False, 0),
        ("tactic-xl-yatzy", "random", None, False, 1),
        ("tactic-xl-yatzy", "roll_off", None, True, 0),
        ("philos-yatzi", "roll_off", None, True, 0),
        ("mb-yahtzee", None, None, True, 0),
        ("mb-yahtzee", "first", 0, False, 0),
        ("mb-yahtzee", "random", None, False, 1),
        ("mb-yahtzee", "roll_off", None, True, 0),
        ("carlit-chicago", None, None, True, 0),
        ("carlit-chicago", "first", 0, False, 0),
        ("carlit-chicago", "random", None, False, 1),
    ],
)
@run_async
async def test_a_table_begins_as_it_agreed(
    tmp_path: Path, edition: str, start: Start | None, first: int | None, rolls_off: bool, lots: int
) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, ChangeSettings(edition, start=start), THREE)
        table = await hosted.begin_game()
        assert table.header.first == first
        assert (table.state.rolloff is not None) == rolls_off
        assert len(find_lots(table)) == lots
        if lots:
            assert table.state.player == table.replay.drawn == find_lots(table)[0]


@pytest.mark.parametrize("start", ["random", "roll_off"])
@run_async
async def test_a_game_that_was_drawn_or_rolled_for_is_played_kept_and_verified(tmp_path: Path, start: Start) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, replace(SHORT_GAME, start=start, games=2), THREE)
        table = await hosted.begin_game()
        await hosted.play(Random(1), most=4)
    async with open_host(tmp_path) as host:
        hosted = await hosted.reopen_at(host)
        assert (await hosted.table()).record == table.record
        await hosted.finish(Random(2))
        verdict = verify(await hosted.export_record(), "")
        assert verdict.is_verified
        assert (verdict.drawn is not None) == (start == "random")
        first = (await hosted.room()).first
        assert first is not None
        following = await hosted.begin_game()
        assert following.header.first == following.state.player == (first + 1) % 3
        assert find_lots(following) == []


@run_async
async def test_lots_are_drawn_with_the_last_seed_and_nothing_is_played_before(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, replace(SHORT_GAME, start="random"), THREE)
        await hosted.seal_seeds(ANN, BEN)
        await hosted.execute(BeginGame())
        await hosted.reveal_seeds(BEN)
        assert find_lots(await hosted.table()) == []
        await hosted.assert_refused(IllegalAction, Act(0, 0, ".."))
        await hosted.reveal_seeds(ANN)
        table = await hosted.table()
        assert find_lots(table) == [table.state.player]


@run_async
async def test_lots_are_drawn_without_a_seed_that_does_not_come(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, replace(SHORT_GAME, start="random"), THREE)
        await hosted.seal_seeds(ANN, BEN)
        await hosted.execute(BeginGame())
        await hosted.reveal_seeds(ANN)
        await hosted.execute(StartWithout(1))
        assert len(find_lots(await hosted.table())) == 1
        await hosted.finish()
        assert verify(await hosted.export_record(), "").is_verified


@pytest.mark.parametrize("seed", [None, "evening"])
@run_async
async def test_lots_are_drawn_at_once_where_nobody_sealed_a_seed(tmp_path: Path, seed: str | None) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, replace(SHORT_GAME, start="random"), THREE, seed)
        await hosted.execute(BeginGame(anyway=True))
        lots = find_lots(await hosted.table())
        assert len(lots) == 1
    async with open_host(tmp_path) as host:
        hosted = await hosted.reopen_at(host)
        assert find_lots(await hosted.table()) == lots
        await hosted.finish()
        assert verify(await hosted.export_record(), "").is_verified


@run_async
async def test_alone_nobody_draws_or_rolls(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        for start in ("random", "roll_off"):
            hosted = await HostedRoom.open(host, replace(SHORT_GAME, start=start), ((ANN, Sit("Ann")),))
            table = await hosted.begin_game()
            assert (find_lots(table), table.state.rolloff, table.state.seat) == ([], None, 0)


@run_async
async def test_on_a_pad_with_real_dice_lots_are_drawn_and_a_roll_off_is_entered(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        pad = ChangeSettings("noris-yatzy", free=True, start="random")
        table = await (await HostedRoom.open(host, pad, REAL)).begin_game()
        assert find_lots(table) == [table.replay.drawn]
        assert [track.state.seat for track in table.replay.tracks] == [0, 0]
        hosted = await HostedRoom.open(host, replace(pad, free=False, start="roll_off"), REAL)
        await hosted.begin_game()
        await hosted.act(0, "=11223")
        await hosted.act(1, "=11224")
        state = await hosted.state()
        assert (state.rolloff, state.seat) == (None, 1)
        at_own_pace = await HostedRoom.open(host, replace(pad, start="roll_off"), REAL)
        assert (await at_own_pace.begin_game()).state.rolloff is None


@pytest.mark.parametrize("start", ["random", "roll_off"])
@run_async
async def test_a_game_goes_on_from_a_position_of_one_that_was_drawn_or_rolled_for(tmp_path: Path, start: Start) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, replace(SHORT_GAME, start=start), THREE)
        await hosted.begin_game()
        played = await hosted.finish(Random(3))
        event = next(
            number for number, step in enumerate(played.replay.steps) if number > 12 and step.after.seat != CHANCE
        )
        game, at = played.header.game, played.replay.steps[event].number
        room = await continue_game(host, ANN, "on", game, at, 0, "greedy")
        continued = HostedRoom(host, room.id)
        table = await continued.begin_game()
        assert table.state == played.replay.steps[event].after
        assert find_lots(table) == []
