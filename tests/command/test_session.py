"""The first session of the docs, step by step as a reader would go through it: what it says is what happens."""

import re
from pathlib import Path

import openpyxl

from tests.support import shell

ROOT = Path(__file__).parents[2]
PAGE, SUSPENSION = ROOT / "docs" / "session.md", ROOT / "docs" / "suspension.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TYPED = re.compile(r"^\| `([^`]+)` \|(.*)\|\n\|[-|]+\n((?:\|.*\|\n)+)", re.MULTILINE)
"""a table of what a reader types: the sheet and its headers, then rows that begin with their number or a setting"""


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def as_typed(text):
    """What a cell holds when a text is typed into it."""
    try:
        return float(text)
    except ValueError:
        return text or None


def type_into(book, sheet, headers, lines):
    """Type a table of the page into a workbook and save it, as a reader does in a spreadsheet program."""
    opened = openpyxl.load_workbook(book)
    places = {cell.value: cell.column for cell in opened[sheet][1]}
    rows = {opened[sheet].cell(row, 1).value: row for row in range(2, opened[sheet].max_row + 1)}
    for line in lines:
        first, *values = cells_of(line)
        row = int(first) if first.isdigit() else rows[first]
        for header, value in zip(headers, values, strict=True):
            opened[sheet].cell(row, places[header]).value = as_typed(value)
    opened.save(book)


def follow(page, folder, book):
    """Go through a page in a folder. Yields after every command: itself, its exit status and output, and those shown."""
    text = page.read_text(encoding="utf-8")
    steps = sorted([*BLOCK.finditer(text), *TYPED.finditer(text)], key=lambda step: step.start())
    for number, step in enumerate(steps):
        if step.re is TYPED:
            type_into(folder / book, step[1], cells_of(step[2]), step[3].splitlines())
        elif step[1] == "bash":
            shown = [after[2] for after in steps[number + 1 : number + 2] if after.re is BLOCK and after[1] == "text"]
            for command in step[2].strip().splitlines():
                done = shell.run(command, folder)
                yield command, done.returncode, done.stdout + done.stderr, shown


def sheets_of(book):
    return openpyxl.load_workbook(book, read_only=True).sheetnames


def test_the_session_goes_as_the_page_says(tmp_path):
    statuses, listed = [], []
    for command, status, output, shown in follow(PAGE, tmp_path, "pump.xlsx"):
        statuses.append(status)
        assert not shown or [output] == shown, command
        listed.append([name for name in sheets_of(tmp_path / "pump.xlsx") if name.startswith("mbs ")])
    assert statuses == [0, 2, 0, 0]
    assert listed[:3] == [[], ["mbs Problems"], []]
    assert {"mbs Summary", "mbs Bodies", "mbs Drivers", "mbs Charts"} <= set(listed[3])
    assert "mbs Problems" not in listed[3]
    summary = {row[0].value: row[1].value for row in openpyxl.load_workbook(tmp_path / "pump.xlsx")["mbs Summary"]}
    assert summary["motor.moment max"] > 0


def test_who_uses_excel_sees_no_python():
    assert [page.name for page in (PAGE, SUSPENSION) if "```python" in page.read_text(encoding="utf-8")] == []


def test_the_ten_minutes_with_a_suspension_go_as_the_page_says(tmp_path):
    outputs = []
    for command, status, output, _shown in follow(SUSPENSION, tmp_path, "car.xlsx"):
        assert status == 0, output
        assert "implausible" not in output
        outputs.append((command, output))
    assert [command.split()[1] for command, _output in outputs] == ["new", "run", "check", "run", "run"]
    runs = [output for command, output in outputs if command.split()[1] == "run"]
    [first, own, last] = [
        row.split() for each in runs for row in each.splitlines() if row.startswith("roll centre height")
    ][::2]
    assert len(last) > len(own)
    assert first != own
    sheets = sheets_of(tmp_path / "car.xlsx")
    assert {"mbs Suspension", "mbs Sweep heave", "mbs Loads", "mbs Suspension Charts", "mbs Suspension Metrics"} <= {
        *sheets
    }
    heave = openpyxl.load_workbook(tmp_path / "car.xlsx", read_only=True)["mbs Sweep heave"]
    assert {"FL.camber", "B/FL.camber", "C/FL.camber"} <= {
        str(cell.value).split(" [")[0] for cell in next(heave.iter_rows())
    }
