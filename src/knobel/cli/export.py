"""`knobel export`: a kept game as a record; its seeds are in it once the game is over."""

import sys
from pathlib import Path

from knobel.cli.line import LANG, Argument, Command, Given, Option
from knobel.cli.screen import say
from knobel.cli.sitting import DATABASE, at_home, find_game
from knobel.host.keeping import exported
from knobel.lang import Words, language
from knobel.record.file import SUFFIX, save

STREAM = "-"


def run(given: Given) -> None:
    """Write the record of a game."""
    words = Words(language(given.word("lang")))
    with at_home(given.word("database")) as (runner, host):
        game = runner.run(find_game(host.store, given.the("game")))
        content = runner.run(exported(host.store, game.game))
    place = given.word("output") or f"{game.game}{SUFFIX}"
    if place == STREAM:
        sys.stdout.buffer.write(content)
        return
    save(content, Path(place))
    say(words("interface.export.written", file=place))
    if not game.closed:
        say(words("interface.export.unfinished"))


COMMAND = Command("export", (Argument("game"),), (Option("output", "FILE"), DATABASE, LANG), run)
