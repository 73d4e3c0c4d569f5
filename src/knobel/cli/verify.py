"""`knobel verify`: whether a record is true, what that proves, and what it does not."""

from collections.abc import Iterator
from pathlib import Path

from knobel.cli.parser import JSON, LANG, Argument, Command, Given
from knobel.cli.screen import say_json, say_paragraph
from knobel.errors import RecordDiceMismatch
from knobel.lang import Translator, choose_language
from knobel.phrase import Phrase, phrase
from knobel.record.file import MAX_BYTES
from knobel.record.verify import Verdict, verify
from knobel.rules.toml_file import display_name, read_bytes


def run(given: Given) -> None:
    """Verify a record; one that fails is an error."""
    path = Path(given.required("record"))
    words = Translator(choose_language(given.read_value("lang")))
    verdict = verify(read_bytes(path, MAX_BYTES), display_name(path))
    if given.has("json"):
        say_json(build_json(verdict, words))
    if verdict.why is not None:
        raise RecordDiceMismatch(why=verdict.why)
    if not given.has("json"):
        for sentence in describe_verdict(verdict):
            say_paragraph(words.translate(sentence))


def describe_verdict(verdict: Verdict) -> Iterator[Phrase]:
    """Say what was verified, what it proves and what not."""
    header = verdict.header
    yield phrase("interface.verify.verified", title=header.edition.title, game=header.game)
    yield phrase("interface.verify.rolls", n=verdict.rolls) if verdict.rolls else phrase("interface.verify.nothing")
    if verdict.drawn is not None:
        yield phrase("interface.verify.lot", seat=verdict.drawn + 1)
    if verdict.real_rolls:
        yield phrase("interface.verify.real", n=verdict.real_rolls)
    if verdict.entries_without_dice:
        yield phrase("interface.verify.noted", n=verdict.entries_without_dice)
    if verdict.against_rules:
        yield phrase("interface.replay.anyway", n=verdict.against_rules)
    if verdict.corrected_turns:
        yield phrase("interface.replay.corrected", n=verdict.corrected_turns)
    if verdict.seeds:
        yield phrase("interface.verify.seeds", n=verdict.seeds)
    if verdict.without_seed:
        yield phrase("interface.verify.without", n=verdict.without_seed)
    yield from describe_proof(verdict)
    if verdict.head:
        yield phrase("interface.verify.head", head=verdict.head)


def describe_proof(verdict: Verdict) -> Iterator[Phrase]:
    """Say what a true record proves about its dice, and what not."""
    if verdict.is_seeded:
        yield phrase("interface.verify.seeded")
    elif verdict.rolls:
        yield choose_claim(verdict)
        yield phrase("interface.verify.not_proved")


def choose_claim(verdict: Verdict) -> Phrase:
    """Say what the seeds prove: where one was left out, whoever left it out had a choice."""
    if verdict.without_seed:
        return phrase("interface.verify.left_out")
    return phrase("interface.verify.proves") if verdict.seeds else phrase("interface.verify.alone")


def build_json(verdict: Verdict, words: Translator) -> dict[str, object]:
    """Describe the verdict as JSON."""
    header = verdict.header
    return {
        "verified": verdict.is_verified,
        "game": header.game,
        "edition": header.edition.id,
        "lang": words.lang,
        "fingerprint": header.fingerprint,
        "rolls": verdict.rolls,
        "real": verdict.real_rolls,
        "noted": verdict.entries_without_dice,
        "anyway": verdict.against_rules,
        "corrected": verdict.corrected_turns,
        "drawn": None if verdict.drawn is None else verdict.drawn + 1,
        "seeds": verdict.seeds,
        "without": verdict.without_seed,
        "seeded": verdict.is_seeded,
        "unfinished": verdict.is_unfinished,
        "head": verdict.head,
        "line": verdict.line,
        "event": verdict.event,
        "why": words.translate(verdict.why) if verdict.why else None,
    }


COMMAND = Command("verify", (Argument("record"),), (LANG, JSON), run)
