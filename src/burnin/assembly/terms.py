"""What is asked of a form, beyond what always holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Wishes for ``forms`` disjoint forms of ``size`` items each.

    ``quota`` None means the blueprint's weights. ``seconds`` and ``multiple`` are exact
    demands (at most so much working time by the authors' estimates, exactly so many
    choose-N items); left None, the exam's time and share are aims that give way to the
    pool. ``unseen_only`` forbids items that the history holds.
    """

    size: int
    forms: int = 1
    quota: Mapping[str, int] | None = None
    seconds: int | None = None
    multiple: int | None = None
    unseen_only: bool = False

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ValueError(f"a form needs at least one item, not {self.size}")
        if self.forms < 1:
            raise ValueError(f"at least one form has to be asked for, not {self.forms}")
        if self.quota is not None and sum(self.quota.values()) != self.size:
            raise ValueError(f"the quotas add up to {sum(self.quota.values())}, not to {self.size}")
