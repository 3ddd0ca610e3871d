"""The first session of the docs, step by step as a reader would go through it: what it says is what happens."""

import re
from pathlib import Path

import openpyxl

from tests import shell

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "session.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def follow(folder):
    """Go through the page in a folder. Yields after every command: itself, its exit status and output, and those shown."""
    steps = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    names = {"__name__": "session"}
    for number, (language, code) in enumerate(steps):
        if language == "python":
            exec(compile(code, PAGE.name, "exec"), names)  # noqa: S102 - our own documentation
        elif language == "bash":
            shown = [text for kind, text in steps[number + 1 : number + 2] if kind == "text"]
            done = shell.run(code.strip(), folder)
            yield code.strip(), done.returncode, done.stdout + done.stderr, shown


def sheets_of(book):
    return openpyxl.load_workbook(book, read_only=True).sheetnames


def test_the_session_goes_as_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    statuses, listed = [], []
    for command, status, output, shown in follow(tmp_path):
        statuses.append(status)
        assert not shown or [output] == shown, command
        listed.append([name for name in sheets_of("pump.xlsx") if name.startswith("mbs ")])
    assert statuses == [0, 2, 0, 0]
    assert listed[:3] == [[], ["mbs Problems"], []]
    assert {"mbs Summary", "mbs Bodies", "mbs Drivers", "mbs Charts"} <= set(listed[3])
    assert "mbs Problems" not in listed[3]
