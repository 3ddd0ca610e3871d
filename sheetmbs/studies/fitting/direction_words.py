"""Directions in words: known patterns of hardpoints and of numbers that scale together, else the variables that move most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sheetmbs.studies.fitting.directions import Direction
from sheetmbs.studies.fitting.fit_space import Floats

NAMED = 0.3
"""of the largest part of a direction, from which a part is named"""
ALIKE = 0.05
"""by which parts may differ that count as equal"""
AXES = ("x", "y", "z")
WAYS = (("forward", "rearward"), ("to the left", "to the right"), ("up", "down"))
"""along the axes of ISO 8855, positive and negative"""
POINT, MASS, RATE = "point", "mass", "rate"
MEMBERS: Mapping[str, tuple[str, ...]] = {
    "lower arm": ("lower arm front", "lower arm rear", "lower ball joint"),
    "upper arm": ("upper arm front", "upper arm rear", "upper ball joint"),
    "tie rod": ("tie rod inner", "tie rod outer"),
    "push-rod or pull-rod": ("rod outer", "rod rocker"),
    "damper": ("damper chassis", "damper rocker"),
    "drop link": ("bar link suspension", "bar link bar"),
}
"""points that belong together, by the name of what they are points of"""
HINGES: Mapping[str, tuple[str, str, str]] = {
    "lower arm front": ("lower arm's front pivot", "lower arm rear", "hinge"),
    "lower arm rear": ("lower arm's rear pivot", "lower arm front", "hinge"),
    "upper arm front": ("upper arm's front pivot", "upper arm rear", "hinge"),
    "upper arm rear": ("upper arm's rear pivot", "upper arm front", "hinge"),
    "rocker pivot": ("rocker's pivot", "rocker axis", "axis"),
    "rocker axis": ("second point of the rocker's axis", "rocker pivot", "axis"),
}
"""points on an axis of turning: their names, the other point of that axis, and what the axis is called"""


@dataclass(frozen=True)
class VariableMeaning:
    """What a variable is. kind: point, mass, rate or "". group: axle of a point. point, axis: of a coordinate.

    places: (3,) of every point of its group by name, in the unit of the variable.
    """

    name: str
    unit: str = ""
    kind: str = ""
    group: str = ""
    point: str = ""
    axis: int = 0
    places: Mapping[str, Floats] = field(default_factory=dict)


def words_of(direction: Direction, scale: Floats, values: Floats, meanings: Sequence[VariableMeaning]) -> str:
    """A direction in words. scale: (p,) of variables. values: (p,) at the solution, in their units."""
    pattern = _pattern(direction.parts, scale, values, meanings)
    told = pattern or _parts_named(direction.parts, scale, meanings)
    if direction.verdict == "unseen":
        if pattern and " may slide along " in pattern:
            return f"{pattern} by any amount: no measured column changes"
        return f"{told}, by any amount: no measured column changes"
    return f"{told}{_sd_words(direction, scale, meanings)}"


def _sd_words(direction: Direction, scale: Floats, meanings: Sequence[VariableMeaning]) -> str:
    """The standard deviation that the data alone leave along a direction, where all that moves has one unit."""
    named = _named(direction.parts)
    units = {meanings[k].unit for k in named}
    if direction.singular_value <= 0.0 or len(units) != 1:
        return ""
    length = float(np.linalg.norm(direction.parts * scale)) / direction.singular_value
    unit = units.pop()
    return f": {length:.3g} {unit} sd" if unit else f": {length:.3g} sd"


def _named(parts: Floats) -> list[int]:
    """The variables whose parts are named, the largest first."""
    sizes = np.abs(parts)
    return [k for k in np.argsort(-sizes, kind="stable").tolist() if sizes[k] >= NAMED * sizes.max()]


def _parts_named(parts: Floats, scale: Floats, meanings: Sequence[VariableMeaning]) -> str:
    pieces = [f"{meanings[k].name} {parts[k] * scale[k]:+.3g} {meanings[k].unit}".rstrip() for k in _named(parts)]
    return pieces[0] if len(pieces) == 1 else f"{', '.join(pieces[:-1])} with {pieces[-1]}"


def _pattern(parts: Floats, scale: Floats, values: Floats, meanings: Sequence[VariableMeaning]) -> str:
    named = _named(parts)
    if all(meanings[k].kind == POINT for k in named):
        return _of_points(parts * scale, named, meanings)
    kinds = {meanings[k].kind for k in named}
    if len(named) > 1 and len(kinds) == 1 and kinds <= {MASS, RATE} and _is_common_scale(parts * scale, values, named):
        of = {MASS: "masses", RATE: "rates"}[kinds.pop()]
        which = f"all {of}" if _are_all(named, meanings) else f"the {of} {_names(named, meanings)}"
        return f"a common scale of {which}"
    return ""


def _are_all(named: Sequence[int], meanings: Sequence[VariableMeaning]) -> bool:
    return len(named) == sum(each.kind == meanings[named[0]].kind for each in meanings)


def _names(named: Sequence[int], meanings: Sequence[VariableMeaning]) -> str:
    names = [meanings[k].name for k in sorted(named)]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _is_common_scale(moves: Floats, values: Floats, named: Sequence[int]) -> bool:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.array([moves[k] / values[k] for k in named])
    return bool(np.isfinite(ratios).all() and np.ptp(ratios) <= ALIKE * np.abs(ratios).max())


def _of_points(moves: Floats, named: Sequence[int], meanings: Sequence[VariableMeaning]) -> str:
    """A pattern of hardpoints that move. moves: (p,) in units of the variables."""
    moved: dict[tuple[str, str], Floats] = {}
    for k, each in enumerate(meanings):
        if each.kind == POINT:
            moved.setdefault((each.group, each.point), np.zeros(3))[each.axis] += moves[k]
    largest = max(float(np.linalg.norm(each)) for each in moved.values())
    far = {key: each for key, each in moved.items() if np.linalg.norm(each) >= NAMED * largest}
    places = meanings[named[0]].places
    groups = {group for group, _point in far}
    if len(groups) != 1:
        return ""
    group = groups.pop()
    several_groups = len({each.group for each in meanings if each.kind == POINT}) > 1
    of_axle = f"{group} " if several_groups and group else ""
    if len(far) == 1:
        (_group, point), move = next(iter(far.items()))
        return _slide(point, move, places, of_axle)
    return _moved_together(far, moved, of_axle)


def _slide(point: str, move: Floats, places: Mapping[str, Floats], of_axle: str) -> str:
    """A pivot along the axis on which it stands."""
    if point not in HINGES or point not in places or HINGES[point][1] not in places:
        return ""
    name, other, axis = HINGES[point]
    along = places[other] - places[point]
    across = move - along * float(move @ along) / max(float(along @ along), 1e-300)
    if np.linalg.norm(across) > ALIKE * np.linalg.norm(move):
        return ""
    return f"the {of_axle}{name} may slide along its {axis}"


def _moved_together(
    far: Mapping[tuple[str, str], Floats], moved: Mapping[tuple[str, str], Floats], of_axle: str
) -> str:
    """Several points that move by the same: an arm or a rod, or all points along an axis."""
    moves = np.array(list(far.values()))
    mean = moves.mean(axis=0)
    size = float(np.linalg.norm(mean))
    if size == 0.0 or np.max(np.linalg.norm(moves - mean, axis=1)) > 2.0 * ALIKE * size:
        return _moved_across(far, of_axle)
    names = {point for _group, point in far}
    along = int(np.argmax(np.abs(mean)))
    is_on_axis = abs(mean[along]) >= (1.0 - ALIKE) * size
    if len(far) > 3 and len(far) == len(moved) and is_on_axis:
        return f"all {of_axle}points moved along {AXES[along]} as a whole"
    member = next((each for each, points in MEMBERS.items() if names == set(points)), "")
    if not member:
        return ""
    return f"{of_axle}{member} moved {_way(mean)} as a whole"


def _moved_across(far: Mapping[tuple[str, str], Floats], of_axle: str) -> str:
    """An arm or a rod all of whose points move along one axis the same way, by amounts that differ."""
    names = {point for _group, point in far}
    member = next((each for each, points in MEMBERS.items() if names == set(points)), "")
    moves = np.array(list(far.values()))
    along = int(np.argmax(np.abs(moves).sum(axis=0)))
    sizes = np.linalg.norm(moves, axis=1)
    is_along = np.abs(moves[:, along]) >= 0.8 * sizes
    same_way = np.all(moves[:, along] > 0.0) or np.all(moves[:, along] < 0.0)
    if not member or not is_along.all() or not same_way:
        return ""
    return f"{of_axle}{member} moved {_way(moves.mean(axis=0))} as a whole, its points by different amounts"


def _way(move: Floats) -> str:
    along = int(np.argmax(np.abs(move)))
    return WAYS[along][0 if move[along] > 0.0 else 1]
