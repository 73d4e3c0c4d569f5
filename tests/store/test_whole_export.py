"""Everything as one file: what is restored into an empty database is the same database, byte for byte."""

from pathlib import Path
from random import Random

import pytest

from knobel.host import Host
from knobel.rooms.intents import Sit, SitBot
from knobel.store.address import open_store
from knobel.store.backup import restore_backup, write_backup
from knobel.store.people import PutReview
from knobel.store.tournaments import PutTournament, StoredTournament
from tests.store.test_store import NOWHERE, run
from tests.support.hosted_rooms import ANN, BEN, HostedRoom
from tests.support.selection import rest


@pytest.mark.parametrize("kind", ["sqlite", rest("postgres")])
def test_an_export_of_an_import_is_the_same_file(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    target = f"sqlite:///{tmp_path}/other.db" if kind == "sqlite" else str(request.getfixturevalue("postgres_address"))

    async def main() -> None:
        host = Host(await open_store(f"sqlite:///{tmp_path}/first.db", NOWHERE), paced=False, seed_seconds=0.0)
        hosted = await HostedRoom.open(
            host, seating=[(ANN, Sit("Ann")), (BEN, Sit("Bénédicte")), (ANN, SitBot("greedy", "Robo"))]
        )
        for number in range(3):
            await hosted.begin_game()
            await hosted.finish(Random(number))
        await host.store.commit(PutReview((await hosted.room()).game or "", 0, 1234, 567, "expert"))
        await host.store.commit(PutTournament("t1", 0, ANN, '{"title":"Küche"}', 5.5))
        await host.statistics.catch_up()
        await hosted.begin_game()
        first = await open_store(f"sqlite:///{tmp_path}/first.db", NOWHERE)
        await write_backup(first, tmp_path / "first.backup")
        await first.close()
        await host.close()
        second = await open_store(target, NOWHERE)
        await restore_backup(tmp_path / "first.backup", second)
        await write_backup(second, tmp_path / "second.backup")
        people, summaries = await second.list_people(), await second.list_summaries("")
        tournament = await second.find_tournament("t1")
        await second.close()
        assert tournament == StoredTournament("t1", 1, ANN, '{"title":"Küche"}', 5.5)
        assert {person.name for person in people} == {"Ann", "Bénédicte"}
        assert len(summaries) == 1

    run(main(), 60)
    assert (tmp_path / "first.backup").read_bytes() == (tmp_path / "second.backup").read_bytes()
