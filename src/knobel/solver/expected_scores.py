"""The expected score of each box and of the bonus under best play, from every position: the book's values in parts."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from knobel.solver import book_cache as books
from knobel.solver.arrays import TOP_DOWN, ColumnModel, ExpectedArrays, Floats, Ints, SingleFloats
from knobel.solver.position import BookValues, ColumnKey, find_book_rows
from knobel.solver.solve import (
    MAX_BYTES,
    MAX_SECONDS,
    CostEstimate,
    ProgressCallback,
    build_size_error,
    count_columns,
    count_processors,
    estimate_cost,
    group_masks_by_level,
    pad_to_stride,
)
from knobel.solver.table_checks import check_values
from knobel.solver.tables import Tables

MASKS_PER_TASK = 32
"""How many sets of used boxes are worked out in one go."""

COST_FACTOR = 12
"""How much longer this takes than solving, at most."""

CACHE_KIND = "prospects"
"""The suffix of their file beside the book."""


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
        block = self.scores[self.column_starts[column] : self.column_starts[column + 1]]
        return block.reshape(-1, self.tables.upper_states)

    def look_up(self, key: ColumnKey) -> tuple[Floats, float]:
        """Give the mean of every box, 0 for those used, and the chance of the bonus."""
        boxes = self.tables.offer.box_count
        *box_means, bonus = self.column_scores(key.mask, key.flag_state)[:, key.upper_total].tolist()
        means = np.zeros(boxes)
        means[list_open_boxes(key.mask, boxes)] = box_means
        return means, bonus


def list_open_boxes(mask: int, boxes: int) -> list[int]:
    return [box for box in range(boxes) if not mask >> box & 1]


def find_column_starts(tables: Tables) -> Ints:
    """Say where the block of each column begins, and where the last one ends."""
    boxes = tables.offer.box_count
    if tables.offer.order == TOP_DOWN:
        used = np.arange(boxes + 1)
    else:
        used = np.bitwise_count(np.arange(1 << boxes, dtype=np.int64)).astype(np.int64)
    sizes = np.repeat((boxes - used + 1) * tables.upper_states, tables.flag_states)
    return np.concatenate(([0], np.cumsum(sizes)))


def check_expected_scores_size(tables: Tables) -> None:
    """Refuse a game whose expected scores are too large, with the number."""
    solving = estimate_cost(tables.rules)
    memory = solving.memory_bytes + 8 * solving.states * (tables.offer.box_count // 2 + 2)
    cost = CostEstimate(solving.states, COST_FACTOR * solving.seconds, memory)
    if cost.memory_bytes > MAX_BYTES or cost.seconds > MAX_SECONDS:
        raise build_size_error(cost)


def compute_expected_scores(tables: Tables, values: Floats, progress: ProgressCallback | None = None) -> SingleFloats:
    """Follow best play through one turn of every column, the fullest first, and add up what it leads to."""
    from knobel.solver.expected_scores_kernel import accumulate_columns

    check_expected_scores_size(tables)
    check_values(values, count_columns(tables.rules), tables.stride)
    model = ColumnModel(values, tables.turn_dice, tables.lock_arrays, tables.sheet_arrays)
    starts = find_column_starts(tables)
    expected = ExpectedArrays(starts, np.zeros(int(starts[-1])))
    if tables.rules.bonus:  # the blocks of full sheets come last, and have no row but that of the bonus
        expected.scores.reshape(-1, tables.upper_states)[-tables.flag_states :, tables.upper_cap] = 1.0
    levels = group_masks_by_level(tables)[-2::-1]
    every, done = sum(map(len, levels)), 0
    with ThreadPoolExecutor(count_processors()) as pool:
        for masks in levels:
            reach = mark_reachable_totals(tables, masks)
            pieces = [slice(first, first + MASKS_PER_TASK) for first in range(0, masks.size, MASKS_PER_TASK)]
            runs = [
                pool.submit(accumulate_columns, masks[piece], reach[piece].reshape(-1), model, expected)
                for piece in pieces
            ]
            for run in runs:
                run.result()
            done += masks.size
            if progress:
                progress(done / every)
    return expected.scores.astype(np.float32)


def mark_reachable_totals(tables: Tables, masks: Ints) -> Floats:
    """Mark for each set of used boxes, flag state and upper total with 1 whether it can be reached."""
    offer = tables.offer
    reach = np.ones((masks.size, tables.flag_states, tables.upper_states))
    if offer.order != TOP_DOWN:
        highest = np.minimum(tables.max_upper_totals[masks], tables.upper_cap)
        reach *= (np.arange(tables.upper_states) <= highest[:, None])[:, None, :]
    needs_yatzy = np.arange(tables.flag_states) & offer.scored_flag != 0
    possible = ~needs_yatzy | (masks & offer.yatzy_bit != 0)[:, None]
    return np.asarray(reach * possible[:, :, None], np.float64)


def read_expected_scores(book: BookValues) -> ExpectedScores | None:
    """Map the expected scores beside a book, or give nothing; damaged ones are set aside."""
    tables = book.tables
    path, starts = books.books_dir() / f"{tables.rules.fingerprint}.{CACHE_KIND}", find_column_starts(tables)
    if (unsaved := books.UNSAVED.get(path)) and unsaved.values is not None:
        return ExpectedScores(tables, starts, unsaved.values.astype(np.float32, copy=False))
    try:
        _, offset = books.verify_file(path, tables.rules.fingerprint)
        if path.stat().st_size != offset + 4 * int(starts[-1]):
            raise books.DamagedCacheFile(path.name)
        return ExpectedScores(tables, starts, np.memmap(path, np.float32, "r", offset, (int(starts[-1]),)))
    except OSError:
        return None
    except (books.DamagedCacheFile, ValueError):
        books.delete_file(path)
        return None


def build_expected_scores(book: BookValues, progress: ProgressCallback | None = None) -> None:
    """Work the expected scores out here and now, and keep them."""
    tables = book.tables
    found = compute_expected_scores(tables, pad_to_stride(tables, book.values), progress)
    note: dict[str, object] = {"fingerprint": tables.rules.fingerprint}
    books.write_cache_file(books.books_dir() / f"{tables.rules.fingerprint}.{CACHE_KIND}", note, found)


def build_missing_expected_scores(book: BookValues, progress: ProgressCallback | None = None) -> None:
    """Compute the expected scores unless they are there, perhaps just written by another process."""
    with books.lock_book(book.tables.rules.fingerprint):
        if read_expected_scores(book) is None:
            build_expected_scores(book, progress)
