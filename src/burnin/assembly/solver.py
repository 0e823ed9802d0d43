"""A mixed-integer model as columns and rows, and HiGHS, which minimises it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

INFINITY = float("inf")
EXACT = 1e-6
NODES = 300
"""How many branches are tried before the best solution found is taken.

A count and not a time: the same model gives the same answer on a busy machine. Wishes that
nearly balance (the seconds of a form, say) can otherwise keep HiGHS proving for minutes
what nobody would notice.
"""


class Unsolved(RuntimeError):
    """The solver gave up without a proof: a defect of the model, not of the wish."""


@dataclass(slots=True)
class Model:
    """Columns with a cost and bounds, rows with bounds; to be minimised.

    >>> model = Model()
    >>> a, b = model.binary(3.0), model.binary(2.0)
    >>> model.row([(a, 1.0), (b, 1.0)], 1.0, 1.0)
    >>> model.minimum()
    [0.0, 1.0]
    """

    costs: list[float] = field(default_factory=list)
    lowers: list[float] = field(default_factory=list)
    uppers: list[float] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    row_lowers: list[float] = field(default_factory=list)
    row_uppers: list[float] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])
    indices: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def binary(self, cost: float) -> int:
        """Add a column that is 0 or 1; return its number."""
        return self._column(cost, 1.0, True)

    def amount(self, cost: float, most: float = INFINITY) -> int:
        """Add a continuous column from 0 to ``most``; return its number."""
        return self._column(cost, most, False)

    def row(self, terms: Iterable[tuple[int, float]], lower: float, upper: float) -> None:
        """Hold the weighted sum of some columns between two bounds."""
        for column, value in terms:
            self.indices.append(column)
            self.values.append(value)
        self.starts.append(len(self.indices))
        self.row_lowers.append(lower)
        self.row_uppers.append(upper)

    def minimum(self, gap: float = EXACT) -> list[float] | None:
        """Return the columns' values at the minimum, or None where the rows contradict each other.

        The cost is at most ``gap`` above the least one, or that of the best solution among
        ``NODES`` branches. What must hold holds in either. One thread, a fixed seed and no
        limit of time: the same model gives the same answer. ``Unsolved`` if HiGHS finds
        neither a solution nor a contradiction.

        Source: Huangfu and Hall (2018), Mathematical Programming Computation 10, 119-142.
        """
        if not self.costs:
            nothing = zip(self.row_lowers, self.row_uppers, strict=True)
            return [] if all(low <= 0 <= high for low, high in nothing) else None
        # Costs a tenth of a CPU second, so only when a form is assembled.
        import highspy
        import numpy as np

        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self.costs), len(self.row_lowers)
        lp.col_cost_ = np.array(self.costs)
        lp.col_lower_, lp.col_upper_ = np.array(self.lowers), np.array(self.uppers)
        lp.row_lower_, lp.row_upper_ = np.array(self.row_lowers), np.array(self.row_uppers)
        lp.integrality_ = [
            highspy.HighsVarType.kInteger if whole else highspy.HighsVarType.kContinuous
            for whole in self.whole
        ]
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.array(self.starts, dtype=np.int32)
        lp.a_matrix_.index_ = np.array(self.indices, dtype=np.int32)
        lp.a_matrix_.value_ = np.array(self.values)

        # highspy.Highs prints a banner on stdout as it is made, where JSON may be expected.
        highs = highspy._Highs()  # type: ignore[attr-defined]
        for option, value in (
            ("output_flag", False),
            # Nothing is left to tighten here: with presolve the same forms take a fifth longer.
            ("presolve", "off"),
            ("threads", 1),
            ("random_seed", 1),
            ("mip_rel_gap", 0.0),
            ("mip_abs_gap", gap),
            ("mip_max_nodes", NODES),
        ):
            highs.setOptionValue(option, value)
        highs.passModel(lp)
        highs.run()
        status = highs.getModelStatus()
        if status == highspy.HighsModelStatus.kSolutionLimit:
            if highs.getInfo().primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible:
                return [float(value) for value in highs.getSolution().col_value]
            # Nothing was found yet: whether there is anything at all has to be known.
            highs.setOptionValue("mip_max_nodes", highspy.kHighsIInf)
            highs.setOptionValue("mip_abs_gap", INFINITY)
            highs.run()
            status = highs.getModelStatus()
        if status == highspy.HighsModelStatus.kOptimal:
            return [float(value) for value in highs.getSolution().col_value]
        if status == highspy.HighsModelStatus.kInfeasible:
            return None
        raise Unsolved(f"HiGHS stopped with {highs.modelStatusToString(status)!r}")

    def _column(self, cost: float, upper: float, whole: bool) -> int:
        self.costs.append(cost)
        self.lowers.append(0.0)
        self.uppers.append(upper)
        self.whole.append(whole)
        return len(self.costs) - 1
