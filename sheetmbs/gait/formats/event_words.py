"""What laboratories call strikes and offs: a label with a side beside it, or with the side in it."""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["heel strike", "toe off"]
STRIKE: Kind = "heel strike"
OFF: Kind = "toe off"
KINDS: dict[str, Kind] = {
    **dict.fromkeys(("footstrike", "heelstrike", "initialcontact", "strike", "fs", "hs", "ic", "on"), STRIKE),
    **dict.fromkeys(("footoff", "toeoff", "foottoeoff", "off", "fo", "to"), OFF),
}
"""in letters alone"""
SIDES: dict[str, Literal["right", "left"]] = {"right": "right", "left": "left", "r": "right", "l": "left"}


def event_of(label: str, side: str = "") -> tuple[Literal["heel strike", "toe off"], Literal["right", "left"]] | None:
    """Kind and side of an event: of ``Foot Strike`` with ``Left`` beside it, of ``LHS``, ``R_TO``, ``Right Foot Off``."""
    word = re.sub(r"[^a-z]+", "", label.casefold())
    beside = SIDES.get(side.strip().casefold())
    if beside and word in KINDS:
        return KINDS[word], beside
    for sign, found in SIDES.items():
        rest = word.removeprefix(sign) if word.startswith(sign) else word.removesuffix(sign)
        if rest != word and rest in KINDS:
            return KINDS[rest], found
    return None
