"""`sheetmbs watch` and `view` at work in a process of their own, and a page that follows what they tell."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from queue import Empty, Queue

import httpx

from tests.command.test_cli import environment
from tests.live.programs_saving import excel
from tests.support.processes import children, resident

PATIENCE = 180.0
"""seconds; a busy machine loads the solver in ten, and compiles it in a hundred"""


class Serving:
    """The program while it serves. lines: of standard error so far."""

    def __init__(self, *arguments, **changes):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sheetmbs", *map(str, arguments), "--no-browser"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=environment(**changes),
            start_new_session=True,
        )
        self.lines = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.address = re.search(r"http://\S+/", self.wait_for("http://"))[0]

    def _read(self):
        for line in self.process.stderr:
            self.lines.append(line.rstrip())

    def wait_for(self, text, count=1):
        """The line that holds a text, once there are so many of them."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = [line for line in list(self.lines) if text in line]
            if len(found) >= count:
                return found[count - 1]
            if self.process.poll() is not None:
                self._reader.join()
                assert any(text in line for line in self.lines), self.lines
            time.sleep(0.02)
        raise AssertionError(f"no {text!r} in {self.lines}")

    def stop(self, number=signal.SIGINT):
        """Send a signal and wait for the end: exit status and what was said."""
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self._reader.join()
        return status, "\n".join(self.lines)

    def memory(self):
        """Resident bytes of the program and of all processes that it started."""
        return sum(map(resident, [self.process.pid, *children(self.process.pid)]))


@contextmanager
def serving(*arguments, **changes):
    """The program serving, ended in the end."""
    program = Serving(*arguments, **changes)
    try:
        yield program
    finally:
        if program.process.poll() is None:
            program.stop()
        program.process.stdout.close()
        program.process.stderr.close()


class Follower:
    """A page without a browser: hears the events and asks for documents, until the server ends."""

    def __init__(self, address):
        self.address = address
        self.states = Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        kind = ""
        try:
            with httpx.stream("GET", f"{self.address}events", timeout=PATIENCE) as answer:
                for line in answer.iter_lines():
                    name, _colon, value = line.partition(": ")
                    kind = value if name == "event" else kind
                    if name == "data" and kind == "state":
                        self.states.put((time.monotonic(), json.loads(value)))
        except httpx.HTTPError:
            pass

    def until(self, is_meant):
        """The next state of which this is true, and the moment it came."""
        end = time.monotonic() + PATIENCE
        last = None
        while time.monotonic() < end:
            try:
                when, last = self.states.get(timeout=0.5)
            except Empty:
                continue
            if is_meant(last):
                return when, last
        raise AssertionError(f"it never came; the last state is {last}")

    def result(self, after=0):
        """The state after the next run that is done, with a document later than one."""
        return self.until(lambda state: state["fraction"] is None and state["number"] > after)[1]

    def rows(self):
        """How many rows the first result sheet of the first case has."""
        return self.document()["document"]["cases"][0]["tables"][0]["values"]["shape"][1]

    def document(self):
        answer = httpx.get(f"{self.address}document", timeout=PATIENCE)
        assert answer.status_code == 200
        return answer.json()


class Watched:
    """A workbook that is watched by one program for many tests. Each begins with another end of its motion."""

    FIRST, STEP = 0.5, 0.01

    def __init__(self, book, program, with_end):
        self.book, self.program = book, program
        self._with_end = with_end
        self._count = 0

    def begin(self):
        """The workbook saved anew, as good as ever and shown: a page that follows, and the state.

        A run that is still under way would read this save too, and be followed by another run of the same: that one
        would look like the answer to whatever a test saves next. So it is waited for.
        """
        Follower(self.program.address).result()
        self._count += 1
        self.program.lines.clear()
        excel(self.book, self._with_end(self.FIRST + self._count * self.STEP))
        page = Follower(self.program.address)
        rows = round(self.FIRST / self.STEP) + self._count + 1

        def is_shown(state):
            """Not a state of the run before, at whose document the page looks when it is another one already."""
            is_done = state["fraction"] is None and state["status"] == "done"
            return is_done and page.rows() == rows and page.document()["number"] == state["number"]

        return page, page.until(is_shown)[1]
