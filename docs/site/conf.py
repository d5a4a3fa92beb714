"""Sphinx's settings for the site. scripts/site puts the sources together and calls sphinx-build."""
project = "carom"
author = copyright = "The carom authors"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = []
html_theme = "furo"
html_title = "carom"
html_static_path = ["_static"]
html_css_files = ["carom.css"]
html_copy_source = False
html_show_sphinx = False
html_use_index = False
templates_path = []
myst_heading_anchors = 4
# styles whose colours all have a contrast of 4.5 with their ground
pygments_style = "xcode"
pygments_dark_style = "github-dark"
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5f8b", "color-brand-content": "#1f5f8b"},
    "dark_css_variables": {"color-brand-primary": "#7fb8de", "color-brand-content": "#7fb8de"},
    "footer_icons": [],
}
