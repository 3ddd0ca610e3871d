"""Kernels as numba sees them in other kernels: a call is one of an outside function, known by its name and signature.

So each kernel is compiled once, wherever it is called from: what it returns is known from its annotation. Only of one that
is placed inside its callers, and so compiled with them anyway, it is known from its code.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from numba import types
from numba.extending import lower_builtin, models, register_model

from sheetmbs.compiled import compat
from sheetmbs.compiled.kernel import Kernel
from sheetmbs.compiled.numba_types import Call, IntermediateCode, call_of, numba_type, plain
from sheetmbs.compiled.processor import BOUNDS


def returned(call: Call) -> types.Type:
    """The type that a kernel returns."""
    gives = call.kernel.gives
    return made(call).gives if gives is None else numba_type(gives)


class KernelType(types.Callable, types.Opaque):
    """The type of one kernel to numba."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        super().__init__(f"kernel {kernel.name}")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:  # noqa: ARG002 - the form of numba
        """The signature of a call."""
        bound = inspect.signature(self.kernel.function).bind(*args, **kws)
        takes = tuple(map(plain, bound.args))
        found = returned(call_of(self.kernel, takes))(*takes)
        return found.replace(pysig=bound.signature) if kws else found

    def get_call_signatures(self) -> tuple[list[Any], bool]:
        """None is known beforehand."""
        return [], True

    def get_impl_key(self, sig: Any) -> Kernel:  # noqa: ARG002 - the form of numba
        """Key under which numba looks up how this call is lowered."""
        return self.kernel


register_model(KernelType)(models.OpaqueModel)


@cache
def type_of(kernel: Kernel) -> KernelType:
    """The type of a kernel, whose calls numba can then compile."""

    @lower_builtin(kernel, types.VarArg(types.Any))
    def emit(context: Any, builder: Any, called: Any, arguments: Any) -> Any:
        gives, takes = called.return_type, called.args
        convention = context.call_conv
        form = convention.get_function_type(gives, takes)
        code = compat.private("get_or_insert_function")(builder.module, form, call_of(kernel, takes).symbol)
        status, value = convention.call_function(builder, code, gives, takes, arguments)
        with compat.private("if_unlikely")(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return context.get_dummy_value() if gives is types.none else value

    return KernelType(kernel)


@cache
def made(call: Call) -> IntermediateCode:
    """Let numba compile a kernel up to LLVM's intermediate code, without the kernels that it calls."""
    flags = compat.private("Flags")()
    flags.error_model = "numpy"
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.boundscheck = BOUNDS
    flags.forceinline = call.kernel.is_inline
    cpu = compat.private("cpu_target")
    library = _library_class()(cpu.target_context.codegen(), call.symbol)
    found = compat.private("compile_extra")(
        cpu.typing_context, cpu.target_context, call.kernel.function, call.takes, None, flags, {}, library=library
    )
    linked = tuple(each.get_llvm_str() for each in library.linked)
    return IntermediateCode(found.fndesc.llvm_func_name, found.signature.return_type, library.get_llvm_str(), linked)


@cache
def _library_class() -> type[Any]:
    usual: Any = type(compat.private("cpu_target").target_context.codegen().create_library("usual"))

    class Library(usual):
        """numba's module of one function, which remembers what is linked into it."""

        def __init__(self, *about: Any) -> None:
            super().__init__(*about)
            self.linked: list[Any] = []

        def add_linking_library(self, library: Any) -> None:
            super().add_linking_library(library)
            self.linked.append(library)

    return Library
