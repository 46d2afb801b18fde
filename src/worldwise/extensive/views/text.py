"""Games in extensive form for a terminal: the tree, a line for every node, and tables.

::

    □ player  ◇ chance
    ◇
    ├── A (1/2) □ A
    │   ├─➤ left □ C {CD}
    │   │   ├─➤ left • -100

Squares are the first player's nodes, circles the second's, diamonds chance's, dots leaves. Braces hold a node's
information set, if it is not alone in it. An arrow leads where the player has chosen to go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from worldwise.core.game import CHANCE
from worldwise.core.solution import Prunings
from worldwise.extensive.views.words import (
    agents_words,
    belief_words,
    branch_word,
    chosen_children,
    count_word,
    exact_word,
    forgotten_words,
    move_words,
    payoff_words,
    player_word,
    set_word,
    verdict_words,
)
from worldwise.trees.views.outline import Outline
from worldwise.trees.views.results import SHOWN_MOVES
from worldwise.views.tables import plain_table
from worldwise.views.words import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from worldwise.core.solution import Profile
    from worldwise.extensive.game import ExtensiveGame
    from worldwise.extensive.judging import GameReport, JudgedSolution
    from worldwise.trees.views.outline import Styled

_SYMBOLS = {False: ("□", "○", "△", "◇", "•"), True: ("[]", "()", "/\\", "<>", ".")}
"""Of the first player, the second, all others, chance and leaves; Unicode or not."""


def game_text(
    game: ExtensiveGame,
    profile: Profile | None = None,
    *,
    most_nodes: int = 200,
    ascii: bool = False,  # noqa: A002
) -> Text:
    """The game for a terminal, and what a profile chooses; of a larger game, the nodes nearest to the root.

    >>> from worldwise.catalog import game
    >>> print(game_text(game("bmv96/fig-2-g2"), {1: 0, 2: 1, 3: 1}, ascii=True))
    [] player  <> chance
    <>
    |-- A (1/2) [] A
    |   |-> left [] C {CD}
    |   |   |-- left . -100
    |   |   `-> right . 1
    |   `-- right . 0
    `-- B (1/2) [] B
        |-- left [] D {CD}
        |   |-- left . 1
        |   `-> right . -100
        `-> right . 0
    """
    return _GameOutline(game, profile, most_nodes, ascii).text()


class _GameOutline(Outline):
    """The words of a game in extensive form."""

    def __init__(self, game: ExtensiveGame, profile: Profile | None, most_nodes: int, ascii_only: bool) -> None:
        super().__init__(game, chosen_children(game, profile), most_nodes, ascii_only)
        self.game = game

    def lines(self) -> Iterator[Text]:
        """First which symbol is whose."""
        yield Text("  ".join(self.key()), style="dim")
        yield from super().lines()

    def key(self) -> Iterator[str]:
        """The symbols, each with its player."""
        for player in range(len(self.game.players)):
            yield f"{self.symbol(player)} {self.clean(player_word(self.game, player))}"
        if any(event.player == CHANCE for event in self.game.events):
            yield f"{self.symbol(CHANCE)} chance"

    def symbol(self, player: int | None) -> str:
        """Whose node it is."""
        first, second, other, chance, leaf = _SYMBOLS[self.ascii_only]
        if player is None:
            return leaf
        return chance if player == CHANCE else (first, second)[player] if player < 2 else other

    def words(self, node: int) -> Iterator[Styled]:
        """The branch, whose node it is, its name and set; at the end the payoffs."""
        game, player = self.game, self.game.to_move(node)
        above, move = self.places[node]
        branch = self.clean(branch_word(game, above, move)) if node else ""
        name = self.clean(game.names.get(node, ""))
        yield " ".join(filter(None, [branch, self.symbol(player), name])), "bold" if node in self.chosen else ""
        if player is None:
            yield f" {', '.join(map(exact_word, game.payoffs(node)))}", "cyan"
        elif player != CHANCE:
            yield self.set_words(node, player, name), "dim"

    def set_words(self, node: int, player: int, name: str) -> str:
        """The node's information set; its owner, where the symbol does not tell."""
        number = self.game.information_set(node)
        label, own = self.clean(set_word(self.game, number)), len(self.game.nodes_of[number]) == 1
        owner = f" ({self.clean(player_word(self.game, player))})" if player >= 2 else ""
        if not own:
            return f"{owner} {{{label}}}"
        return owner if name else f"{owner} {label}"


# ---------------------------------------------------------------------- tables


def report_table(report: GameReport) -> Table:
    """How large a game is, of what kind, and who forgets what."""
    game, sizes, table = report.game, report.measures, plain_table()
    leaves, chances = _count(sizes.leaves, "leaf", "leaves"), _count(sizes.chance_nodes, "chance node")
    table.add_row("game", _plain(game.title or "untitled"))
    table.add_row("nodes", f"{sizes.nodes:,}, of these {leaves}, {chances}; depth {sizes.depth:,}")
    for player, words in enumerate(_player_words(report)):
        table.add_row("" if player else "players", _plain(words))
    if len(game.players) > 1:
        table.add_row("zero sum", "yes" if sizes.zero_sum else "no")
    table.add_row("information", "perfect" if sizes.perfect_information else "imperfect")
    table.add_row("recall", "perfect" if report.perfect_recall else "imperfect")
    for recall in report.forgetful:
        for witness in recall.kinds:
            table.add_row("forgotten", _plain(f"{witness.kind.value}: {forgotten_words(game, witness)}"))
        table.add_row("agents", _plain(agents_words(game, recall)))
    return table


def _player_words(report: GameReport) -> Iterator[str]:
    counts = zip(report.measures.information_sets, report.measures.pure_strategies, strict=True)
    for player, (sets, strategies) in enumerate(counts):
        plans = "1 pure strategy" if strategies == 1 else f"{count_word(strategies)} pure strategies"
        yield f"{player_word(report.game, player)}: {_count(sets, 'information set')}, {plans}"


def solution_table(result: JudgedSolution) -> Table:
    """One solution in full."""
    game, table = result.game, plain_table()
    table.add_row("algorithm", result.algorithm)
    if result.payoffs is not None:
        table.add_row("is worth", _plain(payoff_words(game, result.payoffs)))
    if result.believed is not None and result.believed != result.payoffs:
        table.add_row("believed", _plain(payoff_words(game, result.believed)))
        table.add_row("because", _plain(belief_words(result)))
    table.add_row("verdict", _plain(verdict_words(result)))
    for player, words in enumerate(_strategy_words(result)):
        table.add_row("" if player else "strategy", _plain(words))
    table.add_row("searched", searched_words(result))
    if not result.complete:
        table.add_row("", "cut short by the limit: the best so far")
    return table


def _strategy_words(result: JudgedSolution) -> Iterator[str]:
    """Each player's moves."""
    game = result.game
    if result.profile is None:
        return
    for player in range(len(game.players)):
        own = {number: result.profile[number] for number in game.information_sets(player) if number in result.profile}
        words = move_words(game, own, SHOWN_MOVES) or "no choice to make"
        words += " (--json has all)" if len(own) > SHOWN_MOVES else ""
        yield words if len(game.players) == 1 else f"{player_word(game, player)}: {words}"


def searched_words(result: JudgedSolution) -> str:
    """What a search looked at, and what it could leave out."""
    stats = result.stats
    if result.source:
        return f"the profile comes from {result.source}; found in {stats.seconds:.3g} s"
    if result.answer:
        return f"{stats.nodes:,} partial profiles, {stats.cuts:,} of them refuted, in {stats.seconds:.3g} s"
    if result.algorithm == "branch-and-bound":
        return f"{stats.nodes:,} nodes, {_count(stats.cuts, 'branch', 'branches')} cut, in {stats.seconds:.3g} s"
    if result.algorithm == "brute-force":
        return f"{_count(stats.nodes, 'strategy', 'strategies')} in {stats.seconds:.3g} s"
    words = f"{stats.leaves:,} of {_count(result.game.leaves, 'leaf', 'leaves')}"
    if isinstance(stats, Prunings) and result.algorithm == "imp-alpha-beta":
        words += f", {stats.immediate:,} immediate and {stats.information_set:,} information-set prunings"
    return f"{words} in {stats.seconds:.3g} s"


def _plain(words: str) -> Text:
    """Words that no terminal takes for orders, be they a game's names."""
    return Text(printable(words))


def _count(number: int, noun: str, nouns: str = "") -> str:
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"
