"""What a room is told while the rules it plays by are worked out for a bot."""

from knobel.host.desk import Solving as Working
from knobel.lang import Words
from knobel.web.told import written
from knobel.web.wire import Solving


def solving_news(room: str, working: Working, lang: str) -> str:
    """Tell a client how far that is, that it is done, or why it cannot be done."""
    words = Words(lang)
    if working.error is not None:
        return written(Solving(room, None, refusal=words.error(working.error)))
    if working.done is None:
        return written(Solving(room, None))
    if working.waiting:
        return written(Solving(room, working.done, words("interface.solving.waiting")))
    return written(Solving(room, working.done, words("interface.solving.working", percent=round(100 * working.done))))
