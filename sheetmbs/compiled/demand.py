"""Kernels compiled when they are called and the library has them not: tests' own, and some that tests call directly.

They are kept as the units of a build are, if they stand in the package.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sheetmbs.compiled import sources
from sheetmbs.compiled.files import CompiledKernel, WantedKernel, symbol_of
from sheetmbs.compiled.kept_units import keep_unit, kept_unit, place_of
from sheetmbs.compiled.kernel import Kernel
from sheetmbs.compiled.kinds import Kind
from sheetmbs.compiled.native import Addresses

if TYPE_CHECKING:
    from sheetmbs.compiled.numba_types import Call

_loaded: list[Addresses] = []


def compiled(kernel: Kernel, takes: tuple[Kind, ...], library: Addresses) -> tuple[CompiledKernel, int]:
    """The code of a kernel for arguments of these kinds, and its address. library: what need not be compiled."""
    symbol = symbol_of(kernel.name, [kind.text for kind in takes])
    before = [library, *_loaded]
    units: list[CompiledKernel] = []
    ahead: list[WantedKernel | tuple[Kernel, tuple[Kind, ...]]] = [(kernel, takes)]
    known = {symbol}
    while ahead:
        units.append(_unit(ahead.pop()))
        new = [each for each in units[-1].calls if each.symbol not in known]
        known.update(each.symbol for each in new)
        ahead += [each for each in new if not any(each.symbol in loaded.symbols for loaded in before)]
    from sheetmbs.compiled.loader import LoadedObjects

    called = {each.symbol for unit in units for each in unit.calls}
    outside = {name: each.of(name) for each in before for name in called & each.symbols}
    _loaded.append(LoadedObjects({unit.symbol: unit.code for unit in units}, outside))
    return units[0], _loaded[-1].of(symbol)


def _unit(which: WantedKernel | tuple[Kernel, tuple[Kind, ...]]) -> CompiledKernel:
    path = _place(which)
    kept = kept_unit(path) if path else None
    if kept is not None:
        return kept
    from sheetmbs.compiled import compiling

    unit = compiling.unit_of(_call(which))
    keep_unit(path, unit)
    return unit


def _place(which: WantedKernel | tuple[Kernel, tuple[Kind, ...]]) -> Path | None:
    if isinstance(which, WantedKernel):
        module, symbol = which.module, which.symbol
    else:
        kernel, takes = which
        module, symbol = kernel.__module__, symbol_of(kernel.name, [kind.text for kind in takes])
    return place_of(module, symbol) if module.startswith(f"{sources.NAME}.") else None


def _call(which: WantedKernel | tuple[Kernel, tuple[Kind, ...]]) -> Call:
    from sheetmbs.compiled import compiling, numba_types

    if not isinstance(which, WantedKernel):
        return compiling.entry_of(*which)
    return numba_types.CALLS.get(which.symbol) or compiling.call_wanted(which)
