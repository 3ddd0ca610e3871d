"""Mass-properties texts laid out as SolidWorks and Fusion print them, of bodies made of point masses.

Mass, centre and both tensors are sums over the points, each by its own definition: so a text is right by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
SOLIDWORKS_UNITS = {
    "grams": ("millimeters", "grams *  square millimeters", 1e3, 1e3),
    "kilograms": ("meters", "kilograms * square meters", 1.0, 1.0),
    "pounds": ("inches", "pounds * square inches", 1 / 0.45359237, 1 / 0.0254),
}
"""mass -> length, inertia, how many of it are 1 kg, and of the length 1 m"""
FUSION_UNITS = {"g": ("mm", 1e3, 1e3), "kg": ("m", 1.0, 1.0), "lbmass": ("in", 1 / 0.45359237, 1 / 0.0254)}
NOTATIONS = {"positive": -1.0, "negative": 1.0, "": -1.0}
"""note of SolidWorks on its products of inertia -> product printed / element of the tensor; older versions have no note"""


@dataclass(frozen=True, eq=False)
class Made:
    """Mass in kg, centre (3,) in m, tensors (3, 3) about the centre and about the origin in kg m^2."""

    mass: float
    centre: Floats
    at_centre: Floats
    at_origin: Floats


def made_of(points: Sequence[tuple[float, tuple[float, float, float]]]) -> Made:
    """The body of these point masses: kg, and their places in mm."""
    masses, places = np.array([mass for mass, _ in points]), np.array([place for _, place in points]) / 1000.0
    centre = np.round(masses @ places / masses.sum(), 15) + 0.0  # no -0.0
    return Made(float(masses.sum()), centre, _tensor(masses, places - centre), _tensor(masses, places))


def pairs(
    centre: tuple[float, float, float], *halves: tuple[float, tuple[float, float, float]]
) -> list[tuple[float, tuple[float, float, float]]]:
    """Point masses in pairs on either side of their centre: mass of each, and how far from it."""
    c = np.array(centre)
    return [(mass, tuple((c + side * np.array(way)).tolist())) for mass, way in halves for side in (-1, 1)]


def _tensor(masses: Floats, places: Floats) -> Floats:
    x, y, z = places.T
    xx, yy, zz = (float(masses @ (a * a + b * b)) for a, b in ((y, z), (x, z), (x, y)))
    xy, xz, yz = (-float(masses @ (a * b)) for a, b in ((x, y), (x, z), (y, z)))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def solidworks(name: str, body: Made, unit: str = "grams", decimals: int = 2, notation: str = "positive") -> list[str]:
    """The lines of SolidWorks. notation: positive, negative, or ``""`` as in versions that do not say."""
    length, inertia, per_kg, per_m = SOLIDWORKS_UNITS[unit]
    size, sign = per_kg * per_m**2, NOTATIONS[notation]
    moments, columns = np.linalg.eigh(body.at_centre)
    axes = columns.T * np.array([1.0, 1.0, np.linalg.det(columns)])[:, None]
    note = f" (Using {notation} tensor notation.)" if notation else ""
    lines = [
        f"Mass properties of {name}",
        "     Configuration: Default",
        "     Coordinate system: -- default --",
        "",
        f"Mass = {body.mass * per_kg:.{decimals}f} {unit}",
        "",
        f"Center of mass: ( {length} )",
        *(f"\t{axis} = {place * per_m:.{decimals}f}" for axis, place in zip("XYZ", body.centre, strict=True)),
        "",
        f"Principal axes of inertia and principal moments of inertia: ( {inertia} )",
        "Taken at the center of mass.",
    ]
    for letter, axis, moment in zip("xyz", axes, moments * size, strict=True):
        way = ",  ".join(f"{part:.{decimals}f}" for part in axis)
        lines.append(f"\t I{letter} = ( {way})   \tP{letter} = {moment:.{decimals}f}")
    headings = "center of mass and aligned with the output coordinate system.", "output coordinate system."
    for letter, heading, tensor in zip("LI", headings, (body.at_centre, body.at_origin), strict=True):
        lines += ["", f"Moments of inertia: ( {inertia} )", f"Taken at the {heading}{note}"]
        for i, a in enumerate("xyz"):
            row = [
                f"{letter}{a}{b} = {tensor[i, j] * size * (1.0 if i == j else sign):.{decimals}f}"
                for j, b in enumerate("xyz")
            ]
            lines.append("\t" + "\t".join(row))
    return lines


def fusion(name: str, body: Made, unit: str = "g", decimals: int = 3, equals: str = " = ") -> list[str]:
    """The lines of Fusion. equals: what stands before the elements of a tensor, a tab in newer versions."""
    length, per_kg, per_m = FUSION_UNITS[unit]
    size = per_kg * per_m**2
    centre = ", ".join(f"{place * per_m:.{decimals}f} {length}" for place in body.centre)
    lines = [
        name,
        "",
        f"Mass\t{body.mass * per_kg:.{decimals}f} {unit}",
        f"World X,Y,Z\t0.00 {length}, 0.00 {length}, 0.00 {length}",
        f"Center of Mass\t{centre}",
    ]
    for where, tensor in (("Center of Mass", body.at_centre), ("Origin", body.at_origin)):
        lines += ["", f"Moment of Inertia at {where}   ({unit} {length}^2)"]
        for i, a in enumerate("xyz"):
            lines += [f"\tI{a}{b}{equals}{tensor[i, j] * size:.{decimals}f}" for j, b in enumerate("xyz")]
    return lines
