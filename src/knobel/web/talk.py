"""One client's socket: reads its messages one by one, does what they want, sends what there is to tell."""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from knobel.errors import KnobelError, MessageMalformed
from knobel.host import Host
from knobel.host.again import play_on
from knobel.host.deciding import need_seat
from knobel.lang import LANGUAGES
from knobel.web.coaching import hint, running_ledger
from knobel.web.line import LINE
from knobel.web.patience import Doorkeeper
from knobel.web.rooms import Client, Rooms
from knobel.web.told import turn_news, written
from knobel.web.wire import (
    AskHint,
    AskLedger,
    AskTurn,
    Done,
    Enter,
    EnterCode,
    Here,
    Incoming,
    Knock,
    Open,
    PlayOn,
    Say,
    Speak,
    Want,
)

HERE = written(Here())
READ: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)
MESSAGE = 4 * 1024
HOUSE_MESSAGE = 48 * 1024
"""So long may a message be that brings house rules."""
MOST_WRONG = 20
MOST_THINKING = 2
"""So many questions to the coach a client has under way before it is heard again."""
BINARY, WRONG, SLOW = 1003, 1008, 1013
LAST_WORD_SECONDS = 20.0
"""So long a client that stopped reading has to take the word that it was let go."""


class Talk:
    """A conversation with one client."""

    def __init__(
        self, socket: WebSocket, client: Client, rooms: Rooms, host: Host, door: Doorkeeper, house_rules: bool
    ) -> None:
        self.socket = socket
        self.address = socket.client.host if socket.client else ""
        self.client = client
        self.rooms = rooms
        self.host = host
        self.door = door
        self.house_rules = house_rules
        self.wrong = 0
        self.listening = False
        self.thinking: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Talk until one of us hangs up."""
        own = asyncio.current_task()
        self.client.overrun = lambda: own.cancel() if own and self.listening else None
        line = self.socket.scope.get("extensions", {}).get(LINE)
        if line is not None:
            self.client.tell = line["tell"]
        writer = asyncio.create_task(self.write())
        code = None
        try:
            code = await self.listen()
        finally:
            for task in (writer, *self.thinking):
                task.cancel()
            self.rooms.leave(self.client)
        if code is not None:
            await self.hang_up(code)

    async def listen(self) -> int | None:
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
                return BINARY
            if not await self.hear(text):
                return WRONG
        return SLOW

    async def write(self) -> None:
        """Send what waits, in order."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                message = await self.client.waiting.get()
                self.client.sending = True
                await self.socket.send_text(message)
                self.client.sending = False

    async def hang_up(self, code: int) -> None:
        """Close the socket; whoever does not read this either is cut off without it."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            async with asyncio.timeout(LAST_WORD_SECONDS):
                await self.socket.close(code)

    async def hear(self, text: str) -> bool:
        """Do what one message wants; tells whether the conversation goes on."""
        if wait := self.client.too_fast():
            await asyncio.sleep(wait)
        try:
            message = self.read(text)
        except MessageMalformed as error:
            self.wrong += 1
            self.client.refuse(None, error)
            return self.wrong < MOST_WRONG
        command = getattr(message, "id", None)
        try:
            await self.do(message)
        except KnobelError as error:
            self.client.refuse(command, error)
        return True

    def read(self, text: str) -> Incoming:
        """Read a message; only house rules make one long, and only where they may be brought in."""
        try:
            message = READ.decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise MessageMalformed from None
        brings = brings_house(message)
        if (brings and not self.house_rules) or (not brings and len(text.encode()) > MESSAGE):
            raise MessageMalformed
        return message

    async def do(self, message: Incoming) -> None:
        """Do what a message wants."""
        client = self.client
        match message:
            case Enter(room):
                await self.rooms.enter(client, room)
            case EnterCode(code):
                await self.rooms.enter(client, await self.room_of(code))
            case Open(command, settle, chairs):
                self.door.open_room(client.owner, self.address)
                opened = await self.host.open(client.owner, command, settle, chairs)
                client.send(written(Done(command, opened.room)))
            case PlayOn(command, game, event, seat, bot):
                self.door.open_room(client.owner, self.address)
                opened = await play_on(self.host, client.owner, command, game, event, seat, bot)
                client.send(written(Done(command, opened.room)))
            case Want(command, room, intent):
                reply = await self.host.do(room, client.owner, command, intent)
                client.send(written(Done(command, reply.room, reply.count, reply.head)))
            case AskHint(command, room, seat):
                await self.think(command, hint(self.rooms.coaching, client.owner, client.lang, command, room, seat))
            case AskLedger(command, room, seat):
                await self.think(command, running_ledger(self.rooms.coaching, client.owner, command, room, seat))
            case AskTurn(command, room, seat, box, dice):
                desk = await self.host.desk(room)
                need_seat(desk.room, client.owner, seat)
                client.send(turn_news(command, desk.room, self.host.playing(desk), client.lang, seat, box, dice))
            case Say(room, seat, remark):
                self.rooms.say(client, room, seat, remark)
            case Knock():
                client.send(HERE)
            case Speak(lang):
                client.lang = lang if lang in LANGUAGES else client.lang

    async def think(self, command: str, answer: Coroutine[Any, Any, str]) -> None:
        """Let the coach think beside the conversation, which may have to wait for a book; who asks too much waits."""
        task = asyncio.create_task(self.answered(command, answer))
        self.thinking.add(task)
        task.add_done_callback(self.thinking.discard)
        if len(self.thinking) > MOST_THINKING:
            await asyncio.wait(self.thinking, return_when=asyncio.FIRST_COMPLETED)

    async def answered(self, command: str, answer: Coroutine[Any, Any, str]) -> None:
        """Send what the coach says, or why it says nothing."""
        try:
            self.client.send(await answer)
        except KnobelError as error:
            self.client.refuse(command, error)

    async def room_of(self, code: str) -> str:
        """Find the room with a spoken code; nobody may guess for long."""
        self.door.try_code(self.client.owner, self.address)
        room = await self.host.room_of_code(code)
        self.door.right_code(self.client.owner, self.address)
        return room


def brings_house(message: Incoming) -> bool:
    """Tell whether a message brings the text of house rules."""
    match message:
        case Open(_, settle):
            return settle.house is not None
        case Want(_, _, intent):
            return getattr(intent, "house", None) is not None
    return False
