"""A tournament as a file: its players, its system, and what everybody scored in each round.

Who plays whom follows from the players and the results. A round may also say it: then a total that is corrected later
changes no pairing of a round that was played.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from knobel.errors import (
    RecordUnfinished,
    TournamentKeyInvalid,
    TournamentKeyUnknown,
    TournamentPlayersInvalid,
    TournamentPlayerUnknown,
    TournamentTooLong,
)
from knobel.record.file import load_record
from knobel.record.marks import find_leavers
from knobel.record.replay import Replay, replay_record
from knobel.rules.fields import abbreviate, clean_text
from knobel.rules.toml_file import display_name, read_bytes, read_toml
from knobel.tournament.pairing import MAX_PLAYERS, MIN_PLAYERS, count_most_rounds
from knobel.tournament.standings import Pair, Totals
from knobel.tournament.tournament import ROUND_ROBIN, SWISS, SYSTEMS, Tournament, choose_rounds, order_totals

MAX_TOTAL = 1_000_000
MAX_NAME = 40
MAX_BYTES = 1024 * 1024
"""How large a file may be: all rounds of a large tournament with their pairs."""
EXAMPLES = {
    "title": 'title = "Club"',
    "system": f'system = "{SWISS}"  # or "{ROUND_ROBIN}"',
    "rounds": "rounds = 5",
    "players": 'players = ["Ada", "Ben", "Cleo"]',
    "absent": 'absent = ["Ada"]',
    "round": "[[round]]",
    "totals": "totals = { Ada = 243, Ben = 210 }",
    "record": 'record = "round-1.knobel"',
    "pairs": 'pairs = [["Ada", "Ben"], ["Cleo"]]',
}
"""What each key looks like."""


def load_tournament(path: Path) -> Tournament:
    """Read a tournament from a file; records of its rounds are beside it."""
    return read_tournament(read_bytes(path, MAX_BYTES), display_name(path), path.stem, path.parent)


def read_tournament(content: bytes, file: str, title: str, folder: Path | None = None) -> Tournament:
    """Read a tournament, and pair the rounds that do not say their pairs; refuse what cannot be right, by its key."""
    found = read_toml(content, file, MAX_BYTES)
    check_keys(file, found, ("title", "system", "rounds", "players", "absent", "round"))
    players = read_players(file, found)
    most = count_most_rounds(len(players))
    system = read_value(file, found, "system", lambda value: value in SYSTEMS, SWISS)
    rounds = read_value(file, found, "rounds", is_positive, choose_rounds(system, len(players)))
    if rounds > most:
        raise TournamentTooLong(file=file, most=most, n=rounds)
    name = read_value(file, found, "title", lambda value: isinstance(value, str), title)
    tournament = Tournament(clean_text(name), system, rounds, players)
    given = read_value(file, found, "round", lambda value: isinstance(value, list), [])
    if len(given) > rounds:
        raise TournamentTooLong(file=file, most=rounds, n=len(given))
    for one in given:
        tournament = add_round(file, tournament, one, folder, len(given))
    return replace(tournament, absent=read_absent(file, found, players))


def add_round(file: str, tournament: Tournament, one: Any, folder: Path | None, rounds: int) -> Tournament:
    """Add a round that was played, paired as it says, else as it follows."""
    if not isinstance(one, dict):
        raise TournamentKeyInvalid(file=file, key="round", example=EXAMPLES["round"])
    check_keys(file, one, ("totals", "record", "pairs", "absent"))
    players = tournament.players
    pairs = read_pairs(file, one, players) if "pairs" in one else None
    tournament = replace(tournament, absent=read_absent(file, one, players))
    if pairs is None and not tournament.next_pairs:
        raise TournamentTooLong(file=file, most=len(tournament.played), n=rounds)
    return tournament.play_round(read_totals(file, one, players, folder), pairs)


def check_keys(file: str, content: Mapping[str, object], known: Sequence[str]) -> None:
    for key in content:
        if key not in known:
            raise TournamentKeyUnknown(file=file, key=abbreviate(key), known=tuple(known))


def read_value(
    file: str, content: Mapping[str, object], key: str, is_right: Callable[[Any], bool], default: Any = None
) -> Any:
    """Read the value of a key, or refuse it with an example."""
    value = content.get(key, default)
    if not is_right(value):
        raise TournamentKeyInvalid(file=file, key=key, example=EXAMPLES[key])
    return value


def is_positive(value: Any) -> bool:
    return type(value) is int and value > 0


def read_players(file: str, content: Mapping[str, object]) -> tuple[str, ...]:
    """Read the players: different names of some letters each."""
    names = read_value(file, content, "players", is_list_of_names)
    players = tuple(clean_text(name) for name in names)
    if not MIN_PLAYERS <= len(set(players)) == len(players) <= MAX_PLAYERS:
        raise TournamentPlayersInvalid(file=file, least=MIN_PLAYERS, most=MAX_PLAYERS, n=len(set(players)))
    return players


def is_list_of_names(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(name, str) and 0 < len(clean_text(name)) <= MAX_NAME for name in value
    )


def find_player(file: str, name: str, players: Sequence[str]) -> int:
    """Find a player by name."""
    if (cleaned := clean_text(name)) not in players:
        raise TournamentPlayerUnknown(file=file, name=abbreviate(name))
    return players.index(cleaned)


def read_absent(file: str, content: Mapping[str, object], players: Sequence[str]) -> frozenset[int]:
    """Read who does not play a round."""
    names = read_value(file, content, "absent", is_list_of_names, [])
    return frozenset(find_player(file, name, players) for name in names)


def read_pairs(file: str, one: Mapping[str, object], players: Sequence[str]) -> tuple[Pair, ...]:
    """Read who was compared with whom; nobody is in two pairs."""
    named = read_value(file, one, "pairs", is_list_of_pairs)
    pairs = [[find_player(file, name, players) for name in pair] for pair in named]
    if len({player for pair in pairs for player in pair}) < sum(map(len, pairs)):
        raise TournamentKeyInvalid(file=file, key="pairs", example=EXAMPLES["pairs"])
    return tuple(Pair(*pair) for pair in pairs)


def is_list_of_pairs(value: Any) -> bool:
    return isinstance(value, list) and all(is_list_of_names(pair) and 1 <= len(pair) <= 2 for pair in value)


def read_totals(file: str, one: Mapping[str, object], players: Sequence[str], folder: Path | None) -> Totals:
    """Read what everybody scored in a round: as totals, or from the record of its duplicate game."""
    if "record" in one:
        name = read_value(file, one, "record", lambda value: isinstance(value, str))
        if folder is None:
            raise TournamentKeyInvalid(file=file, key="record", example=EXAMPLES["totals"])
        found = read_record_totals(folder / name)
    else:
        found = read_value(file, one, "totals", is_table_of_totals)
    return order_totals({players[find_player(file, name, players)]: total for name, total in found.items()}, players)


def is_table_of_totals(value: Any) -> bool:
    return isinstance(value, dict) and all(type(total) is int and 0 <= total <= MAX_TOTAL for total in value.values())


def read_record_totals(path: Path) -> dict[str, int]:
    """Read the totals of a game that is over, by the names of its people."""
    file = display_name(path)
    totals = list_totals(replay_record(load_record(path), file))
    if totals is None:
        raise RecordUnfinished(file=file)
    return totals


def list_totals(replay: Replay) -> dict[str, int] | None:
    """List the totals of a game by the names of its people; whoever left has none, nor a game that is not over."""
    if (outcome := replay.outcome) is None:
        return None
    left = find_leavers(replay)
    people = [(seat, one.name) for seat, one in enumerate(replay.header.seats) if one.bot is None]
    return {clean_text(name): outcome.totals[seat] for seat, name in people if seat not in left}


def write_tournament(tournament: Tournament) -> str:
    """Write a tournament as such a file; each round says its pairs."""
    players = tournament.players
    lines = [
        f"title = {quote(tournament.title)}",
        f"system = {quote(tournament.system)}",
        f"rounds = {tournament.rounds}",
        f"players = {write_names(players)}",
    ]
    if tournament.absent:
        lines.append(f"absent = {write_names([players[one] for one in sorted(tournament.absent)])}")
    for one in tournament.played:
        pairs = [write_names([players[player] for player in pair if player is not None]) for pair in one.pairs]
        scored = zip(players, one.totals, strict=True)
        totals = [f"{quote(name)} = {total}" for name, total in scored if total is not None]
        lines += ["", "[[round]]", f"pairs = [{', '.join(pairs)}]", f"totals = {{ {', '.join(totals)} }}"]
    return "\n".join(lines) + "\n"


def write_names(names: Sequence[str]) -> str:
    return f"[{', '.join(map(quote, names))}]"


def quote(text: str) -> str:
    """Write a text without control characters as a TOML string: one of JSON is one."""
    return json.dumps(text, ensure_ascii=False)
