"""What kinds of values are to numba, how kernels read the fields of bundles, and calls of kernels.

Imported only where something is compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    models,
    overload_attribute,
    register_model,
    typeof_impl,
)

from sheetmbs.compiled import compat
from sheetmbs.compiled.array_struct import Bundle
from sheetmbs.compiled.files import symbol_of
from sheetmbs.compiled.kernel import Kernel
from sheetmbs.compiled.kinds import Array, BundleKind, Kind, Scalar, Several, members

WORD = ir.IntType(64)
SCALARS = {
    "int": types.int64,
    "float": types.float64,
    "bool": types.boolean,
    "none": types.none,
    "uint32": types.uint32,
    "int32": types.int32,
    "uint64": types.uint64,
}
TEXTS = {kind: text for text, kind in SCALARS.items()}


def numba_type(kind: Kind) -> types.Type:
    """The type of a kind of values."""
    if isinstance(kind, Scalar):
        return SCALARS[kind.text]
    if isinstance(kind, Array):
        return types.Array(from_dtype(kind.dtype), kind.ndim, kind.layout)
    if isinstance(kind, Several):
        return types.BaseTuple.from_types(tuple(map(numba_type, kind.items)))
    return BundleType(kind.cls)


def plain(kind: types.Type) -> types.Type:
    """A type as kernels are compiled for it: a number's is not that of one number, an array's may be written."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.Array) and not kind.mutable:
        return kind.copy(readonly=False)
    return kind


def kind_of_type(kind: types.Type) -> Kind:
    """The kind of a type. Raises TypeError where we have none."""
    if kind in TEXTS:
        return Scalar(TEXTS[kind])
    if isinstance(kind, BundleType):
        return BundleKind(kind.cls)
    if isinstance(kind, types.Array):
        dtype = kind.dtype.dtype if isinstance(kind.dtype, types.Record) else str(kind.dtype)
        return Array(dtype, kind.ndim, "C" if kind.layout == "C" else "A")
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.NamedTuple):
        return Several(tuple(map(kind_of_type, kind)))
    raise TypeError(f"no kernel of a library can take {kind}")


def text_of(kind: types.Type) -> str:
    """The text of the kind of a type; numba's own name where we have none."""
    try:
        return kind_of_type(kind).text
    except TypeError:
        return str(kind)


class BundleType(types.Type):
    """The type of a bundle to numba."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        super().__init__(f"{cls.__module__}.{cls.__qualname__}")

    def fields(self) -> dict[str, tuple[int, types.Type]]:
        """Where in the table each field begins, and its type."""
        if self.cls not in _FIELDS:
            fields, words = {}, 0
            for name, kind in members(self.cls).items():
                fields[name] = words, numba_type(kind)
                words += 1 + (kind.ndim if isinstance(kind, Array) else 0)
            _FIELDS[self.cls] = fields
        return _FIELDS[self.cls]


_FIELDS: dict[type, dict[str, tuple[int, types.Type]]] = {}


@typeof_impl.register(Bundle)
def _type_of(bundle: Bundle, context: Any) -> BundleType:  # noqa: ARG001 - the form of numba
    return BundleType(type(bundle))


@register_model(BundleType)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: BundleType) -> None:
        super().__init__(manager, kind, WORD.as_pointer())


@dataclass(frozen=True)
class Call:
    """A kernel and the types of its arguments. symbol: how its code is called."""

    kernel: Kernel
    takes: tuple[types.Type, ...]
    symbol: str


CALLS: dict[str, Call] = {}
"""all that were met, by their symbols"""


def call_of(kernel: Kernel, takes: tuple[types.Type, ...]) -> Call:
    """A kernel with arguments of these types."""
    symbol = symbol_of(kernel.name, map(text_of, takes))
    return CALLS.setdefault(symbol, Call(kernel, takes, symbol))


@dataclass(frozen=True)
class IntermediateCode:
    """Intermediate code of a kernel. name: of its function there; linked: code of functions of numba's that it calls."""

    name: str
    gives: types.Type
    code: str
    linked: tuple[str, ...] = ()


def field_of(context: Any, builder: Any, kind: BundleType, table: Any, name: str) -> Any:
    """Emit what reads a field. table: the address of the table."""
    begin, member = kind.fields()[name]

    def word(number: int, of: ir.Type = WORD) -> Any:
        place = builder.gep(table, [ir.Constant(ir.IntType(32), begin + number)])
        loaded = builder.load(builder.bitcast(place, of.as_pointer()))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    if member == types.boolean:
        return builder.icmp_unsigned("!=", word(0), ir.Constant(WORD, 0))
    if not isinstance(member, types.Array):
        return word(0, context.get_value_type(member))
    array = cgutils.create_struct_proxy(member)(context, builder)
    shape = [word(1 + k) for k in range(member.ndim)]
    size = ir.Constant(WORD, context.get_abi_sizeof(context.get_data_type(member.dtype)))
    steps = [size]
    for extent in reversed(shape[1:]):
        steps.insert(0, builder.mul(steps[0], extent))
    count = ir.Constant(WORD, 1)
    for extent in shape:
        count = builder.mul(count, extent)
    array.data = word(0, context.get_data_type(member.dtype).as_pointer())
    array.shape, array.strides = _packed(builder, shape), _packed(builder, steps)
    array.itemsize, array.nitems = size, count
    array.meminfo = ir.Constant(array.meminfo.type, None)
    array.parent = ir.Constant(array.parent.type, None)
    return array._getvalue()  # noqa: SLF001 - numba's documented way


def _packed(builder: Any, values: list[Any]) -> Any:
    packed = ir.Constant(ir.ArrayType(WORD, len(values)), ir.Undefined)
    for number, value in enumerate(values):
        packed = builder.insert_value(packed, value, number)
    return packed


def let_kernels_read_fields() -> None:
    """Tell numba of all fields at once; where it has no such way, `publish` does of each."""
    template: Any = compat.private("AttributeTemplate")
    if template is None:
        return

    class Fields(template):
        key = BundleType

        def generic_resolve(self, kind: Any, name: str) -> Any:
            return kind.fields()[name][1] if name in kind.fields() else None

    infer_getattr(Fields)
    lower_getattr_generic(BundleType)(field_of)


def publish(names: Any) -> None:
    """Tell numba of fields with these names, by its public interface, which compiles a function for each."""
    for name in names:
        if name not in _PUBLISHED:
            _PUBLISHED.add(name)
            overload_attribute(BundleType, name)(_reader(name))


_PUBLISHED: set[str] = set()


def _reader(name: str) -> Any:
    @intrinsic
    def read(typing_context: Any, bundle: Any) -> Any:  # noqa: ARG001 - the form of numba
        def emit(context: Any, builder: Any, called: Any, arguments: Any) -> Any:  # noqa: ARG001 - the same
            return field_of(context, builder, bundle, arguments[0], name)

        return bundle.fields()[name][1](bundle), emit

    def resolve(bundle):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - numba compares it with what it returns
        return (lambda bundle: read(bundle)) if name in bundle.fields() else None  # noqa: PLW0108 - that is compiled

    return resolve


let_kernels_read_fields()
