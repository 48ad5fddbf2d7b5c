"""Finds and opens sources, and reads them as blocks of whole lines."""
