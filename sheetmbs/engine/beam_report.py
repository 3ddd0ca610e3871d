"""Motion of the floating frames of beams, for the results."""

from sheetmbs.compiled import kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.bodies.beam_body import OWN_TURN, OWN_X, OWN_Y, TWIST, move_beams, place_beams
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
