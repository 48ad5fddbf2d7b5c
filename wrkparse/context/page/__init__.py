"""Which headings, titles, commands and settings hold at each line of a page."""
