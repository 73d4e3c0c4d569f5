"""A second PostgreSQL that follows the first one, and takes its place when it is gone."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from tests.support.postgres import PostgresProcess
from tests.support.waiting import HANG_SECONDS, poll_until


class StandbyPostgres:
    """A standby in a folder beside its primary; what the primary confirms is here, too."""

    def __init__(self, primary: PostgresProcess) -> None:
        self.primary = primary
        self.server: Any = primary.server
        self.programs = Path(self.server.bin_path)
        self.folder = Path(self.server.pgdata).parent / "standby"

    def run(self, program: str, *arguments: str) -> None:
        """Run a program of PostgreSQL as the user the primary runs as."""
        subprocess.run(
            [self.programs / program, *arguments],
            user=self.server.system_user,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=HANG_SECONDS,
        )

    @property
    def primary_folder(self) -> str:
        """Where the socket of the primary is."""
        return str(self.server.get_postmaster_info().socket_dir)

    def start(self) -> None:
        """Copy the primary, follow it, and let it wait for us with every commit."""
        self.folder.mkdir(mode=0o700)
        if self.server.system_user is not None:
            self.server_owns(self.folder)
        self.run("pg_basebackup", "-D", str(self.folder), "-R", "-X", "stream", "-d", self.primary_conninfo)
        (self.folder / ".s.PGSQL.5432.lock").unlink(missing_ok=True)  # copied with everything else
        options = f"-h '' -k {self.folder}"
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-o", options, "-l", str(self.folder / "log"), "start")
        with psycopg.connect(self.primary.address.format("postgres"), autocommit=True) as link:
            link.execute(b"ALTER SYSTEM SET synchronous_standby_names = '*'")
            link.execute(b"SELECT pg_reload_conf()")
            poll_until(lambda: self.is_followed(link))

    def server_owns(self, folder: Path) -> None:
        """Give a folder to the user the primary runs as."""
        owner = Path(self.server.pgdata).stat()
        os.chown(folder, owner.st_uid, owner.st_gid)

    @property
    def primary_conninfo(self) -> str:
        return f"host={self.primary_folder} user=postgres application_name=standby"

    @staticmethod
    def is_followed(link: psycopg.Connection[Any]) -> bool:
        """Tell whether commits wait for the standby."""
        row = link.execute(b"SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'").fetchone()
        return row == (1,)

    def address(self, database: str) -> str:
        """Give the address under which clients find whichever of the two takes writes."""
        hosts = f"host={self.primary_folder},{self.folder}&port=5432,5432"
        return f"postgresql://postgres@/{database}?{hosts}&target_session_attrs=read-write"

    def promote(self) -> None:
        """Lose the primary for good, and take its place."""
        self.primary.kill()
        self.run("pg_ctl", "-D", str(self.folder), "-w", "promote")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.folder), "-m", "immediate", "stop")


@contextmanager
def run_standby(primary: PostgresProcess) -> Iterator[StandbyPostgres]:
    """Run a standby, and stop it for sure."""
    standby = StandbyPostgres(primary)
    standby.start()
    try:
        yield standby
    finally:
        standby.stop()
