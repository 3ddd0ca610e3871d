"""Many arrays handed to a kernel as one address.

numba hands over a named tuple of arrays as hundreds of numbers, and every function that takes one compiles for seconds. A
bundle is a frozen dataclass whose fields are C-contiguous arrays, numbers or bundles. Its kernels get the address of a table
that says where each field stands, and read from it what they use:

    array: its address, then its shape;   number: its value, eight bytes;   bundle: the address of its own table

A field is never set anew, so the compiler may take what it has read from the table once for known ever after.
"""

from __future__ import annotations

import dataclasses
import hashlib
from functools import cached_property
from typing import Any

import numpy as np
from llvmlite import ir
from numba import typeof
from numba.core import types
from numba.core.datamodel import models, register_default
from numba.core.imputils import lower_getattr_generic
from numba.core.pythonapi import NativeValue, unbox
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.np import arrayobj

WORD = ir.IntType(64)
SCALARS = {int: types.int64, float: types.float64, bool: types.boolean}


class Bundle:
    """Base of frozen dataclasses that kernels take as one argument.

    Their fields are C-contiguous arrays, int, float, bool or bundles. Raises TypeError at the first call otherwise.
    """

    def make_table(self) -> None:
        """Find now where everything stands, rather than in the first call of a kernel. Raises as that does."""
        _ = self._numba_type_, self._address

    @cached_property
    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, field.name) for field in dataclasses.fields(self))  # type: ignore[arg-type]

    @cached_property
    def _numba_type_(self) -> BundleType:
        kinds = tuple(_kind(value) for value in self._values)
        known = _TYPES.setdefault(type(self), {})
        if kinds not in known:
            names = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]
            members = tuple(zip(names, map(_type, self._values), strict=True))
            known[kinds] = BundleType(f"{type(self).__module__}.{type(self).__qualname__}", members)
        return known[kinds]

    @cached_property
    def _table(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        return np.array([word for value in self._values for word in _words(value)], dtype=np.int64)

    @cached_property
    def _address(self) -> int:
        return int(self._table.ctypes.data)

    def __reduce__(self) -> tuple[Any, ...]:  # a copy has a table of its own
        return type(self), self._values


def _kind(value: Any) -> Any:
    """What the type of a field depends on."""
    if isinstance(value, np.ndarray):
        flags = value.flags
        if not flags.c_contiguous:  # kernels go from element to element by the shape alone
            raise TypeError("an array in a bundle must be contiguous")
        return value.dtype, value.ndim, flags.writeable, type(value)
    return value._numba_type_ if isinstance(value, Bundle) else type(value)


def _type(value: Any) -> types.Type:
    if isinstance(value, np.ndarray):
        return types.Array(typeof(value).dtype, value.ndim, "C", readonly=not value.flags.writeable)
    return value._numba_type_ if isinstance(value, Bundle) else SCALARS[type(value)]


def _words(value: Any) -> tuple[int, ...]:
    if isinstance(value, np.ndarray):
        return (value.ctypes.data, *value.shape)
    if isinstance(value, Bundle):
        return (value._address,)  # noqa: SLF001 - our own
    return (int(np.float64(value).view(np.int64)),) if isinstance(value, float) else (int(value),)


class BundleType(types.Type):
    """The type of a bundle to numba. members: (name, type) of the fields in their order."""

    def __init__(self, name: str, members: tuple[tuple[str, types.Type], ...]) -> None:
        self.members = members
        self.types = dict(members)
        self.place: dict[str, int] = {}  # of a field's first word in the table
        words = 0
        for member, kind in members:
            self.place[member] = words
            words += 1 + (kind.ndim if isinstance(kind, types.Array) else 0)
        # the name enters that of every compiled function: a short one
        digest = hashlib.sha256(repr(members).encode()).hexdigest()[:8]
        super().__init__(f"{name}_{digest}")

    @property
    def key(self) -> tuple[Any, ...]:
        """What makes two types equal."""
        return self.name, self.members

    def __hash__(self) -> int:  # asked for a hundred times at the start of a run; the name has a digest of the members
        return hash(self.name)


_TYPES: dict[type, dict[tuple[Any, ...], BundleType]] = {}


@register_default(BundleType)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: BundleType) -> None:
        super().__init__(manager, kind, WORD.as_pointer())


@infer_getattr
class _Fields(AttributeTemplate):
    key = BundleType

    def generic_resolve(self, kind: Any, name: str) -> Any:
        return kind.types.get(name)


@unbox(BundleType)
def _address_of(kind: BundleType, bundle: Any, context: Any) -> Any:  # noqa: ARG001 - the form of numba
    held = context.pyapi.object_getattr_string(bundle, "_address")
    address = context.pyapi.long_as_longlong(held)
    context.pyapi.decref(held)
    return NativeValue(context.builder.inttoptr(address, WORD.as_pointer()), is_error=context.pyapi.c_api_error())


@lower_getattr_generic(BundleType)
def _field(context: Any, builder: Any, kind: BundleType, table: Any, name: str) -> Any:
    member = kind.types[name]

    def word(number: int, of: ir.Type = WORD) -> Any:
        place = builder.gep(table, [ir.Constant(ir.IntType(32), kind.place[name] + number)])
        loaded = builder.load(builder.bitcast(place, of.as_pointer()))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    if isinstance(member, types.Array):
        array = context.make_array(member)(context, builder)
        shape = [word(1 + k) for k in range(member.ndim)]
        size = context.get_abi_sizeof(context.get_data_type(member.dtype))
        strides = [ir.Constant(WORD, size)]
        for extent in reversed(shape[1:]):
            strides.insert(0, builder.mul(strides[0], extent))
        data = word(0, context.get_data_type(member.dtype).as_pointer())
        arrayobj.populate_array(array, data, shape, strides, ir.Constant(WORD, size), meminfo=None)
        return array._getvalue()  # noqa: SLF001 - numba's way
    if isinstance(member, types.Boolean):
        return builder.icmp_unsigned("!=", word(0), ir.Constant(WORD, 0))
    return word(0, context.get_value_type(member))
