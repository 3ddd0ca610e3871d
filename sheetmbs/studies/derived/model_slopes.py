"""Derivatives of the residuals of a workbook by its variables."""

from __future__ import annotations

import numpy as np

from sheetmbs.studies.derived.measured_model import MeasuredModel
from sheetmbs.studies.fitting.differences import STEPS, Slopes, central_slopes, judged_slopes
from sheetmbs.studies.fitting.fit_space import Floats

EXACT = (
    "Derivatives are exact: the motion of all bodies per unit of each coordinate follows from the closing conditions of the "
    "linkage, or from the equilibrium of its elastic parts, and every column is a formula of it."
)


class ModelSlopes:
    """Derivatives that the model itself has, else central differences.

    Their steps are chosen where the search begins, and judged where it ends.
    """

    def __init__(self, model: MeasuredModel) -> None:
        self._model = model
        self._steps: Floats | None = None
        self._known: tuple[bytes, Floats] = b"", np.zeros((0, 0))

    def at(self, scaled: Floats) -> Floats:
        """(n, p) of the residuals over their sd, by scaled variables."""
        if self._model.exact is not None:
            key = scaled.tobytes()
            if self._known[0] != key:  # the search and what is said of its end ask for the same place
                slopes = self._model.exact.slopes(self._model.space.values(scaled))
                self._known = key, self._model.residual_slopes(scaled, slopes)
            return self._known[1]
        if self._steps is None:
            first = judged_slopes(self._model.space, self._model.residuals, scaled)
            self._steps = np.where(first.steps > 0.0, first.steps, first.steps.max(initial=1e-3))
            return first.jacobian
        return central_slopes(self._model.space, self._model.residuals, scaled, self._steps)

    def judged(self, scaled: Floats) -> Slopes:
        """The same at a solution, with the error of each column."""
        if self._model.exact is not None:
            none = np.zeros(len(scaled))
            return Slopes(self.at(scaled), none, none)
        return judged_slopes(self._model.space, self._model.residuals, scaled, self._tried())

    def _tried(self) -> tuple[float, ...]:
        """The steps that were chosen where the search began."""
        return STEPS if self._steps is None else tuple(sorted(set(self._steps.tolist()), reverse=True))

    def described(self, final: Slopes) -> str:
        """How derivatives were found, a sentence."""
        if self._model.exact is not None:
            return EXACT
        steps = np.unique(final.steps[final.steps > 0.0])
        sizes = np.linalg.norm(final.jacobian, axis=0)
        error = float(np.max(final.errors / np.maximum(sizes, 1e-300), initial=0.0, where=sizes > 1e-6))
        listed = ", ".join(f"{step:g}" for step in steps)
        return (
            f"Derivatives are central differences with steps of {listed} prior sd, chosen where halving them changes least; "
            f"judged by both steps, the largest error of a column is {100.0 * error:.2g} % of it."
        )
