"""The record chase: whose best counts, the chance to beat it against every way the dice may fall, ten best games."""

from itertools import product
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from knobel.coach.record_chase import compute_chance_to_beat
from knobel.game import Land, Roll, Score, play
from knobel.games.sheet import SheetGame, SheetState
from knobel.host.record_chase import (
    BEST_COUNT,
    can_tell_chance,
    compute_chance,
    compute_ready_chance,
    find_record_chase,
    list_points_lost,
)
from knobel.rooms.intents import ChangeSettings, Sit, SitBot
from knobel.rules import read_house_rules
from knobel.store.people import PutReview
from tests.support.hosted_rooms import ANN, BEN, HOUSE_RULES, SHORT_GAME, HostedRoom, open_host, run_async

ALONE = ((ANN, Sit("Ann")),)


async def play_alone(host: object, games: int, settle: ChangeSettings = SHORT_GAME) -> tuple[HostedRoom, list[int]]:
    """Play some games alone, each a series of its own, and give the totals."""
    hosted = await HostedRoom.open(host, settle, ALONE)  # type: ignore[arg-type]
    totals = []
    for number in range(games):
        table = await hosted.begin_game()
        await hosted.finish(Random(number))
        assert table.replay.outcome is not None
        totals.append(table.replay.outcome.totals[0])
    return hosted, totals


