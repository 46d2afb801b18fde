"""What comes with the package, by name: the papers' figures and games, lesson deals, problems, facts about suits.

One list feeds tests, documentation and command line. Whatever is asked for by its name is read alone.
"""

from worldwise.lazy_exports import export

NAMES = {
    "advice_problems": ("Problem", "problems"),
    "drill_questions": ("drill_entries",),
    "extensive": ("game", "game_names", "games"),
    "lesson_deals": ("LessonDeal", "deal", "deal_names", "deals"),
    "suits": ("SuitFact", "suit_combinations", "suit_facts"),
    "trees": ("Figure", "FigureAnswer", "digits", "figure", "figure_names", "figures", "tree"),
}
"""Where each public name is defined; ``__init__.pyi`` tells the same to type checkers."""

__all__, __getattr__, __dir__ = export(__name__, NAMES)
