"""Commands obeyed in processes of their own, whose time and memory are watched: what a suite of wild workbooks needs.

A server that has loaded the whole program forks for every command, so that one costs milliseconds, and a command that
hangs, eats the memory or takes the interpreter down with it harms no other. ``python -m tests.workbook.watched`` is the server.
"""

from __future__ import annotations

import faulthandler
import gc
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sheetmbs.problems.errors import SheetmbsError

ROOT = Path(__file__).parents[2]
PATIENCE = 2
"""seconds of work after which a person presses Ctrl-C: an analysis may last, but it must let itself be stopped"""
LONGEST = 10
"""seconds of work after which a command counts as hung"""
LONGEST_WAIT = 120
"""seconds on the clock, for a command that waits and does not work"""
LARGEST = 1 << 30
"""bytes of memory"""
RESERVE = 6 << 30
"""bytes of address space, so that a fault fails here and not the machine"""
WARMING = ROOT / "workbooks" / "pendulum.xlsx"


@dataclass(frozen=True)
class Outcome:
    """What became of a command. status: -n where signal n ended it. memory: its largest resident size, bytes."""

    status: int
    out: str
    err: str
    seconds: float
    memory: int


class Server:
    """A process that obeys commands one by one."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.workbook.watched"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            encoding="utf-8",
        )

    def obey(self, *arguments: object) -> Outcome:
        """The outcome of ``sheetmbs arguments``."""
        self._process.stdin.write(json.dumps([str(argument) for argument in arguments]) + "\n")
        self._process.stdin.flush()
        return Outcome(**json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        """End it."""
        self._process.communicate()


def _warm() -> None:
    """Load whatever a command needs, compile every kernel: no command must be charged with that."""
    import sheetmbs
    from sheetmbs.command import cli
    from sheetmbs.schema.settings import SETTINGS_BY_FOLD

    with tempfile.TemporaryDirectory() as folder, redirect_stderr(io.StringIO()):
        book = shutil.copy(WARMING, folder)
        for command in ("check", "run"):
            sys.argv = ["sheetmbs", command, book]
            cli.call()

    from tests.support.example_books import EXAMPLES

    for example in EXAMPLES:
        model = sheetmbs.read(example)
        t_end = model.settings.t_start + (model.settings.t_step or 0.0)
        sheetmbs.run(replace(model, settings=replace(model.settings, t_end=t_end)))
    model = sheetmbs.read(WARMING)
    brief = replace(model.settings, t_end=0.02, t_step=0.01)
    for name in ("integrator", "formulation", "analysis"):
        for choice in SETTINGS_BY_FOLD[name].choices:
            with suppress(SheetmbsError):
                sheetmbs.run(replace(model, settings=replace(brief, **{name: choice})))


def _serve() -> None:
    _warm()
    if "numba" in sys.modules:  # compiling leaves memory behind, kept code does not
        os.execv(sys.executable, [sys.executable, "-m", "tests.workbook.watched"])  # noqa: S606 - itself
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        sys.stdout.write(f"{json.dumps(_obeyed(json.loads(line)))}\n")
        sys.stdout.flush()


def _obeyed(arguments: Sequence[str]) -> dict[str, object]:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            _obey(arguments, out.fileno(), err.fileno())
        status, usage = _wait(child)
        seconds, memory = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
        texts = {}
        for name, stream in (("out", out), ("err", err)):
            stream.seek(0)
            texts[name] = stream.read().decode("utf-8", "replace")
    return {"status": os.waitstatus_to_exitcode(status), "seconds": seconds, "memory": memory, **texts}


def _wait(child: int) -> tuple[int, Any]:
    """Exit status of a process and what it used."""
    end = time.monotonic() + LONGEST_WAIT
    pause = 0.001
    while True:
        found, status, usage = os.wait4(child, os.WNOHANG)
        if found:
            return status, usage
        if time.monotonic() > end:
            os.kill(child, signal.SIGABRT)  # faulthandler then says where it waits
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


def _obey(arguments: Sequence[str], out: int, err: int) -> None:
    """The command, in the forked process."""
    import resource  # which Windows has not, nor has it what is done here

    status = 1
    try:
        os.dup2(out, 1)
        os.dup2(err, 2)
        faulthandler.enable()
        faulthandler.register(signal.SIGXCPU, chain=True)
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST + 5))
        resource.setrlimit(resource.RLIMIT_AS, (RESERVE, RESERVE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGPROF, signal.default_int_handler)
        gc.disable()  # as `cli.main` does
        from sheetmbs.command import cli

        sys.argv = ["sheetmbs", *arguments]
        signal.setitimer(signal.ITIMER_PROF, PATIENCE if arguments[0] == "run" else 0)
        status = cli.call()
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


if __name__ == "__main__":
    _serve()
