"""Native libraries work on foreign input in child processes: whatever ends these is told in words, and the program goes on."""

import ctypes
import gc
import os
import subprocess
import sys
import time

import pytest

from sheetmbs.bounded import bounded_child
from sheetmbs.bounded.bounded_child import BoundedChild, ChildEndedError
from sheetmbs.bounded.child_side import EXTENDED_LIMITS, PROCESS_MEMORY, ExtendedLimits, limit_by_job

MODULE = "tests.bounded.ends_badly"
ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")


@pytest.fixture
def child():
    started = BoundedChild(MODULE, memory=256 << 20)
    yield started
    started.close()


def test_a_child_answers_one_request_after_the_other_and_what_it_prints_is_no_answer(child):
    assert child.ask(b"say hello", 5.0) == b"hello"
    assert child.ask(b"print noise", 5.0) == b"printed"
    long = b"x" * (3 << 20)
    assert child.ask(b"say " + long, 5.0) == long


@ON_POSIX
@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (b"grow", "needs more than 256 MB of memory"),
        (b"abort", "needs more than 256 MB of memory"),
        (b"crash", "ended the process of its library (signal 11)"),
        (b"exit", "ended the process of its library (status 7)"),
        (b"raise", "broke its library (KeyError)"),
    ],
)
def test_whatever_ends_a_child_is_told_in_words(child, request_, why):
    with pytest.raises(ChildEndedError) as ended:
        child.ask(request_, 5.0)
    assert ended.value.why == why
    assert not child.close.alive


@ON_POSIX
def test_a_child_that_works_without_end_is_ended_by_its_processor_time(child):
    with pytest.raises(ChildEndedError, match=r"takes more than 0\.1 s"):
        child.ask(b"work", 0.1)


def test_a_child_that_waits_without_end_is_ended_by_the_clock(child, monkeypatch):
    monkeypatch.setattr(bounded_child, "PATIENCE", 0.2)
    began = time.monotonic()
    with pytest.raises(ChildEndedError, match="takes more than 1 s"):
        child.ask(b"work", 1.0)
    assert time.monotonic() - began < 30.0


def test_a_child_imports_nothing_but_what_it_answers_with(child):
    loaded = child.ask(b"loaded", 5.0).decode().split()
    ours = {name for name in loaded if name.startswith("sheetmbs")}
    assert ours <= {"sheetmbs", *(f"sheetmbs.bounded{name}" for name in ("", ".child_side", ".pipe_heads", ".limits"))}
    assert not {"numpy", "pickle", "site", "multiprocessing"} & set(loaded)


def test_a_child_ends_with_the_object_and_with_the_process_that_started_it():
    child = BoundedChild(MODULE, memory=256 << 20)
    process = child._process
    del child
    gc.collect()
    assert process.returncode is not None
    script = f"""
        import os
        from sheetmbs.bounded.bounded_child import BoundedChild
        child = BoundedChild({MODULE!r}, memory=1 << 28)
        child.ask(b"say hello", 5.0)
        print(child._process.pid, flush=True)
        os._exit(0)
    """
    code = "\n".join(line.strip() for line in script.splitlines())
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    for _time in range(100):
        try:
            os.kill(int(done.stdout), 0)
        except OSError:
            return
        if _is_zombie(done.stdout.strip()):
            return
        time.sleep(0.1)
    pytest.fail("the child outlives its parent")


def _is_zombie(number):
    try:
        with open(f"/proc/{number}/stat", encoding="ascii") as state:  # noqa: PTH123 - a pseudo file
            return state.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return False


class Kernel:
    """The library kernel32 of Windows, as far as a job object needs it."""

    def __init__(self, *, agrees=True):
        self.agrees = agrees
        self.limits = None
        self.assigned = None

        def create(_security, _name):
            return 0x40

        def current():
            return 0x7FFF

        self.CreateJobObjectW, self.GetCurrentProcess = create, current

    def SetInformationJobObject(self, job, kind, limits, size):  # noqa: N802 - its name on Windows
        assert (job.value, kind, size) == (0x40, EXTENDED_LIMITS, ctypes.sizeof(ExtendedLimits))
        self.limits = ctypes.cast(limits, ctypes.POINTER(ExtendedLimits)).contents
        return 1

    def AssignProcessToJobObject(self, job, process):  # noqa: N802 - the same
        self.assigned = job.value, process.value
        return int(self.agrees)


def test_windows_limits_memory_by_a_job_object():
    kernel = Kernel()
    limit_by_job(kernel, 123 << 20)
    assert kernel.limits.basic.flags == PROCESS_MEMORY
    assert kernel.limits.process_memory == 123 << 20
    assert kernel.assigned == (0x40, 0x7FFF)
    # the layout of winnt.h on machines of 64 bits
    assert ctypes.sizeof(ExtendedLimits) == 144 or ctypes.sizeof(ctypes.c_void_p) == 4
    with pytest.raises(OSError, match="refused"):
        limit_by_job(Kernel(agrees=False), 1 << 20)
