"""Fixtures for everybody."""

from tests.postgres import postgres_address, postgres_server

__all__ = ["postgres_address", "postgres_server"]
