"""What a device keeps for each server: its two secrets, and for each game its seed and what it was promised."""

import contextlib
import fcntl
import secrets
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from knobel import fair
from knobel.atomic_write import PRIVATE_MODE, write_atomically
from knobel.errors import DeviceFileInvalid, FileUnwritable
from knobel.rules.fields import abbreviate

MOST_GAMES = 200
"""So many games of a server are remembered; older ones were verified long ago or never will be."""


class GameSecret(Struct, frozen=True):
    """The seed of this device for a game, and what the server had promised before it was drawn."""

    seed: str
    promise: str


class KnownServer(Struct, frozen=True):
    """The proof of this device at one server, and its part in the games there."""

    cookie: str
    secret: str
    games: dict[str, GameSecret] = {}


DECODER = msgspec.json.Decoder(dict[str, KnownServer])


class DeviceFile:
    """A file that only its owner can read; several programs may use it at once."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def find_server(self, origin: str) -> KnownServer | None:
        return self.read().get(origin)

    def remember_server(self, origin: str, cookie: str) -> KnownServer:
        """Keep the cookie of a server with a new secret, unless another program was faster."""
        with self.change() as servers:
            return servers.setdefault(origin, KnownServer(cookie, secrets.token_hex(32)))

    def draw_seed(self, origin: str, game: str, promise: str) -> GameSecret:
        """Give the seed of this device for a game; it is drawn once, after the server has promised its own."""
        with self.change() as servers:
            known = servers[origin]
            if (found := known.games.get(game)) is not None:
                return found
            drawn = GameSecret(secrets.token_hex(fair.SEED_BYTES), promise)
            kept = dict(list(known.games.items())[1 - MOST_GAMES :])
            servers[origin] = replace(known, games={**kept, game: drawn})
            return drawn

    def find_seed(self, origin: str, game: str) -> GameSecret | None:
        known = self.find_server(origin)
        return known.games.get(game) if known else None

    def read(self) -> dict[str, KnownServer]:
        """Read everything; a file that is not there is empty, one that cannot be read is an error."""
        try:
            return DECODER.decode(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise DeviceFileInvalid(file=str(self.path), reason=abbreviate(error.strerror)) from None
        except (msgspec.MsgspecError, ValueError) as error:
            raise DeviceFileInvalid(file=str(self.path), reason=abbreviate(str(error))) from None

    @contextlib.contextmanager
    def change(self) -> Iterator[dict[str, KnownServer]]:
        """Change what is kept while nobody else does."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = self.path.with_suffix(".lock").open("w")
        except OSError as error:
            raise FileUnwritable(file=abbreviate(self.path.name), reason=abbreviate(error.strerror)) from None
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            servers = self.read()
            before = dict(servers)
            yield servers
            if servers != before:
                with write_atomically(self.path, PRIVATE_MODE) as file:
                    file.write(msgspec.json.encode(servers))
