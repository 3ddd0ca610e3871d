"""Motion and deformation of beams, for the results."""

from sheetmbs.compiled import kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.bodies.beam_body import (
    FRAME,
    FRAME_RATE,
    MODAL,
    OWN_TURN,
    OWN_X,
    OWN_Y,
    STRETCH,
    TURNING,
    TWIST,
    move_beams,
    place_beams,
)
from sheetmbs.engine.pose_columns import OX, OY, PHI, VX, VY, WZ
from sheetmbs.engine.records import Floats2, Floats3
from sheetmbs.engine.work import Work


@kernel
def floating_frames(A: Arrays, W: Work, Q: Floats2, V: Floats2, ACC: Floats2, out: Floats3) -> None:
    """Position and angle, velocities and accelerations of each beam's frame to out (times, beams, 9).

    Q, V, ACC: (times, nq), (times, nv), (times, nv).
    """
    pose = W.pose
    for n in range(out.shape[0]):
        place_beams(A.beams, pose, W.beam, Q[n])
        move_beams(A.beams, pose, W.beam, V[n])
        for k in range(A.beams.record.shape[0]):
            b = A.beams.record[k].body
            at, nv = A.body[b].v, A.body[b].nv
            out[n, k, 0] = pose[b, OX]
            out[n, k, 1] = pose[b, OY]
            out[n, k, 2] = pose[b, PHI]
            out[n, k, 3] = pose[b, VX]
            out[n, k, 4] = pose[b, VY]
            out[n, k, 5] = pose[b, WZ]
            out[n, k, 6] = pose[b, OWN_X] + ACC[n, at]
            out[n, k, 7] = pose[b, OWN_Y] + ACC[n, at + 1]
            out[n, k, 8] = pose[b, OWN_TURN]
            for m in range(nv - 2):
                for c in range(3):
                    out[n, k, 6 + c] += pose[b, TWIST + 3 * m + c] * ACC[n, at + 2 + m]


@kernel
def deformations(A: Arrays, W: Work, k: int, Q: Floats2, V: Floats2, ACC: Floats2, out: Floats2) -> None:
    """Angle, rate and angular acceleration of the frame of beam k, then p, p-dot and p-double-dot, to out (times, 3 + 3 n)."""
    beam = A.beams.record[k]
    n = beam.modes
    state = W.beam
    for row in range(out.shape[0]):
        place_beams(A.beams, W.pose, state, Q[row])
        move_beams(A.beams, W.pose, state, V[row])
        turned = ACC[row, beam.v + 2] / state[k, STRETCH]
        turning = state[k, TURNING] + turned
        out[row, 0] = state[k, FRAME]
        out[row, 1] = state[k, FRAME_RATE]
        for m in range(n):
            change = state[k, MODAL + 3 * n + m] - state[k, MODAL + n + m] * turned + ACC[row, beam.v + 3 + m]
            out[row, 3 + m] = state[k, MODAL + m]
            out[row, 3 + n + m] = state[k, MODAL + 2 * n + m]
            out[row, 3 + 2 * n + m] = change
            turning -= A.beams.lag[beam.at + m] * change
        out[row, 2] = turning
