"""A real PostgreSQL for the tests of this folder."""

from tests.support.postgres import own_postgres, postgres_address, postgres_server

__all__ = ["own_postgres", "postgres_address", "postgres_server"]
