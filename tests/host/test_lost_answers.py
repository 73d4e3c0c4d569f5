"""A refusal of the database leaves open whether a command was carried out: sent again it takes effect once."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from knobel.errors import DatabaseUnreachable
from knobel.host import Host
from knobel.rooms.intents import Act, Advance, AnyIntent, BeginGame, Sit, StopGame
from knobel.store import StoreWrite
from tests.support.hosted_rooms import ANN, BEN, CID, SHORT_GAME, HostedRoom, open_host, run_async

TWO = ((ANN, Sit("Ann")), (BEN, Sit("Ben")))


async def repeat_unanswered(host: Host, act: Callable[[], Awaitable[Any]], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let the database commit and then be out of reach, so that there is no answer; then do the same again."""
    commit = host.store.commit

    async def fail(*_: object) -> None:
        raise DatabaseUnreachable(value="database", reason="connection lost")

    async def commit_without_answer(*writes: StoreWrite) -> None:
        await commit(*writes)
        await fail()

    with monkeypatch.context() as patch:
        patch.setattr(host.store, "commit", commit_without_answer)
        patch.setattr(host.store, "find_room", fail)
        with pytest.raises(DatabaseUnreachable):
            await act()
    return await act()


BETWEEN_GAMES = ("sit", "end", "stop")
"""Commands after which somebody can sit down."""


@pytest.mark.parametrize(
    ("wanted", "others"),
    [*((one, False) for one in ("begin", "act", *BETWEEN_GAMES)), *((one, True) for one in BETWEEN_GAMES)],
)
@run_async
async def test_a_command_whose_answer_was_lost_takes_effect_once_and_is_answered(
    wanted: str, others: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        intents: dict[str, AnyIntent] = {"sit": Sit("Cid"), "begin": BeginGame(anyway=True)}
        intent = intents.get(wanted, StopGame())
        if wanted not in ("sit", "begin"):
            table = await hosted.begin_game()
            if wanted == "end":
                await hosted.play()
                intent = Advance(table.replay.ply)
            elif wanted == "act":
                intent = Act(0, 0, "..")
        before, calls = await hosted.snapshot(), 0

        async def act() -> Any:
            nonlocal calls
            calls += 1
            if others and calls == 2:
                await hosted.execute(Sit("Eve"), CID)
            return await hosted.execute(intent, ANN, "again", game=game)

        game = (await hosted.room()).game if wanted not in ("sit", "begin") else None
        reply = await repeat_unanswered(host, act, monkeypatch)
        after = await hosted.snapshot()
        assert after != before
        assert await hosted.execute(intent, ANN, "again", game=game) == reply
        assert await hosted.snapshot() == after
        names = [seat.name for seat in (await hosted.room()).seats]
        assert names.count("Cid") == (wanted == "sit")
        assert not any(name.startswith("Cid ") for name in names)
    async with open_host(tmp_path) as host:
        again = await hosted.reopen_at(host)
        assert await again.execute(intent, ANN, "again", game=game) == reply
        assert await again.snapshot() == after


@run_async
async def test_a_room_whose_opening_was_not_answered_is_opened_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_host(tmp_path) as host:
        room = await repeat_unanswered(
            host, lambda: host.open_room(ANN, "open", SHORT_GAME, (Sit("Ann"),), body=b"asked"), monkeypatch
        )
        assert [one.id for one in await host.store.list_rooms()] == [room.id]
