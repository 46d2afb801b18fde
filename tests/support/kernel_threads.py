"""Objects that keep what a kernel found out, each asked by four threads at once, again and again.

As a script it does that for some of them and compares the answers with those of a thread alone. If the process dies,
the last line names the object.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import numpy as np

from kernel_calls import BOARD, KIND, board_evaluation, board_row, say, tree_calls, umpire_rules
from worldwise.bridge.rules.contract import Strain
from worldwise.bridge.rules.deal import PACK, SEATS, Seat, cards_in, set_of
from worldwise.bridge.rules.play import Position
from worldwise.bridge.solvers.double_dummy import double_dummy
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.kernels import native

ROUNDS, THREADS = 30, 4

# An object is given by what makes it and by what each thread asks it; a question's answer may not depend on others'.


def suit_solver():
    """Goals of a suit, and the most tricks on average."""
    return SuitSolver(Suit.of("A9874", "Q")), lambda solver, number: solver.goal(number + 1).chance


def suit_lines():
    """Lines of a suit, which ask whether they are secured."""
    return (
        SuitSolver(Suit.of("AJ98", "32")),
        lambda solver, number: (solver.expected.tricks, str(solver.line(number % 3 + 1).play(solver.root))),
    )


def _deal(cards, seed):
    pack = Random(seed).sample(list(cards_in(PACK)), 4 * cards)
    north, east, south, west = (set_of(pack[place::4]) for place in range(4))
    return north, east, south, west


def double_dummy_solver():
    """One question at a time, and many positions in one call."""
    hands = _deal(6, 1)
    positions = [Position(hands, Strain.HEARTS, leader) for leader in SEATS]

    def ask(solver, number):
        first = solver.can_take(positions[number], 3, Seat.NORTH)
        many = solver.tricks_of_all(positions, SEATS[number])
        return first, many, solver.nodes > 0, solver.entries >= 0

    return double_dummy(hands, Strain.HEARTS, 200), ask


def alpha_mu_search():
    """A search that has threads of its own."""
    hands = _deal(5, 2)
    solver = native.DoubleDummy(*hands, 4, 1000)
    worlds, gains = np.array([hands] * 8, dtype=np.uint64), np.ones(8, dtype=np.int64)
    cards = [card for card in cards_in(hands[0]) if not hands[0] >> card + 1 & 1][:THREADS]

    def ask(search, number):
        card = cards[number % len(cards)]
        return search.ask(card, 2, native.ANYTHING, b"", -1, -1.0), len(search.counts)

    task = (worlds, 4, 0, 0, (0, 0, 0), 0, True, 3, gains, (True,) * 5, [solver] * 8, 3)
    return native.alpha_mu(*task), ask


def mates():
    """Guaranteed mates on several boards."""
    rows = [board_row({41: "K", 55: "R", king: "k"})[None] for king in (56, 57, 58, 59)]

    def ask(search, number):
        return search.wins(rows[number], 2, -1, -1.0), search.keys(rows[number], 2, -1, -1.0).tolist()

    return native.Mates(umpire_rules(), 2000), ask


def information_sets():
    """Boards folded by all threads; what comes of it is read when all are done."""
    tries = native.umpire_tries(BOARD, umpire_rules())
    sets = native.InformationSets(umpire_rules(), board_evaluation(), 0, tries, 2, 0.0, 0.0, 1_000_000)

    def ask(sets, number):
        folded = sets.fold(BOARD[None], np.array([2.0**number]), -1.0, -1.0)
        return folded, len(sets.values()), len(sets.chances())

    return sets, ask


def trees():
    """Passes over the same arrays: nothing is kept, so nothing is shared."""
    calls = {call.name: call for call in tree_calls()}
    call = calls["back_up[masks]"]

    def ask(_nothing, _number):
        chosen = np.zeros(len(KIND), dtype=np.int32)
        return call.make(chosen=chosen)

    return None, ask


OBJECTS = (
    suit_solver,
    suit_lines,
    double_dummy_solver,
    alpha_mu_search,
    mates,
    information_sets,
    trees,
)


def ask_together(make):
    """What four threads hear that ask at the same moment."""
    thing, ask = make()
    start = Barrier(THREADS)

    def wait_and_ask(number):
        start.wait()
        return ask(thing, number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(wait_and_ask, range(THREADS)))


def ask_alone(make):
    """What each of them hears alone."""
    answers = []
    for number in range(THREADS):
        thing, ask = make()
        answers.append(ask(thing, number))
    return answers


def main(names):
    """Compare, for some objects or all."""
    for make in OBJECTS:
        if names and make.__name__ not in names:
            continue
        say(make.__name__)
        expected = ask_alone(make)
        for _ in range(ROUNDS):
            found = ask_together(make)
            assert found == expected, (found, expected)
    say("all alike")


if __name__ == "__main__":
    main(sys.argv[1:])
