"""The version, which everything that writes it down imports from here."""

__version__ = "0.3.0"
