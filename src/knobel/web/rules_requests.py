"""What can be asked about rules before a game, printed ones or those agreed in a room: their text, and how bots do."""

import asyncio
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from knobel.host import Host
from knobel.rooms.room import load_printed_edition, open_edition
from knobel.rules import Edition
from knobel.rules.switches import read_switches
from knobel.web.descriptions import describe_bots, describe_rules
from knobel.web.rendered import RenderedAnswers
from knobel.web.requests import choose_language


@dataclass(frozen=True, slots=True)
class AskedRules:
    """The rules a request names; `house_rules` is the text of house rules."""

    edition: Edition
    text: str
    switches: dict[str, str]
    house_rules: str | None = None


class RulesRequests:
    """Answers what the rules say and what bots score by them."""

    def __init__(self, host: Host, rendered: RenderedAnswers) -> None:
        self.host = host
        self.rendered = rendered

    @property
    def routes(self) -> list[BaseRoute]:
        return [Route("/api/rules", self.get_rules), Route("/api/bots", self.get_bots)]

    async def find_rules(self, request: Request) -> AskedRules:
        """Find the rules of an edition, or those agreed in a room, for anyone with its link."""
        asked = request.query_params
        if room := asked.get("room"):
            agreed = (await self.host.find_session(room)).room.settings
            edition = open_edition(agreed.edition, agreed.house_rules)
            return AskedRules(edition, agreed.text, agreed.switches, agreed.house_rules)
        edition = load_printed_edition(asked.get("edition", ""))
        switches = read_switches(tuple(asked.getlist("set")), edition.switch_values)
        return AskedRules(edition, edition.choose_text(asked.get("text"), None), switches)

    async def get_rules(self, request: Request) -> Response:
        asked, lang = await self.find_rules(request), choose_language(request)
        key = ("rules", asked.edition.id, asked.house_rules, asked.text, tuple(sorted(asked.switches.items())), lang)
        answer = await self.rendered.find(key, lambda: describe_rules(asked.edition, asked.text, asked.switches, lang))
        return answer.respond(request)

    async def get_bots(self, request: Request) -> Response:
        """List the bots that know these rules, the weakest first, with the average of each where that is known."""
        asked, lang = await self.find_rules(request), choose_language(request)
        rules = asked.edition.rules(asked.text, asked.switches)
        return JSONResponse(await asyncio.to_thread(describe_bots, rules, lang))
