"""Paper for the browser: score pads, rules on one page, played games; printed in a thread, one page at a time."""

import asyncio
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from knobel.errors import NotNumber, PrintQueueFull
from knobel.host import Host
from knobel.host.archive import load_table
from knobel.host.record_edition import rebuild_edition as edition_played
from knobel.lang import Translator
from knobel.paper.families import lay_out_game, lay_out_pad
from knobel.paper.pad import PadOptions
from knobel.paper.render import render_pdf
from knobel.paper.rules_page import build_rules_page
from knobel.rooms.names import clean_name
from knobel.rooms.room import load_printed_edition, open_edition
from knobel.rules import Edition
from knobel.rules.fields import abbreviate
from knobel.rules.switches import read_switches
from knobel.view.duplicate import show_table

MAX_NAMES = 20
MAX_WAITING = 20
CACHED_PAGES = 64


@dataclass(frozen=True, slots=True)
class PrintRequest:
    """Which rules are to be printed, and in which words."""

    edition: Edition
    text: str
    switches: Mapping[str, str]
    lang: str

    @property
    def words(self) -> Translator:
        """The words of the edition."""
        return Translator(self.lang, self.edition)


@dataclass
class Printer:
    """Prints on request; while many requests wait, further ones are refused."""

    host: Host
    choose_language: Callable[[HTTPConnection], str]
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            Route("/paper/pad.pdf", self.get_pad),
            Route("/paper/rules.pdf", self.get_rules),
            Route("/games/{game}.pdf", self.get_game),
        ]

    async def get_pad(self, request: Request) -> Response:
        agreed, wish = await self.read_request(request), read_pad_options(request)
        return await self.respond_with_pdf(lambda: print_pad(agreed, wish), f"{agreed.edition.id}-pad")

    async def get_rules(self, request: Request) -> Response:
        agreed, size = await self.read_request(request), request.query_params.get("size", "a4")
        return await self.respond_with_pdf(lambda: print_rules(agreed, size), f"{agreed.edition.id}-rules")

    async def get_game(self, request: Request) -> Response:
        table, stored = await load_table(self.host.store, request.path_params["game"])
        table = show_table(table, None)
        words = Translator(self.choose_language(request), edition_played(table.header))
        date = words.format_date(stored.opened_at)

        def print_game() -> bytes:
            sheet = lay_out_game(table.replay, words, table.head, date)
            return print_cached(sheet.template, sheet.page)

        return await self.respond_with_pdf(print_game, f"{table.header.edition.id}-{table.header.game}")

    async def read_request(self, request: Request) -> PrintRequest:
        """Find the rules of an edition, or those agreed in a room for anyone with its link."""
        asked, lang = request.query_params, self.choose_language(request)
        if room := asked.get("room"):
            settings = (await self.host.find_session(room)).room.settings
            return PrintRequest(
                open_edition(settings.edition, settings.house_rules), settings.text, settings.switches, lang
            )
        edition = load_printed_edition(asked.get("edition", ""))
        switches = read_switches(tuple(asked.getlist("set")), edition.switch_values)
        return PrintRequest(edition, edition.choose_text(asked.get("text"), lang), switches, lang)

    async def respond_with_pdf(self, content: Callable[[], bytes], name: str) -> Response:
        """Print in a thread when it is our turn."""
        if self.waiting >= MAX_WAITING:
            raise PrintQueueFull
        self.waiting += 1
        try:
            async with self.lock:
                paper = await asyncio.to_thread(content)
        finally:
            self.waiting -= 1
        file = re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:80]
        return Response(paper, 200, {"Content-Disposition": f'attachment; filename="{file}.pdf"'}, "application/pdf")


def read_pad_options(request: Request) -> PadOptions:
    asked = request.query_params
    return PadOptions(
        asked.get("size", "a4"),
        asked.get("large") == "true",
        read_number(asked, "columns"),
        read_number(asked, "players"),
        landscape=asked.get("landscape") == "true",
        per_page=read_number(asked, "per_page") or 1,
        names=tuple(clean_name(name) for name in asked.getlist("name")[:MAX_NAMES]),
    )


def read_number(asked: Mapping[str, str], name: str) -> int | None:
    if (word := asked.get(name)) is None:
        return None
    if not word.isdecimal() or len(word) > 3:
        raise NotNumber(name=name, value=abbreviate(word))
    return int(word)


def print_pad(request: PrintRequest, wish: PadOptions) -> bytes:
    edition, words = request.edition, request.words
    rules = edition.rules(request.text, request.switches)
    pad = lay_out_pad(rules, words, edition.title, edition.printed_by, wish)
    return print_cached(pad.template, pad.page)


def print_rules(request: PrintRequest, size: str) -> bytes:
    return print_cached("leaf", build_rules_page(request.edition, request.text, request.switches, request.words, size))


@lru_cache(maxsize=CACHED_PAGES)
def print_cached(form: str, page: Hashable) -> bytes:
    """Print a page, or take it from the cache."""
    return render_pdf(form, page)
