"""A tournament as a file: its players, its system, and what everybody scored in each round.

The pairings of all rounds follow from the players and the results, so the file does not have them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knobel.errors import (
    RecordUnfinished,
    TournamentKeyInvalid,
    TournamentPlayersInvalid,
    TournamentPlayerUnknown,
    TournamentTooLong,
)
from knobel.record.file import load_record
from knobel.record.marks import find_leavers
from knobel.record.replay import replay_record
from knobel.rules.fields import abbreviate, clean_text
from knobel.rules.toml_file import display_name, read_rules_file
from knobel.tournament.pairing import MAX_PLAYERS, MIN_PLAYERS, count_most_rounds, pair_round_robin, pair_swiss
from knobel.tournament.standings import Pair, PlayedRound, PlayerStanding, Totals, rank_players

SWISS, ROUND_ROBIN = "swiss", "round_robin"
MAX_TOTAL = 1_000_000
MAX_NAME = 40
EXAMPLES = {
    "title": 'title = "Club"',
    "system": 'system = "swiss"  # or "round_robin"',
    "rounds": "rounds = 5",
    "players": 'players = ["Ada", "Ben", "Cleo"]',
    "round": "[[round]]",
    "totals": "totals = { Ada = 243, Ben = 210 }",
    "record": 'record = "round-1.knobel"',
}
"""What each key looks like."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament as far as it has been played."""

    title: str
    system: str
    rounds: int
    players: tuple[str, ...]
    played: tuple[PlayedRound, ...] = ()

    @property
    def standings(self) -> tuple[PlayerStanding, ...]:
        return rank_players(len(self.players), self.played)

    @property
    def next_pairs(self) -> tuple[Pair, ...]:
        """Who plays whom next; nobody after the last round."""
        number = len(self.played)
        if number >= self.rounds:
            return ()
        if self.system == ROUND_ROBIN:
            return pair_round_robin(len(self.players), number)
        return pair_swiss(len(self.players), self.played)

    def play_round(self, totals: Totals) -> "Tournament":
        """Give the tournament after one more round."""
        played = (*self.played, PlayedRound(self.next_pairs, totals))
        return Tournament(self.title, self.system, self.rounds, self.players, played)


def load_tournament(path: Path) -> Tournament:
    """Read a tournament, and pair all rounds that were played again; refuse what cannot be right, by its key."""
    file, content = display_name(path), read_rules_file(path)
    check_keys(file, content, ("title", "system", "rounds", "players", "round"))
    players = read_players(file, content)
    most = count_most_rounds(len(players))
    system = read_value(file, content, "system", lambda value: value in (SWISS, ROUND_ROBIN), SWISS)
    default = most if system == ROUND_ROBIN else min(most, (len(players) - 1).bit_length())
    rounds = read_value(file, content, "rounds", lambda value: type(value) is int and value > 0, default)
    if rounds > most:
        raise TournamentTooLong(file=file, most=most, n=rounds)
    title = read_value(file, content, "title", lambda value: isinstance(value, str), path.stem)
    tournament = Tournament(clean_text(title), system, rounds, players)
    given = read_value(file, content, "round", lambda value: isinstance(value, list), [])
    if len(given) > rounds:
        raise TournamentTooLong(file=file, most=rounds, n=len(given))
    for one in given:
        if not tournament.next_pairs:
            raise TournamentTooLong(file=file, most=len(tournament.played), n=len(given))
        tournament = tournament.play_round(read_totals(file, one, players, path.parent))
    return tournament


def check_keys(file: str, content: Mapping[str, object], known: Sequence[str]) -> None:
    for key in content:
        if key not in known:
            raise TournamentKeyInvalid(file=file, key=abbreviate(key), example=" ".join(known))


def read_value(
    file: str, content: Mapping[str, object], key: str, is_right: Callable[[Any], bool], default: Any = None
) -> Any:
    """Read the value of a key, or refuse it with an example."""
    value = content.get(key, default)
    if not is_right(value):
        raise TournamentKeyInvalid(file=file, key=key, example=EXAMPLES[key])
    return value


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


def read_totals(file: str, one: Any, players: Sequence[str], folder: Path) -> Totals:
    """Read what everybody scored in a round: as totals, or from the record of its duplicate game."""
    if not isinstance(one, dict):
        raise TournamentKeyInvalid(file=file, key="round", example=EXAMPLES["round"])
    check_keys(file, one, ("totals", "record"))
    if "record" in one:
        name = read_value(file, one, "record", lambda value: isinstance(value, str))
        found = read_record_totals(folder / name)
    else:
        found = {clean_text(name): total for name, total in read_value(file, one, "totals", is_table_of_totals).items()}
    for name in found:
        if name not in players:
            raise TournamentPlayerUnknown(file=file, name=abbreviate(name))
    return tuple(found.get(name) for name in players)


def is_table_of_totals(value: Any) -> bool:
    return isinstance(value, dict) and all(type(total) is int and 0 <= total <= MAX_TOTAL for total in value.values())


def read_record_totals(path: Path) -> dict[str, int]:
    """Read the totals of a game that is over, by the names of its people; whoever left has none."""
    record, file = load_record(path), display_name(path)
    replay = replay_record(record, file)
    if (outcome := replay.outcome) is None:
        raise RecordUnfinished(file=file)
    left = find_leavers(replay)
    people = [(seat, one.name) for seat, one in enumerate(record.header.seats) if one.bot is None]
    return {clean_text(name): outcome.totals[seat] for seat, name in people if seat not in left}
