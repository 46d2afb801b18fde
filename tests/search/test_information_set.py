"""Information-set search (PNS06) beside its equations, written down on sets of histories and in exact fractions."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import count, islice, pairwise
from math import inf, nan, prod
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from peek_game import Peek
from strategies import extensive_games
from worldwise.core.belief import AllHistories, draws
from worldwise.core.game import CHANCE
from worldwise.core.mixing import splitmix as noise
from worldwise.core.result import Limit
from worldwise.errors import InputError, TooDeepError
from worldwise.extensive import chance as tossed
from worldwise.extensive import decision, from_game, game_of, leaf
from worldwise.extensive.form_game import FormGame
from worldwise.kriegspiel.belief.exact import ExactBelief
from worldwise.kriegspiel.belief.sampled import SampledBelief
from worldwise.kriegspiel.rules.board import EMPTY, START
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
from worldwise.kriegspiel.rules.replies import LegalReplies
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, read_uci
from worldwise.kriegspiel.rules.umpire import BERKELEY, CINCINNATI, UMD, WILD16
from worldwise.openspiel import OpenSpielForm
from worldwise.phantom import CROSS, NOUGHT, Phantom
from worldwise.search.imp import ImpMinimax
from worldwise.search.information_set import (
    OVERCONFIDENT,
    PARANOID,
    InformationSetSearch,
    Model,
    mixed,
    no_opinion,
)
from worldwise.search.responses import ExtensiveBruteForce

# ---------------------------------------------------------------------- the equations


@dataclass(frozen=True)
class Equations:
    """PNS06's equations 1 to 3, word by word: an information set is a dict of its histories and their P(h | I)."""

    game: object
    player: object
    phi: Callable | None = None
    evaluate: Callable = no_opinion
    utility: Callable | None = None

    def eu(self, depth, histories):
        """Equation 2, the expected utility; equation 1 if the depth is that of the game."""
        known = given_set(histories)
        if self.is_leaf(depth, histories):
            return sum(known[h] * self.worth(h) for h in known)
        if self.to_move(histories) != self.player:
            sets = self.sets(depth, [after for h in known for after, _ in self.replies(h)])
            values = [self.eu(depth - 1, self.weighted_replies(known, child)) for child in sets]
            return sum(
                known[h] * sum(self.chance(child, h) * value for child, value in zip(sets, values, strict=True))
                for h in known
            )
        return max(self.eu_by_move(depth, histories).values())

    def eu_by_move(self, depth, histories):
        known, found = given_set(histories), {}
        for move in self.game.moves(next(iter(known))):
            after = {self.game.play(h, move): known[h] for h in known}
            sets = self.sets(depth, after)
            found[move] = sum(
                sum(after[h] for h in child) * self.eu(depth - 1, {h: after[h] for h in child}) for child in sets
            )
        return found

    def pu(self, depth, histories):
        """Equation 3, the paranoid utility: no probabilities but for what is impossible."""
        known = given_set(histories)
        if self.is_leaf(depth, histories):
            return min(self.worth(h) for h in known)
        if self.to_move(histories) != self.player:
            sets = self.sets(depth, [after for h in known for after, _ in self.replies(h)])
            return min(self.pu(depth - 1, dict.fromkeys(child, 1)) for child in sets)
        return max(self.pu_by_move(depth, histories).values())

    def pu_by_move(self, depth, histories):
        known = given_set(histories)
        return {
            move: min(
                self.pu(depth - 1, dict.fromkeys(child, 1))
                for child in self.sets(depth, [self.game.play(h, move) for h in known])
            )
            for move in self.game.moves(next(iter(known)))
        }

    def mixed(self, caution, depth, histories):
        """The mean and the worst of whatever may come, mixed by a share of caution."""
        known = given_set(histories)
        if self.is_leaf(depth, histories):
            return blend(caution, [(known[h], self.worth(h)) for h in known])
        if self.to_move(histories) == self.player:
            return max(self.mixed_by_move(caution, depth, histories).values())
        replies = [(after, known[h] * chance) for h in known for after, chance in self.replies(h)]
        return self.mixed_sets(caution, depth, dict(replies))

    def mixed_by_move(self, caution, depth, histories):
        known = given_set(histories)
        return {
            move: self.mixed_sets(caution, depth, {self.game.play(h, move): known[h] for h in known})
            for move in self.game.moves(next(iter(known)))
        }

    def mixed_sets(self, caution, depth, after):
        sets = [{h: after[h] for h in child} for child in self.sets(depth, after)]
        return blend(caution, [(sum(child.values()), self.mixed(caution, depth - 1, child)) for child in sets])

    # what the equations are written in

    def is_leaf(self, depth, histories):
        return depth == 0 or self.to_move(histories) is None

    def to_move(self, histories):
        return self.game.to_move(next(iter(given_set(histories))))

    def worth(self, h):
        if self.game.to_move(h) is not None:
            return Fraction(self.evaluate(h))
        return Fraction(self.game.payoff(h, self.player) if self.utility is None else self.utility(h))

    def replies(self, h):
        moves = self.game.moves(h)
        chances = self.phi(h) if self.phi else [Fraction(1, len(moves))] * len(moves)
        return [(self.game.play(h, move), chance) for move, chance in zip(moves, chances, strict=True) if chance]

    def chance(self, child, h):
        """P(I' | h)."""
        return sum(chance for after, chance in self.replies(h) if after in child)

    def weighted_replies(self, known, child):
        weights = [(after, known[h] * chance) for h in known for after, chance in self.replies(h)]
        return {after: weight for after, weight in weights if after in child}

    def sets(self, depth, histories):
        """The histories by what the player observes; if they are searched on, also by whether he is to move."""
        found = {}
        for h in histories:
            mover = self.game.to_move(h)
            turn = None if depth == 1 else "over" if mover is None else mover == self.player
            found.setdefault((self.game.observe(h, self.player), turn), set()).add(h)
        return list(found.values())


def given_set(histories):
    """The histories of an information set that are possible, and P(h | I)."""
    total = sum(Fraction(weight) for weight in histories.values())
    return {h: Fraction(weight) / total for h, weight in histories.items() if weight}


