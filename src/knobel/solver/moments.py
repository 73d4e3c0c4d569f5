"""The spread of the points to come from every position under best play: variance and third moment beside the book."""

from dataclasses import dataclass
from threading import Lock

import numpy as np

from knobel.errors import SolveFailed
from knobel.solver import book_cache as books
from knobel.solver.arrays import (
    MOMENT_STRIPS,
    SINGLE_TIE_TOLERANCE,
    WORST_VALUE,
    ColumnModel,
    Floats,
    Ints,
    MomentArrays,
    SingleFloats,
)
from knobel.solver.column_position import ColumnPosition
from knobel.solver.hand_classes import list_turn_classes
from knobel.solver.position import BookValues, find_book_rows
from knobel.solver.solve import (
    MAX_BYTES,
    MAX_SECONDS,
    CostEstimate,
    ProgressCallback,
    allocate_solve_scratch,
    build_size_error,
    count_columns,
    estimate_cost,
    group_columns_by_level,
    limit_totals,
    list_rows_of,
    may_be_best,
    pad_to_stride,
    run_levels,
    write_columns,
)
from knobel.solver.table_checks import check_values
from knobel.solver.tables import Tables, round_up_to_strips
from knobel.solver.turn_entries import find_next_columns

COST_FACTOR = 2
"""How much longer this takes than solving, at most."""

CACHE_KIND = "moments"
"""The suffix of their file beside the book."""


MAX_KNOWN = 16
"""The moments of how many books stay open."""
KNOWN: "dict[str, Moments]" = {}
KNOWN_LOCK = Lock()


@dataclass(frozen=True)
class Moments:
    """For each column of a book and upper total: variance, then third central moment, in single precision."""

    book: BookValues
    numbers: SingleFloats

    def look_up_columns(self, position: ColumnPosition) -> tuple[Floats, Floats, Floats]:
        """Give the three for every column that best play leads to at the end of the turn at hand."""
        columns = find_next_columns(self.book, position)
        return self.look_up(columns.masks, columns.flag_states, columns.upper_totals)

    def look_up(self, masks: Ints, flag_states: Ints, upper_totals: Ints) -> tuple[Floats, Floats, Floats]:
        """Give mean, variance and third central moment of the points to come from some columns."""
        tables = self.book.tables
        rows = find_book_rows(tables, masks) * tables.flag_states + flag_states
        variances, thirds = self.numbers[:, rows, upper_totals].astype(np.float64)
        return self.book.values[rows, upper_totals], variances, thirds


def compute_moments(tables: Tables, values: Floats, progress: ProgressCallback | None = None) -> SingleFloats:
    """Work through all columns backwards, the fullest first, with the values already solved."""
    from knobel.solver.moments_kernel import spread_columns

    check_moments_size(tables)
    columns = count_columns(tables.rules)
    check_values(values, columns, tables.stride)
    moments = MomentArrays(np.zeros(values.size, np.float32), np.zeros(values.size, np.float32))
    # In the order of the boxes, in which ties are settled.
    turns = sorted(list_turn_classes(tables), key=lambda turn: turn.announced)
    width = round_up_to_strips(tables.upper_states)
    lock = tables.lock_arrays if tables.rules.locked_dice else None

    def spread_some(some: Ints) -> None:
        batch = limit_totals(tables, some)
        best = np.full((MOMENT_STRIPS, some.size, width), WORST_VALUE, np.float32)
        for turn in turns:
            places = turn.select_columns(some // tables.flag_states)
            if turn.sure_points is not None:
                known = values.reshape(-1, tables.stride)[list_rows_of(tables, some), :width]
                places = places[may_be_best(tables, values, batch, known - SINGLE_TIE_TOLERANCE, turn, places)]
            model = ColumnModel(values, turn.dice, tables.lock_arrays, tables.sheet_arrays)
            scratch = allocate_solve_scratch(tables, turn, MOMENT_STRIPS, np.float32)
            spread_columns(batch, places, turn.announced, model, moments, best.reshape(-1), lock, scratch)
        for found, of_turns in zip(moments, best[1:], strict=True):
            write_columns(tables, found, batch, of_turns)

    run_levels(spread_some, group_columns_by_level(tables), progress)
    shape = (columns, tables.stride)
    kept = [numbers.reshape(shape)[:, : tables.upper_states] for numbers in moments]
    return np.stack(kept)


def check_moments_size(tables: Tables) -> None:
    """Refuse a game whose moments are too large, with the number."""
    solving = estimate_cost(tables.rules)
    cost = CostEstimate(solving.states, COST_FACTOR * solving.seconds, 3 * solving.memory_bytes)
    if cost.memory_bytes > MAX_BYTES or cost.seconds > MAX_SECONDS:
        raise build_size_error(cost)


def read_moments(book: BookValues) -> Moments | None:
    """Map the moments beside a book, or give nothing; damaged ones are set aside."""
    rules = book.tables.rules
    path, shape = books.books_dir() / f"{rules.fingerprint}.{CACHE_KIND}", (2, *book.values.shape)
    if (unsaved := books.UNSAVED.get(path)) and unsaved.values is not None:
        return Moments(book, unsaved.values.astype(np.float32, copy=False))
    try:
        _, offset = books.verify_file(path, rules.fingerprint)
        if path.stat().st_size != offset + 4 * int(np.prod(shape)):
            raise books.DamagedCacheFile(path.name)
        return Moments(book, np.memmap(path, np.float32, "r", offset, shape))
    except OSError:
        return None
    except (books.DamagedCacheFile, ValueError):
        books.delete_file(path)
        return None


def build_moments(book: BookValues, progress: ProgressCallback | None = None) -> None:
    """Work the moments out here and now, and keep them."""
    rules = book.tables.rules
    found = compute_moments(book.tables, pad_to_stride(book.tables, book.values), progress)
    note: dict[str, object] = {"fingerprint": rules.fingerprint}
    books.write_cache_file(books.books_dir() / f"{rules.fingerprint}.{CACHE_KIND}", note, found)


def build_missing_moments(book: BookValues, progress: ProgressCallback | None = None) -> None:
    """Compute the moments unless they are there, perhaps just written by another process."""
    with books.lock_book(book.tables.rules.fingerprint):
        if read_moments(book) is None:
            build_moments(book, progress)


def are_moments_known(book: BookValues) -> bool:
    """Tell whether the moments of a book are open in this process."""
    with KNOWN_LOCK:
        known = KNOWN.get(book.tables.rules.fingerprint)
    return known is not None


def find_moments(book: BookValues) -> Moments | None:
    """Find the moments beside a book, open or on disk; those asked last stay open."""
    fingerprint = book.tables.rules.fingerprint
    with KNOWN_LOCK:
        known = KNOWN.pop(fingerprint, None)
    found = known or read_moments(book)
    if found:
        with KNOWN_LOCK:
            KNOWN[fingerprint] = found
            for name in list(KNOWN)[:-MAX_KNOWN]:
                del KNOWN[name]
    return found


def open_moments(book: BookValues, progress: ProgressCallback | None = None) -> Moments:
    """Open the moments beside a book; missing ones are worked out in this process."""
    if found := find_moments(book):
        return found
    build_missing_moments(book, progress)
    found = find_moments(book)
    if found is None:
        raise SolveFailed
    return found
