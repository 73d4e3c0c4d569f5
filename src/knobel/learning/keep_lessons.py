"""Lessons about the dice to keep, and about stopping: their positions, and the numbers they speak of."""

from itertools import combinations

from knobel.coach.sheet import SheetCoach
from knobel.dice import Hand, is_all_alike
from knobel.game import Roll, Score
from knobel.games.sheet import SheetGame
from knobel.learning.chances import average_of_die, chance_at_least, chance_in_one_roll, chance_of_face, chance_of_hand
from knobel.learning.lesson import Figures, TwoFigures, percent
from knobel.learning.lesson_parts import count_of_each, list_upper, rank_scores, with_dice
from knobel.learning.scenes import FREE, Scene, count_faces, find_all_alike_box, find_boxes, list_hands, open_turn
from knobel.phrase import BoxName, FormattedNumber
from knobel.rules.scoring import Box, worth
from knobel.rules.sheet_rules import SheetRules

# Straights.


def list_run_parts(rules: SheetRules, length: int) -> dict[Hand, int]:
    """List the sets one die short of a straight, with how many faces complete one of this length."""
    boxes = [box for box in find_boxes(rules, "run") if box.pattern.int_setting("length") == length]
    runs = {
        tuple(range(low, low + length))
        for low in range(1, rules.faces - length + 2)
        if any(worth(box, (*(low,) * (rules.dice - length), *range(low, low + length))) for box in boxes)
    }
    parts = [part for run in runs for part in combinations(run, length - 1)]
    return {part: parts.count(part) for part in sorted(parts)}


def find_straight(rules: SheetRules) -> Box | None:
    """Find the longest straight that can be open at both ends."""
    runs = sorted(find_boxes(rules, "run"), key=lambda box: -box.pattern.int_setting("length"))
    lengths = [(box, box.pattern.int_setting("length")) for box in runs]
    return next((box for box, n in lengths if n > 2 and max(list_run_parts(rules, n).values(), default=0) > 1), None)


def list_straight_scenes(game: SheetGame) -> list[Scene]:
    """A part of a straight beside a pair."""
    rules, box, found = game.rules, find_straight(game.rules) or game.rules.boxes[0], []
    parts = list_run_parts(rules, box.pattern.int_setting("length"))
    for scene in with_dice(open_turn(game, box), list(list_hands(rules)), rules.rolls - 1):
        hand, inside = scene.state.hand, [part for part in parts if set(part) <= set(scene.state.hand)]
        if inside and max(hand.count(face) for face in hand) == 2:
            part = max(inside, key=lambda one: parts[one])
            pair = max(face for face in hand if hand.count(face) == 2)
            found.append(scene.offer(scene.keep(part), scene.keep((pair, pair)), *rank_scores(scene, game)[:1]))
    return found


def compute_straight(game: SheetGame, coach: SheetCoach) -> TwoFigures:  # noqa: ARG001
    box = find_straight(game.rules) or game.rules.boxes[0]
    ways = list_run_parts(game.rules, box.pattern.int_setting("length")).values()
    outs = [max(ways) / game.rules.faces, min(ways) / game.rules.faces]
    return {"open": percent(outs[0]), "gap": percent(outs[1])}, {}


# Full houses.


def list_houses(rules: SheetRules) -> list[Hand]:
    """List the hands of the first house of the sheet that are not all alike."""
    house = find_boxes(rules, "house")[0]
    return [hand for hand in list_hands(rules) if worth(house, hand) and not is_all_alike(hand)]


def list_house_scenes(game: SheetGame) -> list[Scene]:
    """A full house while rolls are left: score it, or keep the equal dice and roll on."""
    house, found = find_boxes(game.rules, "house")[0], []
    opened, houses = open_turn(game, house), list_houses(game.rules)
    for scene in (one for rolls in range(1, game.rules.rolls) for one in with_dice(opened, houses, rolls)):
        face, count = count_faces(scene.state.hand)[0]
        found.append(scene.offer(Score(house.id), scene.keep((face,) * count), Roll(())))
    return found


