"""One client's socket: handle its messages one by one, and send it what is queued."""

import asyncio
import contextlib
import time
from collections.abc import Coroutine
from typing import Any, TypeAlias

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from knobel.errors import KnobelError, MessageMalformed, RoomNotFound
from knobel.host import Host
from knobel.host.decisions import require_seat
from knobel.lang import LANGUAGES, Translator
from knobel.record.json_keys import check_duplicate_keys
from knobel.rooms.intents import AnyIntent, GameIntent
from knobel.web.chances import ChancesQuestion
from knobel.web.coaching import build_hint, build_ledger
from knobel.web.house_rules import HouseRulesFiles
from knobel.web.hubs import Client, RoomHubs, build_done, encode_refusal
from knobel.web.messages import encode_message, encode_turn
from knobel.web.protocol import EXTENSION
from knobel.web.wire import (
    AskChances,
    AskHint,
    AskLedger,
    AskTurn,
    Ping,
    Pong,
    RawCommand,
    ReportSeen,
    SayRemark,
    SetLanguage,
)

Incoming: TypeAlias = (
    RawCommand | AskHint | AskLedger | AskTurn | AskChances | ReportSeen | SayRemark | Ping | SetLanguage
)
PONG = encode_message(Pong())
DECODER: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)
INTENT_DECODER: msgspec.json.Decoder[AnyIntent] = msgspec.json.Decoder(AnyIntent)
MAX_MESSAGE = 4 * 1024
MAX_MALFORMED = 20
COSTS: dict[type, int] = {SetLanguage: 10, AskTurn: 6, AskChances: 2}
"""What a message takes from the budget of its device, where it makes the server draw much; any other takes one."""
MAX_COACH_TASKS = 2
"""How many questions to the coach a client may have open before its next message is handled."""
UNSUPPORTED_DATA, POLICY_VIOLATION, SERVICE_RESTART, TRY_AGAIN_LATER, NO_SUCH_ROOM = 1003, 1008, 1012, 1013, 4004
MAX_CLOSE_REASON = 120
"""How many bytes a reason for closing may have."""
CLOSE_SECONDS = 20.0
"""How long a client that stopped reading has to take the closing message."""


class ReceivedCommand(msgspec.Struct, frozen=True):
    """A command as it came: `body` is the very bytes of its intent, `game` the game it is meant for."""

    id: str
    intent: AnyIntent
    body: bytes
    game: str | None


