"""The first page: what worldwise is, in one sentence and one picture, and a door for each kind of visitor."""

from __future__ import annotations

from worldwise.web.endpoint import Page

HOME = Page(
    path="/",
    title="What should I play?",
    about="The best move when part of the game is hidden: bridge suits, whole deals, kriegspiel, and research.",
    files="home",
    endpoints=(),
)
