"""How a game will end, told to whoever sees the table: once for all who ask, never of an entry one can undo."""

import asyncio
from pathlib import Path
from random import Random

import msgspec
import pytest

from knobel import extras
from knobel.coach.table_chances import TableChances, ToldChance
from knobel.coach.win_chance import compute_win_chances, list_needed_requests, list_positions
from knobel.errors import NoGameRunning, SolveTimeout
from knobel.games.sheet import SheetGame
from knobel.host import Host, win_chance_service
from knobel.host.chance_teller import AskedPosition, ChanceTeller
from knobel.host.shown_levels import find_losses
from knobel.record.events import Acted
from knobel.rooms.intents import ChangeSettings, Sit, Undo
from knobel.rules import load_edition
from knobel.solver.request import SolveRequest
from knobel.web.chances import send_chances
from knobel.web.hubs import Client
from tests.support.hosted_rooms import ANN, BEN, SHORT_GAME, HostedRoom, open_host, run_async

TWO = ((ANN, Sit("Ann")), (BEN, Sit("Ben")))
ABOUT = TableChances("win", (ToldChance(0.5, 0.0, 0.5), ToldChance(0.5, 0.0, 0.5)), exact=False)
EXACT = TableChances("win", (ToldChance(0.6, 0.0, 0.6), ToldChance(0.4, 0.0, 0.4)), exact=True)


async def tell_all(teller: ChanceTeller, room_id: str) -> list[TableChances | None]:
    return [found async for found in teller.tell(await teller.find_position(room_id))]


async def ask(teller: ChanceTeller, hosted: HostedRoom) -> list[dict[str, object]]:
    """Ask as somebody who only watches does, and give what is sent."""
    client, sent = Client("somebody who watches", "en", shown=True), list[dict[str, object]]()
    client.outbox.put = lambda message: sent.append(msgspec.json.decode(message))  # type: ignore[method-assign]
    await send_chances(teller, client, hosted.id)
    return sent


async def begin(host: Host, settings: ChangeSettings = SHORT_GAME) -> HostedRoom:
    hosted = await HostedRoom.open(host, settings, TWO)
    await hosted.begin_game()
    return hosted


@pytest.mark.solve
@run_async
async def test_at_the_levels_shown_who_gives_points_away_wins_less_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_host(tmp_path) as host:
        hosted = await begin(host)
        table = await hosted.table()
        ann = (await host.store.list_players(table.header.game))[0]

        async def list_points_lost(person: str, edition: str, limit: int) -> list[float]:
            assert (edition, limit > 1) == (table.header.edition.id, True)
            return [4.0, 6.0] if person == ann else []

        monkeypatch.setattr(host.store, "list_points_lost", list_points_lost)
        assert await find_losses(host.store, table) == (1.0, 0.0)  # a sheet of five boxes
        teller = ChanceTeller(host)
        best, shown = [
            [found async for found in teller.tell(await teller.find_position(hosted.id, levels))][-1]
            for levels in (False, True)
        ]
        assert best
        assert shown
        expected = compute_win_chances(list_positions(table.game, table.state, (1.0, 0.0))).players  # type: ignore[arg-type]
        assert [one.share for one in shown.seats] == pytest.approx([one.share for one in expected])
        assert (shown.seats[0].share or 0) < (best.seats[0].share or 0)


