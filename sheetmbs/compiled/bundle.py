"""Many arrays handed to a kernel as one address.

numba hands over a named tuple of arrays as hundreds of numbers, and every function that takes one compiles for seconds. A
bundle is a frozen dataclass whose fields are C-contiguous arrays, numbers or bundles, of the kinds that their annotations
declare. Its kernels get the address of a table that says where each field stands, and read from it what they use:

    array: its address, then its shape;   number: its value, eight bytes;   bundle: the address of its own table

A field is never set anew, so the compiler may take what it has read from the table once for known ever after.
"""

from __future__ import annotations

import dataclasses
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
    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, field.name) for field in dataclasses.fields(self))  # type: ignore[arg-type]

    @cached_property
    def _table(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        fields = zip(members(type(self)).items(), self._values, strict=True)
        words = [word for (name, kind), value in fields for word in self._words(name, kind, value)]
        return np.array(words, dtype=np.int64)

    @cached_property
    def address(self) -> int:
        """Where its table stands."""
        return int(self._table.ctypes.data)

    def _words(self, name: str, kind: Kind, value: Any) -> tuple[int, ...]:
        """What the table says of a field. Raises TypeError where it is not of its kind."""
        if isinstance(kind, Array):
            if isinstance(value, np.ndarray) and value.dtype == kind.dtype and value.ndim == kind.ndim:
                if not value.flags.c_contiguous:  # kernels go from element to element by the shape alone
                    raise TypeError(f"the array {name} of a bundle must be contiguous")
                return (value.ctypes.data, *value.shape)
        elif isinstance(kind, Scalar):
            if kind.text == "float" and isinstance(value, (float, int)):
                return (int(np.float64(value).view(np.int64)),)
            if isinstance(value, (int, np.integer)):
                return (int(value),)
        elif isinstance(value, Bundle) and type(value) is kind.cls:  # type: ignore[union-attr]
            return (value.address,)
        found = f"{value.dtype} in {value.ndim} dimensions" if isinstance(value, np.ndarray) else type(value).__name__
        raise TypeError(f"{name} of {type(self).__qualname__} is declared as {kind.text}, not {found}")

    def __reduce__(self) -> tuple[Any, ...]:  # a copy has a table of its own
        return type(self), self._values
