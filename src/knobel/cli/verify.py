"""`knobel verify`: whether a record is true, what that proves, and what it does not."""

from collections.abc import Iterator
from pathlib import Path

from knobel.cli.line import JSON, LANG, Argument, Command, Given
from knobel.cli.screen import paragraph, say_json
from knobel.errors import RecordMismatch
from knobel.lang import Words, language
from knobel.phrase import Phrase, phrase
from knobel.record.file import MOST_BYTES
from knobel.record.verify import Verdict, verify
from knobel.rules.limits import file_name, read_bytes


def run(given: Given) -> None:
    """Verify a record; one that is not true is an error, said in one line."""
    path = Path(given.the("record"))
    words = Words(language(given.word("lang")))
    verdict = verify(read_bytes(path, MOST_BYTES), file_name(path))
    if given.flag("json"):
        say_json(form(verdict, words))
    if verdict.why is not None:
        raise RecordMismatch(why=verdict.why)
    if not given.flag("json"):
        for sentence in told(verdict):
            paragraph(words.say(sentence))


def told(verdict: Verdict) -> Iterator[Phrase]:
    """Say what was verified, what it proves and what not."""
    header = verdict.header
    yield phrase("interface.verify.verified", title=header.edition.title, game=header.game)
    yield phrase("interface.verify.throws", n=verdict.throws) if verdict.throws else phrase("interface.verify.nothing")
    if verdict.real:
        yield phrase("interface.verify.real", n=verdict.real)
    if verdict.noted:
        yield phrase("interface.verify.noted", n=verdict.noted)
    if verdict.anyway:
        yield phrase("interface.replay.anyway", n=verdict.anyway)
    if verdict.corrected:
        yield phrase("interface.replay.corrected", n=verdict.corrected)
    if verdict.seeds:
        yield phrase("interface.verify.seeds", n=verdict.seeds)
    if verdict.without:
        yield phrase("interface.verify.without", n=verdict.without)
    yield from proved(verdict)
    if verdict.head:
        yield phrase("interface.verify.head", head=verdict.head)


def proved(verdict: Verdict) -> Iterator[Phrase]:
    """Say what a true record proves about its dice, and what not."""
    if verdict.seeded:
        yield phrase("interface.verify.seeded")
    elif verdict.throws:
        yield phrase("interface.verify.proves" if verdict.seeds else "interface.verify.alone")
        yield phrase("interface.verify.not_proved")


def form(verdict: Verdict, words: Words) -> dict[str, object]:
    """Write the verdict for machines."""
    header = verdict.header
    return {
        "verified": verdict.verified,
        "game": header.game,
        "edition": header.edition.id,
        "lang": words.lang,
        "fingerprint": header.fingerprint,
        "throws": verdict.throws,
        "real": verdict.real,
        "noted": verdict.noted,
        "anyway": verdict.anyway,
        "corrected": verdict.corrected,
        "seeds": verdict.seeds,
        "without": verdict.without,
        "seeded": verdict.seeded,
        "unfinished": verdict.unfinished,
        "head": verdict.head,
        "line": verdict.line,
        "event": verdict.event,
        "why": words.say(verdict.why) if verdict.why else None,
    }


COMMAND = Command("verify", (Argument("record"),), (LANG, JSON), run)
