"""`knobel join`: sit down in a room at a server elsewhere, beside browsers."""

from knobel.cli.conversation import Quit
from knobel.cli.parser import LANG, Argument, Command, CommandOption, Given
from knobel.cli.room_visit import ROOM_ARGUMENT, SERVER, enter_room
from knobel.cli.screen import say_paragraph


def run(given: Given) -> None:
    """Take a seat and play every game of the room, until nobody wants another."""
    with enter_room(given) as visit:
        try:
            while True:
                visit.sit_down(given.read_value("name"))
                visit.wait_in_lobby()
                visit.play_game()
                if not visit.goes_on():
                    return
        except Quit:
            visit.lines.begin_output()
            say_paragraph(
                visit.words("interface.room.gone", link=f"{visit.room.address.origin}/room/{visit.room.address.room}")
            )


COMMAND = Command(
    "join", (Argument(ROOM_ARGUMENT),), (CommandOption("name", "NAME", described_as="seat-name"), SERVER, LANG), run
)
