"""Paper for the browser: blocks, rules on one page, played games; printed beside the talk, one page at a time."""

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from knobel.errors import NotNumber, PaperBusy
from knobel.host import Host
from knobel.host.keeping import table_again
from knobel.host.speaking import edition_of as edition_played
from knobel.lang import Words
from knobel.paper.chips import ChipTable, blank_table
from knobel.paper.leaf import Leaf, leaf_of
from knobel.paper.pad import Block, Wish, blank_pad
from knobel.paper.played import played
from knobel.paper.press import printed
from knobel.room.chairs import edition_of, load_box
from knobel.rules import Edition
from knobel.rules.fields import shown
from knobel.rules.switches import VALUES, read_switches

MOST_WAITING = 20
KEPT = 64


@dataclass(frozen=True, slots=True)
class Agreed:
    """Which rules are to be printed, and in which words."""

    edition: Edition
    text: str
    switches: Mapping[str, str]
    lang: str

    @property
    def words(self) -> Words:
        """The words of the box."""
        return Words(self.lang, self.edition)


@dataclass
class Printer:
    """Prints for whoever asks; who asks while many others wait is asked to come again."""

    host: Host
    language_of: Callable[[HTTPConnection], str]
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0

    @property
    def routes(self) -> list[BaseRoute]:
        """Where paper is to be had."""
        return [
            Route("/paper/pad.pdf", self.pad),
            Route("/paper/sheet.pdf", self.sheet),
            Route("/games/{game}.pdf", self.game),
        ]

    async def pad(self, request: Request) -> Response:
        """Print a block."""
        agreed, wish = await self.agreed(request), wish_of(request)
        return await self.answer(lambda: pad_content(agreed, wish), f"{agreed.edition.id}-pad")

    async def sheet(self, request: Request) -> Response:
        """Print the rules on one page."""
        agreed, size = await self.agreed(request), request.query_params.get("size", "a4")
        return await self.answer(lambda: sheet_content(agreed, size), f"{agreed.edition.id}-rules")

    async def game(self, request: Request) -> Response:
        """Print a kept game."""
        table, stored = await table_again(self.host.store, request.path_params["game"])
        words = Words(self.language_of(request), edition_played(table.header))
        date = words.date(stored.opened)

        def content() -> bytes:
            sheet = played(table.replay, words, table.head, date)
            return printed_once(sheet.form, sheet.page)

        return await self.answer(content, f"{table.header.edition.id}-{table.header.game}")

    async def agreed(self, request: Request) -> Agreed:
        """Find the rules of a box, or those agreed in a room for whoever knows its link."""
        asked, lang = request.query_params, self.language_of(request)
        if room := asked.get("room"):
            settings = (await self.host.desk(room)).room.settings
            return Agreed(edition_of(settings.edition, settings.house), settings.text, settings.switches, lang)
        edition = load_box(asked.get("edition", ""))
        switches = read_switches(tuple(asked.getlist("set")), VALUES[edition.family])
        return Agreed(edition, edition.text_for(asked.get("text"), lang), switches, lang)

    async def answer(self, content: Callable[[], bytes], name: str) -> Response:
        """Print in a thread when it is our turn; others are served meanwhile."""
        if self.waiting >= MOST_WAITING:
            raise PaperBusy
        self.waiting += 1
        try:
            async with self.turn:
                paper = await asyncio.to_thread(content)
        finally:
            self.waiting -= 1
        file = re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:80]
        return Response(paper, 200, {"Content-Disposition": f'attachment; filename="{file}.pdf"'}, "application/pdf")


def wish_of(request: Request) -> Wish:
    """Read what is wanted on paper."""
    asked = request.query_params
    return Wish(
        asked.get("size", "a4"), asked.get("large") == "true", number(asked, "columns"), number(asked, "players")
    )


def number(asked: Mapping[str, str], name: str) -> int | None:
    """Read a whole number, if there is one."""
    if (word := asked.get(name)) is None:
        return None
    if not word.isdecimal() or len(word) > 3:
        raise NotNumber(name=name, value=shown(word))
    return int(word)


def pad_content(agreed: Agreed, wish: Wish) -> bytes:
    """Print the block of a box."""
    edition, words = agreed.edition, agreed.words
    if edition.family == "sheet":
        rules = edition.rules(agreed.text, agreed.switches)
        return printed_once("pad", blank_pad(rules, words, edition.title, edition.publisher, wish))
    round_rules = edition.round_rules(agreed.text, agreed.switches)
    return printed_once("chips", blank_table(round_rules, words, edition.title, edition.publisher, wish))


def sheet_content(agreed: Agreed, size: str) -> bytes:
    """Print the rules of a box on one page."""
    return printed_once("leaf", leaf_of(agreed.edition, agreed.text, agreed.switches, agreed.words, size))


@lru_cache(maxsize=KEPT)
def printed_once(form: str, page: Block | ChipTable | Leaf) -> bytes:
    """Print a page, and keep it for the next one who asks."""
    return printed(form, page)
