"""Numbers that look random and are the same on every machine, compiled or not."""

WORD = 2**64 - 1
"""The greatest machine word."""


def splitmix(number: int) -> int:
    """A well mixed 64-bit number (the finaliser of splitmix64).

    >>> splitmix(0) == 0xE220A8397B1DCDAF
    True
    """
    number = (number + 0x9E3779B97F4A7C15) & WORD
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & WORD
    return number ^ (number >> 31)
