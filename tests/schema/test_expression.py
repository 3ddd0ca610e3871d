"""Expressions: what the language means, and that it never does anything else."""

import copy
import math
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetmbs.engine.motion.operations import Operation
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.expression import Apply, Expression, ExpressionError, Number, Time, Variable, parse

ROOT = Path(__file__).parents[2]

BINARY = {
    Operation.ADD: lambda a, b: a + b,
    Operation.SUBTRACT: lambda a, b: a - b,
    Operation.MULTIPLY: lambda a, b: a * b,
    Operation.DIVIDE: lambda a, b: a / b,
    Operation.POWER: lambda a, b: a**b,
    Operation.ATAN2: math.atan2,
    Operation.MIN: min,
    Operation.MAX: max,
    Operation.LESS: lambda a, b: a < b,
    Operation.LESS_EQUAL: lambda a, b: a <= b,
}


def value(node, t):
    """The value of a tree, straight from what its nodes mean."""
    match node:
        case Number(number):
            return number
        case Time():
            return t
        case Apply(Operation.IF, (condition, yes, no)):
            return value(yes if value(condition, t) else no, t)
        case Apply(Operation.NEGATE, (operand,)):
            return -value(operand, t)
        case Apply(Operation.ABS, (operand,)):
            return abs(value(operand, t))
        case Apply(operation, arguments) if operation in BINARY:
            return BINARY[operation](*(value(argument, t) for argument in arguments))
        case Apply(operation, (operand,)):
            return getattr(math, operation.name.lower())(value(operand, t))
    raise AssertionError(node)


def at(text, t=0.7):
    return value(parse(text).tree, t)


def failure(text, variables=None):
    with pytest.raises(ExpressionError) as caught:
        parse(text, variables)
    return caught.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1.0),
        ("1.5", 1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e-3", 0.001),
        ("2.5E+2", 250.0),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^-1", 0.5),
        ("2^3^2", 512.0),
        ("2**3**2", 512.0),
        ("2^-1^2", 0.5),
        ("-2^-2", -0.25),
        ("2*-3", -6.0),
        ("2--3", 5.0),
        ("2-+3", -1.0),
        ("--3", 3.0),
        ("+3", 3.0),
        ("10-4-3", 3.0),
        ("16/4/2", 2.0),
        ("16/4*2", 8.0),
        ("2+3*4", 14.0),
        ("(2+3)*4", 20.0),
        ("2*3^2", 18.0),
        ("-3*2+1", -5.0),
        ("-1-1", -2.0),
        ("min(3, 1, 2)", 1.0),
        ("max(3, 1, 2, 5)", 5.0),
        ("min(1,5)", 1.0),
        ("atan2(1, 0)", math.pi / 2),
        ("pi", math.pi),
        ("pi()/2", math.pi / 2),
        ("if(1 < 2, 3, 4)", 3.0),
        ("if(2 < 2, 3, 4)", 4.0),
        ("if(2 <= 2, 3, 4)", 3.0),
        ("if(3 > 2, 3, 4)", 3.0),
        ("if(2 > 2, 3, 4)", 4.0),
        ("if(2 >= 2, 3, 4)", 3.0),
        ("if(1 < 2 or 1 > 2 and 1 > 2, 3, 4)", 3.0),
        ("if((1 < 2 or 1 > 2) and 1 > 2, 3, 4)", 4.0),
        ("if(not 1 > 2 and 1 < 2, 3, 4)", 3.0),
        ("if(not (1 < 2 and 1 > 2), 3, 4)", 3.0),
        ("if(not not 1 < 2, 3, 4)", 3.0),
        ("if(1 + 1 < 1 * 3, 3, 4)", 3.0),
        ("if(-1 < 0 and 0 < 1, if(1 < 0, 1, 2), 4)", 2.0),
        ("SIN(Pi/2)", 1.0),
        ("If(1<2 AND 2<3, T, 0)", 0.7),
        (" t\u00a0+\n1\t", 1.7),
    ],
)
def test_an_expression_means_what_mathematics_says(text, expected):
    assert at(text) == pytest.approx(expected, abs=1e-15)


OPERANDS = st.sampled_from(["t", "2", "3", "0.5", "(t+1)", "(2-t)"])


@st.composite
def unparenthesised(draw):
    """Arithmetic whose meaning hangs on precedence alone; powers stay small."""
    text = draw(OPERANDS)
    for _ in range(draw(st.integers(1, 8))):
        operator = draw(st.sampled_from(["+", "-", "*", "/", " + -", "*-", "/+", "-\t-"]))
        text += operator + draw(OPERANDS) + draw(st.sampled_from(["", "", "**2", "**-1", "**2**-1"]))
    return draw(st.sampled_from(["", "-", "+"])) + text


