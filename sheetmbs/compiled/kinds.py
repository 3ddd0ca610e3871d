"""What kernels take and return: kinds of values, as annotations declare them and as values have them.

A kind has a text, which names it in the table of the library; two kinds are equal where their texts are. For other processes
and for files, kinds are written as JSON, so that reading them runs nothing.
"""

from __future__ import annotations

import hashlib
import json
import sys
import typing
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Annotated, Any

import numpy as np

SCALARS = {
    int: "int",
    float: "float",
    bool: "bool",
    type(None): "none",
    np.int64: "int",
    np.float64: "float",
    np.bool_: "bool",
    np.uint32: "uint32",
    np.int32: "int32",
    np.uint64: "uint64",
}

PACKAGE = __name__.partition(".")[0]


@dataclass(frozen=True)
class Scalar:
    """A number, a truth value or nothing."""

    text: str


@dataclass(frozen=True)
class Array:
    """An array. dtype: of its elements; layout: C where they follow each other, else A."""

    dtype: Any
    ndim: int = 1
    layout: str = "C"
    _equal: Any = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Take the name of a dtype for it."""
        object.__setattr__(self, "dtype", np.dtype(self.dtype))

    def fits(self, value: Any) -> bool:
        """Whether a value is such an array but for its layout.

        The last dtype that was equal without being the same is kept: comparing fields of records takes numpy a microsecond.
        """
        if not isinstance(value, np.ndarray) or value.ndim != self.ndim:
            return False
        dtype = value.dtype
        if dtype is self.dtype or dtype is self._equal:
            return True
        if dtype != self.dtype:
            return False
        object.__setattr__(self, "_equal", dtype)
        return True

    @cached_property
    def text(self) -> str:
        """Name of this kind; that of a record has a digest of its fields."""
        return f"{_text_of_dtype(self.dtype)}[{self.ndim}]{self.layout.replace('C', '')}"


@dataclass(frozen=True)
class Several:
    """Kind of a tuple of values."""

    items: tuple[Kind, ...]

    @cached_property
    def text(self) -> str:
        """The names of its items."""
        return f"({','.join(item.text for item in self.items)})"


@dataclass(frozen=True)
class BundleKind:
    """A bundle, which is the address of its table. cls: its class."""

    cls: type

    @cached_property
    def text(self) -> str:
        """The name of its class."""
        return f"{self.cls.__module__}.{self.cls.__qualname__}"


Kind = Scalar | Array | Several | BundleKind
NONE = Scalar("none")


def _text_of_dtype(dtype: np.dtype[Any]) -> str:
    if dtype.names is None:
        return dtype.str[1:]
    fields = repr([(name, kind.str, offset) for name, (kind, offset, *_) in (dtype.fields or {}).items()])
    return f"V{dtype.itemsize}:{hashlib.sha256(fields.encode()).hexdigest()[:8]}"


def declared(annotation: Any) -> Kind | None:
    """The kind that an annotation declares, None where it declares none."""
    if annotation in SCALARS or annotation is None:
        return Scalar(SCALARS.get(annotation, "none"))
    if typing.get_origin(annotation) is Annotated:
        for found in annotation.__metadata__:
            if isinstance(found, Array):
                return found
            if isinstance(found, np.dtype):
                return Array(found)
        return None
    if typing.get_origin(annotation) is tuple:
        items = [declared(item) for item in typing.get_args(annotation)]
        return None if None in items else Several(tuple(item for item in items if item is not None))
    return BundleKind(annotation) if isinstance(annotation, type) and hasattr(annotation, "make_table") else None


def members(cls: type) -> dict[str, Kind]:
    """The kinds of the fields of a bundle. Raises TypeError where one is not declared."""
    found = _members.get(cls)
    if found is None:
        hints = typing.get_type_hints(cls, include_extras=True)
        found = {}
        for name in cls.__dataclass_fields__:  # type: ignore[attr-defined]
            kind = declared(hints[name])
            if kind is None or isinstance(kind, Several):
                raise TypeError(
                    f"{cls.__module__}.{cls.__qualname__}.{name} is no array of a known kind, number or bundle"
                )
            found[name] = kind
        _members[cls] = found
    return found


_members: dict[type, dict[str, Kind]] = {}


def signature(function: Callable[..., Any]) -> tuple[tuple[Kind, ...] | None, Kind | None]:
    """What a kernel takes, None where not all of it is declared; and what it returns, None where that is not."""
    if not function.__annotations__:
        return None, None
    hints = typing.get_type_hints(function, include_extras=True)
    count = function.__code__.co_argcount
    takes = [declared(hints[name]) if name in hints else None for name in function.__code__.co_varnames[:count]]
    returned = declared(hints["return"]) if "return" in hints else None
    return (None if None in takes else tuple(each for each in takes if each is not None)), returned


def kind_of(value: Any) -> Kind | None:
    """The kind of a value, None where a kernel of the library can take none such."""
    name = SCALARS.get(type(value))
    if name is not None:
        return Scalar(name)
    if isinstance(value, np.ndarray):
        return Array(value.dtype, value.ndim, "C" if value.flags.c_contiguous else "A")
    if hasattr(value, "make_table"):
        return BundleKind(type(value))
    if type(value) is tuple:
        items = tuple(kind_of(item) for item in value)
        return None if None in items else Several(items)  # type: ignore[arg-type]
    return None


def written(kinds: Iterable[Kind]) -> str:
    """Text of some kinds as JSON."""
    return json.dumps([_plain(kind) for kind in kinds])


def read_kinds(text: str) -> tuple[Kind, ...]:
    """The kinds that `written` wrote. Raises ValueError or TypeError where the text is something else."""
    return tuple(_kind(plain) for plain in json.loads(text))


def _plain(kind: Kind) -> Any:
    if isinstance(kind, Scalar):
        return kind.text
    if isinstance(kind, Several):
        return [_plain(item) for item in kind.items]
    if isinstance(kind, Array):
        return {"dtype": _plain_dtype(kind.dtype), "ndim": kind.ndim, "layout": kind.layout}
    return {"module": kind.cls.__module__, "bundle": kind.cls.__qualname__}


def _plain_dtype(dtype: np.dtype[Any]) -> Any:
    if dtype.names is None:
        return dtype.str if dtype.subdtype is None else [_plain_dtype(dtype.subdtype[0]), list(dtype.shape)]
    fields = {name: [_plain_dtype(kind), offset] for name, (kind, offset, *_) in (dtype.fields or {}).items()}
    return {"fields": fields, "itemsize": dtype.itemsize, "aligned": dtype.isalignedstruct}


def _kind(plain: Any) -> Kind:
    if isinstance(plain, str):
        return Scalar(plain)
    if isinstance(plain, list):
        return Several(tuple(_kind(item) for item in plain))
    if "dtype" in plain:
        return Array(_dtype(plain["dtype"]), plain["ndim"], plain["layout"])
    return BundleKind(_bundle(plain["module"], plain["bundle"]))


def _dtype(plain: Any) -> np.dtype[Any]:
    if isinstance(plain, str):
        return np.dtype(plain)
    if isinstance(plain, list):
        return np.dtype((_dtype(plain[0]), tuple(plain[1])))
    names, fields = list(plain["fields"]), plain["fields"].values()
    formats, offsets = [_dtype(kind) for kind, _offset in fields], [offset for _kind, offset in fields]
    layout = {"names": names, "formats": formats, "offsets": offsets, "itemsize": plain["itemsize"]}
    return np.dtype(layout, align=plain["aligned"])  # type: ignore[call-overload,no-any-return]


def _bundle(module: str, name: str) -> type:
    """A class of bundles of this package: no other module is imported because a text names it."""
    if not module.startswith(f"{PACKAGE}."):
        raise ValueError(f"{module} is no module of {PACKAGE}")
    import_module(module)
    found: Any = sys.modules[module]
    for part in name.split("."):
        found = getattr(found, part)
    if not (isinstance(found, type) and hasattr(found, "make_table")):
        raise TypeError(f"{module}.{name} is no bundle")
    return found
