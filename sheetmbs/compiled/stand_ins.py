"""Object files that stand for libm and libc while kernels are linked for Linux; `linker.py` says why."""

from __future__ import annotations

import platform
import sys

import llvmlite.binding as llvm

from sheetmbs.compiled.linker import LIBC, LIBM


def stand_ins() -> dict[str, bytes]:
    """Object files by the names under which glibc is asked for its functions; none where the system has no glibc."""
    if sys.platform != "linux" or platform.libc_ver()[0] != "glibc":
        return {}
    return {"libm.so.6": _object(LIBM), "libc.so.6": _object(LIBC)}


def _object(functions: tuple[str, ...]) -> bytes:
    """An object file of functions that do nothing."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(reloc="pic", codemodel="small")
    code = "\n".join(f"define void @{name}() {{ ret void }}" for name in functions)
    return bytes(machine.emit_object(llvm.parse_assembly(code)))
