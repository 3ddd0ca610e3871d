"""How numba compiles our kernels: each once, with fewer passes, and without finding out anew what every + means.

None of this changes what numba does for other code in the process.
"""

from __future__ import annotations

import copy
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba.core.config
import numba.core.event
import numba.core.registry
from llvmlite.binding import add_symbol, address_of_symbol
from numba.core import types
from numba.core.compiler import Compiler
from numba.core.dispatcher import Dispatcher

from sheetmbs.keeping import checked

config: Any = numba.core.config
event: Any = numba.core.event
registry: Any = numba.core.registry
Function: Any = types.Function

LEVEL = 1
SYMBOL = re.compile(rb"\0_?([A-Za-z][\w.]*\.[0-9a-f]{16})(?=\0)")
"""names that `called` gives, in object code"""
UNUSED = {
    "AnnotateTypes",
    "DeadBranchPrune",
    "DumpParforDiagnostics",
    "FindLiterallyCalls",
    "InlineClosureLikes",
    "InlineInlinables",
    "InlineOverloads",
    "LiteralPropagationSubPipelinePass",
    "LiteralUnroll",
    "MakeFunctionToJitFunction",
    "NoPythonSupportedFeatureValidation",
    "NopythonRewrites",
    "RewriteDynamicRaises",
    "RewriteSemanticConstants",
    "WithLifting",
}
"""passes of numba's for closures, literals, array expressions and raised errors, of which kernels have none"""


class Passes(Compiler):
    """numba's compiler without the passes that kernels do not need."""

    def define_pipelines(self) -> list[Any]:
        """Passes of numba's but the unused, in their order."""
        (pipeline,) = super().define_pipelines()
        pipeline.passes = [each for each in pipeline.passes if each[0].__name__ not in UNUSED]
        pipeline.finalize()
        return [pipeline]


def called(dispatcher: Any) -> Any:
    """Let other kernels call a kernel where it is: numba would compile it once more inside every one of them.

    They know it by a name made of its own and its signature's, which in every process is given to its address before kept
    code that uses it is loaded.
    """
    function, add, compile_ = dispatcher.py_func, dispatcher.add_overload, dispatcher.compile

    def add_overload(compiled: Any) -> None:
        digest = hashlib.sha256(repr(compiled.signature).encode()).hexdigest()[:16]
        known_as = copy.copy(compiled.fndesc)
        known_as.mangled_name = f"{function.__module__}.{function.__qualname__}.{digest}"
        add_symbol(known_as.mangled_name, compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))
        dispatcher.targetctx.remove_user_function(compiled.entry_point)
        dispatcher.targetctx.insert_user_function(compiled.entry_point, known_as)
        add(compiled)

    def compile_after_callees(signature: Any) -> Any:
        if tuple(signature) in dispatcher.overloads:
            return compile_(signature)
        for callee in _callees(function):
            for kept in _kept(callee):
                callee.compile(kept)
        if any(
            address_of_symbol(name) is None
            for code in _kept(dispatcher).values()
            for name in _called_in(dispatcher, code)
        ):
            _forget(dispatcher)  # what was kept calls something that is not there
        return compile_(signature)

    dispatcher.add_overload, dispatcher.compile = add_overload, compile_after_callees
    if dispatcher.stats.cache_path is not None:
        checked(dispatcher._cache, str(os.getpid()))  # noqa: SLF001
    return dispatcher


def placed(dispatcher: Any, alone: Any) -> Any:
    """Let the compiler stop at its intermediate code, which is all that a kernel placed inside others needs.

    alone: the same function compiled as others are, for calls from Python.
    """

    def stop_there(flags: Any) -> Any:
        flags.no_compile = True
        return flags

    def add_overload(compiled: Any) -> None:
        library, key = compiled.library, object()
        library._optimize_final_module = lambda: None  # noqa: SLF001 - it is optimised where it is placed
        library._finalize_final_module = lambda: setattr(library, "_finalized", True)  # noqa: SLF001 - no machine code
        dispatcher.targetctx.insert_user_function(key, compiled.fndesc, [library])
        dispatcher.overloads[tuple(compiled.signature.args)] = compiled._replace(entry_point=key)

    dispatcher._compiler._customize_flags = stop_there  # noqa: SLF001 - the way numba gives to subclasses
    dispatcher.add_overload = add_overload
    dispatcher._compile_for_args = lambda *_arguments: alone  # noqa: SLF001 - numba asks here what to call
    return dispatcher


