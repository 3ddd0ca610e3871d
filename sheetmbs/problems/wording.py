"""Lists and articles for the sentences of messages."""

from __future__ import annotations

from collections.abc import Sequence


def sentence_list(items: Sequence[str], limit: int = 6) -> str:
    """A list for a sentence."""
    shown = list(items[:limit])
    if len(items) > limit:
        shown.append(f"{len(items) - limit} more")
    if len(shown) < 2:
        return "".join(shown)
    return ", ".join(shown[:-1]) + " and " + shown[-1]


def an(word: str) -> str:
    """The word with its article."""
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"
