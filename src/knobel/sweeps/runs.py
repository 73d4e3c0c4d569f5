"""Ways to solve many sets of rules at once: processes on this machine, or the workers of a Dask cluster."""

import multiprocessing
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from knobel.rules.sheet_rules import SheetRules
from knobel.sweeps.cluster import connect_to_cluster
from knobel.sweeps.solving import Figures, solve_rules

MAX_ATTEMPTS = 3
"""How often rules are tried that were being solved when a worker died; then they are taken to be the reason."""
LOST = "worker_lost"


def run_locally(jobs: Iterable[SheetRules], processors: int) -> Iterator[tuple[SheetRules, Figures]]:
    """Solve rules in processes of this machine, with one processor in this one; what a process leaves is done again."""
    if processors == 1:
        yield from ((rules, solve_rules(rules, 1)) for rules in jobs)
        return
    waiting, attempts = deque(jobs), Counter[str]()
    processes = max(1, min(processors, len(waiting)))
    threads = max(1, processors // processes)
    while waiting:
        running: dict[Future[Figures], SheetRules] = {}
        try:
            with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
                while waiting or running:
                    # Never more than can run: only what runs when a process dies is in doubt.
                    while waiting and len(running) < processes:
                        rules = waiting.popleft()
                        running[pool.submit(solve_rules, rules, threads)] = rules
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        figures = future.result()
                        yield running.pop(future), figures
        except BrokenProcessPool:
            for rules in running.values():
                attempts[rules.fingerprint] += 1
                if attempts[rules.fingerprint] < MAX_ATTEMPTS:
                    waiting.append(rules)
                else:
                    yield rules, {"error": LOST}


def run_on_dask(jobs: Iterable[SheetRules], address: str) -> Iterator[tuple[SheetRules, Figures]]:
    """Solve rules on the workers of a Dask cluster, which solves again what a worker that died left behind."""
    from distributed import KilledWorker, as_completed

    with connect_to_cluster(address) as client:
        rules_by_id = {rules.fingerprint: rules for rules in jobs}
        futures = [client.submit(solve_rules, rules, key=f"knobel-{name}") for name, rules in rules_by_id.items()]
        for future in as_completed(futures):
            rules = rules_by_id[future.key.removeprefix("knobel-")]
            try:
                yield rules, future.result()
            except KilledWorker:
                yield rules, {"error": LOST}
            future.release()
