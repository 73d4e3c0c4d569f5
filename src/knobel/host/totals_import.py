"""Games that were played with another program, imported as totals from a table: one line for each player of a game."""

import csv
import hashlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from knobel.errors import KnobelError, TotalsInvalid
from knobel.host.people import check_name
from knobel.host.seat_people import draw_person_id, find_by_name
from knobel.phrase import Phrase, phrase
from knobel.rooms.room import load_printed_edition
from knobel.rules.fields import abbreviate
from knobel.stats.families import has_totals
from knobel.stats.results import list_places
from knobel.store import Store, StoreWrite
from knobel.store.people import AddPerson, PutResults, ResultRow, StoredPerson

COLUMNS = ("date", "edition", "player", "total")
GAME_COLUMN = "game"
MAX_TOTAL = 1_000_000
MAX_PLAYERS = 99
ID_DIGITS = 16


@dataclass(frozen=True, slots=True)
class PlayerTotal:
    """One line: when, what, who and how many points; lines with the same game belong together."""

    line: int
    game: str
    ended: float
    edition: str
    player: str
    total: int


def read_totals(text: str, file: str) -> list[PlayerTotal]:
    """Read a table of totals; the first line names its columns."""
    reader = csv.DictReader(io.StringIO(text))
    header = [name.strip().lower() for name in reader.fieldnames or ()]
    if missing := [name for name in COLUMNS if name not in header]:
        raise TotalsInvalid(file=file, line=1, why=phrase("errors.totals_columns", names=tuple(missing)))
    reader.fieldnames = header
    try:
        found = [read_line(reader.line_num, row, file) for row in reader]
    except csv.Error:
        raise TotalsInvalid(file=file, line=reader.line_num + 1, why=phrase("errors.totals_unreadable")) from None
    if not found:
        raise TotalsInvalid(file=file, line=1, why=phrase("errors.totals_empty"))
    return found


def read_line(line: int, row: dict[str, str | None], file: str) -> PlayerTotal:
    values = {name: (row.get(name) or "").strip() for name in (*COLUMNS, GAME_COLUMN)}

    def refuse(why: Phrase) -> TotalsInvalid:
        return TotalsInvalid(file=file, line=line, why=why)

    try:
        moment = datetime.fromisoformat(values["date"])
        ended = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        raise refuse(phrase("errors.totals_date", value=abbreviate(values["date"]))) from None
    if ended < 0:
        raise refuse(phrase("errors.totals_date", value=abbreviate(values["date"])))
    total = values["total"]
    is_number = total.isdecimal() and total.isascii() and len(total) <= len(str(MAX_TOTAL))
    if not is_number or int(total) > MAX_TOTAL:
        raise refuse(phrase("errors.totals_total", value=abbreviate(total), most=MAX_TOTAL))
    try:
        edition, player = load_printed_edition(values["edition"]), check_name((), values["player"])
    except KnobelError as error:
        raise refuse(error.phrase) from None
    if not has_totals(edition.family):
        raise refuse(phrase("errors.totals_family", title=edition.title))
    game = values[GAME_COLUMN] or values["date"]
    return PlayerTotal(line, game, ended, edition.id, player, int(total))


def group_totals(totals: Sequence[PlayerTotal]) -> Iterator[list[PlayerTotal]]:
    """Put the players of each game together."""
    found: dict[tuple[str, str], list[PlayerTotal]] = {}
    for one in totals:
        found.setdefault((one.game, one.edition), []).append(one)
    yield from found.values()


async def import_totals(store: Store, text: str, file: str, at: float) -> tuple[int, list[StoredPerson]]:
    """Import a table, all or nothing, and tell how many games there were and who is new.

    Players are the people of that name, if there is exactly one; a game that was imported before stays as it is.
    """
    games = list(group_totals(read_totals(text, file)))
    if crowd := next((game for game in games if len(game) > MAX_PLAYERS), None):
        raise TotalsInvalid(file=file, line=crowd[-1].line, why=phrase("errors.totals_players", n=MAX_PLAYERS))
    known, added = list(await store.list_people()), list[StoredPerson]()
    writes = list[StoreWrite]()
    for game in games:
        seated = list[StoredPerson]()
        for one in game:
            person = find_by_name(known, one.player)
            if person is None:
                person = StoredPerson(draw_person_id(), one.player, len(known) % 8, len(known) % 8, created_at=at)
                known.append(person)
                added.append(person)
                writes.append(AddPerson(person.id, person.name, person.colour, person.emblem, at))
            if person in seated:
                why = phrase("errors.totals_twice", name=one.player)
                raise TotalsInvalid(file=file, line=one.line, why=why)
            seated.append(person)
        writes.append(PutResults(tuple(build_rows(game, seated)), tuple(one.player for one in game)))
    await store.commit(*writes)
    return len(games), added


def build_rows(game: Sequence[PlayerTotal], people: Sequence[StoredPerson]) -> Iterator[ResultRow]:
    """Build the results of an imported game; there is nothing to replay or review."""
    first = game[0]
    edition = load_printed_edition(first.edition)
    text = edition.choose_text(None, None)
    lines = "\n".join(f"{one.game}\t{one.ended}\t{one.edition}\t{one.player}\t{one.total}" for one in game)
    name = f"import-{hashlib.sha256(lines.encode()).hexdigest()[:ID_DIGITS]}"
    totals = [one.total for one in game]
    groups = (tuple(seat for seat, own in enumerate(totals) if own == total) for total in sorted(set(totals))[::-1])
    places = list_places(tuple(groups))
    for seat, (one, person) in enumerate(zip(game, people, strict=True)):
        yield ResultRow(
            game=name,
            seat=seat,
            room="",
            person=person.id,
            bot=None,
            edition=edition.id,
            title=edition.title,
            text=text,
            fingerprint=edition.rules(text).fingerprint,
            family=edition.family,
            ended=first.ended,
            total=one.total,
            place=places[seat],
            players=len(game),
            practice=0,
            free=0,
            assisted=0,
            real_dice=1,
            imported=1,
            counts=1,
            detail="{}",
            reviewed=1,
        )
