"""Kernels that few models need, compiled only when one does: what only numba knows about them.

Another kernel that calls a kernel has it compiled, whether or not a run ever gets there. A seldom kernel is called through an
address that stands in a place of memory known by a name; `prepare` compiles it and writes its address there. So the callers
are compiled, and kept, without it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from llvmlite.binding import add_symbol
from numba import typeof
from numba.core import cgutils, types
from numba.core.datamodel import models, register_default
from numba.core.imputils import lower_constant
from numba.core.typing import signature
from numba.core.typing.typeof import typeof_impl

from sheetmbs.compiler import registry
from sheetmbs.jit import Function, config, kernel


def seldom_kernel(function: Function) -> Function:
    """As `kernel`, for what few models need: kernels may come to calls of it only after `prepare`. It returns nothing."""
    return function if config.DISABLE_JIT else Seldom(function)  # type: ignore[return-value]


def prepare(called: Callable[..., None], *arguments: Any) -> None:
    """Compile a seldom kernel for arguments such as these. Raises TypeError where it is called with others elsewhere."""
    if isinstance(called, Seldom):
        called.prepare(tuple(typeof(argument) for argument in arguments))


class Seldom:
    """A kernel and the place of its address."""

    def __init__(self, function: Callable[..., None]) -> None:
        self.name = f"{function.__module__}.{function.__qualname__}"
        self._kernel: Any = kernel(function)
        self._place = np.zeros(1, dtype=np.int64)
        self._arguments: tuple[Any, ...] = ()
        add_symbol(self.name, self._place.ctypes.data)
        registry.cpu_target.target_context.insert_func_defn([(self._call, self, (types.VarArg(types.Any),))])

    def __call__(self, *arguments: Any) -> None:
        """Call it from Python."""
        self._kernel(*arguments)

    def prepare(self, arguments: tuple[Any, ...]) -> None:
        """Compile it for arguments of these types, all calls being alike."""
        self.check(arguments)
        if not self._place[0]:
            self._kernel.compile(arguments)
            compiled = self._kernel.overloads[arguments]
            self._place[0] = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)

    def check(self, arguments: tuple[Any, ...]) -> None:
        """Raise TypeError unless all calls have arguments of the same types."""
        if self._arguments not in ((), arguments):
            raise TypeError(f"{self.name} is called with {arguments}, and with {self._arguments}")
        self._arguments = arguments

    def _call(self, context: Any, builder: Any, kind: Any, arguments: Any) -> Any:
        """Code of a call."""
        form = context.call_conv.get_function_type(kind.return_type, kind.args)
        place = builder.module.globals.get(self.name) or ir.GlobalVariable(builder.module, form.as_pointer(), self.name)
        convention, callee = context.call_conv, builder.load(place)
        status, _ = convention.call_function(builder, callee, kind.return_type, kind.args, arguments)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return context.get_dummy_value()


class SeldomType(types.Callable, types.Opaque):
    """The type of one seldom kernel to numba."""

    def __init__(self, seldom: Seldom) -> None:
        self.seldom = seldom
        super().__init__(f"seldom kernel {seldom.name}")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:  # noqa: ARG002 - the form of numba
        """The signature of a call."""
        given = tuple(types.unliteral(argument) for argument in args)
        self.seldom.check(given)
        return signature(types.none, *given)

    def get_call_signatures(self) -> tuple[list[Any], bool]:
        """None is known beforehand."""
        return [], True

    def get_impl_key(self, sig: Any) -> Seldom:  # noqa: ARG002 - the form of numba
        """Under what the way to call it is known."""
        return self.seldom


register_default(SeldomType)(models.OpaqueModel)


@typeof_impl.register(Seldom)
def _type_of(seldom: Seldom, context: Any) -> SeldomType:  # noqa: ARG001 - the form of numba
    return SeldomType(seldom)


@lower_constant(SeldomType)
def _nothing(context: Any, builder: Any, kind: SeldomType, seldom: Seldom) -> Any:  # noqa: ARG001 - the form of numba
    return context.get_dummy_value()
