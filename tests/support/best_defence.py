"""Endings in which declarer needs every trick, against best defence, by brute force: what each card is truly worth.

The defenders see everything and answer a whole strategy. A position's value is a front of sets of worlds (bits): MAX
unites fronts, MIN intersects them pairwise, and a world in which a card cannot be played does not mind it. Defenders'
cards that touch are one class: worlds that differ by such cards only are counted together, and declarer is shown the
class. As no trick may be lost, nobody minds which defender would win it.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

from worldwise.bridge.rules.deal import cards_in


def chances_of_cards(view, worlds):
    """For each card declarer may play, the share of worlds that the best strategy wins."""
    positions = [view.position(world) for world in worlds]
    classes = _classes(positions[0], view.hidden)
    merged = Counter(_merged(position, view.hidden, classes) for position in positions)
    search = _Search(view.contract, tuple(merged.values()), classes)
    root = tuple(enumerate(merged))
    return {
        card: Fraction(search.best_weight(_after(root, card)), len(worlds)) for card in cards_in(positions[0].legal)
    }


def _classes(position, hidden):
    """The number of each hidden card's class: the hidden cards between two that declarer sees."""
    unseen = position.hands[hidden[0]] | position.hands[hidden[1]]
    seen = sum(position.hands) & ~unseen | sum(1 << card for card in position.trick)
    return {card: (card >> 4, (seen >> card & (1 << 15 - (card & 15)) - 1).bit_count()) for card in cards_in(unseen)}


def _merged(position, hidden, classes):
    """The position with the highest cards of each class in the first hidden hand."""
    hands = list(position.hands)
    held = Counter(classes[card] for card in cards_in(hands[hidden[0]]))
    first = second = 0
    for card, number in classes.items():
        first |= (held[number] > 0) << card
        second |= (held[number] <= 0) << card
        held[number] -= 1
    hands[hidden[0]], hands[hidden[1]] = first, second
    return replace(position, hands=tuple(hands))


def _after(worlds, card):
    return tuple((world, position.play(card)) for world, position in worlds)


class _Search:
    def __init__(self, contract, weights, classes):
        self.contract, self.weights, self.classes = contract, weights, classes
        self.every = (1 << len(weights)) - 1

    def best_weight(self, worlds):
        vectors = self.front(worlds)
        return max(
            sum(weight for world, weight in enumerate(self.weights) if vector >> world & 1) for vector in vectors
        )

    def front(self, worlds):
        position = worlds[0][1]
        needed = self.contract.tricks - position.won[self.contract.declarer & 1]
        if needed > position.tricks_left:
            return (self.every & ~sum(1 << world for world, _ in worlds),)
        assert needed == position.tricks_left, "only for endings in which no trick may be lost"
        if position.over:
            return (self.every,)
        if position.to_move & 1 != self.contract.declarer & 1:
            return self._defended(worlds)
        return _kept(vector for card in cards_in(position.legal) for vector in self.front(_after(worlds, card)))

    def _defended(self, worlds):
        """Each world offers a card of each class that its player has."""
        chosen = {}
        for world, position in worlds:
            for number, card in {self.classes[card]: card for card in cards_in(position.legal)}.items():
                chosen.setdefault(number, []).append((world, position.play(card)))
        front = (self.every,)
        for some in chosen.values():
            answers = self.front(tuple(some))
            front = _kept(one & other for one in front for other in answers)
        return front


def _kept(vectors):
    """Those no other contains."""
    kept = []
    for vector in sorted(set(vectors), key=int.bit_count, reverse=True):
        if not any(vector & ~other == 0 for other in kept):
            kept.append(vector)
    return tuple(kept)
