"""A seed that was left out: the host waits for it first, and nobody claims afterwards that nobody chose the dice."""

from pathlib import Path

from knobel.cli.verify import describe_proof
from knobel.errors import IllegalAction, NoGameRunning, SeedsEarly
from knobel.record.verify import verify
from knobel.rooms.intents import BeginGame, Sit, StartWithout, StopGame
from tests.support.hosted_rooms import ANN, BEN, HostedRoom, open_host, run_async
from tests.support.waiting import HANG_SECONDS

TWO = ((ANN, Sit("Ann")), (BEN, Sit("Ben")))


@run_async
async def test_the_host_goes_on_without_a_seed_only_when_its_time_has_passed(tmp_path: Path) -> None:
    async with open_host(tmp_path, seed_seconds=10 * HANG_SECONDS) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.seal_seeds(ANN, BEN)
        await hosted.execute(BeginGame())
        await hosted.reveal_seeds(ANN)
        await hosted.assert_refused(SeedsEarly, StartWithout(1))
        (await hosted.session()).begun_at -= 10 * HANG_SECONDS
        await hosted.execute(StartWithout(1))


@run_async
async def test_where_no_seed_is_missing_nobody_is_told_to_wait_for_one(tmp_path: Path) -> None:
    async with open_host(tmp_path, seed_seconds=10 * HANG_SECONDS) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.seal_seeds(ANN, BEN)
        await hosted.execute(BeginGame())
        await hosted.reveal_seeds(ANN)
        await hosted.assert_refused(IllegalAction, StartWithout(0))
        await hosted.assert_refused(SeedsEarly, StartWithout(1))
        await hosted.execute(StopGame())
        await hosted.assert_refused(NoGameRunning, StartWithout(1))


@run_async
async def test_where_a_seed_was_left_out_the_claim_is_withdrawn(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=TWO)
        await hosted.seal_seeds(ANN, BEN)
        await hosted.execute(BeginGame())
        await hosted.reveal_seeds(ANN)
        await hosted.execute(StartWithout(1))
        await hosted.finish()
        verdict = verify(await hosted.export_record(), "")
        assert (verdict.is_verified, verdict.seeds, verdict.without_seed) == (True, 1, 1)
        said = [one.key for one in describe_proof(verdict)]
        assert said == ["interface.verify.left_out", "interface.verify.not_proved"]
