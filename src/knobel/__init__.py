"""Knobel: the dice games on everybody's kitchen table."""

__version__ = "1.0.0"
