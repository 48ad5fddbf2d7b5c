"""The settings of Sphinx: MyST reads the Markdown, Furo is the theme. Nothing is loaded from another host."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from wrkparse import __version__

project = "wrkparse"
version = release = __version__
language = "en"
smartquotes = False  # quotes and dashes are written as they are meant
extensions = ["myst_parser"]

myst_heading_anchors = 4  # headings get the anchors that they have on GitHub
myst_enable_extensions = ["attrs_inline"]

html_theme = "furo"
html_title = f"wrkparse {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {"top_of_page_buttons": []}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
