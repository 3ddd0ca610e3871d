"""What the command line asks of every study."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """runs: every time is the median of so many. quick: fewer rows. only: names of the cases to run, all if empty."""

    runs: int = 5
    quick: bool = False
    only: tuple[str, ...] = ()

    @property
    def save(self) -> bool:
        """Write results, pictures and tables? Not where only a part was asked for."""
        return not (self.quick or self.only)

    def wanted(self, name: str) -> bool:
        """Whether this case is to be run."""
        return not self.only or name in self.only
