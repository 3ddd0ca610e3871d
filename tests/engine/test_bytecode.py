"""Tapes: the compiled form of expressions, against mathematics done another way."""

import cmath
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetmbs.engine.motion.bytecode import evaluate_jet, evaluate_value
from sheetmbs.engine.motion.operations import FAULTS, STACK_DEPTH, TapeFault
from sheetmbs.schema.expression import ExpressionError, parse
from sheetmbs.schema.expression_evaluation import assemble


def jet(text, t):
    tapes = assemble([parse(text)])
    return evaluate_jet(tapes.operation, tapes.constant, tapes.start[0], t, np.empty((STACK_DEPTH, 3)))


def value(text, t=0.0, **columns):
    expression = parse(text, lambda _name: True)
    tapes = assemble([expression])
    variables = np.array([columns[name.split(".")[0]] for name in expression.variables], dtype=float)
    return evaluate_value(tapes.operation, tapes.constant, tapes.start[0], t, variables, np.empty((STACK_DEPTH, 3)))


def cauchy(function, t, radius=0.05, points=32):
    """Value and two derivatives of an analytic function by Cauchy's integrals over a circle around t."""
    turns = np.exp(2j * np.pi * np.arange(points) / points)
    samples = np.array([function(complex(t + radius * turn)) for turn in turns])
    moments = [(samples * turns**-k).mean().real * math.factorial(k) / radius**k for k in range(3)]
    return tuple(moments)


@pytest.mark.parametrize(
    ("text", "function", "t"),
    [
        ("3", lambda _z: 3.0, 1.0),
        ("t", lambda z: z, 1.5),
        ("t + t*t - 2/t", lambda z: z + z * z - 2 / z, 0.8),
        ("-t^3", lambda z: -(z**3), -1.2),
        ("t^2.5", lambda z: z**2.5, 1.3),
        ("t^-2", lambda z: z**-2, -1.3),
        ("t^1", lambda z: z, 0.0),
        ("t^2", lambda z: z * z, 0.0),
        ("t^0", lambda _z: 1.0, 0.0),
        ("2^t", lambda z: 2**z, 1.3),
        ("t^t", lambda z: z**z, 1.3),
        ("(1+t^2)^sin(t)", lambda z: (1 + z * z) ** cmath.sin(z), 0.4),
        ("sin(3*t)", lambda z: cmath.sin(3 * z), 0.4),
        ("cos(t^2)", lambda z: cmath.cos(z * z), 0.9),
        ("tan(t)", cmath.tan, 1.1),
        ("asin(t)", cmath.asin, 0.4),
        ("acos(t)", cmath.acos, -0.6),
        ("atan(2*t)", lambda z: cmath.atan(2 * z), 0.6),
        ("exp(-t^2)", lambda z: cmath.exp(-z * z), 0.7),
        ("log(1+t)", lambda z: cmath.log(1 + z), 0.7),
        ("sqrt(t)", cmath.sqrt, 1.7),
        ("atan2(sin(2*t), cos(2*t))", lambda z: 2 * z, 0.9),
        ("atan2(sin(2*t), cos(2*t)) + 2*pi", lambda z: 2 * z, 2.0),
        ("atan2(t, 3)", lambda z: cmath.atan(z / 3), -1.0),
        ("atan2(2, t)", lambda z: cmath.pi / 2 - cmath.atan(z / 2), 0.0),
        ("abs(t)", lambda z: -z, -0.8),
        ("abs(t)*t", lambda z: z * z, 0.8),
        ("sign(t)*t^2", lambda z: -z * z, -0.8),
        ("min(t, t^2)", lambda z: z * z, 0.6),
        ("max(t, t^2, 0.1)", lambda z: z, 0.6),
        ("if(t < 1, t^3, exp(t))", lambda z: z**3, 0.6),
        ("if(t < 1, t^3, exp(t))", cmath.exp, 1.6),
        ("step(t, 1, 2, 3, 5)", lambda _z: 2.0, 0.5),
        ("step(t, 1, 2, 3, 5)", lambda _z: 5.0, 3.5),
        ("step(t, 1, 2, 3, 5)", lambda z: 2 + 3 * ((z - 1) / 2) ** 2 * (3 - (z - 1)), 1.5),
        (
            "step(sin(t), 0, t, 1+t, t^2)",
            lambda z: z + (z * z - z) * (u := cmath.sin(z) / (1 + z)) ** 2 * (3 - 2 * u),
            0.9,
        ),
    ],
)
def test_value_and_derivatives_are_those_of_analysis(text, function, t):
    fault, *derivatives = jet(text, t)
    assert fault == TapeFault.NONE
    assert derivatives == pytest.approx(cauchy(function, t), rel=1e-9, abs=1e-9)


