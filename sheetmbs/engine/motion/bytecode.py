"""Evaluation of expressions: one kernel walks over a tape and keeps value and two time derivatives of each part.

Derivatives follow the rules of truncated Taylor arithmetic (Griewank and Walther 2008, sec. 13.2), here for derivatives
instead of Taylor coefficients. Where a function has a kink, they are those just after the instant. The tapes come from
`schema/expression_evaluation.py`; Fault in `operations.py` names what may go wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.motion.operations import Operation, TapeFault
from sheetmbs.engine.records import Floats, Ints, Ints2

NUMBER = int(Operation.NUMBER)
TIME = int(Operation.TIME)
VARIABLE = int(Operation.VARIABLE)
JUMP = int(Operation.JUMP)
JUMP_UNLESS = int(Operation.JUMP_UNLESS)
ADD = int(Operation.ADD)
SUBTRACT = int(Operation.SUBTRACT)
MULTIPLY = int(Operation.MULTIPLY)
DIVIDE = int(Operation.DIVIDE)
POWER = int(Operation.POWER)
ATAN2 = int(Operation.ATAN2)
MIN = int(Operation.MIN)
MAX = int(Operation.MAX)
LESS = int(Operation.LESS)
LESS_EQUAL = int(Operation.LESS_EQUAL)
NEGATE = int(Operation.NEGATE)
SIN = int(Operation.SIN)
COS = int(Operation.COS)
TAN = int(Operation.TAN)
ASIN = int(Operation.ASIN)
ACOS = int(Operation.ACOS)
ATAN = int(Operation.ATAN)
EXP = int(Operation.EXP)
LOG = int(Operation.LOG)
SQRT = int(Operation.SQRT)
ABS = int(Operation.ABS)
STEP = int(Operation.STEP)
END = int(Operation.END)

NO_FAULT = int(TapeFault.NONE)
DIVISION_FAULT = int(TapeFault.DIVISION)
LOGARITHM_FAULT = int(TapeFault.LOGARITHM)
ROOT_FAULT = int(TapeFault.ROOT)
POWER_FAULT = int(TapeFault.POWER)
ARC_FAULT = int(TapeFault.ARC)
ATAN2_FAULT = int(TapeFault.ATAN2)
STEP_FAULT = int(TapeFault.STEP)
TOO_LARGE = int(TapeFault.TOO_LARGE)
NO_DERIVATIVE = int(TapeFault.NO_DERIVATIVE)

LARGEST_EXPONENT = 709.78  # exp of more is not a double


@dataclass(frozen=True, eq=False)
class Tapes(Bundle):
    """All formulas of a model as programs."""

    start: Ints  # per program: first operation
    operation: Ints2  # (operations, 2)
    constant: Floats


@inline_kernel
def evaluate_jet(operation, constant, start, t, stack):
    """Value, first and second time derivative of an expression of t alone.

    operation, constant: the arrays of all tapes; start: where this one begins; stack: (STACK_DEPTH, 3) scratch.
    Returns (fault, value, first, second); with a fault the others are 0.
    """
    return run_bytecode(operation, constant, start, t, 1.0, constant, stack)


@inline_kernel
def evaluate_value(operation, constant, start, t, variables, stack):
    """Value of an expression of t and of motion columns, as `evaluate_jet`. Returns (fault, value)."""
    fault, value, _first, _second = run_bytecode(operation, constant, start, t, 0.0, variables, stack)
    return fault, value


@kernel
def run_bytecode(operation, constant, start, t, rate, variables, stack) -> tuple[int, float, float, float]:
    """Evaluate a tape with t changing at ``rate`` (1, or 0 where no derivative is wanted) and constant variables."""
    fault = NO_FAULT
    top = -1
    k = start
    while True:
        op, operand = operation[k, 0], operation[k, 1]
        k += 1
        if op == END:
            break
        if op == JUMP:
            k = operand
            continue
        if op == JUMP_UNLESS:
            top -= 1
            if stack[top + 1, 0] == 0.0:
                k = operand
            continue
        v, d, dd = 0.0, 0.0, 0.0
        if op <= VARIABLE:
            top += 1
            if op == NUMBER:
                v = constant[operand]
            elif op == TIME:
                v, d = t, rate
            else:
                v = variables[operand]
        elif op <= LESS_EQUAL:
            top -= 1
            a, a1, a2 = stack[top, 0], stack[top, 1], stack[top, 2]
            b, b1, b2 = stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2]
            fault, v, d, dd = _binary(op, a, a1, a2, b, b1, b2)
        elif op == STEP:
            top -= 4
            fault, v, d, dd = _step(stack, top)
        else:
            x, x1, x2 = stack[top, 0], stack[top, 1], stack[top, 2]
            fault, v, f1, f2 = _unary(op, x, x1, x2)
            if x1 != 0.0 or x2 != 0.0:
                d, dd = f1 * x1, f2 * x1 * x1 + f1 * x2
        if fault != NO_FAULT:
            return fault, 0.0, 0.0, 0.0
        if not math.isfinite(v):
            return TOO_LARGE, 0.0, 0.0, 0.0
        stack[top, 0], stack[top, 1], stack[top, 2] = v, d, dd
    if not (math.isfinite(stack[0, 1]) and math.isfinite(stack[0, 2])):
        return NO_DERIVATIVE, 0.0, 0.0, 0.0
    return NO_FAULT, stack[0, 0], stack[0, 1], stack[0, 2]


@inline_kernel
def _binary(op, a, a1, a2, b, b1, b2):
    """An operation on two jets. Returns (fault, value, first, second)."""
    if op == ADD:
        return NO_FAULT, a + b, a1 + b1, a2 + b2
    if op == SUBTRACT:
        return NO_FAULT, a - b, a1 - b1, a2 - b2
    if op == MULTIPLY:
        return NO_FAULT, a * b, a1 * b + a * b1, a2 * b + 2.0 * a1 * b1 + a * b2
    if op == LESS:
        return NO_FAULT, 1.0 if a < b else 0.0, 0.0, 0.0
    if op == LESS_EQUAL:
        return NO_FAULT, 1.0 if a <= b else 0.0, 0.0, 0.0
    if op == POWER:
        return _power(a, a1, a2, b, b1, b2)
    if op == DIVIDE:
        return _divide(a, a1, a2, b, b1, b2)
    if op == ATAN2:
        return _atan2(a, a1, a2, b, b1, b2)
    is_less = _after(a - b, a1 - b1, a2 - b2) < 0.0
    if is_less == (op == MIN):
        return NO_FAULT, a, a1, a2
    return NO_FAULT, b, b1, b2


@inline_kernel
def _divide(a, a1, a2, b, b1, b2):
    if b == 0.0:
        return DIVISION_FAULT, 0.0, 0.0, 0.0
    v = a / b
    d = (a1 - v * b1) / b
    return NO_FAULT, v, d, (a2 - 2.0 * d * b1 - v * b2) / b


@inline_kernel
def _atan2(y, y1, y2, x, x1, x2):
    if x == 0.0 and y == 0.0:
        return ATAN2_FAULT, 0.0, 0.0, 0.0
    v = math.atan2(y, x)
    if x1 == 0.0 and x2 == 0.0 and y1 == 0.0 and y2 == 0.0:
        return NO_FAULT, v, 0.0, 0.0
    r = x * x + y * y
    if r == 0.0:
        return NO_FAULT, v, math.inf, math.inf
    d = (x * y1 - y * x1) / r
    return NO_FAULT, v, d, (x * y2 - y * x2 - 2.0 * d * (x * x1 + y * y1)) / r


@inline_kernel
def _power(a, a1, a2, b, b1, b2):
    if a == 0.0 and b < 0.0:
        return DIVISION_FAULT, 0.0, 0.0, 0.0
    varies = b1 != 0.0 or b2 != 0.0
    if (a < 0.0 and b != math.floor(b)) or (varies and a <= 0.0):
        return POWER_FAULT, 0.0, 0.0, 0.0
    v = _raise(a, b)
    if varies:  # a^b = exp(m), m = b log a
        log, log1 = math.log(a), a1 / a
        m1 = b1 * log + b * log1
        m2 = b2 * log + 2.0 * b1 * log1 + b * (a2 / a - log1 * log1)
        return NO_FAULT, v, v * m1, v * (m1 * m1 + m2)
    if b == 0.0 or (a1 == 0.0 and a2 == 0.0):
        return NO_FAULT, v, 0.0, 0.0
    f1 = b * _raise(a, b - 1.0)
    f2 = 0.0 if b == 1.0 else b * (b - 1.0) * _raise(a, b - 2.0)
    return NO_FAULT, v, f1 * a1, f2 * a1 * a1 + f1 * a2


@kernel
def _raise(a, b) -> float:
    """a^b, infinite where it is too large (plain Python would raise an error)."""
    if b == 0.0:
        return 1.0
    if a == 0.0:
        return 0.0 if b > 0.0 else math.inf
    if b * math.log(abs(a)) > LARGEST_EXPONENT:
        return math.inf
    return a**b


@inline_kernel
def _unary(op, x, x1, x2):
    """A function of one argument: (fault, f, f', f'')."""
    if op == NEGATE:
        return NO_FAULT, -x, -1.0, 0.0
    if op == SIN:
        f, f1 = math.sin(x), math.cos(x)
        return NO_FAULT, f, f1, -f
    if op == COS:
        f, f1 = math.cos(x), -math.sin(x)
        return NO_FAULT, f, f1, -f
    if op == TAN:
        f = math.tan(x)
        f1 = 1.0 + f * f
        return NO_FAULT, f, f1, 2.0 * f * f1
    if op == EXP:
        if x > LARGEST_EXPONENT:
            return TOO_LARGE, 0.0, 0.0, 0.0
        f = math.exp(x)
        return NO_FAULT, f, f, f
    if op == LOG:
        if x <= 0.0:
            return LOGARITHM_FAULT, 0.0, 0.0, 0.0
        f1 = 1.0 / x
        return NO_FAULT, math.log(x), f1, -f1 * f1
    if op == SQRT:
        if x < 0.0:
            return ROOT_FAULT, 0.0, 0.0, 0.0
        f = math.sqrt(x)
        f1 = 0.5 / f if f > 0.0 else math.inf
        return NO_FAULT, f, f1, -2.0 * f1 * f1 * f1
    if op == ATAN:
        f1 = 1.0 / (1.0 + x * x)
        return NO_FAULT, math.atan(x), f1, -2.0 * x * f1 * f1
    if op in (ASIN, ACOS):
        g = (1.0 - x) * (1.0 + x)
        if g < 0.0:
            return ARC_FAULT, 0.0, 0.0, 0.0
        f1 = 1.0 / math.sqrt(g) if g > 0.0 else math.inf
        f2 = x * f1 * f1 * f1
        if op == ASIN:
            return NO_FAULT, math.asin(x), f1, f2
        return NO_FAULT, math.acos(x), -f1, -f2
    if op == ABS:
        f1 = 1.0 if _after(x, x1, x2) >= 0.0 else -1.0
        return NO_FAULT, abs(x), f1, 0.0
    return NO_FAULT, math.copysign(1.0, x) if x != 0.0 else 0.0, 0.0, 0.0


@inline_kernel
def _step(stack, top):
    """Smooth cubic step from y0 at x0 to y1 at x1: arguments x, x0, y0, x1, y1 stand on the stack from ``top`` on."""
    x, x1, x2 = stack[top, 0], stack[top, 1], stack[top, 2]
    a, a1, a2 = stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2]
    y, y1, y2 = stack[top + 2, 0], stack[top + 2, 1], stack[top + 2, 2]
    b, b1, b2 = stack[top + 3, 0], stack[top + 3, 1], stack[top + 3, 2]
    z, z1, z2 = stack[top + 4, 0], stack[top + 4, 1], stack[top + 4, 2]
    if b <= a:
        return STEP_FAULT, 0.0, 0.0, 0.0
    if x < a:
        return NO_FAULT, y, y1, y2
    if x >= b:
        return NO_FAULT, z, z1, z2
    _fault, u, u1, u2 = _divide(x - a, x1 - a1, x2 - a2, b - a, b1 - a1, b2 - a2)
    w = u * u * (3.0 - 2.0 * u)
    w1 = 6.0 * u * (1.0 - u) * u1
    w2 = 6.0 * (1.0 - 2.0 * u) * u1 * u1 + 6.0 * u * (1.0 - u) * u2
    h, h1, h2 = z - y, z1 - y1, z2 - y2
    return NO_FAULT, y + h * w, y1 + h1 * w + h * w1, y2 + h2 * w + 2.0 * h1 * w1 + h * w2


@inline_kernel
def _after(x, x1, x2):
    """A number with the sign that x has just after this instant."""
    if x != 0.0:
        return x
    return x1 if x1 != 0.0 else x2
