"""How much memory this process has and had, where the system says so: on Linux, and elsewhere None."""

import ctypes
import gc
import sys
from pathlib import Path


def resident():
    """MiB in memory now."""
    return _status("VmRSS")


def in_use():
    """MiB in memory now that are in use: what was freed is given back to the system first, where the C library can."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
    return resident()


def peak():
    """MiB in memory when they were most."""
    return _status("VmHWM")


def _status(name):
    if sys.platform != "linux":
        return None
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(name))
