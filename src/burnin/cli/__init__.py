"""The command line: a thin caller of ``app``. No rules here."""
