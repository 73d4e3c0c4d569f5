"""`knobel replay`: plays a record again, checks that every move was allowed, and shows the sheet."""

from pathlib import Path

from knobel.cli.line import JSON, LANG, Argument, Command, Given
from knobel.cli.screen import say, say_json
from knobel.cli.sheet import show_sheet
from knobel.host import edition_of
from knobel.lang import Words, language
from knobel.record.events import Landed, Record
from knobel.record.file import load
from knobel.record.replay import Replay, replayed


def run(given: Given) -> None:
    """Replay a record."""
    path = Path(given.the("record"))
    record = load(path)
    replay = replayed(record, path.name)
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
        say(words("interface.replay.seeded"))
    own = sum(isinstance(event, Landed) and event.own for event in record.events)
    if own:
        say(words("interface.replay.own_dice", n=own))
    say()
    names = [seat.name for seat in header.seats]
    show_sheet(words, replay.game, replay.state, names)
    say()
    say_places(words, replay, names)


def say_places(words: Words, replay: Replay, names: list[str]) -> None:
    """Say who won, or that it is not over."""
    outcome = replay.game.outcome(replay.state)
    if outcome is None:
        say(words("interface.replay.unfinished"))
        return
    place = 1
    for group in outcome.places:
        totals = outcome.totals[group[0]]
        people = words.list(names[seat] for seat in group)
        left = group[0] in replay.state.left
        key = "interface.play.left" if left else "interface.play.place"
        say(words(key, place=place, names=people, n=totals))
        place += len(group)


def form(record: Record, replay: Replay, words: Words) -> dict[str, object]:
    """Write what happened for machines."""
    header, game, state = record.header, replay.game, replay.state
    outcome = game.outcome(state)
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
            {
                "name": seat.name,
                "bot": seat.bot,
                "left": place in state.left,
                "boxes": dict(zip([box.id for box in game.rules.boxes], state.columns[place].entries, strict=True)),
                "upper": (tally := game.tally(state, place)).upper,
                "bonus": tally.bonus,
                "lower": tally.lower,
                "extra": tally.extra,
                "total": tally.total,
            }
            for place, seat in enumerate(header.seats)
        ],
    }


COMMAND = Command("replay", (Argument("record"),), (LANG, JSON), run)
