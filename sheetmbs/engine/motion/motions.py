"""Right-hand sides over time: value, first and second derivative of every motion of the model."""

import math

from sheetmbs.compiled import kernel
from sheetmbs.engine.codes import MotionKind
from sheetmbs.engine.motion.bytecode import evaluate_jet
from sheetmbs.engine.motion.curves import evaluate
from sheetmbs.engine.motion.spin import spin

QUADRATIC = int(MotionKind.QUADRATIC)
FORMULA = int(MotionKind.FORMULA)
SPIN = int(MotionKind.SPIN)


@kernel
def evaluate_motions(motions, curves, tapes, t, out, hint, stack, fault_at) -> None:
    """Fill out (motions, 3) at time t. A formula that has no value gives nan and leaves its fault and program in fault_at."""
    for m in range(motions.shape[0]):
        motion = motions[m]
        k = motion.index
        if motion.kind == QUADRATIC:
            u = t - motion.t0
            out[m, 0] = motion.p + u * (motion.v + 0.5 * u * motion.a)
            out[m, 1] = motion.v + u * motion.a
            out[m, 2] = motion.a
        elif motion.kind == FORMULA:
            fault, value, first, second = evaluate_jet(tapes.operation, tapes.constant, tapes.start[k], t, stack)
            if fault != 0:
                fault_at[0] = fault
                fault_at[1] = k
                value = first = second = math.nan
            out[m, 0] = motion.scale * value
            out[m, 1] = motion.scale * first
            out[m, 2] = motion.scale * second
        elif motion.kind == SPIN:
            velocity, acceleration = spin(out, m - 4 - k, k)
            out[m, 0] = 0.0
            out[m, 1] = velocity
            out[m, 2] = acceleration
        else:
            value, first, second, interval = evaluate(
                curves.knot, curves.coefficient, curves.start[k], curves.count[k], t, hint[k]
            )
            hint[k] = interval
            out[m, 0] = value
            out[m, 1] = first
            out[m, 2] = second
