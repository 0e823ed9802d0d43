"""Look into the bank: counts, checks, single items, samples."""

from burnin.app.inspect.ageing import freshness
from burnin.app.inspect.auditing import audit
from burnin.app.inspect.authoring import Preview, habits_of, new_file, preview, starter
from burnin.app.inspect.checking import Checked, check
from burnin.app.inspect.computed import stats
from burnin.app.inspect.forms import draft_form, seen_before
from burnin.app.inspect.items import Shown, blueprint_of, plain_item, sample, shown
from burnin.app.inspect.turning import Turned, turned
from burnin.bank.coverage import coverage
from burnin.catalog import Catalog, load
from burnin.catalog.raw import json_schemas

__all__ = [
    "Catalog",
    "Checked",
    "Preview",
    "Shown",
    "Turned",
    "audit",
    "blueprint_of",
    "check",
    "coverage",
    "draft_form",
    "freshness",
    "habits_of",
    "json_schemas",
    "load",
    "new_file",
    "plain_item",
    "preview",
    "sample",
    "seen_before",
    "shown",
    "starter",
    "stats",
    "turned",
]
