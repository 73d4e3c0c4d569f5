"""Tournaments at a server: stored, changed by their host alone, their results taken from the rooms of their rounds."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from knobel.errors import (
    RoomError,
    TournamentChanged,
    TournamentNobody,
    TournamentNotFound,
    TournamentNotYours,
)
from knobel.host import Host
from knobel.host.archive import load_table
from knobel.host.hosted_tournament import (
    CurrentRound,
    DeleteTournament,
    FinishedRound,
    HostedTournament,
    OpenRound,
    TournamentChange,
    change_tournament,
    end_round,
    keep_paired,
)
from knobel.host.room_setup import derive_room_id
from knobel.host.room_store import read_room
from knobel.host.session import encode_intent
from knobel.host.tournament_file import list_totals
from knobel.rooms.intents import ChangeSettings, LockRoom, Sit
from knobel.rooms.room import Room
from knobel.rules.fields import abbreviate
from knobel.store import WriteConflict
from knobel.store.tournaments import DropTournament, PutTournament, StoredTournament
from knobel.tournament.standings import Pair
from knobel.tournament.tournament import Tournament, list_players, order_totals

MAX_LISTED = 20
LEAST_SEATS = 2
BODY_DECODER = msgspec.json.Decoder(HostedTournament)
SettingsResolver = Callable[[ChangeSettings], Awaitable[ChangeSettings]]
"""Puts the text of house rules in place of their fingerprint."""


@dataclass(frozen=True, slots=True)
class TournamentState:
    """A tournament as it is stored, with the room of the round that is being played."""

    stored: StoredTournament
    tournament: HostedTournament
    room: Room | None = None


class TournamentService:
    """Creates tournaments and changes them; whoever reads one takes in the results of its room."""

    def __init__(self, host: Host, resolve: SettingsResolver) -> None:
        self.host = host
        self.store = host.store
        self.resolve = resolve

    async def create(self, device: str, command: str, tournament: HostedTournament) -> str:
        """Store a new tournament; the same command again gives the same one."""
        tournament_id = derive_room_id(device, f"tournament/{command}")
        house_rules = tournament.settings.house_rules
        write = PutTournament(tournament_id, 0, device, encode_body(tournament), self.host.clock(), house_rules)
        try:
            await self.store.commit(write)
        except WriteConflict:
            await self.find(tournament_id)
        return tournament_id

    async def find(self, tournament_id: str) -> TournamentState:
        """Find a tournament; if the game of its round is over, its totals are taken in."""
        while True:
            stored = await self.store.find_tournament(tournament_id)
            if stored is None:
                raise TournamentNotFound(name=abbreviate(tournament_id))
            tournament = BODY_DECODER.decode(stored.body)
            if tournament.current is None:
                return TournamentState(stored, tournament)
            room = await self.find_room(tournament.current.room)
            finished = await self.find_result(tournament, tournament.current, room)
            if finished is None:
                return TournamentState(stored, tournament, room)
            try:
                await self.put(stored, end_round(tournament, finished))
            except TournamentChanged:
                continue  # somebody else has taken them in

    async def list_own(self, device: str) -> Sequence[tuple[str, HostedTournament]]:
        """List the tournaments of a device, the last used first."""
        found = await self.store.list_tournaments(device, MAX_LISTED)
        return [(one.id, BODY_DECODER.decode(one.body)) for one in found]

    async def change(self, device: str, tournament_id: str, version: int, change: TournamentChange) -> None:
        """Change a tournament for its host, who has seen this version of it."""
        state = await self.find(tournament_id)
        if state.stored.identity != device:
            raise TournamentNotYours
        if state.stored.version != version:
            raise TournamentChanged
        match change:
            case OpenRound():
                await self.put(state.stored, await self.open_round(state, device))
            case DeleteTournament():
                await self.commit(DropTournament(tournament_id, version))
            case _:
                await self.put(state.stored, change_tournament(state.tournament, change))

    async def open_round(self, state: TournamentState, device: str) -> HostedTournament:
        """Open a room for the next round with a seat saved for everybody who plays it; nobody else may sit down."""
        tournament, stored = state.tournament, state.stored
        if tournament.current is not None or tournament.plain.is_over:
            raise TournamentChanged
        pairs = await asyncio.to_thread(pair_next, tournament.plain)
        names = [tournament.players[player] for player in list_players(pairs)]
        if len(names) < LEAST_SEATS:
            raise TournamentNobody
        command = f"{stored.id}-{stored.version}"
        settings = await self.resolve(tournament.settings)
        seats = [Sit(name, offered=True) for name in names]
        room = await self.host.open_room(device, command, settings, seats, tournament=stored.id)
        lock = LockRoom(True)
        await self.host.execute(room.id, device, f"{command}-lock", lock, encode_intent(lock))
        return replace(tournament, current=CurrentRound(pairs, room.id))

    async def find_room(self, room_id: str) -> Room | None:
        """Find the room of a round; one that is gone or damaged gives nothing, and its results are entered by hand."""
        try:
            stored = await self.store.find_room(room_id)
            return None if stored is None else await read_room(self.store, stored)
        except RoomError:
            return None

    async def find_result(
        self, tournament: HostedTournament, current: CurrentRound, room: Room | None
    ) -> FinishedRound | None:
        """Find what everybody scored in the first game of a room that was played to its end."""
        if room is None or not room.played:
            return None
        try:
            table, stored = await load_table(self.store, room.played[0].game)
        except RoomError:
            return None  # `knobel doctor` says what is damaged
        if (totals := list_totals(table.replay)) is None:
            return None
        ordered = keep_paired(current.pairs, order_totals(totals, tournament.players))
        strangers = tuple(name for name in totals if name not in tournament.players)
        return FinishedRound(current.pairs, ordered, room.id, stored.id, strangers=strangers)

    async def put(self, stored: StoredTournament, tournament: HostedTournament) -> None:
        at = self.host.clock()
        await self.commit(PutTournament(stored.id, stored.version, stored.identity, encode_body(tournament), at))

    async def commit(self, write: PutTournament | DropTournament) -> None:
        try:
            await self.store.commit(write)
        except WriteConflict:
            raise TournamentChanged from None


def encode_body(tournament: HostedTournament) -> str:
    return msgspec.json.encode(tournament).decode()


@lru_cache(maxsize=64)
def pair_next(tournament: Tournament) -> tuple[Pair, ...]:
    """Pair the next round; everybody who looks at a tournament asks for it."""
    return tournament.next_pairs
