"""States predicted from others that were found: along a tangent, and along the cubic through two states with their tangents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.records import Floats, Ints


@dataclass(frozen=True, eq=False)
class Predicted:
    """Where n states are expected on curves. x: (n, k) states that were found, tangent: (n, k) of the curves there.

    other, other_tangent: further states of the same curves, where ``is_curved`` (n,); share: (n,) of the way to them at which
    the states are expected, with the tangents by that share.
    """

    x: Floats
    tangent: Floats
    other: Floats
    other_tangent: Floats
    share: Floats
    is_curved: NDArray[np.bool_]

    def at(self, rows: Ints, is_curved: NDArray[np.bool_]) -> Predicted:
        """Some of them, curved where that is said too."""
        x, tangent, other, other_tangent, share = (
            each[rows] for each in (self.x, self.tangent, self.other, self.other_tangent, self.share)
        )
        return Predicted(x, tangent, other, other_tangent, share, self.is_curved[rows] & is_curved)

    @property
    def start(self) -> Floats:
        """(n, k) the unknowns that are expected."""
        off = self.other - self.x - self.tangent
        return self.x + self.ahead(self.tangent, off, self.other_tangent - self.tangent)

    def ahead(self, tangent: Floats, off: Floats, turned: Floats) -> Floats:
        """(n, q) change of quantities to where states are expected.

        tangent: (n, q) theirs; off, turned: by how much the others leave it, and their tangents differ from it.
        """
        t = self.share[:, None]
        bend = t * t * (3.0 * off - turned + t * (turned - 2.0 * off))
        return np.asarray(t * tangent + np.where(self.is_curved[:, None] & np.isfinite(bend), bend, 0.0))
