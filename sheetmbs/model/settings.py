"""The settings of a model: what the sheet Settings says, with defaults filled in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.integrators import AUTO


@dataclass(frozen=True)
class Settings:
    """The sheet Settings with defaults filled in; in SI. What each setting means, and its choices: docs/workbook.md."""

    title: str = ""
    """title of the model"""
    dimension: Literal["2D", "3D"] = "2D"
    """plane or space"""
    analysis: str = Analysis.DYNAMIC
    """``dynamic``, ``kinematic``, ``inverse dynamic``, ``equilibrium`` or ``modes``"""
    gravity: tuple[float, float, float] = (0.0, -9.81, 0.0)
    """along x, y, z, m/s^2"""
    t_start: float = 0.0
    """time at which the analysis begins, s"""
    t_end: float | None = None
    """time at which it ends, s; None where it was left blank, as an analysis at rest may"""
    t_step: float | None = None
    """time between two rows of the results, s; None where it was left blank"""
    report_step: float | None = None
    """time between rows, s, where it is not t_step, which a method of fixed step then keeps as its step"""
    integrator: str = AUTO.name
    """method of integration of a dynamic analysis"""
    step: float | None = None
    """step of a method of fixed step, s; None: t_step"""
    max_step: float | None = None
    """longest step of a method that chooses its own, s; None: no limit"""
    spectral_radius: float = 0.9
    """share of a fast vibration that generalized-alpha and hht leave in one step, 0 to 1"""
    rtol: float | None = None
    """relative tolerance of each step; None: a default that depends on the method"""
    atol: float | None = None
    """absolute tolerance of lengths, added to the relative one, m; None: none"""
    formulation: str = "auto"
    """how the constraints are kept during a dynamic analysis"""
    alpha: float = 5.0
    """Baumgarte's factor of velocity violations, 1/s"""
    beta: float = 5.0
    """Baumgarte's factor of position violations, 1/s"""
    feedback: str = "given"
    """whether alpha and beta are as ``given``, or ``from-step``"""
    penalty: float = 1e7
    """penalty of the augmented Lagrangian"""
    omega: float = 10.0
    """frequency of the augmented Lagrangian, 1/s"""
    mu: float = 1.0
    """damping ratio of the augmented Lagrangian"""
    initial_conditions: str = "correct"
    """what happens to poses and velocities that violate the constraints: ``correct``, ``check``, ``given`` or ``kinematic``"""
    guiding_spline: str = "natural"
    """ends of splines through guiding data: ``natural`` or ``not-a-knot``"""
    position_solver: str = "dogleg"
    """method that closes the mechanism"""
    tolerance: float = 1e-10
    """residual of positions and velocities that counts as none"""
    slip: float = 1e-4
    """sliding speed in joints with clearance from which friction begins, m/s"""
    full_slip: float = 1e-3
    """sliding speed in joints with clearance from which friction is full, m/s"""
    least_impact: float = 1e-4
    """a contact that begins more slowly is damped as one that began with this speed, m/s"""
    least_film: float = 0.01
    """thickness at which an oil film ends, over the clearance"""
    case: str = ""
    """the case that was read, ``""`` for a workbook without cases"""
    results: Literal["full", "short"] = "full"
    """whether columns that few readers need stand on the result sheets"""
    animation: Literal["no", "yes"] = "no"
    """whether a sheet shows the motion"""
    projection: str = "xz"
    """plane in which it shows a model in space: ``xz``, ``xy`` or ``yz``"""
    cells: dict[str, str] = field(default_factory=dict)
    """setting name -> cell of its value, for the settings that stand in the workbook"""

    @property
    def row_step(self) -> float:
        """Time between rows, s; 1 s for an analysis that has only one."""
        return self.report_step or self.t_step or 1.0
