"""Restores printed lines from prefixes, markup, notebooks and wrapping; reads shell commands; escapes text.

Repetitions in regular expressions that could match a text in several ways have an upper bound, such as ``{0,9}``: so a
line takes linear time, whatever is in it (``tests/parse/test_linear.py``).
"""
