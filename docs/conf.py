"""Sphinx configuration of the documentation; ``make docs`` builds it with warnings as errors."""

from __future__ import annotations

import sys
from pathlib import Path

import komadai

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "Komadai"
author = "The Komadai developers"
copyright = author  # Sphinx's own name for it
version = release = komadai.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "komadai_docs",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_ext"]
nitpicky = True

myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_preprocess_types = False

html_theme = "furo"
html_title = "Komadai"
html_static_path = ["_static"]
html_css_files = ["komadai.css"]
html_show_sphinx = False
html_copy_source = False
html_search_scorer = str(Path(__file__).parent / "_ext/search_scorer.js")
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#8a4b12", "color-brand-content": "#8a4b12"},
    "dark_css_variables": {"color-brand-primary": "#e0a860", "color-brand-content": "#e0a860"},
}
