# SPDX-License-Identifier: BSD-3-Clause
"""How the documentation is built: ``make docs``. Nothing is fetched while building."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import labelsift  # noqa: E402
from generators.board import read_summary  # noqa: E402
from generators.leaderboard import method_section  # noqa: E402
from generators.pages import write_pages  # noqa: E402

project = "labelsift"
author = copyright = "The labelsift developers"
version = release = labelsift.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "generators.docstrings",
    "generators.mathml",
]
exclude_patterns = ["_build", "_templates", "results", "generators"]
nitpicky = True
highlight_language = "none"  # a block says its language or is plain text
# Other projects' names are written as names; nothing is fetched to link them.
nitpick_ignore_regex = [
    ("py:.*", r"(sklearn|numpy|scipy|matplotlib)\..*"),
]

myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
templates_path = ["_templates"]
autosummary_ignore_module_all = False  # what a package exports, wherever it is defined
# Class name -> page of the method, for a link from its reference.
autosummary_context = {
    "guides": {
        page.read_text().partition("\n")[0].removeprefix("# "): page.stem
        for page in sorted((HERE / "methods").glob("*.md"))
    }
}
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
add_module_names = False
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "labelsift"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_css_files = ["labelsift.css"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {
        "font-stack": "system-ui, sans-serif",
        "font-stack--monospace": "ui-monospace, monospace",
        "color-brand-primary": "#8a3342",
        "color-brand-content": "#8a3342",
    },
    "dark_css_variables": {
        "color-brand-primary": "#f0a3ae",
        "color-brand-content": "#f0a3ae",
    },
}

sphinx_gallery_conf = {
    "examples_dirs": str(HERE.parent / "examples"),
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_memory": False,
    "capture_repr": (),
    "remove_config_comments": True,
    "abort_on_example_error": True,
    "show_signature": False,
    # Its page of times would fetch scripts from the network.
    "write_computation_times": False,
}


def setup(app):
    """Generate pages before the others are read."""
    summary = read_summary()

    def add_place(app, page, source):
        """A page of a method ends with its place on the leaderboard."""
        folder, _, name = page.rpartition("/")
        if folder == "methods":
            source[0] += method_section(summary, name)

    app.connect("builder-inited", lambda app: write_pages())
    app.connect("source-read", add_place)
