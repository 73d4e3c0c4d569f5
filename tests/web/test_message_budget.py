"""How much a device may ask for: the budget is its own, through however many sockets, and drawing costs more."""

import pytest

from knobel.web import message_budget
from knobel.web.connection import COSTS
from knobel.web.message_budget import BURST_MESSAGES, MESSAGES_PER_SECOND, MessageBudget, MessageBudgets
from knobel.web.wire import AskTurn, SetLanguage


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(message_budget, "read_clock", lambda: now[0])
    return now


def test_a_burst_is_free_and_what_is_above_it_waits(clock: list[float]) -> None:
    budget = MessageBudget()
    assert [budget.spend(1) for _ in range(int(BURST_MESSAGES))] == [0.0] * int(BURST_MESSAGES)
    assert budget.spend(1) == pytest.approx(1 / MESSAGES_PER_SECOND)
    clock[0] += 1.0
    assert budget.spend(1) == 0.0


@pytest.mark.parametrize("kind", [SetLanguage, AskTurn])
def test_what_is_drawn_anew_is_asked_for_only_a_few_times_at_once(clock: list[float], kind: type) -> None:
    budget = MessageBudget()
    assert sum(budget.spend(COSTS[kind]) == 0.0 for _ in range(40)) <= 6


def test_all_sockets_of_a_device_share_one_budget_until_the_last_is_gone(clock: list[float]) -> None:
    budgets = MessageBudgets()
    one, other, stranger = budgets.find("ann"), budgets.find("ann"), budgets.find("ben")
    one.spend(int(BURST_MESSAGES))
    assert (other.spend(1) > 0, stranger.spend(1)) == (True, 0.0)
    del one, other
    assert budgets.find("ann").spend(1) == 0.0
