"""Kept machine code of a kernel is used only where what the kernel takes lies in memory as it did then."""

import pytest

from tests.compiled.mini_package import MiniPackage

DECLARING = """
from dataclasses import dataclass
from typing import Annotated, Any
import numpy as np
from numpy.typing import NDArray
from mini import compiled
from mini.compiled import Array, Bundle

Floats = Annotated[NDArray[np.float64], Array("f8", 1)]
"""
FIELDS = """
@dataclass(frozen=True, eq=False)
class Pair({parent}):
    {0}: Floats
    {1}: Floats
"""
PARENT = """
class Parent(Bundle):
    pass
"""
HOLDER = """
@dataclass(frozen=True, eq=False)
class Pair(Bundle):
    record: Annotated[Any, RECORD]
"""
BUNDLES = {
    "a bundle": FIELDS.replace("{parent}", "Bundle"),
    "a bundle named by its module": FIELDS.replace("{parent}", "compiled.Bundle"),
    "a bundle of another class": PARENT + FIELDS.replace("{parent}", "Parent"),
}
RECORDS = {
    "a record": "RECORD = np.dtype([({0!r}, 'f8'), ({1!r}, 'f8')])",
    "a record with an annotation": "RECORD: np.dtype = np.dtype([({0!r}, 'f8'), ({1!r}, 'f8')])",
    "a record of names in a constant": "NAMES = ({0!r}, {1!r})\nRECORD = np.dtype([(name, 'f8') for name in NAMES])",
}
MAKE_BUNDLE = "from mini.engine.pair import Pair\npair = Pair(first=np.array([1.0]), second=np.array([2.0]))"
MAKE_RECORD = (
    "from mini.engine.pair import Pair, RECORD\nrecord = np.zeros(1, RECORD)\n"
    "record['first'], record['second'] = 1.0, 2.0\npair = Pair(record=record)"
)
CASES = [
    *(pytest.param(text, "pair.first[0]", MAKE_BUNDLE, id=name) for name, text in BUNDLES.items()),
    *(pytest.param(text + HOLDER, "pair.record[0]['first']", MAKE_RECORD, id=name) for name, text in RECORDS.items()),
]
READER = """
from mini.compiled import kernel

@kernel
def first_of(pair) -> float:
    return {}
"""
USER = """
from mini.compiled import kernel
from mini.engine.pair import Pair
from mini.engine.reader import first_of

@kernel
def entry(pair: Pair) -> float:
    return first_of(pair)
"""


@pytest.mark.parametrize(("declared", "read", "make"), CASES)
def test_a_kernel_is_compiled_again_where_what_it_takes_has_another_layout(tmp_path, declared, read, make):
    """The module of `first_of` does not change, and imports nothing of what it takes; however the layout is spelled."""
    mini = MiniPackage(tmp_path)
    run = f"import numpy as np\nfrom mini.analysis.user import entry\n{make}\nprint(entry(pair))"
    mini.write("engine/reader", READER.format(read))
    mini.write("analysis/user", USER)
    for order in (("first", "second"), ("second", "first")):
        mini.write("engine/pair", DECLARING + declared.format(*order))
        assert mini.run(run)[0] == ["1.0"]
