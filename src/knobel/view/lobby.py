"""What somebody sees of a room: chairs, what is agreed, whether the next game can begin."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from knobel.phrase import Phrase
from knobel.room.chairs import Room, edition_of, why_not_begin

Say: TypeAlias = Callable[[Phrase], str]
"""Whoever looks brings a tongue: the house gives phrases, the window says them."""


class ChairView(Struct, frozen=True):
    """One chair: whose it is, whether it may be taken, and whether its device has promised a seed for the dice."""

    name: str
    bot: str | None
    beginner: bool
    own_dice: bool
    offered: bool
    yours: bool
    host: bool
    sealed: bool
    here: bool


class RoomView(Struct, frozen=True):
    """A room as one device sees it; `missing` says why no game can begin."""

    room: str
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
    house: bool
    free: bool
    pace: float
    games: int
    number: int
    totals: tuple[tuple[int, ...], ...]
    chairs: tuple[ChairView, ...]
    game: str | None
    coming: str
    commitment: str
    sealed: bool
    watching: int
    missing: str | None


def room_view(room: Room, owner: str, present: frozenset[str], say: Say) -> RoomView:
    """Show a room to a device."""
    settings = room.settings
    edition = edition_of(settings.edition, settings.house)
    return RoomView(
        room=room.room,
        code=room.code,
        running=room.running,
        host=room.host == owner,
        edition=settings.edition,
        title=edition.title,
        publisher=edition.publisher,
        family=edition.family,
        text=settings.text,
        texts=edition.printed,
        switches=settings.switches,
        house=settings.house is not None,
        free=settings.free,
        pace=settings.pace,
        games=settings.games,
        number=room.number,
        totals=room.totals,
        chairs=tuple(
            ChairView(
                name=chair.name,
                bot=chair.bot,
                beginner=chair.beginner,
                own_dice=chair.own_dice,
                offered=chair.offered,
                yours=chair.owner == owner,
                host=chair.owner == room.host and not chair.offered,
                sealed=chair.owner in room.coming.seals,
                here=chair.owner is None or chair.owner in present,
            )
            for chair in room.chairs
        ),
        game=room.game,
        coming=room.coming.game,
        commitment=room.coming.commitment,
        sealed=owner in room.coming.seals,
        watching=len(present - set(room.owners)),
        missing=said(why_not_begin(room), say),
    )


def said(what: Phrase | None, say: Say) -> str | None:
    """Say a phrase, if there is one."""
    return None if what is None else say(what)
