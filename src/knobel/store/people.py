"""People and what came of their games, as rows: what is written, and what is read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias


@dataclass(frozen=True, slots=True)
class StoredPerson:
    """Somebody who plays: a name, a colour and an emblem; one who is hidden is not offered."""

    id: str
    name: str
    colour: int
    emblem: int
    is_hidden: bool = False
    created_at: float = 0.0
    is_stale: bool = False
    """Whether the summaries must be made anew."""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What came of one seat; `luck` and `lost` are thousandths of a point, `detail` counts as JSON."""

    game: str
    seat: int
    room: str
    person: str | None
    bot: str | None
    edition: str
    title: str
    text: str
    fingerprint: str
    family: str
    ended: float
    total: int
    place: int
    players: int
    practice: int
    free: int
    assisted: int
    real_dice: int
    imported: int
    counts: int
    detail: str
    luck: int | None = None
    lost: int | None = None
    level: str | None = None
    reviewed: int = 0
    counted: int = 0


@dataclass(frozen=True, slots=True)
class NamedResult:
    """A result with what is shown beside it."""

    row: ResultRow
    name: str
    colour: int | None
    emblem: int | None


@dataclass(frozen=True, slots=True)
class StoredSummary:
    """Statistics of a person, of two people (`person` before `other`), or of everybody, in one edition."""

    person: str
    other: str
    edition: str
    version: int
    body: str


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games are asked for; empty texts ask for all of them."""

    person: str = ""
    edition: str = ""
    other: str = ""
    won: bool | None = None
    since: float = 0.0
    until: float = 1e14
    before: tuple[float, str] = (1e14, "")
    limit: int = 50


@dataclass(frozen=True, slots=True)
class AddPerson:
    """Add a person."""

    person: str
    name: str
    colour: int
    emblem: int
    at: float


@dataclass(frozen=True, slots=True)
class ChangePerson:
    """Give a person another name, colour or emblem, or hide them."""

    person: str
    name: str
    colour: int
    emblem: int
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class HoldPerson:
    """Let an identity speak for a person."""

    identity: str
    person: str


@dataclass(frozen=True, slots=True)
class PutPlayer:
    """Say who plays on a seat of a game."""

    game_id: str
    seat: int
    person: str


@dataclass(frozen=True, slots=True)
class MergePeople:
    """Give everything of one person to another, and delete the first."""

    person: str
    into: str


@dataclass(frozen=True, slots=True)
class ErasePerson:
    """Delete a person and everything that is theirs; in shared games a name that says nothing stands for them."""

    person: str
    stand_in: str


@dataclass(frozen=True, slots=True)
class PutPersonCode:
    """Keep the hash of a code until it expires; it replaces the one before."""

    code: str
    person: str
    expires: float
    at: float


@dataclass(frozen=True, slots=True)
class UsePersonCode:
    """Use up a code; one that is used or expired is a conflict."""

    code: str
    at: float


@dataclass(frozen=True, slots=True)
class PutResults:
    """Write what came of a game; rows that are there already stay. Names go along where no log has them."""

    rows: tuple[ResultRow, ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReplaceResults:
    """Write what came of a game over what stood there."""

    game_id: str
    rows: tuple[ResultRow, ...]


@dataclass(frozen=True, slots=True)
class ResetSummaries:
    """Delete all summaries, so that every result is counted again."""


@dataclass(frozen=True, slots=True)
class PutReview:
    """Write what a review found about a seat, or that it found nothing."""

    game_id: str
    seat: int
    luck: int | None
    lost: int | None
    level: str | None


@dataclass(frozen=True, slots=True)
class PutSummary:
    """Write a summary over the version that was read; version 0 creates it."""

    summary: StoredSummary


@dataclass(frozen=True, slots=True)
class MarkCounted:
    """Say how much of a result stands in the summaries now, where less did before; somebody faster is a conflict."""

    game_id: str
    seat: int
    before: int
    now: int


@dataclass(frozen=True, slots=True)
class MarkStale:
    """Say that the summaries of a person must be made anew, or were."""

    person: str
    is_stale: bool


PeopleWrite: TypeAlias = (
    AddPerson
    | ChangePerson
    | HoldPerson
    | PutPlayer
    | MergePeople
    | ErasePerson
    | PutPersonCode
    | UsePersonCode
    | PutResults
    | ReplaceResults
    | ResetSummaries
    | PutReview
    | PutSummary
    | MarkCounted
    | MarkStale
)


class PeopleStore(Protocol):
    """What is known of people."""

    async def find_person(self, person: str) -> StoredPerson | None: ...

    async def list_people(self) -> Sequence[StoredPerson]:
        """List everybody, by name."""

    async def list_known_people(self, people: Sequence[str]) -> Sequence[StoredPerson]:
        """List people, and everybody who finished a game with one of them."""

    async def list_stale_people(self) -> Sequence[StoredPerson]:
        """List the people whose summaries must be made anew."""

    async def list_held_people(self, identity: str) -> Sequence[StoredPerson]:
        """List the people an identity speaks for, the oldest first."""

    async def list_holders(self, person: str) -> Sequence[str]:
        """List the identities that speak for a person."""

    async def find_person_code(self, code: str, at: float) -> str | None:
        """Find the person a code gives, unless it has expired."""

    async def list_players(self, game_id: str) -> dict[int, str]:
        """Say who plays on which seat of a game."""

    async def list_open_games(self, people: Sequence[str], limit: int) -> Sequence[tuple[str, str]]:
        """List the games and rooms in which some people play now, the most recently used first."""

    async def list_rooms_of_person(self, person: str) -> Sequence[str]:
        """List the rooms in which a person has a seat."""


@dataclass(frozen=True, slots=True)
class BestResult:
    """One of the best totals of a person by some rules, when it was scored, and whether the coach was asked."""

    game: str
    total: int
    ended_at: float
    assisted: bool


class ResultStore(Protocol):
    """What is known of games that are over."""

    async def list_best_results(self, person: str, fingerprint: str, limit: int) -> Sequence[BestResult]:
        """List the best totals of a person by the same rules, the best first; of equal ones the older first."""

    async def list_points_lost(self, person: str, edition: str, limit: int) -> Sequence[float]:
        """List what a person lost by their choices in their last reviewed games of an edition, in points."""

    async def list_result_games(self, wanted: GameFilter) -> Sequence[tuple[float, str]]:
        """List when which games ended, the last first."""

    async def list_results(self, games: Sequence[str]) -> Sequence[NamedResult]:
        """List what came of every seat of some games."""

    async def list_person_results(self, person: str) -> Sequence[ResultRow]:
        """List what came of every seat of the games of a person that are counted, the first game first."""

    async def list_person_counts(self, people: Sequence[str]) -> Sequence[tuple[str, int, float]]:
        """Say of people how many games they have finished, and when the last one."""

    async def list_person_editions(self, people: Sequence[str]) -> Sequence[tuple[str, int, float]]:
        """List the editions people have played, how often, and when last; the last one first."""

    async def list_waiting_games(self, limit: int) -> Sequence[str]:
        """List games of which something is not in the summaries yet."""

    async def list_pending_reviews(self, limit: int) -> Sequence[tuple[str, int]]:
        """List the seats that nobody has reviewed yet, the last game first."""

    async def list_closed_games(self, after: str, limit: int) -> Sequence[str]:
        """List closed games by name, after one of them."""

    async def list_summaries(self, person: str) -> Sequence[StoredSummary]:
        """List the summaries of a person alone, or of everybody."""

    async def list_person_summaries(self, person: str) -> Sequence[StoredSummary]:
        """List the summaries of a person, alone and against others."""

    async def list_all_summaries(self, people: Sequence[str]) -> Sequence[StoredSummary]:
        """List every summary about some people: each alone and against anybody, and everybody’s."""

    async def list_pair_summaries(self, person: str, other: str) -> Sequence[StoredSummary]:
        """List the summaries of two people against each other."""

    async def list_companions(self, person: str) -> Sequence[tuple[str, str]]:
        """List the pairs of people in which a person is, by their summaries."""
