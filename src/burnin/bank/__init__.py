"""Looks at the bank as a whole: counts, coverage, audit."""