ENTIRE = st.recursive(
    st.one_of(
        st.just(("t", lambda z: z)),
        st.floats(-3, 3).map(lambda a: (repr(a), lambda _z: a)),
    ),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: (f"({p[0][0]} + {p[1][0]})", lambda z: p[0][1](z) + p[1][1](z))),
        st.tuples(inner, inner).map(lambda p: (f"({p[0][0]} - {p[1][0]})", lambda z: p[0][1](z) - p[1][1](z))),
        st.tuples(inner, inner).map(lambda p: (f"({p[0][0]} * {p[1][0]})", lambda z: p[0][1](z) * p[1][1](z))),
        inner.map(lambda f: (f"sin({f[0]})", lambda z: cmath.sin(f[1](z)))),
        inner.map(lambda f: (f"cos({f[0]})", lambda z: cmath.cos(f[1](z)))),
        inner.map(lambda f: (f"exp(sin({f[0]}))", lambda z: cmath.exp(cmath.sin(f[1](z))))),
        inner.map(lambda f: (f"({f[0]})^2", lambda z: f[1](z) ** 2)),
        inner.map(lambda f: (f"(-{f[0]})", lambda z: -f[1](z))),
    ),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(ENTIRE, st.floats(-1.5, 1.5))
def test_derivatives_of_random_entire_functions_agree_with_cauchys_integrals(pair, t):
    text, function = pair
    try:
        near, nearer = cauchy(function, t, 0.02), cauchy(function, t, 0.01)
    except OverflowError:
        return
    if not np.allclose(near, nearer, rtol=1e-7, atol=1e-7):
        return  # too wild for the reference
    fault, *derivatives = jet(text, t)
    assert fault == TapeFault.NONE
    scale = max(1.0, *(abs(x) for x in near))
    assert derivatives == pytest.approx(near, rel=1e-6, abs=1e-6 * scale)


def checked(function):
    """The plain function, with Fault.NONE or whatever Python says to it."""

    def result(*arguments):
        outcome = function(*arguments)
        if isinstance(outcome, complex) or not math.isfinite(outcome):
            raise ValueError
        return outcome

    return result


def tree(name, function, count):
    """Strategy step: text and plain Python function of (t, a) from those of ``count`` parts."""

    def join(parts):
        texts = [part[0] for part in parts]
        text = f"{name}({', '.join(texts)})" if name.isalnum() else f"({f' {name} '.join(texts)})"
        return text, lambda t, a: checked(function)(*(part[1](t, a) for part in parts))

    return lambda inner: st.tuples(*[inner] * count).map(join)


def chosen(parts):
    """``if``, and each of ``and``, ``or``, ``not``, evaluated as lazily as Python does."""
    a, b, c, word = parts
    conditions = {
        "and": (f"{a[0]} < {b[0]} and {b[0]} <= {c[0]}", lambda t, v: a[1](t, v) < b[1](t, v) <= c[1](t, v)),
        "or": (
            f"{a[0]} > {b[0]} or {b[0]} >= {c[0]}",
            lambda t, v: a[1](t, v) > b[1](t, v) or b[1](t, v) >= c[1](t, v),
        ),
        "not": (f"not {a[0]} < {b[0]}", lambda t, v: not a[1](t, v) < b[1](t, v)),
    }
    text, condition = conditions[word]
    return f"if({text}, {b[0]}, {c[0]})", lambda t, v: b[1](t, v) if condition(t, v) else c[1](t, v)


def smooth_step(x, x0, y0, x1, y1):
    if x1 <= x0:
        raise ValueError
    if not x0 < x < x1:
        return y0 if x <= x0 else y1
    u = (x - x0) / (x1 - x0)
    return y0 + (y1 - y0) * (3 * u**2 - 2 * u**3)


NODES = [
    tree("+", lambda x, y: x + y, 2),
    tree("-", lambda x, y: x - y, 2),
    tree("*", lambda x, y: x * y, 2),
    tree("/", lambda x, y: x / y, 2),
    tree("^", lambda x, y: x**y, 2),
    tree("atan2", lambda y, x: math.atan2(y, x) if x or y else 1 / x, 2),
    tree("min", min, 3),
    tree("max", max, 2),
    tree("sign", lambda x: (x > 0) - (x < 0), 1),
    tree("abs", abs, 1),
    tree("step", smooth_step, 5),
    lambda inner: st.tuples(inner, inner, inner, st.sampled_from(["and", "or", "not"])).map(chosen),
    *[
        tree(name, getattr(math, name), 1)
        for name in ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "sqrt")
    ],
]


