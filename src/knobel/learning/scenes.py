"""Positions for lessons, each reached by legal actions from the start of a game, so that every screen can show it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from knobel.dice import Hand, all_hands, is_all_alike
from knobel.game import Action, Announce, Game, Land, Move, Roll, Score, Stand, find_dice
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame
from knobel.notation import write_action
from knobel.rules.scoring import Box, worth
from knobel.rules.sheet_rules import SheetRules

FREE, TOP_DOWN, ANNOUNCED = "free", "top_down", "announced"


@dataclass(frozen=True, slots=True)
class Scene:
    """A position, the actions that lead to it, and moves to hesitate between; the first is the usual one."""

    game: Game[Any]
    state: Any
    actions: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()

    def play(self, action: Action) -> "Scene":
        text = write_action(self.state, action, self.game.rules.dice)
        return replace(self, state=self.game.apply(self.state, action), actions=(*self.actions, text))

    def allows(self, move: Move) -> bool:
        return self.game.refusal(self.state, move) is None

    def roll(self, dice: Sequence[int], times: int = 1) -> "Scene":
        """Roll all dice so many times; they show the same each time."""
        scene = self
        for _ in range(times):
            scene = scene.play(Roll(())).play(Land(tuple(dice)))
        return scene

    def offer(self, *moves: Move | None) -> "Scene":
        """Offer these moves, as far as the rules allow them."""
        allowed = [move for move in moves if move is not None and self.allows(move)]
        return replace(self, moves=tuple(dict.fromkeys(allowed)))

    def keep(self, values: Iterable[int]) -> Roll | None:
        """Build the roll that keeps these values."""
        places = find_dice(self.state.dice, tuple(values))
        return None if places is None or len(places) == len(self.state.dice) else Roll(places)


def list_hands(rules: Any) -> Iterator[Hand]:
    return all_hands(rules.dice, rules.faces)


def count_faces(hand: Hand) -> list[tuple[int, int]]:
    """List the faces of a hand with how often they come, the most frequent first, of those the highest."""
    return sorted(Counter(hand).items(), key=lambda one: (-one[1], -one[0]))


def find_boxes(rules: SheetRules, *patterns: str) -> list[Box]:
    """List the lower boxes with one of these patterns."""
    return [box for box in rules.boxes if not box.upper and box.pattern.name in patterns]


def find_all_alike_box(rules: SheetRules) -> Box | None:
    """Find the box for all dice alike."""
    fitting = [box for box in find_boxes(rules, "group") if box.pattern.int_setting("size") == rules.dice]
    return fitting[0] if fitting else None


def start_sheet_scene(game: SheetGame) -> Scene:
    return Scene(game, game.start(1, 0))


def fill_boxes(game: SheetGame, boxes: Iterable[Box], wanted: dict[str, Hand] | None = None) -> Scene:
    """Fill boxes in the order of the sheet, each with a usual hand or with the one that is wanted."""
    scene, names = start_sheet_scene(game), {box.id for box in boxes}
    for box in game.rules.boxes:
        if box.id in names:
            hand = (wanted or {}).get(box.id)
            scene = fill_box(scene, box, (hand,) if hand else list_usual_hands(game.rules, box))
    return scene


def fill_box(scene: Scene, box: Box, hands: Iterable[Hand]) -> Scene:
    """Fill a box with the first of these hands that the rules let score there."""
    announced = scene.play(Announce(box.id)) if scene.allows(Announce(box.id)) else scene
    rolled = (announced.roll(hand) for hand in hands)
    return next(one for one in rolled if one.allows(Score(box.id))).play(Score(box.id))


def list_usual_hands(rules: SheetRules, box: Box) -> list[Hand]:
    """List hands for a box, those first that score about the middle of what it can score; all dice alike last."""
    scoring = sorted((hand for hand in list_hands(rules) if worth(box, hand)), key=lambda hand: worth(box, hand))
    middle = worth(box, scoring[len(scoring) // 2]) if scoring else 0
    if box.face is not None:
        middle = box.face * ((rules.dice + 1) // 2)
    return sorted(list_hands(rules), key=lambda hand: (is_all_alike(hand), abs(worth(box, hand) - middle), hand))


def open_turn(game: SheetGame, about: Box, filled: Iterable[Box] = (), wanted: dict[str, Hand] | None = None) -> Scene:
    """Open a turn in which a box can be scored: those before it are filled, or it is announced, where that must be."""
    rules = game.rules
    if rules.order == TOP_DOWN:
        return fill_boxes(game, rules.boxes[: rules.index[about.id]], wanted)
    scene = fill_boxes(game, [box for box in filled if box.id != about.id], wanted)
    return scene.play(Announce(about.id)) if rules.order == ANNOUNCED else scene


def open_round(game: RoundsGame) -> Scene:
    """Open a round of two players."""
    return Scene(game, game.start(2, 0))


def follow_opener(game: RoundsGame, dice: Hand, rolls: int, aim: str) -> Scene:
    """Let the opener stand after so many rolls; the follower is next."""
    return open_round(game).roll(dice, rolls).play(Stand(aim))
