"""Right-hand sides over time: value, first and second derivative of every motion of the model."""

from sheetmbs.engine.codes import MotionKind
from sheetmbs.engine.curves import evaluate
from sheetmbs.engine.tape import evaluate_jet
from sheetmbs.jit import inline_kernel

QUADRATIC = int(MotionKind.QUADRATIC)
FORMULA = int(MotionKind.FORMULA)


@inline_kernel
def evaluate_motions(A, W, t):
    """Fill W.motion at time t. A formula that has no value leaves its fault and its program in W.fault."""
    for m in range(A.motion.shape[0]):
        motion = A.motion[m]
        if motion.kind == QUADRATIC:
            u = t - motion.t0
            W.motion[m, 0] = motion.p + u * (motion.v + 0.5 * u * motion.a)
            W.motion[m, 1] = motion.v + u * motion.a
            W.motion[m, 2] = motion.a
        elif motion.kind == FORMULA:
            start = A.program_start[motion.index]
            fault, value, first, second = evaluate_jet(A.operation, A.constant, start, t, W.stack)
            if fault != 0:
                W.fault[0] = fault
                W.fault[1] = motion.index
            W.motion[m, 0] = motion.scale * value
            W.motion[m, 1] = motion.scale * first
            W.motion[m, 2] = motion.scale * second
        else:
            c = motion.index
            value, first, second, hint = evaluate(
                A.knot, A.coefficient, A.curve_start[c], A.curve_count[c], t, W.hint[c]
            )
            W.hint[c] = hint
            W.motion[m, 0] = value
            W.motion[m, 1] = first
            W.motion[m, 2] = second
