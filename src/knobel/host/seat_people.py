"""Who sits where: a seat belongs to the person of its device whose name it has; at the start of a game one is made.

Nobody is asked for a person. Whoever sits down under a name they have played under on this device is the same person
again; a new name becomes a person when the first game under it begins.
"""

import re
import secrets
from collections.abc import Sequence

from msgspec.structs import replace

from knobel.errors import PersonNotYours
from knobel.rooms.inks import INKS, choose_inks
from knobel.rooms.intents import AnyIntent, RenameSeat, Sit, SitBot, TakeSeat
from knobel.rooms.names import fold_name
from knobel.rooms.room import Room, RoomSeat
from knobel.store import Store, StoreWrite
from knobel.store.people import AddPerson, ChangePerson, HoldPerson, PutPlayer, StoredPerson
from knobel.table import Table

MAX_PEOPLE = 60
"""How many people a device may hold: a club with a tablet."""
ID_BYTES = 8
NUMBERED_NAME = re.compile(r"(.*\S) \d{1,3}")


def draw_person_id() -> str:
    return secrets.token_hex(ID_BYTES)


def find_by_name(people: Sequence[StoredPerson], name: str) -> StoredPerson | None:
    """Find the person whose name reads or looks the same."""
    wanted = fold_name(name)
    return next((person for person in people if fold_name(person.name) & wanted), None)


def find_own_name(seats: Sequence[RoomSeat], seat: RoomSeat) -> str:
    """Give the name of a seat without the number it got because somebody else at the table has the same name."""
    numbered = NUMBERED_NAME.fullmatch(seat.name)
    if numbered and any(fold_name(numbered[1]) & fold_name(other.name) for other in seats if other is not seat):
        return numbered[1]
    return seat.name


def give_person(seat: RoomSeat, person: StoredPerson) -> RoomSeat:
    return replace(seat, person=person.id, colour=person.colour, emblem=person.emblem)


async def check_people(store: Store, device: str, seats: Sequence[Sit | SitBot]) -> None:
    """Refuse people whom a device does not hold."""
    wanted = {seat.person for seat in seats if isinstance(seat, Sit) and seat.person is not None}
    if wanted and not wanted <= {person.id for person in await store.list_held_people(device)}:
        raise PersonNotYours


async def recognize_people(store: Store, room: Room) -> Room:
    """Find the people of those seats whose devices know somebody of that name."""
    found = dict[str, Sequence[StoredPerson]]()
    seats = []
    for seat in room.seats:
        if seat.device is not None and (seat.person is None or seat.colour is None):
            if seat.device not in found:
                found[seat.device] = await store.list_held_people(seat.device)
            known = found[seat.device]
            own = next((person for person in known if person.id == seat.person), None)
            person = own or find_by_name(known, find_own_name(room.seats, seat))
            seat = give_person(seat, person) if person else seat  # noqa: PLW2901
        seats.append(seat)
    return replace(room, seats=tuple(seats))


async def follow_intent(
    store: Store, before: Room, after: Room, device: str, intent: AnyIntent
) -> tuple[Room, list[StoreWrite]]:
    """Find out who sits where after somebody sat down, took a seat or changed a name."""
    match intent:
        case Sit():
            await check_people(store, device, (intent,))
            return await recognize_people(store, after), []
        case TakeSeat():
            return await recognize_people(store, after), []
        case RenameSeat(place, _) if not before.running:
            nobody = replace(after.seats[place], person=None, colour=None, emblem=None)
            seats = (*after.seats[:place], nobody, *after.seats[place + 1 :])
            return await recognize_people(store, replace(after, seats=seats)), []
        case RenameSeat(place, _) if after.seats[place].device == device:
            return await rename_player(store, after, place)
    return after, []


async def rename_player(store: Store, room: Room, place: int) -> tuple[Room, list[StoreWrite]]:
    """Follow a name that is changed in the middle of a game.

    If the device knows somebody of that name, they play; if the seat's person has finished no game yet, only the name
    was mistyped; else the name is just another one for this game.
    """
    seat = room.seats[place]
    held = await store.list_held_people(seat.device or "")
    now = next((person for person in held if person.id == seat.person), None)
    name = find_own_name(room.seats, seat)
    known = find_by_name(held, name)
    if known is not None and known is not now and room.game is not None:
        seats = (*room.seats[:place], give_person(seat, known), *room.seats[place + 1 :])
        return replace(room, seats=seats), [PutPlayer(room.game, place, known.id)]
    if now is not None and not await store.list_summaries(now.id):
        return room, [ChangePerson(now.id, name, now.colour, now.emblem, now.is_hidden)]
    return room, []


async def settle_people(store: Store, room: Room, at: float) -> tuple[Room, list[StoreWrite]]:
    """Find who sits where in a game that begins; new names become people, as long as there is room for them."""
    room, writes = await recognize_people(store, room), list[StoreWrite]()
    held = dict[str, list[StoredPerson]]()
    seats = []
    for place, seat in enumerate(room.seats):
        if seat.device is not None and seat.person is None:
            if seat.device not in held:
                held[seat.device] = list(await store.list_held_people(seat.device))
            people = held[seat.device]
            if len(people) < MAX_PEOPLE:
                inks = choose_free_inks(people, place)
                person = StoredPerson(draw_person_id(), find_own_name(room.seats, seat), *inks, created_at=at)
                people.append(person)
                writes += plan_person(person, seat.device)
                seat = give_person(seat, person)  # noqa: PLW2901
        seats.append(seat)
    return replace(room, seats=tuple(seats)), writes


def plan_person(person: StoredPerson, identity: str) -> list[StoreWrite]:
    added = AddPerson(person.id, person.name, person.colour, person.emblem, person.created_at)
    return [added, HoldPerson(identity, person.id)]


def choose_free_inks(people: Sequence[StoredPerson], first: int) -> tuple[int, int]:
    """Choose a colour and an emblem nobody else of a device has, if there are any."""

    def choose(taken: set[int]) -> int:
        return next((ink for step in range(INKS) if (ink := (first + step) % INKS) not in taken), first % INKS)

    return choose({person.colour for person in people}), choose({person.emblem for person in people})


async def find_inks(store: Store, table: Table) -> tuple[tuple[int, int], ...]:
    """Find the colour and the emblem of every seat of a game by who played there, as its room would choose them."""
    players = await store.list_players(table.header.game)
    people = {person: await store.find_person(person) for person in players.values()}
    nobody = RoomSeat("", None)
    return choose_inks([people.get(players.get(place, "")) or nobody for place in range(len(table.header.seats))])
