"""Lessons about the box to score, to cross out or to announce: their positions, and the numbers they speak of."""

from collections.abc import Sequence

from knobel.coach.figures import format_points
from knobel.coach.sheet import SheetCoach
from knobel.game import Announce, Move, Score
from knobel.games.sheet import SheetGame
from knobel.learning.chances import chance_in_one_roll
from knobel.learning.lesson import Figures, TwoFigures, percent
from knobel.learning.lesson_parts import count_of_each, expect, list_upper, rank_scores, with_dice
from knobel.learning.scenes import (
    Scene,
    count_faces,
    fill_boxes,
    find_all_alike_box,
    find_boxes,
    list_hands,
    start_sheet_scene,
)
from knobel.phrase import BoxName
from knobel.rules.scoring import Box, worth
from knobel.rules.sheet_rules import SheetRules

# The bonus.


def list_bonus_scenes(game: SheetGame) -> list[Scene]:
    """Many dice of one face, which also score below."""
    found = []
    for scene in with_dice(start_sheet_scene(game), list(list_hands(game.rules)), game.rules.rolls):
        face, count = count_faces(scene.state.hand)[0]
        upper = next((box for box in list_upper(game.rules) if box.face == face), None)
        if upper and count_of_each(game.rules) <= count < game.rules.dice:
            lower = [move for move in rank_scores(scene, game) if move.box != upper.id]
            found.append(scene.offer(Score(upper.id), *lower[:2]))
    return found


def compute_bonus(game: SheetGame, coach: SheetCoach) -> TwoFigures:
    rules, each, box = game.rules, count_of_each(game.rules), list_upper(game.rules)[-1]
    face = box.face or 0
    more, less = each * face, (each - 1) * face
    gained = expect(game, coach, {box.id: more}) - expect(game, coach, {box.id: less})
    first: Figures = {"goal": rules.bonus.goal, "points": rules.bonus.points, "count": each} if rules.bonus else {}
    return first, {"box": BoxName(box.id), "more": more, "less": less, "worth": format_points(gained)}


# Crossing out.


def list_cross_out_scenes(game: SheetGame) -> list[Scene]:
    """Dice that score next to nothing on a sheet where the easy boxes are filled."""
    rules, upper = game.rules, list_upper(game.rules)
    pair = find_pair_box(rules)
    easy = [box for box in rules.boxes if box.pattern.name in ("sum", "pairs") or box in (*upper[1:], pair)]
    opened = fill_boxes(game, easy)
    found = []
    for scene in with_dice(opened, list(list_hands(rules)), rules.rolls):
        moves = rank_scores(scene, game)
        points = [game.list_options(scene.state)[move.box].points for move in moves]
        if len(moves) > 2 and points[0] <= 1:
            hard = find_all_alike_box(rules)
            cheap = Score(upper[0].id) if upper else moves[0]
            found.append(scene.offer(cheap, Score(hard.id) if hard else None, moves[1], moves[-1]))
    return found


def compute_cross_out(game: SheetGame, coach: SheetCoach) -> TwoFigures:
    """Compare the boxes that are missed least and most on an empty sheet."""
    left = {box.id: expect(game, coach, {box.id: 0}) for box in game.rules.boxes}
    ranked = sorted(left, key=lambda box: -round(left[box], 6))
    figures: Figures = {
        "box": BoxName(ranked[0]),
        "cheap": format_points(left[ranked[0]]),
        "other": BoxName(ranked[-1]),
        "dear": format_points(left[ranked[-1]]),
    }
    return figures, {}


# All dice alike once more.


def list_joker_scenes(game: SheetGame) -> list[Scene]:
    """All dice alike after their box was filled with the same."""
    rules, box = game.rules, rules_yatzy_box(game.rules)
    found = list[Scene]()
    for filled in ([box], [box, *list_upper(rules)]):
        opened = fill_boxes(game, filled, {box.id: (rules.faces,) * rules.dice})
        hands = [(face,) * rules.dice for face in range(1, rules.faces)]
        scenes = with_dice(opened, hands, rules.rolls)
        found += [scene.offer(*choose_different(rank_scores(scene, game))) for scene in scenes]
    return found


def rules_yatzy_box(rules: SheetRules) -> Box:
    return rules.boxes[rules.index[rules.yatzy.box]] if rules.yatzy else rules.boxes[0]


def choose_different(moves: Sequence[Score]) -> Sequence[Move]:
    """Choose the first, the second and the last of several moves."""
    return (*moves[:2], *moves[-1:])


def compute_joker(game: SheetGame, coach: SheetCoach) -> TwoFigures:
    """Compare a sheet with the box filled by all dice alike with one where it is crossed out."""
    box, top = rules_yatzy_box(game.rules), (game.rules.faces,) * game.rules.dice
    points = worth(box, top)
    more = expect(game, coach, {box.id: points}, 1) - expect(game, coach, {box.id: 0}) - points
    return {"box": BoxName(box.id), "points": points, "worth": format_points(more)}, {}


# One pair.


def find_pair_box(rules: SheetRules) -> Box | None:
    pairs = [box for box in find_boxes(rules, "group") if box.pattern.int_setting("size") == 2]
    return pairs[0] if pairs and rules.dice > 2 and list_upper(rules) else None


def list_pair_scenes(game: SheetGame) -> list[Scene]:
    """A pair and nothing else: above, or in the box for pairs."""
    box, found = find_pair_box(game.rules) or game.rules.boxes[0], []
    uppers = {upper.face: upper for upper in list_upper(game.rules)}
    for scene in with_dice(start_sheet_scene(game), list(list_hands(game.rules)), game.rules.rolls):
        (face, count), *others = count_faces(scene.state.hand)
        if count == 2 and face in uppers and all(one == 1 for _, one in others):
            found.append(scene.offer(Score(box.id), Score(uppers[face].id), *rank_scores(scene, game)[:1]))
    return found


def compute_pair(game: SheetGame, coach: SheetCoach) -> TwoFigures:
    rules, box, upper = game.rules, find_pair_box(game.rules) or game.rules.boxes[0], list_upper(game.rules)[-1]
    pair = (upper.face or 0,) * 2
    below, above = (expect(game, coach, {one.id: worth(one, pair)}) for one in (box, upper))
    first: Figures = {
        "box": BoxName(box.id),
        "below": format_points(below),
        "other": BoxName(upper.id),
        "above": format_points(above),
    }
    rolled = chance_in_one_roll((), rules, lambda hand: count_faces(hand)[0][1] >= 2)
    return first, {"chance": percent(rolled)}


# Announcing.


def list_announce_scenes(game: SheetGame) -> list[Scene]:
    """Before the first roll, on an empty sheet and on one that is half filled."""
    boxes, half = game.rules.boxes, fill_boxes(game, game.rules.boxes[::2])
    found = list[Scene]()
    for scene in (start_sheet_scene(game), half):
        allowed = [Announce(box.id) for box in boxes if scene.allows(Announce(box.id))]
        found += [scene.offer(*allowed[first::4]) for first in range(min(4, len(allowed)))]
    return found


def compute_announce(game: SheetGame, coach: SheetCoach) -> TwoFigures:
    ranked = coach.rank_moves(game, start_sheet_scene(game).state)
    best, worst = ranked[0], ranked[-1]
    names = [BoxName(one.move.box) for one in (best, worst) if isinstance(one.move, Announce)]
    values = [format_points(one.value) for one in (best, worst)]
    return {"box": names[0], "best": values[0], "other": names[1], "worst": values[1]}, {}
