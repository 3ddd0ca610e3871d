"""Arrays of flexible beams; what is computed with them stands in `engine/bodies/beam_body.py`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from sheetmbs.compiled import Bundle
from sheetmbs.engine.records import Floats, Records

# Beam: number of its body, first position and velocity coordinate, number of modal coordinates, where its vectors and matrices
# begin in `Beams`, mass, and moment of inertia about the centre of mass while it is undeformed.
BEAM = np.dtype(
    [(name, "i8") for name in ("body", "q", "v", "modes", "at", "square")]
    + [(name, "f8") for name in ("mass", "inertia")]
)

# Section of a beam: its number among the bodies, its beam, its place along the undeformed beam from the middle, and where its
# shapes begin in `Beams.shape` and its matrix in `Beams.shortening`. The first sections are the floating frames of all beams.
SECTION = np.dtype([("body", "i8"), ("beam", "i8"), ("x", "f8"), ("at", "i8"), ("square", "i8")])


@dataclass(frozen=True, eq=False)
class Beams(Bundle):
    """All flexible beams, one after the other. n: number of modal coordinates of a beam."""

    record: Annotated[Records, BEAM]
    section: Annotated[Records, SECTION]
    shape: Floats  # per section (3, n): displacement along and across the beam against the centre of mass, rotation
    shortening: Floats  # per section (n, n), symmetric: G, the section moves by -p G p/2 along the beam as it bends
    lag: Floats  # per beam (n,): by what angle its frame lags behind its mean axes
    lean: Floats  # per beam (n,): half of what a modal coordinate adds to the moment of inertia
    coupling: Floats  # per beam (n, n): what a modal coordinate adds to the angular momentum per modal velocity, antisymmetric
    softening: Floats  # per beam (n, n), symmetric: what shortening takes from the moment of inertia
    stiffness: Floats  # per beam (n,)
    damping: Floats  # per beam (n,)

    @cached_property
    def most_modes(self) -> int:
        """Number of modal coordinates of the beam that has most, 0 without any."""
        return int(np.max(self.record.modes, initial=0))
