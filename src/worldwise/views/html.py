"""A page that stands alone: HTML with its style inside, for light and dark screens."""

from __future__ import annotations

from html import escape

from worldwise.core.reading import show_controls


def page_html(title: str, body: str, style: str = "") -> str:
    r"""A whole page; ``style`` is added to what every page has. HTML has no control characters: they are written out.

    >>> page_html("Boards & hands", "<p>None.</p>").splitlines()[6]
    '<title>Boards &amp; hands</title>'
    >>> print(page_html("Boards", "<p>\x1b[31m</p>").splitlines()[-4])
    <p>\x1b[31m</p>
    """
    return show_controls(_PAGE.format(title=escape(title), style=_STYLE + style, body=body))


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""

_STYLE = """
:root { --ink: #1a1a1a; --paper: #fff; --faint: #666; --line: #d5d5d5;
  --holds: #00664a; --fails: #a33a00; --open: #6b5500; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --paper: #16181b; --faint: #a0a0a0; --line: #3a3d42;
  --holds: #4cc9a0; --fails: #ff9a5c; --open: #e6c34a; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1, h2 { line-height: 1.2; overflow-wrap: anywhere; }
section { border-top: 1px solid var(--line); margin-top: 2rem; }
a { color: inherit; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--faint); }
th, td { text-align: left; padding: .25rem .7rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
li { margin-bottom: .5rem; }
figure { margin: 1rem 0; overflow-x: auto; }
"""
