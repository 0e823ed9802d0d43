"""Puts store, catalogue, clock and services together."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from burnin.app import home as homes
from burnin.app.aids import Aids
from burnin.app.clock import Clock, SystemClock
from burnin.app.diagnose import Diagnose
from burnin.app.errors import BadHome
from burnin.app.exams import Exams
from burnin.app.faults import Faults
from burnin.app.outcome import Outcome
from burnin.app.past import Past
from burnin.app.planning import Planning
from burnin.app.practice import Practice
from burnin.app.profile import Profile
from burnin.app.ready import Ready
from burnin.app.report import Reports
from burnin.app.take import Take
from burnin.catalog import Catalog, load
from burnin.store import CannotOpen, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything a face needs. Use from one event loop at a time."""

    home: Path
    catalog: Catalog
    store: Store
    take: Take
    practice: Practice
    diagnose: Diagnose
    outcome: Outcome
    report: Reports
    aids: Aids
    ready: Ready
    planning: Planning
    faults: Faults
    profile: Profile
    exams: Exams

    def close(self) -> None:
        """Finish queued writes and let go of the database."""
        self.store.close()


def open_services(home: Path, *, clock: Clock | None = None, catalog: Catalog | None = None) -> Services:
    """Open the data folder (made if missing) and wire all services to it.

    ``BadHome`` with one message if the folder or the database in it cannot be used. A
    server also runs ``take.sweep_forever()``, which closes sittings whose time is up.
    """
    homes.ensure(home)
    try:
        store = Store.open(homes.database(home))
    except CannotOpen as error:
        raise BadHome(str(error)) from error
    catalog = load(home) if catalog is None else catalog
    clock = SystemClock() if clock is None else clock
    take = Take(store, catalog, clock, new_id=_new_id, new_seed=_new_seed)
    past = Past(store)
    profile = Profile(store, clock, exams=catalog.blueprints)
    return Services(
        home=home,
        catalog=catalog,
        store=store,
        take=take,
        practice=Practice(
            store, catalog, clock, past, settle=take.settle, new_id=_new_id, new_seed=_new_seed
        ),
        diagnose=Diagnose(store, catalog, clock, act=take.act, new_id=_new_id, new_seed=_new_seed),
        outcome=Outcome(store, settle=take.settle, pass_mark=profile.pass_mark),
        report=Reports(store, catalog, past, settle=take.settle, pass_mark=profile.pass_mark),
        aids=Aids(store),
        ready=Ready(store, catalog, clock, past, settings=profile.get),
        planning=Planning(catalog, clock, past, settings=profile.get),
        faults=Faults(store, clock, new_id=_new_id),
        profile=profile,
        exams=Exams(catalog.blueprints),
    )


def _new_id() -> str:
    return secrets.token_hex(8)


def _new_seed() -> int:
    return secrets.randbelow(2**31)
