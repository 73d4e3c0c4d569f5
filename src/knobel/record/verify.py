"""Verifies a record: the chain, every move, every seal and seed, every die of ours, and the digest."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from knobel import fair
from knobel.errors import (
    KnobelError,
    RecordChain,
    RecordEdited,
    RecordFormat,
    RecordIllegal,
    RecordLine,
    RecordRules,
    RecordScheme,
    RecordUnfinished,
)
from knobel.phrase import Phrase, phrase
from knobel.record.events import Acted, Closed, Corrected, Event, Header, Landed
from knobel.record.file import (
    EVENT,
    FORMAT,
    FORMATS,
    HEADER,
    LINK,
    NAMES,
    VERSION,
    check_evening,
    check_rules,
    read_line,
    torn_off,
)
from knobel.record.replay import LINES_BEFORE, Replay
from knobel.rules.fields import shown


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a record proves, or the first line of it that is wrong and why."""

    header: Header
    throws: int = 0
    """Throws of ours that were drawn again and are the same."""
    real: int = 0
    """Throws of real dice, or the last dice of turns: not ours."""
    noted: int = 0
    """Entries that were noted without their dice."""
    anyway: int = 0
    """Entries that the table played although the rules forbid it."""
    corrected: int = 0
    """Turns of real dice that were corrected."""
    seeds: int = 0
    """Players whose sealed seed took part."""
    without: int = 0
    """Players who sealed a seed and did not show it."""
    unfinished: bool = False
    head: str | None = None
    """The hash of the last line of the chain; format 1 has none."""
    line: int | None = None
    event: int | None = None
    why: Phrase | None = None

    @property
    def verified(self) -> bool:
        """Whether everything fits."""
        return self.why is None

    @property
    def seeded(self) -> bool:
        """Whether the dice follow from a seed somebody typed: not fair play."""
        return self.header.dice.seed is not None


def verify(content: bytes, file: str) -> Verdict:
    """Verify a record from its bytes; one that cannot be read, or is not over yet, is an error."""
    lines, fits = torn_off(content, file)
    walk = Walk(lines, file)
    try:
        walk.through()
        if not fits:
            walk.line = len(lines) + 1
            raise RecordEdited(file=file)
    except KnobelError as error:
        return walk.verdict(error)
    if walk.closed is None:
        raise RecordUnfinished(file=file)
    return walk.verdict()