def blend(caution, things):
    total = sum(chance for chance, _ in things)
    return (1 - caution) * sum(chance * value for chance, value in things) / total + caution * min(
        value for _, value in things
    )


def close(value):
    """As close as floats can be expected to come."""
    return pytest.approx(float(value), abs=1e-9)


def assert_by_the_equations(equations, histories, depth, caution):
    """The search, and the equation that is meant by this caution."""
    model = Model(float(caution), equations.phi)
    search = InformationSetSearch(depth, model, equations.evaluate, equations.utility)
    found = search.search(equations.game, equations.player, histories.items())
    known = {h: weight for h, weight in histories.items() if weight}
    expected = equations.mixed(caution, depth, known)
    assert found.value == close(expected)
    if caution in (0, 1):
        assert expected == (equations.pu if caution else equations.eu)(depth, known)
    if depth:
        values = equations.mixed_by_move(caution, depth, known)
        assert found.values == {move: close(value) for move, value in values.items()}
        assert float(values[found.best]) == close(expected)
    assert found.complete
    assert found.worlds_searched == len(known)
    return found


# ---------------------------------------------------------------------- games that are walked once


@dataclass(frozen=True, eq=False)
class Node:
    """A position of another game, equal to itself alone, with what is known about it."""

    position: object
    known: dict = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Walked:
    """A game whose every position is looked at once, however often it is asked about: the equations ask often."""

    game: object

    def once(self, node, what, ask):
        if what not in node.known:
            node.known[what] = ask()
        return node.known[what]

    def to_move(self, node):
        return self.once(node, "to move", lambda: self.game.to_move(node.position))

    def moves(self, node):
        return self.once(node, "moves", lambda: tuple(self.game.moves(node.position)))

    def play(self, node, move):
        return self.once(node, ("play", move), lambda: Node(self.game.play(node.position, move)))

    def payoff(self, node, player):
        return self.game.payoff(node.position, player)

    def observe(self, node, player):
        return self.once(node, ("observe", player), lambda: self.game.observe(node.position, player))

    def deals(self):
        return [(Node(position), chance) for position, chance in self.game.deals()]

    def chances(self, node):
        return self.once(node, "chances", lambda: self.game.chances(node.position))


# ---------------------------------------------------------------------- games that were drawn

NATURE = 2
"""Who moves besides the players 0 and 1."""

CAUTIONS = st.sampled_from([Fraction(0), Fraction(1)]) | st.fractions(0, 1, max_denominator=8)


def mark(seed, things, most):
    """A number below a bound that looks random, and is the same in every run."""
    for thing in things:
        seed = noise((seed << 8) + (255 if thing is None else thing))
    return seed % most


MOVERS, LABELS, COUNTS, PAYOFFS, WORTHS, SHARES = range(100, 106)
"""What is looked up about a position."""


@dataclass(frozen=True)
class Drawn:
    """A game whose positions are the moves so far, and which is otherwise noise.

    Every player knows his own moves. Of each move he hears one of so many ``labels``, or nothing; a game that is
    ``timed`` has everybody hear at least that there was a move. A player's moves follow from what he has observed. In
    an ``orderly`` game the players take turns. Otherwise anything goes: among positions that look the same to a player
    it may be his turn in some, and others may be the end.
    """

    seed: int
    length: int
    most_moves: int
    labels: int
    orderly: bool = True
    timed: bool = False

    def mark(self, what, things, most):
        return mark(self.seed, (what, *things), most)

    def deal(self, rng):
        return ()

    def deals(self):
        return [((), Fraction(1))]

    def to_move(self, position):
        if len(position) == self.length:
            return None
        if self.orderly or not position:
            return len(position) % 2
        return (*(0, 1) * 6, NATURE, NATURE, NATURE, None)[self.mark(MOVERS, position, 16)]

    def moves(self, position):
        mover = self.to_move(position)
        fewer = self.mark(COUNTS, (mover, *self.observe(position, mover)), 8) == 0
        return tuple(range(self.most_moves - fewer))

    def play(self, position, move):
        return (*position, move)

    def payoff(self, position, player):
        payoff = self.mark(PAYOFFS, position, 19) - 9
        return payoff if player == 0 else -payoff

    def observe(self, position, player):
        heard = []
        for ply in range(len(position)):
            label = self.mark(LABELS, (player, *position[: ply + 1]), self.labels + 1)
            if self.to_move(position[:ply]) == player:
                heard += [10 + position[ply], label]
            elif label or self.timed:
                heard.append(label)
        return tuple(heard)


def drawn_games(*, most_length=6, most_moves=3, timed=False):
    """Games of at most so many moves."""
    return st.builds(
        Drawn,
        seed=st.integers(0, 2**32 - 1),
        length=st.integers(4, most_length),
        most_moves=st.integers(2, most_moves),
        labels=st.integers(0, 2),
        orderly=st.booleans(),
        timed=st.just(timed),
    )


def information_sets(game, player):
    """All information sets in which a player is to move, the largest first."""
    found, waiting = {}, [h for h, _ in game.deals()]
    while waiting:
        h = waiting.pop()
        mover = game.to_move(h)
        if mover == player:
            found.setdefault(game.observe(h, player), []).append(h)
        waiting.extend(game.play(h, move) for move in (() if mover is None else game.moves(h)))
    return sorted(found.values(), key=len, reverse=True)


def roots(game):
    """Information sets of the first player's that a search may begin in: some that are large, some that are early."""
    sets = information_sets(game, 0)
    return sets[:3] + sorted(sets, key=lambda found: len(found[0]))[:3]


@st.composite
def weighted(draw, histories):
    """Histories with weights, not all of which are 0."""
    weights = draw(st.lists(st.integers(0, 3), min_size=len(histories), max_size=len(histories)))
    weights[draw(st.integers(0, len(histories) - 1))] += 1
    return dict(zip(histories, weights, strict=True))


@dataclass(frozen=True)
class NoisyPhi:
    """Probabilities that are noise; a third of them 0."""

    game: object

    def __call__(self, position):
        shares = [max(0, self.game.mark(SHARES, (*position, move), 6) - 1) for move in self.game.moves(position)]
        shares = shares if any(shares) else [1] * len(shares)
        return [Fraction(share, sum(shares)) for share in shares]


