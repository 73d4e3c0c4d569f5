"""One client's socket: reads its messages one by one, does what they want, sends what there is to tell."""

import asyncio
import contextlib

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from knobel.errors import KnobelError, MessageMalformed, RoomUnknown
from knobel.host import Host
from knobel.lang import LANGUAGES
from knobel.web.rooms import Client, Rooms
from knobel.web.told import written
from knobel.web.wire import Done, Enter, EnterCode, Incoming, Open, Say, Speak, Want

READ: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)
MOST_WRONG = 20
WRONG, SLOW = 1008, 1013
MOST_CODES = 10


class Talk:
    """A conversation with one client."""

    def __init__(self, socket: WebSocket, client: Client, rooms: Rooms, host: Host, house_rules: bool) -> None:
        self.socket = socket
        self.client = client
        self.rooms = rooms
        self.host = host
        self.house_rules = house_rules
        self.wrong = 0
        self.codes = 0

    async def run(self) -> None:
        """Talk until one of us hangs up."""
        writer = asyncio.create_task(self.write())
        try:
            while not self.client.slow:
                message = await self.socket.receive_text()
                if not await self.hear(message):
                    await self.hang_up(WRONG)
                    break
        except (WebSocketDisconnect, KeyError, RuntimeError):
            pass
        finally:
            writer.cancel()
            self.rooms.leave(self.client)

    async def write(self) -> None:
        """Send what waits, in order; a client that reads too slowly is let go."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                message = await self.client.waiting.get()
                if self.client.slow:
                    break
                await self.socket.send_text(message)
            await self.hang_up(SLOW)

    async def hang_up(self, code: int) -> None:
        """Close the socket."""
        with contextlib.suppress(RuntimeError):
            await self.socket.close(code)

    async def hear(self, text: str) -> bool:
        """Do what one message wants; tells whether the conversation goes on."""
        await asyncio.sleep(self.client.too_fast())
        try:
            message = READ.decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            self.wrong += 1
            self.client.refuse(None, MessageMalformed())
            return self.wrong < MOST_WRONG
        command = getattr(message, "id", None)
        try:
            await self.do(message)
        except KnobelError as error:
            self.client.refuse(command, error)
        return True

    async def do(self, message: Incoming) -> None:
        """Do what a message wants."""
        match message:
            case Enter(room):
                await self.rooms.enter(self.client, room)
            case EnterCode(code):
                self.codes += 1
                if self.codes > MOST_CODES:
                    raise RoomUnknown
                await self.rooms.enter(self.client, await self.host.room_of_code(code))
            case Open(command, settle, chairs):
                if settle.house is not None and not self.house_rules:
                    raise MessageMalformed
                opened = await self.host.open(self.client.owner, command, settle, chairs)
                self.client.send(written(Done(command, opened.room)))
            case Want(command, room, intent):
                if getattr(intent, "house", None) is not None and not self.house_rules:
                    raise MessageMalformed
                reply = await self.host.do(room, self.client.owner, command, intent)
                self.client.send(written(Done(command, reply.room, reply.count, reply.head)))
            case Say(_, seat, remark):
                self.rooms.say(self.client, seat, remark)
            case Speak(lang):
                self.client.lang = lang if lang in LANGUAGES else self.client.lang
