"""Asks for threads where the system gives none: the search goes on with those that there are."""

import resource

import numpy as np

from kernel_calls import DEALT, say
from worldwise.bridge import Contract, Deal, Pimc, Play, Seat, view_of
from worldwise.kernels import native


def main():
    """No address space is left for the stack of another thread."""
    solver = native.DoubleDummy(*DEALT, 4, 1000)
    task = (np.array([DEALT] * 2, dtype=np.uint64), 4, 0, 0, (0, 0, 0), 0, True, 1, np.ones(2, dtype=np.int64))
    deal = Deal(DEALT)
    view = view_of(Play(deal, Contract.read("1NT by W")), Seat.NORTH)
    alone = Pimc().evaluate(view, [deal] * 8).values
    with open("/proc/self/statm", encoding="ascii") as sizes:
        used = int(sizes.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 4 * 2**20, resource.RLIM_INFINITY))
    search = native.alpha_mu(*task, (True,) * 5, [solver] * 2, 64)
    search.ask(14, 2, native.ANYTHING, b"", -1, -1.0)
    assert Pimc(threads=8).evaluate(view, [deal] * 8).values == alone
    say("answered")


if __name__ == "__main__":
    main()