class Walk:
    """A walk through the lines of a record, in their order; it stops at the first that is wrong."""

    def __init__(self, lines: list[bytes], file: str) -> None:
        self.lines = lines
        self.file = file
        self.line = 1
        self.header = read_header(lines[0], file)
        self.chained = self.header.knobel > 1
        self.begin = LINES_BEFORE[self.header.knobel]
        self.head = hashlib.sha256(lines[0]).hexdigest()
        self.replay: Replay | None = None
        self.closed = next((event for event in self.readable() if isinstance(event, Closed)), None)
        self.key: bytes | None = None
        self.throws = self.real = self.noted = self.anyway = self.corrected = 0

    def readable(self) -> Iterator[Event]:
        """Read ahead, to find the seeds; a line that is no event is left for the walk."""
        for number, line in enumerate(self.lines[self.begin - 1 :], self.begin):
            try:
                yield self.read(line, number)[1]
            except RecordLine:
                continue

    def read(self, line: bytes, number: int) -> tuple[str | None, Event]:
        """Read an event, and the hash of the line before it where there is a chain."""
        if not self.chained:
            return None, read_line(line, EVENT, self.file, number)
        link = read_line(line, LINK, self.file, number)
        return link.after, link.event

    def through(self) -> None:
        """Go through all lines, or as far as the first that is wrong."""
        replay = self.replay = self.opened()
        if self.chained:
            self.line = 2
            if len(self.lines) < 2 or len(read_line(self.lines[1], NAMES, self.file, 2).names) != len(replay.own):
                raise RecordLine(file=self.file, line=2)
        for number, line in enumerate(self.lines[self.begin - 1 :], self.begin):
            self.line = number
            after, event = self.read(line, number)
            if self.chained and after != self.head:
                raise RecordChain(file=self.file, line=number)
            replay.then(event)
            self.check(event, replay)
            self.head = hashlib.sha256(line).hexdigest()

    def opened(self) -> Replay:
        """Check what was agreed, and set up the game."""
        header = self.header
        check_evening(header, self.file)
        check_rules(header, self.file)
        if any(seat >= len(header.seats) for seat in header.dice.seals):
            raise self.wrong("errors.record_seal")
        typed, rules_hash = header.dice.seed, bytes.fromhex(header.fingerprint) if header.knobel > 1 else b""
        if typed is not None and header.game != fair.seeded(typed, header.evening.number, rules_hash)[1]:
            raise self.wrong("errors.record_seeded")
        try:
            return Replay(header, self.file)
        except KnobelError as error:
            raise RecordRules(file=self.file, why=error.phrase) from None

    def check(self, event: Event, replay: Replay) -> None:
        """Check an event that the rules allow: its dice, or its seeds."""
        match event:
            case Landed(own=True):
                self.real += 1
            case Landed():
                self.check_dice(event, replay)
            case Acted(action=action):
                self.real += action[0] == "="
                self.noted += "=" in action[1:]
                self.anyway += action[0] == "~"
            case Corrected():
                self.corrected += len(event.turns)
            case Closed():
                self.check_seeds(event, replay)

    def check_dice(self, event: Landed, replay: Replay) -> None:
        """Draw a throw again; if the seeds are not those that were promised, that is for their own line to say."""
        if self.closed is None or not self.promised(self.closed):
            return
        header, rules = self.header, replay.game.rules
        if self.key is None:
            clients = map(bytes.fromhex, replay.clients if self.chained else self.closed.seeds.clients)
            server, rules_hash = bytes.fromhex(self.closed.seeds.server), bytes.fromhex(header.fingerprint)
            self.key = fair.key(header.game, rules_hash, server, list(clients))
        values = fair.throw(self.key, event.seat, event.turn, event.throw, rules.dice, rules.faces)
        if event.dice != tuple(values[place] for place in event.positions):
            raise self.wrong("errors.record_dice")
        self.throws += 1

    def check_seeds(self, event: Closed, replay: Replay) -> None:
        """Check that the seeds are those that were promised, sealed or typed."""
        if not self.promised(event):
            raise self.wrong("errors.record_promise")
        if self.chained and event.seeds.clients != replay.clients:
            raise self.wrong("rules.refusal.seed_wrong")
        typed = self.header.dice.seed
        if typed is not None and event.seeds.server != fair.seeded(typed, self.header.evening.number)[0].hex():
            raise self.wrong("errors.record_seeded")

    def promised(self, event: Closed) -> bool:
        """Tell whether the server seed is the one of the commitment."""
        header, server = self.header, bytes.fromhex(event.seeds.server)
        return fair.commitment(header.game, bytes.fromhex(header.fingerprint), server).hex() == header.dice.commitment

    def wrong(self, key: str) -> RecordIllegal:
        """Say what is wrong with this line."""
        return RecordIllegal(file=self.file, line=self.line, why=phrase(key))

    def verdict(self, error: KnobelError | None = None) -> Verdict:
        """Say what was found: all is well, or the first line is not."""
        replay, number = self.replay, self.line - self.begin + 1
        return Verdict(
            header=self.header,
            throws=self.throws,
            real=self.real,
            noted=self.noted,
            anyway=self.anyway,
            corrected=self.corrected,
            seeds=len(replay.seeds) if replay else 0,
            without=len(replay.without) if replay else 0,
            unfinished=self.closed is None,
            head=self.head if self.chained else None,
            line=self.line if error else None,
            event=number if error and self.begin <= self.line <= len(self.lines) else None,
            why=error.phrase if error else None,
        )


def read_header(line: bytes, file: str) -> Header:
    """Read the first line; without it nothing can be said."""
    if (version := read_line(line, VERSION, file, 1).knobel) not in FORMATS:
        raise RecordFormat(file=file, version=version, known=FORMAT)
    header = read_line(line, HEADER, file, 1)
    if header.dice.scheme != fair.SCHEME:
        raise RecordScheme(file=file, value=shown(header.dice.scheme), known=fair.SCHEME)
    return header
