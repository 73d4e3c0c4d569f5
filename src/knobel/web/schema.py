"""The JSON Schema of the wire, made from the types of its messages."""

from typing import Any, TypeAlias

import msgspec

from knobel.web.daily_game import DailyGameRequest
from knobel.web.families import FAMILIES
from knobel.web.house_rule_form import DraftRequest
from knobel.web.lessons import FinishedRequest
from knobel.web.practice import AnswerRequest
from knobel.web.room_requests import CodeRequest, ContinueRequest, OpenRequest
from knobel.web.tournament_requests import TournamentChangeRequest, TournamentRequest
from knobel.web.wire import (
    AskChances,
    AskHint,
    AskLedger,
    AskTurn,
    ChancesMessage,
    DoneMessage,
    HintMessage,
    LedgerMessage,
    Ping,
    Pong,
    RefusedMessage,
    RemarkMessage,
    ReportSeen,
    RoomCommand,
    RoomMessage,
    SayRemark,
    SetLanguage,
    SolvingMessage,
)

INCOMING: tuple[Any, ...] = (
    *(RoomCommand, AskHint, AskLedger, AskTurn, AskChances, ReportSeen, SayRemark, Ping, SetLanguage),
)
SHARED: tuple[Any, ...] = (
    RoomMessage,
    Pong,
    DoneMessage,
    HintMessage,
    LedgerMessage,
    ChancesMessage,
    RefusedMessage,
    RemarkMessage,
    SolvingMessage,
)
REQUESTS = {
    "POST /api/rooms": OpenRequest,
    "POST /api/rooms/from-game": ContinueRequest,
    "POST /api/codes": CodeRequest,
    "POST /api/house-rules/draft": DraftRequest,
    "POST /api/practice/answer": AnswerRequest,
    "POST /api/practice/game": DailyGameRequest,
    "POST /api/practice/lesson": FinishedRequest,
    "POST /api/tournaments": TournamentRequest,
    "POST /api/tournaments/ID": TournamentChangeRequest,
}
Schema: TypeAlias = dict[str, Any]


def list_outgoing() -> tuple[Any, ...]:
    """List the types of all messages to a client, with those of every family."""
    return (*SHARED, *(message for family in FAMILIES.values() for message in family.messages))


def build_schema() -> Schema:
    """Describe every message, and the bodies of the requests that open a room."""
    outgoing = list_outgoing()
    types = (*INCOMING, *outgoing, *REQUESTS.values())
    described, parts = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    count = len(INCOMING)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "in": {"anyOf": described[:count]},
        "out": {"anyOf": described[count : count + len(outgoing)]},
        "requests": dict(zip(REQUESTS, described[count + len(outgoing) :], strict=True)),
        "$defs": parts,
    }
