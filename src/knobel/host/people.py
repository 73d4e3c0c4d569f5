"""The people of a device: made, changed, merged, deleted with all their data, and held by further devices."""

import secrets
from collections.abc import Callable, Sequence

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from knobel.errors import (
    NameEmpty,
    PersonCodeInvalid,
    PersonNameTaken,
    PersonNotYours,
    RoomNotFound,
    TooManyPeople,
)
from knobel.host.devices import RECOVERY_LENGTH, RECOVERY_SECONDS, hash_code
from knobel.host.registry import SessionRegistry
from knobel.host.room_setup import CODE_LETTERS
from knobel.host.room_store import plan_room_writes
from knobel.host.seat_people import (
    MAX_PEOPLE,
    choose_free_inks,
    draw_person_id,
    find_by_name,
    plan_person,
)
from knobel.host.session import RoomSession, SessionUpdate, take_over_names
from knobel.rooms.names import clean_name, fold_name
from knobel.rooms.room import Room
from knobel.store import Store, WriteConflict
from knobel.store.people import (
    ChangePerson,
    ErasePerson,
    HoldPerson,
    MergePeople,
    PutPersonCode,
    StoredPerson,
    UsePersonCode,
)

NAMELESS = "N. N."
"""What stands for somebody whose data were deleted, in every language."""


class PersonChange(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be changed about a person; what is not named stays."""

    name: str | UnsetType = UNSET
    colour: int | UnsetType = UNSET
    emblem: int | UnsetType = UNSET
    hidden: bool | UnsetType = UNSET


class People:
    """Speaks for the people of devices."""

    def __init__(self, store: Store, registry: SessionRegistry, clock: Callable[[], float]) -> None:
        self.store = store
        self.registry = registry
        self.clock = clock

    async def list_held(self, identity: str) -> Sequence[StoredPerson]:
        return await self.store.list_held_people(identity)

    async def find_held(self, identity: str, person: str) -> StoredPerson:
        """Find a person of a device; whether somebody else is called so is not told."""
        held = await self.store.list_held_people(identity)
        found = next((one for one in held if one.id == person), None)
        if found is None:
            raise PersonNotYours
        return found

    async def create(self, identity: str, change: PersonChange) -> StoredPerson:
        """Make a person; one of the same name on the same device is refused."""
        held = await self.store.list_held_people(identity)
        if len(held) >= MAX_PEOPLE:
            raise TooManyPeople(n=MAX_PEOPLE)
        colour, emblem = choose_free_inks(held, len(held))
        person = StoredPerson(
            draw_person_id(),
            check_name(held, "" if change.name is UNSET else change.name),
            colour if change.colour is UNSET else change.colour,
            emblem if change.emblem is UNSET else change.emblem,
            created_at=self.clock(),
        )
        await self.store.commit(*plan_person(person, identity))
        return person

    async def change(self, identity: str, person: str, change: PersonChange) -> StoredPerson:
        """Change a person; games that were played keep the name they were played under."""
        now = await self.find_held(identity, person)
        others = [one for one in await self.store.list_held_people(identity) if one.id != person]
        name = now.name if change.name is UNSET else check_name(others, change.name)
        colour = now.colour if change.colour is UNSET else change.colour
        emblem = now.emblem if change.emblem is UNSET else change.emblem
        hidden = now.is_hidden if change.hidden is UNSET else change.hidden
        await self.store.commit(ChangePerson(person, name, colour, emblem, hidden))
        return StoredPerson(person, name, colour, emblem, hidden, now.created_at)

    async def merge(self, identity: str, person: str, into: str) -> None:
        """Give all games of one person to another; the device must speak for both."""
        await self.find_held(identity, person)
        target = await self.find_held(identity, into)
        if person == into:
            return
        await self.store.commit(MergePeople(person, into))

        def follow(room: Room) -> Room:
            seats = tuple(
                replace(seat, person=into, colour=target.colour, emblem=target.emblem)
                if seat.person == person
                else seat
                for seat in room.seats
            )
            former = tuple(replace(one, person=into) if one.person == person else one for one in room.former)
            return replace(room, seats=seats, former=former)

        await self.rewrite_rooms(person, follow)

    async def delete(self, identity: str, person: str) -> None:
        """Delete a person with everything that is theirs; in games of others they are nameless from now on."""
        await self.erase(await self.find_held(identity, person))

    async def erase(self, person: StoredPerson) -> None:
        holders = frozenset(await self.store.list_holders(person.id))
        await self.rewrite_rooms(person.id, lambda room: forget_person(room, person, holders))
        await self.store.commit(ErasePerson(person.id, NAMELESS))
        await self.store.erase_traces()

    async def rewrite_rooms(self, person: str, change: Callable[[Room], Room]) -> None:
        """Change every room in which somebody has a seat, also those in use."""
        for room_id in await self.store.list_rooms_of_person(person):
            try:
                session = await self.registry.find(room_id)
            except RoomNotFound:
                continue
            async with session.lock:
                await rewrite_room(session, change, self.clock())

    async def issue_code(self, identity: str, person: str) -> str:
        """Draw a code with which another device gets a person, too; it works once, and not for long."""
        await self.find_held(identity, person)
        return await draw_person_code(self.store, person, self.clock())

    async def redeem_code(self, identity: str, code: str) -> StoredPerson:
        """Let a device speak for the person of a code, too."""
        now, hashed = self.clock(), hash_code(code)
        person = await self.store.find_person_code(hashed, now)
        found = None if person is None else await self.store.find_person(person)
        if found is None:
            raise PersonCodeInvalid
        held = await self.store.list_held_people(identity)
        if len(held) >= MAX_PEOPLE and found.id not in {one.id for one in held}:
            raise TooManyPeople(n=MAX_PEOPLE)
        try:
            await self.store.commit(UsePersonCode(hashed, now), HoldPerson(identity, found.id))
        except WriteConflict:
            raise PersonCodeInvalid from None
        return found


async def draw_person_code(store: Store, person: str, now: float) -> str:
    """Draw and keep a code of a person."""
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(RECOVERY_LENGTH))
    await store.commit(PutPersonCode(hash_code(code), person, now + RECOVERY_SECONDS, now))
    return code


def check_name(others: Sequence[StoredPerson], name: str) -> str:
    """Make a name readable and short; refuse one that another person of the device has."""
    label = clean_name(name)
    if not label:
        raise NameEmpty
    if find_by_name(others, label):
        raise PersonNameTaken(name=label)
    return label


async def rewrite_room(session: RoomSession, change: Callable[[Room], Room], at: float) -> None:
    """Write a room with other people over whatever another process wrote meanwhile."""
    while (changed := change(session.room)) != session.room:
        try:
            await session.store.commit(*plan_room_writes(changed, session.version, at, session.room))
        except WriteConflict:
            await session.catch_up()
            continue
        session.room, session.version = changed, session.version + 1
        session.notify(SessionUpdate(session, is_renamed=take_over_names(session.room, session.table)))
        return


def forget_person(room: Room, person: StoredPerson, holders: frozenset[str]) -> Room:
    """Take a person out of a room: their seats stay, nameless, and so do the points of a series."""
    seats = tuple(
        replace(seat, name=NAMELESS, person=None, colour=None, emblem=None) if seat.person == person.id else seat
        for seat in room.seats
    )
    name = fold_name(person.name)
    former = tuple(
        replace(one, name=NAMELESS, person=None)
        if one.person == person.id or (one.device in holders and fold_name(one.name) & name)
        else one
        for one in room.former
    )
    return replace(room, seats=seats, former=former)
