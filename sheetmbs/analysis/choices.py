"""Which integrator and formulation a dynamic analysis takes, and what the summary says about that."""

from __future__ import annotations

from sheetmbs.analysis.integrators.automatic import IMPLICIT, Automatic
from sheetmbs.analysis.integrators.interface import Integrator, Run
from sheetmbs.elements.integrators import BDF, GENERALIZED_ALPHA, INTEGRATORS, IntegratorEntry
from sheetmbs.engine.codes import Count
from sheetmbs.lower import Lowered
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.problems.listing import sentence_list

Details = tuple[tuple[str, float | str, str], ...]

OIL_INTEGRATOR = BDF.name
"""integrator of joints with clearance that have nothing but an oil film"""
INDEX_3_INTEGRATOR = GENERALIZED_ALPHA.name
"""integrator of the formulation index-3"""
DEFAULT_TOLERANCE, DEFAULT_OF_STIFF, DEFAULT_OF_INDEX_3 = 1e-8, 1e-7, 1e-6


def methods_of(lowered: Lowered) -> tuple[str, str]:
    """Names of the integrator, of ``auto`` itself mostly, and the formulation.

    Raises WorkbookError for two that do not go together.
    """
    settings = lowered.model.settings
    name = settings.integrator
    clearances = lowered.model.clearances
    if name == "auto" and clearances and not any(each.has_memory for each in clearances):
        name = OIL_INTEGRATOR
    if name == "auto" and settings.formulation == "index-3":
        name = INDEX_3_INTEGRATOR
    entry = INTEGRATORS[name]
    own = "index-3" if entry.is_index_3 else "projection"
    formulation = own if settings.formulation == "auto" else settings.formulation
    if entry.is_index_3 != (formulation == "index-3"):
        raise WorkbookError(_incompatible_methods(lowered, name, formulation))
    if entry.is_index_3 and lowered.rubs:
        raise WorkbookError(_no_friction(lowered, name))
    if entry.is_index_3 and settings.spectral_radius < entry.least_radius:
        raise WorkbookError(_radius_too_small(lowered, entry))
    return name, formulation


def tolerances(lowered: Lowered) -> tuple[float, float]:
    """Relative tolerance of methods for motions that are not stiff, and of those for stiff ones.

    What a length may be off, rtol times the characteristic length, grows by the setting ``atol``; all else in proportion.
    """
    settings = lowered.model.settings
    usual = (DEFAULT_TOLERANCE, DEFAULT_OF_STIFF) if settings.rtol is None else (settings.rtol, settings.rtol)
    if settings.rtol is None and settings.formulation == "index-3":
        usual = (DEFAULT_OF_INDEX_3, DEFAULT_OF_INDEX_3)
    more = (settings.atol or 0.0) / lowered.bodies.length
    return usual[0] + more, usual[1] + more


def tolerance_of(lowered: Lowered, integrator: Integrator, name: str) -> float:
    """The relative tolerance that counted last. name: of the integrator."""
    usual, stiff = tolerances(lowered)
    is_stiff = INTEGRATORS[name].is_stiff or (isinstance(integrator, Automatic) and integrator.name == IMPLICIT)
    return stiff if is_stiff else usual


def chosen_methods(lowered: Lowered, integrator: Integrator, name: str, formulation: str) -> Details:
    """Integrator and formulation, and where they were chosen why, for the summary. name: of the integrator."""
    settings = lowered.model.settings
    found: list[tuple[str, float | str, str]] = [("integrator", name, "")]
    if name != settings.integrator:
        why = (
            "it is made for the formulation index-3"
            if name == INDEX_3_INTEGRATOR
            else "it takes long steps where oil films are stiff"
        )
        found = [("integrator", f"auto: {name}", ""), ("integrator chosen because", why, "")]
    if isinstance(integrator, Automatic):
        found = [("integrator", f"auto: {integrator.name}", "")]
        held = [(t, element) for t, name, element in integrator.switches if name == IMPLICIT]
        if held:
            t, element = held[0]
            which = _element_name(lowered, element)
            found.append(
                ("integrator chosen because", f"the stiffness of {which} held the steps back at t = {t:.4g} s", "")
            )
        else:
            what = "accuracy or friction" if lowered.rubs else "accuracy"
            why = f"{what}, not stiffness, sets the steps"
            if lowered.model.clearances:
                why = "it finds when contacts begin and end"
            found.append(("integrator chosen because", why, ""))
    if settings.formulation == "auto":
        reason = "it keeps all constraints at every step and has nothing to be tuned"
        return (*found, ("formulation", f"auto: {formulation}", ""), ("formulation chosen because", reason, ""))
    return (*found, ("formulation", formulation, ""))


