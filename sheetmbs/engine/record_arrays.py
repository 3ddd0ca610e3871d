"""Arrays of records whose fields are attributes, as kernels read them: `rows.kind`, `rows[r].kind`.

numpy's own `recarray` does the same, but asks in Python for every attribute of whatever kind, and lowering reads hundreds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from struct import Struct
from typing import Any

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
    """An array of records. Its fields are plain arrays that share its memory."""

    def copy(self, order: Any = "C") -> RecordArray:  # noqa: ARG002 - the form of numpy
        """The same records in memory of their own."""
        return joined(self)

    def __getattr__(self, name: str) -> Any:
        """A field of all records."""
        if name not in (self.dtype.fields or ()):
            raise AttributeError(f"an array of records has no field {name}")
        return self.view(np.ndarray)[name]

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field of all records, or what any array has: numpy itself does so where it makes views."""
        if name in (self.dtype.fields or ()):
            self.view(np.ndarray)[name] = value
        else:
            super().__setattr__(name, value)


def as_records(array: NDArray[Any]) -> RecordArray:
    """The same memory as an array of records."""
    return array.view(dtype=_of_records(array.dtype), type=RecordArray)


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
    return np.dtype((OneRecord, dtype))


def joined(first: RecordArray, *others: RecordArray) -> RecordArray:
    """Records of one dtype one after the other, in memory of their own."""
    return _of_lumps(np.concatenate([_lumps(part) for part in (first, *others)]), first)


def taken(records: RecordArray, numbers: NDArray[np.int64]) -> RecordArray:
    """Some of the records, in memory of their own."""
    return _of_lumps(_lumps(records)[numbers], records)


def _lumps(records: RecordArray) -> NDArray[Any]:
    """The same memory in lumps without fields, for numpy copies records field by field, and ten times as slowly."""
    return np.ascontiguousarray(records).view(np.ndarray).view((np.void, records.dtype.itemsize))


def _of_lumps(lumps: NDArray[Any], like: RecordArray) -> RecordArray:
    return lumps.view(dtype=like.dtype, type=RecordArray)
