"""Whatever was acknowledged is remembered: a command that is sent again never takes effect again."""

from pathlib import Path

import pytest

from knobel.errors import CommandIdReused, IllegalAction, StaleRequest
from knobel.host.archive import DAY_SECONDS, expire_rooms
from knobel.rooms.intents import Act, Advance, AnyIntent, BeginGame, SealSeed, Sit, SitBot, StopGame, Undo
from tests.support.hosted_rooms import ANN, BEN, CID, SHORT_GAME, HostedRoom, open_host, run_async

TWO = ((ANN, Sit("Ann")), (BEN, Sit("Ben")))


@run_async
async def test_stopping_again_does_not_stop_the_next_game(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        first = (await hosted.begin_game()).header.game
        reply = await hosted.execute(StopGame(), ANN, "stop")
        table = await hosted.begin_game()
        assert await hosted.execute(StopGame(), ANN, "stop", game=first) == reply
        assert (await hosted.room()).running
        assert table.replay.closed is None


@run_async
async def test_confirming_the_end_again_is_answered_as_before_whatever_came_after(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        table = await hosted.begin_game()
        await hosted.play()
        game, ply = table.header.game, table.replay.ply
        reply = await hosted.execute(Advance(ply), BEN, "end")
        assert reply.count == table.replay.count
        assert reply.head == table.head
        assert await hosted.execute(Advance(ply), BEN, "end", game=game) == reply
        await hosted.begin_game()
        assert await hosted.execute(Advance(ply), BEN, "end", game=game) == reply
    async with open_host(tmp_path) as host:
        assert await (await hosted.reopen_at(host)).execute(Advance(ply), BEN, "end", game=game) == reply


@run_async
async def test_what_was_meant_for_an_earlier_game_does_nothing_in_the_next(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        earlier = (await hosted.begin_game()).header.game
        await hosted.execute(StopGame())
        await hosted.begin_game()
        wanted: tuple[AnyIntent, ...] = (Act(0, 0, ".."), Undo(0, 0), Advance(0), StopGame())
        for number, late in enumerate(wanted):
            before = await hosted.snapshot()
            with pytest.raises(StaleRequest):
                await hosted.execute(late, ANN, f"late {number}", game=earlier)
            assert await hosted.snapshot() == before


@run_async
async def test_every_command_of_an_earlier_game_is_answered_as_before(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        game = (await hosted.begin_game()).header.game
        replies = [
            await hosted.execute(Act(0, 0, ".."), ANN, "roll"),
            await hosted.execute(Act(0, 2, "chance"), ANN, "fill"),
        ]
        await hosted.execute(StopGame())
        await hosted.begin_game()
        assert await hosted.execute(Act(0, 0, ".."), ANN, "roll", game=game) == replies[0]
        assert await hosted.execute(Act(0, 2, "chance"), ANN, "fill", game=game) == replies[1]
        with pytest.raises(CommandIdReused):
            await hosted.execute(Act(0, 2, "twins"), ANN, "fill", game=game)
        with pytest.raises(CommandIdReused):
            await hosted.execute(Act(0, 2, "chance"), BEN, "fill", game=game)


@run_async
async def test_a_command_of_the_lobby_is_remembered_however_many_came_after(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host)
        first = await hosted.execute(Sit("Ann"), ANN, "sit")
        for number in range(100):
            await hosted.execute(SealSeed((await hosted.room()).coming.game, f"{number:064x}"))
        assert await hosted.execute(Sit("Ann"), ANN, "sit") == first
        await hosted.begin_game()
        assert await hosted.execute(Sit("Ann"), ANN, "sit") == first
        assert len((await hosted.room()).seats) == 1
    async with open_host(tmp_path) as host:
        assert await (await hosted.reopen_at(host)).execute(Sit("Ann"), ANN, "sit") == first
        with pytest.raises(CommandIdReused):
            await (await hosted.reopen_at(host)).execute(Sit("Eve"), ANN, "sit")


@run_async
async def test_beginning_again_is_no_second_game(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.seal_seeds(ANN, BEN)
        reply = await hosted.execute(BeginGame(), ANN, "begin")
        game = (await hosted.room()).game
        await hosted.execute(StopGame())
        assert await hosted.execute(BeginGame(), ANN, "begin") == reply
        room = await hosted.room()
        assert (room.game, room.running) == (game, False)


@run_async
async def test_a_command_of_the_room_that_names_a_game_is_answered_as_before(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        game = (await hosted.begin_game()).header.game
        await hosted.execute(StopGame())
        seated = await hosted.execute(Sit("Cid"), CID, "sit", game=game)
        assert await hosted.execute(Sit("Cid"), CID, "sit", game=game) == seated
        begun = await hosted.execute(BeginGame(anyway=True), ANN, "begin", game=game)
        assert await hosted.execute(BeginGame(anyway=True), ANN, "begin", game=game) == begun
        assert await hosted.execute(Sit("Cid"), CID, "sit", game=game) == seated
        with pytest.raises(CommandIdReused):
            await hosted.execute(Sit("Eve"), CID, "sit", game=game)
        with pytest.raises(StaleRequest):
            await hosted.execute(Sit("Eve"), CID, "another", game=game)
        assert len((await hosted.room()).seats) == 3


@run_async
async def test_what_a_room_remembers_is_not_forgotten_for_a_command_of_its_game(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        begun = await hosted.execute(BeginGame(anyway=True), ANN, "one")
        rolled = await hosted.execute(Act(0, 0, ".."), ANN, "one")
        assert await hosted.execute(BeginGame(anyway=True), ANN, "one") == begun
        assert await hosted.execute(Act(0, 0, ".."), ANN, "one") == rolled


@run_async
async def test_two_servers_share_what_was_done_in_the_lobby(tmp_path: Path) -> None:
    async with open_host(tmp_path) as one, open_host(tmp_path) as two:
        hosted = await HostedRoom.open(one)
        other = await hosted.reopen_at(two)
        first = await hosted.execute(Sit("Ann"), ANN, "sit")
        assert await other.execute(Sit("Ann"), ANN, "sit") == first
        assert len((await other.room()).seats) == 1


@run_async
async def test_a_room_is_opened_again_only_by_the_same_request(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        room = await host.open_room(ANN, "open", SHORT_GAME, (Sit("Ann"),), body=b"one")
        assert (await host.open_room(ANN, "open", SHORT_GAME, (Sit("Ann"),), body=b"one")).id == room.id
        with pytest.raises(CommandIdReused):
            await host.open_room(ANN, "open", SHORT_GAME, (Sit("Ann"), SitBot("greedy", "Bot")), body=b"two")
        assert len((await host.find_session(room.id)).room.seats) == 1


@run_async
async def test_commands_of_the_lobby_are_forgotten_with_their_room(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host)
        await hosted.execute(Sit("Ann"), ANN, "sit")
        await expire_rooms(host.store, 0, 0)
        assert await host.store.find_room_command(hosted.id, "sit") is not None
        assert await expire_rooms(host.store, 2 * DAY_SECONDS, 0) == 1
        assert await host.store.find_room_command(hosted.id, "sit") is None


@run_async
async def test_a_command_refused_once_can_be_right_later_and_is_remembered_then(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.begin_game()
        await hosted.assert_refused(IllegalAction, Act(0, 0, "chance"), ANN, "fill")
        await hosted.act(0, "..")
        reply = await hosted.execute(Act(0, 2, "chance"), ANN, "fill")
        assert await hosted.execute(Act(0, 2, "chance"), ANN, "fill") == reply
