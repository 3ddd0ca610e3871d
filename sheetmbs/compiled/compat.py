"""All that is used of numba beyond its public interface, by name, and whether this numba has it and it works as expected.

Where it does not, kernels are linked as numba links them (`plain.py`): the build takes longer, what it makes is right.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

NAMES = {
    "AttributeTemplate": "numba.core.typing.templates",
    "Flags": "numba.core.compiler",
    "compile_extra": "numba.core.compiler",
    "cpu_target": "numba.core.registry",
    "get_or_insert_function": "numba.core.cgutils",
    "if_unlikely": "numba.core.cgutils",
    "populate_array": "numba.np.arrayobj",
}


def private(name: str) -> Any:
    """What numba has under a name; None where it has nothing."""
    try:
        return getattr(import_module(NAMES[name]), name, None)
    except ImportError:
        return None


def has(*names: str) -> bool:
    """Whether this numba has all of these."""
    return all(private(name) is not None for name in names)
