"""The one place that wires: opens tables, seats people and bots, lets bots move, keeps records."""

import contextlib
import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import platformdirs
from msgspec.structs import replace

from knobel import fair
from knobel.bots import bot
from knobel.errors import GameFinished, KnobelError, NothingToResume
from knobel.game import CHANCE
from knobel.record.events import Box, Dice, Evening, Header, Record, Seat, Seeds
from knobel.record.file import FORMAT, SUFFIX, load, save
from knobel.rules import Edition
from knobel.rules.edition import LANGUAGES
from knobel.rules.fields import clean
from knobel.rules.rounds import RoundRules
from knobel.rules.ruleset import SheetRules
from knobel.table import Table

FOLDER = "games"


@dataclass(frozen=True, slots=True)
class Agreed:
    """What the players agreed on before the first throw."""

    edition: Edition
    text: str
    switches: dict[str, str]
    seats: tuple[Seat, ...]
    games: int = 1
    seed: str | None = None
    resolved: bool = False


def open_table(agreed: Agreed, evening: Evening | None = None, first: int | None = None) -> Table:
    """Open a table for the next game of an evening."""
    rules, boxes = rules_of(agreed)
    evening = evening or Evening(agreed.games, 1)
    seeds, game = drawn(agreed.seed, evening.number)
    limits, seats = rules.players, len(agreed.seats)
    promise = fair.commitment(game, bytes.fromhex(rules.fingerprint), bytes.fromhex(seeds.server))
    header = Header(
        knobel=FORMAT,
        game=game,
        edition=spoken(agreed.edition, boxes),
        text=agreed.text,
        switches=agreed.switches,
        fingerprint=rules.fingerprint,
        seats=agreed.seats,
        first=first,
        practice=seats < limits.least or (limits.most is not None and seats > limits.most),
        dice=Dice(fair.SCHEME, promise.hex(), agreed.seed),
        evening=evening,
        rules=rules.form,
    )
    return Table(header, seeds)


def rules_of(agreed: Agreed) -> tuple[SheetRules | RoundRules, list[str]]:
    """Resolve the rules that were agreed, and list the boxes they have."""
    edition = agreed.edition
    text, switches = (None, {}) if agreed.resolved else (agreed.text, agreed.switches)
    if edition.family == "sheet":
        rules = edition.rules(text, switches)
        return rules, [box.id for box in rules.boxes]
    return edition.round_rules(text, switches), []


def drawn(seed: str | None, number: int) -> tuple[Seeds, str]:
    """Draw the seeds of a game and its name; a given seed makes both repeatable."""
    if seed is None:
        return Seeds(secrets.token_hex(fair.SEED_BYTES), (secrets.token_hex(fair.SEED_BYTES),)), secrets.token_hex(8)
    root = hashlib.sha256(f"{seed}/{number}".encode()).digest()
    return Seeds(root.hex()), hashlib.sha256(root).hexdigest()[:16]


def spoken(edition: Edition, boxes: Iterable[str]) -> Box:
    """Note what is needed to speak about the box, even if its file should be gone."""
    names = {box: edition.names(box) for box in boxes if edition.names(box)}
    return Box(edition.id, edition.title, edition.publisher, edition.base, names)


def edition_of(header: Header) -> Edition:
    """Give the box of a record, to speak about it."""
    box = header.edition
    return Edition(
        id=box.id,
        title=box.title,
        publisher=box.publisher,
        printed=LANGUAGES,
        default_text=header.text,
        table={**header.rules, **({"boxes": named(header)} if "boxes" in header.rules else {})},
        base=box.base,
    )


def named(header: Header) -> dict[str, object]:
    """Put the names of a house rule beside its boxes again."""
    boxes = header.rules.get("boxes")
    names = header.edition.names
    return {
        box: {**settings, **({"names": names[box]} if box in names else {})}
        for box, settings in (boxes.items() if isinstance(boxes, dict) else ())
    }


def agreed_again(header: Header) -> Agreed:
    """Find out from a record what was agreed for the evening."""
    games, seed = header.evening.games, header.dice.seed
    return Agreed(edition_of(header), header.text, header.switches, header.seats, games, seed, resolved=True)


def family_of(header: Header) -> str:
    """Say which family of games a record is of."""
    return str(header.rules.get("game", "sheet"))


def bots_chance(header: Header) -> Random:
    """Give bots something to break ties with; the dice of the game never come from it."""
    return Random(header.dice.seed)  # noqa: S311


def bot_step(table: Table, random: Random) -> None:
    """Let the bot whose turn it is do one thing."""
    seat = table.state.seat
    header = table.header
    name = header.seats[seat].bot if seat is not None else None
    if seat is None or name is None:
        raise ValueError(seat)
    table.apply(table.decide(seat, bot(name, family_of(header))(table.game, table.state, random)))


def keep(table: Table, path: Path | None = None) -> Path:
    """Keep the record; while the game goes on it holds its own seeds, so that it can go on later."""
    header = table.header
    place = path or games_folder() / f"{header.game}-{header.fingerprint[:8]}{SUFFIX}"
    record = table.record
    if not record.closed:
        record = Record(with_secret(record.header, table.seeds), record.events)
    save(record, place)
    return place


def with_secret(header: Header, seeds: Seeds) -> Header:
    """Put the seeds into the header of an unfinished game."""
    return replace(header, dice=replace(header.dice, secret=seeds))


def resume(path: Path | None = None) -> tuple[Table, Path]:
    """Open a kept game again: the one named, else the last one that is not over."""
    place = path or last_unfinished()
    record = load(place)
    secret = record.header.dice.secret
    file = clean(place.name)
    if record.closed or secret is None:
        raise GameFinished(file=file)
    header = replace(record.header, dice=replace(record.header.dice, secret=None))
    table = Table(header, secret, record.events, file)
    if table.state.seat == CHANCE and not header.seats[table.state.player].own_dice:
        table.apply((table.fallen(table.state),))
    return table, place


def last_unfinished() -> Path:
    """Find the unfinished game that was kept last."""
    for path in sorted(games_folder().glob(f"*{SUFFIX}"), key=kept_at, reverse=True):
        with contextlib.suppress(KnobelError):
            if not load(path).closed:
                return path
    raise NothingToResume


def kept_at(path: Path) -> float:
    """Say when a game was kept; what cannot be looked at comes last."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def kept_at_home(path: Path) -> bool:
    """Tell whether a game is kept where games are kept when nobody says otherwise."""
    return path.parent == games_folder()


def games_folder() -> Path:
    """Say where games are kept when nobody says otherwise."""
    return platformdirs.user_data_path("knobel") / FOLDER
