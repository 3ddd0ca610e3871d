"""Kinds of arguments written down for other processes and for files: JSON, so that reading it runs nothing."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Any

import numpy as np

from sheetmbs.compiled.kinds import Array, BundleKind, Kind, Scalar, Several

PACKAGE = __name__.partition(".")[0]


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