@given(st.data(), drawn_games(), CAUTIONS)
def test_the_search_is_the_equations(data, game, caution):
    histories = data.draw(weighted(data.draw(st.sampled_from(roots(game)))))
    equations = Equations(
        game,
        0,
        data.draw(st.sampled_from([None, NoisyPhi(game)])),
        lambda position: game.mark(WORTHS, position, 19) - 9,
        data.draw(st.sampled_from([None, lambda position: 100 * game.payoff(position, 0)])),
    )
    assert_by_the_equations(equations, histories, data.draw(st.integers(0, game.length + 1)), caution)


@given(st.data(), extensive_games(most_nodes=20), CAUTIONS)
def test_games_in_extensive_form(data, form, caution):
    game = FormGame(form)
    sets = [(player, found) for player in range(len(form.players)) for found in information_sets(game, player)]
    assume(sets)
    player, found = data.draw(st.sampled_from(sets))
    equations = Equations(game, player, game.chances, lambda position: position.node % 5)
    assert_by_the_equations(equations, data.draw(weighted(found)), data.draw(st.integers(0, 5)), caution)


@given(st.data(), drawn_games())
def test_histories_fold_in_any_order_and_in_parts(data, game):
    histories = list(data.draw(weighted(data.draw(st.sampled_from(roots(game))))).items())
    search = InformationSetSearch(game.length, mixed(0.5))
    whole = search.search(game, 0, histories)
    parts = [(h, weight / 2) for h, weight in histories] * 2
    again = search.search(game, 0, data.draw(st.permutations(parts)))
    assert again.values == {move: close(value) for move, value in whole.values.items()}
    assert again.chances == {move: close(chance) for move, chance in whole.chances.items()}


def test_between_turns_a_player_knows_what_he_knew_and_did():
    """Nobody sees the coin; Ann calls, and Bob hears the call."""
    calls = {"heads": leaf(1, -1), "tails": leaf(-1, 1)}
    hears = {call: decision("Bob", calls, knows=call) for call in ("heads", "tails")}
    called = decision("Ann", hears, knows="nothing")
    game = FormGame(game_of(tossed({"up": ("1/3", called), "down": ("2/3", called)}), players=["Ann", "Bob"]))
    start = game.start()
    before, after = (game.play(start, move) for move in game.moves(start))
    assert [game.to_move(position) for position in (start, before)] == [CHANCE, 0]
    assert game.chances(start) == (Fraction(1, 3), Fraction(2, 3))
    assert game.observe(start, 0) == game.observe(start, 1) == ("waits", None)
    assert game.observe(before, 0) == game.observe(after, 0)
    heads, tails = (game.play(before, move) for move in game.moves(before))
    assert game.observe(heads, 0) != game.observe(tails, 0)
    assert game.observe(heads, 1) != game.observe(tails, 1)
    end = game.play(heads, game.moves(heads)[1])
    assert (game.to_move(end), game.payoff(end, 0), game.payoff(end, 1)) == (None, -1, 1)
    assert game.chances(heads) == (Fraction(1, 2), Fraction(1, 2))
    assert [game.deal(Random(1)), *(position for position, _ in game.deals())] == [start, start]


# ---------------------------------------------------------------------- the best answer to a known opponent


@dataclass(frozen=True)
class Alone:
    """What is left of an extensive form for its first player when the others move at random: they are chance."""

    form: object

    players = ("the first",)

    @property
    def root(self):
        return self.form.root

    def to_move(self, node):
        mover = self.form.to_move(node)
        return mover if mover in (0, None) else CHANCE

    def moves(self, node):
        return self.form.moves(node)

    def play(self, node, move):
        return self.form.play(node, move)

    def chances(self, node):
        moves = self.form.moves(node)
        is_chance = self.form.to_move(node) == CHANCE
        return self.form.chances(node) if is_chance else [Fraction(1, len(moves))] * len(moves)

    def information_set(self, node):
        return self.form.information_set(node)

    def payoffs(self, node):
        return self.form.payoffs(node)[:1]


@given(drawn_games(timed=True))
def test_to_the_end_it_is_the_best_answer_to_random_play(game):
    """IMP-minimax is another algorithm, on another form of the game: optimal for one player who forgets nothing."""
    answer = ImpMinimax().search(Alone(from_game(game, [0, 1, NATURE])))
    assert answer.proven
    found = InformationSetSearch(game.length).search(game, 0, [((), 1)])
    assert found.value == close(answer.value)


@given(drawn_games(most_length=4, most_moves=2, timed=True))
def test_no_strategy_does_better(game):
    best = ExtensiveBruteForce().search(Alone(from_game(game, [0, 1, NATURE])))
    assert InformationSetSearch(game.length).search(game, 0, [((), 1)]).value == close(best.value)


@given(drawn_games())
def test_who_fears_more_expects_less(game):
    values = [InformationSetSearch(3, mixed(tenth / 10)).search(game, 0, [((), 1)]).value for tenth in range(11)]
    assert all(more <= less + 1e-9 for less, more in pairwise(values))


# ---------------------------------------------------------------------- beliefs


def chance_of(game, h):
    """How likely a history is, but for the first player's moves."""
    others = [h[:ply] for ply in range(len(h)) if game.to_move(h[:ply]) != 0]
    return prod((Fraction(1, len(game.moves(before))) for before in others), start=Fraction(1))


def followed(game, h):
    """The first player's belief after a history, having been told at each of his turns."""
    belief = AllHistories.start(game, 0)
    for ply in range(len(h) + 1):
        if game.to_move(h[:ply]) == 0:
            belief = belief.after(game.observe(h[:ply], 0))
    return belief


@given(st.data(), drawn_games())
def test_a_belief_is_the_information_set(data, game):
    expected = data.draw(st.sampled_from(roots(game)))
    belief = followed(game, data.draw(st.sampled_from(expected)))
    assert dict(belief.histories) == {h: chance_of(game, h) for h in expected}


def test_a_belief_by_a_model_leaves_out_what_the_model_never_does():
    game = Phantom()
    state = game.play(game.start(), 8)
    belief = AllHistories.start(game, NOUGHT, lambda _: [0, 0.25, 0, 0, 0, 0, 0, 0, 0.75])
    assert [(h.board, chance) for h, chance in belief.histories] == [(".x.......", 0.25), ("........x", 0.75)]
    assert belief.after(game.observe(state, NOUGHT)).histories == belief.histories


