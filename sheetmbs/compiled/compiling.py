"""Kernels become object code: by numba up to LLVM's intermediate code, from there on by llvmlite."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.extending import typeof_impl

from sheetmbs.compiled import compat, linking, plain
from sheetmbs.compiled.files import CompiledKernel, WantedKernel
from sheetmbs.compiled.kernel import Kernel, inline_kernel, kernel
from sheetmbs.compiled.kinds import Array, Kind, read_kinds, written
from sheetmbs.compiled.linker import LIBC, LIBM
from sheetmbs.compiled.numba_types import CALLS, Call, IntermediateCode, call_of, kind_of_type, numba_type, text_of
from sheetmbs.compiled.processor import baseline

RUNTIME = re.compile(rf"^declare (.*?)@({compat.RUNTIME_FUNCTIONS}\w+)\((.*?)\).*$", re.MULTILINE)
OUTSIDE = {*LIBC, *LIBM}
LEVEL = 1
"""of LLVM's passes: 2 takes longer and gained nothing"""


@typeof_impl.register(Kernel)
def _type_of(kernel: Kernel, context: Any) -> types.Type:  # noqa: ARG001 - the form of numba
    return linking.type_of(kernel) if links_by_name() else plain.type_of(kernel)


def _made(call: Call) -> IntermediateCode:
    return linking.made(call) if links_by_name() else plain.made(call)


def links_by_name() -> bool:
    """Whether kernels can be linked by name: this numba has what that takes, and a first one calls a second so."""
    if not _FOUND:
        _FOUND.append(compat.has(*compat.NAMES))
        if _FOUND[0]:
            try:
                unit = unit_of(entry_of(first, (Array("f8"),)))
                _FOUND[0] = [each.kernel for each in unit.calls] == [second.name]
            except Exception:  # noqa: BLE001 - whatever it is, numba has changed
                _FOUND[0] = False
    return _FOUND[0]


_FOUND: list[bool] = []


def entry_points(modules: list[str]) -> Iterator[Call]:
    """Entry points in modules."""
    for name in modules:
        module = __import__(name, fromlist=[""])
        for _, found in inspect.getmembers(module, lambda member: isinstance(member, Kernel)):
            if found.__module__ == name and found.takes is not None:
                yield entry_of(found, found.takes)


def entry_of(kernel: Kernel, takes: tuple[Kind, ...]) -> Call:
    """A kernel with arguments of these kinds."""
    return call_of(kernel, tuple(map(numba_type, takes)))


@inline_kernel
def _third(x: Any) -> Any:
    return x + 1.0


@kernel
def second(x: Any, k: Any) -> tuple[float, int]:
    """Compiled kernel that another one calls by its name."""
    return _third(x[k]), k


@kernel
def first(x: Any) -> float:
    """Calls the second, which places the third."""
    return second(x, 0)[0] + len(x)


def wanted(call: Call) -> WantedKernel:
    """A call as other processes can be told of it."""
    return WantedKernel(call.symbol, call.kernel.name, call.kernel.__module__, written(map(kind_of_type, call.takes)))


def call_wanted(which: WantedKernel) -> Call:
    """The call of which another process told."""
    kernel: Any = __import__(which.module, fromlist=[""])
    for part in which.kernel.removeprefix(f"{which.module}.").split("."):
        kernel = getattr(kernel, part)
    return entry_of(kernel, read_kinds(which.takes))


def unit_of(call: Call) -> CompiledKernel:
    """Compile a kernel. Raises what numba raises, and TypeError where it calls what no library can link."""
    gives, declared = _made(call).gives, call.kernel.gives
    if declared is None and not call.kernel.is_inline:
        raise TypeError(f"{call.kernel.name} does not declare what it returns, which is {text_of(gives)}")
    if declared is not None and numba_type(declared) != gives:
        raise TypeError(f"{call.kernel.name} is declared to return {declared.text}, and returns {text_of(gives)}")
    module = _intermediate(call).clone()
    while placed := [name for name in _missing(module) if name in CALLS and CALLS[name].kernel.is_inline]:
        for name in placed:
            module.link_in(_intermediate(CALLS[name]), preserve=True)
            module.get_function(name).linkage = "linkonce_odr"
    for function in module.functions:
        if not function.is_declaration and function.name != call.symbol:
            function.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(LEVEL)
    builder = llvm.create_pass_builder(_machine(), options)
    builder.getModulePassManager().run(module, builder)
    calls = [CALLS[name] for name in _missing(module) if name in CALLS]
    unknown = {name for name in _missing(module) if name not in CALLS and name.removesuffix("f") not in OUTSIDE}
    if unknown:
        raise TypeError(f"{call.kernel.name} calls {', '.join(sorted(unknown))}, which no library can link")
    return CompiledKernel(
        call.symbol,
        call.kernel.name,
        call.kernel.__module__,
        tuple(map(text_of, call.takes)),
        text_of(gives),
        tuple(map(wanted, calls)),
        _machine().emit_object(module),
    )


@cache
def _intermediate(call: Call) -> Any:
    """Module of a kernel and of what numba itself puts into it, before all optimisation."""
    made = _made(call)
    module = llvm.parse_assembly(_without_runtime(made.code))
    for code in made.linked:
        helper = llvm.parse_assembly(code)
        for function in helper.functions:
            if not function.is_declaration:
                function.linkage = "linkonce_odr"
        module.link_in(helper)
    module.get_function(made.name).name = call.symbol
    return module


def _without_runtime(code: str) -> str:
    """Intermediate code without what numba's counting of references calls: kernels make no arrays, so it never does."""
    return RUNTIME.sub(r"define \1@\2(\3) { unreachable }", code)


def _missing(module: Any) -> list[str]:
    """Functions that a module calls and does not have."""
    functions = (function for function in module.functions if function.is_declaration)
    return [function.name for function in functions if not function.name.startswith("llvm.")]


@cache
def _machine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(cpu=baseline(), features="", opt=LEVEL, reloc="pic", codemodel="small")
