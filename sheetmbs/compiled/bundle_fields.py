"""How kernels read the fields of a bundle from its table."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, overload_attribute

from sheetmbs.compiled import compat
from sheetmbs.compiled.numba_types import WORD, BundleType


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