def test_what_cannot_be_observed_is_refused():
    belief = AllHistories.start(Phantom(), CROSS)
    with pytest.raises(InputError, match="expected what x may observe at this turn or the next, found 'thunder'"):
        belief.after("thunder")


GAMES = [Phantom(), Kriegspiel(), LegalReplies(Kriegspiel(), WHITE), FormGame(from_game(Peek(), ["Ann", "Bob"]))]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_nobody_is_noticed_at_once(game, monkeypatch):
    """Otherwise a whole game tree is looked at before it is said that nobody of this name got a turn."""
    monkeypatch.setattr(AllHistories, "_until_turn", None)
    for nobody in ("X", None, 7):
        with pytest.raises(InputError, match=f"expected a player who gets a turn, found {nobody!r}"):
            AllHistories.start(game, nobody)


@pytest.mark.parametrize("players", [("first", "second"), 2, ("Bob", "Ann"), ()], ids=repr)
def test_a_game_may_say_something_else_about_its_players(players):
    """Names where numbers move, say, as extensive forms do."""

    class Told(Peek):
        pass

    Told.players = players
    assert AllHistories.start(Told(), "Bob").histories == AllHistories.start(Peek(), "Bob").histories
    with pytest.raises(InputError, match="expected a player who gets a turn, found 'Carol'"):
        AllHistories.start(Told(), "Carol")


def test_a_belief_needs_the_deals():
    class Closed:
        def deal(self, rng): ...

    with pytest.raises(InputError, match="found Closed, which can only draw one"):
        AllHistories.start(Closed(), 0)


def test_draws_come_as_often_as_they_are_likely():
    belief = AllHistories.start(Phantom(), NOUGHT, lambda _: [0.5, 0.5, *[0] * 7])
    drawn = [state.board for state in islice(draws(belief, Random(1)), 1000)]
    assert 440 < drawn.count("x........") < 560
    assert drawn == [state.board for state in islice(draws(belief, Random(1)), 1000)]


def test_searching_draws_comes_close_to_searching_all():
    """Where did the cross go? The seed is fixed."""
    game = Phantom()
    belief = AllHistories.start(game, NOUGHT)
    search = InformationSetSearch(1, evaluate=lambda state: state.board.index(CROSS) / 8)
    exact = search.search(game, NOUGHT, belief.histories)
    drawn = search.search_belief(game, NOUGHT, belief, Random(5), Limit(nodes=400))
    assert (drawn.worlds_searched, drawn.complete) == (400, False)
    assert exact.values == dict.fromkeys(range(9), close(0.5))
    assert drawn.values == dict.fromkeys(range(9), pytest.approx(0.5, abs=0.05))
    assert drawn == search.search_belief(game, NOUGHT, belief, Random(5), Limit(nodes=400))


def played(game, *moves):
    state = game.start()
    for move in moves:
        state = game.play(state, move)
    return state


# ---------------------------------------------------------------------- kriegspiel

RULES = [WILD16, BERKELEY, CINCINNATI, UMD]

WORTH = {EMPTY: 0, "P": 1, "N": 3, "B": 4, "R": 5, "Q": 9, "K": 0}


def material(colour):
    """What a player's pieces are worth more than the other's."""

    def balance(node):
        pieces = node.position.board.pieces
        return sum(WORTH[piece.upper()] * (1 if colour.owns(piece) else -1) for piece in pieces if piece != EMPTY)

    return balance


def mate_is_a_hundred(colour):
    return lambda node: 100 * Kriegspiel().payoff(node.position, colour)


def story(rules, fen, seed, plies):
    """A game at random of so many moves, and then if possible a refused try: the player's turns, the last being now."""
    rng, board = Random(seed), read_fen(fen)
    game = LegalReplies(Kriegspiel(rules, (board,)), board.turn if plies % 2 == 0 else board.turn.other)
    states = [game.game.start(board)]
    while states[-1].plies < plies:
        states.append(game.play(states[-1], rng.choice(game.moves(states[-1]))))
    refused = [move for move in game.moves(states[-1]) if not states[-1].board.is_legal(move)]
    if refused:
        states.append(game.play(states[-1], rng.choice(refused)))
    return game, [state for state in states if state.board.turn is game.player]


STORIES = [
    ("k1n1/pp2/2PP/K1R1 w", 3, 3),
    ("1k1r/1p2/2P1/RK2 w", 1, 3),
    ("1k1r/1p2/2P1/RK2 w", 0, 4),
    ("k3/3p/P3/K2R w", 2, 4),
]


def believed(game, state):
    """The boards that the player holds possible, by what he has heard."""
    belief = ExactBelief.start(game.player, game.game.rules, game.game.starts)
    for event in game.observe(state, game.player).events:
        belief = belief.after(event)
    return belief


TOLD = pytest.mark.parametrize(
    ("rules", "told"), list(zip(RULES, STORIES, strict=True)), ids=[rules.name for rules in RULES]
)


@TOLD
def test_kriegspiel_is_searched_by_the_equations(rules, told):
    game, turns = story(rules, *told)
    boards = believed(game, turns[-1]).boards
    assert len(boards) > 1
    nodes = [Node(game.resume(board, turns[-1].refused)) for board in boards]
    histories = dict(zip(nodes, map(Fraction, boards.weights.tolist()), strict=True))
    equations = Equations(Walked(game), game.player, None, material(game.player), mate_is_a_hundred(game.player))
    for depth, caution in ((1, 0), (1, 1), (2, 0), (2, 1), (2, Fraction(1, 4)), (1, Fraction(1, 2))):
        found = assert_by_the_equations(equations, histories, depth, caution)
    made = {move: sum(histories[h] for h in nodes if h.position.board.is_legal(move)) for move in found.values}
    assert found.chances == {move: close(weight / sum(histories.values())) for move, weight in made.items()}