@settings(deadline=None)
@given(unparenthesised())
def test_precedence_is_that_of_python(text):
    expected = eval(text, {"__builtins__": {}}, {"t": 0.7})  # noqa: S307 - the reference, over a fixed alphabet
    assert at(text) == expected
    assert at(text.replace("**", "^")) == expected


COMPARISONS = ["t < 1", "t > 1", "1 <= 2", "2 <= 1", "1 >= t", "not t < 1", "(t < 2)", "(1 < 2 or 2 < 1)"]


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(COMPARISONS), st.sampled_from(["and", "or", "and not", "or not"])), min_size=1)
)
def test_precedence_of_conditions_is_that_of_python(parts):
    text = " ".join(f"{condition} {joint}" for condition, joint in parts[:8]) + " t < 1"
    expected = eval(text, {"__builtins__": {}}, {"t": 0.7})  # noqa: S307 - the reference, over a fixed alphabet
    assert at(f"if({text}, 1, 0)") == float(expected)


def test_motion_columns_are_collected_once_as_first_written():
    known = {"slider.vx", "my slider.x", "it's-2.phi", "t.x"}
    text = "Slider.vx*'my slider'.x + slider.VX - 'it''s-2'.phi + 'my slider.x' + t.x + t"
    seen = []

    def is_variable(name):
        seen.append(name)
        return name.casefold() in known

    expression = parse(text, is_variable)
    assert expression.variables == ("Slider.vx", "my slider.x", "it's-2.phi", "t.x")
    assert set(seen) == {"Slider.vx", "my slider.x", "slider.VX", "it's-2.phi", "t.x"}
    assert parse("slider.vx - Slider.VX", is_variable).tree == Apply(Operation.SUBTRACT, (Variable(0), Variable(0)))


def test_names_are_compared_in_composed_form():
    assert parse("arbre_à_came\u0301.x", lambda name: name == "arbre_à_cam\u00e9.x").variables


def test_without_motion_columns_only_time_may_vary():
    error = failure("2*slider.vx")
    assert error.position == 2
    assert "only the time" in error.problem
    assert "no such motion column" in failure("slider.wx", lambda name: name == "slider.vx").problem


@pytest.mark.parametrize(
    ("text", "position", "mend"),
    [
        ("", 0, "0.1*sin(2*pi*t)"),
        ("   ", 0, "0.1*sin(2*pi*t)"),
        ("sin t", 0, "sin(t)"),
        ("2t", 1, "2*t"),
        ("2 (t)", 2, "2*("),
        ("(t)(t)", 3, "*"),
        ("sin(30 deg)", 7, "pi/180"),
        ("1,5", 1, "1.5"),
        ("2*(0,25)", 4, "0.25"),
        ("sin(0,25)", 0, "point"),
        ("max(1;2)", 5, "comma"),
        ("=2*t", 0, "leave the equals sign out"),
        ("t=1", 1, "right of it"),
        ("if(t==1,1,2)", 4, "<="),
        ("if(t<>1,1,2)", 4, "<="),
        ("if(t!=1,1,2)", 4, "<="),
        ("if(t<1 && t>0,1,2)", 7, "and"),
        ("if(t<1 || t>2,1,2)", 7, "or"),
        ("if(!t<1,1,2)", 3, "not"),
        ("if(0<t<1,1,2)", 6, "and"),
        ("if(t,1,2)", 3, "comparison"),
        ("if(t<1,2)", 0, "if(condition, a, b)"),
        ("if t<1 then 2", 0, "if(condition, a, b)"),
        ("t<1", 0, "if(condition, 1, 0)"),
        ("1+(t<1)", 2, "if(condition, 1, 0)"),
        ("sin(t<1)", 4, "if(condition, 1, 0)"),
        ("not t", 4, "comparison"),
        ("sin", 0, "sin(x)"),
        ("sin()", 0, "sin(x)"),
        ("atan2(1)", 0, "atan2(y, x)"),
        ("step(t,0,1)", 0, "step(t, t0, y0, t1, y1)"),
        ("step(t,1,0,1,1)", 11, "t0 < t1"),
        ("min(1)", 0, "min(a, b)"),
        ("t(2)", 0, "t*("),
        ("pi(2)", 0, "pi*("),
        ("(1+t", 0, "add the missing )"),
        ("1+t)", 3, "remove it"),
        ("()", 1, "add it"),
        ("t+", 2, "add what is missing"),
        ("*t", 0, "remove the operator"),
        ("t not", 2, "and not"),
        ("1 000", 2, "blanks"),
        ("1e999", 0, "1e308"),
        ("t²", 1, "^2"),
        ("2*π", 2, "pi"),
        ("30°", 2, "pi/180"),
        ("1 \N{MINUS SIGN} t", 2, "keyboard"),
        ("2\N{MULTIPLICATION SIGN}t", 1, "*"),
        ("[t]", 0, "( and )"),
        ("'my slider.x", 0, "'my slider'.vx"),
        ("5 %", 2, "100"),
        ("ln(t)", 0, "log"),
        ("log10(t)", 0, "log(x)/log(10)"),
        ("arctan(t)", 0, "atan"),
        ("pow(t,2)", 0, "a^b"),
        ("sine(t)", 0, "did you mean sin?"),
        ("sqr(t)", 0, "did you mean sqrt?"),
        ("time", 0, "write t"),
        ("e^t", 0, "exp(1)"),
        ("zeta", 0, "known are"),
        ("__import__('os')", 0, "known are"),
        ("().__class__", 2, "slider.vx"),
        ("t.__class__", 0, "numbers and functions"),
        ("lambda: 1", 6, "remove it"),
        ("t\x00", 1, "remove it"),
    ],
)
def test_a_slip_is_found_at_its_place_with_its_mend(text, position, mend):
    error = failure(text)
    assert error.position == position
    assert mend in error.mend
    assert error.found
    assert error.problem