def run_events(lowered: Lowered, run: Run) -> Details:
    """Events of a run that its user should know of, for the summary."""
    found: list[tuple[str, float | str, str]] = []
    if lowered.bodies.massless:
        found.append(("without mass or inertia", sentence_list(lowered.bodies.massless), ""))
    if run.passages:
        times = ", ".join(f"{time:.4g}" for time in run.passed)
        more = f" and {run.passages - len(run.passed)} more" if run.passages > len(run.passed) else ""
        found.append(("passed a singular position near t =", times + more, "s"))
    choices = int(run.work.count[Count.REPARTITIONS])
    if choices:
        found.append(("choices of coordinates", choices, ""))
    return tuple(found)


def clearance_totals(lowered: Lowered, run: Run) -> Details:
    """Impacts, longest flight and largest force of each joint with clearance."""
    if run.contacts is None:
        return ()
    found: list[tuple[str, float | str, str]] = []
    for clearance, (impacts, flight, force) in zip(
        lowered.model.clearances, run.contacts.totals(run.t).tolist(), strict=True
    ):
        found += [
            (f"impacts in {clearance.name}", int(impacts), ""),
            (f"longest flight in {clearance.name}", flight, "s"),
            (f"largest normal force in {clearance.name}", force, "N"),
        ]
    return tuple(found)


def not_converged(lowered: Lowered, evaluations: int) -> Problem:
    """The augmented Lagrangian did not converge at some evaluations."""
    cells = lowered.model.settings.cells
    return Problem(
        "not-converged",
        "warning",
        cells.get("penalty", cells.get("formulation", "Settings")),
        f"the augmented Lagrangian did not converge at {evaluations} evaluations of the equations of motion",
        "its iteration converges the faster the larger the penalty is against the masses",
        "choose a larger penalty, or the formulation auto",
    )


def unused_max_step(lowered: Lowered, name: str) -> Problem:
    """A longest step where all have the same length. name: of the integrator."""
    settings = lowered.model.settings
    return Problem(
        "unused-value",
        "warning",
        settings.cells.get("max_step", "Settings"),
        f"max_step = {settings.max_step:g} s with integrator = {name}",
        "all its steps have the length of the setting step",
        "set step instead, or choose the integrator auto",
    )


def _element_name(lowered: Lowered, number: int) -> str:
    """Name of a force element by its number; numbers behind those of all elements are beams."""
    names = [*(spring.name for spring in lowered.model.springs), *lowered.bodies.beams]
    return names[number]


def _no_friction(lowered: Lowered, integrator: str) -> Problem:
    """A method that has no friction in its equations."""
    joints = [joint for joint in lowered.model.joints if joint.friction is not None]
    return Problem(
        "not-together",
        "error",
        lowered.model.settings.cells.get("integrator", "Settings"),
        f"integrator = {integrator} in a model with friction at {joints[0].name}",
        "the equations of index 3 take reactions as given, and friction must be balanced with them",
        "choose the integrator auto, or bdf where much of the model rests on its friction",
    )


def _incompatible_methods(lowered: Lowered, integrator: str, formulation: str) -> Problem:
    """An integrator and a formulation that do not go together."""
    cells = lowered.model.settings.cells
    return Problem(
        "not-together",
        "error",
        cells.get("formulation", cells.get("integrator", "Settings")),
        f"integrator = {integrator} with formulation = {formulation}",
        "index-3 goes with generalized-alpha and hht, all other formulations with all other integrators",
        "set one of the two to auto",
    )


def _radius_too_small(lowered: Lowered, entry: IntegratorEntry) -> Problem:
    settings = lowered.model.settings
    return Problem(
        "out-of-range",
        "error",
        settings.cells.get("spectral_radius", "Settings"),
        f"spectral_radius = {settings.spectral_radius:g}",
        f"for {entry.name} it must be at least {entry.least_radius}",
        "choose a larger one, or the integrator generalized-alpha",
    )
