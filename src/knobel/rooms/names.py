"""Names of players: readable, short, and distinct at one table."""

import unicodedata

from knobel.errors import NameEmpty
from knobel.rooms.room import Room
from knobel.rules.fields import clean_text, truncate

MAX_NAME_LENGTH = 20
LOOKALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТХУҺҮԌЗаеѕіјорсхуԁԛԝһѵӏ"  # Cyrillic
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυικτ"  # Greek
    "օոսԼՏՕ"  # Armenian
    "ᎠᎡᎢᎪᎫᎬᎳᎷᎻᏀᏃᏎᏒᏔᏕᏙᏞᏟᏢᏦᏮᏴ"  # Cherokee
    "ıɡɑʟ’‘ʼ‐‑–−0|1I",
    "ABESIJKMHOPCTXYHYG3aesijopcxydqwhvlABEZHIKMNOPTYXavopuiktonuLSODRTAJEWMHGZ4RWSVLCPK6BigaL'''----Olll",
)
"""Letters of other alphabets, digits and signs, and what they look like."""


def make_unique_name(room: Room, name: str) -> str:
    """Make a name readable, short and different from all others at this table, visibly too."""
    label = clean_name(name)
    if not label:
        raise NameEmpty
    taken = {form for seat in room.seats for form in fold_name(seat.name)}
    return next(one for count in range(1, 200) if not taken & fold_name(one := number_name(label, count)))


def clean_name(name: str) -> str:
    """Make a name readable and short."""
    return truncate(clean_text(name), MAX_NAME_LENGTH)


def number_name(label: str, count: int) -> str:
    """Add a number to a name that is taken."""
    return label if count == 1 else f"{truncate(label, MAX_NAME_LENGTH - len(f' {count}'))} {count}"


def fold_name(name: str) -> frozenset[str]:
    """Fold a name for comparison: as it is read, without case and letter forms, and as it looks."""
    plain = unicodedata.normalize("NFKC", name)
    return frozenset({plain.casefold(), plain.translate(LOOKALIKES).casefold()})
