"""The uniform time of a recording: what its stamps say but for their printed digits, or which of them is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.signals.runs import Integers, Vector
from sheetmbs.workbook.reading.samples.faults import printed_unit, uniform_times

STEADY = 1e-3
"""part of a step by which steps may differ"""
FINE = 0.2
"""part of a step up to which a printed unit is so fine that a missing row could not hide in it"""
FLOATING = 1e-12
"""part of the largest time by which computed times differ anyway"""
SAME = 1e-6
"""part of a step that is not worth a word"""


@dataclass(frozen=True)
class UniformTime:
    """The time that is used. time: (m,) in s. rate: in Hz. frames: (m,) the file's numbers.

    index: (n,) where each recorded sample stands in it; what lies between was not recorded.
    note: one line about what was taken for what, ``""`` where stamps are exactly so.
    """

    time: Vector
    rate: float
    frames: Integers
    index: Integers
    note: str

    def spread(self, recorded: Vector) -> Vector:
        """Recorded samples (.., n) at this time (.., m), NaN where none was recorded."""
        if len(self.index) == len(self.time):
            return recorded
        spread = np.full((*recorded.shape[:-1], len(self.time)), np.nan)
        spread[..., self.index] = recorded
        return spread


@dataclass(frozen=True)
class WrongStamp:
    """The first sample whose time or frame cannot be. What was found there, the rule, and the mend."""

    sample: int
    found: str
    rule: str
    mend: str


def uniform_time(
    times: Vector, frames: Integers, *, rate: float | None = None, printed: float = 0.0, setting: str = "rate"
) -> UniformTime | WrongStamp:
    """The uniform time of stamps: that of the header's rate, else of the rate from the first to the last.

    times: (n,) in s, all NaN where there are none. frames: (n,) the file's numbers; a jump is a gap. rate: in Hz as a header
    or the user tells it; one that is not greater than 0 tells nothing. printed: the last printed digit of times in s, 0 where
    it must be found from them. setting: of Processing, that tells the rate.
    Stamps may be off the header's rate by half a printed unit, or off the rate from end to end by one, or differ in their
    steps by 0.1 %.
    """
    if len(times) < 2:
        return WrongStamp(0, f"{len(times)} frame", "a trial has at least two frames", "paste the whole recording")
    wrong = _wrong_frame(frames)
    if wrong:
        return wrong
    rate = rate if rate is not None and rate > 0.0 else None
    stride = int(np.gcd.reduce(np.diff(frames)))
    index = (frames - frames[0]) // stride
    if np.isnan(times).all():
        return _from_frames(frames, index, stride, rate, setting)
    blank = np.flatnonzero(np.isnan(times))
    if len(blank):
        return WrongStamp(int(blank[0]), "no time", "every frame has a time, or none has", "write its time")
    unit = (printed or printed_unit(times)) + 2.0 * FLOATING * float(np.max(np.abs(times)))
    if rate is not None and np.ptp(times) > 0.0:
        start = _start_at(times, index, rate, unit)
        if start is not None:
            return _used(frames, index, start, rate, _rounded(times, start + index / rate, unit, rate))
    return _wrong_order(times, setting) or _from_stamps(times, frames, index, unit, rate)


def _from_frames(
    frames: Integers, index: Integers, stride: int, rate: float | None, setting: str
) -> UniformTime | WrongStamp:
    """Frame 1 (or 0, where the file counts so) is at 0 s."""
    if rate is None:
        return WrongStamp(
            0,
            "neither times nor a rate",
            "frames without times need their rate",
            f"write {setting} on Processing",
        )
    note = f"only every {stride}th frame is there: {rate / stride:.6g} frames a second" if stride > 1 else ""
    start = float(frames[0] - min(1, frames[0])) / rate
    return _used(frames, index, start, rate / stride, note)


def _from_stamps(
    times: Vector, frames: Integers, index: Integers, unit: float, header: float | None
) -> UniformTime | WrongStamp:
    """Times at the rate from the first stamp to the last, if they are uniform."""
    rate = float(index[-1] / (times[-1] - times[0]))
    even = times[0] + index / rate
    steps = np.diff(times) / np.diff(index)
    usual = float(np.median(steps))
    if np.max(np.abs(steps - usual)) <= STEADY * usual:
        note = _rounded(times, even, unit, rate) if unit < usual else ""
    elif (unit <= FINE / rate and np.max(np.abs(times - even)) <= unit) or uniform_times(
        times, index.astype(float)
    ) is not None:
        note = _rounded(times, even, unit, rate)
    else:
        return _wrong_step(times, steps, even, unit)
    if header is not None:
        note = f"the rate is said to be {header:.6g} Hz and the times say {rate:.6g} Hz: the times are taken"
    return _used(frames, index, float(times[0]), rate, note)


def _start_at(times: Vector, index: Integers, rate: float, unit: float) -> float | None:
    """The start at which all stamps lie within half a unit of a rate: the first stamp, where that does; None if none does.

    Rounding strays by less than a unit from one side to the other; a missing row adds a step to that.
    """
    off = times - index / rate
    if np.max(np.abs(off - off[0])) <= 0.5 * unit:
        return float(times[0])
    return 0.5 * float(off.min() + off.max()) if np.ptp(off) < unit * (1.0 - SAME) else None


def _rounded(times: Vector, used: Vector, unit: float, rate: float) -> str:
    if np.max(np.abs(times - used)) * rate <= SAME:
        return ""
    return (
        f"times printed to {float(f'{unit:.2g}'):g} s are uniform but for rounding: {rate:.6g} frames a second are taken, for "
        "rounded times would shake all accelerations"
    )


def _used(frames: Integers, index: Integers, start: float, rate: float, note: str) -> UniformTime:
    count = int(index[-1]) + 1
    numbers = np.linspace(frames[0], frames[-1], count).round().astype(np.int64)
    return UniformTime(start + np.arange(count) / rate, rate, numbers, index, note)


def _wrong_frame(frames: Integers) -> WrongStamp | None:
    back = np.flatnonzero(np.diff(frames) <= 0)
    if not len(back):
        return None
    sample = int(back[0]) + 1
    return WrongStamp(
        sample,
        f"frame {frames[sample]} after frame {frames[sample - 1]}",
        "numbers of frames increase; a jump means that frames are missing",
        "paste each frame once, in order",
    )


def _wrong_order(times: Vector, setting: str) -> WrongStamp | None:
    back = np.flatnonzero(np.diff(times) <= 0.0)
    if not len(back):
        return None
    sample = int(back[0]) + 1
    return WrongStamp(
        sample,
        f"{times[sample]:.10g} s after {times[sample - 1]:.10g} s",
        "times increase; the same time twice belongs to a row that is there twice, or to too few printed digits",
        f"take the row away, or export times with more digits, or write {setting} on Processing",
    )


def _wrong_step(times: Vector, steps: Vector, even: Vector, unit: float) -> WrongStamp:
    usual = float(np.median(steps))
    jumps = np.flatnonzero(np.abs(steps - usual) > min(unit, 0.5 * usual) + STEADY * usual)
    sample = int(jumps[0]) + 1 if len(jumps) else int(np.argmax(np.abs(times - even)))
    step = times[sample] - times[sample - 1]
    return WrongStamp(
        sample,
        f"{times[sample]:.10g} s, {step:.6g} s after the frame before, where {usual:.6g} s are usual",
        "times are uniform: steps within 0.1 %, or stamps within one printed digit of the rate from the first to the last",
        "correct it, or leave missing frames in with blank coordinates, or number frames, of which a jump is a gap",
    )
