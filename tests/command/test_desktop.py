"""The icon on which a workbook is dropped: made, what it starts, and removed."""

import os
import re
import subprocess
import sys

import pytest

from sheetmbs.command import desktop


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(desktop.shutil, "which", lambda _name: None)
    return tmp_path


def exec_words(content):
    """The words of the key Exec, with the escapes of a value and of quoted words undone."""
    value = next(line for line in content.splitlines() if line.startswith("Exec=")).removeprefix("Exec=")
    words = re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', value.replace("\\\\", "\\"))
    return [plain or re.sub(r'\\(["`$\\])', r"\1", quoted) for quoted, plain in words]


@pytest.mark.skipif(os.name == "nt", reason="Windows has a batch file instead")
def test_the_entry_is_made_and_removed(home, call):
    status, _out, err = call("desktop")
    files = sorted(path.relative_to(home).as_posix() for path in home.rglob("*.desktop"))
    assert (status, files) == (0, [".local/share/applications/sheetmbs.desktop", "Desktop/Run with sheetmbs.desktop"])
    assert "drop a workbook on it" in err
    assert call("desktop", "--remove")[0] == 0
    assert list(home.rglob("*.desktop")) == []
    assert call("desktop", "--remove")[0] == 0, "what is not there is removed already"


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX starts it")
@pytest.mark.parametrize("name", ["python", "with blank", "with $dollar", 'with "quote"'])
def test_the_entry_starts_a_run_of_the_files_that_are_dropped(name, home, monkeypatch):
    program = home / name
    program.write_text('#!/bin/sh\nfor word in "$@"; do echo "[$word]"; done\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(desktop.sys, "executable", str(program))
    *words, last = exec_words(next(iter(desktop.linux_files().values())))
    assert last == "%F"
    done = subprocess.run([*words, "a b.xlsx", "c.xlsx"], capture_output=True, text=True, input="\n", check=True)
    assert done.stdout.splitlines() == [
        *("[-m]", "[sheetmbs]", "[run]", "[--open]", "[a b.xlsx]", "[c.xlsx]"),
        "Press Enter to close this window.",
    ]


@pytest.mark.usefixtures("home")
def test_the_batch_file_of_windows_runs_all_dropped_files_and_waits():
    [(path, content)] = desktop.windows_files().items()
    assert path.name == "Run with sheetmbs.bat"
    assert content.split("\r\n") == ["@echo off", f'"{sys.executable}" -m sheetmbs run --open %*', "pause", ""]


def test_on_macos_it_says_what_to_do_instead(home, call, monkeypatch):
    monkeypatch.setattr(desktop.sys, "platform", "darwin")
    status, _out, err = call("desktop")
    assert (status, "sheetmbs run BOOK --open" in err) == (2, True)
    assert list(home.iterdir()) == []


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="an administrator may write everywhere")
def test_a_folder_that_takes_no_file_is_a_sentence(home, call):
    home.chmod(0o555)
    status, _out, err = call("desktop")
    assert (status, "cannot be made" in err) == (2, True)
