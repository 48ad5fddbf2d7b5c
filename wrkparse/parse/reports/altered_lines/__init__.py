"""Reads reports whose lines were altered after the tool printed them: wrapped, filled, named, or set side by side."""