def compute_house(game: SheetGame, coach: SheetCoach) -> TwoFigures:
    """Count the full houses that are best scored at once, after the first roll and before the last."""
    house, houses = find_boxes(game.rules, "house")[0], list_houses(game.rules)
    opened, counts = open_turn(game, house), list[int]()
    for rolls_used in (1, game.rules.rolls - 1):
        scenes = with_dice(opened, houses, rolls_used)
        best = [coach.rank_moves(game, scene.state)[0].move for scene in scenes]
        counts.append(best.count(Score(house.id)))
    more = chance_in_one_roll((1, 1, 1), game.rules, lambda hand: count_faces(hand)[0][1] > 3)
    return {"count": counts[0], "later": counts[1], "all": len(houses)}, {"chance": percent(more)}


# Two pairs.


def list_two_pairs_scenes(game: SheetGame) -> list[Scene]:
    """Two pairs while rolls are left: keep both, or the higher one alone."""
    house, found = find_boxes(game.rules, "house")[0], []
    opened, hands = open_turn(game, house), list(list_hands(game.rules))
    for scene in (one for rolls in range(1, game.rules.rolls) for one in with_dice(opened, hands, rolls)):
        counts = count_faces(scene.state.hand)
        if [count for _, count in counts[:3]] == [2, 2, 1]:
            high, low = counts[0][0], counts[1][0]
            found.append(
                scene.offer(scene.keep((low, low, high, high)), scene.keep((high, high)), scene.keep((low, low)))
            )
    return found


def compute_two_pairs(game: SheetGame, coach: SheetCoach) -> TwoFigures:  # noqa: ARG001
    rules, house = game.rules, find_boxes(game.rules, "house")[0]
    both, one = ((1, 1, 2, 2), (1, 1))
    chances = [chance_in_one_roll(kept, rules, lambda hand: worth(house, hand)) for kept in (both, one)]
    alike = chance_in_one_roll(one, rules, lambda hand: count_faces(hand)[0][1] >= 3)
    return {"both": percent(chances[0]), "one": percent(chances[1])}, {"chance": percent(alike)}


# Only the sum counts.


def find_sum_box(rules: SheetRules) -> Box | None:
    return next(iter(find_boxes(rules, "sum")), None)


def list_sum_scenes(game: SheetGame) -> list[Scene]:
    """Only the box that takes any dice is left: keep what is above an average."""
    box = find_sum_box(game.rules) or game.rules.boxes[0]
    opened, found = open_turn(game, box, game.rules.boxes), []
    for rolls_used in range(1, game.rules.rolls):
        average = average_of_die(game.rules.faces, game.rules.rolls - rolls_used)
        for scene in with_dice(opened, list(list_hands(game.rules)), rolls_used):
            hand = scene.state.hand
            if len(set(hand)) >= min(4, game.rules.dice):
                keeps = [tuple(die for die in hand if die > limit) for limit in (average, average + 1, average - 1)]
                found.append(scene.offer(*(scene.keep(kept) for kept in keeps if kept)))
    return found


def compute_sum(game: SheetGame, coach: SheetCoach) -> TwoFigures:  # noqa: ARG001
    one, two = (FormattedNumber(average_of_die(game.rules.faces, rolls), 2) for rolls in (1, 2))
    return {"one": one, "two": two}, {"one": one, "two": two}


# Keeping for all dice alike.


def count_majority(rules: SheetRules) -> int:
    return rules.dice // 2 + 1


def list_all_alike_scenes(game: SheetGame) -> list[Scene]:
    """More than half of the dice alike, beside others."""
    rules, box = game.rules, find_all_alike_box(game.rules) or game.rules.boxes[0]
    found = []
    for scene in with_dice(open_turn(game, box), list(list_hands(rules)), 1):
        (face, count), *others = count_faces(scene.state.hand)
        if count == count_majority(rules) and len(others) > 1:
            alike, scores = (face,) * count, rank_scores(scene, game)
            found.append(scene.offer(scene.keep(alike), scene.keep((*alike, others[0][0])), *scores[:1]))
    return found


