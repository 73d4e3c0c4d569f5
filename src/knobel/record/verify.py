"""Verifies a record: the chain, every move, every seal and seed, every die of ours, and the digest."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from knobel import fair
from knobel.errors import (
    KnobelError,
    RecordChainBroken,
    RecordDigestMismatch,
    RecordIllegalEvent,
    RecordLineInvalid,
    RecordRulesInvalid,
    RecordSchemeUnknown,
    RecordUnfinished,
)
from knobel.phrase import Phrase, phrase
from knobel.record.events import Acted, Closed, Corrected, Drawn, Event, Header, Landed
from knobel.record.file import NAMES_DECODER, check_evening, check_rules, read_format, read_line, split_digest
from knobel.record.formats import RecordFormat
from knobel.record.replay import Replay
from knobel.rules.fields import abbreviate


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a record proves, or the first line of it that is wrong and why."""

    header: Header
    rolls: int = 0
    """Rolls of our dice that were drawn again and are the same."""
    real_rolls: int = 0
    """Rolls of real dice, or the last dice of turns: not ours."""
    entries_without_dice: int = 0
    """Scores that were entered without their dice."""
    against_rules: int = 0
    """Scores that were entered against the rules."""
    corrected_turns: int = 0
    """Turns of real dice that were corrected."""
    drawn: int | None = None
    """The seat that lots let start: drawn again, it is the same."""
    seeds: int = 0
    """Players whose sealed seed took part."""
    without_seed: int = 0
    """Players who sealed a seed and did not show it."""
    is_unfinished: bool = False
    head: str | None = None
    """The hash of the last line of the chain; format 1 has none."""
    dice_key: bytes | None = None
    """The key all rolls follow from, if the seeds are those that were promised."""
    line: int | None = None
    event: int | None = None
    why: Phrase | None = None

    def __repr__(self) -> str:
        return f"<Verdict verified: {self.rolls} rolls>" if self.is_verified else f"<Verdict wrong: line {self.line}>"

    @property
    def is_verified(self) -> bool:
        """Whether everything fits."""
        return self.why is None

    @property
    def is_seeded(self) -> bool:
        """Whether the dice follow from a typed seed: not fair play."""
        return self.header.dice.seed is not None


def verify(content: bytes, file: str) -> Verdict:
    """Verify a record from its bytes; one that cannot be read, or is not over yet, is an error."""
    lines, fits = split_digest(content, file)
    walk = RecordVerifier(lines, file)
    try:
        walk.run()
        if not fits:
            walk.line = len(lines) + 1
            raise RecordDigestMismatch(file=file)
    except KnobelError as error:
        return walk.build_verdict(error)
    if walk.closed is None:
        raise RecordUnfinished(file=file)
    return walk.build_verdict()


