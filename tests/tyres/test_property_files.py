"""Files of tyre properties as they are met, and as they are broken."""

import random
import re

import numpy as np
import pytest

from sheetmbs.tyres.coefficients import FAMILIES
from sheetmbs.tyres.given_values import TyreProblems
from sheetmbs.tyres.property_lines import read_property_text
from tests.support.tyres import HMMWV, NAMES, read_text, text_of

SHORT = """
[UNITS]
LENGTH = 'meter'
[MODEL]
FITTYP = 61
TYRESIDE = 'LEFT'
LONGVL = 16.7
[DIMENSION]
UNLOADED_RADIUS = 0.25   $ free radius
[VERTICAL]
FNOMIN = 1000
VERTICAL_STIFFNESS = 1.0D+05
[COEFFICIENTS]
PCX1 = 1.6
PDX1 = 1.5
PKX1 = 30
PCY1 = 1.4
PDY1 = -1.4
PKY1 = -35
PKY2 = 1.5
RBX1 = 10
RCX1 = 1
RBY1 = 10
RCY1 = 1
"""


def lines_of(text):
    problems = TyreProblems()
    return read_property_text(text, "slick.tir", problems), problems.found


def errors(text):
    _tyre, problems = read_text(text, "slick.tir")
    return [(each.code, each.cell) for each in problems if each.severity == "error"]


@pytest.mark.parametrize("name", [*NAMES.values(), HMMWV])
def test_real_files_are_read_whole(name):
    tyre, problems = read_text(text_of(name), name)
    assert tyre is not None
    assert [each for each in problems if each.severity == "error"] == []


def test_a_short_file_is_read_and_what_is_missing_is_listed_once():
    tyre, problems = read_text(SHORT)
    assert tyre.measured_side == "left"
    assert tyre.kernel.magic.vertical_stiffness == 1e5
    missing = [each for each in problems if each.code == "missing-coefficients"]
    assert len(missing) == 1
    assert re.search(r"\bPHY1\b.* count 0; .*\bLCX\b.* count 1; PKY4 counts 2", missing[0].problem)


@pytest.mark.parametrize(
    "other",
    [
        SHORT.replace("\n", "\r\n"),
        SHORT.lower().replace("'left'", "'Left'"),
        SHORT.replace(" = ", "="),
        SHORT.replace(" = ", "\t =\t"),
        SHORT.replace("FNOMIN = 1000", "FNOMIN = 1.0e3 ! nominal load"),
        SHORT.replace("[COEFFICIENTS]", "[SHAPE]\n{radial width}\n 1.0 0.0\n 0.9 1.0D0 $ edge\n[COEFFICIENTS]"),
        SHORT.replace("[COEFFICIENTS]", "[COEFFICIENTS] $ of the fit"),
        SHORT + "[VERTICAL]\nFNOMIN = 1000.0\n",
        SHORT + "PHY1 =    $ blank\n",
        SHORT.replace("$ free radius", "$ Radius des unbelasteten Reifens, gr\u00f6\u00dfer"),
        SHORT.replace("FITTYP = 61", "FITTYP = '61'"),
        SHORT.replace("[MODEL]", "$ remark\n! remark\n\n[MODEL]"),
        "[MDI_HEADER]\nFILE_TYPE = 'tir'\n(COMMENTS)\n{comment_string}\n'a tyre'\n" + SHORT,
    ],
)
def test_files_as_they_are_met_give_the_same_tyre(other):
    one, two = read_text(SHORT)[0], read_text(other)[0]
    states = one.states(0.02, np.array([0.05, -0.1]), 0.01, 1200.0)
    assert np.array_equal(one.evaluate(states).forces, two.evaluate(states).forces)


