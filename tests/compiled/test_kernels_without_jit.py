"""Kernels mean the same as plain Python, and never reach outside an array.

Machine code wraps a negative index, reads past the end and divides by zero in silence. So the tests of the kernels run once
more as plain Python, which raises; ``pytest -m nightly`` also runs them compiled with bounds checked, which takes minutes to
compile and looks at the same indices.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NO_KERNELS = "arrays|codes|records|work|motion.operations"
"""modules of the engine that hold declarations only"""
KERNELS = rf"engine\.(?!({NO_KERNELS})\b)\w+|analysis\.driven_positions"
"""modules of kernels, and one that does nothing but call them"""
WHOLE_MOTIONS = (
    "test_compliant_handling.py",
    "test_fast_shapes.py",
    "test_integrators.py",
    "test_new_force.py",
    "test_steady_derivatives.py",
    "test_steady_states.py",
    "test_switching.py",
)
"""tests that run whole motions or diagrams, which takes minutes as plain Python; other tests check their kernels"""
THROUGH_A_WORKBOOK = ("test_state_kernel.py",)
"""tests that reach a kernel through a workbook alone"""
KERNEL_TESTS = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "tests").rglob("test_*.py")
    if path.name in THROUGH_A_WORKBOOK
    or (
        path.name not in WHOLE_MOTIONS
        and re.search(rf"^(from|import) sheetmbs\.({KERNELS})\b", path.read_text("utf-8"), re.MULTILINE)
    )
)
SHARES = 2
"""of the test files, each run in one process: starting one takes as long as most of the files"""


def test_there_are_tests_of_kernels():
    assert "tests/engine/test_bytecode.py" in KERNEL_TESTS
    assert "tests/engine/test_newton.py" in KERNEL_TESTS
    assert "tests/schema/test_expression.py" not in KERNEL_TESTS


@pytest.mark.parametrize("switch", ["NUMBA_DISABLE_JIT", pytest.param("NUMBA_BOUNDSCHECK", marks=pytest.mark.nightly)])
@pytest.mark.parametrize("share", range(SHARES))
def test_the_tests_of_kernels_pass_with(switch, share):
    quiet = "ignore::RuntimeWarning"  # plain numpy warns of what the kernels allow for: overflow, division by zero
    tests = KERNEL_TESTS[share::SHARES]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-W", quiet, "-p", "no:cacheprovider", "-p", "no:xdist", *tests],
        cwd=ROOT,
        env=os.environ | {switch: "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
