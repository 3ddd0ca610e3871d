"""The file itself: read once, and refused with one sentence where it is not a zip archive that is safe to unpack."""

from __future__ import annotations

import io
import os
import stat
import struct
import sys
import zipfile
import zlib
from hashlib import sha256
from pathlib import Path

from sheetmbs.files.whole_file import is_held
from sheetmbs.problems.errors import Problem, WorkbookError

DEVICE_NAMES = {"con", "prn", "aux", "nul", "conin$", "conout$"} | {
    f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³"
}
"""names of devices, with any ending: what is written to NUL.csv is gone"""
FORBIDDEN_CHARACTERS = '<>:"|?*'
"""signs that no name may have; what follows a colon would be a hidden stream of another file"""
MAX_NAME_BYTES = 255
"""bytes of the name of a file, on all usual file systems"""
MAX_PATH_LENGTH = 259
"""characters, unless long paths are switched on in Windows"""
Stamp = tuple[int, int, int]
"""inode, size, time of the last change in ns"""
MAX_FILE = 2 << 30
"""Bytes of a file, for it is held in memory: 10,000 rows by 200 columns of unlike numbers take 26 MB."""
MAX_ENTRIES = 20_000
"""Parts of a package: a sheet with a chart brings five, so this leaves room for thousands of sheets."""
MAX_UNPACKED = 4 << 30
"""Bytes of all parts unpacked: 40 result sheets of 10,000 rows by 200 columns (87 MB each)."""
MAX_PART = 320 << 20
"""Bytes of one part that is to be parsed, for it is then held in memory, for a moment twice: nearly four times such a sheet."""
MAX_LISTING = 64 << 20
"""Bytes of a part that lists others, or styles: 20,000 parts take 4 MB."""
MAX_RATIO = 500
"""Unpacked to packed size of a large part. Sheets measured 4 to 20, and 430 where every cell is a 0 without a
reference; a bomb comes near 1,032, the limit of deflate."""
MIN_RATIO_SIZE = 1 << 20
"""Bytes from which a part's ratio is looked at: a small part harms nobody."""

EXTENSIONS = (".xlsx", ".xlsm")

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"
ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, ValueError)
"""The errors that reading a broken archive raises."""


def check_file_name(path: Path, mend: str) -> None:
    """Raise WorkbookError where there can be no file of this name. mend: what to do instead."""
    for part in path.parts:
        size = len(os.fsencode(part))
        if size > MAX_NAME_BYTES:
            found = f"the name {part[:20]}.. has {size} bytes"
            rule = f"names of files and folders have {MAX_NAME_BYTES} bytes at most"
            raise WorkbookError(Problem("name-too-long", "error", "", found, rule, mend))
    if sys.platform != "win32":
        return
    name = path.name
    found = ""
    if name.partition(".")[0].rstrip(" ").casefold() in DEVICE_NAMES:
        found, rule = f"{name} is the name of a device", "what is written to it is no file"
    elif signs := [sign for sign in FORBIDDEN_CHARACTERS if sign in name]:
        found, rule = (
            f"{name} has {' '.join(signs)} in it",
            f"Windows has no files with {' '.join(FORBIDDEN_CHARACTERS)} in their names",
        )
    elif name.endswith((" ", ".")):
        found, rule = f"'{name}' ends in a blank or a point", "Windows drops these from the names of files"
    if found:
        raise WorkbookError(Problem("unfit-name", "error", "", found, rule, mend))


def fitting_name(stem: str, ending: str) -> str:
    """A name of a stem and an ending. Of a stem that is too long its beginning stays, with a digest of all of it."""
    name = f"{stem}{ending}"
    if len(os.fsencode(name)) <= MAX_NAME_BYTES:
        return name
    told_apart = f"-{sha256(os.fsencode(stem)).hexdigest()[:8]}{ending}"
    kept = os.fsencode(stem)[: MAX_NAME_BYTES - len(os.fsencode(told_apart))]
    return kept.decode(errors="ignore") + told_apart


def is_too_long(path: Path) -> bool:
    """Whether this may be why Windows says that there is no such file or folder."""
    return sys.platform == "win32" and len(str(path.absolute())) > MAX_PATH_LENGTH


def too_long(path: Path) -> WorkbookError:
    """The error for such a path."""
    found = f"the path {path} has {len(str(path.absolute()))} characters"
    rule = f"Windows finds no files with paths of more than {MAX_PATH_LENGTH}, unless long paths are switched on"
    return WorkbookError(Problem("path-too-long", "error", "", found, rule, "use a folder with a shorter path"))


