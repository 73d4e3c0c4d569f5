"""The par of a form of house rules: solved beside everything else, for one form of a device at a time."""

from pathlib import Path

import pytest

from knobel.host import form_solves
from knobel.host.session import SolveProgress
from knobel.host.solve_queue import SolveJob, SolveQueue
from knobel.rules import load_edition
from knobel.rules.families import expect_sheet_rules
from knobel.rules.sheet_rules import SheetRules
from tests.support.hosted_rooms import ANN, BEN, open_host, run_async
from tests.support.house_rules import EXAMPLES
from tests.support.waiting import wait_until


def read_rules(name: str) -> SheetRules:
    return expect_sheet_rules(load_edition(str(EXAMPLES / f"{name}.toml")).rules(), name)


@run_async
async def test_another_form_of_a_device_takes_the_place_of_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[SolveJob] = []
    monkeypatch.setattr(SolveQueue, "start", lambda _, job: started.append(job))
    first, second = read_rules("two-dice"), read_rules("kniffel")
    async with open_host(tmp_path) as host:
        forms = host.form_solves
        assert forms.find_progress(ANN) is None
        forms.start(ANN, first)
        forms.start(ANN, first)
        forms.start(BEN, first)
        assert len(started) == 2
        assert [len(job.customers) for job in host.solve_queue.jobs.values()] == [2]
        forms.start(ANN, second)
        assert [job.request.rules.fingerprint for job in host.solve_queue.jobs.values()] == [
            first.fingerprint,
            second.fingerprint,
        ]
        host.solve_queue.report(forms.jobs[ANN], SolveProgress(0.5))
        assert forms.find_progress(ANN) == (second, SolveProgress(0.5))
        forms.stop(BEN)
        assert [job.request.rules for job in host.solve_queue.jobs.values()] == [second]


@run_async
async def test_a_form_nobody_looks_at_any_more_leaves_the_queue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SolveQueue, "start", lambda *_: None)
    monkeypatch.setattr(form_solves, "LINGER_SECONDS", 0.0)
    async with open_host(tmp_path) as host:
        host.form_solves.start(ANN, read_rules("two-dice"))
        assert host.solve_queue.jobs
        await wait_until(lambda: not host.solve_queue.jobs)
        assert host.form_solves.find_progress(ANN) is None
