"""What is counted of the strides of a trial, as a line about a recording tells it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TrialStrides:
    """left, right: whole strides with moments. plates: with their feet, for people. why: there are no strides."""

    left: int = 0
    right: int = 0
    plates: str = ""
    why: str = ""
    kinematic: int = 0

    @property
    def in_words(self) -> str:
        """``strides with moments: left 1, right 2``, or why there are none."""
        if self.left or self.right:
            return f"strides with moments: left {self.left}, right {self.right}"
        return f"no stride with moments: {self.why}"

    @property
    def sides(self) -> str:
        """Sides that have any."""
        return "; ".join(side for side, count in (("right", self.right), ("left", self.left)) if count)
