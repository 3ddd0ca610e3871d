"""A load case as the workbook gives it: a pose, accelerations of the car, and forces of wheels that win over what follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class LoadCase:
    """A row of Load cases, SI; accelerations in g.

    az: 1 is gravity alone. rack: m. travel: by corner, of the pose
    ``given``. forces: by corner and component, of those that the row gives. downforce: by axle. pose, method, force_by: ``""``
    where the row leaves them open. factor: times which all forces are given. cells: of columns, for messages.
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

    def force(self, corner: str, component: str) -> float | None:
        """A component that the row gives; None where it is left open."""
        return self.forces.get((corner, component))

    def maker_of_force(self) -> str:
        """What makes the longitudinal forces: brakes or drive."""
        if self.force_by:
            return self.force_by
        along = self.ax or sum(value for (_corner, name), value in self.forces.items() if name == "fx")
        return "drive" if along > 0.0 else "brakes"
