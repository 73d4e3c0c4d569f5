"""How good and how lucky: the names for what a decision cost, for a whole game, and for the luck of a roll."""

FINE = "fine"
PLAIN = "plain"

DECISION_GRADES = ((5.0, "howler"), (2.0, "blunder"), (1.0, "mistake"), (0.5, "inaccuracy"), (0.0, FINE))
"""From which loss on a decision has which name."""

GAME_RATINGS = (
    (80.0, "distracted"),
    (50.0, "beginner"),
    (30.0, "casual"),
    (18.0, "intermediate"),
    (10.0, "advanced"),
    (5.0, "expert"),
    (2.0, "world_class"),
    (0.5, "supernatural"),
    (0.0, "perfect"),
)
"""From how much lost in a game on a player has which class."""

STANDARD_TURN_POINTS = 248.44 / 15
"""What a turn brings on the standard sheet; for it the marks below were found."""

LUCKY_LIMITS = ((10.0, "very_lucky"), (5.0, "lucky"))
UNLUCKY_LIMITS = ((7.0, "very_unlucky"), (4.0, "unlucky"))
"""From how many points on a roll of the standard sheet is lucky or unlucky: luck is skewed, so are the marks."""

PERCENT_SCALE = 2.0
"""In games of rounds the marks are so many times as wide, in percentage points."""

LUCK_GRADES = (*(name for _, name in LUCKY_LIMITS), PLAIN, *(name for _, name in reversed(UNLUCKY_LIMITS)))


def grade_decision(loss: float) -> str:
    """Name what a decision cost."""
    return next(name for least, name in DECISION_GRADES if loss >= least or least == 0)


def rate_game(lost: float) -> str:
    """Name how well a whole game was played."""
    return next(name for least, name in GAME_RATINGS if lost >= least or least == 0)


def grade_luck(luck: float, scale: float) -> str:
    """Name the luck of a roll; the scale says how large a turn is beside one of the standard sheet."""
    marks = LUCKY_LIMITS if luck > 0 else UNLUCKY_LIMITS
    return next((name for least, name in marks if abs(luck) >= least * scale), PLAIN)


def compute_luck_scale(par: float, turns: int) -> float:
    """Say how large a turn of some rules is beside one of the standard sheet."""
    return par / max(turns, 1) / STANDARD_TURN_POINTS
