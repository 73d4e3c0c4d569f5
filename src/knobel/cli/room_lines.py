"""Typed lines beside a connection: whoever waits for a line also hears what happens in the room."""

import asyncio
import codecs
import contextlib
import os
import stat
import sys
from collections import deque

from knobel.cli.conversation import InputLines

NEWS = ""
"""What is read where nothing was typed but something happened; a typed line ends with its line feed."""
CHUNK = 4096


class Keyboard:
    """Reads lines as they are typed, without a thread; a file or nothing at all is read at once."""

    def __init__(self, wake: asyncio.Event) -> None:
        self.wake = wake
        self.lines = deque[str]()
        self.is_ended = False
        self.rest = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.descriptor: int | None = None

    def open(self) -> None:
        """Listen to the input from now on."""
        with contextlib.suppress(OSError, ValueError, AttributeError):
            descriptor = sys.stdin.fileno()
            mode = os.fstat(descriptor).st_mode
            if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode):
                asyncio.get_running_loop().add_reader(descriptor, self.read)
                self.descriptor = descriptor
                return
        self.lines.extend(sys.stdin.readlines() if sys.stdin else ())
        self.is_ended = True

    def close(self) -> None:
        if self.descriptor is not None:
            asyncio.get_running_loop().remove_reader(self.descriptor)
            self.descriptor = None

    def read(self) -> None:
        """Take what was typed; the last line may lack its end."""
        content = os.read(self.descriptor, CHUNK) if self.descriptor is not None else b""
        *whole, self.rest = (self.rest + self.decoder.decode(content, not content)).split("\n")
        self.lines.extend(f"{line}\n" for line in whole)
        if not content:
            if self.rest:
                self.lines.append(f"{self.rest}\n")
            self.is_ended = True
            self.close()
        self.wake.set()


class RoomLines(InputLines):
    """Lines that are typed in a room; while one is waited for, the room goes on."""

    def __init__(self, runner: asyncio.Runner) -> None:
        super().__init__(iter(()))
        self.runner = runner
        self.wake = asyncio.Event()
        self.keyboard = Keyboard(self.wake)
        self.has_news = False
        self.is_terminal = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
        self.has_prompt = False

    @property
    def is_ended(self) -> bool:
        """Whether everything that was typed is read, and nothing more can come."""
        return self.keyboard.is_ended and not self.keyboard.lines and not self.pushed_back

    def note_news(self) -> None:
        """Something happened in the room: whoever waits looks again."""
        self.has_news = True
        self.wake.set()

    def begin_output(self) -> None:
        """Leave the line of the prompt before something is said that nobody typed for."""
        if self.has_prompt:
            sys.stdout.write("\n")
            self.has_prompt = False

    def __next__(self) -> str:
        if self.pushed_back:
            return self.pushed_back.pop()
        if self.is_terminal and not self.has_prompt:
            sys.stdout.write("> ")
            self.has_prompt = True
        sys.stdout.flush()
        line = self.runner.run(self.wait(takes_lines=True))
        if line is None:
            raise StopIteration
        self.has_prompt = self.has_prompt and line == NEWS
        return line

    def wait_for_news(self) -> None:
        """Wait until something happens; what is typed meanwhile is kept, or at a terminal read."""
        sys.stdout.flush()
        self.runner.run(self.wait(takes_lines=False))

    async def wait(self, takes_lines: bool) -> str | None:
        while True:
            if takes_lines and self.keyboard.lines:
                return self.keyboard.lines.popleft()
            if self.has_news:
                self.has_news = False
                return NEWS
            if takes_lines and self.keyboard.is_ended:
                return None
            self.wake.clear()
            await self.wake.wait()