TREES = st.recursive(
    st.one_of(
        st.just(("t", lambda t, _a: t)),
        st.just(("body.x", lambda _t, a: a)),
        st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0, 700.0]).map(lambda c: (repr(c), lambda _t, _a: c)),
    ),
    lambda inner: st.one_of([node(inner) for node in NODES]),
    max_leaves=12,
)


@settings(max_examples=1000, deadline=None)
@given(TREES, st.floats(-3, 3), st.floats(-3, 3))
def test_a_tape_gives_what_plain_mathematics_gives_or_a_fault(pair, t, a):
    text, function = pair
    try:
        expected = float(function(t, a))
    except (ArithmeticError, ValueError):
        expected = None
    try:
        fault, found = value(text, t, body=a)
    except ExpressionError:  # a step that goes back shows when reading already
        assert "step(" in text
        return
    if expected is None:
        assert fault != TapeFault.NONE
        assert found == 0.0
    else:
        assert fault == TapeFault.NONE
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "t", "fault"),
    [
        ("1/t", 0.0, TapeFault.DIVISION),
        ("t^-1", 0.0, TapeFault.DIVISION),
        ("log(t)", 0.0, TapeFault.LOGARITHM),
        ("log(t)", -1.0, TapeFault.LOGARITHM),
        ("sqrt(t)", -1e-300, TapeFault.ROOT),
        ("t^0.5", -1.0, TapeFault.POWER),
        ("t^t", -2.0, TapeFault.POWER),
        ("asin(t)", 1.0000001, TapeFault.ARC),
        ("acos(t)", -1.5, TapeFault.ARC),
        ("atan2(t, 0)", 0.0, TapeFault.ATAN2),
        ("step(1, t, 0, 0, 1)", 0.0, TapeFault.STEP),
        ("exp(t)", 710.0, TapeFault.TOO_LARGE),
        ("10^t", 309.0, TapeFault.TOO_LARGE),
        ("t*t", 1e200, TapeFault.TOO_LARGE),
        ("1/(t*t)", 1e200, TapeFault.TOO_LARGE),
        ("sqrt(t)", 0.0, TapeFault.NO_DERIVATIVE),
        ("asin(t)", 1.0, TapeFault.NO_DERIVATIVE),
        ("acos(t)", -1.0, TapeFault.NO_DERIVATIVE),
        ("t^0.5", 0.0, TapeFault.NO_DERIVATIVE),
        ("t^1.5", 0.0, TapeFault.NO_DERIVATIVE),
    ],
)
def test_what_has_no_value_or_no_rate_is_a_fault(text, t, fault):
    assert jet(text, t) == (fault, 0.0, 0.0, 0.0)


def test_every_fault_has_its_words():
    assert set(FAULTS) == set(TapeFault) - {TapeFault.NONE}


def test_a_value_alone_needs_no_rate():
    assert value("sqrt(t) + asin(a.x)", 0.0, a=1.0) == (TapeFault.NONE, pytest.approx(math.pi / 2))
    assert jet("sqrt(0) + acos(1) + 0^1.5", 0.3) == (TapeFault.NONE, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "text",
    [
        "if(t > 0, log(t), 0)",
        "if(t <= 0, 0, 1/t)",
        "if(t > 0 and log(t) < 1, 1, 0)",
        "if(t <= 0 or log(t) < 1, 0, 1)",
    ],
)
def test_what_is_not_chosen_is_not_evaluated(text):
    assert jet(text, -1.0) == (TapeFault.NONE, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "derivatives"),
    [
        ("abs(t-1)", (0.0, 1.0, 0.0)),
        ("abs(1-t)", (0.0, 1.0, 0.0)),
        ("abs(-(t-1)^2)", (0.0, 0.0, 2.0)),
        ("min(t, 2-t)", (1.0, -1.0, 0.0)),
        ("max(t, 2-t)", (1.0, 1.0, 0.0)),
        ("max(0, (t-1)^2)", (0.0, 0.0, 2.0)),
        ("step(t, 1, 0, 3, 1)", (0.0, 0.0, 1.5)),
        ("step(t, 0, 0, 1, 1)", (1.0, 0.0, 0.0)),
        ("if(t >= 1, t^2, 0)", (1.0, 2.0, 2.0)),
        ("if(t < 1, t^2, 0)", (0.0, 0.0, 0.0)),
        ("sign(t-1)", (0.0, 0.0, 0.0)),
    ],
)
def test_at_a_kink_the_derivatives_are_those_just_after_it(text, derivatives):
    assert jet(text, 1.0) == (TapeFault.NONE, *derivatives)


