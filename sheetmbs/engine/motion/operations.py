"""The operations of expressions, as numbers for the tape kernel. The parser imports them too, so they need no numba."""

from __future__ import annotations

from enum import IntEnum

STACK_DEPTH = 64
"""Places on the stack that any expression can do with; the parser refuses others."""


class Operation(IntEnum):
    """Operations on a tape; the groups stand together, for the kernel asks for a group first.

    IF stands in trees only: on a tape it becomes jumps, so that the branch not taken is not evaluated.
    """

    NUMBER = 0
    TIME = 1
    VARIABLE = 2
    JUMP = 3
    JUMP_UNLESS = 4

    ADD = 5
    SUBTRACT = 6
    MULTIPLY = 7
    DIVIDE = 8
    POWER = 9
    ATAN2 = 10
    MIN = 11
    MAX = 12
    LESS = 13
    LESS_EQUAL = 14

    NEGATE = 15
    SIN = 16
    COS = 17
    TAN = 18
    ASIN = 19
    ACOS = 20
    ATAN = 21
    EXP = 22
    LOG = 23
    SQRT = 24
    ABS = 25
    SIGN = 26

    STEP = 27
    END = 28
    IF = 29


class TapeFault(IntEnum):
    """Why an expression has no value; `FAULTS` has the words."""

    NONE = 0
    DIVISION = 1
    LOGARITHM = 2
    ROOT = 3
    POWER = 4
    ARC = 5
    ATAN2 = 6
    STEP = 7
    TOO_LARGE = 8
    NO_DERIVATIVE = 9


FAULTS = {
    TapeFault.DIVISION: "it divides by zero",
    TapeFault.LOGARITHM: "it takes the logarithm of a number that is not positive",
    TapeFault.ROOT: "it takes the square root of a negative number",
    TapeFault.POWER: "it raises a negative number to a broken power, or zero or less to a varying one",
    TapeFault.ARC: "it takes asin or acos of a number outside -1 to 1",
    TapeFault.ATAN2: "it takes atan2 of 0 and 0",
    TapeFault.STEP: "the end of a step does not come after its start",
    TapeFault.TOO_LARGE: "a number in it is too large",
    TapeFault.NO_DERIVATIVE: "its rate of change is infinite",
}
"""What is wrong, as a clause that follows `the expression has no value at t = ...:`."""
