"""Text as found to text as printed: prefixes, markup, notebooks, torn lines, shell commands; and text shown safely."""
