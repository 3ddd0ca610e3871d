"""Files of machine code: the library of all kernels, and units of one kernel each from which it is put together.

Every file begins with the checksum of the rest; none is read any further unless it is, bit for bit, what was written, for
flipped bits in machine code end in a segmentation fault on every run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

MAGIC = b"sheetmbs kernels 1\n"
CHECKSUM = hashlib.sha256().digest_size


LIBRARY = Path(__file__).with_name("kernels.bin")
"""where the library of a package stands"""


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


def library_of(units: Sequence[CompiledKernel], **header: Any) -> bytes:
    """A library as a file. header: what its table says beyond where each kernel stands."""
    table: dict[str, list[tuple[Sequence[str], str, str]]] = {}
    for unit in units:
        table.setdefault(unit.kernel, []).append((unit.takes, unit.gives, unit.symbol))
    sizes = {unit.symbol: len(unit.code) for unit in units}
    head = json.dumps({**header, "table": table, "sizes": sizes}).encode()
    return sealed(len(head).to_bytes(8, "little") + head + b"".join(unit.code for unit in units))


def read_library(content: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    """BundleKind of a library, and its object files by their symbols. Raises Damaged."""
    rest = opened(content)
    begin = 8 + int.from_bytes(rest[:8], "little")
    head = json.loads(bytes(rest[8:begin]))
    objects = {}
    for symbol, size in head["sizes"].items():
        objects[symbol] = bytes(rest[begin : begin + size])
        begin += size
    return head, objects
