"""One client's socket: reads its messages one by one, does what they want, sends what there is to tell."""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from knobel.errors import KnobelError, MessageMalformed
from knobel.host import Host
from knobel.host.continuation import continue_game
from knobel.host.decisions import require_seat
from knobel.lang import LANGUAGES
from knobel.web.coaching import build_hint, build_ledger
from knobel.web.hubs import Client, RoomHubs
from knobel.web.messages import encode_message, encode_turn
from knobel.web.protocol import EXTENSION
from knobel.web.rate_limits import RateLimits
from knobel.web.wire import (
    AskHint,
    AskLedger,
    AskTurn,
    DoneMessage,
    EnterCode,
    EnterRoom,
    Incoming,
    OpenRoom,
    Ping,
    PlayOn,
    Pong,
    RoomCommand,
    SayRemark,
    SetLanguage,
)

PONG = encode_message(Pong())
DECODER: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)
MAX_MESSAGE = 4 * 1024
MAX_HOUSE_RULES_MESSAGE = 48 * 1024
"""So long may a message be that brings house rules."""
MAX_MALFORMED = 20
MAX_COACH_TASKS = 2
"""So many questions to the coach a client has under way before it is heard again."""
UNSUPPORTED_DATA, POLICY_VIOLATION, TRY_AGAIN_LATER = 1003, 1008, 1013
CLOSE_SECONDS = 20.0
"""So long a client that stopped reading has to take the word that it was let go."""


class ClientConnection:
    """A conversation with one client."""

    def __init__(
        self, socket: WebSocket, client: Client, hubs: RoomHubs, host: Host, rate_limits: RateLimits, house_rules: bool
    ) -> None:
        self.socket = socket
        self.address = socket.client.host if socket.client else ""
        self.client = client
        self.hubs = hubs
        self.host = host
        self.rate_limits = rate_limits
        self.house_rules = house_rules
        self.malformed = 0
        self.listening = False
        self.coach_tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Talk until one of us hangs up."""
        own = asyncio.current_task()
        self.client.on_overrun = lambda: own.cancel() if own and self.listening else None
        line = self.socket.scope.get("extensions", {}).get(EXTENSION)
        if line is not None:
            self.client.try_send = line["tell"]
        writer = asyncio.create_task(self.send_queued())
        code = None
        try:
            code = await self.receive_messages()
        finally:
            for task in (writer, *self.coach_tasks):
                task.cancel()
            self.hubs.leave(self.client)
        if code is not None:
            await self.close(code)

    async def receive_messages(self) -> int | None:
        """Hear message after message; gives the code to hang up with, or none if the client did."""
        while not self.client.slow:
            try:
                self.listening = True
                message = await self.socket.receive()
            except asyncio.CancelledError:
                if not self.client.slow:
                    raise
                break
            finally:
                self.listening = False
            if message["type"] == "websocket.disconnect":
                return None
            if (text := message.get("text")) is None:
                return UNSUPPORTED_DATA
            if not await self.handle_text(text):
                return POLICY_VIOLATION
        return TRY_AGAIN_LATER

    async def send_queued(self) -> None:
        """Send what waits, in order."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                message = await self.client.queue.get()
                self.client.sending = True
                await self.socket.send_text(message)
                self.client.sending = False

    async def close(self, code: int) -> None:
        """Close the socket; whoever does not read this either is cut off without it."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.socket.close(code)

    async def handle_text(self, text: str) -> bool:
        """Do what one message wants; tells whether the conversation goes on."""
        if wait := self.client.throttle():
            await asyncio.sleep(wait)
        try:
            message = self.decode(text)
        except MessageMalformed as error:
            self.malformed += 1
            self.client.refuse(None, error)
            return self.malformed < MAX_MALFORMED
        command = getattr(message, "id", None)
        try:
            await self.handle(message)
        except KnobelError as error:
            self.client.refuse(command, error)
        return True

    def decode(self, text: str) -> Incoming:
        """Read a message; only house rules make one long, and only where they may be brought in."""
        try:
            message = DECODER.decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise MessageMalformed from None
        brings = has_house_rules(message)
        if (brings and not self.house_rules) or (not brings and len(text.encode()) > MAX_MESSAGE):
            raise MessageMalformed
        return message

    async def handle(self, message: Incoming) -> None:
        """Do what a message wants."""
        client = self.client
        match message:
            case EnterRoom(room):
                await self.hubs.enter(client, room)
            case EnterCode(code):
                await self.hubs.enter(client, await self.find_room(code))
            case OpenRoom(command, settle, chairs):
                self.rate_limits.count_room(client.device, self.address)
                opened = await self.host.open_room(client.device, command, settle, chairs)
                client.send(encode_message(DoneMessage(command, opened.id)))
            case PlayOn(command, game, event, seat, bot):
                self.rate_limits.count_room(client.device, self.address)
                opened = await continue_game(self.host, client.device, command, game, event, seat, bot)
                client.send(encode_message(DoneMessage(command, opened.id)))
            case RoomCommand(command, room, intent):
                reply = await self.host.execute(room, client.device, command, intent)
                client.send(encode_message(DoneMessage(command, reply.room_id, reply.count, reply.head)))
            case AskHint(command, room, seat):
                await self.start_coach_task(
                    command, build_hint(self.hubs.coaching, client.device, client.lang, command, room, seat)
                )
            case AskLedger(command, room, seat):
                await self.start_coach_task(
                    command, build_ledger(self.hubs.coaching, client.device, command, room, seat)
                )
            case AskTurn(command, room, seat, box, dice):
                desk = await self.host.find_session(room)
                require_seat(desk.room, client.device, seat)
                client.send(
                    encode_turn(command, desk.room, self.host.require_table(desk), client.lang, seat, box, dice)
                )
            case SayRemark(room, seat, remark):
                self.hubs.send_remark(client, room, seat, remark)
            case Ping():
                client.send(PONG)
            case SetLanguage(lang):
                client.lang = lang if lang in LANGUAGES else client.lang

    async def start_coach_task(self, command_id: str, answer: Coroutine[Any, Any, str]) -> None:
        """Let the coach think beside the conversation, which may have to wait for a book; who asks too much waits."""
        task = asyncio.create_task(self.send_answer(command_id, answer))
        self.coach_tasks.add(task)
        task.add_done_callback(self.coach_tasks.discard)
        if len(self.coach_tasks) > MAX_COACH_TASKS:
            await asyncio.wait(self.coach_tasks, return_when=asyncio.FIRST_COMPLETED)

    async def send_answer(self, command_id: str, answer: Coroutine[Any, Any, str]) -> None:
        """Send what the coach says, or why it says nothing."""
        try:
            self.client.send(await answer)
        except KnobelError as error:
            self.client.refuse(command_id, error)

    async def find_room(self, code: str) -> str:
        """Find the room with a spoken code; nobody may guess for long."""
        self.rate_limits.count_code(self.client.device, self.address)
        room = await self.host.find_room_by_code(code)
        self.rate_limits.refund_code(self.client.device, self.address)
        return room


def has_house_rules(message: Incoming) -> bool:
    """Tell whether a message brings the text of house rules."""
    match message:
        case OpenRoom(_, settle):
            return settle.house is not None
        case RoomCommand(_, _, intent):
            return getattr(intent, "house", None) is not None
    return False