def tiny_board(rng):
    """A board of 4 by 4 with both kings and one to four other pieces, on which the game goes on."""
    while True:
        pieces = "Kk" + "".join(rng.choices("PNBRQpnbrq", k=rng.randint(1, 4)))
        placed = dict(zip(rng.sample(range(16), len(pieces)), pieces, strict=True))
        rows = ["".join(placed.get(4 * rank + file, "1") for file in range(4)) for rank in (3, 2, 1, 0)]
        with suppress(InputError):  # a pawn on the last rank, or a king that could be taken
            board = read_fen("/".join(rows) + " w")
            if Kriegspiel().start(board).end is None:
                return board


MOST_HISTORIES = 8
"""So many can be followed by the equations' definition in a test of many."""


@given(st.data(), st.integers(0, 10**9), st.sampled_from(RULES), CAUTIONS)
def test_kriegspiel_on_boards_at_random(data, seed, rules, caution):
    """Moves and refused tries at random, and what White holds possible when he is next on turn."""
    rng = Random(seed)
    board = tiny_board(rng)
    game = LegalReplies(Kriegspiel(rules, (board,)), WHITE)
    now = state = game.game.start(board)
    for _ in range(rng.randint(0, 4)):
        state = game.play(state, rng.choice(game.moves(state)))
        if state.end is not None:
            break
        now = state if state.board.turn is WHITE else now
    boards = list(islice(believed(game, now).boards, MOST_HISTORIES))
    histories = data.draw(weighted([Node(game.resume(board, now.refused)) for board in boards]))
    equations = Equations(Walked(game), WHITE, None, material(WHITE), mate_is_a_hundred(WHITE))
    assert_by_the_equations(equations, histories, data.draw(st.integers(0, 2)), caution)


def test_kriegspiel_three_moves_deep():
    game, turns = story(WILD16, *STORIES[3])
    nodes = [Node(game.resume(board, turns[-1].refused)) for board in believed(game, turns[-1]).boards]
    equations = Equations(Walked(game), game.player, None, material(game.player), mate_is_a_hundred(game.player))
    assert_by_the_equations(equations, dict.fromkeys(nodes, 1), 3, Fraction(1, 4))


@TOLD
def test_boards_will_do_for_whole_histories(rules, told):
    """What was heard before is the same for all of them, so a search that begins now loses nothing."""
    game, turns = story(rules, *told)
    belief = AllHistories.start(game, game.player)
    for state in turns:
        belief = belief.after(game.observe(state, game.player))
    search = InformationSetSearch(1, mixed(0.5), lambda state: mark(0, map(ord, state.board.pieces), 100))
    whole = search.search(game, game.player, belief.histories)
    resumed = [(game.resume(h.board, h.refused), chance) for h, chance in belief.histories]
    now = search.search(game, game.player, resumed)
    assert now.values == {move: close(value) for move, value in whole.values.items()}
    weights, boards = Counter(), believed(game, turns[-1]).boards
    for h, chance in belief.histories:
        weights[h.board.pieces] += float(chance / sum(chance for _, chance in belief.histories))
    assert set(weights) == {board.pieces for board in boards}
    if not rules.refusals_heard:  # otherwise a belief of boards has heard that there were none, and weighs that too
        shares = boards.weights / boards.weights.sum()
        assert weights == {board.pieces: close(share) for board, share in zip(boards, shares, strict=True)}


@pytest.mark.parametrize("belief", [ExactBelief, SampledBelief])
def test_mate_is_found_in_a_belief(belief):
    boards = possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8")
    game = LegalReplies(Kriegspiel(), WHITE)
    search = InformationSetSearch(1, PARANOID)
    held = belief.start(WHITE, WILD16, boards)
    found = search.search_belief(game, WHITE, held, Random(3), Limit(nodes=10), history=game.resume)
    assert (found.best, found.value) == (read_uci("h7h8"), 1)


def test_a_refused_try_takes_one_of_depth():
    """One move deep a try that is refused leaves the board as it is; two deep there is time for another."""
    game = LegalReplies(Kriegspiel(), WHITE)
    start = Node(game.resume(read_fen("7k/8/8/8/p7/8/q7/R3K3 w")))
    blocked = read_uci("a1a3")
    shallow, deeper = (
        InformationSetSearch(depth, OVERCONFIDENT, material(WHITE)).search(Walked(game), WHITE, [(start, 1)])
        for depth in (1, 2)
    )
    assert (shallow.chances[blocked], shallow.values[blocked]) == (0, 5 - 9 - 1)
    assert deeper.values[blocked] == 5 - 1


def test_the_other_only_replies_with_legal_moves():
    game = LegalReplies(Kriegspiel(), BLACK)
    state = game.resume(START)
    assert game.moves(state) == state.board.legal_moves
    with pytest.raises(InputError, match="expected a legal move of white, found e2e5"):
        game.play(state, read_uci("e2e5"))
    after = game.play(state, read_uci("e2e4"))
    assert after == game.game.play(state, read_uci("e2e4"))
    assert game.moves(after) == after.view(BLACK).tries
    assert game.observe(after, BLACK) == game.game.observe(after, BLACK)


def test_a_search_begins_where_a_turn_is():
    refused = [read_uci("e2d3")]
    game = LegalReplies(Kriegspiel(UMD), WHITE)
    state = game.resume(START, refused)
    assert refused[0] in game.moves(game.resume(START))
    assert refused[0] not in game.moves(state)
    assert (state.events, state.plies) == ((), 0)
    assert [game.deal(Random(1)), *(state for state, _ in game.deals())] == [game.resume(START)] * 2


# ---------------------------------------------------------------------- phantom tic-tac-toe, and OpenSpiel's games


@pytest.mark.parametrize("caution", [0, 1, Fraction(1, 3)])
@pytest.mark.parametrize(
    ("game", "moves", "depth"), [(Phantom(), (4, 4, 0), 2), (Phantom(2, 2, 2), (0,), 4), (Phantom(3, 2, 2), (0, 1), 5)]
)
def test_phantom_tic_tac_toe(game, moves, depth, caution):
    player = game.to_move(played(game, *moves))
    belief = AllHistories.start(game, player)
    for tried in range(len(moves) + 1):
        before = played(game, *moves[:tried])
        belief = belief.after(game.observe(before, player)) if game.to_move(before) == player else belief
    assert_by_the_equations(Equations(game, player), dict(belief.histories), depth, caution)


PHANTOMS = [Phantom(), Phantom(2, 2, 2), Phantom(3, 2, 2), Phantom(3, 2, 3), Phantom(2, 3, 2)]


