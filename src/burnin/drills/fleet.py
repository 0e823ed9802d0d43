"""A fleet of replicas in ten-second ticks: queues, batches and the cache, with a fault from some minute on.

A fluid model: requests flow, none is followed. Seconds of a step come from
``systems.serving.step_time``; Little's law ties batch, rate and time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random

from burnin.drills.panel import Panel
from burnin.systems.serving.step_time import StepCosts, step_seconds

TICK_S = 10.0
STEPS = 20
MOST_WAITING = 150
"""Requests that may wait at a replica; more are refused."""
MINUTES = 30
ONSET = (10, 16)
"""The fault begins somewhere in these minutes."""

COSTS = StepCosts(
    fixed_s=0.004,
    per_request_s=3e-5,
    per_prefill_token_s=5e-5,
    per_prefill_pair_s=0.0,
    per_decode_token_s=2.5e-5,
    weights_s=0.012,
    per_kv_token_s=4.5e-8,
)
"""A model of some 30 billion parameters in FP8 on one card of 3 TB/s, in round numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replica:
    """What one replica is like in one tick. Rates are shares of what is usual."""

    costs: StepCosts = COSTS
    slots: int = 64
    cache_tokens: float = 100_000
    leaked_tokens: float = 0.0
    share: float = 0.25
    clock_mhz: float = 1980.0
    temperature_c: float = 66.0
    other_share: float = 0.0
    error_share: float = 0.001
    hit_share: float = 0.6
    adapter_share: float = 1.0
    quality: float = 0.86
    link_ms: float = 0.4
    hold_s: float = 0.0
    """How long the server holds requests back to fill a batch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What comes in, and how each replica is: functions of the minute."""

    rate: Callable[[float], float]
    users: Callable[[float], float]
    prompt: Callable[[float], float]
    output: Callable[[float], float]
    replicas: Callable[[float, int], Replica]
    count: int = 4


@dataclass(slots=True)
class _Flow:
    queue: float = 0.0
    running: float = 0.0


def quiet(rng: Random) -> Scene:
    """Return a sound fleet under an even load, its numbers drawn."""
    rate = rng.choice((22.0, 25.0, 28.0))
    prompt, output = rng.choice((900.0, 1100.0, 1300.0)), rng.choice((180.0, 220.0))
    return Scene(
        rate=lambda minute: rate,
        users=lambda minute: 40 * rate,
        prompt=lambda minute: prompt,
        output=lambda minute: output,
        replicas=lambda minute, index: Replica(),
    )


def run(scene: Scene, rng: Random) -> tuple[Panel, ...]:
    """Return the panels of half an hour, with the noise that measuring has."""
    flows = [_Flow() for _ in range(scene.count)]
    names = [f"replica {index + 1}" for index in range(scene.count)]
    lines: dict[str, dict[str, list[float]]] = {}

    def note(panel: str, line: str, value: float, spread: float = 0.03) -> None:
        lines.setdefault(panel, {}).setdefault(line, []).append(max(value * (1 + rng.gauss(0, spread)), 0.0))

    ticks = int(MINUTES * 60 / TICK_S)
    # Ten minutes of the same load beforehand: the first minute shows a fleet at work, not a start.
    warm = int(600 / TICK_S)
    for tick in range(-warm, ticks):
        minute = max(tick, 0) * TICK_S / 60
        shown = tick >= 0
        rate, prompt, output = scene.rate(minute), scene.prompt(minute), scene.output(minute)
        for index, flow in enumerate(flows):
            at = scene.replicas(minute, index)
            arriving = rate * at.share * (1 + rng.gauss(0, 0.05))
            for _ in range(STEPS):
                made = _tick(flow, at, max(arriving, 0.0), prompt, output)
            if not shown:
                continue
            name = names[index]
            note("ttft", name, made["ttft_s"] * 1e3)
            note("tpot", name, made["tpot_s"] * 1e3)
            note("running", name, flow.running)
            note("waiting", name, flow.queue + at.share * rate * at.hold_s)
            note("kv", name, min(made["kv"], 1.0) * 100, 0.01)
            note("hits", name, at.hit_share * 100, 0.02)
            note("clock", name, at.clock_mhz, 0.004)
            note("temperature", name, at.temperature_c, 0.01)
            note("other", name, at.other_share * 100, 0.05)
            note("errors", name, (at.error_share * made["done"] + made["refused"]) * 60, 0.2)
            note("adapter", name, at.adapter_share * 100, 0.0)
            note("quality", name, at.quality * 100, 0.006)
            note("link", name, at.link_ms, 0.05)
            note("preempted", name, made["preempted"] * 60, 0.1)
        if shown:
            note("rate", "requests", rate * 60)
            note("users", "sessions", scene.users(minute), 0.01)
            note("prompt", "mean", prompt)
            note("output", "mean", output)
    x = tuple(round(tick * TICK_S / 60, 3) for tick in range(ticks))
    return tuple(
        Panel(
            id=panel,
            title=title,
            unit=unit,
            metric=metric,
            x=x,
            series={line: tuple(values) for line, values in lines[panel].items()},
        )
        for panel, (title, unit, metric) in PANELS.items()
    )


