"""Figures that compare settings."""
