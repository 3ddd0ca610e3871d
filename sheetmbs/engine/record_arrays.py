"""Arrays of records whose fields are attributes, as kernels read them: `rows.kind`, `rows[r].kind`.

numpy's own `recarray` does the same, but asks in Python for every attribute of whatever kind, and lowering reads hundreds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray


class OneRecord(np.void):  # type: ignore[misc]  # numpy derives its own from it too
    """One record of an array; it stands where the array does."""

    def __getattr__(self, name: str) -> Any:
        """A field."""
        if name not in (self.dtype.fields or ()):
            raise AttributeError(name)
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field."""
        self[name] = value


class RecordArray(np.ndarray[Any, Any]):
    """An array of records. Its fields are plain arrays that share its memory: properties of all arrays of records."""

    def copy(self, order: Any = "C") -> RecordArray:  # noqa: ARG002 - the form of numpy
        """The same records in memory of their own."""
        return joined(self)

    def __setstate__(self, state: Any) -> None:
        """Take over what was pickled, perhaps by a process that knew more dtypes."""
        super().__setstate__(state)
        _of_records(self.dtype)

    if TYPE_CHECKING:  # which knows no dtype

        def __getattr__(self, name: str) -> Any:
            """A field of all records."""

        def __setattr__(self, name: str, value: Any) -> None:
            """Set a field of all records."""


def as_records(array: NDArray[Any]) -> RecordArray:
    """The same memory as an array of records."""
    dtype = _of_records(array.dtype)
    if not array.flags.c_contiguous:
        return array.view(dtype=dtype, type=RecordArray)
    return _in_memory(RecordArray, array.shape, dtype, array)


CODES = {"i4": "i", "u4": "I", "i8": "q", "f8": "d"}
"""of numbers in `struct`"""


@cache
def packing(dtype: np.dtype[Any]) -> Callable[..., bytes]:
    """What makes the bytes of one record from its fields; numpy takes longer to make one than to make an array of them."""
    return Struct("=" + "".join(CODES[dtype[name].str[1:]] for name in dtype.names or ())).pack


def of_packed(records: Sequence[bytes], dtype: np.dtype[Any]) -> RecordArray:
    """Packed records as an array with memory of its own."""
    return as_records(np.frombuffer(bytearray(b"".join(records)), dtype) if records else np.zeros(0, dtype))


@cache
def _of_records(dtype: np.dtype[Any]) -> np.dtype[Any]:
    for name in dtype.names or ():
        if not hasattr(RecordArray, name):
            setattr(RecordArray, name, _field(name))
    return np.dtype((OneRecord, dtype))


def _field(name: str) -> property:
    """What gets and sets a field. numpy looks for an attribute that is nowhere ten times as long as for a property."""

    def found(records: RecordArray) -> Any:
        if name not in (records.dtype.fields or ()):
            raise AttributeError(f"an array of records has no field {name}")
        return _plain(records)[name]

    def changed(records: RecordArray, value: Any) -> None:
        _plain(records)[name] = value

    return property(found, changed)


def joined(first: RecordArray, *others: RecordArray) -> RecordArray:
    """Records of one dtype one after the other, in memory of their own."""
    return _of_lumps(np.concatenate([_lumps(part) for part in (first, *others)]), first.dtype)


def taken(records: RecordArray, numbers: NDArray[np.int64]) -> RecordArray:
    """Some of the records, in memory of their own."""
    return _of_lumps(_lumps(records)[numbers], records.dtype)


def _plain(records: RecordArray) -> NDArray[Any]:
    return records.view(np.ndarray)


def _lumps(records: RecordArray) -> NDArray[Any]:
    """The same memory in lumps without fields, for numpy copies records field by field, and ten times as slowly."""
    whole = records if records.flags.c_contiguous else np.ascontiguousarray(records)
    return _in_memory(np.ndarray, records.shape, _lump(records.dtype), whole)


def _of_lumps(lumps: NDArray[Any], dtype: np.dtype[Any]) -> RecordArray:
    return _in_memory(RecordArray, lumps.shape, dtype, lumps)


@cache
def _lump(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """As many bytes without fields."""
    return np.dtype((np.void, dtype.itemsize))


_in_memory: Callable[..., Any] = np.ndarray.__new__
"""An array of a type, shape and dtype in the memory of another; `view` takes five times as long to change a dtype."""
