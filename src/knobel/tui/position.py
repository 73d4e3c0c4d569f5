"""A game as a screen draws it: the view of its table, and which seats are played here."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from knobel.host.record_edition import rebuild_edition
from knobel.lang import Translator, format_sentence
from knobel.phrase import Phrase
from knobel.record.track import Step
from knobel.table import Table
from knobel.view.address import address, find_addressee
from knobel.view.families import find_family, find_family_name
from knobel.view.narration import narrate


@dataclass(frozen=True)
class Position:
    """Where a game stands; `here` are the seats of the people at this terminal."""

    table: Table
    words: Translator
    here: frozenset[int] = frozenset()

    @cached_property
    def view(self) -> Any:
        """What the family shows of it."""
        return find_family(self.table).build_view(self.table, self.translate)

    @property
    def family(self) -> str:
        return find_family_name(self.table)

    @property
    def rules(self) -> Any:
        return self.table.game.rules

    @property
    def tray(self) -> Any:
        """The dice of whoever's turn it is; none once the game is over."""
        return self.view.trays[0] if self.view.trays and self.view.closed is None else None

    @property
    def seat(self) -> int | None:
        """The seat of this terminal that is to move, if one is."""
        tray = self.tray
        if tray is None or tray.seat not in self.here or self.view.waiting:
            return None
        return int(tray.seat)

    @property
    def shown_seat(self) -> int:
        """The seat whose column matters most now."""
        return self.tray.seat if self.tray else min(self.here, default=0)

    @property
    def is_alone(self) -> bool:
        """Whether one person plays here, who can be addressed as you."""
        return len(self.here) == 1

    @property
    def has_real_dice(self) -> bool:
        """Whether whoever is to move rolls real dice."""
        return self.seat is not None and self.table.header.seats[self.seat].real_dice

    @property
    def prompt(self) -> str:
        """What is to be done, said to whoever reads it."""
        tray = self.tray
        if tray is None:
            return ""
        return str(tray.own_prompt if self.is_alone and tray.seat in self.here else tray.prompt)

    def translate(self, said: Phrase) -> str:
        """Put a phrase into a sentence that stands alone."""
        return format_sentence(self.words.translate(said))

    def narrate(self, step: Step) -> list[str]:
        """Say what happened in a step, to the person it is about if only one plays here."""
        said = narrate(self.table, step)
        return [self.translate(address(one) if self.is_about_reader(one) else one) for one in said]

    def is_about_reader(self, said: Phrase) -> bool:
        return self.is_alone and find_addressee(self.table, said) in self.here


def localize(table: Table, lang: str) -> Translator:
    """Find the words of a game: those its edition prints, in a language."""
    return Translator(lang, rebuild_edition(table.header))
