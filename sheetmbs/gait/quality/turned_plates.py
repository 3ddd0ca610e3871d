"""Plates whose corners begin elsewhere: under the feet all the same, on which nobody rolls forward, or brakes and pushes."""

from __future__ import annotations

from sheetmbs.gait.quality.force_sense import ALIKE, AS_WRITTEN, alikeness, likeness
from sheetmbs.gait.quality.solved_body import SolvedBody
from sheetmbs.schema.problem_list import ProblemList

TURNS = {90: (1, 2, 3, 0), 180: (2, 3, 0, 1), 270: (3, 0, 1, 2)}
"""degrees -> corners that begin at another one"""
SHORTEST = 0.4
"""s of a contact that tells how a foot rolls"""
UNLIKE = 0.35
"""correlations and shares that are not those of feet; sound plates have 0.6 to 0.9"""


def check_turns(body: SolvedBody, report: ProblemList) -> None:
    """An error for each plate on which feet roll, brake and push once it is turned, a warning where they roll backward."""
    if report.found({"action-for-reaction", "corners-wrong-way", "wrong-moment-unit"}) or not body.feet:
        return
    exchanged = [each.found for each in report.found({"exchanged-columns"})]
    for plate in body.recorded_plates:
        if any(found.startswith(f"{plate.name}:") for found in exchanged):
            continue
        geometry = body.geometry(plate)
        if geometry is None or geometry.corners is None or geometry.axes != "own" or plate.moment is None:
            continue
        known = [
            each for each in body.ground.of_contacts if each.plate == plate.name and each.side in {None, *body.feet}
        ]
        if not any(each.end - each.start > SHORTEST for each in known):
            continue
        sense = -1.0 if geometry.sign == "action" else 1.0
        now = alikeness(body, plate, geometry, AS_WRITTEN, sense)
        if min(now) >= UNLIKE:
            continue
        likest, degrees = max((likeness(body, plate, geometry, each, sense), turn) for turn, each in TURNS.items())
        if likest >= ALIKE:
            order = ", ".join(str(k + 1) for k in TURNS[degrees])
            found = f"{plate.name}: nobody rolls forward on it, or comes from braking to pushing ({min(now):.2f} of 1)"
            problem = f"turned {degrees} deg about {body.solved.prepared.axes.up[1]} feet do ({likest:.2f})"
            mend = f"write its corners in the order {order} (+x+y, -x+y, -x-y, +x-y of the plate)"
            report.error("turned-plate", body.plate_cell(plate, "x1"), found, problem, mend)
        elif now[1] < -ALIKE < ALIKE <= now[2]:
            found = (
                f"{plate.name}: the centre of pressure runs from the toes to the heel, while the foot brakes and pushes"
            )
            problem = "feet roll forward where forces say that they do: moments and forces do not belong together"
            mend = "look at the export: the sign of its moments, or mx and my exchanged, or the transducer's ox and oy"
            report.warning("backward-pressure", body.plate_cell(plate, "name"), found, problem, mend)
