"""Whether chances to win are right: very many games, one random moment of each, and who won in the end.

All columns are played by the compiled simulation, every one from where it stands. The turn of the random moment is
played by the rules themselves, so that it can be looked at in the middle, and its column is simulated on from there.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np

from knobel.bots import load_bot
from knobel.coach.sheet import add_points_so_far, open_coach
from knobel.coach.win_chance import EXACT_OPEN_BOXES, SeatPosition, compute_win_chances, list_positions
from knobel.dice import Hand
from knobel.game import CHANCE, Land, Move, Roll, Score
from knobel.games.sheet import SheetGame, SheetState
from knobel.rules.column import Column
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import YATZY_ROLLED, YATZY_SCORED, Ints, Records
from knobel.solver.book_cache import open_book
from knobel.solver.final_totals import PointsDistribution
from knobel.solver.known_totals import build_request, remember_totals
from knobel.solver.multisets import list_subsets
from knobel.solver.position import BookValues, encode_column, find_book_rows
from knobel.solver.simulate import build_roll_table, build_simulation_tables, find_counter, play_turns
from knobel.solver.simulation_kernel import POINTS_MASK, UPPER_MASK, UPPER_SHIFT
from knobel.solver.solve import pad_to_stride
from knobel.solver.tables import Tables
from knobel.solver.turn_entries import WeightedColumns, find_next_columns
from tests.support.all_totals import list_levels, mix_columns

GROUPS = 10
ROW_SHIFT = np.uint64(40)


@dataclass(frozen=True)
class Judged:
    """A moment of a game: where everybody stands, whose chance is asked for, and the share of the win they got."""

    positions: tuple[SeatPosition, ...]
    seat: int
    won: float


@dataclass(frozen=True)
class Group:
    """Moments with nearly equal chances: how many, the mean chance, the share won, and its standard error."""

    count: int
    expected: float
    won: float
    error: float


class ColumnPlayer:
    """Plays the columns of many games by the compiled simulation; every column keeps its place."""

    def __init__(self, book: BookValues, seed: int) -> None:
        self.tables = book.tables
        self.sim_tables = build_simulation_tables(book.tables, pad_to_stride(book.tables, book.values))
        self.roll_table, self.seed, self.drawn = build_roll_table(book.tables), seed, 0

    def play(self, pool: ThreadPoolExecutor, records: Records) -> Records:
        """Play one turn of each column that is not full."""
        active = np.flatnonzero(records >> ROW_SHIFT < self.first_full_row)
        after = records.copy()
        if active.size:
            order = active[np.argsort(records[active])]
            some = records[order]
            play_turns(pool, some, find_counter(self.seed, self.drawn), self.sim_tables, self.roll_table)
            self.drawn += some.size * self.tables.rules.rolls
            after[order] = some
        return after

    @property
    def first_full_row(self) -> np.uint64:
        """The row of the book from which on all columns are full."""
        full = np.array((1 << self.tables.offer.box_count) - 1)
        return np.uint64(int(find_book_rows(self.tables, full)) * self.tables.flag_states)


def count_points(tables: Tables, records: Records) -> Ints:
    """Count the final totals of full columns."""
    upper = (records >> UPPER_SHIFT) & UPPER_MASK
    return (records & POINTS_MASK).astype(np.int64) + (upper >= tables.upper_cap) * int(tables.bonus)


def decode_record(tables: Tables, record: int) -> Column:
    """Make a column that is worth the same as the one simulated: what matters is in it, not which box holds what."""
    rules, row = tables.rules, record >> 40
    mask, flag_state = divmod(row, tables.flag_states)
    if rules.order == "top_down":
        mask = (1 << mask) - 1
    upper, points = record >> 24 & 0xFFFF, record & 0xFFFFFF
    entries: list[int | None] = [0 if mask >> box & 1 else None for box in range(len(rules.boxes))]
    if upper:
        entries[next(box for box in range(len(entries)) if mask >> box & 1 and tables.is_upper[box])] = upper
    if tables.flags & YATZY_SCORED and flag_state & tables.offer.scored_flag and rules.yatzy:
        entries[rules.index[rules.yatzy.box]] = int(tables.worth[:, rules.index[rules.yatzy.box]].max())
    rolled = bool(tables.flags & YATZY_ROLLED and flag_state & tables.offer.rolled_flag)
    return Column(tuple(entries), points - sum(value or 0 for value in entries), int(rolled))


def encode_record(tables: Tables, column: Column) -> int:
    key = encode_column(tables, column)
    row = int(find_book_rows(tables, np.array(key.mask))) * tables.flag_states + key.flag_state
    return row << 40 | key.upper_total << 24 | add_points_so_far(tables.rules, column)


def play_one_turn(game: SheetGame, state: SheetState, random: Random) -> tuple[list[SheetState], Column]:
    """Play a turn perfectly; give its moments and the column after it."""
    player, states = state.player, [state]
    while (state := states[-1]).columns[player] == states[0].columns[player]:
        if state.seat == CHANCE:
            rolled = tuple(random.randint(1, game.rules.faces) for _ in state.rolling)
            states.append(game.apply(state, Land(rolled)))
        else:
            states.append(game.apply(state, choose_move(game, state, random)))
    return states[:-1], state.columns[player]


def choose_move(game: SheetGame, state: SheetState, random: Random) -> Move:
    """Choose the best move; with free dice straight from the values, a third of the time the bot takes."""
    rules = game.rules
    if rules.locked_dice or rules.order == "announced":
        return load_bot("perfect", "sheet")(game, state, random)
    if not state.dice:
        return Roll(())
    coach = open_coach(rules)
    turn, sets = coach.cached_turn(state.column, None), coach.book.tables.multisets
    entries = turn.entry_values[sets.index[state.hand] - sets.first_hand]
    if rolls_left := rules.rolls - state.rolls_used:
        values = turn.keep_values(rolls_left)
        kept = max(list_keeps(state.hand), key=lambda one: values[sets.index[one]])
        if values[sets.index[kept]] > entries.max():
            return Roll(find_places(state.dice, kept))
    return Score(rules.boxes[int(entries.argmax())].id)


@cache
def list_keeps(hand: Hand) -> list[Hand]:
    return [kept for kept in list_subsets(hand) if kept != hand]


def find_places(dice: tuple[int, ...], kept: Hand) -> tuple[int, ...]:
    """Find the places of the dice to keep."""
    left, places = list(kept), list[int]()
    for place, die in enumerate(dice):
        if die in left:
            left.remove(die)
            places.append(place)
    return tuple(places)


def sample_moments(book: BookValues, seats: int, games: int, seed: int) -> list[Judged]:
    """Play games, and take a random moment of each."""
    tables, random = book.tables, Random(seed)
    game = SheetGame(tables.rules, practice=True)
    boxes, player = len(tables.rules.boxes), ColumnPlayer(book, seed)
    with ThreadPoolExecutor(1) as pool:
        snapshots = [np.zeros(games * seats, np.uint64)]
        for _ in range(boxes):
            snapshots.append(player.play(pool, snapshots[-1]))
        totals = count_points(tables, snapshots[-1]).reshape(games, seats)
        moments, after = list[SheetState](), np.zeros(games, np.uint64)
        movers = np.zeros(games, np.int64)
        for number in range(games):
            level, mover = divmod(random.randrange(boxes * seats), seats)
            columns = tuple(
                decode_record(tables, int(snapshots[level + (seat < mover)][number * seats + seat]))
                for seat in range(seats)
            )
            turns = tuple(level + (seat < mover) for seat in range(seats))
            start = game.start(seats, first=0)._replace(columns=columns, player=mover, seat=mover, turns=turns)
            states, column = play_one_turn(game, start, random)
            moments.append(random.choice(states))
            after[number], movers[number] = encode_record(tables, column), mover
        for _ in range(boxes):
            after = player.play(pool, after)
    totals[np.arange(games), movers] = count_points(tables, after)
    best = totals == totals.max(axis=1, keepdims=True)
    shares = best / best.sum(axis=1, keepdims=True)
    found = []
    for number, state in enumerate(moments):
        seat = random.randrange(seats)
        found.append(Judged(list_positions(game, state), seat, float(shares[number, seat])))
    return found


def find_exact_totals(book: BookValues, moments: list[Judged]) -> dict[str, PointsDistribution]:
    """Work out the distributions of all positions that the program would work out exactly, by key."""
    wanted: dict[int, dict[str, WeightedColumns]] = defaultdict(dict)
    for moment in moments:
        for seat in moment.positions:
            if seat.position.open_boxes <= EXACT_OPEN_BOXES and not seat.position.column.is_full:
                columns = find_next_columns(book, seat.position)
                wanted[int(columns.masks[0]).bit_count()][build_request(seat.rules, seat.position).key] = columns
    found: dict[str, PointsDistribution] = {}
    for level in list_levels(book, EXACT_OPEN_BOXES):
        for key, columns in wanted[int(level.masks[0]).bit_count()].items():
            found[key] = mix_columns(book.tables, level, columns)
    return found


def judge_moments(moments: list[Judged], exact: dict[str, PointsDistribution]) -> tuple[list[Group], int]:
    """Put moments together by tenths of the chance the program gives, which is handed the exact distributions."""
    tenths: list[list[tuple[float, float]]] = [[] for _ in range(GROUPS)]
    exact_count = 0
    for moment in moments:
        for seat in moment.positions:
            request = build_request(seat.rules, seat.position)
            if known := exact.get(request.key):
                remember_totals(request, known)
        chances = compute_win_chances(moment.positions)
        exact_count += chances.exact
        share = chances.players[moment.seat].share
        tenths[min(int(GROUPS * share), GROUPS - 1)].append((share, moment.won))
    groups = []
    for tenth in filter(None, tenths):
        expected = sum(share for share, _ in tenth) / len(tenth)
        won = sum(share for _, share in tenth) / len(tenth)
        # A share lies between 0 and 1, so its variance is never larger than that of a game won or lost.
        error = max(expected * (1 - expected), 1e-4) ** 0.5 / len(tenth) ** 0.5
        groups.append(Group(len(tenth), expected, won, error))
    return groups, exact_count


def calibrate(rules: SheetRules, players: Sequence[int], games: int) -> Iterator[tuple[int, list[Group], int]]:
    """Measure the chances of the program against games, for each number of players.

    Gives the tenths, and how many moments the program judged exactly.
    """
    book = open_book(rules)
    moments = {seats: sample_moments(book, seats, games, seats) for seats in players}
    exact = find_exact_totals(book, [moment for some in moments.values() for moment in some])
    for seats, some in moments.items():
        yield seats, *judge_moments(some, exact)
