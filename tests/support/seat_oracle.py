"""Best defence by its definition: every strategy of one player, against others who see everything."""

from math import inf


def face_up(game, player, position):
    """Plain minimax, without a table or a window."""
    mover = game.to_move(position)
    if mover is None:
        return game.payoff(position, player)
    values = [face_up(game, player, game.play(position, move)) for move in game.moves(position)]
    if mover == -1:
        return sum(float(chance) * value for chance, value in zip(game.chances(position), values, strict=True))
    return max(values) if mover == player else min(values)


def best_defence(game, player, positions, weights):
    """The most that a strategy of the player gets on average, if the others answer it in every world."""
    best = max(worlds_worth(game, player, positions, weights))
    return best / sum(weights)


def worlds_worth(game, player, positions, weights):
    for strategy in strategies(game, player, list(positions), {}):
        worth = (worst(game, player, position, strategy) for position in positions)
        yield sum(weight * value for weight, value in zip(weights, worth, strict=True))


def strategies(game, player, waiting, chosen):
    """A move for every observation within reach."""
    waiting = list(waiting)
    while waiting:
        position = waiting.pop()
        mover = game.to_move(position)
        if mover is None:
            continue
        seen = game.observe(position, player)
        if mover != player:
            waiting.extend(game.play(position, move) for move in game.moves(position))
        elif seen in chosen:
            waiting.append(game.play(position, chosen[seen]))
        else:
            for move in game.moves(position):
                yield from strategies(game, player, [*waiting, game.play(position, move)], {**chosen, seen: move})
            return
    yield chosen


def worst(game, player, position, strategy):
    mover = game.to_move(position)
    if mover is None:
        return game.payoff(position, player)
    moves = game.moves(position)
    if mover == player:
        moves = [strategy[game.observe(position, player)]]
    return min((worst(game, player, game.play(position, move), strategy) for move in moves), default=inf)