@given(st.data(), st.sampled_from(PHANTOMS), CAUTIONS)
def test_phantom_tic_tac_toe_at_random(data, game, caution):
    """Tries at random, and what whoever is then on turn holds possible."""
    states = [game.start()]
    for _ in range(data.draw(st.integers(0, 4))):
        after = game.play(states[-1], data.draw(st.sampled_from(game.moves(states[-1]))))
        states += [after] if game.to_move(after) is not None else []
    player = game.to_move(states[-1])
    belief = AllHistories.start(game, player)
    for state in states:
        belief = belief.after(game.observe(state, player)) if game.to_move(state) == player else belief
    histories = data.draw(weighted([h for h, _ in islice(belief.histories, MOST_HISTORIES)]))
    depth = data.draw(st.integers(0, 2 if game == Phantom() else 4))
    assert_by_the_equations(Equations(game, player), histories, depth, caution)


@pytest.mark.parametrize("game", [game for game in PHANTOMS if game.in_a_row == 2], ids=str)
@pytest.mark.parametrize("player", [CROSS, NOUGHT], ids=str)
def test_phantom_tic_tac_toe_to_the_end(game, player):
    """IMP-minimax finds the same on the game written out, the other being chance; nobody forgets anything."""
    other = CROSS if player == NOUGHT else NOUGHT
    answer = ImpMinimax().search(Alone(from_game(game, [player, other])))
    search = InformationSetSearch(20)
    histories = AllHistories.start(game, player).histories
    assert answer.proven
    assert search.search(game, player, histories).value == close(answer.value)


@pytest.fixture(scope="session")
def pyspiel():
    reason = "OpenSpiel is not installed: pip install 'worldwise[openspiel]'"
    return pytest.importorskip("pyspiel", reason=reason)


def first_sets(game, player):
    """The information sets at a player's first turn, each with its histories' probabilities."""
    found = {}
    for h, chance in AllHistories.start(game, player, game.chances).histories:
        found.setdefault(game.observe(h, player), {})[h] = chance
    return list(found.values())


KUHN, LEDUC = "kuhn_poker", "leduc_poker"


@pytest.mark.parametrize("caution", [0, 1, Fraction(1, 3)])
@pytest.mark.parametrize("player", [0, 1])
def test_a_game_of_open_spiel(pyspiel, player, caution):
    game = Walked(FormGame(OpenSpielForm(KUHN)))
    for histories in first_sets(game, player):
        for depth in range(6):
            equations = Equations(game, player, game.chances, lambda node: len(node.position.node.history()))
            assert_by_the_equations(equations, histories, depth, caution)


@pytest.fixture(scope="session", params=[KUHN, LEDUC])
def poker(request, pyspiel):
    """A game of OpenSpiel's, with the sets at each player's first turn."""
    game = Walked(FormGame(OpenSpielForm(request.param)))
    return game, [(player, histories) for player in (0, 1) for histories in first_sets(game, player)]


@given(st.data(), CAUTIONS, st.integers(0, 3), st.integers(0, 10**6))
def test_a_set_of_open_spiels_at_random(poker, data, caution, depth, seed):
    """With weights at random, and an evaluation that is noise."""
    game, sets = poker
    player, histories = data.draw(st.sampled_from(sets))
    some = list(islice(histories, data.draw(st.integers(0, len(histories) - 1)), None))[:MOST_HISTORIES]

    def noise_of(node):
        return mark(seed, node.position.node.history(), 19) - 9

    equations = Equations(game, player, game.chances, noise_of)
    assert_by_the_equations(equations, data.draw(weighted(some)), depth, caution)


@pytest.mark.parametrize(("name", "player"), [(KUHN, 0), (KUHN, 1), (LEDUC, 0)])
def test_open_spiel_finds_the_same_best_response(pyspiel, name, player):
    """A player's first turns have the value that OpenSpiel's best response to random play has: he always has a turn."""
    form = OpenSpielForm(name)
    game = Walked(FormGame(form))
    search, sets = InformationSetSearch(20, Model(0, game.chances)), first_sets(game, player)
    value = sum(
        sum(histories.values()) * Fraction(search.search(game, player, histories.items()).value) for histories in sets
    )
    policy = pyspiel.UniformRandomPolicy(form.game)
    expected = pyspiel.TabularBestResponse(form.game, player, policy).value_from_state(form.root)
    assert sum(sum(histories.values()) for histories in sets) == 1
    assert float(value) == close(expected)


@pytest.mark.parametrize("model", [OVERCONFIDENT, PARANOID], ids=["overconfident", "paranoid"])
@pytest.mark.parametrize("moves", [(4, 0, 0), (0, 8, 4, 4, 2)], ids=str)
def test_open_spiels_phantom_tic_tac_toe(pyspiel, moves, model):
    """Another's rules, through another's idea of what a player knows: what we search is worth the same."""
    ours, theirs = Phantom(), FormGame(OpenSpielForm("phantom_ttt"))
    state, position = played(ours, *moves), theirs.start()
    for move in moves:
        position = theirs.play(position, move)
    player = ours.players.index(ours.to_move(state))
    search = InformationSetSearch(3, model)
    found = search.search(ours, ours.players[player], [(state, 1)])
    assert found.values == search.search(theirs, player, [(position, 1)]).values


# ---------------------------------------------------------------------- at any time, and again


def after_the_deal(*weights):
    """Bob of ``Peek``, who does not see Ann's card, after she has said high: A or K."""
    return [((card, "high"), weight) for card, weight in zip("AK", weights, strict=True)]


def test_what_bob_should_do():
    """He loses two to an ace and wins two from a king, or folds for one and a half."""
    found = InformationSetSearch(1).search(Peek(), "Bob", after_the_deal(3, 1))
    assert (found.best, found.value) == ("call", -1)
    assert found.values == {"call": -1, "fold": -1.5}
    paranoid = InformationSetSearch(1, PARANOID).search(Peek(), "Bob", after_the_deal(3, 1))
    assert (paranoid.best, paranoid.value) == ("fold", -1.5)
    assert mixed(0.5) == Model(0.5)
    between = InformationSetSearch(1, mixed(0.5)).search(Peek(), "Bob", after_the_deal(3, 1))
    assert between.values == {"call": -1.5, "fold": -1.5}
    assert between.best == "call"  # the first of equals


