"""All that is used of numba and llvmlite beyond what their manuals describe, each with what it is used for.

`NAMES` are fetched by `private`. Where this numba lacks one of them, or a first kernel does not work as expected, kernels are
linked as numba links them (`plain.py`): the build takes longer, what it makes is right. `MEMBERS` are used where they stand.
`tests/compiled/test_private_names.py` finds whatever else is used; decision 55 says how to do without.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple


class Private(NamedTuple):
    """Something that is not documented. home: the module, or the module and class, that has it; purpose: its use here."""

    home: str
    purpose: str


NAMES = {
    "AttributeTemplate": Private("numba.core.typing.templates", "all fields of bundles are typed by one rule"),
    "Flags": Private("numba.core.compiler", "the options of one compilation"),
    "compile_extra": Private("numba.core.compiler", "compiles one kernel up to intermediate code"),
    "cpu_target": Private("numba.core.registry", "the contexts in which kernels are typed and lowered"),
    "get_or_insert_function": Private("numba.core.cgutils", "declares a kernel that another one calls"),
    "if_unlikely": Private("numba.core.cgutils", "returns early from a caller when a kernel raised"),
}

_CONTEXT = "numba.core.cpu:CPUContext"
_CONVENTION = "numba.core.callconv:CPUCallConv"
_FLAGS = "numba.core.compiler:Flags"
_LLVM = "llvmlite.binding"
_TYPES = "numba.types"

MEMBERS = {
    # kernels as values that other kernels call
    "Callable": Private(_TYPES, "base of the type of a kernel"),
    "Opaque": Private(_TYPES, "base of the type of a kernel, which is no number"),
    "get_call_type": Private("numba.types:Callable", "the signature of a call of a kernel"),
    "get_call_signatures": Private("numba.types:Callable", "none is known before arguments are"),
    "get_impl_key": Private("numba.types:Callable", "finds how a call is lowered"),
    "VarArg": Private(_TYPES, "a call of a kernel is lowered alike for any number of arguments"),
    "Any": Private(_TYPES, "and for arguments of any type"),
    "unliteral": Private(_TYPES, "the type of a number without its value"),
    "replace": Private("numba.core.typing.templates:Signature", "adds the names of arguments to a signature"),
    "call_conv": Private(_CONTEXT, "how one kernel calls another: arguments, status, result"),
    "get_function_type": Private(_CONVENTION, "the type of a kernel's function"),
    "call_function": Private(_CONVENTION, "emits a call of it"),
    "return_status_propagate": Private(_CONVENTION, "emits that an error is passed on"),
    "is_error": Private("numba.core.callconv:Status", "whether a called kernel raised"),
    "get_dummy_value": Private(_CONTEXT, "the value of a kernel that returns None"),
    # one compilation
    "error_model": Private(_FLAGS, "division by zero gives inf, as in numpy"),
    "no_compile": Private(_FLAGS, "numba makes no object code: compiling.py does"),
    "no_cpython_wrapper": Private(_FLAGS, "and no function for Python"),
    "no_cfunc_wrapper": Private(_FLAGS, "and none for C"),
    "boundscheck": Private(_FLAGS, "indices are checked, in tests"),
    "forceinline": Private(_FLAGS, "a kernel becomes part of its callers"),
    "typing_context": Private("numba.core.registry:CPUTarget", "what kernels are typed in"),
    "target_context": Private("numba.core.registry:CPUTarget", "what kernels are lowered in"),
    "codegen": Private(_CONTEXT, "what makes modules of intermediate code"),
    "create_library": Private("numba.core.codegen:Codegen", "such a module, whose class we extend"),
    "add_linking_library": Private(
        "numba.core.codegen:CodeLibrary", "tells which functions of numba's own a kernel calls"
    ),
    "get_llvm_str": Private("numba.core.codegen:CodeLibrary", "the intermediate code as text"),
    "fndesc": Private("numba.core.compiler:CompileResult", "what describes the compiled function"),
    "llvm_func_name": Private("numba.core.funcdesc:FunctionDescriptor", "its name in the intermediate code"),
    "signature": Private("numba.core.compiler:CompileResult", "what it returns"),
    "clone": Private("llvmlite.binding:ModuleRef", "a copy of a module into which others are linked"),
    # bundles and arrays
    "infer_getattr": Private("numba.extending", "registers the rule that types fields of bundles"),
    "generic_resolve": Private("numba.core.typing.templates:AttributeTemplate", "that rule"),
    "lower_getattr_generic": Private("numba.extending", "registers how fields of bundles are read"),
    "PrimitiveModel": Private("numba.extending:models", "a bundle is the address of its table"),
    "OpaqueModel": Private("numba.extending:models", "a kernel is a pointer that nobody reads"),
    "get_value_type": Private(_CONTEXT, "the form in which a number is computed with"),
    "get_data_type": Private(_CONTEXT, "the form in which an element stands in memory"),
    "get_abi_sizeof": Private(_CONTEXT, "the size of an element"),
    "ArrayModel": Private(
        "numba.extending:models", "members data, shape, strides, itemsize, nitems, meminfo, parent of an array"
    ),
    "BaseTuple": Private(_TYPES, "tuples of one or several types"),
    "from_types": Private("numba.types:BaseTuple", "makes one of them"),
    "NamedTuple": Private(_TYPES, "which kernels do not take"),
    "Record": Private(_TYPES, "the type of a row of an array with fields"),
    "dtype": Private("numba.types:Record", "its numpy dtype"),
    "mutable": Private("numba.types:Array", "whether an array may be written"),
    "copy": Private("numba.types:Array", "the type of the same array, which may be written"),
    # kernels that numba links itself
    "compile": Private("numba.core.dispatcher:Dispatcher", "compiles for one signature without a call"),
    "nopython_signatures": Private("numba.core.dispatcher:Dispatcher", "what a compiled function returns"),
    # object code in memory
    "JITLibraryBuilder": Private(_LLVM, "object files that are to be placed"),
    "create_lljit_compiler": Private(_LLVM, "what places them"),
}

RUNTIME_FUNCTIONS = "NRT_"
"""what the names of functions begin with that count references, in intermediate code"""
WRAPPERS = ("cfunc.", "_ZN7cpython")
"""what the names of functions for C and for Python begin with, in intermediate code"""


def private(name: str) -> Any:
    """What numba has under one of `NAMES`; None where it has nothing."""
    try:
        return getattr(import_module(NAMES[name].home), name, None)
    except ImportError:
        return None


def has(*names: str) -> bool:
    """Whether this numba has all of these."""
    return all(private(name) is not None for name in names)