class ClientConnection:
    """A socket of one client in one room."""

    def __init__(
        self, socket: WebSocket, client: Client, room_id: str, hubs: RoomHubs, house_rules: HouseRulesFiles
    ) -> None:
        self.socket = socket
        self.client = client
        self.room_id = room_id
        self.hubs = hubs
        self.host: Host = hubs.host
        self.house_rules = house_rules
        self.malformed = 0
        self.listening = False
        self.coach_tasks: set[asyncio.Task[None]] = set()
        self.chances = ChancesQuestion(hubs.chances, client, room_id)

    async def run(self) -> None:
        """Enter the room, and exchange messages until one side closes."""
        own = asyncio.current_task()
        self.client.outbox.on_overrun = lambda: own.cancel() if own and self.listening else None
        extension = self.socket.scope.get("extensions", {}).get(EXTENSION)
        if extension is not None:
            self.client.outbox.try_write = extension["write"]
        writer = asyncio.create_task(self.send_queued())
        code = None
        self.hubs.meters.connections += 1
        try:
            code = await self.enter() or await self.receive_messages()
        finally:
            for task in (writer, *self.coach_tasks):
                task.cancel()
            self.hubs.meters.connections -= 1
            self.chances.stop()
            self.hubs.leave(self.client)
        if code is not None:
            # What was just answered leaves before the connection does.
            self.client.outbox.flush()
            await self.close(code)

    async def enter(self) -> int | None:
        """Enter the room; if that is refused, say why and give the close code."""
        try:
            await self.hubs.enter(self.client, self.room_id)
        except KnobelError as error:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                await self.socket.send_text(encode_refusal(None, error, self.client.lang).decode())
            return NO_SUCH_ROOM if isinstance(error, RoomNotFound) else TRY_AGAIN_LATER
        return None

    async def receive_messages(self) -> int | None:
        """Handle messages one by one; give the close code, or None if the client closed."""
        while not self.client.outbox.is_overrun:
            try:
                self.listening = True
                message = await self.socket.receive()
            except asyncio.CancelledError:
                if not self.client.outbox.is_overrun:
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
                message = await self.client.outbox.take()
                await self.socket.send_text(message.decode())

    async def close(self, code: int) -> None:
        """Close the socket; a client that does not read this either is cut off without it."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                if (farewell := self.client.farewell) is None:
                    await self.socket.close(code)
                else:
                    await self.socket.close(SERVICE_RESTART, write_close_reason(farewell, self.client.lang))

    async def handle_text(self, text: str) -> bool:
        """Do what one message asks; tells whether the conversation goes on."""
        try:
            message = decode(text)
        except MessageMalformed as error:
            await self.wait_for_turn(1)
            self.malformed += 1
            self.hubs.meters.errors[error.code] += 1
            self.client.refuse(None, error)
            return self.malformed < MAX_MALFORMED
        await self.wait_for_turn(COSTS.get(type(message), 1))
        try:
            await self.handle(message)
        except KnobelError as error:
            self.hubs.meters.errors[error.code] += 1
            self.client.refuse(getattr(message, "id", None), error)
        return True

    async def wait_for_turn(self, cost: int) -> None:
        """Wait until the device may send a message of this cost; none is lost."""
        if wait := self.client.budget.spend(cost):
            await asyncio.sleep(wait)

    async def handle(self, message: "ReceivedCommand | Incoming") -> None:
        client = self.client
        match message:
            case ReceivedCommand():
                await self.carry_out(message)
            case AskHint(id, seat):
                hint = build_hint(self.hubs.coaching, client.device, client.lang, id, self.room_id, seat)
                await self.start_coach_task(id, hint)
            case AskLedger(id, seat):
                ledger = build_ledger(self.hubs.coaching, client.device, id, self.room_id, seat)
                await self.start_coach_task(id, ledger)
            case AskTurn():
                await self.send_turn(message)
            case AskChances(levels):
                self.chances.ask(levels)
            case ReportSeen(game, count, head) if head:
                await self.host.check_seen(self.room_id, game, count, head)
            case SayRemark(seat, remark):
                self.hubs.send_remark(client, seat, remark)
            case Ping():
                client.send(PONG)
            case SetLanguage(lang):
                client.lang = lang if lang in LANGUAGES else client.lang
                self.hubs.show(client)

    async def carry_out(self, asked: ReceivedCommand) -> None:
        """Carry out a command, and say when it is on disk."""
        began, client = time.perf_counter(), self.client
        try:
            wanted = await self.house_rules.resolve(asked.intent)
            reply = await self.host.execute(self.room_id, client.device, asked.id, wanted, asked.body, asked.game)
        except KnobelError as error:
            self.hubs.meters.count_command(began, error.code)
            raise
        self.hubs.meters.count_command(began)
        client.send(encode_message(build_done(client, asked.id, reply)))
        client.outbox.flush_everybody()

    async def send_turn(self, asked: AskTurn) -> None:
        """Show the turn behind an entry to the device whose seat it is."""
        session = await self.host.find_session(self.room_id)
        require_seat(session.room, self.client.device, asked.seat)
        table = session.require_table()
        self.client.send(encode_turn(asked.id, table, self.client.lang, asked.seat, asked.box, asked.dice))

    async def start_coach_task(self, command_id: str, answer: Coroutine[Any, Any, bytes]) -> None:
        """Run a coach request in the background; a client with too many open requests waits."""
        task = asyncio.create_task(self.send_answer(command_id, answer))
        self.coach_tasks.add(task)
        task.add_done_callback(self.coach_tasks.discard)
        if len(self.coach_tasks) > MAX_COACH_TASKS:
            await asyncio.wait(self.coach_tasks, return_when=asyncio.FIRST_COMPLETED)

    async def send_answer(self, command_id: str, answer: Coroutine[Any, Any, bytes]) -> None:
        """Send what the coach says, or why it says nothing."""
        try:
            self.client.send(await answer)
        except KnobelError as error:
            self.client.refuse(command_id, error)


def write_close_reason(error: KnobelError, lang: str) -> str:
    """Write why a socket is closed, as much of it as fits."""
    return Translator(lang).describe_error(error).encode()[:MAX_CLOSE_REASON].decode(errors="ignore")


def decode(text: str) -> ReceivedCommand | Incoming:
    """Read a message; what is too long or unknown is malformed."""
    if len(text.encode()) > MAX_MESSAGE:
        raise MessageMalformed
    try:
        check_duplicate_keys(text)
        message = DECODER.decode(text)
        if isinstance(message, RawCommand):
            intent, body = INTENT_DECODER.decode(message.intent), bytes(message.intent)
            if message.game is None and isinstance(intent, GameIntent):
                raise MessageMalformed
            return ReceivedCommand(message.id, intent, body, message.game)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise MessageMalformed from None
    return message
