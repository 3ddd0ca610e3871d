"""Arrays of records: fields as attributes, of all records and of one, in one memory."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

from sheetmbs.compiled.array_struct import address_of
from sheetmbs.engine.record_arrays import as_records

KIND = np.dtype([("number", "u4"), ("size", "f8"), ("x", "f8")])


@pytest.fixture
def given():
    return np.array([(1, 2.0, 3.0), (4, 5.0, 6.0)], KIND)


def test_a_field_is_a_plain_array_in_the_memory_of_the_records(given):
    records = as_records(given)
    assert type(records.x) is np.ndarray
    records.x[1] = 7.0
    records[0].number = 8
    records.number += np.uint32(1)
    assert given.tolist() == [(9, 2.0, 3.0), (5, 5.0, 7.0)]


def test_what_every_array_has_is_not_hidden_by_a_field_of_the_same_name(given):
    """As in numpy's own arrays of records."""
    records = as_records(given)
    assert records.size == 2
    assert records["size"].tolist() == [2.0, 5.0]


@pytest.mark.parametrize("name", ["y", "__array_ufunc_other__"])
def test_a_field_that_is_not_there_is_an_attribute_error(given, name):
    records = as_records(given)
    for each in (records, records[0]):
        with pytest.raises(AttributeError):
            getattr(each, name)


def pickled(it):
    return pickle.loads(pickle.dumps(it))  # noqa: S301 - our own bytes


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled, np.array])
def test_copies_have_the_same_numbers_elsewhere(given, copied):
    records = as_records(given)
    other = copied(records)
    other["x"] = 0.0
    assert records.x.tolist() == [3.0, 6.0]


def test_another_process_finds_the_fields_of_what_was_pickled(given):
    ask = "import pickle, sys; found = pickle.load(sys.stdin.buffer); found.x = 7; print(found['x'].sum(), found.number[1])"
    command = [sys.executable, "-c", ask]
    found = subprocess.run(command, input=pickle.dumps(as_records(given)), capture_output=True, check=True)
    assert found.stdout.split() == [b"14.0", b"4"]


def test_parts_and_choices_of_records_are_records(given):
    records = as_records(given)
    assert records[1:].x.tolist() == [6.0]
    assert records[records.number > 1].number.tolist() == [4]
    assert [record.x for record in records] == [3.0, 6.0]


@pytest.mark.parametrize("array", [np.arange(3.0), np.zeros((2, 3)), np.arange(6.0)[2:], as_records(np.zeros(2, KIND))])
def test_an_array_stands_where_numpy_says(array):
    assert address_of(array) == array.ctypes.data
    locked = array.view()
    locked.flags.writeable = False
    assert address_of(locked) == array.ctypes.data


def test_an_array_without_elements_stands_nowhere():
    assert address_of(np.zeros((0, 3))) == 0