@pytest.mark.solve
@run_async
async def test_somebody_who_watches_is_told_who_will_win(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await begin(host)
        table, random = await hosted.table(), Random(4)
        while table.state.rolloff or not table.state.dice:
            await hosted.play(random, 1)
        (told,) = await ask(ChanceTeller(host), hosted)
        expected = compute_win_chances(list_positions(table.game, table.state)).players  # type: ignore[arg-type]
        assert (told["game"], told["ply"], told["kind"]) == (table.header.game, table.replay.ply, "win")
        assert (told["exact"], told["refusal"]) == (True, None)
        assert told["seats"] == [
            {"win": one.win, "tie": one.tie, "share": one.share, "lose_round": None, "lose_game": None}
            for one in expected
        ]
        assert sum(one.share for one in expected) == pytest.approx(1)


@pytest.mark.solve
@run_async
async def test_chances_after_different_entries_cannot_be_compared(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await begin(host)
        table, teller, random = await hosted.table(), ChanceTeller(host), Random(3)
        while not table.replay.find_last_undoable():
            before = await tell_all(teller, hosted.id)
            await hosted.play(random, 1)
        assert await tell_all(teller, hosted.id) == before
        last = table.replay.find_last_undoable()
        assert last is not None
        assert isinstance(last.event, Acted)
        await hosted.execute(Undo(last.event.seat, table.replay.ply), (ANN, BEN)[last.event.seat])
        assert await tell_all(teller, hosted.id) == before
        while table.state.player == last.event.seat or not table.state.dice:
            await hosted.play(random, 1)
        assert await tell_all(teller, hosted.id) != before


@pytest.mark.solve
@run_async
async def test_in_a_game_of_rounds_it_is_told_who_will_lose_the_round(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await begin(host, ChangeSettings("carlit-chicago"))
        table = await hosted.table()
        (told,) = await ask(ChanceTeller(host), hosted)
        assert (told["kind"], told["seats"], told["refusal"]) == (None, [], None)  # they roll for the start
        while table.state.rolloff:
            await hosted.play(Random(1), 1)
        (found,) = await tell_all(ChanceTeller(host), hosted.id)
        assert found is not None
        assert (found.kind, found.exact) == ("lose_round", True)
        assert sum(one.lose_round or 0 for one in found.seats) + found.void == pytest.approx(1)
        assert sum(one.lose_game or 0 for one in found.seats) == pytest.approx(1)


@run_async
async def test_where_the_solver_is_not_installed_that_is_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "is_importable", lambda _: False)
    async with open_host(tmp_path) as host:
        (told,) = await ask(ChanceTeller(host), await begin(host))
    assert told["kind"] is None
    assert "knobel[solver]" in str(told["refusal"])


@run_async
async def test_where_the_rules_cannot_be_solved_that_is_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = list[float | None]()

    async def give_up(request: SolveRequest, seconds: float | None) -> None:
        assert request.what == "book"
        waits.append(seconds)

    monkeypatch.setattr(win_chance_service, "load_cached", lambda _: False)
    async with open_host(tmp_path) as host:
        hosted, teller = await begin(host), ChanceTeller(host)
        monkeypatch.setattr(host.solve_queue, "wait_briefly", give_up)
        told = await ask(teller, hosted)
        table = await hosted.table()
        assert waits == [win_chance_service.SOLVE_SECONDS, None, win_chance_service.SOLVE_SECONDS]
        assert [(one["game"], one["ply"]) for one in told] == 2 * [(table.header.game, table.replay.ply)]
        assert all("not solved" in str(one["refusal"]) for one in told)
        assert teller.at_once == {}  # whoever asks again may have more luck


@pytest.mark.solve
@run_async
async def test_chances_follow_once_rules_are_solved_that_were_not_solved_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_host(tmp_path) as host:
        hosted, teller, wait = await begin(host), ChanceTeller(host), host.solve_queue.wait_briefly

        async def give_up_at_first(request: SolveRequest, seconds: float | None) -> None:
            if seconds is None:
                monkeypatch.undo()
                await wait(request, seconds)

        monkeypatch.setattr(win_chance_service, "load_cached", lambda _: False)
        monkeypatch.setattr(host.solve_queue, "wait_briefly", give_up_at_first)
        while (await hosted.table()).state.rolloff:
            await hosted.play(Random(1), 1)
        waiting, told = await ask(teller, hosted)
        assert "not solved" in str(waiting["refusal"])
        assert (told["kind"], told["refusal"]) == ("win", None)


@run_async
async def test_without_a_game_there_are_no_chances(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, SHORT_GAME, TWO)
        with pytest.raises(NoGameRunning):
            await ChanceTeller(host).find_position(hosted.id)


class StagedTeller(ChanceTeller):
    """A teller whose exact chances come when they are let go."""

    def __init__(self, host: Host, allow_exact: bool) -> None:
        super().__init__(host, allow_exact)
        self.computed = list[str]()
        self.error: SolveTimeout | None = None
        self.asked, self.go_on = asyncio.Event(), asyncio.Event()

    async def compute(self, position: AskedPosition) -> TableChances | None:
        self.computed.append(f"at once {position.ply}")
        return ABOUT

    async def compute_exactly(self, position: AskedPosition) -> TableChances | None:
        self.computed.append(f"exact {position.ply}")
        self.asked.set()
        await self.go_on.wait()
        if self.error:
            raise self.error
        return EXACT


@run_async
async def test_exact_chances_follow_once_for_all_who_ask_where_they_are_allowed(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await begin(host)
        ply = (await hosted.table()).replay.ply
        assert await tell_all(StagedTeller(host, allow_exact=False), hosted.id) == [ABOUT]
        teller = StagedTeller(host, allow_exact=True)
        asking = [asyncio.ensure_future(tell_all(teller, hosted.id)) for _ in range(3)]
        await teller.asked.wait()
        teller.go_on.set()
        assert await asyncio.gather(*asking) == [[ABOUT, EXACT]] * 3
        assert teller.computed == [f"at once {ply}", f"exact {ply}"]


@run_async
async def test_exact_chances_that_take_too_long_leave_the_others_as_they_are(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted, teller = await begin(host), StagedTeller(host, allow_exact=True)
        teller.error = SolveTimeout(limit="60")
        teller.go_on.set()
        assert await tell_all(teller, hosted.id) == [ABOUT]


@run_async
async def test_exact_chances_that_nobody_waits_for_are_given_up(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted, teller = await begin(host), StagedTeller(host, allow_exact=True)
        asking = asyncio.ensure_future(tell_all(teller, hosted.id))
        await teller.asked.wait()
        (work,) = teller.exact.values()
        asking.cancel()
        await asyncio.gather(asking, work.task, return_exceptions=True)
        assert work.task.cancelled()
        assert teller.exact == {}


def test_full_sheets_need_moments_and_short_ones_the_book() -> None:
    game = SheetGame(load_edition("mb-yahtzee").rules(), practice=True)
    positions = list_positions(game, game.start(2, first=0))
    assert [one.what for one in list_needed_requests(positions)] == ["moments"]
    assert [one.what for one in list_needed_requests(positions, exact_open_boxes=13)] == ["book"]
