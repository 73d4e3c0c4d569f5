"""`knobel replay`: plays a record again, checks that every move was allowed, and shows the sheet."""

from pathlib import Path
from typing import Any

from knobel.cli.families import board_of
from knobel.cli.line import JSON, LANG, Argument, Command, Given
from knobel.cli.screen import paragraph, say, say_json
from knobel.games.round_state import RoundState
from knobel.games.rounds import Rounds
from knobel.host.speaking import edition_of
from knobel.lang import Words, language
from knobel.phrase import Phrase, phrase
from knobel.record.events import Acted, Corrected, Landed, Record
from knobel.record.file import load
from knobel.record.replay import Replay, replayed
from knobel.rules.fields import clean


def run(given: Given) -> None:
    """Replay a record."""
    path = Path(given.the("record"))
    record = load(path)
    replay = replayed(record, clean(path.name))
    words = Words(language(given.word("lang")), edition_of(record.header))
    if given.flag("json"):
        say_json(form(record, replay, words))
        return
    show(record, replay, words)


def show(record: Record, replay: Replay, words: Words) -> None:
    """Write what happened for people."""
    header = record.header
    say(words("interface.replay.title", title=header.edition.title, game=header.game, n=len(record.events)))
    if header.practice:
        say(words("interface.play.practice"))
    if header.dice.seed is not None:
        paragraph(words("interface.replay.seeded"))
    for remark in remarks(record):
        say(words.say(remark))
    say()
    names = [seat.name for seat in header.seats]
    board_of(replay.game)(words, replay.game, laid_out(replay), names)
    say()
    say_places(words, replay, names)


def remarks(record: Record) -> list[Phrase]:
    """Say what people entered: real dice, what they played anyway, what they corrected."""
    own = sum(isinstance(event, Landed) and event.own for event in record.events)
    texts = [event.action for event in record.events if isinstance(event, Acted)]
    counts = {
        "interface.replay.own_dice": own + sum(text[0] == "=" for text in texts),
        "interface.replay.anyway": sum(text[0] == "~" for text in texts),
        "interface.replay.corrected": sum(len(event.turns) for event in record.events if isinstance(event, Corrected)),
    }
    return [phrase(key, n=count) for key, count in counts.items() if count]


def laid_out(replay: Replay) -> Any:
    """Give where everybody stands; the columns of a free table are laid beside each other."""
    if not replay.header.free:
        return replay.state
    states = [lane.state for lane in replay.lanes]
    left = frozenset(seat for seat, state in enumerate(states) if state.left)
    return replay.state._replace(columns=tuple(state.columns[0] for state in states), left=left)


def say_places(words: Words, replay: Replay, names: list[str]) -> None:
    """Say who won, or that it is not over."""
    outcome = replay.outcome
    if outcome is None:
        say(words("interface.replay.unfinished"))
        return
    place, state = 1, laid_out(replay)
    for group in outcome.places:
        totals = outcome.totals[group[0]]
        people = words.joined(names[seat] for seat in group)
        say(words(place_key(state, group[0]), place=place, names=people, n=totals))
        place += len(group)


def place_key(state: Any, seat: int) -> str:
    """Choose how to speak of a place: with points, without, or of somebody who left."""
    if isinstance(state, RoundState):
        return "interface.rounds.quitter" if seat in state.quit else "interface.rounds.place"
    return "interface.play.left" if seat in state.left else "interface.play.place"


def form(record: Record, replay: Replay, words: Words) -> dict[str, object]:
    """Write what happened for machines."""
    header, game, state = record.header, replay.game, laid_out(replay)
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
            {"name": seat.name, "bot": seat.bot, **player_form(game, state, place)}
            for place, seat in enumerate(header.seats)
        ],
    }


def player_form(game: Any, state: Any, place: int) -> dict[str, object]:
    """Write where one player stands."""
    if isinstance(game, Rounds):
        return {"left": place in state.quit, "chips": state.chips[place]}
    tally = game.tally(state, place)
    return {
        "left": place in state.left,
        "boxes": dict(zip([box.id for box in game.rules.boxes], state.columns[place].entries, strict=True)),
        "upper": tally.upper,
        "bonus": tally.bonus,
        "lower": tally.lower,
        "extra": tally.extra,
        "total": tally.total,
    }


COMMAND = Command("replay", (Argument("record"),), (LANG, JSON), run)
