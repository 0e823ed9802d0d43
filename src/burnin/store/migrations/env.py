"""Run by Alembic: migrates over the connection and in the transaction it is handed."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
