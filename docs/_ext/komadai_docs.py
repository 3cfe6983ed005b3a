"""Sphinx directives for the parts of the reference that are made from the program, and links to its names."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import Any, ClassVar

import generated
from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.domains.python import PyObject, PythonDomain
from sphinx.environment import BuildEnvironment
from sphinx.search.en import SearchEnglish
from sphinx.util.docutils import SphinxDirective

from komadai.record import FORMATS

DECISION = re.compile(r"explanation/decisions/\d+-.*")


class Vocabulary(SphinxDirective):
    """Every class and function of a group of the vocabulary, each with an example.

    The body holds examples for what no game shows: a line ``NAME:`` and below it the example.
    """

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        parts = re.split(r"^(\w+):$", "\n".join(self.content), flags=re.MULTILINE)
        by_hand = {name: text.strip("\n") for name, text in zip(parts[1::2], parts[2::2], strict=True)}
        text = generated.vocabulary(self.arguments[0], by_hand)
        return self.parse_text_to_nodes(text, allow_section_headings=True)


class Generated(SphinxDirective):
    """Text of :mod:`generated` that takes no arguments."""

    required_arguments = 1
    texts: ClassVar = {
        "command-line": generated.command_line,
        "positions": generated.positions,
        "operations": generated.operations,
        "refusals": generated.refusals,
        "messages-sent": generated.messages_sent,
        "messages-received": generated.messages_received,
        "types": generated.types,
        "decisions": generated.decisions,
        "variant-file": generated.variant_file,
        "file-limits": generated.file_limits,
    }

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes(self.texts[self.arguments[0]](), allow_section_headings=True)


class Search(SearchEnglish):
    """Finds Japanese words too, which no spaces separate: a run of kana and kanji is indexed by its pairs of signs."""

    runs = r"[\u3005\u3040-\u30ff\u3400-\u9fff]+"
    js_splitter_code = f"""
var splitQuery = (query) =>
  query
    .replace(/{runs}/g, (run) => ` ${{[...run.slice(1)].map((sign, at) => run[at] + sign).join(" ") || run}} `)
    .split(/[^\\p{{Letter}}\\p{{Number}}_]+/u)
    .filter((word) => word);
"""

    def split(self, input: str) -> list[str]:
        def pairs(run: re.Match[str]) -> str:
            return f" {' '.join(map(''.join, pairwise(run[0]))) or run[0]} "

        return super().split(re.sub(self.runs, pairs, input))


@cache
def _by_name(domain: PythonDomain) -> dict[str, list[str]]:
    """The full names of all documented objects by their last part; the shortest, which users import, first."""
    found: dict[str, list[str]] = {}
    for full in sorted(domain.objects, key=lambda full: (len(full), full)):
        found.setdefault(full.rpartition(".")[2], []).append(full)
    return found


def leave_out_of_the_sidebar(app: Sphinx, doctree: nodes.document) -> None:
    """Let only the index of the decisions list them, or the sidebar of every page would hold them all."""
    if DECISION.fullmatch(app.env.docname):
        app.env.metadata[app.env.docname]["orphan"] = "true"


def resolve(app: Sphinx, env: BuildEnvironment, node: pending_xref, inner: nodes.TextElement) -> nodes.Node | None:
    """Link a name that is documented elsewhere than where it is defined; leave others as plain code.

    Annotations name the module a class is defined in; the reference documents it where users import it from. An
    annotation or a constant may lack an entry. A role in a text may not: it is left to Sphinx, which warns.
    """
    if node.get("refdomain") != "py":
        return None
    domain = env.domains.python_domain
    name = node["reftarget"].rpartition(".")[2]
    documented = [full for full in _by_name(domain).get(name, ()) if domain.objects[full].objtype != "attribute"]
    if documented:
        found: nodes.Node | None = domain.resolve_xref(
            env, node["refdoc"], app.builder, node["reftype"], documented[0], pending_xref("", **node.attributes), inner
        )
        if found is not None:
            return found
    return inner if node["reftype"] == "data" or not isinstance(inner, nodes.literal) else None


def drop_last_lines(app: Sphinx, doctree: nodes.document) -> None:
    """Take the empty line that ends a session, for ``doctest``, out of its listing."""
    for block in doctree.findall(nodes.literal_block):
        if block.rawsource == block.astext():
            block.rawsource = block.rawsource.rstrip("\n")
            block[:] = [nodes.Text(block.rawsource)]


def mend_page(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Remove the viewport that docutils adds to that of the theme, and give headings of lists of pages a level."""
    context["metatags"] = re.sub(r'<meta name="viewport"[^>]*>\n?', "", context.get("metatags", ""))
    for part in {"body", "furo_navigation_tree"} & context.keys():
        context[part] = context[part].replace(
            'class="caption" role="heading"', 'class="caption" role="heading" aria-level="2"'
        )


_COLON = "\ue000"


def hide_colon(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Keep napoleon from reading the first words of a property's docstring, up to a colon, as its type."""
    if what in ("attribute", "property") and lines:
        lines[0] = lines[0].replace(":", _COLON)


def show_colon(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Undo :func:`hide_colon`, once napoleon has seen the text."""
    lines[:] = [line.replace(_COLON, ":") for line in lines]


def setup(app: Sphinx) -> dict[str, Any]:
    for field in PyObject.doc_field_types:
        if field.name == "variable":
            field.label = "Attributes"
    app.setup_extension("komadai_figures")
    app.connect("autodoc-process-docstring", hide_colon, priority=100)
    app.connect("autodoc-process-docstring", show_colon, priority=900)
    app.add_directive("vocabulary", Vocabulary)
    app.add_directive("generated", Generated)
    app.add_search_language(Search)
    app.connect("missing-reference", resolve)
    app.connect("doctree-read", leave_out_of_the_sidebar)
    app.connect("doctree-read", drop_last_lines)
    app.connect("html-page-context", mend_page, priority=900)
    for form in set(FORMATS) - {"json", "text"}:
        app.add_lexer(form, TextLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
