"""How good and how lucky: the names for what a decision cost, for a whole game, and for the luck of a roll."""

FINE = "fine"
PLAIN = "plain"

DECISIONS = ((5.0, "howler"), (2.0, "blunder"), (1.0, "mistake"), (0.5, "inaccuracy"), (0.0, FINE))
"""From which loss on a decision has which name."""

CLASSES = (
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

TURN = 248.44 / 15
"""What a turn brings on the standard sheet; for it the marks below were found."""

GOOD = ((10.0, "very_lucky"), (5.0, "lucky"))
BAD = ((7.0, "very_unlucky"), (4.0, "unlucky"))
"""From how many points on a roll of the standard sheet is lucky or unlucky: luck is skewed, so are the marks."""

PERCENT = 2.0
"""In games of rounds the marks are so many times as wide, in percentage points."""

LUCKS = (*(name for _, name in GOOD), PLAIN, *(name for _, name in reversed(BAD)))


def decision_grade(loss: float) -> str:
    """Name what a decision cost."""
    return next(name for least, name in DECISIONS if loss >= least or least == 0)


def class_of(lost: float) -> str:
    """Name how well a whole game was played."""
    return next(name for least, name in CLASSES if lost >= least or least == 0)


def luck_grade(luck: float, scale: float) -> str:
    """Name the luck of a roll; the scale says how large a turn is beside one of the standard sheet."""
    marks = GOOD if luck > 0 else BAD
    return next((name for least, name in marks if abs(luck) >= least * scale), PLAIN)


def scale_of(par: float, turns: int) -> float:
    """Say how large a turn of some rules is beside one of the standard sheet."""
    return par / max(turns, 1) / TURN
