"""The documentation as a site: `make docs` builds it into build/docs, and a warning is an error."""

from __future__ import annotations

import re
from typing import Any

from docutils.nodes import Element, literal
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

import tjmj

project = "tjmj"
author = copyright = "The tjmj authors"
version = release = tjmj.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["pictures"]
default_role = "py:obj"
nitpicky = True
myst_heading_anchors = 3
add_module_names = False

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "none"
autodoc_class_signature = "mixed"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
napoleon_preprocess_types = True
# Types in docstrings that are words or shapes; names of classes are capitalized.
nitpick_ignore_regex = [("py:class", r"(?!tjmj\.)[^A-Z].*")]

html_theme = "furo"
html_title = "tjmj"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False

SPECIFICATION = re.compile(r"\s*\((spec:|tianjin|jintan,)[^)]*\)")
SELF = re.compile(r"^\(self(, )?")
C_TYPE = re.compile(r"(?<=[(\s])\w+ (?=\w)|(?<=\w) not None")
CHINESE_PAGE = ".zh-CN"


def readable(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Leave out which sections docstrings follow. A comment hides from napoleon that a text has a colon, not a type."""
    lines[:] = SPECIFICATION.sub("", "\n".join(lines)).split("\n")
    if what in ("attribute", "data", "property"):
        lines[:0] = ["..", ""]


def plain_signature(
    app: Sphinx, what: str, name: str, thing: object, options: object, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """Compiled functions have theirs in the docstring, as Cython writes it."""
    return signature and C_TYPE.sub("", SELF.sub("(", signature)), returns


def public_name(app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: Element) -> Element | None:
    """A name from inside the package is that of the public object that is called so; one in backticks may be code."""
    if node.get("refdomain") != "py":
        return None
    python: Any = env.get_domain("py")
    last = node["reftarget"].rpartition(".")[2]
    same = [name for name, entry in python.objects.items() if name.rpartition(".")[2] == last and not entry.aliased]
    if last[:1].isupper() and len(same) == 1:
        return python.resolve_xref(env, node["refdoc"], app.builder, node["reftype"], same[0], node, shown)
    return shown if node["reftype"] == "obj" and isinstance(shown, literal) else None


def mark_tests(app: Sphinx, doctree: Element) -> None:
    """Tests that hold a rule are shown smaller than the rule."""
    for code in doctree.findall(literal):
        if ".py::" in code.astext():
            code["classes"].append("test")


def language_of_page(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Browsers choose the form of Chinese characters by the language of a page."""
    if page.endswith(CHINESE_PAGE):
        context["language"] = "zh-CN"


def setup(app: Sphinx) -> None:
    app.connect("autodoc-process-docstring", readable, priority=1)
    app.connect("autodoc-process-signature", plain_signature)
    app.connect("missing-reference", public_name)
    app.connect("doctree-read", mark_tests)
    app.connect("html-page-context", language_of_page)
