"""Every test that asks for ``address`` or ``store`` runs on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from burnin.store import Store
from tests.store import postgres

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    reason = postgres.missing()
    if reason:
        pytest.skip(reason)
    with postgres.cluster() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty database is."""
    if request.param == "sqlite":
        return str(tmp_path / "burnin.sqlite3")
    import psycopg

    server = request.getfixturevalue("postgres_server")
    name = f"test_{next(_numbers)}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"{server}/{name}"


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    opened = Store.open(address)
    yield opened
    opened.close()