def stamp(path: Path) -> Stamp | None:
    """Numbers that differ once a file was written or replaced; None if there is no file."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns


def refusal(code: str, found: str, problem: str, mend: str, cell: str = "") -> WorkbookError:
    """The error with one problem that a workbook which cannot be read ends with."""
    return WorkbookError(Problem(code, "error", cell, found, problem, mend))


def damaged(found: str, cell: str = "") -> WorkbookError:
    """A part does not hold what its format prescribes."""
    return refusal(
        "damaged-workbook",
        found,
        "the workbook is damaged",
        "open it in Excel or LibreOffice, let that repair it, and save it again",
        cell,
    )


def read_file(path: Path) -> bytes:
    """All bytes of a regular, readable file of sensible size."""
    try:
        state = path.stat()
        if stat.S_ISDIR(state.st_mode):
            raise refusal("file-is-folder", f"{path} is a folder", "a workbook is a file", "name a file in it")
        if not stat.S_ISREG(state.st_mode):
            raise refusal("not-a-file", f"{path} is a device or a pipe", "a workbook is a file", "name a file")
        if state.st_size > MAX_FILE:
            raise too_large(f"{path.name} has {state.st_size:,} bytes")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        if is_too_long(path):
            raise too_long(path) from None
        raise refusal(
            "file-missing", f"there is no file {path}", "a workbook must exist", "check the name and the folder"
        ) from None
    except PermissionError as error:
        if is_held(error):
            raise refusal(
                "file-unreadable",
                f"{path} is open in another program",
                "no other program can read the file until then",
                "close it there",
            ) from None
        raise refusal(
            "file-unreadable",
            f"{path} may not be read",
            "sheetmbs needs the right to read it",
            "change its permissions, or close the program that holds it",
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise refusal(
            "file-unreadable",
            f"{path} cannot be read ({reason})",
            "a workbook must be readable",
            "copy it to another folder",
        ) from None


def too_large(found: str) -> WorkbookError:
    """A limit of this module is exceeded."""
    return refusal(
        "zip-bomb",
        found,
        "that is more than any real workbook and could fill the memory",
        "check where the file comes from; delete sheets that the model does not need",
    )


def open_archive(path: Path, content: bytes) -> zipfile.ZipFile:
    """The zip archive that the file is, its list of entries checked. It lies in memory and need not be closed."""
    _check_signature(path, content)
    try:
        archive = unzip(content)
    except ZIP_ERRORS:
        raise damaged(f"{path.name} is cut off or its list of parts is broken") from None
    _check_entries(path, archive.infolist())
    return archive


def unzip(content: bytes) -> zipfile.ZipFile:
    """The zip archive in memory. Names that do not say how they are encoded are UTF-8 wherever they can be.

    Some programs forget the flag; read as the zip format would have it, their names were not those that the parts refer to.
    """
    try:
        return zipfile.ZipFile(io.BytesIO(content), metadata_encoding="utf-8")
    except UnicodeDecodeError:
        return zipfile.ZipFile(io.BytesIO(content))


def _check_signature(path: Path, content: bytes) -> None:
    if not content:
        raise refusal("file-empty", f"{path.name} is empty", "a workbook has content", "take a copy that is complete")
    if content.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in content:
            raise refusal(
                "encrypted-workbook",
                f"{path.name} is encrypted",
                "a workbook that needs a password cannot be read",
                "remove its password in Excel (File, Info, Protect Workbook) and save it",
            )
        raise refusal(
            "old-workbook",
            f"{path.name} is an Excel 97-2003 workbook (.xls)",
            "workbooks are .xlsx or .xlsm",
            "save it as .xlsx in Excel or LibreOffice",
        )
    if content.startswith((_ZIP, _EMPTY_ZIP)):
        return
    if path.suffix.casefold() not in EXTENSIONS:
        raise wrong_extension(path, "save it as .xlsx in Excel or LibreOffice")
    raise refusal(
        "not-a-workbook",
        f"{path.name} is not a workbook, in spite of its name",
        "a workbook is a zip archive inside, and this file is not",
        "open it in the program that made it and save it as .xlsx",
    )


def wrong_extension(path: Path, mend: str) -> WorkbookError:
    """The name does not say what the file is."""
    ending = f"ends in {path.suffix}" if path.suffix else "has no ending"
    return refusal("wrong-extension", f"{path.name} {ending}", "workbooks end in .xlsx or .xlsm", mend)


def _check_entries(path: Path, entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MAX_ENTRIES:
        raise too_large(f"{path.name} has {len(entries):,} parts")
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED:
        raise too_large(f"{path.name} unpacks to {sum(entry.file_size for entry in entries):,} bytes")
    seen: set[str] = set()
    for entry in entries:
        name = entry.filename
        if entry.file_size > MIN_RATIO_SIZE and entry.file_size > MAX_RATIO * entry.compress_size:
            raise too_large(f"the part {name} unpacks from {entry.compress_size:,} to {entry.file_size:,} bytes")
        if name.startswith("/") or "\\" in name or name[1:2] == ":" or ".." in name.split("/"):
            raise refusal(
                "unsafe-part-name",
                f"{path.name} has a part {name}",
                "a part's name may not lead out of the workbook",
                "check where the file comes from; save it again from Excel or LibreOffice",
            )
        if name.casefold() in seen:
            raise damaged(f"{path.name} has two parts {name}")
        seen.add(name.casefold())
        if entry.flag_bits & 0x1:
            raise refusal(
                "encrypted-workbook",
                f"{path.name} is a zip archive with a password",
                "a workbook that needs a password cannot be read",
                "unpack it and name the workbook in it",
            )
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise damaged(f"the part {name} of {path.name} is packed in a way that workbooks do not use")
