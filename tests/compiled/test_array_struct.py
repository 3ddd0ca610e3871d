"""Bundles: kernels read from them what Python put there, and a copy has a table of its own."""

import copy
import dataclasses
import gc
import os

import numpy as np
import pytest

from sheetmbs.compiled import Bundle, kernel
from sheetmbs.engine.records import Floats, Floats2
from sheetmbs.lower import lower
from tests.support.mechanisms import double_pendulum


@dataclasses.dataclass(frozen=True, eq=False)
class Inner(Bundle):
    """An array in a bundle."""

    values: Floats


@dataclasses.dataclass(frozen=True, eq=False)
class Outer(Bundle):
    """One field of every kind."""

    table: Floats2
    inner: Inner
    factor: float
    count: int
    is_doubled: bool


@kernel
def total(outer) -> float:
    """Reads every field, and writes into an array."""
    found = 0.0
    for row in range(outer.table.shape[0]):
        for column in range(outer.table.shape[1]):
            found += outer.table[row, column] * outer.inner.values[column]
    found = found * outer.factor + outer.count
    outer.inner.values[0] = -1.0
    return 2.0 * found if outer.is_doubled else found


def outer(**fields):
    given = {"table": np.arange(6.0).reshape(2, 3), "inner": Inner(np.array([1.0, 10.0, 100.0]))}
    return Outer(**given | {"factor": 0.5, "count": 7, "is_doubled": False} | fields)


def test_a_kernel_reads_what_stands_in_a_bundle_and_writes_into_its_arrays():
    given = outer()
    assert total(given) == 0.5 * (3.0 + 5.0 * 10.0 + 7.0 * 100.0) + 7.0
    assert given.inner.values[0] == -1.0
    assert total(outer(is_doubled=True)) == 2.0 * (0.5 * 753.0 + 7.0)
    assert total(outer(table=np.ones((1, 3)), factor=-1.5, count=-2)) == -1.5 * 111.0 - 2.0


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda given: dataclasses.replace(given, inner=Inner(np.ones(3)))])
def test_a_copy_reads_its_own_arrays(copied):
    given = outer(inner=Inner(np.ones(3)))
    expected = total(outer(inner=Inner(np.ones(3))))
    given.make_table()
    other = copied(given)
    given.inner.values[:] = np.nan
    del given
    gc.collect()
    assert total(other) == expected


@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="plain Python makes no tables")
def test_an_array_that_is_not_contiguous_is_refused_before_a_kernel_sees_it():
    with pytest.raises(TypeError, match="contiguous"):
        outer(table=np.zeros((3, 2)).T).make_table()
    with pytest.raises(TypeError, match="contiguous"):
        total(outer(table=np.zeros((3, 2)).T))


@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="plain Python makes no tables")
@pytest.mark.parametrize(
    "field",
    [
        {"table": np.zeros((2, 3), dtype=np.float32)},
        {"table": np.zeros(6)},
        {"table": [[1.0]]},
        {"inner": np.zeros(3)},
        {"inner": outer()},
        {"factor": "1"},
        {"factor": None},
        {"count": 1.5},
    ],
    ids=str,
)
def test_a_field_of_another_kind_than_declared_is_refused_before_a_kernel_sees_it(field):
    (name,) = field
    with pytest.raises(TypeError, match=f"{name} of Outer is declared as"):
        total(outer(**field))


@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="plain Python makes no tables")
def test_a_bundle_with_a_field_that_no_kernel_can_read_is_refused():
    @dataclasses.dataclass(frozen=True, eq=False)
    class Named(Bundle):
        """A field with a text."""

        name: str

    with pytest.raises(TypeError, match="name is no array of a known kind, number or bundle"):
        Named("x").make_table()


def test_the_tables_of_a_model_are_made_when_it_is_arranged_and_not_by_the_first_step():
    system = lower(double_pendulum()).arrange()
    assert all("address" in vars(bundle) for bundle in (system.arrays, system.work))


def test_arrays_in_one_piece_are_zero_and_those_that_a_kernel_reads_and_writes():
    given = Outer.zeros(
        (("table", (2, 3)),), inner=Inner(np.array([1.0, 10.0, 100.0])), factor=0.5, count=7, is_doubled=False
    )
    assert total(given) == 7.0
    assert not given.table.any()
    assert given.table.shape == (2, 3)
    given.inner.values[0] = 1.0
    given.table[:] = np.arange(6.0).reshape(2, 3)
    assert total(given) == total(outer())
    written = Inner.zeros((("values", (3,)),))
    total(Outer(np.zeros((1, 3)), written, 1.0, 0, is_doubled=False))
    assert written.values.tolist() == [-1.0, 0.0, 0.0]


def test_arrays_in_one_piece_outlive_their_bundle():
    values = Inner.zeros((("values", (1000,)),)).values
    gc.collect()
    values[:] = 2.0
    assert np.sum(np.concatenate([values, np.zeros(1000)])) == 2000.0


def test_a_bundle_with_other_fields_shares_the_rest_and_not_its_table():
    given = outer()
    other = given.changed(table=np.ones((1, 3)), factor=-1.5, count=-2)
    assert other.inner is given.inner
    assert total(other) == -1.5 * 111.0 - 2.0
    given.inner.values[0] = 1.0
    assert total(given) == 0.5 * 753.0 + 7.0


@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="plain Python makes no tables")
def test_what_is_not_in_words_cannot_stand_in_one_piece():
    with pytest.raises(TypeError, match="factor of Outer is float, which is no array of words"):
        Outer.zeros((("factor", (1,)),))
    with pytest.raises(TypeError, match="table of Outer is"):
        Outer.zeros((("table", (2,)),))