def test_units_of_a_file_count():
    other = SHORT.replace("LENGTH = 'meter'", "LENGTH = 'mm'\nFORCE = 'kN'\nANGLE = 'degree'\nPRESSURE = 'bar'")
    other = other.replace("UNLOADED_RADIUS = 0.25", "UNLOADED_RADIUS = 250").replace("FNOMIN = 1000", "FNOMIN = 1")
    other = other.replace("1.0D+05", "0.1").replace("LONGVL = 16.7", "LONGVL = 16700")
    other += "ALPMIN = -12\nALPMAX = 12\nNOMPRES = 0.8\n"
    values = lines_of(other)[0].values
    assert values["ALPMAX"].value == pytest.approx(np.radians(12.0))
    assert values["NOMPRES"].value == pytest.approx(80e3)
    assert values["NOMPRES"].as_written == "0.8 bar"
    one, two = read_text(SHORT)[0], read_text(other)[0]
    states = one.states(0.02, 0.05, 0.01, 1200.0)
    np.testing.assert_allclose(two.evaluate(states).forces, one.evaluate(states).forces, rtol=1e-12)


def test_other_names_of_version_5_2_count_and_unknown_keys_are_kept():
    found, _problems = lines_of("LGAY = 0.9\nlgaz = 1.1\nIP = 8e5\nIP_NOM = 7e5\nMAGIC = 3\n")
    assert {name: each.value for name, each in found.values.items()} == {
        "LKYC": 0.9,
        "LKZC": 1.1,
        "INFLPRES": 8e5,
        "NOMPRES": 7e5,
    }
    assert list(found.unused) == ["MAGIC"]


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("PCX1 = 1.6", "PCX1 = nan", "not-a-number", 14),
        ("PCX1 = 1.6", "PCX1 = inf", "not-a-number", 14),
        ("PCX1 = 1.6", "PCX1 = 1,6", "not-a-number", 14),
        ("PCX1 = 1.6", "PCX1 = 1.6.2", "not-a-number", 14),
        ("PCX1 = 1.6", "PCX1 = 1.6 about", "not-a-number", 14),
        ("PCX1 = 1.6", "PCX1 = 1e400", "not-a-number", 14),
        ("PCX1 = 1.6", "PCX1 = 1.6\nPCX1 = 1.7", "given-twice", 15),
        ("PCX1 = 1.6", "PCX1 1.6", "broken-line", 14),
        ("[MODEL]", "[MODEL", "broken-section", 4),
        ("LENGTH = 'meter'", "LENGTH = 'ell'", "unknown-unit", 3),
        ("FITTYP = 61", "FITTYP = 63", "unknown-version", 5),
        ("TYRESIDE = 'LEFT'", "TYRESIDE = 'TOP'", "unknown-value", 6),
        ("PKY1 = -35", "PKY1 = 35", "wrong-sign", 19),
        ("PKY2 = 1.5", "PKY2 = 0", "missing-coefficient", 20),
        ("FNOMIN = 1000", "FNOMIN = -1000", "out-of-range", 11),
        ("VERTICAL_STIFFNESS = 1.0D+05", "Q_FZ2 = 1e9", "out-of-range", 12),
        ("PCX1 = 1.6", "PCX1 = 1.6\nLKX = -1", "out-of-range", 15),
        ("PCX1 = 1.6", "PCX1 = 1.6\nFZMIN = 900\nFZMAX = 100", "out-of-range", 16),
    ],
)
def test_a_mistake_is_an_error_at_its_line(old, new, code, line):
    assert old in SHORT
    assert errors(SHORT.replace(old, new)) == [(code, f"slick.tir, line {line}")]


