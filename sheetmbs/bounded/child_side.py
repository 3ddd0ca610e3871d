"""The child's side of `bounded_child`: takes its limits, then answers requests until the other side ends.

Requests and answers stand one behind the other in their pipes, each behind a head.

Nothing is imported here that the answers do not need: a child starts in less than a tenth of a second.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from struct import Struct
from typing import Any

PROCESS_MEMORY, EXTENDED_LIMITS = 0x100, 9
"""JOB_OBJECT_LIMIT_PROCESS_MEMORY and JobObjectExtendedLimitInformation of Windows (winnt.h)"""

REQUEST_HEAD = Struct("<Qd")
"""Before a request: its bytes, and the seconds of processor time that it may take."""
ANSWER_HEAD = Struct("<BQ")
"""Before an answer: its kind, and its bytes."""
ANSWERED, REFUSED, FAILED = range(3)
"""Kinds of answers: what was asked for; nothing, for memory was refused; nothing, and the text says what was raised."""

Answer = Callable[[bytes], bytes]


def limit_memory(most: int) -> None:
    """Let this process have no more than so many bytes of memory: its allocations fail then.

    macOS takes the limit without keeping it, so that there the limit of time ends what grows.
    """
    if sys.platform == "win32":
        limit_by_job(ctypes.WinDLL("kernel32"), most)
    else:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _lower(resource.RLIMIT_AS, most)


def allow_processor_time(seconds: float) -> None:
    """Let this process use so many seconds of processor time more, rounded up; then it ends. Windows has no such limit."""
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        _lower(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + seconds) + 1)


def _lower(kind: int, most: int) -> None:
    """Set the limit that this process can raise again, below the one that it cannot."""
    if sys.platform != "win32":
        import resource

        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


class _BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION of winnt.h."""

    _fields_ = (
        ("per_process_user_time", ctypes.c_int64),
        ("per_job_user_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("minimum_working_set", ctypes.c_size_t),
        ("maximum_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority_class", ctypes.c_uint32),
        ("scheduling_class", ctypes.c_uint32),
    )


class ExtendedLimits(ctypes.Structure):
    """Structure JOBOBJECT_EXTENDED_LIMIT_INFORMATION of winnt.h."""

    _fields_ = (
        ("basic", _BasicLimits),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


def limit_by_job(kernel: Any, most: int) -> None:
    """Put this process into a job object of Windows that limits its memory. kernel: the library kernel32."""
    limits = ExtendedLimits()
    limits.basic.flags = PROCESS_MEMORY
    limits.process_memory = most
    kernel.CreateJobObjectW.restype = kernel.GetCurrentProcess.restype = ctypes.c_void_p
    job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
    size = ctypes.sizeof(limits)
    is_set = kernel.SetInformationJobObject(job, EXTENDED_LIMITS, ctypes.byref(limits), size)
    if not is_set or not kernel.AssignProcessToJobObject(job, ctypes.c_void_p(kernel.GetCurrentProcess())):
        raise OSError("Windows refused the limit of memory")


def serve(module: str, memory: int) -> None:
    """Answer requests by the function ``answer`` of a module. memory: bytes of address space that this process may have."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other side answers Ctrl-C, and ends this process
    limit_memory(memory)
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):  # what a library prints is no answer
        os.dup2(nothing, stream)
    answer: Answer = import_module(module).answer
    while (head := _read(requests, REQUEST_HEAD.size)) is not None:
        length, seconds = REQUEST_HEAD.unpack(head)
        request = _read(requests, length)
        if request is None:
            break
        if seconds:
            allow_processor_time(seconds)
        kind, content = _answered(answer, request)
        _write(answers, ANSWER_HEAD.pack(kind, len(content)))
        _write(answers, content)
    sys.stdout = sys.stderr = None
    os._exit(0)


def _answered(answer: Answer, request: bytes) -> tuple[int, bytes]:
    try:
        return ANSWERED, answer(request)
    except MemoryError:
        return REFUSED, b""
    except BaseException as error:  # noqa: BLE001 - a panic of a library in Rust is no Exception
        return FAILED, type(error).__name__.encode()


def _read(stream: int, length: int) -> bytes | None:
    """That many bytes; None where the stream ends before."""
    parts = bytearray()
    while len(parts) < length:
        part = os.read(stream, min(length - len(parts), 1 << 20))
        if not part:
            return None
        parts += part
    return bytes(parts)


def _write(stream: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(stream, left) :]
