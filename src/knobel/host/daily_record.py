"""Games of the day that are over, by ids that hold their moves: whoever has the moves has the game.

Such an id stands for a game wherever a stored one can be looked at: its record, its review, its dice. Nothing is
stored, so any number of people play the same day at one server, and every process knows every such game.
"""

import base64
import binascii
import re

import msgspec
from msgspec import Struct

from knobel import fair
from knobel.errors import GameNotFinished, GameNotFound, HouseRulesUnknown, KnobelError
from knobel.game import Announce, Roll, Score, is_against_rules
from knobel.notation import read_exact_action
from knobel.record.events import DiceSource, Header, Seat, SeriesPosition
from knobel.record.formats import FORMAT
from knobel.rooms.names import clean_name
from knobel.rooms.room import describe_edition, open_edition
from knobel.rules import Edition, load_edition
from knobel.rules.families import list_boxes
from knobel.rules.fields import abbreviate
from knobel.store import Store
from knobel.table import Table

PREFIX = "daily."
MAX_ID = 4000


class DailyGame(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a game of a day follows from; house rules go by the fingerprint of their file."""

    edition: str
    house_rules: str
    text: str
    day: str
    player: str
    moves: tuple[str, ...]


DECODER = msgspec.json.Decoder(DailyGame)


def write_daily_id(game: DailyGame) -> str:
    """Write a game as its id, which fits into a link."""
    return PREFIX + base64.urlsafe_b64encode(msgspec.json.encode(game)).decode().rstrip("=")


def is_daily_id(game_id: str) -> bool:
    return game_id.startswith(PREFIX)


def read_daily_id(game_id: str) -> DailyGame:
    """Read a game from its id; anything that is none is unknown."""
    coded = game_id.removeprefix(PREFIX)
    try:
        if len(coded) > MAX_ID:
            raise ValueError
        return DECODER.decode(base64.b64decode(coded + "=" * (-len(coded) % 4), b"-_", validate=True))
    except (ValueError, binascii.Error, msgspec.MsgspecError):
        raise GameNotFound(name=abbreviate(game_id)) from None


def name_daily_file(game_id: str) -> str:
    """Name the file of a record by edition and day: the id itself is as long as the game, and anybody can write one."""
    game = read_daily_id(game_id)
    plain = re.sub(r"[^A-Za-z0-9_-]", "", f"{game.edition[:40]}-{game.day[:10]}")
    return f"{plain}.knobel"


async def load_daily_table(store: Store, game_id: str) -> Table:
    """Play a game of a day again, to its end; one whose moves cannot be played is unknown."""
    game = read_daily_id(game_id)
    house_rules = await store.find_house_rules(game.house_rules) if game.house_rules else None
    if game.house_rules and house_rules is None:
        raise HouseRulesUnknown
    try:
        edition = load_edition(game.edition) if house_rules is None else open_edition(game.edition, house_rules)
        table = play_daily_game(edition, game)
    except KnobelError:
        raise GameNotFound(name=abbreviate(game_id)) from None
    if not table.replay.is_over:
        raise GameNotFinished(name=abbreviate(game_id))
    table.apply(table.decide_end())
    return table


def play_daily_game(edition: Edition, game: DailyGame) -> Table:
    """Play the moves at a table with the dice of the day."""
    table = open_daily_table(edition, game)
    for text in game.moves:
        move = None if table.state.seat is None else read_exact_action(table.state, text, table.game.rules.dice)
        if not isinstance(move, Announce | Roll | Score) or is_against_rules(move):
            raise GameNotFound(name=abbreviate(text))
        table.apply(table.decide(0, move))
    return table


def open_daily_table(edition: Edition, game: DailyGame) -> Table:
    """Open the table of a day: that of a game with a typed seed, as a terminal has it."""
    from knobel.learning.game_of_day import GameOfDay, name_seed

    rules = edition.rules(game.text)
    of_day = GameOfDay(rules, game.day)
    seed, game_id = of_day.seeds
    header = Header(
        knobel=FORMAT,
        game=game_id,
        edition=describe_edition(edition, list_boxes(rules)),
        text=game.text,
        switches={},
        fingerprint=rules.fingerprint,
        seats=(Seat(clean_name(game.player) or "1"),),
        first=0,
        practice=rules.players.least > 1,
        dice=DiceSource(
            fair.SCHEME,
            fair.commit_server_seed(game_id, bytes.fromhex(rules.fingerprint), seed).hex(),
            name_seed(game.day),
            {},
        ),
        evening=SeriesPosition(1, 1),
        rules=rules.as_dict,
    )
    return Table(header, seed.hex())
