"""From the numbers of a mass-properties text to mass, centre and inertia tensor; whether they fit together.

Programs differ in the sign of products of inertia, and SolidWorks lets its users choose. A text gives more than is needed, so
the sign can be found out: by the parallel-axis theorem between the tensors about the centre and about the origin, and by the
principal moments and axes. All comparisons allow for the digits that were printed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.problems.errors import Severity
from sheetmbs.schema.cad_numbers import Printed, UnclearNumberError, printed
from sheetmbs.schema.cad_text import NOTATIONS, CadText, Mark, Slip, TextBlock

Floats = NDArray[np.float64]
AXES = "xyz"
AT_CENTRE, AT_ORIGIN = re.compile(r"cent(?:er|re) of mass", re.IGNORECASE), re.compile(r"origin", re.IGNORECASE)
ROUNDING_FACTOR = 2.0
"""numbers may differ by so many times what rounding explains"""
COPY_AGAIN = "copy the whole text once more, and paste it without changing anything"

COMPUTED_ERROR = 1e-5
"""relative error of what a program computes before it prints it"""
MAX_INERTIA_ROUNDING = 0.05
"""relative rounding of a moment of inertia above which a warning is given"""
MIN_PRODUCT_OF_INERTIA = 1e-3
"""over the largest moment: the sign of a smaller product hardly matters"""
MAX_NUMBER = 1e50
"""in SI: products of larger numbers could overflow"""


@dataclass(frozen=True, eq=False)
class Rounded:
    """Numbers as printed, in SI, and by how much rounding may have changed each."""

    values: Floats
    halves: Floats


@dataclass(frozen=True, eq=False)
class Given:
    """All of a text in SI. products: as printed. at_centre, at_origin: (3, 3). axes: rows are the principal axes."""

    mass: Printed | None = None
    centre: Rounded | None = None
    at_centre: Rounded | None = None
    at_origin: Rounded | None = None
    moments: Rounded | None = None
    axes: Rounded | None = None

    def tensor(self, sign: int) -> Rounded | None:
        """The tensor about the centre, its printed products times ``sign``; None where the text does not give it."""
        if self.at_centre:
            return signed(self.at_centre, sign)
        if not (self.at_origin and self.mass and self.centre):
            return None
        about, moved = signed(self.at_origin, sign), moved_to_origin(self.mass, self.centre)
        return Rounded(about.values - moved.values, about.halves + moved.halves)


def in_si(text: CadText) -> Given:
    """The numbers of a text in SI, none of a text with errors. What is missing or cannot be read becomes a slip of it."""
    sign = text.sign()
    if text.has_errors:
        return Given()
    mass = text.scalars.get("mass")
    at_centre, at_origin = _roles(text)
    axes = None
    if set(text.axes) == set(AXES):
        try:
            rows = [[printed(number, sign) for number in text.axes[axis]] for axis in AXES]
            axes = Rounded(
                *(np.array([[getattr(each, part) for each in row] for row in rows]) for part in ("value", "half"))
            )
        except UnclearNumberError:
            axes = None  # they are only needed to check the others
    return Given(
        text.value(mass, sign) if mass else None,
        _vector(text, text.centre, "the centre of mass", sign),
        _matrix(text, at_centre, sign),
        _matrix(text, at_origin, sign),
        _vector(text, text.moments, "the list of principal moments", sign),
        axes,
    )


def _roles(text: CadText) -> tuple[TextBlock | None, TextBlock | None]:
    """The tensor about the centre, and the one about the origin."""
    centre: list[TextBlock] = []
    origin: list[TextBlock] = []
    unclear: list[TextBlock] = []
    for block in text.blocks:
        if block.letter == "L" or (AT_CENTRE.search(block.heading) and not text.is_solidworks):
            centre.append(block)
        elif text.is_solidworks or AT_ORIGIN.search(block.heading):
            origin.append(block)
        else:
            unclear.append(block)
    if len(unclear) == 2 and not centre and not origin:  # in other languages: Fusion begins with the centre
        centre, origin, unclear = unclear[:1], unclear[1:], []
    for blocks in (centre, origin):
        for block in blocks[1:]:
            text.slip(
                block.line,
                "given-twice",
                "a tensor",
                "this text has one about that point already",
                "paste the text of one body under each name",
            )
    for block in unclear:
        problem = "it is not clear whether the tensor is taken about the centre of mass or about the origin"
        text.slip(block.line, "unclear-tensor", "a tensor", problem, "paste its heading too, or the whole text")
    return centre[0] if centre else None, origin[0] if origin else None


def _vector(text: CadText, marks: dict[str, Mark], what: str, sign: str) -> Rounded | None:
    if not marks:
        return None
    missing = [axis for axis in AXES if axis not in marks]
    if missing:
        line = next(iter(marks.values())).line
        text.slip(line, "half-a-text", what, f"{' and '.join(missing)} of it is missing", COPY_AGAIN)
        return None
    return _rounded([text.value(marks[axis], sign) for axis in AXES])


def _matrix(text: CadText, block: TextBlock | None, sign: str) -> Rounded | None:
    if block is None:
        return None
    missing = [a + b for a in AXES for b in AXES if a <= b and not {a + b, b + a} & block.elements.keys()]
    if missing:
        names = ", ".join(block.letter + name for name in missing)
        text.slip(block.line, "half-a-text", "a tensor of inertia", f"{names} is missing", COPY_AGAIN)
        return None
    found = {name: text.value(mark, sign) for name, mark in block.elements.items()}
    nothing = max((each.half for each in found.values() if each.value), default=np.inf)
    values, halves = np.zeros((3, 3)), np.zeros((3, 3))
    for i, a in enumerate(AXES):
        for j, b in enumerate(AXES):
            name = a + b if a + b in found else b + a
            values[i, j] = found[name].value
            # a 0 that is printed without decimals is no coarser than the others
            halves[i, j] = found[name].half if found[name].value else min(found[name].half, nothing)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        if abs(values[i, j] - values[j, i]) > ROUNDING_FACTOR * (halves[i, j] + halves[j, i]):
            one, other = block.letter + AXES[i] + AXES[j], block.letter + AXES[j] + AXES[i]
            second = block.elements[AXES[j] + AXES[i]]
            problem = f"{one} and {other} are the same quantity, and here they differ"
            text.slip(second.line, "unsymmetric", f"{other} = {second.raw}", problem, COPY_AGAIN)
            return None
    return Rounded(values, halves)


def _rounded(numbers: list[Printed]) -> Rounded:
    return Rounded(np.array([each.value for each in numbers]), np.array([each.half for each in numbers]))


def signed(printed_tensor: Rounded, sign: int) -> Rounded:
    """A tensor whose printed products are multiplied by ``sign``."""
    factors = np.where(np.eye(3) > 0.0, 1.0, float(sign))
    return Rounded(printed_tensor.values * factors + 0.0, printed_tensor.halves)  # + 0.0: no -0.0


def moved_to_origin(mass: Printed, centre: Rounded) -> Rounded:
    """The parallel-axis term: what a tensor about the origin has more than the one about the centre."""
    c, h = centre.values, centre.halves
    reach = np.abs(c) + h
    values = c @ c * np.eye(3) - np.outer(c, c)
    # of a product of two rounded numbers, and of sums of squares
    products = np.outer(reach, reach) - np.outer(np.abs(c), np.abs(c))
    halves = np.where(np.eye(3) > 0.0, np.trace(products) - np.diag(products), products)
    sizes = np.where(np.eye(3) > 0.0, reach @ reach, np.outer(reach, reach))
    return Rounded(mass.value * values, mass.value * halves + mass.half * sizes)


@dataclass(frozen=True, eq=False)
class CadBody:
    """The mass properties in a text, in SI, None for those that it does not give.

    centre: (3,) in CAD coordinates. tensor: (3, 3) about the centre.
    """

    mass: float | None = None
    centre: Floats | None = None
    tensor: Floats | None = None


def body_of(text: CadText, *, planar: bool) -> tuple[CadBody, list[Slip]]:
    """The body that a text describes, and all that is wrong with it; a quantity with a mistake in it is left out.

    planar: only the moment about z is needed.
    """
    given = in_si(text)
    _check_size(text, given)
    if not text.has_errors:
        _check_mass(text, given)
    if not text.has_errors:
        sign = _sign(text, given, planar=planar)
    if not text.has_errors:
        tensor = given.tensor(sign)
        if tensor is not None:
            _check_tensor(text, tensor, planar=planar)
    if text.has_errors:
        return CadBody(), text.slips
    return (
        CadBody(
            given.mass.value if given.mass else None,
            given.centre.values if given.centre else None,
            tensor.values if tensor else None,
        ),
        text.slips,
    )


def _check_size(text: CadText, given: Given) -> None:
    """Report what is larger than anything: products of such numbers overflow."""
    found = (given.centre, given.at_centre, given.at_origin, given.moments, given.axes)
    largest = [float(np.max(np.abs(each.values) + each.halves)) for each in found if each is not None]
    if max([*largest, given.mass.value + given.mass.half] if given.mass else largest, default=0.0) > MAX_NUMBER:
        problem = f"no number of a model is beyond {MAX_NUMBER:g} in SI"
        text.slip(None, "too-large", "a number of this text", problem, COPY_AGAIN)


def _check_mass(text: CadText, given: Given) -> None:
    mark = text.scalars.get("mass")
    if mark is None or given.mass is None:
        return
    mass = given.mass
    if not mass.value > 0.0:
        mend = "give the part a material in the CAD program, and let it print more decimals"
        text.slip(mark.line, "no-mass", f"a mass of {mark.raw}", "the mass of a body is greater than 0", mend)
        return
    if not {"density", "volume"} <= text.scalars.keys():
        return
    sign = text.sign()
    density, volume = (text.value(text.scalars[name], sign) for name in ("density", "volume"))
    product = density.value * volume.value
    rounding = density.half * (volume.value + volume.half) + density.value * volume.half + mass.half
    if abs(product - mass.value) > ROUNDING_FACTOR * rounding + COMPUTED_ERROR * product:
        problem = f"density times volume is {product:.6g} kg, and this mass {mass.value:.6g} kg"
        severity: Severity = "warning" if text.is_overridden else "error"
        text.slip(mark.line, "mass-density", f"a mass of {mark.raw}", problem, COPY_AGAIN, severity)


def _sign(text: CadText, given: Given, *, planar: bool) -> int:
    """By what printed products are multiplied to be elements of the tensor: what makes all numbers fit together."""
    usual = text.notation or (-1 if text.is_solidworks else 1)
    wrong = {sign: _misfit(given, sign) for sign in (usual, -usual)}
    fitting = [sign for sign, problem in wrong.items() if not problem]
    line = next((block.line for block in text.blocks), None)
    severity: Severity = "warning" if text.is_overridden else "error"
    if not fitting:
        text.slip(line, "contradictory-inertia", "the moments of inertia", wrong[usual], COPY_AGAIN, severity)
        return usual
    if text.notation and text.notation not in fitting:
        said = next(words for words, sign in NOTATIONS.items() if sign == text.notation)
        problem = f"the text says {said}, but with it {wrong[usual]}; with the other notation all fit"
        text.slip(line, "contradictory-inertia", "the products of inertia", problem, COPY_AGAIN, severity)
        return usual
    tensor = given.tensor(usual)
    if text.is_solidworks and not text.notation and len(fitting) > 1 and not planar and tensor is not None:
        values = np.abs(tensor.values)
        if np.max(values - np.diag(np.diag(values))) > MIN_PRODUCT_OF_INERTIA * np.max(values):
            problem = (
                "the text does not tell the sign of its products of inertia; they are taken to be the integrals of xy, xz "
                "and yz (positive tensor notation), which is what SolidWorks prints by default"
            )
            mend = "copy the whole text, with the principal axes and both tensors, from which the sign is found"
            text.slip(line, "sign-assumed", "products of inertia", problem, mend, "warning")
    return fitting[0]


def _misfit(given: Given, sign: int) -> str:
    """The contradiction that follows if products of inertia have this sign, ``""`` where all does."""
    tensor = given.tensor(sign)
    if tensor is None:
        return ""
    return _origin_misfit(given, tensor, sign) or _moments_misfit(given, tensor) or _axes_misfit(given, tensor)


def _origin_misfit(given: Given, tensor: Rounded, sign: int) -> str:
    if not (given.at_centre and given.at_origin and given.mass and given.centre):
        return ""
    about, moved = signed(given.at_origin, sign), moved_to_origin(given.mass, given.centre)
    expected = tensor.values + moved.values
    allowed = ROUNDING_FACTOR * (about.halves + tensor.halves + moved.halves) + COMPUTED_ERROR * np.max(
        np.abs(about.values)
    )
    beyond = np.abs(about.values - expected) - allowed
    if np.all(beyond <= 0.0):
        return ""
    i, j = divmod(int(np.argmax(beyond)), 3)
    name, wanted, said = AXES[i] + AXES[j], expected[i, j], about.values[i, j]
    return (
        "mass, centre and the tensors about the centre and about the origin contradict each other: "
        f"{name} about the origin would be {wanted:.6g} kg m^2, and {said:.6g} kg m^2 is printed"
    )


def _moments_misfit(given: Given, tensor: Rounded) -> str:
    if not given.moments:
        return ""
    found, said = np.linalg.eigvalsh(tensor.values), np.sort(given.moments.values)
    allowed = ROUNDING_FACTOR * (_rounding(tensor) + float(np.max(given.moments.halves))) + COMPUTED_ERROR * float(
        np.max(np.abs(found))
    )
    if np.all(np.abs(found - said) <= allowed):
        return ""
    mine, theirs = (", ".join(f"{value:.6g}" for value in values) for values in (found, said))
    return f"the tensor has the principal moments {mine} kg m^2, and {theirs} kg m^2 are printed"


def _axes_misfit(given: Given, tensor: Rounded) -> str:
    if not (given.moments and given.axes):
        return ""
    computed = COMPUTED_ERROR * float(np.max(np.abs(tensor.values)))
    for k in range(3):
        axis, rounding = np.abs(given.axes.values[k]), given.axes.halves[k]
        apart = tensor.values - given.moments.values[k] * np.eye(3)
        blurred = tensor.halves + given.moments.halves[k] * np.eye(3)
        allowed = ROUNDING_FACTOR * (np.abs(apart) @ rounding + blurred @ (axis + rounding)) + computed
        if np.any(np.abs(apart @ given.axes.values[k]) > allowed):
            return "the principal axes are not those of the tensor"
    return ""


def _rounding(tensor: Rounded) -> float:
    """By how much rounding of its elements may have changed the principal moments of a tensor."""
    return float(np.max(np.sum(tensor.halves, axis=1)))


def _check_tensor(text: CadText, tensor: Rounded, *, planar: bool) -> None:
    """Whether a body can have this tensor, and whether enough digits of it are printed."""
    line = next((block.line for block in text.blocks), None)
    more = "let the CAD program print more decimals or smaller units (SolidWorks: Options, Use custom settings)"
    which = [2] if planar else [0, 1, 2]
    for axis in which:
        moment, half = tensor.values[axis, axis], tensor.halves[axis, axis]
        if moment <= half:
            problem = f"the moment of inertia about {AXES[axis]} is not greater than its last digit"
            text.slip(line, "few-digits", f"a moment of {moment:.3g} kg m^2", problem, more)
            return
    principal = np.linalg.eigvalsh(tensor.values)
    rounding = ROUNDING_FACTOR * _rounding(tensor) + COMPUTED_ERROR * float(principal[2])
    shown = ", ".join(f"{value:.6g}" for value in principal)
    if principal[0] <= 0.0 and not planar:
        problem = f"no body has this tensor: its principal moments would be {shown} kg m^2"
        text.slip(
            line,
            "impossible-inertia",
            "the moments of inertia",
            problem,
            more if principal[0] > -rounding else COPY_AGAIN,
        )
    elif principal[0] + principal[1] < principal[2] - rounding:
        problem = (
            f"no body has the principal moments {shown} kg m^2, for none may be greater than the sum of the other two"
        )
        text.slip(line, "impossible-inertia", "the moments of inertia", problem, COPY_AGAIN)
    else:
        coarse = max(tensor.halves[axis, axis] / tensor.values[axis, axis] for axis in which)
        if coarse > MAX_INERTIA_ROUNDING:
            problem = f"so few digits are printed that a moment of inertia may be wrong by {100 * coarse:.0f} %"
            text.slip(line, "few-digits", "the moments of inertia", problem, more, "warning")
