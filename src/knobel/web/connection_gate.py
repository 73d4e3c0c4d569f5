"""Accepts connections for the workers, and looks which room each asks for without taking a byte from it."""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import TypeAlias

from knobel.web.affinity import MAX_REQUEST_LINE, find_room
from knobel.web.http_protocol import REQUEST_SECONDS

PassOn: TypeAlias = Callable[[socket.socket, str | None], None]
"""Called with a connection that has something to say, and the room it asks for."""
MAX_BURST = 64
"""How many connections are accepted in one turn of the event loop."""
FULL_SECONDS = 0.2
"""How long nothing is accepted when the process has no file descriptor left."""


class ConnectionGate:
    """Holds each connection until its request begins; the rest is read by the worker it is passed on to."""

    def __init__(self, listener: socket.socket, pass_on: PassOn) -> None:
        self.listener = listener
        self.pass_on = pass_on
        self.silent: dict[socket.socket, asyncio.TimerHandle] = {}
        self.is_open = False

    def open(self) -> None:
        """Accept from now on."""
        self.listener.setblocking(False)
        self.is_open = True
        asyncio.get_running_loop().add_reader(self.listener.fileno(), self.accept)

    def close(self) -> None:
        """Accept nothing more, and let go of whoever has not said anything yet."""
        self.is_open = False
        asyncio.get_running_loop().remove_reader(self.listener.fileno())
        self.listener.close()
        for connection in tuple(self.silent):
            self.release(connection)
            connection.close()

    def accept(self) -> None:
        for _ in range(MAX_BURST):
            try:
                connection, _ = self.listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:
                self.pause()
                return
            self.hold(connection)

    def pause(self) -> None:
        """Accept nothing for a moment: there are too many connections for this process."""
        loop = asyncio.get_running_loop()
        loop.remove_reader(self.listener.fileno())
        loop.call_later(FULL_SECONDS, lambda: self.open() if self.is_open else None)

    def hold(self, connection: socket.socket) -> None:
        """Wait until a connection says something, but not for ever."""
        connection.setblocking(False)
        with contextlib.suppress(OSError):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        loop = asyncio.get_running_loop()
        self.silent[connection] = loop.call_later(REQUEST_SECONDS, self.give_up, connection)
        loop.add_reader(connection.fileno(), self.look, connection)

    def release(self, connection: socket.socket) -> None:
        asyncio.get_running_loop().remove_reader(connection.fileno())
        self.silent.pop(connection).cancel()

    def give_up(self, connection: socket.socket) -> None:
        self.release(connection)
        connection.close()

    def look(self, connection: socket.socket) -> None:
        """Look at the beginning of the request; one that comes in pieces goes to any worker."""
        try:
            head = connection.recv(MAX_REQUEST_LINE, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            head = b""
        self.release(connection)
        if head:
            self.pass_on(connection, find_room(head))
        else:
            connection.close()
