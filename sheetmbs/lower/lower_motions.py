"""Curves, splines and formulas as tables that kernels read."""

from __future__ import annotations

import numpy as np

from sheetmbs.engine.codes import MotionKind
from sheetmbs.engine.motion.splines import CurveTable, concatenate, linear, natural_spline, not_a_knot_spline
from sheetmbs.engine.record_arrays import as_records
from sheetmbs.engine.records import MOTION, Floats, Records
from sheetmbs.lower.lowering_cache import LoweringCache
from sheetmbs.model.model import Curve, Formula, MeasuredTurn, Model, Motion, OfCurve, Quadratic
from sheetmbs.schema.expression import Expression
from sheetmbs.schema.expression_evaluation import TapeTables, assemble


class Motions:
    """Collects motions, curves and formulas; each is known by its number. Motion 0 is zero."""

    def __init__(self, model: Model, lowering_cache: LoweringCache | None = None) -> None:
        self._lowering_cache = lowering_cache or LoweringCache()
        self.t_start = model.settings.t_start
        self.spline = natural_spline if model.settings.guiding_spline == "natural" else not_a_knot_spline
        self.curves: dict[str, Curve] = {curve.name: curve for curve in model.curves}
        self.formulas: list[Formula] = []
        self.variables: dict[str, int] = {}
        self._records: list[tuple[int, float, float, float, float, int, float]] = [(0, 0.0, 0.0, 0.0, 0.0, 0, 0.0)]
        self._table: list[tuple[Floats, Floats]] = []
        self._numbers: dict[tuple[str, bool], int] = {}
        self._turned: dict[int, int] = {}

    def add(self, motion: Motion) -> int:
        """Number of a motion."""
        if isinstance(motion, MeasuredTurn):
            return self._add_turned(motion)
        quadratic, formula, curve = MotionKind.QUADRATIC, MotionKind.FORMULA, MotionKind.CURVE
        match motion:
            case Quadratic(position, velocity, acceleration):
                record = (int(quadratic), position, velocity, acceleration, self.t_start, 0, 1.0)
            case Formula(scale=scale):
                record = (int(formula), 0.0, 0.0, 0.0, 0.0, self.add_formula(motion), scale)
            case OfCurve(name):
                record = (int(curve), 0.0, 0.0, 0.0, 0.0, self.add_curve(name, smooth=True), 1.0)
            case _:
                record = (int(curve), 0.0, 0.0, 0.0, 0.0, self.add_samples(motion.times, motion.values), 1.0)
        self._records.append(record)
        return len(self._records) - 1

    def add_curve(self, name: str, *, smooth: bool = False) -> int:
        """Number of a curve of the workbook; ``smooth`` reads it as a spline whatever it says itself."""
        curve = self.curves[name]
        is_spline = smooth or curve.interpolation == "cubic"
        key = (name, is_spline)
        if key not in self._numbers:
            through = self.spline if is_spline else linear
            made = self._lowering_cache.of(through.__name__, curve, lambda: through(curve.x, curve.y))
            self._numbers[key] = self._add(curve.x, made)
        return self._numbers[key]

    def add_samples(self, x: Floats, y: Floats) -> int:
        """Number of a new curve, a spline through samples."""
        return self._add(x, self._lowering_cache.of("spline", y, lambda: self.spline(x, y)))

    def add_formula(self, formula: Formula) -> int:
        """Number of a formula; the motion columns it reads get their places."""
        self.formulas.append(formula)
        for name in formula.expression.variables:
            self.variables.setdefault(name, len(self.variables))
        return len(self.formulas) - 1

    def _add_turned(self, motion: MeasuredTurn) -> int:
        """Number of the motion about an axis: behind those of four Euler parameters, which three axes share."""
        key = id(motion.parameters)
        if key not in self._turned:
            self._turned[key] = len(self._records)
            for values in motion.parameters.T:
                number = self.add_samples(motion.times, values)
                self._records.append((int(MotionKind.CURVE), 0.0, 0.0, 0.0, 0.0, number, 1.0))
            self._records += [(int(MotionKind.SPIN), 0.0, 0.0, 0.0, 0.0, axis, 1.0) for axis in range(3)]
        return self._turned[key] + 4 + motion.axis

    def _add(self, x: Floats, coefficients: Floats) -> int:
        self._table.append((np.asarray(x, dtype=np.float64), coefficients))
        return len(self._table) - 1

    def records(self) -> Records:
        """All motions as MOTION records."""
        return as_records(np.array(self._records, dtype=MOTION))

    def curve_table(self) -> CurveTable:
        """All curves as one table."""
        return concatenate(self._table)

    def tapes(self) -> TapeTables:
        """All formulas as one set of tapes."""
        expressions: list[Expression] = [formula.expression for formula in self.formulas]
        return assemble(expressions, self.variables)
