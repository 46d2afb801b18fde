"""PNS06 Fig 1: histories are dots, information sets are boxes, and a box has children.

"Each dot represents a history, and each dotted line represents a move. Each box represents an information set, and the
solid lines connect each information set with its children." Here a box has three dots. By one move it falls into two
children, by the other it stays whole; what that is worth by equations 2 and 3 is reckoned by hand.
"""

from dataclasses import dataclass

import pytest

from worldwise.search.information_set import OVERCONFIDENT, PARANOID, InformationSetSearch

LOOK, WAIT = "look", "wait"


@dataclass(frozen=True)
class Boxes:
    """The second player chooses one of three dots, unseen. The first looks whether it is the first dot, or waits; then
    he says whether it is, and wins 1 if he is right."""

    players = (1, 2)

    def to_move(self, position):
        return (2, 1, 1, None)[len(position)]

    def moves(self, position):
        return ((0, 1, 2), (WAIT, LOOK), (True, False))[len(position)]

    def play(self, position, move):
        return (*position, move)

    def payoff(self, position, player):
        right = (position[0] == 0) is position[2]
        return float(right) if player == 1 else -float(right)

    def observe(self, position, player):
        if player == 2:
            return position
        looked = position[1:2] == (LOOK,)
        return len(position), position[1:], looked and position[0] == 0


BOX = [((dot,), 1) for dot in range(3)]


def children(positions, move):
    """The histories after a move, by what the first player observes."""
    found = {}
    for position in positions:
        after = Boxes().play(position, move)
        found.setdefault(Boxes().observe(after, 1), []).append(after[0])
    return sorted(found.values())


def test_a_box_has_children():
    positions = [position for position, _ in BOX]
    assert children(positions, LOOK) == [[0], [1, 2]]
    assert children(positions, WAIT) == [[0, 1, 2]]


def test_all_dots_of_a_box_look_the_same_and_have_the_same_moves():
    game = Boxes()
    assert len({game.observe(position, 1) for position, _ in BOX}) == 1
    assert len({game.moves(position) for position, _ in BOX}) == 1


@pytest.mark.parametrize(
    ("model", "look", "wait"),
    [(OVERCONFIDENT, 1.0, 2 / 3), (PARANOID, 1.0, 0.0)],
    ids=["equation 2", "equation 3"],
)
def test_a_box_is_worth_what_its_children_are(model, look, wait):
    """Who waits has one child, in which he is right two times in three by saying no, and at worst never."""
    found = InformationSetSearch(2, model).search(Boxes(), 1, BOX)
    assert found.best == LOOK
    assert (found.values[LOOK], found.values[WAIT]) == pytest.approx((look, wait))
