"""Mutated C3D files and wild formulas: a value or a sentence, in bounded memory and time. A sample here, all of it nightly."""

from __future__ import annotations

import random
import struct
import warnings
from contextlib import suppress

import pytest

from sheetmbs.gait.formats.c3d_files import fault_of_head, read_file
from sheetmbs.problems.errors import WorkbookError
from tests.gait.test_gait_formats import MADE
from tests.support import gait_files as files
from tests.support.formula_books import at, formulas_of, save
from tests.workbook.mutated_files import mutated

HEAD = 2560
"""bytes of the file that hold its head and parameters"""
FUNCTIONS = (
    "REPT SUBSTITUTE CONCAT TEXTJOIN REPLACE UPPER TEXT LEN MMULT TRANSPOSE SEQUENCE SUM SUMPRODUCT INDEX IF IFERROR COUNTIF "
    "MATCH VLOOKUP MINVERSE MDETERM ROUND POWER EXP FACT COMBIN LEFT MID FIND VALUE MOD LARGE SORT UNIQUE BASE OFFSET INDIRECT"
)
ATOMS = '1 -1 0 2.5 1E9 1E300 32767 "a" "ab" "" TRUE A1 A2 B1 A1:A3 A1:C3 A:A 1:1 {1,2;3,4} REPT("a",32000) #N/A'


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    return files.write_c3d(tmp_path_factory.mktemp("c3d") / "walk.c3d", MADE, (2, 4)).read_bytes()


def read_mutated(walk, path, number):
    """Read a file with faults; whatever is raised but a WorkbookError fails the test."""
    path.write_bytes(mutated(walk, number, HEAD))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with suppress(WorkbookError):
            read_file(path)


@pytest.mark.parametrize("number", range(30))
def test_a_mutated_c3d_is_read_or_refused(walk, tmp_path, number):
    read_mutated(walk, tmp_path / "mutated.c3d", number)


@pytest.mark.nightly
@pytest.mark.parametrize("begin", range(1000, 6000, 100))
def test_every_mutated_c3d_is_read_or_refused(walk, tmp_path, begin):
    for number in range(begin, begin + 100):
        read_mutated(walk, tmp_path / "mutated.c3d", number)


@pytest.mark.parametrize(
    ("at_byte", "value", "word"),
    [
        (2, 0xFFFF, "frames of 65,535 points"),
        (4, 0xFFFF, "65,535 analog samples"),
        (8, 0xFFFE, "65,5"),
        (16, 0xFFF0, "and it has 0 for them"),
        (0, 0x50FF, "its parameters are to begin at byte"),
        (0, 0x0002, "first bytes"),
    ],
)
def test_a_head_that_claims_more_than_the_file_has_is_refused_before_it_is_read(walk, at_byte, value, word):
    assert fault_of_head(walk, len(walk)) == ""
    wrong = bytearray(walk)
    wrong[at_byte : at_byte + 2] = struct.pack("<H", value)
    assert word in fault_of_head(bytes(wrong), len(wrong))


def test_a_file_cut_off_within_its_frames_is_refused(walk):
    assert "and it has" in fault_of_head(walk[:-2000], len(walk) - 2000)


def wild(chance, depth):
    """A formula made by chance, of functions that can make much of little."""
    if depth == 0 or chance.random() < 0.2:
        return chance.choice(ATOMS.split())
    if chance.random() < 0.3:
        return f"({wild(chance, depth - 1)}{chance.choice('+-*/^&=<')}{wild(chance, depth - 1)})"
    arguments = ",".join(wild(chance, depth - 1) for _each in range(chance.randrange(1, 4)))
    return f"{chance.choice(FUNCTIONS.split())}({arguments})"


def compute_wild(path, begin, count):
    """Compute formulas of one workbook: each has a value or a fault that is told at its cell."""
    chance = random.Random(begin)  # noqa: S311 - formulas, not secrets
    cells = {"A1": 1.0, "A2": "ab", "A3": 3.0, "B1": 2.0, "C2": 5.0}
    cells |= {f"E{row}": (f"={wild(chance, 5)}", 0.0) for row in range(1, count + 1)}
    save(path, {"A": cells})
    formulas = formulas_of(path)
    places = [at(f"A!E{row}") for row in range(1, count + 1)]
    values, refused = formulas.trusted(places)
    assert values.keys() | refused.keys() == set(places)
    assert all(len(value) <= 32_767 for value in values.values() if isinstance(value, str))


@pytest.mark.parametrize("begin", [1, 2])
def test_wild_formulas_have_a_value_or_a_fault(tmp_path, begin):
    compute_wild(tmp_path / "wild.xlsx", begin, 40)


@pytest.mark.nightly
@pytest.mark.parametrize("begin", range(1000, 1250))
def test_many_wild_formulas_have_a_value_or_a_fault(tmp_path, begin):
    compute_wild(tmp_path / "wild.xlsx", begin, 20)
