"""What somebody sees of a room: chairs, what is agreed, whether the next game can begin."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from knobel.phrase import Phrase
from knobel.rooms.room import Room, explain_cannot_begin, open_edition

Translate: TypeAlias = Callable[[Phrase], str]
"""Whoever looks brings a tongue: the house gives phrases, the window says them."""


class RoomSeatView(Struct, frozen=True, rename={"real_dice": "own_dice", "present": "here"}):
    """One chair: whose it is, whether it may be taken, and whether its device has promised a seed for the dice."""

    name: str
    bot: str | None
    beginner: bool
    real_dice: bool
    offered: bool
    yours: bool
    host: bool
    sealed: bool
    present: bool


class RoomView(
    Struct,
    frozen=True,
    rename={
        "id": "room",
        "house_rules": "house",
        "seats": "chairs",
        "next_game": "coming",
        "spectators": "watching",
        "begin_refusal": "missing",
    },
):
    """A room as one device sees it; `missing` says why no game can begin."""

    id: str
    code: str | None
    running: bool
    host: bool
    edition: str
    title: str
    publisher: str
    family: str
    text: str
    texts: tuple[str, ...]
    switches: dict[str, str]
    house_rules: bool
    free: bool
    pace: float
    games: int
    number: int
    totals: tuple[tuple[int, ...], ...]
    seats: tuple[RoomSeatView, ...]
    game: str | None
    next_game: str
    commitment: str
    sealed: bool
    spectators: int
    begin_refusal: str | None


def build_room_view(room: Room, device: str, present: frozenset[str], say: Translate) -> RoomView:
    """Show a room to a device."""
    settings = room.settings
    edition = open_edition(settings.edition, settings.house)
    return RoomView(
        id=room.id,
        code=room.code,
        running=room.running,
        host=room.host == device,
        edition=settings.edition,
        title=edition.title,
        publisher=edition.publisher,
        family=edition.family,
        text=settings.text,
        texts=edition.printed,
        switches=settings.switches,
        house_rules=settings.house is not None,
        free=settings.free,
        pace=settings.pace,
        games=settings.games,
        number=room.game_number,
        totals=room.totals,
        seats=tuple(
            RoomSeatView(
                name=chair.name,
                bot=chair.bot,
                beginner=chair.beginner,
                real_dice=chair.real_dice,
                offered=chair.offered,
                yours=chair.device == device,
                host=chair.device == room.host and not chair.offered,
                sealed=chair.device in room.coming.seals,
                present=chair.device is None or chair.device in present,
            )
            for chair in room.seats
        ),
        game=room.game,
        next_game=room.coming.game,
        commitment=room.coming.commitment,
        sealed=device in room.coming.seals,
        spectators=len(present - set(room.devices)),
        begin_refusal=translate_optional(explain_cannot_begin(room), say),
    )


def translate_optional(what: Phrase | None, say: Translate) -> str | None:
    """Say a phrase, if there is one."""
    return None if what is None else say(what)
