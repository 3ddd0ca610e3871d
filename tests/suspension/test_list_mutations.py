"""Lists that are cut, mistyped, in another encoding or of another kind: never a traceback, always a sentence."""

from __future__ import annotations

import random

import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.hardpoint_lists.read_lists import FORMS, read_list
from tests.support import exported_lists as lists

COUNT = 200
"""of mutants of each file"""
PIECES = (
    b"\n\n",
    b"[HARDPOINT]\n",
    b"TEMP_SETTINGS\n99999\n",
    b'"',
    b"\x00",
    b"FL ",
    b"'",
    b"POINT (3) = ",
    b"front\n",
)
NUMBERS = (b"9e99", b"nan", b"-", b"", b"1e400", b"x", b"1,5")
SIGNS = (b",", b"\t", b"  ", b";", b"|")


def sources():
    table = "axle;point;x [mm];y [mm];z [mm]\n" + "\n".join(
        f"front;{name};{x};{y};{z}" for name, (x, y, z) in lists.POINTS.items()
    )
    return {
        "optimumk.txt": lists.as_text([["Front"], *lists.optimumk_rows()]),
        "car.shk": lists.shark_text(),
        "car.sub": lists.adams_text(),
        "listing.txt": "FRONT SUSPENSION\n"
        + "\n".join(
            f"{-lists.POINTS[own][0]} {lists.POINTS[own][1]} {lists.POINTS[own][2]} POINT:{n} {label}"
            for n, (label, own) in enumerate(lists.LOTUS.items())
            if own
        ),
        "table.csv": table,
    }


def mutant(content: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(content) + 1)
        lines = content.split(b"\n")
        content = chance.choice(
            [
                content[:at] + content[at + chance.randint(1, 200) :],
                content[:at] + bytes([chance.randrange(256)]) + content[at + 1 :],
                content[:at],
                content[:at] + chance.choice(PIECES) + content[at:],
                b"\n".join(chance.sample(lines, len(lines))),
                b"\n".join(lines[: at % len(lines)] + lines[at % len(lines) + 1 :]),
                content.replace(b".", b","),
                content.replace(chance.choice(SIGNS), chance.choice(SIGNS)),
                content.decode("latin-1").encode(chance.choice(["utf-16", "utf-8-sig", "utf-16-le"])),
                content.replace(chance.choice([b"1", b"0", b"5"]), chance.choice(NUMBERS)),
            ]
        )
    return content


def outcome(file, form="", axle=""):
    """The points of a file, or what is wrong with it."""
    try:
        return read_list(file, form, axle).points, ()
    except WorkbookError as error:
        return (), error.problems


@pytest.mark.parametrize("name", sources())
def test_a_spoilt_list_ends_in_a_sentence(tmp_path, name):
    chance = random.Random(name)  # noqa: S311 - mutants, no secrets
    content = sources()[name].encode()
    file = tmp_path / name
    outcomes = set()
    for _ in range(COUNT):
        file.write_bytes(mutant(content, chance))
        points, problems = outcome(file, chance.choice(("", *FORMS)), chance.choice(("", "front")))
        outcomes |= {problem.code for problem in problems} or {"read"}
        assert bool(points) != bool(problems)
        assert all(problem.found and problem.problem and problem.mend for problem in problems)
        assert all(problem.cell.startswith(str(file)) for problem in problems if problem.cell)
    assert len(outcomes) > 3


@pytest.mark.parametrize("name", sources())
def test_half_a_list_gives_its_half_or_a_sentence_with_the_line(tmp_path, name):
    lines = sources()[name].splitlines()
    file = tmp_path / name
    for number in range(1, len(lines)):
        file.write_text("\n".join(lines[:number]))
        points, problems = outcome(file, axle="front")
        assert bool(points) != bool(problems)
        assert all(str(file) in f"{problem.cell} {problem.found}" for problem in problems)


@pytest.mark.parametrize("name", sources())
def test_encodings_and_line_ends_change_nothing(tmp_path, name):
    text = sources()[name]
    file = tmp_path / name
    file.write_text(text)
    expected = [(point.standard, *point.position) for point in read_list(file, axle="front").points]
    for encoding in ("utf-8-sig", "utf-16", "latin-1"):
        for end in ("\n", "\r\n", "\r"):
            file.write_bytes(end.join(text.split("\n")).encode(encoding))
            assert [(point.standard, *point.position) for point in read_list(file, axle="front").points] == expected
