"""A bot that joins a room over the wire: takes what scores most, re-rolls the rest. Needs only `websockets`.

    python examples/bot-client/greedy.py http://localhost:8765/room/ROOM [NAME]

Open a room in the browser with “Invite friends”, start this with its link, then press Start.
"""

import asyncio
import hashlib
import json
import os
import struct
import sys
import urllib.request
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect


def packed(*fields: bytes) -> bytes:
    """Join fields as docs/fair-dice.md wants them."""
    return struct.pack(">I", len(fields)) + b"".join(struct.pack(">I", len(field)) + field for field in fields)


class Player:
    """One seat at one table."""

    def __init__(self, line: ClientConnection, name: str) -> None:
        self.line, self.name = line, name
        self.number = 0
        self.self = os.urandom(8).hex()
        self.seeds: dict[str, bytes] = {}
        self.sealed = ""
        self.seat: int | None = None

    async def want(self, intent: dict[str, Any], game: str | None = None) -> None:
        """Want something of the room, or of a game; the answer is `done` or `refused`, then comes what changed."""
        self.number += 1
        message = {"do": "want", "id": f"{self.self}.{self.number}", "intent": intent, "game": game}
        await self.line.send(json.dumps(message))

    async def hear_room(self, view: dict[str, Any]) -> None:
        """Sit down once, and promise a seed for the dice of the next game."""
        self.seat = next((place for place, seat in enumerate(view["seats"]) if seat["yours"]), None)
        if self.seat is None:
            if not view["running"]:
                await self.want({"want": "sit", "name": self.name})
        elif not view["sealed"] and self.sealed != f"{view['next_game']}/{self.seat}":
            self.sealed = f"{view['next_game']}/{self.seat}"
            seed = self.seeds.setdefault(view["next_game"], os.urandom(32))
            seal = packed(b"yz-cs-v1", view["next_game"].encode(), struct.pack(">I", self.seat), seed)
            intent = {"want": "seal", "game": view["next_game"], "seal": hashlib.sha256(seal).hexdigest()}
            await self.want(intent)

    async def hear_position(self, view: dict[str, Any]) -> bool:
        """Show the seed, or make a move when it is our turn; tells whether the game goes on."""
        if self.seat in view["waiting"]:
            await self.want({"want": "reveal", "seed": self.seeds[view["game"]].hex()}, view["game"])
        for tray in view["trays"]:
            if tray["seat"] == self.seat and not view["waiting"]:
                action = chosen(tray, self.dice)
                await self.want({"want": "act", "seat": self.seat, "ply": view["ply"], "action": action}, view["game"])
        return view["closed"] is None

    async def run(self) -> None:
        """Play until the game is closed; connecting was entering, so the room comes first."""
        async for text in self.line:
            message = json.loads(text)
            match message["is"]:
                case "room":
                    await self.hear_room(message["view"])
                case "game":
                    self.dice = message["dice"]
                case "position":
                    print(*message["narration"], sep="\n")
                    if not await self.hear_position(message["view"]):
                        return
                case "refused":
                    print(message["text"])


def chosen(tray: dict[str, Any], dice: int) -> str:
    """Choose an action from what the server offers: the browser computes no rules, and neither do we."""
    free = [option for option in tray["options"] if option["refusal"] is None]
    if tray["phase"] == "announce":
        return str(free[0]["announce_action"])
    if not tray["dice"]:
        return "." * dice
    best = max(free, key=lambda option: option["points"] + option["extra"])
    if tray["roll_refusal"] is None and best["points"] < 20:
        most = max(set(tray["dice"]), key=tray["dice"].count)
        kept = [value == most or place in tray["locked"] for place, value in enumerate(tray["dice"])]
        if not all(kept):
            return "".join(str(value) if keep else "." for value, keep in zip(tray["dice"], kept, strict=True))
    return str(best["action"])


async def main(link: str, name: str) -> None:
    """Fetch a cookie, draw the secret that belongs to it, open the socket, play."""
    parts = urlsplit(link)
    with urllib.request.urlopen(f"{parts.scheme}://{parts.netloc}/") as page:  # noqa: S310
        cookie = page.headers["set-cookie"].partition(";")[0]
    origin = f"{parts.scheme}://{parts.netloc}"
    address = f"ws://{parts.netloc}/ws/5/{parts.path.rpartition('/')[2]}"
    options: dict[str, Any] = {
        "origin": origin,
        "additional_headers": {"Cookie": cookie},
        "subprotocols": ["knobel", f"secret.{os.urandom(32).hex()}"],
    }
    async with connect(address, **options) as line:
        await Player(line, name).run()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    asyncio.run(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "Robot"))
