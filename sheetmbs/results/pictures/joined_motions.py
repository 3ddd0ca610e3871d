"""Motions of several cases given the same lines, of the same lengths, so that one chart can show each of them.

A line that is shorter in one case stays for the rest of its places where it ends, which draws nothing; one that a case does not
have stands still at a place of another line, with the same effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest

import numpy as np
from numpy.typing import NDArray

from sheetmbs.workbook.sheets.picture_contents import Motion, MovingLine

BREAK = -1


def joined_motions(motions: Sequence[Motion]) -> tuple[list[Motion], list[str]]:
    """The motions with the same lines each, and the names of those that cannot be drawn.

    These are places that are marked, in some of the motions only: a mark is seen wherever it stands.
    """
    names = dict.fromkeys(line.name for motion in motions for line in motion.lines)
    lines: list[list[MovingLine]] = [[] for _ in motions]
    left_out = []
    for name in names:
        own = [next((line for line in motion.lines if line.name == name), None) for motion in motions]
        known = [line for line in own if line is not None]
        if len(known) < len(own) and known[0].look.marker:
            left_out.append(name)
            continue
        lengths = [max(each) for each in zip_longest(*(map(len, _pieces(line)) for line in known), fillvalue=0)]
        for held, line, motion in zip(lines, own, motions, strict=True):
            held.append(_lengthened(line or _at_rest(known[0], motion), lengths, known[0]))
    return [replace(motion, lines=tuple(held)) for motion, held in zip(motions, lines, strict=True)], left_out


def _pieces(line: MovingLine) -> list[NDArray[np.int64]]:
    """The places of each unbroken piece of a line, by their numbers."""
    ends = [-1, *np.flatnonzero(line.gaps).tolist(), line.x.shape[1]]
    return [np.arange(before + 1, after) for before, after in pairwise(ends)]


def _lengthened(line: MovingLine, lengths: Sequence[int], like: MovingLine) -> MovingLine:
    """A line in pieces of these lengths, which looks like another one."""
    pieces = _pieces(line)
    last = pieces[-1][-1:]
    chosen: list[NDArray[np.int64]] = []
    for k, length in enumerate(lengths):
        piece = pieces[k] if k < len(pieces) else last
        chosen += [np.array([BREAK])] if chosen else []
        chosen.append(np.concatenate((piece, np.repeat(piece[-1:], length - len(piece)))))
    order = np.concatenate(chosen)
    x, y = (np.where(order == BREAK, np.nan, part[:, order]) for part in (line.x, line.y))
    return replace(like, x=x, y=y)


def _at_rest(like: MovingLine, motion: Motion) -> MovingLine:
    """A line of a single place, which belongs to another line of the motion."""
    other = next(line for line in motion.lines if not line.look.marker)
    return replace(like, x=other.x[:, :1], y=other.y[:, :1])
