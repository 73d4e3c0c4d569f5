"""The names for what a decision cost, and for the luck of a roll."""

FINE = "fine"
PLAIN = "plain"

DECISION_GRADES = ((5.0, "howler"), (2.0, "blunder"), (1.0, "mistake"), (0.5, "inaccuracy"), (0.0, FINE))
"""The least loss of each grade, in points."""

STANDARD_PAR = 248.44
STANDARD_TURN_POINTS = STANDARD_PAR / 15
"""The expected score of a turn on the standard sheet, for which the limits below were found."""

LUCKY_LIMITS = ((10.0, "very_lucky"), (5.0, "lucky"))
UNLUCKY_LIMITS = ((7.0, "very_unlucky"), (4.0, "unlucky"))
"""The least luck of each grade on the standard sheet; luck is skewed, so the limits are not symmetric."""

PERCENT_SCALE = 2.0
"""How much wider the limits are in games of rounds, in percentage points."""

LUCK_GRADES = (*(name for _, name in LUCKY_LIMITS), PLAIN, *(name for _, name in reversed(UNLUCKY_LIMITS)))


def grade_decision(loss: float) -> str:
    return next(name for least, name in DECISION_GRADES if loss >= least or least == 0)


def grade_luck(luck: float, scale: float) -> str:
    """Grade the luck of a roll; the scale compares a turn with one of the standard sheet."""
    limits = LUCKY_LIMITS if luck > 0 else UNLUCKY_LIMITS
    return next((name for least, name in limits if abs(luck) >= least * scale), PLAIN)


def compute_luck_scale(par: float, turns: int) -> float:
    """Compare what a turn is worth by some rules with one of the standard sheet."""
    return par / max(turns, 1) / STANDARD_TURN_POINTS
