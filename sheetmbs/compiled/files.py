"""Files of machine code: the library of all kernels, and units of one kernel each from which it is put together.

Every file begins with the checksum of the rest; none is read any further unless it is, bit for bit, what was written, for
flipped bits in machine code end in a segmentation fault on every run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ANY_MAGIC = b"sheetmbs kernels "
MAGIC = ANY_MAGIC + b"2\n"
CHECKSUM = hashlib.sha256().digest_size
OBJECTS = ".objects"
"""suffix of machine code that is not linked"""

LIBRARY = Path(__file__).with_name("kernels.table")
"""where the table of the library of a package stands"""


class BuildError(Exception):
    """The kernels could not be compiled; the text says why."""


class Damaged(Exception):  # noqa: N818 - what the file is
    """A file is not what was written; the text says what is wrong with it."""


@dataclass(frozen=True)
class WantedKernel:
    """A kernel with the kinds of its arguments. takes: these kinds as `kind_text.written` has them."""

    symbol: str
    kernel: str
    module: str
    takes: str


@dataclass(frozen=True)
class CompiledKernel:
    """The code of a kernel for arguments of given kinds.

    takes, gives: texts of kinds. calls: what else it needs. code: an object file, whose function is ``symbol``.
    """

    symbol: str
    kernel: str
    kernel_module: str
    takes: tuple[str, ...]
    gives: str
    calls: tuple[WantedKernel, ...]
    code: bytes


def symbol_of(kernel: str, takes: Iterable[str]) -> str:
    """How the code of a kernel is called, for arguments of kinds with these texts."""
    return f"{kernel}.{hashlib.sha256(','.join(takes).encode()).hexdigest()[:12]}"


def sealed(content: bytes) -> bytes:
    """Content as it stands in a file."""
    return MAGIC + hashlib.sha256(content).digest() + content


def opened(content: bytes) -> memoryview:
    """The content of a file. Raises Damaged."""
    begin = len(MAGIC) + CHECKSUM
    if not content.startswith(MAGIC):
        raise Damaged("it is not one of ours")
    rest = memoryview(content)[begin:]
    if hashlib.sha256(rest).digest() != content[len(MAGIC) : begin]:
        raise Damaged("it is not as it was written")
    return rest


def is_of_another_version(content: bytes) -> bool:
    """Whether another version of sheetmbs wrote a file: this one can neither use nor judge it."""
    return content.startswith(ANY_MAGIC) and not content.startswith(MAGIC)


def unit_file(unit: CompiledKernel) -> bytes:
    """A unit as a file: what it is as JSON, then its code. Nothing in it can be run by being read."""
    about = asdict(unit)
    del about["code"]
    head = json.dumps(about).encode()
    return sealed(len(head).to_bytes(8, "little") + head + unit.code)


def read_unit(content: bytes) -> CompiledKernel:
    """The unit in a file. Raises Damaged."""
    rest = opened(content)
    begin = 8 + int.from_bytes(rest[:8], "little")
    try:
        about = json.loads(bytes(rest[8:begin]))
        calls = tuple(WantedKernel(**each) for each in about.pop("calls"))
        takes = tuple(about.pop("takes"))
        return CompiledKernel(**about, takes=takes, calls=calls, code=bytes(rest[begin:]))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Damaged("it is no unit of this version") from error


@dataclass(frozen=True)
class LibraryFiles:
    """A library as two files side by side.

    table: the file that says what the library holds and for which sources and machine it is. code: the file of its machine
    code. suffix: of the name of the latter, which is otherwise that of the table.
    """

    table: bytes
    code: bytes
    suffix: str

    def write(self, table: Path, write: Callable[[Path, bytes], None]) -> None:
        """Write both by a function; the table comes last, so that a table always has its code. Raises OSError."""
        write(table.with_suffix(self.suffix), self.code)
        write(table, self.table)


def library_of(units: Sequence[CompiledKernel], code: bytes | None, suffix: str, **header: Any) -> LibraryFiles:
    """A library as files.

    units: its kernels. code: all of them linked into a shared library with this suffix; None where they stay object files.
    header: what its table says beyond where each kernel stands.
    """
    kernels: dict[str, list[tuple[Sequence[str], str, str]]] = {}
    for unit in units:
        kernels.setdefault(unit.kernel, []).append((unit.takes, unit.gives, unit.symbol))
    sizes = None if code is not None else {unit.symbol: len(unit.code) for unit in units}
    content = b"".join(unit.code for unit in units) if code is None else code
    suffix = OBJECTS if code is None else suffix
    about = {"suffix": suffix, "sha256": hashlib.sha256(content).hexdigest(), "sizes": sizes}
    return LibraryFiles(sealed(json.dumps({**header, "table": kernels, "code": about}).encode()), content, suffix)


def read_table(content: bytes) -> dict[str, Any]:
    """The table of a library. Raises Damaged."""
    try:
        found = json.loads(bytes(opened(content)))
        return {name: found[name] for name in ("system", "files", "digest", "table", "code")}
    except (ValueError, KeyError, TypeError) as error:
        raise Damaged("it is no library of this version") from error


def check_code(head: Mapping[str, Any], code: bytes) -> None:
    """Hold machine code against the table of its library. Raises Damaged."""
    if hashlib.sha256(code).hexdigest() != head["code"]["sha256"]:
        raise Damaged("it is not as it was written")


def objects_in(head: Mapping[str, Any], code: bytes) -> dict[str, bytes]:
    """The object files of a library that is not linked, by their symbols."""
    objects, begin = {}, 0
    for symbol, size in head["code"]["sizes"].items():
        objects[symbol] = code[begin : begin + size]
        begin += size
    return objects
