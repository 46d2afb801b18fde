"""Beliefs: exact ones against every game that could have been played, sampled ones against exact ones."""

from collections import defaultdict
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwise.core.result import Limit
from worldwise.errors import InputError, LimitReachedError, TooManyBoardsError
from worldwise.kernels import BUILT
from worldwise.kriegspiel.belief import last_message as kriegspiel_guess
from worldwise.kriegspiel.belief import sampled as kriegspiel_belief
from worldwise.kriegspiel.belief.drawing import draw_sample
from worldwise.kriegspiel.belief.exact import ExactBelief
from worldwise.kriegspiel.belief.last_message import LastMessage
from worldwise.kriegspiel.belief.sampled import SampledBelief
from worldwise.kriegspiel.belief.summary import summary
from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards, identity
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import Event, Kriegspiel
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, read_uci, uci
from worldwise.kriegspiel.rules.umpire import BERKELEY, RULES, WILD16, Message, checks, pawn_tries
from worldwise.kriegspiel.rules.view import PlayerView

PLAYERS = (WHITE, BLACK)
ENGINES = [False, *([True] if BUILT else [])]
PNS06 = replace(WILD16, ply_limit=160, quiet_limit=50, fifty=False, repetition=False)
SMALL = read_fen("1k2/p3/3P/K1R1 w")


@pytest.fixture(params=ENGINES, ids=lambda kernel: "kernel" if kernel else "rules")
def kernel(request):
    return request.param


def random_states(game, seed, tries):
    """The states of a random game, one after every try."""
    rng = Random(seed)
    state = game.deal(rng)
    for _ in range(tries):
        if game.to_move(state) is None:
            return
        state = game.play(state, rng.choice(game.moves(state)))
        yield state


def heard_by(player, states, rules):
    """What a player hears, with the state in which he hears it."""
    for state in states:
        event = state.events[-1].heard_by(player, rules)
        if event:
            yield state, event


# ---------------------------------------------------------------------- exact


def posterior(game, player, observed):
    """The definition: every game that could have been played, the other trying whatever he may in a random order."""
    found = defaultdict(float)
    todo = [(game.start(board), 1.0) for board in game.starts]
    while todo:
        state, chance = todo.pop()
        heard = game.observe(state, player).events
        if heard != observed[: len(heard)]:
            continue
        if state.board.turn is player and len(heard) == len(observed):
            found[identity(state.board)] += chance
        elif state.board.turn is player and not state.end:
            todo += [(game.play(state, observed[len(heard)].move), chance)]
        elif not state.end:
            # Where nobody hears refusals, tries in a random order are a legal move at random.
            moves = game.moves(state) if game.rules.refusals_heard else state.board.legal_moves
            todo += [(game.play(state, move), chance / len(moves)) for move in moves]
    return found


