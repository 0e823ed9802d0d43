"""Reads, validates and compiles content into the nouns of ``domain``."""

from burnin.catalog.catalogue import Catalog
from burnin.catalog.loading import load
from burnin.catalog.problem import Problem

__all__ = ["Catalog", "Problem", "load"]
