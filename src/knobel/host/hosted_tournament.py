"""A tournament at a server as one frozen value, and what its host may change; each change gives a new one."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from knobel.errors import (
    NotSheetGame,
    TournamentChanged,
    TournamentNameInvalid,
    TournamentNobody,
    TournamentPlayersInvalid,
    TournamentTooLong,
)
from knobel.host.tournament_file import MAX_TOTAL
from knobel.rooms.intents import ChangeSettings, Intent, PlayerName, SeatIndex
from knobel.rooms.names import MAX_NAME_LENGTH, clean_name, fold_name
from knobel.rooms.room import build_settings, open_edition
from knobel.rules.fields import abbreviate, clean_text, truncate
from knobel.tournament.pairing import MAX_PLAYERS, MIN_PLAYERS, count_most_rounds
from knobel.tournament.standings import Pair, PlayedRound, Totals
from knobel.tournament.tournament import ROUND_ROBIN, Tournament, choose_rounds

MAX_TITLE = 60
RoundNumber: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_PLAYERS)]
Total: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_TOTAL)]


class FinishedRound(Struct, frozen=True):
    """A round that is over: its game, if one was played here, and whose totals the host has changed since."""

    pairs: tuple[Pair, ...]
    totals: Totals
    room: str | None = None
    game: str | None = None
    corrected: tuple[int, ...] = ()
    strangers: tuple[str, ...] = ()
    """Who played along without being a player of the tournament, or under another name."""


class CurrentRound(Struct, frozen=True):
    """A round that is being played, in a room."""

    pairs: tuple[Pair, ...]
    room: str


class HostedTournament(Struct, frozen=True):
    """A tournament and what its rounds are played by; house rules go by the fingerprint of their file."""

    title: str
    system: str
    rounds: int
    players: tuple[str, ...]
    settings: ChangeSettings
    played: tuple[FinishedRound, ...] = ()
    current: CurrentRound | None = None
    absent: tuple[int, ...] = ()

    @property
    def can_add_players(self) -> bool:
        """Whether somebody may still join; who meets whom in a round robin follows from how many they are."""
        is_between = self.current is None and len(self.played) < self.rounds
        return is_between and not (self.played and self.system == ROUND_ROBIN)

    @property
    def plain(self) -> Tournament:
        """The tournament without rooms and games, as files have it."""
        played = tuple(PlayedRound(one.pairs, one.totals) for one in self.played)
        return Tournament(self.title, self.system, self.rounds, self.players, played, frozenset(self.absent))


class SetAbsent(Intent, frozen=True, tag="absent"):
    """Say who does not play the next round."""

    players: tuple[SeatIndex, ...]


class AddPlayer(Intent, frozen=True, tag="add"):
    """Add somebody who comes late; they have no points of the rounds before."""

    name: PlayerName


class RenamePlayer(Intent, frozen=True, tag="rename"):
    """Change the name of a player; games that were played keep the old one."""

    player: SeatIndex
    name: PlayerName


class OpenRound(Intent, frozen=True, tag="open"):
    """Pair the next round, and open the room in which it is played."""


class CancelRound(Intent, frozen=True, tag="cancel"):
    """Take back a round that was opened; its room counts no longer."""


class EnterTotals(Intent, frozen=True, tag="totals"):
    """Say what everybody scored in a round that is over, or end the next one with it."""

    round: RoundNumber
    totals: Annotated[tuple[Total | None, ...], Meta(max_length=MAX_PLAYERS)]


class DeleteTournament(Intent, frozen=True, tag="delete"):
    """Delete the tournament; the games of its rounds stay."""


TournamentChange: TypeAlias = (
    SetAbsent | AddPlayer | RenamePlayer | OpenRound | CancelRound | EnterTotals | DeleteTournament
)


def build_tournament(tournament: Tournament, asked: ChangeSettings, resolved: ChangeSettings) -> HostedTournament:
    """Build a tournament that can be played here, or refuse it; `resolved` has the text of the house rules."""
    settings = build_settings(replace(resolved, duplicate=True))
    edition = open_edition(settings.edition, settings.house_rules)
    if not settings.duplicate:
        raise NotSheetGame(title=edition.title)
    title = truncate(clean_text(tournament.title), MAX_TITLE) or edition.title
    check_players(title, tournament.players)
    rounds = tournament.rounds or choose_rounds(tournament.system, len(tournament.players))
    if rounds > (most := count_most_rounds(len(tournament.players))):
        raise TournamentTooLong(file=title, most=most, n=rounds)
    played = tuple(FinishedRound(one.pairs, one.totals) for one in tournament.played)
    chosen = replace(asked, duplicate=True, games=1, text=settings.text)
    absent = tuple(sorted(tournament.absent))
    return HostedTournament(title, tournament.system, rounds, tournament.players, chosen, played, None, absent)


def check_players(title: str, players: tuple[str, ...]) -> None:
    """Refuse names that would not stay as they are in a room: one that is too long, or looks like another."""
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        raise TournamentPlayersInvalid(file=title, least=MIN_PLAYERS, most=MAX_PLAYERS, n=len(players))
    taken: set[str] = set()
    for name in players:
        if not name or clean_name(name) != name or taken & fold_name(name):
            raise TournamentNameInvalid(name=abbreviate(name), limit=MAX_NAME_LENGTH)
        taken |= fold_name(name)


def clean_players(names: tuple[PlayerName, ...]) -> tuple[str, ...]:
    """Clean names that were typed; lines without one do not count."""
    return tuple(name for typed in names if (name := clean_text(typed)))


def change_tournament(
    tournament: HostedTournament, change: SetAbsent | AddPlayer | RenamePlayer | CancelRound | EnterTotals
) -> HostedTournament:
    """Give the tournament after a change."""
    match change:
        case SetAbsent(players):
            if tournament.current is not None or any(one >= len(tournament.players) for one in players):
                raise TournamentChanged
            return replace(tournament, absent=tuple(sorted(set(players))))
        case AddPlayer(name):
            return add_player(tournament, clean_text(name))
        case RenamePlayer(player, name):
            return rename_player(tournament, player, clean_text(name))
        case CancelRound():
            if tournament.current is None:
                raise TournamentChanged
            return replace(tournament, current=None)
        case EnterTotals(number, totals):
            return enter_totals(tournament, number, totals)


def add_player(tournament: HostedTournament, name: str) -> HostedTournament:
    """Add a player between two rounds; until the first one the usual number of rounds stays the usual one."""
    if not tournament.can_add_players:
        raise TournamentChanged
    system, before = tournament.system, len(tournament.players)
    players = (*tournament.players, name)
    check_players(tournament.title, players)
    is_usual = not tournament.played and tournament.rounds == choose_rounds(system, before)
    return replace(
        tournament,
        players=players,
        rounds=choose_rounds(system, len(players)) if is_usual else tournament.rounds,
        played=tuple(replace(one, totals=(*one.totals, None)) for one in tournament.played),
    )


def rename_player(tournament: HostedTournament, player: int, name: str) -> HostedTournament:
    """Give a player another name between two rounds: the scores of a round are found by the names in its room."""
    if tournament.current is not None or player >= len(tournament.players):
        raise TournamentChanged
    players = (*tournament.players[:player], name, *tournament.players[player + 1 :])
    check_players(tournament.title, players)
    return replace(tournament, players=players)


def enter_totals(tournament: HostedTournament, number: int, totals: Totals) -> HostedTournament:
    """Correct a round that is over, or end the next one."""
    played = tournament.played
    if len(totals) != len(tournament.players) or number > min(len(played) + 1, tournament.rounds):
        raise TournamentChanged
    if number > len(played):
        pairs = tournament.plain.next_pairs if tournament.current is None else tournament.current.pairs
        if not pairs:
            raise TournamentNobody
        room = None if tournament.current is None else tournament.current.room
        return end_round(tournament, FinishedRound(pairs, keep_paired(pairs, totals), room))
    before = played[number - 1]
    kept = keep_paired(before.pairs, totals)
    changed = {player for player, total in enumerate(kept) if total != before.totals[player]}
    after = replace(before, totals=kept, corrected=tuple(sorted({*before.corrected, *changed})))
    return replace(tournament, played=(*played[: number - 1], after, *played[number:]))


def keep_paired(pairs: tuple[Pair, ...], totals: Totals) -> Totals:
    """Keep the totals of those who are in a pair."""
    paired = {player for pair in pairs for player in pair}
    return tuple(total if player in paired else None for player, total in enumerate(totals))


def end_round(tournament: HostedTournament, finished: FinishedRound) -> HostedTournament:
    """Give the tournament after a round; whoever was absent was so for this round alone."""
    return replace(tournament, played=(*tournament.played, finished), current=None, absent=())
