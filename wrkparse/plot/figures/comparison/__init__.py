"""Figures of settings side by side."""
