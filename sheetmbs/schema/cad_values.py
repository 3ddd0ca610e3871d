"""The numbers of a mass-properties text in SI, as arrays, with what rounding may have changed in each."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.cad_numbers import Printed, UnclearNumberError, printed
from sheetmbs.schema.cad_text import CadText, Mark, Slip, TextBlock

Floats = NDArray[np.float64]
AXES = "xyz"
AT_CENTRE, AT_ORIGIN = re.compile(r"cent(?:er|re) of mass", re.IGNORECASE), re.compile(r"origin", re.IGNORECASE)
SLACK = 2.0
"""by how much more than rounding explains numbers may differ"""
AGAIN = "copy the whole text once more, and paste it without changing anything"


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
            text.slips.append(
                Slip(
                    block.line,
                    "given-twice",
                    "a tensor",
                    "this text has one about that point already",
                    "paste the text of one body under each name",
                )
            )
    for block in unclear:
        problem = "it is not clear whether the tensor is taken about the centre of mass or about the origin"
        text.slips.append(
            Slip(block.line, "unclear-tensor", "a tensor", problem, "paste its heading too, or the whole text")
        )
    return centre[0] if centre else None, origin[0] if origin else None


def _vector(text: CadText, marks: dict[str, Mark], what: str, sign: str) -> Rounded | None:
    if not marks:
        return None
    missing = [axis for axis in AXES if axis not in marks]
    if missing:
        line = next(iter(marks.values())).line
        text.slips.append(Slip(line, "half-a-text", what, f"{' and '.join(missing)} of it is missing", AGAIN))
        return None
    return _rounded([text.value(marks[axis], sign) for axis in AXES])


def _matrix(text: CadText, block: TextBlock | None, sign: str) -> Rounded | None:
    if block is None:
        return None
    missing = [a + b for a in AXES for b in AXES if a <= b and not {a + b, b + a} & block.elements.keys()]
    if missing:
        names = ", ".join(block.letter + name for name in missing)
        text.slips.append(Slip(block.line, "half-a-text", "a tensor of inertia", f"{names} is missing", AGAIN))
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
        if abs(values[i, j] - values[j, i]) > SLACK * (halves[i, j] + halves[j, i]):
            one, other = block.letter + AXES[i] + AXES[j], block.letter + AXES[j] + AXES[i]
            second = block.elements[AXES[j] + AXES[i]]
            problem = f"{one} and {other} are the same quantity, and here they differ"
            text.slips.append(Slip(second.line, "unsymmetric", f"{other} = {second.raw}", problem, AGAIN))
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
