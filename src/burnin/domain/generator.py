"""The words of a computed question. Its numbers come from a sum in ``itemgen``."""

from __future__ import annotations

from dataclasses import dataclass

from burnin.domain.item import Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipWords:
    """Under what changed fact a wrong option would be right: ``knob`` is the fact, ``text`` says it.

    ``{at}`` in the text is the knob's value there, solved by running the model.
    """

    knob: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipWords:
    """A wrong way to do the sum: a named misconception and the reason that belongs to it."""

    misconception: str
    reason: str
    flip: FlipWords | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorWords:
    """A family of questions that differ in their numbers.

    ``sum`` names the model that computes the numbers. In ``stems`` (one is drawn),
    ``option``, ``reason`` and the slips' texts, ``{name}`` stands for a number of the sum;
    ``{value}`` is the option's own. ``show`` is ``number`` (of at most ``digits``
    significant digits), ``count`` (whole) or ``percent`` (a share, in whole percents).
    ``explore`` is the address of an explorer that shows the same numbers, as ``Item`` has it.
    """

    id: str
    version: int
    sum: str
    exam: str
    objective: str
    official: str
    stems: tuple[str, ...]
    option: str
    reason: str
    slips: tuple[SlipWords, ...]
    sources: tuple[Citation, ...]
    as_of: str
    secondary: tuple[str, ...] = ()
    focus: tuple[str, ...] = ()
    show: str = "number"
    digits: int = 3
    scenario: bool = False
    steps: int = 2
    difficulty: int = 3
    seconds: int = 100
    family: str | None = None
    guide_says: str | None = None
    explore: str | None = None

    @property
    def domain(self) -> str:
        """The domain id of the primary objective."""
        return self.objective.partition("/")[0]
