"""From the model to arrays: names become numbers, joints become rows, samples become polynomials."""

from sheetmbs.lower.system import Lowered, System, lower

__all__ = ["Lowered", "System", "lower"]
