"""House rules from a form: what can be changed in an edition, and the file, differences and rules a change gives."""

import asyncio
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from knobel.bots.averages import find_averages
from knobel.errors import HouseRulesDisabled, KnobelError
from knobel.host import Host
from knobel.lang import Translator, list_printed_names
from knobel.phrase import BoxName
from knobel.rooms.room import load_printed_edition
from knobel.rules import read_house_rules
from knobel.rules.families import expect_sheet_rules
from knobel.rules.house_rules_draft import HouseRulesDraft, list_single_changes, read_bonus, write_draft
from knobel.rules.schema import CHANCE_RULES
from knobel.rules.sheet_rules import SheetRules
from knobel.solve_worker import find_par
from knobel.web.descriptions import describe_house_rules, describe_rules
from knobel.web.messages import describe_progress, describe_refusal
from knobel.web.rate_limits import RateLimits
from knobel.web.requests import choose_language, get_address, identify_device, read_request

FILE = "house-rules.toml"
PERFECT = "perfect"
"""The bot that scores par."""


class BonusRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A bonus as somebody types it."""

    threshold: int
    points: int


class DraftRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The form as it is filled in; what is not possible is refused when the file is read."""

    title: Annotated[str, Meta(max_length=200)]
    base: Annotated[str, Meta(max_length=80)]
    rolls: int
    text: Annotated[str, Meta(max_length=8)] | None = None
    bonus: BonusRequest | None = None
    chance: Annotated[str, Meta(max_length=32)] | None = None
    points: dict[Annotated[str, Meta(max_length=32)], int] = {}
    dropped: Annotated[tuple[Annotated[str, Meta(max_length=32)], ...], Meta(max_length=20)] = ()


class HouseRuleForm:
    """Answers the form; the browser knows no rules."""

    def __init__(self, host: Host, rate_limits: RateLimits, enabled: bool) -> None:
        self.host = host
        self.rate_limits = rate_limits
        self.enabled = enabled

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/house-rules/form", self.get_form),
            Route("/api/house-rules/draft", self.post_draft, methods=["POST"]),
            Route("/api/house-rules/par", self.get_par),
        ]

    async def get_form(self, request: Request) -> Response:
        """Say what can be changed in an edition, and what it says now."""
        name, lang = request.query_params.get("edition", ""), choose_language(request)
        return JSONResponse(await self.host.house_rules_reader.run(describe_form, name, lang))

    async def post_draft(self, request: Request) -> Response:
        """Write the file of a form and say how it plays, or why it cannot be played."""
        if not self.enabled:
            raise HouseRulesDisabled
        asked = await read_request(request, DraftRequest)
        device = identify_device(request) or ""
        self.rate_limits.count_draft(device, get_address(request))
        reader, lang = self.host.house_rules_reader, choose_language(request)
        try:
            answer, rules = await reader.run(describe_draft, asked, lang)
        except KnobelError as error:
            said = describe_refusal(error, Translator(lang))
            return JSONResponse({**said, "mistakes": await reader.run(list_mistakes, asked, lang) or [said]}, 400)
        if answer["par"] is None:
            self.host.form_solves.start(device, rules)
        else:
            self.host.form_solves.stop(device)
        return JSONResponse(answer)

    async def get_par(self, request: Request) -> Response:
        """Say how far the par of the form is that this device filled in last."""
        device, words = identify_device(request) or "", Translator(choose_language(request))
        found = self.host.form_solves.find_progress(device)
        if found is None:
            return JSONResponse({"par": None, "progress": None, "text": None, "refusal": None})
        rules, progress = found
        is_done = progress.fraction is None and progress.error is None
        return JSONResponse(
            {
                "par": await asyncio.to_thread(find_par, rules) if is_done else None,
                "progress": progress.fraction,
                "text": describe_progress(progress, words),
                "refusal": words.describe_error(progress.error) if progress.error else None,
            }
        )


def describe_form(name: str, lang: str) -> dict[str, object]:
    edition = load_printed_edition(name)
    text = edition.choose_text(None, lang)
    rules, words = expect_sheet_rules(edition.rules(text), edition.title), Translator(lang, edition)
    bonus = read_bonus(rules.bonus) if rules.bonus else None
    return {
        "base": edition.id,
        "title": edition.title,
        "text": text,
        "rolls": rules.rolls,
        "bonus": bonus and {"threshold": bonus[0], "points": bonus[1]},
        "chance": rules.chance.rule if rules.chance else None,
        "chances": CHANCE_RULES,
        "names": list_printed_names(words),
        "boxes": [
            {"box": box.id, "name": words.format_value(BoxName(box.id)), "points": box.points or None}
            for box in rules.boxes
        ],
    }


def describe_draft(asked: DraftRequest, lang: str) -> tuple[dict[str, object], SheetRules]:
    """Write the file, and read it as everybody else's is read; give the rules it makes, too."""
    draft, printed = read_draft(asked, lang)
    text, toml = draft.text, write_draft(draft, printed)
    described, made = describe_house_rules(toml.encode(), FILE, lang), read_house_rules(toml.encode(), FILE)
    answer = {
        "file": FILE,
        "toml": toml,
        "differences": described["differences"],
        "par": described["par"],
        "printed_par": find_averages(printed, find_par).get(PERFECT),
        "chapters": describe_rules(made, text, {}, lang)["chapters"],
    }
    return answer, expect_sheet_rules(made.rules(text), made.title)


def read_draft(asked: DraftRequest, lang: str) -> tuple[HouseRulesDraft, SheetRules]:
    """Give what the form says, and the rules it changes."""
    edition = load_printed_edition(asked.base)
    text = edition.choose_text(asked.text, lang)
    bonus = (asked.bonus.threshold, asked.bonus.points) if asked.bonus else None
    draft = HouseRulesDraft(
        asked.title, edition.id, text, asked.rolls, bonus, asked.chance, asked.points, asked.dropped
    )
    return draft, expect_sheet_rules(edition.rules(text), edition.title)


def list_mistakes(asked: DraftRequest, lang: str) -> list[dict[str, object]]:
    """Say what is wrong with each field by itself, as many as there are."""
    try:
        draft, printed = read_draft(asked, lang)
    except KnobelError:
        return []
    words, found = Translator(lang), list[dict[str, object]]()
    for change in list_single_changes(draft, printed):
        try:
            read_house_rules(write_draft(change, printed).encode(), FILE)
        except KnobelError as error:
            found.append(describe_refusal(error, words))
    return found
