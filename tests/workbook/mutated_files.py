"""Files with random faults: bits turned, counts made extreme, parts cut out, doubled or exchanged, ends cut off."""

from __future__ import annotations

import random
import struct

EXTREMES = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF)


def mutated(content: bytes, number: int, head: int) -> bytes:
    """A file made wrong in a way that follows from a number. head: its first bytes, where most faults are to be."""
    chance = random.Random(number)  # noqa: S311 - faults, not secrets
    made = bytearray(content)
    for _time in range(chance.choice((1, 1, 1, 2, 3, 8))):
        at = chance.randrange(min(head, len(made)) if chance.random() < 0.85 else len(made))
        kind = chance.randrange(7)
        if kind == 0:
            made[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            made[at] = chance.randrange(256)
        elif kind == 2:
            made[at : at + 2] = struct.pack("<H", chance.choice(EXTREMES))
        elif kind == 3:
            made[at : at + 4] = struct.pack("<f", chance.choice((0.0, -1.0, 1e30, -1e30, float("nan"), float("inf"))))
        elif kind == 4:
            del made[at : at + chance.choice((1, 2, 16, 512))]
        elif kind == 5:
            made[at:at] = made[at : at + chance.choice((1, 2, 16, 512))]
        else:
            del made[at : None if chance.random() < 0.3 else at + 1]
        if not made:
            return b"\0"
    return bytes(made)