def compute_all_alike(game: SheetGame, coach: SheetCoach) -> TwoFigures:  # noqa: ARG001
    rules, alike, box = game.rules, count_majority(game.rules), find_all_alike_box(game.rules) or game.rules.boxes[0]
    chances = [chance_of_face(rules.faces, rolls) ** (rules.dice - alike) for rolls in (rules.rolls - 1, 1)]
    first: Figures = {
        "count": alike,
        "box": BoxName(box.id),
        "n": rules.rolls - 1,
        "chance": FormattedNumber(chances[0], 1, percent=True),
    }
    return first, {"chance": FormattedNumber(chances[1], 1, percent=True)}


# Stopping.


def list_stop_scenes(game: SheetGame) -> list[Scene]:
    """Dice that score below while rolls are left: score them, or go for more."""
    boxes = [box for box in game.rules.boxes if not box.upper and box.pattern.name != "sum"]
    found = []
    for box in boxes if game.rules.order != FREE else boxes[:1]:
        for scene in with_dice(open_turn(game, box), list(list_hands(game.rules)), 1):
            face, count = count_faces(scene.state.hand)[0]
            options, moves = game.list_options(scene.state), rank_scores(scene, game)
            if moves and options[moves[0].box].points and not is_all_alike(scene.state.hand):
                found.append(scene.offer(moves[0], scene.keep((face,) * count), *moves[1:2]))
    return found


def compute_stop(game: SheetGame, coach: SheetCoach) -> TwoFigures:
    """Add up how likely the hands are with which it is best to stop on an empty sheet."""
    rules, shares = game.rules, []
    opened = open_turn(game, rules.boxes[0])
    for rolls_used in (1, rules.rolls - 1):
        scenes = with_dice(opened, list(list_hands(rules)), rolls_used)
        stopping = [scene for scene in scenes if isinstance(coach.rank_moves(game, scene.state)[0].move, Score)]
        shares.append(sum(chance_of_hand(scene.state.hand, rules.faces) for scene in stopping))
    texts = [FormattedNumber(share, 1, percent=True) for share in shares]
    return {"chance": texts[0]}, {"chance": texts[1]}


# The last box.


def list_last_box_scenes(game: SheetGame) -> list[Scene]:
    """One upper box is left: only its face counts."""
    box = list_upper(game.rules)[-1]
    opened, found = open_turn(game, box, game.rules.boxes), []
    for scene in with_dice(opened, list(list_hands(game.rules)), 1):
        face, own = box.face or 0, scene.state.hand.count(box.face or 0)
        other, count = count_faces(scene.state.hand)[0]
        if 0 < own < count and other != face:
            found.append(scene.offer(scene.keep((face,) * own), scene.keep((other,) * count), Roll(())))
    return found


def compute_last_box(game: SheetGame, coach: SheetCoach) -> TwoFigures:  # noqa: ARG001
    rules, each = game.rules, count_of_each(game.rules)
    chance = chance_of_face(rules.faces, rules.rolls)
    many = chance_at_least(each, rules.dice, chance)
    return {"n": rules.rolls, "chance": percent(chance)}, {"count": each, "chance": percent(many)}


# Kept dice that must stay.


def list_locked_scenes(game: SheetGame) -> list[Scene]:
    """A pair beside single dice after the first roll."""
    found = []
    for scene in with_dice(open_turn(game, game.rules.boxes[-1]), list(list_hands(game.rules)), 1):
        (face, count), *others = count_faces(scene.state.hand)
        if count == 2 and len(others) == game.rules.dice - 2:
            found.append(scene.offer(scene.keep((face, face)), scene.keep((face, face, others[0][0])), Roll(())))
    return found


def compute_locked(game: SheetGame, coach: SheetCoach) -> TwoFigures:  # noqa: ARG001
    left = game.rules.rolls - 1
    return {"n": left, "chance": percent(chance_of_face(game.rules.faces, left))}, {}
