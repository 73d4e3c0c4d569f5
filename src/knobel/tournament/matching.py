"""Whether everybody can be paired at all: a perfect matching of a graph, by growing alternating paths (Edmonds)."""

from collections import deque
from collections.abc import Mapping, Set


def has_perfect_matching(neighbours: Mapping[int, Set[int]]) -> bool:
    """Tell whether all can be paired, each with a neighbour."""
    if len(neighbours) % 2:
        return False
    mates: dict[int, int] = {}
    for player, others in neighbours.items():
        # Most find a mate at once; the search is for the others.
        if player not in mates and (free := next((other for other in others if other not in mates), None)) is not None:
            mates[player], mates[free] = free, player
    return all(player in mates or find_mate(neighbours, mates, player) for player in neighbours)


def find_mate(neighbours: Mapping[int, Set[int]], mates: dict[int, int], root: int) -> bool:
    """Find a mate for somebody, rearranging the pairs of others along an alternating path if need be."""
    search = AlternatingSearch(neighbours, mates, root)
    end = search.run()
    while end is not None:
        before = search.parents[end]
        following = mates.get(before)
        mates[end], mates[before] = before, end
        end = following
    return root in mates


class AlternatingSearch:
    """Looks for an alternating path from a player without a mate to another one; odd cycles count as one player."""

    def __init__(self, neighbours: Mapping[int, Set[int]], mates: Mapping[int, int], root: int) -> None:
        self.neighbours = neighbours
        self.mates = mates
        self.root = root
        self.bases = {player: player for player in neighbours}
        self.parents: dict[int, int] = {}
        self.reached = {root}
        self.queue = deque([root])

    def run(self) -> int | None:
        """Give the player at the end of the path, if there is one."""
        while self.queue:
            player = self.queue.popleft()
            for other in self.neighbours[player]:
                if self.bases[player] == self.bases[other] or self.mates.get(player) == other:
                    continue
                mate = self.mates.get(other)
                if other == self.root or (mate is not None and mate in self.parents):
                    self.contract(player, other)
                elif other not in self.parents:
                    self.parents[other] = player
                    if mate is None:
                        return other
                    self.reach(mate)
        return None

    def reach(self, player: int) -> None:
        if player not in self.reached:
            self.reached.add(player)
            self.queue.append(player)

    def contract(self, player: int, other: int) -> None:
        """Contract the odd cycle that an edge between two players closes."""
        base = self.find_common_base(player, other)
        inside = set[int]()
        self.mark_path(player, base, other, inside)
        self.mark_path(other, base, player, inside)
        for one, own in self.bases.items():
            if own in inside:
                self.bases[one] = base
                self.reach(one)

    def find_common_base(self, player: int, other: int) -> int:
        seen, at = set[int](), player
        while True:
            at = self.bases[at]
            seen.add(at)
            if at not in self.mates or at == self.root:
                break
            at = self.parents[self.mates[at]]
        at = other
        while (at := self.bases[at]) not in seen:
            at = self.parents[self.mates[at]]
        return at

    def mark_path(self, player: int, base: int, child: int, inside: set[int]) -> None:
        while self.bases[player] != base:
            mate = self.mates[player]
            inside |= {self.bases[player], self.bases[mate]}
            self.parents[player] = child
            child, player = mate, self.parents[mate]