def test_the_first_of_equals_is_chosen_whatever_rounding_does():
    """The cross in the middle: no square is better than another, but for the last digits of some."""
    game = Phantom()
    belief = AllHistories.start(game, CROSS).after(game.observe(played(game, 4, 0), CROSS))
    found = InformationSetSearch(3).search(game, CROSS, belief.histories)
    assert len(set(found.values.values())) > 1
    assert found.values == dict.fromkeys(found.values, close(10 / 21))
    assert found.best == 0


@given(st.data(), drawn_games())
def test_paranoia_ignores_weights(data, game):
    histories = data.draw(st.sampled_from(roots(game)))
    weights = data.draw(st.lists(st.floats(1e-9, 1e9), min_size=len(histories), max_size=len(histories)))
    search = InformationSetSearch(3, PARANOID)
    even = search.search(game, 0, [(h, 1) for h in histories])
    assert search.search(game, 0, zip(histories, weights, strict=True)).values == even.values


def test_an_impossible_history_is_not_feared():
    found = InformationSetSearch(1, PARANOID).search(Peek(), "Bob", after_the_deal(0, 5))
    assert (found.value, found.worlds_searched) == (2, 1)
    never = Model(1, lambda position: [0, 1])
    assert InformationSetSearch(2, never).search(Peek(), "Ann", [(("K",), 1)]).value == 1.5
    assert InformationSetSearch(2, PARANOID).search(Peek(), "Ann", [(("K",), 1)]).value == -2


@given(st.data(), drawn_games(), st.integers(0, 6))
def test_a_limit_is_on_histories(data, game, most):
    """A search that was cut short is the search of what it got to, and one history is always folded."""
    histories = [(h, 1) for h in data.draw(st.sampled_from(roots(game)))]
    search = InformationSetSearch(3, mixed(0.25))
    found = search.search(game, 0, iter(histories), Limit(nodes=most))
    folded = min(max(most, 1), len(histories))
    assert (found.worlds_searched, found.complete) == (folded, folded == len(histories))
    whole = search.search(game, 0, histories[:folded])
    assert (found.values, found.stats, found.best) == (whole.values, whole.stats, whole.best)


def test_no_time_is_time_for_one():
    found = InformationSetSearch(1).search(Peek(), "Bob", after_the_deal(1, 1), Limit(seconds=0))
    assert (found.worlds_searched, found.complete, found.value) == (1, False, -1.5)


def test_a_search_in_time_takes_no_more_than_it_has(monkeypatch):
    """By a clock that goes on a second whenever it is looked at, so that a busy machine does not matter."""
    monkeypatch.setattr("worldwise.core.result.monotonic", count().__next__)
    belief = AllHistories.start(Phantom(), NOUGHT)
    found = InformationSetSearch(1).search_belief(Phantom(), NOUGHT, belief, Random(1), Limit(seconds=20))
    assert 1 < found.worlds_searched <= 20
    assert 20 <= found.stats.seconds < 25


def test_an_interrupted_search_leaves_nothing_behind():
    interruptions = iter([KeyboardInterrupt, None])

    def evaluate(position):
        if interruption := next(interruptions, None):
            raise interruption
        return 0.0

    search = InformationSetSearch(1, evaluate=evaluate)
    with pytest.raises(KeyboardInterrupt):
        search.search(Peek(), "Ann", [(("A",), 1)])
    again = search.search(Peek(), "Ann", [(("A",), 1)])
    assert again == InformationSetSearch(1).search(Peek(), "Ann", [(("A",), 1)])
    assert (again.worlds_searched, again.stats.nodes, again.stats.leaves) == (1, 3, 2)


def test_at_no_depth_there_is_a_value_and_no_move():
    found = InformationSetSearch(0, mixed(0.5), evaluate=lambda position: {"A": 1, "K": 3}[position[0]])
    answer = found.search(Peek(), "Bob", after_the_deal(1, 1))
    assert (answer.best, answer.value, answer.values, answer.chances) == (None, 1.5, {}, {})


def material_balance(position):
    return 0.0


def test_a_repr_says_all_and_the_same_in_every_run():
    assert repr(InformationSetSearch(2)) == (
        "InformationSetSearch(depth=2, model=Model(caution=0.0, chances=None), evaluate=no_opinion, utility=None)"
    )
    phi = FormGame(None).chances
    search = InformationSetSearch(3, Model(0.5, phi), material_balance, material_balance)
    assert repr(search) == (
        "InformationSetSearch(depth=3, model=Model(caution=0.5, chances=FormGame.chances), "
        "evaluate=material_balance, utility=material_balance)"
    )
    assert search == InformationSetSearch(3, Model(0.5, phi), material_balance, material_balance)


def test_weights_may_be_of_any_size():
    """Neither a weight nor a long history is lost in rounding."""
    for weight in (5e-324, Fraction(1, 10**400), 1e100, 10**50):
        found = InformationSetSearch(2).search(Peek(), "Ann", [(("A",), weight)])
        assert found.value == close(1.75)


# ---------------------------------------------------------------------- bad input


class Uneven(Peek):
    def moves(self, position):
        return ("call",) if position == ("K", "high") else super().moves(position)


ONE = [(("A", "high"), 1)]
ONCE, DICE = Limit(nodes=1), Random(1)


def worth(value):
    """Bob's search, with this as the evaluation of what he knows."""
    return InformationSetSearch(0, evaluate=lambda position: value).search(Peek(), "Bob", ONE)


