"""What a strategy is worth, straight from the definition: enumerate what MIN may do and take the worst."""

from itertools import product

from worldwise import Side


def leaves_reached(tree, strategy):
    """The payoffs of every leaf that MIN can lead to, world by world; None where a leaf cannot arise."""
    ahead, payoffs = [tree.root], []
    while ahead:
        node = ahead.pop()
        side = tree.to_move(node)
        if side is None:
            payoffs.append(tree.payoffs(node))
        elif side is Side.MAX:
            ahead.append(tree.play(node, strategy[node]))
        else:
            ahead.extend(tree.play(node, move) for move in tree.moves(node))
    return payoffs


def best_defence(tree, strategy):
    """The least payoff MIN can reach, world by world."""
    by_world = zip(*leaves_reached(tree, strategy), strict=True)
    return [min(payoff for payoff in payoffs if payoff is not None) for payoffs in by_world]


def reachable(tree, node, world):
    """Whether play can end below this node in this world."""
    if tree.to_move(node) is None:
        return tree.payoffs(node)[world] is not None
    return any(reachable(tree, tree.play(node, move), world) for move in tree.moves(node))


def less_knowledge(tree, strategy, known):
    """The expected payoff (times the sum of weights) if MIN tells apart only what his moves and his knowledge tell.

    Every MIN strategy is tried: a legal move for each of his information sets, which are a node and what he could do
    at the MIN nodes on the way there.
    """
    vector = best_defence(tree, strategy)
    total = sum(tree.weights[world] * vector[world] for world in known)
    unknown = [world for world in range(tree.worlds) if world not in known]
    sets = {}  # information set -> legal moves

    def legal(node, world):
        return tuple(move for move in tree.moves(node) if reachable(tree, tree.play(node, move), world))

    def collect(node, world, seen):
        side = tree.to_move(node)
        if side is Side.MAX:
            collect(tree.play(node, strategy[node]), world, seen)
        elif side is Side.MIN:
            seen = (*seen, legal(node, world))
            sets[node, seen] = seen[-1]
            for move in seen[-1]:
                collect(tree.play(node, move), world, seen)

    def play(node, world, seen, answers):
        side = tree.to_move(node)
        if side is None:
            return tree.payoffs(node)[world]
        if side is Side.MAX:
            return play(tree.play(node, strategy[node]), world, seen, answers)
        seen = (*seen, legal(node, world))
        return play(tree.play(node, answers[node, seen]), world, seen, answers)

    for world in unknown:
        collect(tree.root, world, ())
    plans = (dict(zip(sets, moves, strict=True)) for moves in product(*sets.values()))
    worst = min(sum(tree.weights[w] * play(tree.root, w, (), plan) for w in unknown) for plan in plans)
    return total + worst
