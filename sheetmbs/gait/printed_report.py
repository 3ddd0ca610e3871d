"""The pages of the report as a PDF, made by LibreOffice of a copy of the workbook of which nothing else is printed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.results.results import Writable
from sheetmbs.workbook.package import parts
from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.package.parts import PRINT_AREA
from sheetmbs.workbook.sheets.sheet_contents import GAIT_REPORT
from sheetmbs.workbook.writing.printed_inputs import NOTHING

PROGRAMS = ("soffice", "libreoffice")
USUAL_PLACES = (
    Path("/Applications/LibreOffice.app/Contents/MacOS/soffice"),
    Path("C:/Program Files/LibreOffice/program/soffice.exe"),
    Path("C:/Program Files (x86)/LibreOffice/program/soffice.exe"),
)
"""where it is on computers that do not have it on the path"""
LONGEST = 180.0
"""s that a conversion may take; a usual one takes ten"""


def write_pdf(results: Writable, path: Path) -> Path:
    """Write the pages of the report. Raises WorkbookError where LibreOffice is not there or does not make them."""
    program = libreoffice()
    if program is None:
        problem = "LibreOffice makes it, and is not installed here"
        mend = f"install it, or print the sheet {GAIT_REPORT} from your own program"
        raise _not_written(path, problem, mend)
    with TemporaryDirectory() as folder:
        written = results.save_somewhere(Path(folder) / "report.xlsx", backup=False, tell=lambda _lost: None)
        _print_alone(written, GAIT_REPORT)
        command = [program, f"-env:UserInstallation={Path(folder, 'profile').as_uri()}", "--headless"]
        command += ["--convert-to", "pdf", "--outdir", folder, str(written)]
        made = written.with_suffix(".pdf")
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=LONGEST)  # noqa: S603 - our own arguments
            if not made.is_file():
                raise FileNotFoundError(made)
            shutil.copyfile(made, path)
        except subprocess.SubprocessError as error:
            problem = f"LibreOffice did not make it ({type(error).__name__})"
            raise _not_written(path, problem, f"print the sheet {GAIT_REPORT} from your own program") from error
        except OSError as error:
            problem = f"it cannot be written ({error.strerror or 'LibreOffice made nothing'})"
            raise _not_written(path, problem, "name another place, and close the file where it is open") from error
    return path


def libreoffice() -> str | None:
    """The program, None where it is not installed."""
    found = next((each for name in PROGRAMS if (each := shutil.which(name))), None)
    return found or next((str(each) for each in USUAL_PLACES if each.is_file()), None)


def _print_alone(book: Path, sheet: str) -> None:
    """Have nothing printed of a workbook but one sheet."""
    package = Package(book)
    workbook = package.xml(package.workbook)
    for each in package.sheets:
        if each.name != sheet and each.kind == "worksheet":
            parts.name_ranges(workbook, each.name, {PRINT_AREA: NOTHING})
    with ZipFile(book) as before:
        contents = {name: before.read(name) for name in before.namelist()}
    contents[package.workbook] = parts.serialised(workbook)
    with ZipFile(book, "w", ZIP_DEFLATED) as after:
        for name, content in contents.items():
            after.writestr(name, content)


def _not_written(path: Path, problem: str, mend: str) -> WorkbookError:
    return WorkbookError([Problem("not-printed", "error", "", f"{path} was not written", problem, mend)])
