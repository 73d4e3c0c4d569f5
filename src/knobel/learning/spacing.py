"""When a mistake is asked again: the schedule of the library fsrs, with what an answer cost as its rating."""

import json
from datetime import UTC, datetime

from fsrs import Card, Rating, Scheduler

from knobel.learning.generator import CLEAR_GAP, TEMPTING_GAP

SCHEDULER = Scheduler(enable_fuzzing=False)
"""Without fuzz the same answers give the same days on every machine."""


def start_card(at: float) -> str:
    """Start the schedule of a mistake: it may be asked at once."""
    return json.dumps(Card(card_id=0, due=read_moment(at)).to_dict())


def rate_loss(loss: float) -> Rating:
    """Rate an answer: as good as the best move, nearly so, or not."""
    if loss <= CLEAR_GAP:
        return Rating.Good
    return Rating.Hard if loss < TEMPTING_GAP else Rating.Again


def schedule(card: str, loss: float, at: float) -> tuple[str, float]:
    """Give the schedule after an answer that cost so much, and when to ask again."""
    after, _ = SCHEDULER.review_card(Card.from_dict(json.loads(card)), rate_loss(loss), read_moment(at))
    return json.dumps(after.to_dict()), after.due.timestamp()


def read_moment(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)
