"""From the model to arrays: names become numbers, joints become rows, samples become polynomials."""

from sheetmbs.lower.lower_model import lower
from sheetmbs.lower.system import Lowered, System

__all__ = ["Lowered", "System", "lower"]
