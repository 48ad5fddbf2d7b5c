"""What stands around printed lines: prefixes, markup, notebooks, mail, columns."""
