"""A visit to a room at a server elsewhere: enter, sit down or look on, play game after game, check the dice."""

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

from knobel.cli.conversation import Quit
from knobel.cli.ending import offer_more, show_duplicate_result, show_result
from knobel.cli.families import FAMILIES
from knobel.cli.parser import CommandOption, Given
from knobel.cli.remote_client import RemoteClient
from knobel.cli.room_conversation import RoomConversation
from knobel.cli.room_lines import NEWS, RoomLines
from knobel.cli.screen import say, say_paragraph
from knobel.cli.serve import DEFAULT_PORT
from knobel.cli.typed_words import fold, list_words
from knobel.cli.verify import describe_verdict
from knobel.client import DeviceFile, RemoteRoom, parse_address
from knobel.client.messages import RemarkNews, SolvingNews
from knobel.client.remote_room import RoomListeners
from knobel.errors import DiceNotFair, KnobelError, RecordDiceMismatch, ServerRefused, ServerUnreachable
from knobel.host.archive import default_database_path
from knobel.host.record_edition import rebuild_edition
from knobel.lang import SOURCE_LANGUAGE, Translator, choose_language, has_message
from knobel.record.duplicate import is_duplicate
from knobel.rooms.intents import BeginGame, Sit, TakeSeat
from knobel.rooms.names import clean_name
from knobel.rules.fields import clean_text

ROOM_ARGUMENT = "link|code"
SERVER = CommandOption("server", "URL")
DEFAULT_SERVER = f"http://localhost:{DEFAULT_PORT}"
DEVICES = "devices.json"
"""Where the keys to the seats of this terminal lie, beside the database."""


def find_device_file() -> Path:
    return default_database_path().with_name(DEVICES)


@contextlib.contextmanager
def enter_room(given: Given) -> Iterator["RoomVisit"]:
    """Enter the room that was named, for as long as the command runs."""
    words = Translator(choose_language(given.read_value("lang")))
    address = parse_address(given.required(ROOM_ARGUMENT), given.read_value("server") or DEFAULT_SERVER)
    with asyncio.Runner() as runner:
        visit = runner.run(build_visit(runner, words, RemoteRoom(address, DeviceFile(find_device_file()), words.lang)))
        try:
            runner.run(visit.room.open())
            yield visit
        finally:
            visit.lines.begin_output()
            runner.run(visit.room.close())


async def build_visit(runner: asyncio.Runner, words: Translator, room: RemoteRoom) -> "RoomVisit":
    """Set up a visit in the loop in which it takes place."""
    visit = RoomVisit(room, words, RoomLines(runner), runner)
    room.listeners = RoomListeners(
        visit.lines.note_news, visit.say_connection, visit.say_remark, visit.say_solving, visit.say_aside
    )
    visit.lines.keyboard.open()
    return visit


