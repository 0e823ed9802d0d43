"""How a training job is spread over ranks, and every switch of its step."""

from __future__ import annotations

from dataclasses import dataclass, fields

from burnin.domain.model import Model
from burnin.systems.precision import RECIPES

RECOMPUTE = ("none", "selective", "full")
SCHEDULES = ("gpipe", "1f1b", "zb-h1", "zb-h2", "zb-v", "dualpipe")
"""1f1b with ``interleave`` above 1 is the interleaved schedule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """TP x PP x DP x CP = ranks; expert parallelism divides TP x CP x DP.

    >>> Plan(tensor=8, pipeline=4, data=2).ranks
    64

    ``global_batch`` and ``micro_batch`` count sequences. ``zero`` is the ZeRO
    stage (Megatron's distributed optimizer is 1, FSDP full shard is 3).
    ``attention_span`` is the mean sequence length inside packed sequences, 0 for
    unpacked. ``flash`` is the generation of flash attention, 0 for a stored score
    matrix. ``single_rail`` says that a collective uses one network port of a node.
    Overlap switches say that a kind of traffic runs beside compute.
    """

    tensor: int = 1
    pipeline: int = 1
    data: int = 1
    context: int = 1
    expert: int = 1
    micro_batch: int = 1
    global_batch: int = 1
    sequence: int = 4096
    interleave: int = 1
    schedule: str = "1f1b"
    sequence_parallel: bool = True
    zero: int = 1
    recompute: str = "none"
    precision: str = "bf16"
    optimizer: str = "megatron"
    flash: int = 2
    single_rail: bool = False
    fused: bool = True
    dropout: bool = False
    cuda_graphs: bool = False
    overlap_tensor: bool = True
    overlap_pipeline: bool = True
    overlap_data: bool = True
    overlap_expert: bool = False
    lora_rank: int = 0
    attention_span: int = 0

    @property
    def ranks(self) -> int:
        """How many GPUs the plan takes."""
        return self.tensor * self.pipeline * self.data * self.context

    @property
    def micro_batches(self) -> int:
        """Micro-batches of one step on each data-parallel replica."""
        return self.global_batch // (self.data * self.micro_batch)

    @property
    def replica_ranks(self) -> int:
        """Ranks that share one pipeline stage: among them states and experts are spread."""
        return self.tensor * self.context * self.data


def plan_faults(plan: Plan, model: Model) -> list[str]:
    """Return what keeps a plan from running at all, in words; empty if it can.

    >>> plan_faults(Plan(tensor=3), llama_3_1_8b)
    ['tensor parallel 3 does not divide 32 heads']
    """
    faults = []
    for field in fields(plan):
        value = getattr(plan, field.name)
        low = 0 if field.name in {"zero", "lora_rank", "attention_span", "flash"} else 1
        if isinstance(value, int) and not isinstance(value, bool) and value < low:
            faults.append(f"{field.name} must be at least {low}")
    if faults:
        return faults
    if plan.recompute not in RECOMPUTE:
        faults.append(f"recompute must be one of {', '.join(RECOMPUTE)}")
    if plan.schedule not in SCHEDULES:
        faults.append(f"schedule must be one of {', '.join(SCHEDULES)}")
    if plan.precision not in RECIPES:
        faults.append(f"precision must be one of {', '.join(RECIPES)}")
    if plan.zero > 3:
        faults.append("zero must be 0, 1, 2 or 3")
    if model.heads % plan.tensor:
        faults.append(f"tensor parallel {plan.tensor} does not divide {model.heads} heads")
    if plan.pipeline * plan.interleave > model.layers + 2:
        faults.append(
            f"{plan.pipeline} stages of {plan.interleave} chunks for {model.layers} layers and two ends"
        )
    if plan.interleave > 1 and plan.pipeline == 1:
        faults.append("interleaving needs a pipeline")
    if plan.interleave > 1 and plan.schedule != "1f1b":
        faults.append("interleave goes with 1f1b alone; the other schedules fix their own chunks")
    if plan.zero >= 2 and plan.pipeline > 1:
        faults.append(
            "ZeRO 2 and 3 do not go with pipeline parallelism: gradients accumulate over micro-batches"
        )
    if plan.global_batch % (plan.data * plan.micro_batch):
        faults.append(
            f"global batch {plan.global_batch} is no multiple of data parallel {plan.data} "
            f"x micro-batch {plan.micro_batch}"
        )
    if plan.sequence % plan.context:
        faults.append(f"context parallel {plan.context} does not divide sequence {plan.sequence}")
    if plan.expert > 1:
        if model.experts is None:
            faults.append("expert parallelism needs a mixture of experts")
        elif model.experts.count % plan.expert:
            faults.append(f"expert parallel {plan.expert} does not divide {model.experts.count} experts")
        if plan.replica_ranks % plan.expert:
            faults.append(
                f"expert parallel {plan.expert} does not divide the {plan.replica_ranks} ranks of a stage"
            )
    return faults
