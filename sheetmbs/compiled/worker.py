"""A process that compiles kernels one by one: requests come by its input, units go by its output, both pickled."""

from __future__ import annotations

import os
import pickle
import sys
import traceback
from queue import SimpleQueue
from threading import Thread
from typing import Any

from sheetmbs.compiled import sources


def main() -> None:
    """Say which entry points there are, then obey."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints, prints elsewhere
    from sheetmbs.compiled import compiling

    def answer(what: Any) -> None:
        pickle.dump(what, answers)
        answers.flush()

    found = compiling.entry_points(sources.kernel_modules())
    answer([compiling.wanted(call) for call in found])
    requests: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_listen, args=(requests,), daemon=True).start()
    while True:
        which = requests.get()
        try:
            answer(compiling.unit_of(compiling.call_wanted(which)))
        except Exception:  # noqa: BLE001 - it is reported there
            answer(traceback.format_exc())


def _listen(requests: SimpleQueue[Any]) -> None:
    """Hand on requests; end this process together with the one that started it, however that ends."""
    while True:
        try:
            requests.put(pickle.load(sys.stdin.buffer))  # noqa: S301 - from the process that started this one
        except (EOFError, OSError):
            os._exit(0)


if __name__ == "__main__":
    main()
