"""SuitC itself, where it is at hand: its library, asked in a process of its own that can be stopped.

``python suitc_library.py LIBRARY "-ls1 KT63 972 AQJ854"`` prints the answer's JSON.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys

SIZE = 1 << 18


def ask(library, text, seconds=60):
    """What SuitC answers under ``SuitCAnalysis``; None if it takes too long or breaks down."""
    try:
        done = subprocess.run(
            [sys.executable, __file__, library, text], capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout)["SuitCAnalysis"] if done.returncode == 0 and done.stdout else None


def main(library, text):
    out = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # it prints as it thinks
    call = ctypes.CDLL(library).call_suitc
    wide, whole = ctypes.POINTER(ctypes.c_wchar_p), ctypes.POINTER(ctypes.c_int)
    call.argtypes = [wide, ctypes.c_int, wide, whole, wide, whole]
    buffers = [ctypes.create_unicode_buffer(SIZE) for _ in range(2)]
    texts = [ctypes.c_wchar_p(ctypes.addressof(buffer)) for buffer in buffers]
    lengths = [ctypes.c_int(), ctypes.c_int()]
    answer, details = (value for pair in zip(texts, lengths, strict=True) for value in [pair])
    wrong = call(
        ctypes.byref(ctypes.c_wchar_p(text)),
        len(text),
        *map(ctypes.byref, answer),
        *map(ctypes.byref, details),
    )
    os.write(out, buffers[0].value[: lengths[0].value].encode())
    os._exit(bool(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