def _callees(function: Any) -> Iterator[Any]:
    """Kernels that a function calls, itself or by what is placed inside it."""
    for name in function.__code__.co_names:
        found = function.__globals__.get(name)
        if isinstance(found, Dispatcher):
            if found.targetoptions.get("forceinline"):
                yield from _callees(found.py_func)
            else:
                yield found


def _kept(dispatcher: Any) -> dict[Any, Path]:
    """Signatures of which code is kept, and where it is."""
    folder = dispatcher.stats.cache_path
    if folder is None:
        return {}
    index = dispatcher._cache._cache_file._load_index()  # noqa: SLF001 - numba tells it nowhere else
    return {signature: Path(folder, name) for (signature, *_), name in index.items()}


def _forget(dispatcher: Any) -> None:
    with suppress(
        OSError
    ):  # a folder in which nothing can be written; then what is kept stays unused in this process too
        dispatcher._cache.flush()  # noqa: SLF001 - numba has no other way
        return
    dispatcher._cache.disable()  # noqa: SLF001


def _called_in(dispatcher: Any, code: Path) -> set[str]:
    """Names of kernels that kept code calls: they stand in its table of symbols."""
    content = dispatcher._cache._cache_file.content(code)  # noqa: SLF001
    return {name.decode() for name in SYMBOL.findall(content)}


class _Ours(event.Listener):  # type: ignore[misc]
    """Changes numba for our own functions alone, while they are compiled; tells of compiling."""

    def __init__(self) -> None:
        self.users: list[Any] = []
        self.told: dict[str, Callable[[], None]] = {}

    def on_start(self, event: Any) -> None:
        """Lower the level of the passes, and remember what operators mean, for one of ours."""
        self.users.append((config.OPT, Function.get_call_type))
        module = event.data["dispatcher"].py_func.__module__
        if module.startswith("sheetmbs."):
            config.OPT = type(config.OPT)(LEVEL)
            Function.get_call_type = _remembered_call_type
        if module in self.told:
            self.told.pop(module)()

    def on_end(self, event: Any) -> None:  # noqa: ARG002 - the form of a listener
        """Give numba back as it was."""
        config.OPT, Function.get_call_type = self.users.pop()


_found_call_type = Function.get_call_type
_CALL_TYPES: dict[Any, Any] = {}


def _remembered_call_type(function: Any, context: Any, args: Any, kws: dict[str, Any]) -> Any:
    """What a function or operator of numba's makes of arguments of these types: numba tries a dozen overloads for every +."""
    key = (id(function), id(context), tuple(args), tuple(kws.items()))
    if key not in _CALL_TYPES:
        _CALL_TYPES[key] = (
            _found_call_type(function, context, args, kws),
            function,
        )  # kept, so that its id stays its own
    return _CALL_TYPES[key][0]


def _set_level() -> None:
    """Let LLVM work at level 1 for our kernels: a sixth less time to compile, and as fast to run (A02 with N = 2 and 40).

    The code generator's level is fixed when numba makes it, and one that is there already stays; that of the passes follows
    each function that is compiled.
    """
    level = config.OPT
    try:
        config.OPT = type(level)(LEVEL)
        registry.cpu_target.target_context.codegen()
    finally:
        config.OPT = level


def tell_of_compiling(module: str, tell: Callable[[], None]) -> None:
    """Call ``tell`` when the first kernel of a module is about to be compiled in this process."""
    _OURS.told[module] = tell


_OURS = _Ours()
event.register("numba:compile", _OURS)
_set_level()
