"""One solve divided over the workers of a Dask cluster: level by level, the columns of each level in blocks.

Where all workers are on this machine, the values are in a file that everybody maps into memory, and nothing is sent.
Otherwise a block is sent with the values it is worked out from, and its own come back. Either way everything that is
done is here: a worker that dies leaves only its own block, which is worked out again.
"""

import platform
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from knobel.errors import SolveFailed
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.arrays import Floats, Ints
from knobel.solver.position import find_book_rows
from knobel.solver.solve import (
    MAX_SECONDS,
    ProgressCallback,
    SheetSolution,
    check_size,
    count_columns,
    count_states,
    group_columns_by_level,
    list_rows_of,
    pad_to_stride,
    prepare_solve,
    write_full_sheets,
)
from knobel.solver.tables import Tables, build_tables
from knobel.sweeps.cluster import connect_to_cluster, count_threads

BLOCKS_PER_THREAD = 3
"""Into how many blocks a level is cut for each thread of the cluster, so that none waits long for another."""
MIN_BLOCK = 64
"""How many columns a block has at least: fewer are not worth a message."""
MAX_BLOCK_BYTES = 8 * 1024**2
"""How much is sent with a block at most: a scheduler is not made for more."""


class SentRows(NamedTuple):
    """Some rows of a book: their numbers and values."""

    rows: Ints
    values: Floats


def solve_on_dask(tables: Tables, address: str, progress: ProgressCallback | None = None) -> SheetSolution:
    """Value every position on the workers of a cluster."""
    with connect_to_cluster(address) as client, tempfile.TemporaryDirectory(prefix="knobel-solve-") as folder:
        threads = count_threads(client, address)
        check_size(tables.rules, MAX_SECONDS * threads)
        path = Path(folder) / "values"
        shape = (count_columns(tables.rules) * tables.stride,)
        values: Floats = np.memmap(path, np.float64, "w+", shape=shape)
        write_full_sheets(tables, values)
        levels, shared = group_columns_by_level(tables), str(path) if is_shared(client, path) else None
        every, done, begin = sum(map(len, levels)), 0, time.perf_counter()
        try:
            for level in levels:
                for block in run_level(client, tables, values, cut_level(tables, level, threads), shared, threads):
                    done += len(block)
                    if progress:
                        progress(done / every)
        finally:
            client.run(map_shared.cache_clear)
        return SheetSolution(values, count_states(tables, levels), time.perf_counter() - begin)


def is_shared(client: Any, path: Path) -> bool:
    """Tell whether all workers are on this machine and see its files."""
    seen = client.run(describe_place, str(path)).values()
    return all(place == describe_place(str(path)) for place in seen)


def describe_place(path: str) -> tuple[str, bool]:
    return platform.node(), Path(path).exists()


def cut_level(tables: Tables, level: Ints, threads: int) -> list[Ints]:
    """Cut a level into blocks; columns near each other are worked out from much the same ones."""
    most = max(MIN_BLOCK, MAX_BLOCK_BYTES // (tables.upper_states * level.itemsize * tables.offer.box_count))
    blocks = min(BLOCKS_PER_THREAD * threads, -(-len(level) // MIN_BLOCK))
    return np.array_split(level, max(blocks, -(-len(level) // most)))


def run_level(
    client: Any, tables: Tables, values: Floats, blocks: list[Ints], shared: str | None, threads: int
) -> Iterator[Ints]:
    """Have the blocks of a level worked out, and give each as soon as its values are here."""
    from distributed import as_completed

    waiting, running = deque(blocks), as_completed()
    sent: dict[Any, Ints] = {}
    while waiting or sent:
        # What waits at the scheduler takes its memory, so only a little more is sent than can run.
        while waiting and len(sent) < BLOCKS_PER_THREAD * threads:
            block = waiting.popleft()
            future = send_block(client, tables, values, block, shared)
            sent[future] = block
            running.add(future)
        future = next(running)
        block = sent.pop(future)
        if future.status != "finished":
            raise SolveFailed
        if (found := future.result()) is None:
            # A worker has come from a machine that does not see the file.
            waiting.append(block)
            shared = None
            continue
        write_rows(tables, values, found)
        yield block


def send_block(client: Any, tables: Tables, values: Floats, block: Ints, shared: str | None) -> Any:
    """Send a block to a worker, with the values it needs unless they are in a shared file.

    They are a part of the task, so that the scheduler has them when a worker dies.
    """
    source = shared or take_rows(tables, values, list_rows_after(tables, block))
    return client.submit(solve_block, tables.rules, block, source, pure=False)


def list_rows_after(tables: Tables, columns: Ints) -> Ints:
    """List the rows of the book that columns lead to, in all flag states."""
    masks = np.unique(columns // tables.flag_states)
    after = [masks[masks >> box & 1 == 0] | 1 << box for box in range(tables.offer.box_count)]
    rows = np.unique(find_book_rows(tables, np.concatenate(after)))
    return np.asarray((rows[:, None] * tables.flag_states + np.arange(tables.flag_states)).reshape(-1))


def take_rows(tables: Tables, values: Floats, rows: Ints) -> SentRows:
    return SentRows(rows, values.reshape(-1, tables.stride)[rows, : tables.upper_states])


def write_rows(tables: Tables, values: Floats, found: SentRows) -> None:
    if found.rows.size:
        values.reshape(-1, tables.stride)[found.rows] = pad_to_stride(tables, found.values).reshape(-1, tables.stride)


@lru_cache(maxsize=1)
def map_shared(path: str) -> Floats:
    """Map the shared file into memory, once for all blocks: its pages are slow to come the first time."""
    return np.memmap(path, np.float64, "r+")


def solve_block(rules: SheetRules, block: Ints, source: str | SentRows) -> SentRows | None:
    """Value some columns, on a worker: write them to the shared file, or give them back; nothing without the file."""
    tables = build_tables(rules)
    if isinstance(source, str):
        if not Path(source).exists():
            return None
        prepare_solve(tables, map_shared(source))(block)
        return take_rows(tables, np.zeros(tables.stride), block[:0])
    # Only what is written takes memory.
    values = np.zeros(count_columns(rules) * tables.stride)
    write_rows(tables, values, source)
    prepare_solve(tables, values)(block)
    return take_rows(tables, values, list_rows_of(tables, block))
