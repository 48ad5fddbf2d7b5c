"""Lines as the tools printed them, out of prefixes, markup, notebooks and wrapping; shell commands; safe output."""