class RoomVisit:
    """What is said and asked in a room, before, between and after its games."""

    def __init__(self, room: RemoteRoom, words: Translator, lines: RoomLines, runner: asyncio.Runner) -> None:
        self.room = room
        self.words = words
        self.lines = lines
        self.client = RemoteClient(runner, room, lines)
        self.is_solving = False
        self.lost = False

    def say_connection(self, connected: bool) -> None:
        """Say that the connection was lost, and that it is back."""
        if connected != self.lost:
            return
        self.lost = not connected
        self.say_aside(self.words(f"interface.room.{'back' if connected else 'lost'}"))

    def say_remark(self, remark: RemarkNews) -> None:
        seats = self.client.view.seats
        key = f"web.remark.{remark.remark}"
        if remark.seat < len(seats) and has_message(key, SOURCE_LANGUAGE):
            self.say_aside(self.words("interface.room.says", name=seats[remark.seat].name, text=self.words(key)))

    def say_solving(self, solving: SolvingNews) -> None:
        """Say once that a bot is being prepared, or why it cannot be."""
        said = solving.refusal or (solving.text if not self.is_solving else None)
        self.is_solving = solving.progress is not None
        if said:
            self.say_aside(said)

    def say_aside(self, text: str) -> None:
        """Say something nobody typed for."""
        self.lines.begin_output()
        say_paragraph(clean_text(text))
        self.lines.note_news()

    def sit_down(self, name: str | None) -> None:
        """Take a seat, unless this device has the one that is meant; in a running game, look on until it ends."""
        before = set(self.room.own_seats)
        seats = self.client.view.seats
        wanted = clean_name(name) if name else None
        if wanted and any(seats[seat].name == wanted for seat in before):
            self.client.restrict((wanted,))
            return
        if (before and not wanted) or self.client.view.running:
            return
        saved = next((place for place, seat in enumerate(seats) if seat.offered and seat.name == wanted), None)
        self.client.send(Sit(wanted or self.words("interface.play.you")) if saved is None else TakeSeat(saved))
        self.client.restrict(
            seat.name for place, seat in enumerate(self.client.view.seats) if seat.yours and place not in before
        )

    def wait_in_lobby(self) -> None:
        """Wait until the next game begins; whoever leads the room can begin it."""
        shown = ""
        while not self.is_playing:
            if (now := self.describe_lobby()) != shown:
                shown = now
                self.lines.begin_output()
                say_paragraph(now)
            if not self.lines.is_terminal:
                if self.can_begin and self.lines.keyboard.lines:
                    self.run_lobby_line(next(self.lines))
                elif self.lines.is_ended and self.client.seats:
                    raise Quit
                else:
                    self.client.wait_for_others()
                continue
            line = next(self.lines, None)
            if line is None:
                raise Quit
            self.run_lobby_line(line)

    @property
    def is_playing(self) -> bool:
        """Whether a game runs, and its table is known here."""
        table = self.room.table
        running = table is not None and table.header.game == self.client.view.game and not table.replay.closed
        return self.client.view.running and running

    @property
    def can_begin(self) -> bool:
        return leads_room(self.client) and self.client.view.begin_refusal is None

    def describe_lobby(self) -> str:
        """Say what is played, by whom, and what is waited for."""
        view = self.client.view
        names = self.words.join_list(seat.name for seat in view.seats)
        key = "interface.room.lobby_host" if self.can_begin else "interface.room.lobby"
        said = self.words(key, title=view.title, names=names)
        if not leads_room(self.client) or view.begin_refusal is None:
            return said
        return f"{said} {self.words('errors.illegal_action', why=view.begin_refusal)}"

    def run_lobby_line(self, line: str) -> None:
        """Do what was typed before a game: begin it, or go."""
        self.client.check_connection()
        typed = fold(line)
        if line == NEWS or not typed:
            return
        if typed == "q" or typed in list_words(self.words, "quit"):
            raise Quit
        try:
            if self.can_begin and typed in list_words(self.words, "start"):
                self.client.send(BeginGame())
                return
        except KnobelError as error:
            say_paragraph(self.words.describe_error(error))
        say_paragraph(self.describe_lobby())

    def play_game(self) -> None:
        """Play the game that runs, or look on; then say how it ended and whether its dice were fair."""
        table = self.client.table
        words = Translator(self.words.lang, rebuild_edition(table.header))
        family = FAMILIES[table.game.rules.family]
        names = words.join_list(seat.name for seat in table.header.seats)
        self.lines.begin_output()
        say_paragraph(words("interface.play.hello", title=table.header.edition.title, names=names))
        say(words("interface.play.help.short"))
        focus = min(self.client.seats, default=None)
        RoomConversation(self.client, words, self.lines, family.display(table, words, focus), family.commands).run()
        self.lines.begin_output()
        show_result(table, words)
        if is_duplicate(table.header):
            # It takes a solved book; where the server has none in time, the page of the game shows it later.
            with contextlib.suppress(ServerRefused, ServerUnreachable):
                found = self.client.runner.run(self.room.requests.fetch_duplicate_result(table.header.game))
                show_duplicate_result(words, [seat.name for seat in table.header.seats], found)
        say()
        self.check_dice()

    def check_dice(self) -> None:
        """Verify the dice of the game that is over."""
        found = self.client.runner.run(self.room.check_dice())
        if found.verdict.why is not None:
            raise RecordDiceMismatch(why=found.verdict.why)
        if not found.is_fair:
            raise DiceNotFair(name=found.verdict.header.game)
        for sentence in describe_verdict(found.verdict):
            say_paragraph(self.words.translate(sentence))
        if found.is_seed_used:
            say_paragraph(self.words("interface.room.seed_used"))

    def goes_on(self) -> bool:
        """Tell whether there is another game: one of the series, or one that is asked for."""
        if self.client.view.series.next:
            return True
        seats = self.client.seats
        return bool(seats) and offer_more(self.words, self.read_answers(), seats[0], self.client.export_record)

    def read_answers(self) -> Iterator[str]:
        """Read what is typed after a game; what happens in the room does not answer."""
        return (line for line in self.lines if line != NEWS)


def leads_room(client: RemoteClient) -> bool:
    """Tell whether somebody at this terminal leads the room."""
    return bool(client.seats) and (client.view.host or client.view.acting_host)
