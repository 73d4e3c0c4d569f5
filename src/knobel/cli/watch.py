"""`knobel watch`: look on in a room at a server elsewhere."""

from knobel.cli.conversation import Quit
from knobel.cli.parser import LANG, Argument, Command, Given
from knobel.cli.room_visit import ROOM_ARGUMENT, SERVER, enter_room


def run(given: Given) -> None:
    """Say everything that happens, until the last game of the series is over."""
    with enter_room(given) as visit:
        visit.client.restrict(())
        try:
            while True:
                visit.wait_in_lobby()
                visit.play_game()
                if not visit.goes_on():
                    return
        except Quit:
            visit.lines.begin_output()


COMMAND = Command("watch", (Argument(ROOM_ARGUMENT),), (SERVER, LANG), run)
