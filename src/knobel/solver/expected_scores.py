"""What best play may expect of each box and of the bonus, from every position: the value of the book, told apart."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knobel.errors import GameTooLarge
from knobel.solver import book_cache as books
from knobel.solver.odds import build_sheet_arrays, build_turn_dice, group_masks_by_level
from knobel.solver.position import Book, ColumnKey, find_book_rows
from knobel.solver.solve import (
    MAX_BYTES,
    MAX_SECONDS,
    ProgressCallback,
    build_lock_arrays,
    count_processors,
    estimate_cost,
    find_max_upper_totals,
    pad_to_stride,
)
from knobel.solver.tables import YATZY_SCORED, Floats, Ints, Tables

COLUMNS_PER_TASK = 32
"""How many columns are worked out in one go."""

COST_FACTOR = 12
"""How much longer this takes than solving, at most."""

CACHE_KIND = "prospects"
"""The suffix of their file beside the book."""

SingleFloats = NDArray[np.float32]


@dataclass(frozen=True)
class ExpectedScores:
    """For each column a block: the mean of each box still open, one after the other, then the chance of the bonus.

    A row of a block holds one number for each upper total, as in the book.
    """

    tables: Tables
    column_starts: Ints
    scores: SingleFloats

    def column_scores(self, mask: int, flag_state: int) -> SingleFloats:
        """Give the numbers of one column: a row for each open box, the last one for the bonus."""
        column = int(find_book_rows(self.tables, np.array(mask))) * self.tables.flag_states + flag_state
        return self.scores[self.column_starts[column] : self.column_starts[column + 1]].reshape(
            -1, self.tables.upper_states
        )

    def look_up(self, key: ColumnKey) -> tuple[Floats, float]:
        """Give the mean of every box, 0 for those written, and the chance of the bonus."""
        boxes = len(self.tables.rules.boxes)
        means = np.zeros(boxes)
        here = self.column_scores(key.mask, key.flag_state)[:, key.upper_total]
        means[list_open_boxes(key.mask, boxes)] = here[:-1]
        return means, float(here[-1])


def list_open_boxes(mask: int, boxes: int) -> list[int]:
    """List the boxes that are not written."""
    return [box for box in range(boxes) if not mask >> box & 1]


def find_column_starts(tables: Tables) -> Ints:
    """Say where the block of each column begins, and where the last one ends."""
    boxes = len(tables.rules.boxes)
    if tables.rules.order == "top_down":
        written = np.arange(boxes + 1)
    else:
        written = np.bitwise_count(np.arange(1 << boxes, dtype=np.int64)).astype(np.int64)
    sizes = np.repeat((boxes - written + 1) * tables.upper_states, tables.flag_states)
    return np.concatenate(([0], np.cumsum(sizes)))


def check_expected_scores_size(tables: Tables) -> None:
    """Refuse a game whose prospects are too large, with the number."""
    cost, boxes = estimate_cost(tables.rules), len(tables.rules.boxes)
    memory = cost.memory_bytes + 8 * cost.states * (boxes // 2 + 2)
    seconds = COST_FACTOR * cost.seconds
    if memory > MAX_BYTES or seconds > MAX_SECONDS:
        raise GameTooLarge(
            states=cost.states,
            seconds=round(seconds),
            memory=memory // 1024**2,
            most_seconds=round(MAX_SECONDS),
            most_memory=MAX_BYTES // 1024**2,
        )


def compute_expected_scores(tables: Tables, values: Floats, progress: ProgressCallback | None = None) -> SingleFloats:
    """Follow best play through one turn of every column, the fullest first, and add up what it leads to."""
    from knobel.solver import expected_scores_kernel, turn_kernel

    check_expected_scores_size(tables)
    paper, dice = build_sheet_arrays(tables), build_turn_dice(tables)
    lock = turn_kernel.LockArrays(tables.rules.locked_dice, *build_lock_arrays(tables))
    begins = find_column_starts(tables)
    found = np.zeros(int(begins[-1]))
    if tables.rules.bonus:
        found.reshape(-1, tables.upper_states)[-tables.flag_states :, tables.upper_cap] = 1.0
    levels = group_masks_by_level(tables)[-2::-1]
    every, done = sum(map(len, levels)), 0
    with ThreadPoolExecutor(count_processors()) as pool:
        for masks in levels:
            columns, reach = masks.size * tables.flag_states, mark_reachable_totals(tables, masks)
            cuts = range(0, columns, COLUMNS_PER_TASK)
            work: tuple[Any, ...] = (masks, reach, values, dice, lock, paper, begins, found)
            for run in [
                pool.submit(expected_scores_kernel.accumulate_columns, cut, min(columns, cut + COLUMNS_PER_TASK), *work)
                for cut in cuts
            ]:
                run.result()
            done += masks.size
            if progress:
                progress(done / every)
    return found.astype(np.float32)


def mark_reachable_totals(tables: Tables, masks: Ints) -> Floats:
    """Mark for each column of a level the upper totals that can be reached there."""
    reach = np.ones((masks.size, tables.flag_states, tables.upper_states))
    if tables.rules.order != "top_down":
        most = np.minimum(find_max_upper_totals(tables)[masks], tables.upper_cap)
        reach *= (np.arange(tables.upper_states) <= most[:, None])[:, None, :]
    if tables.flags & YATZY_SCORED and tables.rules.yatzy:
        written = masks >> tables.rules.index[tables.rules.yatzy.box] & 1 == 1
        reach[:, 1::2] *= written[:, None, None]
    return reach.reshape(-1)


def read_expected_scores(book: Book) -> ExpectedScores | None:
    """Map the prospects beside a book, or give nothing; damaged ones are set aside."""
    tables = book.tables
    path, begins = books.books_dir() / f"{tables.rules.fingerprint}.{CACHE_KIND}", find_column_starts(tables)
    try:
        _, offset = books.verify_file(path, tables.rules.fingerprint)
        if path.stat().st_size != offset + 4 * int(begins[-1]):
            raise books.DamagedCacheFile(path.name)
        return ExpectedScores(tables, begins, np.memmap(path, np.float32, "r", offset, (int(begins[-1]),)))
    except FileNotFoundError:
        return None
    except (books.DamagedCacheFile, OSError, ValueError):
        path.unlink(missing_ok=True)
        return None


def build_expected_scores(book: Book, progress: ProgressCallback | None = None) -> None:
    """Work the prospects out here and now, and keep them."""
    tables = book.tables
    found = compute_expected_scores(tables, pad_to_stride(tables, book.values), progress)
    note: dict[str, object] = {"fingerprint": tables.rules.fingerprint}
    books.write_cache_file(books.books_dir() / f"{tables.rules.fingerprint}.{CACHE_KIND}", note, found)


def build_missing_expected_scores(book: Book, progress: ProgressCallback | None = None) -> None:
    """Compute the expected scores unless they are there; whoever waited for another process finds them written."""
    with books.lock_book(book.tables.rules.fingerprint):
        if read_expected_scores(book) is None:
            build_expected_scores(book, progress)
