"""The first block of a C3D file held against its size, before anything is made of what it claims (format: c3d.org).

A damaged count makes a reader take memory for billions of samples that are not there.
"""

from __future__ import annotations

import struct

BLOCK = 512
"""bytes"""
MARK = 0x50
"""the second byte of every C3D file, and the fourth of its parameters but for the kind of processor"""
INTEL, DEC, MIPS = 84, 85, 86
"""kinds of processors: how numbers are laid out"""
SIGN_AT = {INTEL: 3, DEC: 1, MIPS: 0}
"""which byte of the scale factor holds its sign: below zero the samples are real numbers of four bytes, else integers of two"""


def fault_of_head(content: bytes, size: int) -> str:
    """What in the head of a file cannot be; "" where it can be read.

    content: the beginning of the file with its parameters, or all of it. size: bytes of the whole file.
    """
    if len(content) < BLOCK:
        return f"it has {size:,} bytes, fewer than its first block"
    if content[1] != MARK:
        return "its first bytes are not those of a C3D file"
    parameters = BLOCK * (content[0] - 1)
    if parameters < BLOCK or parameters + BLOCK > size:
        return f"its parameters are to begin at byte {parameters:,} of {size:,}"
    processor = content[parameters + 3] if parameters + 3 < len(content) else 0
    if processor not in SIGN_AT:
        return f"its numbers are of an unknown kind of processor ({processor})"
    words = struct.unpack_from(">10H" if processor == MIPS else "<10H", content)
    points, analogs, first, last, begin = words[1], words[2], words[3], words[4], words[8]
    sample = 4 if content[12 + SIGN_AT[processor]] & 0x80 else 2
    frames = max(0, last - first + 1)
    needed = frames * (4 * points + analogs) * sample
    there = size - BLOCK * (begin - 1)
    if needed and (begin < 2 or needed > there):
        return (
            f"its {frames:,} frames of {points:,} points and {analogs:,} analog samples need {needed:,} bytes,"
            f" and it has {max(there, 0):,} for them"
        )
    return ""
