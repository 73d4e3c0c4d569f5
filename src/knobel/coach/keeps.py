"""Which dice nobody would keep, whatever they have in mind; so no plan does.

Nobody keeps dice that no box can use together, takes two of three alike, or leaves matching dice lying for less.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from knobel.dice import Hand, sort_dice
from knobel.game import Roll
from knobel.games.sheet import SheetState
from knobel.rules.column import Column
from knobel.rules.scoring import Box, find_pattern
from knobel.rules.sheet_rules import SheetRules
from knobel.solver.multisets import build_multisets

RUN = 3
"""So many different dice are kept for a run; fewer are just dice."""


@dataclass(frozen=True)
class DiceToKeep:
    """The dice somebody may keep, before those who look at all that lie there."""

    rules: SheetRules
    state: SheetState
    move: Roll

    @cached_property
    def kept(self) -> Hand:
        return sort_dice(self.state.dice[place] for place in self.move.keep)

    @cached_property
    def counts(self) -> Counter[int]:
        return Counter(self.kept)

    @cached_property
    def lying(self) -> Counter[int]:
        return Counter(self.state.dice)

    @cached_property
    def boxes(self) -> list[Box]:
        return list_usable_boxes(self.rules, self.state.column, self.state.announced)

    @cached_property
    def needed(self) -> frozenset[int]:
        """The faces whose own box may be scored."""
        return frozenset(box.face for box in self.boxes if box.face is not None)

    @property
    def are_different(self) -> bool:
        return len(self.counts) == len(self.kept)

    @property
    def are_absurd(self) -> bool:
        """Tell whether nobody would keep these dice; of two or three dice somebody may keep any."""
        if self.rules.dice <= RUN:
            return False
        if self.splits_alike():
            return True
        if self.state.locked:
            return False
        return not self.fit_together(self.boxes) or self.leave_more() or self.are_stray()

    def splits_alike(self) -> bool:
        """Tell whether some of several alike are kept and some are not, for no run."""
        is_run = self.are_different and len(self.kept) >= RUN
        return not is_run and any(0 < count < self.lying[face] for face, count in self.counts.items())

    def fit_together(self, boxes: list[Box]) -> bool:
        """Tell whether some box can use all these dice at once."""
        return any(fits_box(box, self.kept, self.rules.dice, self.rules.faces) for box in boxes)

    def leave_more(self) -> bool:
        """Tell whether dice are left lying that are worth more than what is kept."""
        left = list(self.list_left_alike())
        if not self.are_different or len(self.kept) < RUN:
            return self.leave_run() or any(self.are_beaten_by(face, count) for face, count in left)
        patterns = [box for box in self.boxes if box.counts != "all"]
        return bool(left) and (len(self.kept) <= max(count for _, count in left) or not self.fit_together(patterns))

    def leave_run(self) -> bool:
        """Tell whether four of a run are lying, and one or two different dice are kept, or none."""
        boxes = [box for box in self.boxes if box.counts != "all"]
        patterns = [one for box in boxes for one in find_box_patterns(box, self.rules.dice, self.rules.faces)]
        return self.are_different and any(
            len(set(one)) == len(one) and len(self.lying.keys() & set(one)) > RUN for one in patterns
        )

    def serve(self, box: int) -> bool:
        """Tell whether a box can use all these dice, but for those locked already."""
        kept = sort_dice(self.state.dice[place] for place in self.move.keep if place not in self.state.locked)
        return fits_box(self.rules.boxes[box], kept, self.rules.dice, self.rules.faces)

    def list_left_alike(self) -> Iterator[tuple[int, int]]:
        """List the matching dice left lying, of which a box can use all."""
        wanted = [box for box in self.boxes if not counts_any_dice(box, self.rules.dice, self.rules.faces)]
        for face, count in self.lying.items():
            alike = (face,) * count
            if count > max(1, self.counts[face]) and any(
                fits_box(box, alike, self.rules.dice, self.rules.faces) for box in wanted
            ):
                yield face, count

    def are_beaten_by(self, face: int, count: int) -> bool:
        """Tell whether what is kept is worth less than these matching dice."""
        if self.are_different and count >= RUN:
            return True
        if not self.kept:
            return face in self.needed
        if self.are_different and any(die <= face for die in self.kept):
            return True
        if count >= RUN:
            return sum(self.kept) <= face * count
        is_compared = face in self.needed or not self.needed & self.counts.keys()
        return is_compared and sum(self.kept) < face * count

    def are_stray(self) -> bool:
        """Tell whether one or two different dice are kept that are neither the highest nor the highest needed."""
        if not self.kept or not self.are_different or len(self.kept) >= RUN:
            return False
        usable = find_usable_faces(self.boxes, self.rules.dice, self.rules.faces)
        faces = [face for face in sorted(self.lying, reverse=True) if face in usable]
        needed = [face for face in faces if face in self.needed]
        size = len(self.kept)
        return self.counts.keys() not in (set(faces[:size]), set(needed[:size]))


def list_usable_boxes(rules: SheetRules, column: Column, announced: str | None) -> list[Box]:
    """List the boxes which may still be scored this turn."""
    if announced is not None:
        return [rules.boxes[rules.index[announced]]]
    boxes = [rules.boxes[place] for place in column.open_boxes]
    return boxes[:1] if rules.order == "top_down" else boxes


def find_usable_faces(boxes: list[Box], dice: int, faces: int) -> frozenset[int]:
    """Find the faces that some of these boxes can use."""
    return frozenset[int]().union(*(find_box_faces(box, dice, faces) for box in boxes))


@lru_cache(maxsize=1024)
def find_box_faces(box: Box, dice: int, faces: int) -> frozenset[int]:
    """Find the faces a box can use: those of its pattern, or all if it counts all dice."""
    if box.counts == "all":
        return frozenset(range(1, faces + 1))
    return frozenset(die for pattern in find_box_patterns(box, dice, faces) for die in pattern)


@lru_cache(maxsize=1024)
def find_box_patterns(box: Box, dice: int, faces: int) -> frozenset[Hand]:
    """Find all sets of dice that make the pattern of a box."""
    hands = build_multisets(dice, faces).hands
    return frozenset(pattern for hand in hands if (pattern := find_pattern(box.pattern, hand)))


@lru_cache(maxsize=1024)
def counts_any_dice(box: Box, dice: int, faces: int) -> bool:
    """Tell whether a box just adds up the dice, whatever they are."""
    hands = build_multisets(dice, faces).hands
    return box.counts == "all" and all(find_pattern(box.pattern, hand) == hand for hand in hands)


@lru_cache(maxsize=1 << 16)
def fits_box(box: Box, kept: Hand, dice: int, faces: int) -> bool:
    """Tell whether a box can use all these dice at once; one with room for others is glad of high ones."""
    patterns = find_box_patterns(box, dice, faces)
    has_room = box.counts == "all" and any(len(pattern) < dice for pattern in patterns)
    wanted = [die for die in kept if 2 * die <= faces or not (has_room or counts_any_dice(box, dice, faces))]
    if not wanted or counts_any_dice(box, dice, faces) or 2 * len(wanted) < len(kept):
        return not wanted
    missing = Counter(wanted)
    return any(missing <= Counter(pattern) for pattern in patterns)