def test_a_name_with_blanks_is_told_of_quotes():
    assert "'my slider'.vx" in failure("my slider.vx", lambda _name: True).mend


def test_an_expression_error_is_a_problem_of_the_workbook():
    error = failure("2*foo(t)")
    assert isinstance(error, WorkbookError)
    assert [problem.mend for problem in error.problems] == [error.mend]
    assert "'foo' at character 3" in str(error)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "(" * 900 + "t" + ")" * 900,
        "sin(" * 400 + "t" + ")" * 400,
        "-" * 1999 + "t",
        "2^" * 999 + "2",
        "t+" * 999 + "t",
        "if(not " + "not " * 400 + "t<1,1,2)",
        "if(t<1," * 200 + "1" + ",2)" * 200,
        "min(" + "t," * 990 + "t)",
        "step(t,0,0,1," * 30 + "1" + ")" * 30,
        "1" * 100_000,
        "'" * 1999,
    ],
)
def test_an_immoderate_expression_is_refused(text):
    assert failure(text).mend


def test_a_long_sum_and_a_deep_nest_are_within_the_limits():
    assert at("+".join(f"sin({k}*t)/{k}" for k in range(1, 101))) == pytest.approx(
        sum(math.sin(k * 0.7) / k for k in range(1, 101)), rel=1e-13
    )
    assert at("(" * 49 + "t" + ")" * 49) == 0.7


def test_an_expression_is_compared_copied_and_pickled():
    expression = parse("+".join(["t"] * 200) + "*slider.x", lambda _name: True)
    for again in (copy.deepcopy(expression), pickle.loads(pickle.dumps(expression))):  # noqa: S301 - our own
        assert again == expression
        assert again.tree == expression.tree
    assert hash(expression) == hash(parse(expression.text, lambda _name: True))
    assert expression != parse("t")


ALPHABET = "t0123456789.+-*/^()<>=,;'\" sincotanexplgqrbmifdvz_&|!²é\u00a0"
PIECES = st.sampled_from(
    [*"t1+-*/^()(),<>=;'.", "pi", "2.5", "1e3", ".5", "**", "<=", ">=", "and", "or", "not", "==", "a.x", "'b c'.y"]
    + [f"{name}(" for name in ("if", "sin", "min", "max", "step", "atan2", "sqrt", "asin", "log")]
)


@settings(max_examples=500, deadline=None)
@given(st.one_of(st.text(), st.text(ALPHABET), st.lists(PIECES).map(" ".join), st.lists(PIECES).map("".join)))
def test_any_text_is_an_expression_or_an_expression_error(text):
    try:
        expression = parse(text, lambda name: name.endswith(("x", "y")))
    except ExpressionError as error:
        said = error
    else:
        assert isinstance(expression, Expression)
        return
    assert 0 <= said.position <= len(text)
    assert said.found
    assert said.problem
    assert said.mend
    assert str(said).isprintable()


def test_reading_expressions_does_not_import_numba():
    code = (
        "import sys; from sheetmbs.schema import expression, expression_evaluation;"
        "expression_evaluation.assemble([expression.parse('sin(t)')]);"
        "sys.exit(any(name in sys.modules for name in ('numba', 'scipy', 'pandas', 'pint')))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_a_message_stays_on_one_line_whatever_is_quoted():
    error = failure("2 'a\n\tb' + 1", lambda _name: True)
    assert str(error).isprintable()
    assert len(str(failure("'" + "a" * 500 + "'.x"))) < 300
