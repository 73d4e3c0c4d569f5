"""`knobel replay`: replay a record, check that every move was legal, and show the sheet."""

from pathlib import Path
from typing import Any

from knobel.cli.display import combine_tracks
from knobel.cli.families import FAMILIES
from knobel.cli.parser import JSON, LANG, Argument, Command, Given
from knobel.cli.screen import say, say_json, say_paragraph
from knobel.game import Game
from knobel.host.record_edition import rebuild_edition
from knobel.lang import Translator, choose_language
from knobel.phrase import Phrase, phrase
from knobel.record.events import Acted, Corrected, Landed, Record
from knobel.record.file import load_record
from knobel.record.replay import Replay, replay_record
from knobel.rules.fields import clean_text


def run(given: Given) -> None:
    path = Path(given.required("record"))
    record = load_record(path)
    replay = replay_record(record, clean_text(path.name))
    words = Translator(choose_language(given.read_value("lang")), rebuild_edition(record.header))
    if given.has("json"):
        say_json(build_json(record, replay, words))
        return
    show(record, replay, words)


def show(record: Record, replay: Replay, words: Translator) -> None:
    """Print what happened."""
    header = record.header
    say(words("interface.replay.title", title=header.edition.title, game=header.game, n=len(record.events)))
    if header.practice:
        say(words("interface.play.practice"))
    if header.dice.seed is not None:
        say_paragraph(words("interface.replay.seeded"))
    for remark in list_remarks(record):
        say(words.translate(remark))
    say()
    names = [seat.name for seat in header.seats]
    FAMILIES[replay.game.rules.family].show_board(words, replay.game, combine_tracks(replay), names)
    say()
    say_standings(words, replay, names)


def list_remarks(record: Record) -> list[Phrase]:
    """List real dice, entries against the rules, and corrections."""
    own = sum(isinstance(event, Landed) and event.real for event in record.events)
    texts = [event.action for event in record.events if isinstance(event, Acted)]
    counts = {
        "interface.replay.real_dice": own + sum(text[0] == "=" for text in texts),
        "interface.replay.anyway": sum(text[0] == "~" for text in texts),
        "interface.replay.corrected": sum(len(event.turns) for event in record.events if isinstance(event, Corrected)),
    }
    return [phrase(key, n=count) for key, count in counts.items() if count]


def say_standings(words: Translator, replay: Replay, names: list[str]) -> None:
    """Say who won, or that it is not over."""
    outcome = replay.outcome
    if outcome is None:
        say(words("interface.replay.unfinished"))
        return
    place, state = 1, combine_tracks(replay)
    for group in outcome.places:
        totals = outcome.totals[group[0]]
        people = words.join_sentence(names[seat] for seat in group)
        say(words(choose_place_key(replay.game, state, group[0]), place=place, names=people, n=totals))
        place += len(group)


def choose_place_key(game: Game[Any], state: Any, seat: int) -> str:
    """Choose the message for a place: with points, without, or for a player who left."""
    family = FAMILIES[game.rules.family]
    return family.left_place_key if game.has_left(state, seat) else family.place_key


def build_json(record: Record, replay: Replay, words: Translator) -> dict[str, object]:
    """Describe what happened as JSON."""
    header, game, state = record.header, replay.game, combine_tracks(replay)
    outcome = replay.outcome
    return {
        "game": header.game,
        "edition": header.edition.id,
        "lang": words.lang,
        "text": header.text,
        "fingerprint": header.fingerprint,
        "seeded": header.dice.seed is not None,
        "practice": header.practice,
        "events": len(record.events),
        "over": outcome is not None,
        "places": [[seat + 1 for seat in group] for group in outcome.places] if outcome else None,
        "players": [
            {"name": seat.name, "bot": seat.bot, **FAMILIES[game.rules.family].describe_player(game, state, place)}
            for place, seat in enumerate(header.seats)
        ],
    }


COMMAND = Command("replay", (Argument("record"),), (LANG, JSON), run)
