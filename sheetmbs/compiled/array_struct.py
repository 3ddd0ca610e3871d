"""Many arrays handed to a kernel as one address.

numba hands over a named tuple of arrays as hundreds of numbers, and every function that takes one compiles for seconds. A
bundle is a frozen dataclass whose fields are C-contiguous arrays, numbers or bundles, of the kinds that their annotations
declare. Its kernels get the address of a table that says where each field stands, and read from it what they use:

    array: its address, then its shape;   number: its value, eight bytes;   bundle: the address of its own table

A field is never set again, so the compiler may take what it has read from the table once for known ever after.
"""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import addressof, c_char
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from sheetmbs.compiled.kinds import Array, BundleKind, Kind, Scalar, members

Shapes = tuple[tuple[str, tuple[int, ...]], ...]
"""names of fields with shapes"""
WORD = 8
LINE = 8
"""words of a cache line, on which every array of a piece begins"""
KNOWN_PIECES = 256
VIEW, BYTE = np.ndarray.view, np.dtype(np.uint8)


class Bundle:
    """Base of frozen dataclasses that kernels take as one argument.

    Their fields are C-contiguous arrays, int, float, bool or bundles. Raises TypeError at the first call otherwise.
    """

    def make_table(self) -> None:
        """Find now where everything stands, rather than in the first call of a kernel. Raises as that does."""
        _ = self.address

    @classmethod
    def zeros(cls, shapes: Shapes, **others: Any) -> Self:
        """A bundle whose arrays, all but ``others``, are zero and stand in one piece of memory; its table with them.

        A model of a few bodies is solved in less time than it takes to make fifty arrays and to find where each stands, so
        that they are made when Python asks for them.
        """
        piece = _piece(cls, shapes)  # type: ignore[arg-type]  # a class is hashable
        memory = np.zeros(piece.size)
        made = object.__new__(cls)
        fields = vars(made)
        fields.update(others, _piece=piece, _memory=memory)
        table = piece.table + piece.is_address * address_of(memory)
        for name, at in piece.elsewhere:
            words = made._words(name, members(cls)[name])
            table[at : at + len(words)] = words
        fields["_table"] = table
        made.make_table()
        return made

    if not TYPE_CHECKING:  # which knows all fields

        def __getattr__(self, name: str) -> Any:
            """An array of `zeros`, made when it is asked for first."""
            piece = vars(self).get("_piece")
            if piece is None or name not in piece.places:
                raise AttributeError(f"{type(self).__name__} has no {name}")
            start, shape, dtype = piece.places[name]
            array = np.ndarray(shape, dtype, self._memory, WORD * start)
            vars(self)[name] = array
            return array

    def changed(self, **fields: Any) -> Self:
        """The same bundle with some other fields; where the rest stands is not asked for again."""
        made = object.__new__(type(self))
        vars(made).update({name: getattr(self, name) for name in members(type(self))} | fields)
        table, kinds = self._table.copy(), members(type(self))
        places = _places(type(self))  # type: ignore[arg-type]  # a class is hashable
        for name in fields:
            table[places[name]] = made._words(name, kinds[name])
        vars(made)["_table"] = table
        return made

    @cached_property
    def _table(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        words = [word for name, kind in members(type(self)).items() for word in self._words(name, kind)]
        return np.array(words, dtype=np.int64)

    def _words(self, name: str, kind: Kind) -> tuple[int, ...]:
        """What the table says of a field. Raises TypeError where it is of another kind than declared."""
        value = getattr(self, name)
        if isinstance(kind, Array):
            if not kind.fits(value):
                raise self._unfit(name, kind, value)
            if not value.flags.c_contiguous:  # kernels go from element to element by the shape alone
                raise TypeError(f"the array {name} of a bundle must be contiguous")
            return address_of(value), *value.shape
        if isinstance(kind, Scalar):
            return (self._number(name, kind, value),)
        if isinstance(value, Bundle) and isinstance(kind, BundleKind) and type(value) is kind.cls:
            return (value.address,)
        raise self._unfit(name, kind, value)

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


@dataclass(frozen=True)
class _Piece:
    """Arrays in one piece of memory of ``size`` words.

    places: first word, shape and dtype of each by its name. table: of the bundle, where its memory began at 0.
    is_address: of each word, 1 or 0. elsewhere: fields of other memory, and where their words begin.
    """

    size: int
    places: Mapping[str, tuple[int, tuple[int, ...], np.dtype[Any]]]
    table: np.ndarray[Any, np.dtype[np.int64]]
    is_address: np.ndarray[Any, np.dtype[np.int64]]
    elsewhere: tuple[tuple[str, int], ...]


@cache
def _places(cls: type[Bundle]) -> Mapping[str, slice]:
    """Where the words of each field stand in the table of a bundle."""
    places, at = {}, 0
    for name, kind in members(cls).items():
        count = 1 + kind.ndim if isinstance(kind, Array) else 1
        places[name] = slice(at, at + count)
        at += count
    return places


@lru_cache(maxsize=KNOWN_PIECES)
def _piece(cls: type[Bundle], shapes: Shapes) -> _Piece:
    given, size = dict(shapes), 0
    places, elsewhere = {}, []
    table: list[int] = []
    is_address: list[int] = []
    for name, kind in members(cls).items():
        if name not in given:
            elsewhere.append((name, len(table)))
            words = 1 + kind.ndim if isinstance(kind, Array) else 1
            table += [0] * words
            is_address += [0] * words
            continue
        if not isinstance(kind, Array) or kind.dtype.itemsize != WORD or len(given[name]) != kind.ndim:
            raise TypeError(f"{name} of {cls.__qualname__} is {kind.text}, which is no array of words of that shape")
        count = int(np.prod(given[name], dtype=np.int64))
        places[name] = size, given[name], kind.dtype
        table += [WORD * size if count else 0, *given[name]]
        is_address += [1 if count else 0] + [0] * kind.ndim
        size += -(-count // LINE) * LINE
    tables = [np.array(words, dtype=np.int64) for words in (table, is_address)]
    return _Piece(size, places, tables[0], tables[1], tuple(elsewhere))


def address_of(array: np.ndarray[Any, Any]) -> int:
    """Where the elements of a contiguous array stand, 0 for one without any.

    By its buffer: `ndarray.ctypes` makes two objects for it, which costs a run of a small model as much as solving. A buffer
    of records is described field by field, which takes still longer, so that theirs is that of their bytes.
    """
    if not array.size:
        return 0
    plain = array if array.dtype.names is None else VIEW(array, BYTE, np.ndarray)
    try:
        return addressof(c_char.from_buffer(plain))  # type: ignore[arg-type]  # an array is a buffer
    except (TypeError, ValueError):  # of one that may only be read it is none to write to
        return int(array.ctypes.data)
