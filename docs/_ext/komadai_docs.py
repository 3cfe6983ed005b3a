"""Sphinx directives for the parts of the reference that are made from the program, and links to its names."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import generated
from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective


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
        "operations": generated.operations,
        "refusals": generated.refusals,
        "messages-sent": generated.messages_sent,
        "messages-received": generated.messages_received,
        "types": generated.types,
    }

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes(self.texts[self.arguments[0]](), allow_section_headings=True)


def resolve(app: Sphinx, env: BuildEnvironment, node: pending_xref, inner: nodes.TextElement) -> nodes.Node | None:
    """Link a name that is documented elsewhere than where it is defined; leave others as plain code.

    Annotations name the module a class is defined in, and the reference documents it where users import it from. What
    has no entry at all is private, an alias or of another library; only names under ``komadai`` that a text points to
    by a role must have one.
    """
    if node.get("refdomain") != "py":
        return None
    name = node["reftarget"].rpartition(".")[2]
    domain = env.domains.python_domain
    for full in (f"komadai.{name}", f"komadai.spec.{name}", *sorted(domain.objects)):
        if full in domain.objects and full.rpartition(".")[2] == name and domain.objects[full].objtype != "attribute":
            found: nodes.Node | None = domain.resolve_xref(
                env, node["refdoc"], app.builder, node["reftype"], full, pending_xref("", **node.attributes), inner
            )
            if found is not None:
                return found
    return inner if node.get("reftype") in ("class", "obj", "exc") else None


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("vocabulary", Vocabulary)
    app.add_directive("generated", Generated)
    app.connect("missing-reference", resolve)
    for language in ("kif", "csa", "usi"):
        app.add_lexer(language, TextLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
