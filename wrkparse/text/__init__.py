"""Restores printed lines from prefixes, markup, notebooks and wrapping; reads shell commands; escapes text."""
