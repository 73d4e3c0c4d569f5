"""What is told about how a game will end: to whoever sees the table and asks."""

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING

from knobel.errors import ChancesNotReady, KnobelError
from knobel.host.chance_teller import AskedPosition, ChanceTeller
from knobel.lang import Translator
from knobel.web.hubs import Client
from knobel.web.messages import encode_message
from knobel.web.wire import ChancesMessage, SeatChance

if TYPE_CHECKING:
    from knobel.coach.table_chances import TableChances


class ChancesQuestion:
    """The question of one client how its game will end; it is answered in the background, and only the newest one."""

    def __init__(self, teller: ChanceTeller, client: Client, room_id: str) -> None:
        self.teller = teller
        self.client = client
        self.room_id = room_id
        self.task: asyncio.Task[None] | None = None

    def ask(self, at_levels: bool = False) -> None:
        """Begin to answer; what was asked before is dropped."""
        self.stop()
        self.task = asyncio.create_task(send_chances(self.teller, self.client, self.room_id, at_levels))

    def stop(self) -> None:
        """Stop: the client has asked anew, or is gone."""
        if self.task is not None:
            self.task.cancel()
            self.task = None


async def send_chances(teller: ChanceTeller, client: Client, room_id: str, at_levels: bool = False) -> None:
    """Tell a client the chances of the position now, perhaps twice: better ones later. Every question is answered.

    Where the rules are still being solved, that is the first answer, and the chances follow.
    """
    position = None
    try:
        position = await teller.find_position(room_id, at_levels)
        try:
            await send_found(teller, client, position)
        except ChancesNotReady as error:
            send_refusal(client, position, error)
            await teller.wait_until_solved(position)
            await send_found(teller, client, position)
    except KnobelError as error:
        send_refusal(client, position, error)


async def send_found(teller: ChanceTeller, client: Client, position: AskedPosition) -> None:
    async for found in teller.tell(position):
        client.send(encode_chances(position, found))


def send_refusal(client: Client, position: AskedPosition | None, error: KnobelError) -> None:
    game, ply = position.key if position else (None, None)
    client.send(encode_message(ChancesMessage(game, ply, refusal=Translator(client.lang).describe_error(error))))


def encode_chances(position: AskedPosition, found: "TableChances | None") -> bytes:
    """Write chances for the wire; there may be none just now."""
    if found is None:
        return encode_message(ChancesMessage(*position.key))
    seats = tuple(SeatChance(**asdict(one)) for one in found.seats)
    return encode_message(
        ChancesMessage(*position.key, found.kind, found.exact, seats, found.void, levels=position.at_levels)
    )
