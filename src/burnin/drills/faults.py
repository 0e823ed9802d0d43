"""Faults of a serving fleet: what each changes from its onset on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from burnin.drills.fleet import Replica, Scene, with_replicas

Fault = Callable[[Scene, float, Random], Scene]


def _after(onset: float, before: float, later: float) -> Callable[[float], float]:
    return lambda minute: later if minute >= onset else before


def _every(scene: Scene, onset: float, **changed: Any) -> Scene:
    """Change every replica from the onset on."""
    return with_replicas(scene, lambda minute, _, at: replace(at, **changed) if minute >= onset else at)


def _one(scene: Scene, onset: float, rng: Random, **changed: Any) -> Scene:
    """Change one replica, drawn, from the onset on."""
    which = rng.randrange(scene.count)

    def change(minute: float, index: int, at: Replica) -> Replica:
        return replace(at, **changed) if index == which and minute >= onset else at

    return with_replicas(scene, change)


def held_too_long(scene: Scene, onset: float, rng: Random) -> Scene:
    """The batcher waits for a full batch that the load does not bring."""
    return _every(scene, onset, hold_s=rng.choice((0.6, 0.8, 1.0)))


def kv_leak(scene: Scene, onset: float, rng: Random) -> Scene:
    """Blocks of finished requests are never freed: the cache fills, whatever runs."""

    def change(minute: float, index: int, at: Replica) -> Replica:
        lost = min(max(minute - onset, 0.0) * 0.06, 0.95)
        return replace(at, leaked_tokens=lost * at.cache_tokens)

    return with_replicas(scene, change)


def longer_prompts(scene: Scene, onset: float, rng: Random) -> Scene:
    """A client puts whole documents into its prompts."""
    return replace(scene, prompt=_after(onset, scene.prompt(0), rng.choice((1.8, 2.0)) * scene.prompt(0)))


def cold_prefix_cache(scene: Scene, onset: float, rng: Random) -> Scene:
    """A system prompt now opens with the date and time: no prefix is shared any more."""
    return _every(scene, onset, hit_share=0.03)


def throttled(scene: Scene, onset: float, rng: Random) -> Scene:
    """One card gets hot and lowers its clock."""
    which = rng.randrange(scene.count)

    def change(minute: float, index: int, at: Replica) -> Replica:
        if index != which or minute < onset:
            return at
        heat = min((minute - onset) / 4, 1.0)
        return replace(at, temperature_c=66 + 23 * heat, clock_mhz=1980 - 640 * heat)

    return with_replicas(scene, change)


def noisy_neighbour(scene: Scene, onset: float, rng: Random) -> Scene:
    """Another job shares a card in time slices."""
    return _one(scene, onset, rng, other_share=0.33)


def bad_canary(scene: Scene, onset: float, rng: Random) -> Scene:
    """A new version on one replica fails and judges badly."""
    return _one(scene, onset, rng, error_share=0.11, quality=0.71)


def adapter_missing(scene: Scene, onset: float, rng: Random) -> Scene:
    """After a restart one replica serves the base model where an adapter is asked for."""
    return _one(scene, onset, rng, adapter_share=0.0, quality=0.64)


def retry_storm(scene: Scene, onset: float, rng: Random) -> Scene:
    """Clients time out and send again: requests multiply, people do not."""
    rate = scene.rate(0)
    return replace(scene, rate=lambda m: rate if m < onset else rate * min(1 + 0.25 * (m - onset), 1.9))


def uneven_routing(scene: Scene, onset: float, rng: Random) -> Scene:
    """The router sends nearly half to one replica."""
    which = rng.randrange(scene.count)

    def change(minute: float, index: int, at: Replica) -> Replica:
        return replace(at, share=0.46 if index == which else 0.18) if minute >= onset else at

    return with_replicas(scene, change)


def slow_link(scene: Scene, onset: float, rng: Random) -> Scene:
    """Tensor-parallel ranks of one replica talk over PCIe instead of NVLink."""
    return _one(scene, onset, rng, link_ms=8.0)


def longer_answers(scene: Scene, onset: float, rng: Random) -> Scene:
    """A prompt was changed and the model explains itself at length."""
    return replace(scene, output=_after(onset, scene.output(0), 1.6 * scene.output(0)))


FAULTS: Mapping[str, Fault] = {
    "batch-held-too-long": held_too_long,
    "kv-leak": kv_leak,
    "longer-prompts": longer_prompts,
    "cold-prefix-cache": cold_prefix_cache,
    "throttled-gpu": throttled,
    "noisy-neighbour": noisy_neighbour,
    "bad-canary": bad_canary,
    "adapter-missing": adapter_missing,
    "retry-storm": retry_storm,
    "uneven-routing": uneven_routing,
    "slow-link": slow_link,
    "longer-answers": longer_answers,
}
