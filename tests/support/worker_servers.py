"""A server of several worker processes for tests: its workers can be found, killed and asked for what they count."""

import os
import re
import signal
from collections.abc import Mapping
from pathlib import Path
from random import Random
from urllib.request import urlopen

from tests.support.ports import free_port
from tests.support.socket_players import SERVE_COMMAND, ServerProcess
from tests.support.waiting import HANG_SECONDS

SAMPLE = re.compile(r'(\w+)\{process="(\w+)"[^}]*\} (\S+)')


class WorkerServer(ServerProcess):
    """`knobel serve --workers`, with an admin address."""

    def __init__(self, database: str, workers: int, *more: str) -> None:
        self.admin = f"127.0.0.1:{free_port()}"
        super().__init__(database, (*SERVE_COMMAND, "--workers", str(workers), "--admin", self.admin, *more))
        self.workers = workers

    def list_workers(self) -> list[int]:
        """List the processes of the workers."""
        assert self.process is not None
        pid = self.process.pid
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def list_processes(self) -> list[int]:
        """List the parent and its workers."""
        return [*super().list_processes(), *self.list_workers()]

    def kill_worker(self, chance: Random) -> None:
        """Kill one worker without warning."""
        os.kill(chance.choice(self.list_workers()), signal.SIGKILL)

    def ask(self, page: str) -> str:
        """Ask the admin address."""
        with urlopen(f"http://{self.admin}/{page}", timeout=HANG_SECONDS) as answer:
            return str(answer.read().decode())

    def count_by_process(self, name: str) -> Mapping[str, float]:
        """Read a metric of every process."""
        found = (SAMPLE.fullmatch(line) for line in self.ask("metrics").splitlines())
        return {one[2]: float(one[3]) for one in found if one and one[1] == name}

    def has_all_workers(self) -> bool:
        """Tell whether every worker serves."""
        return len(self.count_by_process("knobel_rooms")) == self.workers
