"""A force over a deformation or its rate: a factor, or a curve in its place."""

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.motion.curves import evaluate, integral


@inline_kernel
def law(A, W, slot, factor, x):
    """Factor times x, or the part that counts of the curve in a slot (`Work.held`); it goes on beyond its ends."""
    curve = A.elements.curve[slot]
    if curve < 0:
        return factor * x
    y, _slope, _bend, W.hint[curve] = evaluate(
        A.curves.knot, A.curves.coefficient, W.held[slot, 0], W.held[slot, 1], x, W.hint[curve]
    )
    return y


@inline_kernel
def law_slope(A, W, slot, factor, x):
    """Derivative of a `law` with respect to its deformation."""
    curve = A.elements.curve[slot]
    if curve < 0:
        return factor
    _y, slope, _bend, W.hint[curve] = evaluate(
        A.curves.knot, A.curves.coefficient, W.held[slot, 0], W.held[slot, 1], x, W.hint[curve]
    )
    return slope


@inline_kernel
def law_energy(A, slot, factor, x):
    """Integral of the law from 0 to x."""
    curve = A.elements.curve[slot]
    if curve < 0:
        return 0.5 * factor * x * x
    return integral(A.curves.knot, A.curves.coefficient, A.curves.start[curve], A.curves.count[curve], 0.0, x)
