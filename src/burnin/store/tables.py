"""The tables as they are after the last migration. Indexes stand in the migrations only."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

rendered = Table(
    "rendered",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)

forms = Table(
    "forms",
    metadata,
    Column("id", Text, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)

sittings = Table(
    "sittings",
    metadata,
    Column("id", Text, primary_key=True),
    Column("form", Text, ForeignKey("forms.id"), nullable=False),
    Column("conditions", Text, nullable=False),
    Column("limit_ms", BigInteger),
    Column("items", Text, nullable=False),
    Column("boot", Text, nullable=False),
    Column("boottime_ms", BigInteger, nullable=False),
    Column("wall_ms", BigInteger, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("sitting", Text, ForeignKey("sittings.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("client_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("boot", Text, nullable=False),
    Column("boottime_ms", BigInteger, nullable=False),
    Column("wall_ms", BigInteger, nullable=False),
    Column("item", Text),
    Column("options", Text, nullable=False),
    Column("is_on", Boolean),
    Column("value", Text),
    PrimaryKeyConstraint("sitting", "seq"),
    # A command sent twice is stored once, whatever the processes in front of it do.
    UniqueConstraint("sitting", "client_id", name="events_client_id"),
)

ENDS = "kind IN ('submitted', 'expired')"
"""The condition of the unique index ``events_end``: a sitting ends once."""

settings = Table(
    "settings",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

reports = Table(
    "reports",
    metadata,
    Column("id", Text, primary_key=True),
    Column("item", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("hash", Text, nullable=False),
    Column("exam", Text, nullable=False),
    Column("sitting", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("wall_ms", BigInteger, nullable=False),
)