def test_a_step_joins_with_continuous_value_and_slope():
    for edge in (1.0, 3.0):
        before, after = jet("step(t, 1, 2, 3, 5)", edge - 1e-9), jet("step(t, 1, 2, 3, 5)", edge + 1e-9)
        assert before[1:3] == pytest.approx(after[1:3], abs=1e-8)


def test_programs_share_their_arrays_and_place_their_columns():
    force = parse("2*b.x - A.vx + 7", lambda _name: True)
    other = parse("if(t < 1, a.vx*7, b.x)", lambda _name: True)
    tapes = assemble([force, other, force], {"b.x": 3, "A.vx": 1, "a.vx": 1})
    assert list(tapes.constant).count(7.0) == 1
    variables, stack = np.array([np.nan, 10.0, np.nan, 4.0]), np.empty((STACK_DEPTH, 3))
    results = [
        evaluate_value(tapes.operation, tapes.constant, start, t, variables, stack)
        for start in tapes.start
        for t in (0.0, 2.0)
    ]
    assert results == [(0, 5.0), (0, 5.0), (0, 70.0), (0, 4.0), (0, 5.0), (0, 5.0)]
    with pytest.raises(KeyError):
        assemble([force], {"b.x": 0})


def test_no_programs_are_empty_arrays():
    tapes = assemble([])
    assert tapes.operation.shape == (0, 2)
    assert len(tapes.constant) == len(tapes.start) == 0


def highest_place(text):
    """How many places of the stack an expression uses, or None if it is refused."""
    try:
        tapes = assemble([parse(text)])
    except ExpressionError:
        return None
    stack = np.full((10 * STACK_DEPTH, 3), np.nan)
    assert evaluate_jet(tapes.operation, tapes.constant, 0, 0.5, stack)[0] == TapeFault.NONE
    return int(np.isfinite(stack[:, 0]).sum())


def test_no_accepted_expression_uses_more_than_the_promised_stack():
    sums = [highest_place("1+(" * count + "t" + ")" * count) for count in range(1, 70)]
    steps = [highest_place("step(t,0,0,1," * count + "t" + ")" * count) for count in range(1, 25)]
    minima = [highest_place("min(" * count + "t" + ",t)" * count) for count in range(1, 25)]
    assert sums[:40] == list(range(2, 42))
    assert steps[:15] == list(range(5, 65, 4))
    assert set(steps[15:]) == {None}
    assert set(minima) == {2}


SCRIPT = """
import json, numpy as np
from sheetmbs.engine.motion.bytecode import evaluate_jet
from sheetmbs.schema.expression import parse
from sheetmbs.schema.expression_evaluation import assemble
tapes = assemble([parse(text) for text in json.loads(input())])
stack = np.empty((64, 3))
print(json.dumps([[float(x) for x in evaluate_jet(tapes.operation, tapes.constant, start, t, stack)]
                  for start in tapes.start for t in (0.0, 0.3, 1.0, 800.0)]))
"""

ROOT = Path(__file__).parents[2]


def test_without_jit_the_numbers_are_the_same():
    texts = [
        "t^2.5*sin(t)/(1+t)", "step(t,0.1,1,0.9,2)*exp(-t)", "if(t<0.5 and not t<0.2, sqrt(t), log(t))", "exp(t)", "1/t",
        "max(tan(t), atan2(t,2), asin(t/2))", "sqrt(t)", "abs(t-1)+sign(t)", "(1+t)^t", "t^-200", "t^200", "min(t,acos(t))",
    ]  # fmt: skip
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", SCRIPT],
            cwd=ROOT,
            input=json.dumps(texts),
            env=os.environ | {"NUMBA_DISABLE_JIT": switch},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for switch in ("0", "1")
    ]
    compiled, plain = (np.array(json.loads(output)) for output in outputs)
    assert (compiled[:, 0] == plain[:, 0]).all()
    assert 0 < (compiled[:, 0] != 0).sum() < len(compiled) / 2
    np.testing.assert_allclose(compiled, plain, rtol=1e-13)
