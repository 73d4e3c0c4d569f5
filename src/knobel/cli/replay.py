"""`knobel replay`: plays a record again, checks that every move was allowed, and shows the sheet."""

from pathlib import Path
from typing import Any

from knobel.cli.families import find_board_view
from knobel.cli.parser import JSON, LANG, Argument, Command, Given
from knobel.cli.screen import say, say_json, say_paragraph
from knobel.games.round_state import RoundState
from knobel.games.rounds import RoundsGame
from knobel.host.record_edition import rebuild_edition
from knobel.lang import Translator, choose_language
from knobel.phrase import Phrase, phrase
from knobel.record.events import Acted, Corrected, Landed, Record
from knobel.record.file import load_record
from knobel.record.replay import Replay, replay_record
from knobel.rules.fields import clean_text


def run(given: Given) -> None:
    """Replay a record."""
    path = Path(given.required("record"))
    record = load_record(path)
    replay = replay_record(record, clean_text(path.name))
    words = Translator(choose_language(given.value("lang")), rebuild_edition(record.header))
    if given.has("json"):
        say_json(build_json(record, replay, words))
        return
    show(record, replay, words)


def show(record: Record, replay: Replay, words: Translator) -> None:
    """Write what happened for people."""
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
    find_board_view(replay.game)(words, replay.game, combine_tracks(replay), names)
    say()
    say_standings(words, replay, names)


def list_remarks(record: Record) -> list[Phrase]:
    """Say what people entered: real dice, what they played anyway, what they corrected."""
    own = sum(isinstance(event, Landed) and event.real for event in record.events)
    texts = [event.action for event in record.events if isinstance(event, Acted)]
    counts = {
        "interface.replay.real_dice": own + sum(text[0] == "=" for text in texts),
        "interface.replay.anyway": sum(text[0] == "~" for text in texts),
        "interface.replay.corrected": sum(len(event.turns) for event in record.events if isinstance(event, Corrected)),
    }
    return [phrase(key, n=count) for key, count in counts.items() if count]


def combine_tracks(replay: Replay) -> Any:
    """Give where everybody stands; the columns of a free table are laid beside each other."""
    if not replay.header.free:
        return replay.state
    states = [lane.state for lane in replay.tracks]
    left = frozenset(seat for seat, state in enumerate(states) if state.left)
    return replay.state._replace(columns=tuple(state.columns[0] for state in states), left=left)


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
        say(words(choose_place_key(state, group[0]), place=place, names=people, n=totals))
        place += len(group)


def choose_place_key(state: Any, seat: int) -> str:
    """Choose how to speak of a place: with points, without, or of somebody who left."""
    if isinstance(state, RoundState):
        return "interface.rounds.quitter" if seat in state.quit else "interface.rounds.place"
    return "interface.play.left" if seat in state.left else "interface.play.place"


def build_json(record: Record, replay: Replay, words: Translator) -> dict[str, object]:
    """Write what happened for machines."""
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
            {"name": seat.name, "bot": seat.bot, **build_player_json(game, state, place)}
            for place, seat in enumerate(header.seats)
        ],
    }


def build_player_json(game: Any, state: Any, seat: int) -> dict[str, object]:
    """Write where one player stands."""
    if isinstance(game, RoundsGame):
        return {"left": seat in state.quit, "chips": state.chips[seat]}
    tally = game.tally(state, seat)
    return {
        "left": seat in state.left,
        "boxes": dict(zip([box.id for box in game.rules.boxes], state.columns[seat].entries, strict=True)),
        "upper": tally.upper,
        "bonus": tally.bonus,
        "lower": tally.lower,
        "extra": tally.extra,
        "total": tally.total,
    }


COMMAND = Command("replay", (Argument("record"),), (LANG, JSON), run)
