"""A load case as the workbook gives it, and the cases of a workbook that gives none but has the masses of its car."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sheetmbs.schema.suspension_inputs import BY_TYRES


@dataclass(frozen=True)
class LoadCase:
    """A row of Load cases, SI; accelerations in g.

    az: 1 is gravity alone. rack: m. travel: by corner, of the pose
    ``given``. forces: by corner and component, of those that the row gives. downforce: by axle. pose, method, force_by: ``""``
    where the row leaves them open. factor: times which all forces are given. speed: m/s, of the method tyres.
    """

    name: str
    cell: str
    pose: str = ""
    ax: float = 0.0
    ay: float = 0.0
    az: float = 1.0
    rack: float = 0.0
    travel: Mapping[str, float] = field(default_factory=dict)
    forces: Mapping[tuple[str, str], float] = field(default_factory=dict)
    downforce: Mapping[str, float] = field(default_factory=dict)
    lateral_split: str = "fz"
    longitudinal_split: str = "equal"
    method: str = ""
    force_by: str = ""
    factor: float = 1.0
    rack_cell: str = ""
    speed: float = 0.0

    @property
    def is_on_tyres(self) -> bool:
        """Whether the case is a car in trim on its tyres."""
        return self.method == BY_TYRES

    def force(self, corner: str, component: str) -> float | None:
        """A component that the row gives; None where it is left open."""
        return self.forces.get((corner, component))

    def maker_of_force(self) -> str:
        """What makes the longitudinal forces: brakes or drive."""
        if self.force_by:
            return self.force_by
        along = self.ax or sum(value for (_corner, name), value in self.forces.items() if name == "fx")
        return "drive" if along > 0.0 else "brakes"


def default_cases(lock: float, *, brakes: bool, along: bool) -> tuple[LoadCase, ...]:
    """lock: rack travel of full lock that steers to the left, m. brakes: whether the share of the brakes is known.

    along: whether loads of a car that brakes or drives are known.
    """
    cases = [
        LoadCase("static 1 g", ""),
        LoadCase("3 g vertical", "", az=3.0),
        LoadCase("braking 1.4 g", "", ax=-1.4),
        LoadCase("cornering left 1.6 g", "", ay=1.6),
        LoadCase("cornering right 1.6 g", "", ay=-1.6),
        LoadCase("left 1.6 g, full lock", "", ay=1.6, rack=lock),
        LoadCase("right 1.6 g, full lock", "", ay=-1.6, rack=-lock),
        LoadCase("braking in a left turn", "", ax=-0.9, ay=1.1, rack=0.6 * lock),
        LoadCase("braking in a right turn", "", ax=-0.9, ay=-1.1, rack=-0.6 * lock),
        LoadCase("acceleration 0.8 g", "", ax=0.8),
        LoadCase("reverse braking 0.7 g", "", ax=0.7, force_by="brakes"),
        LoadCase("kerb", "", ax=-0.5, az=3.0),
    ]
    cases = [case for case in cases if along or not case.ax]
    return tuple(case for case in cases if brakes or not case.ax or case.maker_of_force() != "brakes")
