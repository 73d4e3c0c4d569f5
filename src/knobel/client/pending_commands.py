"""Commands that are never lost and never done twice: each keeps its id and its text until it is answered."""

import asyncio
import secrets
from dataclasses import dataclass

from knobel.client.messages import DoneNews, RefusedNews, write_command
from knobel.errors import ServerRefused
from knobel.rooms.intents import AnyIntent

UNSURE = "database"
"""What the code of a refusal begins with that leaves open whether a command was carried out."""


@dataclass(frozen=True, slots=True)
class PendingCommand:
    """A command that waits for its answer."""

    message: str
    answer: asyncio.Future[DoneNews]


class PendingCommands:
    """The commands of this device that are not answered yet, in the order in which they were given."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(8)
        self.count = 0
        self.waiting: dict[str, PendingCommand] = {}

    def add(self, intent: AnyIntent, game: str | None) -> PendingCommand:
        self.count += 1
        command = f"{self.name}.{self.count}"
        pending = PendingCommand(write_command(command, intent, game), asyncio.get_running_loop().create_future())
        self.waiting[command] = pending
        return pending

    def resolve(self, done: DoneNews) -> None:
        if (pending := self.waiting.pop(done.id, None)) is not None and not pending.answer.done():
            pending.answer.set_result(done)

    def refuse(self, refused: RefusedNews) -> str | None:
        """Refuse the command that is named; give the text to send again where nobody knows what became of it."""
        pending = self.waiting.get(refused.id or "")
        if pending is None:
            return None
        if refused.code.startswith(UNSURE):
            return pending.message
        del self.waiting[refused.id or ""]
        if not pending.answer.done():
            pending.answer.set_exception(ServerRefused(text=refused.text))
        return None

    def list_messages(self) -> list[str]:
        return [pending.message for pending in self.waiting.values()]
