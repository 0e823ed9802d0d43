"""Forms, rendered items, sittings and their events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "rendered",
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "forms",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "sittings",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("form", sa.Text, sa.ForeignKey("forms.id"), nullable=False),
        sa.Column("conditions", sa.Text, nullable=False),
        sa.Column("limit_ms", sa.BigInteger),
        sa.Column("items", sa.Text, nullable=False),
        sa.Column("boot", sa.Text, nullable=False),
        sa.Column("boottime_ms", sa.BigInteger, nullable=False),
        sa.Column("wall_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("sittings_wall_ms", "sittings", ["wall_ms"])
    op.create_table(
        "events",
        sa.Column("sitting", sa.Text, sa.ForeignKey("sittings.id"), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("client_id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("boot", sa.Text, nullable=False),
        sa.Column("boottime_ms", sa.BigInteger, nullable=False),
        sa.Column("wall_ms", sa.BigInteger, nullable=False),
        sa.Column("item", sa.Text),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("is_on", sa.Boolean),
        sa.PrimaryKeyConstraint("sitting", "seq"),
        sa.UniqueConstraint("sitting", "client_id", name="events_client_id"),
        sqlite_with_rowid=False,
    )
    ends = sa.text("kind IN ('submitted', 'expired')")
    op.create_index(
        "events_end", "events", ["sitting"], unique=True, sqlite_where=ends, postgresql_where=ends
    )
