"""The command that puts an icon on the desktop: a workbook dropped on it is run, and its results are opened."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from sheetmbs.command import common_options as common
from sheetmbs.command.console import Messages
from sheetmbs.command.solving import DONE, WRONG

EXAMPLES = """
    sheetmbs desktop -> an icon on which a workbook can be dropped
    sheetmbs desktop --remove -> takes it away
    """
NAME = "Run with sheetmbs"
TYPES = (
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.ms-excel.sheet.macroEnabled.12",
)
"""media types of .xlsx and .xlsm"""


def desktop(
    remove: Annotated[bool, typer.Option("--remove", help="Remove the icon.")] = False,  # noqa: FBT002
    debug: common.Debug = False,  # noqa: FBT002, ARG001 - read in `main` of cli.py
) -> None:
    """Put an icon on the desktop that runs workbooks.

    Drop a workbook on it: it is run, and the results are opened. On Linux it also appears under "Open with". Exit status 0:
    done. 2: this system has no such icons, or the file cannot be written.
    """
    messages = Messages()
    if sys.platform == "darwin":
        messages.say("On macOS there is no icon for this yet. In a terminal: sheetmbs run BOOK --open", "yellow")
        raise typer.Exit(WRONG)
    files = windows_files() if os.name == "nt" else linux_files()
    try:
        for path, content in files.items():
            if remove:
                path.unlink(missing_ok=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8", newline="")
                path.chmod(0o755)
    except OSError as error:
        messages.say(f"The icon cannot be {'removed' if remove else 'made'}: {error}.", "red")
        raise typer.Exit(WRONG) from None
    places = " and ".join(map(str, files))
    messages.say(f"{places}: {'removed' if remove else 'drop a workbook on it to run it'}.", "green")
    raise typer.Exit(DONE)


def windows_files() -> dict[Path, str]:
    """The batch file on the desktop, by its place.

    A dropped file is an argument. The window stays open, so that what was found can be read.
    """
    lines = ("@echo off", f'"{sys.executable}" -m sheetmbs run --open %*', "pause", "")
    return {desktop_folder() / f"{NAME}.bat": "\r\n".join(lines)}


def linux_files() -> dict[Path, str]:
    """The entry of the menu "Open with", and the same on the desktop, by their places.

    The window stays open until Enter, so that what was found can be read. Quoting: Desktop Entry Specification 1.5, "The Exec
    key".
    """
    script = (
        f'{shlex.quote(sys.executable)} -m sheetmbs run --open "$@"; echo "Press Enter to close this window."; read _'
    )
    quoted = re.sub(r'(["`$\\])', r"\\\1", script).replace("\\", "\\\\")  # of a string, then of the whole value
    lines = (
        "[Desktop Entry]",
        "Type=Application",
        f"Name={NAME}",
        "Comment=Analyse a workbook and open the results",
        f'Exec=sh -c "{quoted}" sheetmbs %F',
        "Terminal=true",
        "Icon=x-office-spreadsheet",
        f"MimeType={';'.join(TYPES)};",
        "Categories=Science;Engineering;",
        "",
    )
    entry = "\n".join(lines)
    menu = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "applications"
    return {menu / "sheetmbs.desktop": entry, desktop_folder() / f"{NAME}.desktop": entry}


def desktop_folder() -> Path:
    """The folder of the user's desktop: where Windows or xdg-user-dir says, or ``Desktop`` in the home folder."""
    if os.name == "nt":
        moved = Path(os.environ.get("ONEDRIVE") or Path.home()) / "Desktop"  # Windows takes names of any case
        return moved if moved.is_dir() else Path.home() / "Desktop"
    finder = shutil.which("xdg-user-dir")
    if finder:
        answer = _said_by([finder, "DESKTOP"])
        if answer and Path(answer) != Path.home():
            return Path(answer)
    return Path.home() / "Desktop"


def _said_by(words: list[str]) -> str:
    """The standard output of a program of the system."""
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603 - found by which
