"""How far a body has turned about a line, on the chassis or on another body, against where it is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.elements.rotation import cross
from sheetmbs.suspension.layout.car import Vector

CROSS = np.zeros((3, 3, 3))
CROSS[0, 1, 2] = CROSS[1, 2, 0] = CROSS[2, 0, 1] = -1.0
CROSS[0, 2, 1] = CROSS[1, 0, 2] = CROSS[2, 1, 0] = 1.0
"""the matrix of w x has the entries CROSS_ijk w_k"""


@dataclass(frozen=True, eq=False)
class BodyTurn:
    """An angle: of the direction ``arm`` of a body from ``ahead`` towards ``beside``, which are fixed on another one.

    side: of the corner to which both belong. base: the other body, ``""`` the chassis. Each direction is (3,), given at design.
    """

    side: str
    body: str
    base: str
    arm: Vector
    ahead: Vector
    beside: Vector


def turn_about(
    side: str, bodies: tuple[str, str], here: tuple[Vector, Vector], drawn: tuple[Vector, Vector]
) -> BodyTurn:
    """Turn of a body about a line of another one. bodies: that one and the body.

    here, drawn: (3,) unit direction of the line, and the arm from it to a point of the body, as assembled and as drawn.
    """
    base, body = bodies
    ahead, beside = square_to(*drawn)
    if base:
        turn = _shortest_turn(drawn[0], here[0])
        ahead, beside = (np.einsum("...ij,...j->...i", turn, along) for along in (ahead, beside))
    return BodyTurn(side, body, base, square_to(*here)[0], ahead, beside)


def square_to(along: Vector, arm: Vector) -> tuple[Vector, Vector]:
    """Two unit directions square to one, the first towards ``arm``."""
    across = arm - along * np.sum(arm * along, axis=-1, keepdims=True)
    across = across / np.linalg.norm(across, axis=-1, keepdims=True)
    return across, cross(along, across)


def _shortest_turn(first: Vector, second: Vector) -> Vector:
    """(.., 3, 3) rotation that takes one unit direction to another about the line square to both."""
    spin = np.einsum("ijk,...k->...ij", CROSS, cross(first, second))
    level = np.sum(first * second, axis=-1)[..., None, None]
    return np.asarray(np.eye(3) + spin + spin @ spin / (1.0 + level))
