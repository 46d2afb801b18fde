"""How Sphinx builds these pages: ``make docs``. Nothing here needs the network."""

from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "worldwise"
author = "The worldwise authors"
copyright = author
version = release = installed_version("worldwise")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"worldwise {release}"
html_copy_source = False
html_show_sphinx = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}
autodoc_type_aliases = {"AnyWorldGame": "AnyWorldGame", "AnyScale": "AnyScale"}
add_module_names = False
python_use_unqualified_type_names = True
# Two games have a Board each; signatures name them without their module.
suppress_warnings = ["ref.python"]


def trim_fences(app: "Sphinx", name: str, source: list[str]) -> None:  # noqa: ARG001
    """Doctest needs an empty line before a closing fence; readers do not."""
    source[0] = source[0].replace("\n\n```\n", "\n```\n")


def setup(app: "Sphinx") -> None:
    app.connect("source-read", trim_fences)
