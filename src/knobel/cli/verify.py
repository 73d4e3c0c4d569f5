"""`knobel verify`: whether records are true, what that proves, and what it does not."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from knobel.cli.parser import JSON, LANG, Argument, Command, Given
from knobel.cli.screen import say_json, say_paragraph
from knobel.errors import RecordDiceDiffer, RecordDiceMismatch
from knobel.fair import DUPLICATE_SCHEME
from knobel.lang import Translator, choose_language
from knobel.phrase import Phrase, phrase
from knobel.record.file import MAX_BYTES
from knobel.record.same_dice import find_other_dice
from knobel.record.verify import Verdict, verify
from knobel.rules.toml_file import display_name, read_bytes


def run(given: Given) -> None:
    """Verify a record, or several that should have had the same dice; one that fails is an error."""
    paths = [Path(name) for name in given.read_values("record")]
    words = Translator(choose_language(given.read_value("lang")))
    verdicts = {str(path): verify(read_bytes(path, MAX_BYTES), display_name(path)) for path in paths}
    others = find_other_dice(verdicts) if len(verdicts) > 1 else ()
    if given.has("json"):
        say_json(build_json_answer(verdicts, others, words))
    if why := next((verdict.why for verdict in verdicts.values() if verdict.why is not None), None):
        raise RecordDiceMismatch(why=why)
    if others:
        raise RecordDiceDiffer(names=others)
    if not given.has("json"):
        for sentence in describe_verdicts(tuple(verdicts.values())):
            say_paragraph(words.translate(sentence))


def describe_verdicts(verdicts: Sequence[Verdict]) -> Iterator[Phrase]:
    """Say what was verified; of several records, that they had the same dice."""
    if len(verdicts) == 1:
        yield from describe_verdict(verdicts[0])
        return
    yield phrase("interface.verify.same_dice", n=len(verdicts))
    yield from describe_proof(verdicts[0])


def build_json_answer(verdicts: Mapping[str, Verdict], others: Sequence[str], words: Translator) -> dict[str, object]:
    """Describe one verdict as JSON, or several together."""
    described = [build_json(verdict, words) for verdict in verdicts.values()]
    if len(described) == 1:
        return described[0]
    records = [{"record": name, **one} for name, one in zip(verdicts, described, strict=True)]
    return {"same_dice": not others, "other_dice": list(others), "records": records}


def describe_verdict(verdict: Verdict) -> Iterator[Phrase]:
    """Say what was verified, what it proves and what not."""
    header = verdict.header
    yield phrase("interface.verify.verified", title=header.edition.title, game=header.game)
    yield phrase("interface.verify.rolls", n=verdict.rolls) if verdict.rolls else phrase("interface.verify.nothing")
    if header.dice.scheme == DUPLICATE_SCHEME:
        yield phrase("interface.verify.duplicate")
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
        "scheme": header.dice.scheme,
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


COMMAND = Command("verify", (Argument("record", variadic=True),), (LANG, JSON), run)