@pytest.mark.parametrize("rules", [WILD16, BERKELEY], ids=lambda rules: rules.name)
@pytest.mark.parametrize("player", PLAYERS, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_exact_is_every_game_that_could_have_been_played(rules, player, seed):
    rules = replace(rules, repetition=False)
    game = Kriegspiel(rules, (SMALL,))
    states = [state for state in random_states(game, seed, 12) if state.plies <= 3 and not state.end]
    # Of a turn of the other's that is not over, his refusals are all that is heard.
    last = max((place for place, state in enumerate(states) if state.board.turn is player), default=None)
    if last is None:
        pytest.skip("the player never came to move in this game")
    observed = game.observe(states[last], player).events
    belief = ExactBelief.start(player, rules, game.starts)
    for event in observed:
        belief = belief.after(event)
    expected = posterior(game, player, observed)
    weights = dict(zip(map(identity, belief.boards), belief.boards.weights / belief.boards.weights.sum(), strict=True))
    assert weights.keys() == expected.keys()
    total = sum(expected.values())
    assert all(weights[board] == pytest.approx(chance / total) for board, chance in expected.items())


@pytest.mark.parametrize("rules", RULES.values(), ids=lambda rules: rules.name)
@pytest.mark.parametrize("player", PLAYERS, ids=str)
def test_kernel_and_rules_agree(rules, player, needs_kernels):
    """Board by board, with weights and quiet plies, while there are few."""
    for seed in range(3):
        beliefs = [ExactBelief.start(player, rules, kernel=kernel, most=600) for kernel in (True, False)]
        for _state, event in heard_by(player, random_states(Kriegspiel(rules), seed, 40), rules):
            try:
                beliefs = [belief.after(event) for belief in beliefs]
            except TooManyBoardsError:
                break
            ours, twin = ({identity(board): board.quiet for board in belief.boards} for belief in beliefs)
            assert ours == twin
            weights = [
                dict(zip(map(identity, belief.boards), belief.boards.weights, strict=True)) for belief in beliefs
            ]
            assert weights[0] == pytest.approx(weights[1])
        assert len(beliefs[0].boards) > 1


def test_surprises_agree(needs_kernels):
    """What is heard later judges boards alike, compiled or not."""
    for seed in range(3):
        states = list(random_states(Kriegspiel(PNS06), seed, 60))
        events = [event for _, event in heard_by(WHITE, states, PNS06)]
        belief = ExactBelief.start(WHITE, PNS06, most=150)
        for at, event in enumerate(events):
            try:
                belief = belief.after(event)
            except TooManyBoardsError:
                break
            if not event.is_refusal and event.colour is WHITE and not event.message.end:
                later = events[at + 1 : at + 20]
                twin = WeightedBoards.of(list(belief.boards), kernel=False)
                assert belief.boards.surprises(later, WHITE) == pytest.approx(twin.surprises(later, WHITE))


def test_differences_agree(needs_kernels):
    """A board differs from another on as many squares, compiled or not."""
    boards = [state.board for state in random_states(Kriegspiel(PNS06), 3, 40)]
    packed, twin = (WeightedBoards.of(boards, kernel=kernel) for kernel in (True, False))
    for board in boards:
        assert packed.differences(board).tolist() == twin.differences(board).tolist()
    assert twin.differences(START)[0] == 2  # one piece has moved


def test_rarities_agree(needs_kernels):
    """Compiled or not; by weight they add up to the number of different pieces and squares."""
    boards = [state.board for state in random_states(Kriegspiel(PNS06), 3, 40)]
    weights = np.random.default_rng(0).uniform(0.1, 9, len(boards))
    for colour in PLAYERS:
        packed, twin = (replace(WeightedBoards.of(boards, kernel=kernel), weights=weights) for kernel in (True, False))
        assert packed.rarities(colour) == pytest.approx(twin.rarities(colour))
        places = {place for board in boards for place in board.pieces_of(colour)}
        assert weights @ twin.rarities(colour) == pytest.approx(len(places))


def test_a_board_met_twice_is_one_with_the_fewest_quiet_plies(kernel):
    """It weighs as much as both, and its story is the one of these plies."""
    boards = [replace(START, quiet=quiet) for quiet in (40, 10, 20)]
    twice = replace(WeightedBoards.of(boards, kernel=kernel), weights=np.array([1.0, 2.0, 4.0]))
    (one,) = found = replace(twice, stories=np.array([[40], [10], [20]], dtype=np.uint16)).merge_duplicates()
    assert (one.quiet, found.weights.tolist(), found.stories.tolist()) == (10, [7.0], [[10]])


def test_boards_without_kernels_stay_in_order():
    """So that what is drawn from them depends on the seed alone."""
    boards = list(dict.fromkeys(replace(state.board, quiet=0) for state in random_states(Kriegspiel(), 3, 60)))
    assert list(WeightedBoards.of(boards + boards[::-1], kernel=False).merge_duplicates()) == boards


def test_who_cannot_move_explains_no_move(kernel):
    """Nobody has said that this is stalemate: such a board is not the one that is played on."""
    stuck = WeightedBoards.of([read_fen("7k/5Q2/6K1/8/8/8/8/8 b")], kernel=kernel)
    assert not len(stuck.after(Event(BLACK, None, Message(tries=0)), WHITE, WILD16))


def test_what_contradicts_everything_is_refused(kernel):
    belief = SampledBelief.start(BLACK, WILD16, kernel=kernel)
    with pytest.raises(InputError, match="expected what was heard to fit some board, found none that explains all 1"):
        belief.after(Event(WHITE, None, Message(taken=63, piece="piece", tries=0)))


def test_too_many_boards(kernel):
    game = Kriegspiel()
    state = game.play(game.start(START), read_uci("e2e4"))
    belief = ExactBelief.start(BLACK, WILD16, most=10, kernel=kernel)
    with pytest.raises(TooManyBoardsError):
        belief.after(state.events[0].heard_by(BLACK, WILD16))


# ---------------------------------------------------------------------- sampled


def assert_explains(game, belief, at):
    """A board's story, played before the umpire, is heard as what was heard, and leads to the board."""
    story, state = list(belief.boards.story(at)), game.start(START)
    for event in belief.events:
        if event.colour is belief.player:
            state = game.play(state, event.move)
        elif not event.is_refusal:
            state = game.play(state, story.pop(0))
        else:
            continue
        assert state.events[-1].heard_by(belief.player, game.rules) == event
    assert identity(state.board) == identity(belief.boards[at])


@pytest.mark.parametrize("rules", [PNS06, replace(BERKELEY, ply_limit=160)], ids=lambda rules: rules.name)
@pytest.mark.parametrize("player", PLAYERS, ids=str)
def test_a_whole_game(rules, player, needs_kernels):
    """A game of 160 plies: the pool is never empty, and every board in it fits all that was heard."""
    game, belief, rng = Kriegspiel(rules), SampledBelief.start(player, rules, size=300, exact=3000), Random(1)
    for number, (_, event) in enumerate(heard_by(player, random_states(game, 2, 600), rules)):
        belief = belief.after(event)
        assert len(belief.boards)
        if number % 16 == 0:
            assert_explains(game, belief, rng.randrange(len(belief.boards)))
    assert not belief.is_exact
    for _ in range(10):
        assert_explains(game, belief, rng.randrange(len(belief.boards)))


def test_fresh_starts(monkeypatch, needs_kernels):
    """A belief that never looks back goes through the whole story again when its pool is empty, and fits as well."""
    monkeypatch.setattr(kriegspiel_belief, "LOOKED_BACK", 0)
    starts, forward = [], kriegspiel_belief._Sampling.bring_forward

    def noted(self, boards, start, size):
        starts.append((start, bool(self.model)))
        if self.model:  # a story of the pool, whole
            assert len(self.model) == len(self.belief.events) - self.fresh
        return forward(self, boards, start, size)

    monkeypatch.setattr(kriegspiel_belief._Sampling, "bring_forward", noted)
    game, belief = Kriegspiel(PNS06), SampledBelief.start(WHITE, PNS06, size=4, exact=20)
    for _, event in heard_by(WHITE, random_states(game, 1, 120), PNS06):
        belief = belief.after(event)
        assert_explains(game, belief, 0)
    assert starts.count((0, True)) > 1, "close to a story that fits all but the last"
    assert starts.count((0, False)) > 1, "and freely"


def test_a_large_pool_is_filled_up_by_small_ones(monkeypatch, needs_kernels):
    """What is brought forward to fill a pool up does not grow with it, and it fits as well."""
    monkeypatch.setattr(kriegspiel_belief, "AT_A_TIME", 4)
    sizes, forward = [], kriegspiel_belief._Sampling.bring_forward

    def noted(self, boards, start, size):
        sizes.append((start == len(self.belief.events) - self.fresh, size))
        return forward(self, boards, start, size)

    monkeypatch.setattr(kriegspiel_belief._Sampling, "bring_forward", noted)
    game, belief = Kriegspiel(PNS06), SampledBelief.start(WHITE, PNS06, size=40, exact=200)
    heard = [event for _, event in heard_by(WHITE, random_states(game, 1, 120), PNS06)]
    for event in heard[:-6]:
        belief = belief.after(event)
        assert_explains(game, belief, 0)
    assert {size for is_next, size in sizes if is_next} == {40}
    assert {size for is_next, size in sizes if not is_next} <= {4 << doubled for doubled in range(6)}
    assert len(sizes) > sum(is_next for is_next, _ in sizes)
    sizes.clear()
    assert_explains(game, belief.catch_up(heard[-6:]), 0)
    assert sizes[0] == (True, 4)


def test_exact_while_small(kernel):
    game, rules = Kriegspiel(PNS06), PNS06
    exact = ExactBelief.start(WHITE, rules, kernel=kernel)
    sampled = SampledBelief.start(WHITE, rules, exact=100_000, kernel=kernel)
    for state, event in heard_by(WHITE, random_states(game, 3, 10 if kernel else 5), rules):
        exact, sampled = exact.after(event), sampled.after(event)
        assert sampled.is_exact
        assert {identity(board) for board in sampled.boards} == {identity(board) for board in exact.boards}
        assert identity(state.board) in {identity(board) for board in exact.boards} or state.end


def test_the_same_seed_gives_the_same_boards(needs_kernels):
    events = [event for _, event in heard_by(WHITE, random_states(Kriegspiel(PNS06), 4, 60), PNS06)]

    def boards(seed):
        belief = SampledBelief.start(WHITE, PNS06, size=50, exact=200, seed=seed)
        for event in events:
            belief = belief.after(event)
        return belief.boards

    assert boards(1).items.tobytes() == boards(1).items.tobytes() != boards(2).items.tobytes()


def test_a_sample_is_right_on_average(needs_kernels):
    """Samples of 60 boards, over 40 seeds, against the exact posterior: the chance of an enemy on every square."""
    events = [event for _, event in heard_by(WHITE, random_states(Kriegspiel(PNS06), 5, 14), PNS06)]
    exact = ExactBelief.start(WHITE, PNS06)
    for event in events:
        exact = exact.after(event)
    estimates = []
    for seed in range(40):
        belief = SampledBelief.start(WHITE, PNS06, size=60, exact=60, seed=seed)
        for event in events:
            belief = belief.after(event)
        assert not belief.is_exact
        estimates.append(summary(belief.boards, WHITE).occupied)
    expected = np.array(summary(exact.boards, WHITE).occupied)
    error = np.abs(np.mean(estimates, axis=0) - expected)
    spread = np.std(estimates, axis=0) / np.sqrt(len(estimates))
    # Chance alone exceeds four standard errors once in ten thousand squares; samples this small have some bias too.
    assert (error < 4 * spread + 0.02).all()


@pytest.mark.parametrize("sizes", [{"exact": 10**5}, {"size": 8, "exact": 8}], ids=["exact", "sampled"])
def test_weights_stay_near_one(sizes, kernel):
    """However long a game is: here two kings walk around a wall, 150 moves each."""
    rules, first = replace(BERKELEY, ply_limit=600), read_fen("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w")
    belief, rng, count = SampledBelief.start(WHITE, rules, (first,), kernel=kernel, **sizes), Random(1), 0
    state = (game := Kriegspiel(rules, (first,))).start(first)
    while count < 150:
        kings = [move for move in state.board.legal_moves if move.target // 8 in (0, 1, 6, 7)]
        state = game.play(state, rng.choice(kings))
        belief = belief.after(state.events[-1].heard_by(WHITE, rules))
        count += state.board.turn is WHITE
        assert 0.5 <= belief.boards.weights.max() < 1
        assert belief.boards.effective <= len(belief.boards) + 1e-6
    assert belief.is_exact is ("size" not in sizes)
    assert identity(state.board) in map(identity, belief.boards) or not belief.is_exact


def test_a_belief_keeps_to_its_limit(kernel):
    game = Kriegspiel()
    state = game.play(game.start(START), read_uci("e2e4"))
    belief = SampledBelief.start(BLACK, WILD16, kernel=kernel)
    with pytest.raises(LimitReachedError):
        belief.after(state.events[0].heard_by(BLACK, WILD16), Limit(seconds=0))


@given(
    st.lists(st.floats(0.001, 1000), min_size=2, max_size=60),
    st.integers(1, 20),
    st.integers(0, 1000),
)
def test_drawn_has_the_size_asked_for_and_loses_nobody(weights, size, seed):
    size = min(size, len(weights) - 1)
    boards = replace(WeightedBoards.of([START] * len(weights), kernel=False), weights=np.array(weights))
    boards = replace(boards, stories=np.arange(len(weights), dtype=np.uint16).reshape(-1, 1))
    chosen, others = draw_sample(boards, size, np.random.default_rng(seed))
    assert abs(len(chosen) - size) <= 1
    assert sorted([*chosen.stories.ravel(), *others.stories.ravel()]) == list(range(len(weights)))


def test_drawn_weighs_what_it_stands_for():
    """The mean weight of each board over many draws, zero where it is not chosen, is its weight."""
    weights = np.array([1.0, 2.0, 4.0, 0.5, 40.0, 3.0, 0.1])
    tilts = np.array([1.0, 3.0, 0.2, 1.0, 1.0, 2.0, 5.0])
    boards = replace(WeightedBoards.of([START] * 7, kernel=False), weights=weights)
    boards = replace(boards, stories=np.arange(7, dtype=np.uint16).reshape(-1, 1))
    for lean in (None, tilts):
        sums = np.zeros(7)
        for seed in range(4000):
            chosen, _ = draw_sample(boards, 3, np.random.default_rng(seed), lean)
            sums[chosen.stories.ravel()] += chosen.weights
        assert sums / 4000 == pytest.approx(weights, rel=0.15)


# ---------------------------------------------------------------------- summaries and guesses


def test_summaries_agree(needs_kernels):
    game = Kriegspiel()
    *_, state = random_states(game, 7, 12)
    belief = ExactBelief.start(BLACK, WILD16)
    for event in game.observe(state, BLACK).events:
        belief = belief.after(event)
    ours = summary(belief.boards, BLACK)
    twin = summary(replace(WeightedBoards.of(list(belief.boards), kernel=False), weights=belief.boards.weights), BLACK)
    assert {piece: pytest.approx(chances) for piece, chances in twin.chances.items()} == ours.chances
    assert sum(ours.king) == pytest.approx(1)
    assert ours.boards == len(belief.boards)
    assert ours.counts["P"] <= 8 + 1e-9
    assert max(ours.occupied) <= 1 + 1e-9
    assert ours.likeliest(state.board.king(BLACK)) is None


def test_guesses_explain_what_was_refused(kernels):
    """After a rook's move was refused somebody stands in its way; a pawn's capture, nobody is there to be taken."""
    view = PlayerView.of(read_fen("4k3/8/8/8/8/8/PPPP4/4K2R w"), WHITE, pawn_tries=1)
    refused = frozenset(move for move in view.tries if uci(move) in ("h1h7", "a2b3", "d2c3"))
    for pawns_lost in (0, 7):  # many pieces or few
        known = LastMessage(replace(view, refused=refused), WILD16, Message(tries=1), pawns_lost, officers_lost=3)
        boards = list(known.draw_guesses(Random(0), 4))
        assert len(boards) == 4
        assert not any(board.is_legal(move) for board in boards for move in refused)
        assert [known.misses(board) for board in boards] == [0] * 4


def test_guesses_come_as_near_as_they_can(kernels, monkeypatch):
    """One king cannot be in the way of all that a king and a rook may try, but of more of it than by chance."""
    monkeypatch.setattr(kriegspiel_guess, "ATTEMPTS", 100)
    view = PlayerView.of(read_fen("8/8/8/6k1/8/8/8/K6R w"), WHITE)
    anything = LastMessage(view, WILD16, Message(tries=0), pawns_lost=8, officers_lost=7)
    nothing = replace(anything, view=replace(view, refused=frozenset(view.tries)))
    by_chance, nearest = (
        [nothing.misses(board) for board in one.draw_guesses(Random(0), 8)] for one in (anything, nothing)
    )
    assert 0 < max(nearest) < max(by_chance)
    assert sum(nearest) < sum(by_chance)


@pytest.mark.parametrize("fen", ["k7/pr6/8/8/8/8/8/KQ6 w", "1k2/p3/3P/K1R1 w"], ids=["8 by 8", "4 by 4"])
def test_guesses_are_of_the_men_that_the_game_began_with(fen, kernels):
    first = read_fen(fen)
    known = LastMessage.of(PlayerView.of(first, WHITE), WILD16, [], first)
    enemies = sorted(piece for _, piece in first.pieces_of(BLACK))
    boards = list(known.draw_guesses(Random(0), 5))
    assert len(boards) == 5
    assert all(sorted(piece for _, piece in board.pieces_of(BLACK)) == enemies for board in boards)


def test_guesses_fit_the_last_message():
    game, found = Kriegspiel(), 0
    for state in random_states(game, 8, 60):
        if state.end or state.board.turn is not WHITE or state.refused:
            continue
        events = game.observe(state, WHITE).events
        known = LastMessage.of(state.view(WHITE), WILD16, events)
        for board in known.draw_guesses(Random(0), 2):
            found += 1
            assert [piece if WHITE.owns(piece) else "." for piece in board.pieces] == list(state.view(WHITE).pieces)
            assert board.pieces.count("k") == 1
            assert not board.checkers(BLACK)
            assert checks(board, WILD16) == known.said.checks
            lost = 16 - sum(map(BLACK.owns, board.pieces))
            assert lost == 16 - sum(map(BLACK.owns, state.board.pieces))
            if pawn_tries(board, WILD16) == known.said.tries and known.said.taken is not None:
                assert BLACK.owns(board.pieces[known.said.taken])
    assert found > 10
