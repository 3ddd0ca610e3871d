"""Many arrays handed to a kernel as one address.

numba hands over a named tuple of arrays as hundreds of numbers, and every function that takes one compiles for seconds. A
bundle is a frozen dataclass whose fields are C-contiguous arrays, numbers or bundles, of the kinds that their annotations
declare. Its kernels get the address of a table that says where each field stands, and read from it what they use:

    array: its address, then its shape;   number: its value, eight bytes;   bundle: the address of its own table

A field is never set anew, so the compiler may take what it has read from the table once for known ever after.
"""

from __future__ import annotations

from ctypes import addressof, c_char
from functools import cached_property
from typing import Any

import numpy as np

from sheetmbs.compiled.kinds import Array, Kind, Scalar, members


class Bundle:
    """Base of frozen dataclasses that kernels take as one argument.

    Their fields are C-contiguous arrays, int, float, bool or bundles. Raises TypeError at the first call otherwise.
    """

    def make_table(self) -> None:
        """Find now where everything stands, rather than in the first call of a kernel. Raises as that does."""
        _ = self.address

    @cached_property
    def _table(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        words: list[int] = []
        for name, kind in members(type(self)).items():
            value = getattr(self, name)
            if isinstance(kind, Array):
                if not kind.fits(value):
                    raise self._unfit(name, kind, value)
                if not value.flags.c_contiguous:  # kernels go from element to element by the shape alone
                    raise TypeError(f"the array {name} of a bundle must be contiguous")
                words.append(address_of(value))
                words += value.shape
            elif isinstance(kind, Scalar):
                words.append(self._number(name, kind, value))
            elif isinstance(value, Bundle) and type(value) is kind.cls:  # type: ignore[union-attr]
                words.append(value.address)
            else:
                raise self._unfit(name, kind, value)
        return np.array(words, dtype=np.int64)

    @cached_property
    def address(self) -> int:
        """Where its table stands."""
        return address_of(self._table)

    def _number(self, name: str, kind: Scalar, value: Any) -> int:
        """A number as the word of a table."""
        if kind.text == "float" and isinstance(value, (float, int)):
            return int(np.float64(value).view(np.int64))
        if isinstance(value, (int, np.integer)):
            return int(value)
        raise self._unfit(name, kind, value)

    def _unfit(self, name: str, kind: Kind, value: Any) -> TypeError:
        found = f"{value.dtype} in {value.ndim} dimensions" if isinstance(value, np.ndarray) else type(value).__name__
        return TypeError(f"{name} of {type(self).__qualname__} is declared as {kind.text}, not {found}")

    def __reduce__(self) -> tuple[Any, ...]:  # a copy has a table of its own
        return type(self), tuple(getattr(self, name) for name in members(type(self)))


def address_of(array: np.ndarray[Any, Any]) -> int:
    """Where the elements of a contiguous array stand, 0 for one without any.

    By its buffer: `ndarray.ctypes` makes two objects for it, which costs a run of a small model as much as solving. A buffer
    of records is described field by field, which takes still longer.
    """
    if not array.size:
        return 0
    if array.dtype.names is not None or not array.flags.writeable:
        return int(array.ctypes.data)
    return addressof(c_char.from_buffer(array))  # type: ignore[arg-type]  # an array is a buffer
