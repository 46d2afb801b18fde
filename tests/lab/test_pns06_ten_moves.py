"""PNS06's example of ten moves, each the best in one tenth of the histories: a model is as good as little is known.

"Suppose that each move is clearly the best move for a reasonable opponent in exactly one tenth of the available
histories ... despite the fact that the opponent is playing a deterministic strategy, random play is a good opponent
model given the information set."
"""

from dataclasses import dataclass

import pytest

from worldwise.search.information_set import InformationSetSearch, Model

MOVES = range(10)


@dataclass(frozen=True)
class TenMoves:
    """The first player passes, the second makes one of ten moves unseen, and the first wins by naming it.

    A history begins with which of the moves is the second's best. Of that the first is ``told`` in which group it is.
    """

    told: int

    players = (0, 1)

    def to_move(self, position):
        return (0, 1, 0, None)[len(position) - 1]

    def moves(self, position):
        return ("pass",) if len(position) == 1 else MOVES

    def play(self, position, move):
        return (*position, move)

    def payoff(self, position, player):
        won = 1 if position[2] == position[3] else 0
        return won if player == 0 else -won

    def observe(self, position, player):
        return (position[0] // self.told, len(position), position[3:])


def reasonable(position):
    """The second player makes the best move, whatever it is."""
    return [float(move == position[0]) for move in MOVES]


def value(game, histories, chances=None):
    positions = [((best,), 1) for best in histories]
    return InformationSetSearch(3, Model(chances=chances)).search(game, 0, positions).value


def test_where_nothing_is_known_random_play_is_the_right_model():
    game = TenMoves(told=10)
    assert value(game, MOVES) == pytest.approx(0.1)
    assert value(game, MOVES, reasonable) == pytest.approx(0.1)


@pytest.mark.parametrize(("told", "true"), [(5, 0.2), (2, 0.5), (1, 1.0)])
def test_the_more_is_known_the_worse_it_is(told, true):
    """It still expects to name one move in ten; the truth is that one in as many as are left is named."""
    game, known = TenMoves(told), range(told)
    assert value(game, known) == pytest.approx(0.1)
    assert value(game, known, reasonable) == pytest.approx(true)
