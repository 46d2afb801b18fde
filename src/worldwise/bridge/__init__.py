"""Bridge: rules, files, layouts of the hidden hands, solvers, single suits, advice, players and views."""

from worldwise.lazy_exports import export

NAMES = {
    "advice.record": ("Advice",),
    "advice.advise": ("advise",),
    "advice.other_tables": ("FIELD", "OtherTable"),
    "files.any_format": ("read_boards", "write_boards"),
    "layouts.carding": ("Carding", "carding_weights"),
    "layouts.constraints": ("HandRange",),
    "layouts.drawing": ("draw_worlds",),
    "layouts.sampler": ("Layouts",),
    "rules.board": ("Board",),
    "rules.contract": ("Contract", "Strain", "Vulnerability"),
    "rules.deal": ("Deal", "Seat", "card_name", "read_card"),
    "rules.goal": ("Aim", "Goal"),
    "rules.play": ("Play", "Position"),
    "rules.view": ("View", "view_of"),
    "solvers.alphamu": ("BridgeAlphaMu",),
    "solvers.deal_game": ("DealGame",),
    "solvers.double_dummy": ("double_dummy",),
    "solvers.pimc": ("Pimc",),
    "suit.atlas.atlas": ("Atlas", "open_atlas"),
    "suit.rules": ("Suit", "SuitGame"),
    "suit.solver": ("SuitSolver",),
}
"""Where each public name is defined; ``__init__.pyi`` tells the same to type checkers."""

__all__, __getattr__, __dir__ = export(__name__, NAMES)
