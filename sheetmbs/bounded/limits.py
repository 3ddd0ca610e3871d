"""Limits that a process sets itself: memory, and time of the processor."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

PROCESS_MEMORY, EXTENDED_LIMITS = 0x100, 9
"""JOB_OBJECT_LIMIT_PROCESS_MEMORY and JobObjectExtendedLimitInformation of Windows (winnt.h)"""


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
