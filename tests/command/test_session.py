"""The first session of the docs, step by step as a reader would go through it: what it says is what happens."""

import re
from pathlib import Path

import openpyxl

from tests.support import shell

ROOT = Path(__file__).parents[2]
PAGE, SUSPENSION = ROOT / "docs" / "session.md", ROOT / "docs" / "suspension.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def follow(page, folder):
    """Go through a page in a folder. Yields after every command: itself, its exit status and output, and those shown."""
    steps = BLOCK.findall(page.read_text(encoding="utf-8"))
    names = {"__name__": "session"}
    for number, (language, code) in enumerate(steps):
        if language == "python":
            exec(compile(code, page.name, "exec"), names)  # noqa: S102 - our own documentation
        elif language == "bash":
            shown = [text for kind, text in steps[number + 1 : number + 2] if kind == "text"]
            for command in code.strip().splitlines():
                done = shell.run(command, folder)
                yield command, done.returncode, done.stdout + done.stderr, shown


def sheets_of(book):
    return openpyxl.load_workbook(book, read_only=True).sheetnames


def test_the_session_goes_as_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    statuses, listed = [], []
    for command, status, output, shown in follow(PAGE, tmp_path):
        statuses.append(status)
        assert not shown or [output] == shown, command
        listed.append([name for name in sheets_of("pump.xlsx") if name.startswith("mbs ")])
    assert statuses == [0, 2, 0, 0]
    assert listed[:3] == [[], ["mbs Problems"], []]
    assert {"mbs Summary", "mbs Bodies", "mbs Drivers", "mbs Charts"} <= set(listed[3])
    assert "mbs Problems" not in listed[3]


def test_the_ten_minutes_with_a_suspension_go_as_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outputs = []
    for command, status, output, _shown in follow(SUSPENSION, tmp_path):
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
    sheets = sheets_of("car.xlsx")
    assert {"mbs Suspension", "mbs Sweep heave", "mbs Loads", "mbs Suspension Charts", "mbs Suspension Metrics"} <= {
        *sheets
    }
    heave = openpyxl.load_workbook("car.xlsx", read_only=True)["mbs Sweep heave"]
    assert {"FL.camber", "B/FL.camber", "C/FL.camber"} <= {
        str(cell.value).split(" [")[0] for cell in next(heave.iter_rows())
    }
