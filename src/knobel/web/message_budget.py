"""How many messages a device may send: more than fingers send, less than a flood, through however many sockets."""

from time import monotonic as read_clock
from weakref import WeakValueDictionary

BURST_MESSAGES, MESSAGES_PER_SECOND = 40.0, 4.0
"""How many messages a device may send at once, and how many a second."""


class MessageBudget:
    """What a device may still send; it refills with time."""

    def __init__(self) -> None:
        self.tokens = BURST_MESSAGES
        self.refilled_at = read_clock()

    def spend(self, cost: int) -> float:
        """Say how many seconds a message of this cost must wait before it is handled."""
        now = read_clock()
        refill = (now - self.refilled_at) * MESSAGES_PER_SECOND
        self.tokens = min(BURST_MESSAGES, self.tokens + refill) - cost
        self.refilled_at = now
        return max(0.0, -self.tokens / MESSAGES_PER_SECOND)


class MessageBudgets:
    """The budgets of all connected devices; one is forgotten with the last socket of its device."""

    def __init__(self) -> None:
        self.known: WeakValueDictionary[str, MessageBudget] = WeakValueDictionary()

    def find(self, device: str) -> MessageBudget:
        budget = self.known.get(device)
        if budget is None:
            budget = self.known[device] = MessageBudget()
        return budget