class RecordVerifier:
    """Reads the lines of a record in order and stops at the first that is wrong."""

    def __init__(self, lines: list[bytes], file: str) -> None:
        self.lines = lines
        self.file = file
        self.line = 1
        self.form = read_format(lines[0], file)
        self.header = read_header(self.form, lines[0], file)
        self.is_chained = self.form.is_chained
        self.first_event_line = self.form.first_event_line
        self.head = hashlib.sha256(lines[0]).hexdigest()
        self.replay: Replay | None = None
        self.closed = next((event for event in self.read_ahead() if isinstance(event, Closed)), None)
        self.dice_key: bytes | None = None
        self.rolls = self.real_rolls = self.entries_without_dice = self.against_rules = self.corrected_turns = 0

    def read_ahead(self) -> Iterator[Event]:
        """Read ahead, to find the seeds; `run` will complain about a line that is no event."""
        for number, line in enumerate(self.lines[self.first_event_line - 1 :], self.first_event_line):
            try:
                yield self.read_event(line, number)[1]
            except RecordLineInvalid:
                continue

    def read_event(self, line: bytes, number: int) -> tuple[str | None, Event]:
        """Read an event, and the hash of the line before it where there is a chain."""
        if not self.is_chained:
            return None, read_line(line, self.form.decode_event, self.file, number)
        return read_line(line, self.form.decode_link, self.file, number)

    def run(self) -> None:
        """Check all lines, up to the first that is wrong."""
        replay = self.replay = self.set_up()
        if self.is_chained:
            self.line = 2
            if len(self.lines) < 2 or len(read_line(self.lines[1], NAMES_DECODER.decode, self.file, 2).names) != len(
                replay.real_dice
            ):
                raise RecordLineInvalid(file=self.file, line=2)
        for number, line in enumerate(self.lines[self.first_event_line - 1 :], self.first_event_line):
            self.line = number
            after, event = self.read_event(line, number)
            if self.is_chained and after != self.head:
                raise RecordChainBroken(file=self.file, line=number)
            replay.apply_event(event)
            self.check_event(event, replay)
            self.head = hashlib.sha256(line).hexdigest()

    def set_up(self) -> Replay:
        """Check the header, and set up the game."""
        header = self.header
        check_evening(header, self.file)
        check_rules(header, self.file)
        if any(seat >= len(header.seats) for seat in header.dice.seals):
            raise self.build_error("errors.record_seal")
        typed, rules_hash = header.dice.seed, bytes.fromhex(header.fingerprint) if header.knobel > 1 else b""
        if typed is not None and header.game != fair.derive_game_seed(typed, header.evening.number, rules_hash)[1]:
            raise self.build_error("errors.record_seeded")
        try:
            return Replay(header, self.file)
        except KnobelError as error:
            raise RecordRulesInvalid(file=self.file, why=error.phrase) from None

    def check_event(self, event: Event, replay: Replay) -> None:
        """Check an event that the rules allow: its dice, or its seeds."""
        match event:
            case Landed(real=True):
                self.real_rolls += 1
            case Landed():
                self.check_dice(event, replay)
            case Drawn():
                self.check_lot(event, replay)
            case Acted(action=action):
                self.real_rolls += action[0] == "="
                self.entries_without_dice += "=" in action[1:]
                self.against_rules += action[0] == "~"
            case Corrected():
                self.corrected_turns += len(event.turns)
            case Closed():
                self.check_seeds(event, replay)

    def check_dice(self, event: Landed, replay: Replay) -> None:
        """Draw a roll again."""
        rules = replay.game.rules
        if (key := self.find_dice_key(replay)) is None:
            return
        scheme = self.header.dice.scheme
        values = fair.roll_by_scheme(scheme, key, event.seat, event.turn, event.roll, rules.dice, rules.faces)
        if event.dice != tuple(values[place] for place in event.positions):
            raise self.build_error("errors.record_dice")
        self.rolls += 1

    def check_lot(self, event: Drawn, replay: Replay) -> None:
        """Draw the lot for the start again."""
        if (key := self.find_dice_key(replay)) is None:
            return
        if event.seat != fair.draw_lot(key, len(self.header.seats)):
            raise self.build_error("errors.record_lot")

    def find_dice_key(self, replay: Replay) -> bytes | None:
        """Find the key of the dice; wrong seeds give none, and are reported at the line that shows them."""
        if self.closed is None or not self.matches_commitment(self.closed):
            return None
        if self.dice_key is None:
            seeds, header = self.closed.seeds, self.header
            clients = replay.attendance.client_seeds if self.is_chained else seeds.clients
            server, rules_hash = bytes.fromhex(seeds.server), bytes.fromhex(header.fingerprint)
            self.dice_key = fair.derive_dice_key(header.game, rules_hash, server, list(map(bytes.fromhex, clients)))
        return self.dice_key

    def check_seeds(self, event: Closed, replay: Replay) -> None:
        """Check that the seeds are those that were committed to, sealed or typed."""
        if not self.matches_commitment(event):
            raise self.build_error("errors.record_promise")
        if self.is_chained and event.seeds.clients != replay.attendance.client_seeds:
            raise self.build_error("rules.refusal.seed_wrong")
        typed = self.header.dice.seed
        if (
            typed is not None
            and event.seeds.server != fair.derive_game_seed(typed, self.header.evening.number)[0].hex()
        ):
            raise self.build_error("errors.record_seeded")

    def matches_commitment(self, event: Closed) -> bool:
        """Tell whether the server seed is the one of the commitment."""
        header, server = self.header, bytes.fromhex(event.seeds.server)
        return (
            fair.commit_server_seed(header.game, bytes.fromhex(header.fingerprint), server).hex()
            == header.dice.commitment
        )

    def build_error(self, key: str) -> RecordIllegalEvent:
        return RecordIllegalEvent(file=self.file, line=self.line, why=phrase(key))

    def build_verdict(self, error: KnobelError | None = None) -> Verdict:
        """Sum up what was found."""
        replay, number = self.replay, self.line - self.first_event_line + 1
        return Verdict(
            header=self.header,
            rolls=self.rolls,
            real_rolls=self.real_rolls,
            entries_without_dice=self.entries_without_dice,
            against_rules=self.against_rules,
            corrected_turns=self.corrected_turns,
            drawn=replay.drawn if replay else None,
            seeds=len(replay.attendance.seeds) if replay else 0,
            without_seed=len(replay.attendance.without_seed) if replay else 0,
            is_unfinished=self.closed is None,
            head=self.head if self.is_chained else None,
            dice_key=self.find_dice_key(replay) if replay else None,
            line=self.line if error else None,
            event=number if error and self.first_event_line <= self.line <= len(self.lines) else None,
            why=error.phrase if error else None,
        )


def read_header(form: RecordFormat, line: bytes, file: str) -> Header:
    """Read the first line; without it nothing can be said."""
    header = read_line(line, form.decode_header, file, 1)
    if header.dice.scheme not in fair.SCHEMES:
        raise RecordSchemeUnknown(file=file, value=abbreviate(header.dice.scheme), known=", ".join(fair.SCHEMES))
    return header