BAD = {
    "expected a caution from 0 (the mean) to 1 (the worst), found 1.5": lambda: mixed(1.5),
    "expected a caution from 0 (the mean) to 1 (the worst), found nan": lambda: Model(nan),
    "expected a depth in moves, 0 or more, found -1": lambda: InformationSetSearch(-1),
    "expected a depth in moves, 0 or more, found 1.5": lambda: InformationSetSearch(1.5),
    "expected at least one history whose weight is not 0, found none": lambda: bob([]),
    "expected weights from 0 to 1e+100, found -1 for ('A', 'high')": lambda: bob(after_the_deal(-1, 1)),
    "expected weights from 0 to 1e+100, found nan for ('A', 'high')": lambda: bob(after_the_deal(nan, 1)),
    "expected weights from 0 to 1e+100, found inf for ('A', 'high')": lambda: bob(after_the_deal(inf, 1)),
    "expected histories with Bob to move, found Ann to move at ('A',)": lambda: bob([(("A",), 1)]),
    "expected histories that look the same to Bob, found another: ('A', 'low')": lambda: bob([*ONE, (("A", "low"), 1)]),
    "expected the same moves in histories that look the same, found others at ('K', 'high')": lambda: bob(
        after_the_deal(1, 1), Uneven()
    ),
    **{
        f"expected a number from -1e+100 to 1e+100 as value, found {value!r}, at ('A', 'high')": partial(worth, value)
        for value in (inf, nan, 1e308, 10**400, -(10**400), None, "2", Decimal(2), [2])
    },
    "expected a number from -1e+100 to 1e+100 as value, found None, at ('A', 'high', 'call')": (
        lambda: InformationSetSearch(1, utility=lambda position: None).search(Peek(), "Bob", ONE)
    ),
    "expected evaluate to be a function of a position, found 3": lambda: InformationSetSearch(1, PARANOID, 3),
    "expected utility to be a function of a position, found 3": lambda: InformationSetSearch(1, utility=3),
    "expected chances to be a function of a position, found 0.3": lambda: Model(chances=0.3),
    "expected phi to be a function of a position, found 0.3": lambda: AllHistories.start(Peek(), "Bob", 0.3),
    "expected history to be a function of a position, found 'board'": lambda: drawn_for_bob(history="board"),
    "expected a random.Random to draw with, found 1": lambda: drawn_for_bob(rng=1),
    "expected a belief, with a method sample, to draw from, found list": lambda: drawn_for_bob(ONE),
    "expected a Limit, such as Limit() or Limit(seconds=1), found None": lambda: drawn_for_bob(limit=None),
    "expected a Limit, such as Limit() or Limit(seconds=1), found 3": (
        lambda: InformationSetSearch(1).search(Peek(), "Bob", ONE, 3)
    ),
    "expected probabilities as numbers (float, int or Fraction), found 'a', at ('A', 'high')": lambda: ann("ab"),
    "expected probabilities as numbers (float, int or Fraction), found None, at ('A', 'high')": lambda: ann([1, None]),
    "expected probabilities as numbers (float, int or Fraction), found Decimal('1'), at ('A', 'high')": (
        lambda: ann([0, Decimal(1)])
    ),
    f"expected probabilities that are not negative and sum to 1, found {10**400}, 0, at ('A', 'high')": (
        lambda: ann([10**400, 0])
    ),
    "expected phi to give 2 probabilities, found 1, at ('A', 'high')": lambda: ann([1]),
    "expected probabilities that are not negative and sum to 1, found 1.5, -0.5, at ('A', 'high')": lambda: ann(
        [1.5, -0.5]
    ),
    "expected probabilities that are not negative and sum to 1, found 0.5, 0.4, at ('A', 'high')": lambda: ann(
        [0.5, 0.4]
    ),
    "expected probabilities that are not negative and sum to 1, found nan, 1, at ('A', 'high')": lambda: ann([nan, 1]),
    "expected phi to give a sequence of probabilities, found {'high': 1}, at ('A', 'high')": lambda: ann({"high": 1}),
    "expected phi to give a sequence of probabilities, found None, at ('A', 'high')": lambda: ann(None),
    "expected a caution from 0 (the mean) to 1 (the worst), found '0.3'": lambda: mixed("0.3"),
    "expected a Model, such as PARANOID, mixed(0.3) or Model(chances=...) with a function of yours, found 'paranoid'": (
        lambda: InformationSetSearch(1, "paranoid")
    ),
    "expected a history as a position and its weight, found 7": lambda: bob([7]),
    "expected weights from 0 to 1e+100, found 'all' for ('A', 'high')": lambda: bob([(("A", "high"), "all")]),
    "expected histories with their weights (of a belief, its histories, or search_belief), found AllHistories": (
        lambda: bob(AllHistories.start(Peek(), "Bob"))
    ),
    "expected a player who gets a turn, found 'Carol'": lambda: AllHistories.start(Peek(), "Carol"),
    "expected probabilities of deals that sum to 1, found 1/3, 1/3": lambda: AllHistories.start(Short(), "Bob"),
    "expected a limit in seconds or nodes, because draws do not end, found no limit": (
        lambda: drawn_for_bob(limit=Limit(seconds=inf))
    ),
}


class Short(Peek):
    """A deal is missing."""

    def deals(self):
        return [(position, Fraction(1, 3)) for position, _ in super().deals()]


def bob(histories, game=None):
    return InformationSetSearch(1).search(game or Peek(), "Bob", histories)


def drawn_for_bob(belief=None, rng=DICE, limit=ONCE, **more):
    belief = AllHistories.start(Peek(), "Bob") if belief is None else belief
    return InformationSetSearch(1).search_belief(Peek(), "Bob", belief, rng, limit, **more)


def ann(chances):
    return InformationSetSearch(2, Model(0, lambda position: chances)).search(Peek(), "Ann", [(("A",), 1)])


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_named(message):
    with pytest.raises(InputError) as error:
        BAD[message]()
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("value", "weight"),
    [(1e100, 1e100), (-1e100, 1e100), (10**9, 1), (Fraction(1, 3), 1), (np.float32(0.5), 1), (True, 1)],
)
def test_any_number_that_is_not_too_large_may_be_a_value(value, weight):
    assert worth(value).value == pytest.approx(float(value))
    many = [(("A", "high"), weight)] * 3
    found = InformationSetSearch(1, mixed(0.5), utility=lambda position: value).search(Peek(), "Bob", many)
    assert (found.best, found.value) == ("call", pytest.approx(float(value)))


def test_probabilities_may_be_rounded():
    assert ann([0.1 + 0.2, 0.7]).best == "high"


def test_too_deep_is_said():
    class Endless(Peek):
        def to_move(self, position):
            return "Ann"

        def moves(self, position):
            return ("wait",)

    with pytest.raises(TooDeepError):
        InformationSetSearch(100_000).search(Endless(), "Ann", [(("A",), 1)])
