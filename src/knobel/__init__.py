"""Knobel: the dice games on everybody's kitchen table."""

__version__ = "0.1.0"
