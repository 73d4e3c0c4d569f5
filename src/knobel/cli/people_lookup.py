"""Finds people by what somebody typed: a name, or an id where several have that name."""

from collections.abc import Sequence

from knobel.errors import PersonAmbiguous, PersonNotFound
from knobel.host.seat_people import find_by_name
from knobel.rooms.names import fold_name
from knobel.rules.fields import abbreviate
from knobel.store.people import StoredPerson


def find_named_person(people: Sequence[StoredPerson], typed: str) -> StoredPerson:
    """Find the one person who is meant."""
    if exact := next((person for person in people if person.id == typed), None):
        return exact
    found = [person for person in people if fold_name(person.name) & fold_name(typed)]
    if len(found) > 1:
        raise PersonAmbiguous(name=abbreviate(typed), known=tuple(person.id for person in found))
    if not (only := find_by_name(people, typed)):
        raise PersonNotFound(name=abbreviate(typed))
    return only