def _tick(flow: _Flow, at: Replica, arriving: float, prompt: float, output: float) -> Mapping[str, float]:
    """Move one replica by a tick; seconds, shares and requests a second."""
    fresh = prompt * (1 - at.hit_share)
    held = prompt + output / 2
    room = max(at.cache_tokens - at.leaked_tokens, held)
    slots = min(float(at.slots), room / held)
    slow = 1980.0 / at.clock_mhz / (1 - at.other_share)
    step = (
        slow
        * float(step_seconds(at.costs, decode_requests=max(flow.running, 1.0), kv_tokens=flow.running * held))
        + at.link_ms * 1e-3
    )
    load = min(arriving * fresh * at.costs.per_prefill_token_s * slow, 0.9)
    tpot = step / (1 - load)
    done = flow.running / (output * tpot) if flow.running else 0.0
    span = TICK_S / STEPS
    finished = min(done * span, flow.running)
    preempted = max(flow.running - slots, 0.0)
    flow.running -= finished + preempted
    flow.queue += arriving * span + preempted
    taken = min(flow.queue, max(slots - flow.running, 0.0))
    flow.queue -= taken
    refused = max(flow.queue - MOST_WAITING, 0.0)
    flow.queue -= refused
    flow.running += taken
    served = max(done, 1e-6)
    wait = flow.queue / max(served, arriving * 0.2, 1e-6)
    used = (flow.running * held + at.leaked_tokens) / at.cache_tokens
    return {
        "refused": refused / span,
        "ttft_s": at.hold_s + wait + fresh * at.costs.per_prefill_token_s * slow / (1 - load) + tpot,
        "tpot_s": tpot,
        "kv": used,
        "done": done,
        "preempted": preempted / span,
    }


PANELS: Mapping[str, tuple[str, str, str]] = {
    "rate": ("Requests", "a minute", "rate(request_success_total[1m])"),
    "users": ("Sessions open", "", "sessions_open"),
    "prompt": ("Prompt length", "tokens", "request_prompt_tokens"),
    "output": ("Output length", "tokens", "request_generation_tokens"),
    "ttft": ("Time to first token", "ms", "time_to_first_token_seconds"),
    "tpot": ("Time an output token", "ms", "time_per_output_token_seconds"),
    "running": ("Requests running", "", "num_requests_running"),
    "waiting": ("Requests waiting", "", "num_requests_waiting"),
    "kv": ("KV cache used", "%", "kv_cache_usage_perc"),
    "preempted": ("Preempted", "a minute", "num_preemptions_total"),
    "hits": ("Prefix cache hits", "% of prompt tokens", "prefix_cache_hits_total"),
    "clock": ("SM clock", "MHz", "DCGM_FI_DEV_SM_CLOCK"),
    "temperature": ("GPU temperature", "°C", "DCGM_FI_DEV_GPU_TEMP"),
    "other": ("GPU time of other processes", "%", "process_gpu_share"),
    "link": ("Collectives a step", "ms", "collective_ms_per_step"),
    "errors": ("Failed requests", "a minute", "request_failures_total"),
    "adapter": ("Requests with their adapter", "%", "lora_requests_applied_ratio"),
    "quality": ("Judged answers that pass", "%", "online_eval_pass_ratio"),
}
"""Panel → title, unit, metric, in the order shown."""


def with_replicas(scene: Scene, change: Callable[[float, int, Replica], Replica]) -> Scene:
    """Return the scene with each replica changed."""
    before = scene.replicas
    return replace(scene, replicas=lambda minute, index: change(minute, index, before(minute, index)))
