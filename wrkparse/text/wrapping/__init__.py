"""Undoes the wrapping of printed lines: prefixes, markup, notebooks, mail, columns."""
