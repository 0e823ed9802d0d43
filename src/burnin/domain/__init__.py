"""Frozen nouns that every other room speaks in. Standard library only."""
