"""Reads, validates and compiles content into the nouns of ``domain``."""

from burnin.catalog.catalogue import Catalog
from burnin.catalog.loading import load
from burnin.catalog.problem import Problem
from burnin.catalog.single import ItemFile, file_of, read_item_file

__all__ = ["Catalog", "ItemFile", "Problem", "file_of", "load", "read_item_file"]
