"""Fixtures for everybody."""

from itertools import count

import pytest

from tests.postgres import postgres_address, postgres_server

__all__ = ["postgres_address", "postgres_server"]

HOMES = count()


@pytest.fixture(autouse=True)
def _nobodys_games(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every test away from the games of whoever runs it, and from those of other tests."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.getbasetemp() / "homes" / str(next(HOMES))))
