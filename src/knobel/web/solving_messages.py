"""What a room is told while the rules it plays by are worked out for a bot."""

from knobel.host.session import SolveProgress as Working
from knobel.lang import Translator
from knobel.web.messages import encode_message
from knobel.web.wire import SolvingMessage


def encode_solving(room: str, progress: Working, lang: str) -> str:
    """Tell a client how far that is, that it is done, or why it cannot be done."""
    words = Translator(lang)
    if progress.error is not None:
        return encode_message(SolvingMessage(room, None, refusal=words.describe_error(progress.error)))
    if progress.fraction is None:
        return encode_message(SolvingMessage(room, None))
    if progress.is_queued:
        return encode_message(SolvingMessage(room, progress.fraction, words("interface.solving.waiting")))
    return encode_message(
        SolvingMessage(
            room, progress.fraction, words("interface.solving.working", percent=round(100 * progress.fraction))
        )
    )
