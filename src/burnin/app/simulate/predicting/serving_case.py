"""A published serving measurement as a setup, and its metric from the closed formulas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np

from burnin.catalog import Catalog
from burnin.domain.hardware import Calibration, Gpu
from burnin.systems.serving.closed_loop import closed_loop, queued, single_prompt, static_batch
from burnin.systems.serving.coefficients import MODEL, ServingCoefficients, serving_coefficients
from burnin.systems.serving.costs import Setup, Work, stacked, work
from burnin.systems.serving.engine import Engine

Kind = Literal["closed", "queued", "static", "first"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingCase:
    """One measured point: a replica and its load."""

    setup: Setup
    kind: Kind
    prompt: int
    output: int
    load: int = 1  # clients, or the static batch

    @property
    def architecture(self) -> str:
        """``moe`` or ``dense``."""
        return "moe" if self.setup.model.experts else "dense"

    @property
    def group(self) -> tuple[str, str]:
        """Engine family and card: what one set of coefficients serves."""
        return self.setup.engine.id, self.setup.gpu.id


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedServing:
    """Many cases as arrays, so that other coefficients cost one pass more."""

    work: Work
    kinds: Any
    prompt: Any
    output: Any
    load: Any
    limit: Any
    reserved: Any
    cards: Any

    def metrics(self, k: ServingCoefficients) -> dict[str, Any]:
        """Return arrays of ``ttft_ms``, ``tpot_ms`` and ``out_tok_s``, and the latter per card; NaN where a kind has none."""
        loop = closed_loop(
            self.work,
            k,
            clients=self.load,
            prompt=self.prompt,
            output=self.output,
            max_requests=self.limit,
            reserved=self.reserved,
        )
        full = queued(
            self.work,
            k,
            prompt=self.prompt,
            output=self.output,
            max_requests=self.limit,
            reserved=self.reserved,
        )
        batch = static_batch(self.work, k, batch=self.load, prompt=self.prompt, output=self.output)
        first = single_prompt(self.work, k, self.prompt, self.load) + k.first_ms * 1e-3
        closed, static = self.kinds == "closed", self.kinds == "static"
        ttft = np.where(closed, loop.first_s, np.where(self.kinds == "first", first, np.nan))
        rate = np.where(
            closed,
            loop.output_tokens_s,
            np.where(
                static, batch.output_tokens_s, np.where(self.kinds == "queued", full.output_tokens_s, np.nan)
            ),
        )
        token = np.where(closed, loop.token_s, np.nan)
        return {
            "ttft_ms": 1e3 * ttft,
            "tpot_ms": 1e3 * token,
            "itl_ms": 1e3 * token,
            "out_tok_s": rate,
            "out_tok_s_per_gpu": rate / self.cards,
        }


def prepare_serving(cases: Sequence[ServingCase]) -> PreparedServing:
    """Return arrays over ``cases``; CannotServe where a setup does not exist."""
    return PreparedServing(
        work=stacked([work(case.setup) for case in cases]),
        kinds=np.array([case.kind for case in cases]),
        prompt=np.array([float(case.prompt) for case in cases]),
        output=np.array([float(case.output) for case in cases]),
        load=np.array([float(case.load) for case in cases]),
        limit=np.array([float(case.setup.engine.max_requests * case.setup.attention_data) for case in cases]),
        reserved=np.array([1.0 if case.setup.engine.reserves else 0.5 for case in cases]),
        cards=np.array([float(case.setup.ranks * case.setup.pipeline) for case in cases]),
    )


def stacked_coefficients(each: Sequence[ServingCoefficients]) -> ServingCoefficients:
    """Return coefficients of arrays, an entry a case."""
    return ServingCoefficients(
        **{f.name: np.array([float(getattr(k, f.name)) for k in each]) for f in fields(ServingCoefficients)}
    )


def serving_fitted(catalog: Catalog, gpu: Gpu, engine: Engine) -> ServingCoefficients:
    """Return the calibration nearest to a card and an engine; the defaults where there is none.

    In this order: this engine family on this card, on a card of its architecture; this
    backend on this card; this family pooled over cards; this backend pooled; all. An own
    calibration in BURNIN_HOME/content goes before a built-in one of the same kind.
    """
    stored = [c for c in list(catalog.calibrations.values())[::-1] if c.model == MODEL]

    def steps(c: Calibration) -> tuple[bool, ...]:
        family = c.engine == engine.id
        backend = c.engine.partition("-")[0] == engine.backend
        same = c.gpu == gpu.id
        near = catalog.gpus[c.gpu].architecture == gpu.architecture
        own = not c.pooled
        return (
            own and family and same,
            own and family and near,
            own and backend and same,
            c.pooled and family,
            c.pooled and c.engine == every_version(engine.backend),
            c.pooled and not c.engine,
        )

    ranked = [(flags.index(True), c) for c in stored if any(flags := steps(c))]
    if not ranked:
        return ServingCoefficients()
    return serving_coefficients(min(ranked, key=lambda pair: pair[0])[1].coefficients)


def every_version(backend: str) -> str:
    """Return how a calibration pooled over a backend's versions names its engine."""
    return f"{backend}-*"
