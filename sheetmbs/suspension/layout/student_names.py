"""Names of hardpoints as tools of students put them together: a part, a place on it, in any order and spelling.

``UCA fore chassis pickup``, ``upper_wishbone_front_pivot`` and ``Upper A-arm inboard front`` are one point. Words that tell
nothing, as ``pivot``, are left out; what remains must be one of the sets of words that a point has.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from sheetmbs.schema.names import fold

HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
MOST_LETTERS = 80
"""of a name that is looked at"""
SAME_WORDS: tuple[tuple[str, str], ...] = (
    (r"\buca\b", "upper arm"),
    (r"\blca\b", "lower arm"),
    (r"\bubj\b", "upper joint"),
    (r"\blbj\b", "lower joint"),
    (r"\b(?:wish ?bone|control arm|a ?arm)\b", "arm"),
    (r"\bball ?joint\b", "joint"),
    (r"\b(?:tie ?rod|toe ?link|toe ?rod|track ?rod)\b", "tierod"),
    (r"\b(?:push|pull) ?rod\b", "rod"),
    (r"\bbell ?crank\b", "rocker"),
    (r"\b(?:shock absorber|shock|coil ?over)\b", "damper"),
    (r"\bpick ?up\b", "pickup"),
    (r"\b(?:fore|forward|fwd)\b", "front"),
    (r"\b(?:aft|rearward)\b", "rear"),
    (r"\b(?:inboard|inside)\b", "inner"),
    (r"\b(?:outboard|outside)\b", "outer"),
    (r"\bcenter\b", "centre"),
    (r"\bwheelcent(?:re|er)\b", "wheel centre"),
)
IDLE_WORDS = frozenset({"pickup", "point", "pt", "mount", "mounting", "to", "of", "the", "end"})
POINTS: tuple[tuple[str, str, str], ...] = (  # point, words that it must have, words that it may have
    *(
        (f"{level} arm {place}", f"{level} arm {place}", "inner chassis pivot")
        for level in ("lower", "upper")
        for place in ("front", "rear")
    ),
    *((f"{level} ball joint", f"{level} arm outer", "joint upright") for level in ("lower", "upper")),
    *((f"{level} ball joint", f"{level} joint", "arm outer upright") for level in ("lower", "upper")),
    ("tie rod inner", "tierod inner", "joint chassis rack pivot"),
    ("tie rod outer", "tierod outer", "joint upright pivot"),
    ("rod outer", "rod outer", "joint pivot"),
    ("rod rocker", "rod inner", "joint rocker pivot"),
    ("rod rocker", "rod rocker", "joint inner pivot"),
    ("rocker pivot", "rocker pivot", "chassis"),
    ("rocker axis", "rocker axis", "chassis"),
    ("damper rocker", "damper rocker", "pivot"),
    ("damper rocker", "spring rocker", "pivot"),
    ("damper chassis", "damper chassis", "inner pivot"),
    ("damper chassis", "damper inner", "chassis pivot"),
    ("damper outer", "damper outer", "arm lower pivot"),
    ("spring chassis", "spring chassis", "inner pivot"),
    ("wheel centre", "wheel centre", ""),
)
CORNERS = {"fl": ("front", "left"), "fr": ("front", "right"), "rl": ("rear", "left"), "rr": ("rear", "right")}
SIDE_WORDS = {"left": "left", "l": "left", "lh": "left", "right": "right", "r": "right", "rh": "right"}
AXLE_WORDS = ("front", "rear")


@lru_cache(maxsize=4096)
def student_name(text: str) -> tuple[str, str, str]:
    """The standard name, the axle and the side that a put-together name tells; each ``""`` where it does not."""
    folded = fold(HUMP.sub(" ", text[: MOST_LETTERS + 1]))
    if len(folded) > MOST_LETTERS:
        return "", "", ""
    for pattern, same in SAME_WORDS:
        folded = re.sub(pattern, same, folded)
    words = re.findall(r"\w+", folded)
    axle = side = ""
    for end in (0, -1):
        if len(words) > 1 and words[end] in CORNERS and not axle:
            axle, side = CORNERS[words.pop(end)]
        elif len(words) > 1 and words[end] in SIDE_WORDS and not side:
            side = SIDE_WORDS[words.pop(end)]
    found = _point(words)
    if not found and not axle and words and words[0] in AXLE_WORDS:
        axle, found = words[0], _point(words[1:])
    return (found, axle, side) if found else ("", "", "")


def _point(words: list[str]) -> str:
    """The point whose words these are; a word that stands there twice is one too many."""
    told = Counter(word for word in words if word not in IDLE_WORDS)
    if any(number > 1 for number in told.values()):
        return ""
    for point, needed, allowed in POINTS:
        must = set(needed.split())
        if must <= told.keys() <= must | set(allowed.split()):
            return point
    return ""
