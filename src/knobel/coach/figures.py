"""How the coach formats its numbers, in sentences and in tables."""

from knobel.phrase import FormattedNumber

NOTICEABLE_CHANCE = 0.02
"""A chance that differs by less is not worth mentioning."""


def format_number(value: float, digits: int = 2) -> FormattedNumber:
    """Format a number, without decimals if it is whole."""
    value = round(value, digits) + 0.0
    return FormattedNumber(value, 0 if value == int(value) else digits)


def format_signed(value: float) -> FormattedNumber:
    return FormattedNumber(value, 2, signed=True)


def format_points(points: float) -> FormattedNumber:
    return FormattedNumber(points, 1)


def format_percents(played: float, best: float) -> tuple[FormattedNumber, FormattedNumber]:
    """Format two chances as percentages, with as many digits as it takes to tell them apart."""
    digits = 0 if abs(best - played) >= NOTICEABLE_CHANCE else 1
    return FormattedNumber(100 * played, digits), FormattedNumber(100 * best, digits)