@run_async
async def test_the_best_is_that_of_the_same_person_by_the_same_rules(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted, totals = await play_alone(host, 3)
        table = await hosted.begin_game()
        chase = await find_record_chase(host.store, await hosted.room(), table)
        assert chase is not None
        assert (chase.record, chase.total, chase.is_beaten) == (max(totals), None, False)
        assert [one.total for one in chase.best] == sorted(totals, reverse=True)
        other = await HostedRoom.open(host, replace(SHORT_GAME, games=2), ((BEN, Sit("Ann")),))
        table = await other.begin_game()
        chase = await find_record_chase(host.store, await other.room(), table)
        assert chase is not None
        assert (chase.record, chase.best) == (None, ()), "somebody else of that name, on another device"
        looser = replace(SHORT_GAME, switches={"order": "top_down"})
        other = await HostedRoom.open(host, looser, ALONE)
        table = await other.begin_game()
        chase = await find_record_chase(host.store, await other.room(), table)
        assert chase is not None
        assert chase.record is None, "other rules"


@run_async
async def test_at_the_end_the_game_itself_is_among_the_ten_best_and_does_not_beat_itself(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted, totals = await play_alone(host, BEST_COUNT + 2)
        session = await hosted.session()
        assert session.table is not None
        chase = await find_record_chase(host.store, session.room, session.table)
        assert chase is not None
        assert [one.total for one in chase.best] == sorted(totals, reverse=True)[:BEST_COUNT]
        assert (chase.total, chase.record) == (totals[-1], max(totals[:-1]))
        assert chase.is_beaten == (totals[-1] > max(totals[:-1]))


@pytest.mark.parametrize(
    ("settle", "seats"),
    [
        (SHORT_GAME, (*ALONE, (BEN, Sit("Ben")))),
        (SHORT_GAME, ((ANN, SitBot("greedy", "Bot")),)),
        (ChangeSettings("carlit-chicago"), (*ALONE, (BEN, Sit("Ben")))),
    ],
)
@run_async
async def test_there_is_no_chase_with_others_for_bots_or_without_points(
    settle: ChangeSettings, seats: tuple[tuple[str, Sit | SitBot], ...], tmp_path: Path
) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, settle, seats)
        table = await hosted.begin_game()
        assert await find_record_chase(host.store, await hosted.room(), table) is None


@run_async
async def test_the_chance_is_told_only_when_the_last_entry_can_no_longer_be_undone(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, SHORT_GAME, ALONE)
        table = await hosted.begin_game()
        told = []
        while table.state.seat is not None:
            undoable = table.replay.find_last_undoable() is not None
            told.append((can_tell_chance(table), undoable, await compute_chance(host, table, 0) is not None))
            await hosted.play_move(Random(1))
        assert told[0] == (True, False, True)
        assert all(can != undoable for can, undoable, _ in told)
        assert all(can == computed for can, _, computed in told)
        assert compute_ready_chance(table, 0) is None, "it is over"


def play_to_last_choice(game: SheetGame) -> SheetState:
    """Fill all boxes but one with the same dice, and leave one roll to do."""
    state = game.start(1, 0)
    while True:
        last = len(state.column.open_boxes) == 1
        for _ in range(game.rules.rolls - 1 if last else 1):
            state = play(game, play(game, state, Roll(())), Land((2, 3)))
        if last:
            return state
        box = next(box for box, option in game.list_options(state).items() if option.refusal is None)
        state = play(game, state, Score(box))


def play_to_last_roll(game: SheetGame) -> SheetState:
    """Roll all dice for the last time."""
    return play(game, play_to_last_choice(game), Roll(()))


def beats(game: SheetGame, state: SheetState, record: int) -> bool:
    """Tell whether the dice as they lie can still be scored for more than a record."""
    entries = [box for box, option in game.list_options(state).items() if option.refusal is None]
    return max(game.tally(play(game, state, Score(box)), 0).total for box in entries) > record


@pytest.mark.parametrize("more", [0, 3, 5, 6, 9, 11])
def test_the_greatest_chance_is_that_of_the_best_dice_to_keep(more: int) -> None:
    game = SheetGame(read_house_rules(HOUSE_RULES.encode(), "two-dice").rules())
    state = play_to_last_choice(game)
    record = game.tally(state, 0).total + more
    chances = [float(beats(game, state, record))]
    for keep in ((), (0,), (1,)):
        rolls = list(product(range(1, game.rules.faces + 1), repeat=2 - len(keep)))
        landed = [play(game, play(game, state, Roll(keep)), Land(dice)) for dice in rolls]
        chances.append(sum(beats(game, one, record) for one in landed) / len(rolls))
    found = compute_chance_to_beat(game, state, 0, record)
    assert found.greatest is not None
    assert found.greatest == pytest.approx(max(chances))
    assert found.chance <= found.greatest
    assert compute_chance_to_beat(game, play(game, state, Roll(())), 0, record).greatest is None, "nothing to choose"


@pytest.mark.parametrize("more", [0, 3, 5, 9])
def test_the_chance_of_a_last_roll_is_that_of_all_ways_it_may_fall(more: int) -> None:
    game = SheetGame(read_house_rules(HOUSE_RULES.encode(), "two-dice").rules())
    state = play_to_last_roll(game)
    record = game.tally(state, 0).total + more
    beaten = 0
    for dice in product(range(1, game.rules.faces + 1), repeat=2):
        beaten += beats(game, play(game, state, Land(dice)), record)
    found = compute_chance_to_beat(game, state, 0, record)
    assert found.is_exact
    assert found.chance == pytest.approx(beaten / game.rules.faces**2)


def test_what_is_scored_already_is_certain_and_what_no_dice_give_impossible() -> None:
    game = SheetGame(read_house_rules(HOUSE_RULES.encode(), "two-dice").rules())
    state = play_to_last_roll(game)
    assert compute_chance_to_beat(game, state, 0, game.tally(state, 0).total - 1).chance == pytest.approx(1.0)
    assert compute_chance_to_beat(game, state, 0, 10_000).chance == 0.0
    before = play_to_last_choice(game)
    assert not compute_chance_to_beat(game, before, 0, 10_000).is_possible
    assert compute_chance_to_beat(game, before, 0, game.tally(before, 0).total).is_possible


@run_async
async def test_handicaps_come_from_what_a_person_lost_in_reviewed_games_of_the_edition(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted, _ = await play_alone(host, 2)
        games = [game.id for game in await host.store.list_games()]
        for game, lost in zip(games, (12_345, 20_000), strict=True):
            await host.store.commit(PutReview(game, 0, 0, lost, "expert"))
        assert sorted((await list_points_lost(host.store, await hosted.room()))[0]) == [12.345, 20.0]
        other = await HostedRoom.open(host, ChangeSettings("mb-yahtzee"), ALONE)
        await other.begin_game()
        assert await list_points_lost(host.store, await other.room()) == [[]]
