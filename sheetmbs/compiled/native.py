"""Machine code in a shared library, and calls of it from Python.

Calls follow numba's convention: where to put what is returned, what is raised, the arguments.
"""

from __future__ import annotations

import ctypes
import pickle
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from sheetmbs.compiled.array_struct import address_of
from sheetmbs.compiled.kinds import NONE, Array, Kind, Scalar, Several

Put = Callable[[Any, list[Any]], None]

WORD = ctypes.c_int64
POINTER = ctypes.c_void_p
SCALARS: dict[str, Any] = {
    "int": ctypes.c_int64,
    "float": ctypes.c_double,
    "bool": ctypes.c_uint8,
    "uint32": ctypes.c_uint32,
    "int32": ctypes.c_int32,
    "uint64": ctypes.c_uint64,
    "none": ctypes.c_void_p,
}
CONVERTED: dict[str, Callable[[Any], Any]] = {"float": float, "bool": bool, "none": lambda _value: None}


class _Raised(ctypes.Structure):
    """What numba says of an exception: its class, arguments and place, pickled."""

    _fields_ = (("data", POINTER), ("size", ctypes.c_int32))


class Native:
    """Machine code of a kernel as a function of Python's.

    name: for messages. address: of the code. takes, gives: kinds of its arguments and of what it returns. The lock of the
    interpreter is not held meanwhile.
    """

    def __init__(self, name: str, address: int, takes: Sequence[Kind], gives: Kind) -> None:
        self._name, self._takes, self._gives = name, takes, gives
        self._put = [_put(kind) for kind in takes]
        words = [each for kind in takes for each in _words(kind)]
        self._call: Any = ctypes.CFUNCTYPE(ctypes.c_int32, POINTER, POINTER, *words)(address)
        self._returned = _returned(gives)
        self._gives_nothing = gives == NONE

    def __call__(self, arguments: Sequence[Any]) -> Any:
        """Call it. Raises TypeError where the arguments are of other kinds, and what the kernel raises."""
        words: list[Any] = []
        if len(arguments) != len(self._put):
            raise TypeError(f"{self._name} takes {len(self._put)} arguments, not {len(arguments)}")
        try:
            for put, argument in zip(self._put, arguments, strict=True):
                put(argument, words)
        except _Unfit:
            raise self._unfit(arguments) from None
        found = self._returned()
        raised = POINTER()
        status = self._call(ctypes.byref(found), ctypes.byref(raised), *words)
        if status:
            _raise(status, raised)
        return None if self._gives_nothing else _value(found, self._gives)

    def _unfit(self, arguments: Sequence[Any]) -> TypeError:
        for number, (put, kind, argument) in enumerate(zip(self._put, self._takes, arguments, strict=True)):
            try:
                put(argument, [])
            except _Unfit:
                shape = f"{argument.dtype}, {argument.ndim} dimensions" if isinstance(argument, np.ndarray) else ""
                found = f"{type(argument).__name__} {shape}".strip()
                return TypeError(f"argument {number + 1} of {self._name} is {kind.text}, not {found}")
        raise AssertionError


class _Unfit(Exception):  # noqa: N818 - what an argument is
    """An argument is not of its kind."""


def _put(kind: Kind) -> Put:
    """What appends an argument to the words of a call."""
    if isinstance(kind, Scalar):
        return _put_scalar(kind)
    if isinstance(kind, Array):
        return _put_array(kind)
    if isinstance(kind, Several):
        return _put_several(kind)
    cls: Any = kind.cls

    def put_table(value: Any, words: list[Any]) -> None:
        if type(value) is not cls:
            raise _Unfit
        words.append(value.address)

    return put_table


def _put_scalar(kind: Scalar) -> Put:
    numbers: Any = {"float": (float, int, np.floating, np.integer), "none": type(None)}.get(
        kind.text, (int, np.integer, np.bool_)
    )
    convert = CONVERTED.get(kind.text, int)

    def put(value: Any, words: list[Any]) -> None:
        if not isinstance(value, numbers):
            raise _Unfit
        words.append(convert(value))

    return put


def _put_array(kind: Array) -> Put:
    dtype, ndim, size = kind.dtype, kind.ndim, kind.dtype.itemsize

    def put(value: Any, words: list[Any]) -> None:
        if not (type(value) is np.ndarray and value.dtype is dtype and value.ndim == ndim) and not kind.fits(value):
            raise _Unfit
        is_contiguous = value.flags.c_contiguous
        if kind.layout == "C" and not is_contiguous:
            raise _Unfit
        address = address_of(value) if is_contiguous else value.ctypes.data
        words += (None, None, value.size, size, address, *value.shape, *value.strides)

    return put


def _put_several(kind: Several) -> Put:
    puts = [_put(item) for item in kind.items]

    def put(value: Any, words: list[Any]) -> None:
        if type(value) is not tuple or len(value) != len(puts):
            raise _Unfit
        for each, item in zip(puts, value, strict=True):
            each(item, words)

    return put


def _words(kind: Kind) -> list[Any]:
    """Types of the words of an argument."""
    if isinstance(kind, Scalar):
        return [SCALARS[kind.text]]
    if isinstance(kind, Array):
        return [POINTER, POINTER, WORD, WORD, POINTER, *[WORD] * (2 * kind.ndim)]
    if isinstance(kind, Several):
        return [word for item in kind.items for word in _words(item)]
    return [POINTER]


def _returned(kind: Kind) -> Any:
    """The type of the place for what is returned."""
    if isinstance(kind, Scalar):
        return SCALARS[kind.text]
    if isinstance(kind, Several):
        fields = [(f"item{number}", _returned(item)) for number, item in enumerate(kind.items)]
        return type("Returned", (ctypes.Structure,), {"_fields_": fields})
    raise TypeError(f"a kernel returns {kind.text}: only numbers and tuples of them can be handed to Python")


def _value(found: Any, kind: Kind) -> Any:
    if isinstance(kind, Several):
        items = (getattr(found, f"item{number}") for number in range(len(kind.items)))
        return tuple(_plain(item, each) for item, each in zip(items, kind.items, strict=True))
    return _plain(found.value, kind)


def _plain(found: Any, kind: Kind) -> Any:
    if isinstance(kind, Several):
        return _value(found, kind)
    return None if kind.text == "none" else bool(found) if kind.text == "bool" else found


def _raise(status: int, raised: Any) -> None:
    if status > 0 and raised.value:
        about = _Raised.from_address(raised.value)
        error, arguments, *_ = pickle.loads(ctypes.string_at(about.data, about.size))  # noqa: S301 - from our own code
        raise error(*(arguments or ()))
    raise RuntimeError(f"a kernel ended with status {status}")


class Addresses(Protocol):
    """Loaded machine code. symbols: the functions in it."""

    symbols: frozenset[str]

    def of(self, symbol: str) -> int:
        """The address of a function."""
        ...


class SharedLibrary:
    """A shared library that stays loaded until the process ends. Raises OSError where the system does not load it."""

    def __init__(self, path: Path, symbols: Iterable[str]) -> None:
        self.symbols = frozenset(symbols)
        self._library = ctypes.CDLL(str(path))

    def of(self, symbol: str) -> int:
        """The address of a function."""
        address = ctypes.cast(self._library[symbol], ctypes.c_void_p).value
        if address is None:
            raise LookupError(f"the library of kernels lacks {symbol}")
        return address