@pytest.mark.parametrize(
    "key", ["FITTYP", "FNOMIN", "UNLOADED_RADIUS", "PCX1", "PDX1", "PKX1", "PCY1", "PDY1", "PKY1", "PKY2"]
)
def test_what_a_tyre_needs_is_an_error_where_it_is_missing(key):
    found = errors(re.sub(rf"(?m)^{key} = .*$", "", SHORT))
    assert [code for code, _place in found] == ["missing-version" if key == "FITTYP" else "missing-coefficient"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("PCX1 = 1.6", "PCX1 = -1.6", "unphysical-coefficient"),
        ("PCX1 = 1.6", "PCX1 = 1.6\nPEY1 = 1.5", "unphysical-coefficient"),
        ("RBX1 = 10", "", "no-combined-slip"),
        ("RCY1 = 1", "", "no-combined-slip"),
        ("PDY1 = -1.4", "PDY1 = -4", "unlikely-friction"),
        ("PKY1 = -35", "PKY1 = -2", "unlikely-stiffness"),
        ("FNOMIN = 1000", "FNOMIN = 1", "out-of-range"),
        ("UNLOADED_RADIUS = 0.25", "UNLOADED_RADIUS = 250", "out-of-range"),
        ("TYRESIDE = 'LEFT'", "", "missing-side"),
        ("PCX1 = 1.6", "PCX1 = 1.6\nALPMAX = 12", "angle-in-rad"),
    ],
)
def test_what_is_not_likely_is_a_warning(old, new, code):
    assert old in SHORT
    tyre, problems = read_text(SHORT.replace(old, new))
    assert tyre is not None
    assert code in [each.code for each in problems if each.severity == "warning"]


def mutated(text, rng):
    """A text with one thing broken as files break: a line, a character, a stretch, an end, a repetition."""
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    how = rng.randrange(7)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(at, lines[rng.randrange(len(lines))])
    elif how == 2:
        place = rng.randrange(max(len(lines[at]), 1))
        lines[at] = lines[at][:place] + rng.choice("=[]{}$!'\"0-.,eED x\x00\xe9") + lines[at][place + 1 :]
    elif how == 3:
        lines[at] = lines[at].replace("=", rng.choice(["", "==", " = nan", "= inf $"]), 1)
    elif how == 4:
        lines = lines[:at]
    elif how == 5:
        lines[at] = re.sub(
            r"-?\d+\.?\d*",
            lambda _m: rng.choice(["1e999", "--1", "1..2", "0", "1d3", "0x10", "12,5"]),
            lines[at],
            count=1,
        )
    else:
        place = rng.randrange(len(text))
        return text[:place] + text[place + rng.randrange(1, 200) :]
    return "".join(lines)


QUIET = {"Q_FZ1", "LMUV", "ASPECT_RATIO", "WIDTH", "LONGVL", "NOMPRES", "INFLPRES", "FITTYP", "PROPERTY_FILE_FORMAT"}
"""keys that most files may lack: they follow from others, or others stand for them"""


def test_300_mutated_files_end_in_a_tyre_or_in_errors_with_their_places():
    rng = random.Random(11)  # noqa: S311 - it breaks files
    texts = {name: text_of(name) for name in (*NAMES.values(), HMMWV)}
    sound = {name: lines_of(text)[0].values for name, text in texts.items()}
    refused = 0
    for _ in range(300):
        name = rng.choice(list(texts))
        text = mutated(texts[name], rng)
        tyre, problems = read_text(text, "slick.tir")
        found = [each for each in problems if each.severity == "error"]
        assert (tyre is None) == bool(found)
        assert all(each.cell and each.found and each.problem and each.mend for each in found)
        if tyre is None:
            refused += 1
            continue
        values = lines_of(text)[0].values
        written = {re.sub(r"\s", "", re.split(r"[$!]", line)[0]).lower() for line in text.splitlines()}
        for key, value in values.items():
            if key not in sound[name] or sound[name][key].value != value.value:
                number = value.as_written.split(" ")[0].lower()
                assert any(line.endswith((f"={number}", f"='{number}'")) for line in written), (key, value)
        told = " ".join(f"{each.found} {each.problem}" for each in problems)
        gone = [
            key
            for key in sound[name]
            if key not in values and key in FAMILIES[tyre.kernel.magic.version] and key not in QUIET
        ]
        assert [key for key in gone if key not in told] == []
    assert refused > 60
