"""What best play may expect of each box and of the bonus, from every position: the value of the book, told apart."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knobel.errors import SolvingFailed, TooLarge
from knobel.solver import book as books
from knobel.solver.odds import dice_of, masks_by_level, paper_of
from knobel.solver.position import Book, Place, row_of
from knobel.solver.solve import (
    MOST_BYTES,
    MOST_SECONDS,
    Progress,
    estimate,
    lock_arrays,
    processors,
    reachable,
    strided,
)
from knobel.solver.tables import HELD, Floats, Ints, Tables

PIECE = 32
"""How many columns are worked out in one go."""

SLOWER = 12
"""How much longer this takes than solving, at most."""

KIND = "prospects"
"""Under which name they lie beside the book, and what the child process is asked for."""

Kept = NDArray[np.float32]


@dataclass(frozen=True)
class Prospects:
    """For each column a block: the mean of each box still open, one after the other, then the chance of the bonus.

    A row of a block holds one number for each upper total, as in the book.
    """

    tables: Tables
    begins: Ints
    numbers: Kept

    def block(self, mask: int, flag: int) -> Kept:
        """Give the numbers of one column: a row for each open box, the last one for the bonus."""
        column = int(row_of(self.tables, np.array(mask))) * self.tables.flag_states + flag
        return self.numbers[self.begins[column] : self.begins[column + 1]].reshape(-1, self.tables.lanes)

    def of(self, place: Place) -> tuple[Floats, float]:
        """Give the mean of every box, 0 for those written, and the chance of the bonus."""
        boxes = len(self.tables.rules.boxes)
        means = np.zeros(boxes)
        here = self.block(place.mask, place.flag)[:, place.upper]
        means[open_boxes(place.mask, boxes)] = here[:-1]
        return means, float(here[-1])


def open_boxes(mask: int, boxes: int) -> list[int]:
    """List the boxes that are not written."""
    return [box for box in range(boxes) if not mask >> box & 1]


def begins_of(tables: Tables) -> Ints:
    """Say where the block of each column begins, and where the last one ends."""
    boxes = len(tables.rules.boxes)
    if tables.rules.order == "top_down":
        written = np.arange(boxes + 1)
    else:
        written = np.bitwise_count(np.arange(1 << boxes, dtype=np.int64)).astype(np.int64)
    sizes = np.repeat((boxes - written + 1) * tables.lanes, tables.flag_states)
    return np.concatenate(([0], np.cumsum(sizes)))


def check_prospects(tables: Tables) -> None:
    """Refuse a game whose prospects are too large, with the number."""
    cost, boxes = estimate(tables.rules), len(tables.rules.boxes)
    memory = cost.memory + 8 * cost.states * (boxes // 2 + 2)
    seconds = SLOWER * cost.seconds
    if memory > MOST_BYTES or seconds > MOST_SECONDS:
        raise TooLarge(
            states=cost.states,
            seconds=round(seconds),
            memory=memory // 1024**2,
            most_seconds=round(MOST_SECONDS),
            most_memory=MOST_BYTES // 1024**2,
        )


def find_prospects(tables: Tables, values: Floats, progress: Progress | None = None) -> Kept:
    """Follow best play through one turn of every column, the fullest first, and add up what it leads to."""
    from knobel.solver import expect, through

    check_prospects(tables)
    paper, dice = paper_of(tables), dice_of(tables)
    lock = through.Locked(tables.rules.locked_dice, *lock_arrays(tables))
    begins = begins_of(tables)
    found = np.zeros(int(begins[-1]))
    if tables.rules.bonus:
        found.reshape(-1, tables.lanes)[-tables.flag_states :, tables.cap] = 1.0
    levels = masks_by_level(tables)[-2::-1]
    every, done = sum(map(len, levels)), 0
    with ThreadPoolExecutor(processors()) as pool:
        for masks in levels:
            columns, reach = masks.size * tables.flag_states, reached(tables, masks)
            cuts = range(0, columns, PIECE)
            work: tuple[Any, ...] = (masks, reach, values, dice, lock, paper, begins, found)
            for run in [pool.submit(expect.expect, cut, min(columns, cut + PIECE), *work) for cut in cuts]:
                run.result()
            done += masks.size
            if progress:
                progress(done / every)
    return found.astype(np.float32)


def reached(tables: Tables, masks: Ints) -> Floats:
    """Mark for each column of a level the upper totals that can be reached there."""
    reach = np.ones((masks.size, tables.flag_states, tables.lanes))
    if tables.rules.order != "top_down":
        most = np.minimum(reachable(tables)[masks], tables.cap)
        reach *= (np.arange(tables.lanes) <= most[:, None])[:, None, :]
    if tables.flags & HELD and tables.rules.yatzy:
        written = masks >> tables.rules.index[tables.rules.yatzy.box] & 1 == 1
        reach[:, 1::2] *= written[:, None, None]
    return reach.reshape(-1)


def open_prospects(book: Book, progress: Progress | None = None) -> Prospects:
    """Open what lies beside a book; if it is missing or damaged a child process writes it anew."""
    found = read_prospects(book)
    if found is None:
        check_prospects(book.tables)
        build_in_child(book, progress)
        found = read_prospects(book)
    if found is None:
        raise SolvingFailed
    return found


def read_prospects(book: Book) -> Prospects | None:
    """Map the prospects beside a book, or give nothing; damaged ones are set aside."""
    tables = book.tables
    path, begins = books.shelf() / f"{tables.rules.fingerprint}.{KIND}", begins_of(tables)
    try:
        _, offset = books.read(path, tables.rules.fingerprint)
        if path.stat().st_size != offset + 4 * int(begins[-1]):
            raise books.Damaged(path.name)
        return Prospects(tables, begins, np.memmap(path, np.float32, "r", offset, (int(begins[-1]),)))
    except FileNotFoundError:
        return None
    except (books.Damaged, OSError, ValueError):
        path.unlink(missing_ok=True)
        return None


def build_prospects(book: Book, progress: Progress | None = None) -> None:
    """Work the prospects out here and now, and keep them."""
    tables = book.tables
    found = find_prospects(tables, strided(tables, book.values), progress)
    note: dict[str, object] = {"fingerprint": tables.rules.fingerprint}
    books.write(books.shelf() / f"{tables.rules.fingerprint}.{KIND}", note, found)


def build_in_child(book: Book, progress: Progress | None) -> None:
    """Let a child process work the prospects out: compiling would hold up everything else in this one."""
    rules = book.tables.rules
    with books.one_at_a_time(rules.fingerprint):
        if read_prospects(book) is not None:
            return
        books.ask_child(rules, progress, KIND)
