"""The lessons of games of rounds: over or under, when to stand, and what a follower keeps."""

from collections.abc import Callable, Iterator, Sequence

from knobel.coach.rounds import compute_chance_to_beat, find_follower_turn, rank_moves, value_before_round
from knobel.dice import Hand
from knobel.game import Roll, Stand
from knobel.games.round_state import OVER, UNDER
from knobel.games.rounds import RoundsGame
from knobel.learning.chances import average_of_die, chance_in_one_roll, chance_of_face, chance_of_hand
from knobel.learning.claims import (
    choose_less_beaten,
    choose_over_from_total,
    claim_nothing,
    keep_big_dice,
    keep_small_dice,
    roll_middle_dice,
    roll_on,
    stand,
)
from knobel.learning.lesson import Figures, Lesson, TwoFigures, lacks, percent
from knobel.learning.scenes import Scene, follow_opener, list_hands, open_round
from knobel.learning.themes import AIM
from knobel.phrase import FormattedNumber
from knobel.rules.round_rules import RoundRules


def has_rerolls(rules: RoundRules) -> bool:
    return rules.rolls > 1


def plays_two(rules: RoundRules) -> bool:
    return rules.players.least <= 2


def list_dice(game: RoundsGame) -> list[Hand]:
    """List the hands of any total; all ones are another matter."""
    return [hand for hand in list_hands(game.rules) if not game.is_all_ones(hand)]


def find_hand(game: RoundsGame, total: int) -> Hand:
    """Find a hand of a total, the most even one."""
    fitting = [hand for hand in list_dice(game) if sum(hand) == total]
    return min(fitting, key=lambda hand: (hand[-1] - hand[0], hand))


def find_middle(rules: RoundRules) -> int:
    """Give the total in the middle, rounded down."""
    return rules.dice * (rules.faces + 1) // 2


def chance_to_beat(game: RoundsGame, total: int, rolls: int, aim: str) -> float:
    """Give how likely a follower beats a total in so many rolls."""
    scene = follow_opener(game, find_hand(game, total), rolls, aim)
    turn = find_follower_turn(game, scene.state)
    wanted = turn.round_dice.mark_better_hands("over" if aim == OVER else "under", total)
    return float((turn.find_stop_chances()[:, 0].sum(axis=0) * wanted).sum())


def open_with(game: RoundsGame, rolls_used: int, start: Scene | None = None) -> Iterator[Scene]:
    """Give the positions of an opener after so many rolls."""
    return ((start or open_round(game)).roll(hand, rolls_used) for hand in list_dice(game))


def choose_aim(scene: Scene) -> Stand:
    """Choose the aim that a total is nearer to."""
    rules, total = scene.game.rules, sum(scene.state.dice)
    return Stand(OVER if 2 * total > rules.dice * (rules.faces + 1) else UNDER)


def keep_big(scene: Scene, big: bool) -> Roll | None:
    """Keep the dice above, or below, the average of one."""
    middle = (scene.game.rules.faces + 1) / 2
    return scene.keep(die for die in sorted(scene.state.dice) if (die > middle) == big)


# Over or under.


def list_aim_scenes(game: RoundsGame) -> list[Scene]:
    """An opener after the last roll."""
    found = []
    for scene in open_with(game, game.rules.rolls):
        usual = choose_aim(scene)
        found.append(scene.offer(usual, Stand(UNDER if usual.aim == OVER else OVER)))
    return found


def compute_aim(game: RoundsGame, coach: None) -> TwoFigures:  # noqa: ARG001
    """Compare both ways at the middle, and find the first total that is better over."""
    total, rules = find_middle(game.rules), game.rules
    totals = sorted({sum(hand) for hand in list_dice(game)})
    chances = {one: [chance_to_beat(game, one, 1, aim) for aim in (OVER, UNDER)] for one in totals}
    first = next((one for one in totals if chances[one][0] < chances[one][1]), rules.dice * rules.faces)
    figures: Figures = {"total": total, "over": percent(chances[total][0]), "under": percent(chances[total][1])}
    return figures, {"total": first}


# Standing early.


def list_opener_scenes(game: RoundsGame, rolls_used: int, start: Scene | None = None) -> list[Scene]:
    """An opener between standing and rolling on."""
    scenes = open_with(game, rolls_used, start)
    return [scene.offer(choose_aim(scene), keep_big(scene, big=True), keep_big(scene, big=False)) for scene in scenes]


def list_early_scenes(game: RoundsGame) -> list[Scene]:
    return list_opener_scenes(game, 1)


def measure_standing(game: RoundsGame, rolls_used: int) -> float:
    """Give how likely a roll of all dice is one to stand on after so many rolls."""
    scenes = [open_round(game).roll(hand, rolls_used) for hand in list_hands(game.rules)]
    standing = [scene for scene in scenes if isinstance(rank_moves(game, scene.state)[0].move, Stand)]
    return sum(chance_of_hand(tuple(sorted(scene.state.dice)), game.rules.faces) for scene in standing)


def compute_early(game: RoundsGame, coach: None) -> TwoFigures:  # noqa: ARG001
    rules = game.rules
    total = rules.dice * rules.faces * 5 // 6
    one, many = (chance_to_beat(game, total, rolls, OVER) for rolls in (1, rules.rolls))
    first: Figures = {"total": total, "one": percent(one), "n": rules.rolls, "many": percent(many)}
    return first, {"chance": percent(measure_standing(game, 1))}


# Away from the middle.


def list_ends_scenes(game: RoundsGame) -> list[Scene]:
    """Big and small dice together after the first roll."""
    found = []
    for scene in open_with(game, 1):
        big, small = keep_big(scene, big=True), keep_big(scene, big=False)
        if big and small and big.keep and small.keep:
            usual = (big, small) if len(big.keep) > len(small.keep) else (small, big)
            found.append(scene.offer(*usual, Roll(())))
    return found


def compute_ends(game: RoundsGame, coach: None) -> TwoFigures:  # noqa: ARG001
    rules, total = game.rules, find_middle(game.rules)
    middle = min(chance_to_beat(game, total, rules.rolls, aim) for aim in (OVER, UNDER))
    lowest = rules.dice + 1
    end = chance_to_beat(game, lowest, rules.rolls, UNDER)
    return {"total": total, "n": rules.rolls, "chance": percent(middle)}, {"total": lowest, "chance": percent(end)}


# Before the last roll.


def list_last_roll_scenes(game: RoundsGame) -> list[Scene]:
    return list_opener_scenes(game, game.rules.rolls - 1)


def compute_last_roll(game: RoundsGame, coach: None) -> TwoFigures:  # noqa: ARG001
    rules = game.rules
    share, mean = measure_standing(game, rules.rolls - 1), average_of_die(rules.faces, 1)
    return {"chance": percent(share)}, {"mean": FormattedNumber(mean, 1)}


# Beating the opener.


def list_beat_scenes(game: RoundsGame, aim: str) -> list[Scene]:
    """A follower who has not beaten the opener yet, with two rolls left where there are three."""
    rules, found = game.rules, []
    step = 1 if aim == OVER else -1
    opener = follow_opener(game, find_hand(game, find_middle(rules) + 2 * step), rules.rolls, aim)
    for rolls_used in range(1, rules.rolls):
        for hand in list_dice(game):
            scene = opener.roll(hand, rolls_used)
            if not game.beats_opener(scene.state, sum(hand)):
                best = sorted(hand, reverse=aim == OVER)
                keeps = [keep_big(scene, big=aim == OVER), *(scene.keep(best[:n]) for n in range(rules.dice))]
                found.append(scene.offer(*keeps))
    return found


def compute_beat(game: RoundsGame, aim: str) -> TwoFigures:
    rules = game.rules
    total = find_middle(rules) + (2 if aim == OVER else -2)
    chance = chance_to_beat(game, total, rules.rolls, aim)
    mean = average_of_die(rules.faces, 1)
    return {"total": total, "n": rules.rolls, "chance": percent(chance)}, {"mean": FormattedNumber(mean, 1)}


# An equal total.


def list_tie_scenes(game: RoundsGame) -> list[Scene]:
    """A follower with the opener’s total and one roll left."""
    rules, found = game.rules, []
    for aim in (OVER, UNDER):
        for total in range(find_middle(rules) - 2, find_middle(rules) + 4):
            opener = follow_opener(game, find_hand(game, total), rules.rolls, aim)
            for hand in [one for one in list_dice(game) if sum(one) == total]:
                scene = opener.roll(hand, rules.rolls - 1)
                best = sorted(hand, reverse=aim == OVER)
                found.append(scene.offer(scene.keep(best[:-1]), Stand(), scene.keep(best[:1]), Roll(())))
    return found


def compute_tie(game: RoundsGame, coach: None) -> TwoFigures:  # noqa: ARG001
    """Find how likely the best last roll beats an equal total, and an equal one from scratch."""
    rules, total = game.rules, find_middle(game.rules) + 1
    scene = follow_opener(game, find_hand(game, total), rules.rolls, OVER).roll(find_hand(game, total), rules.rolls - 1)
    keeps = [move for move in game.legal_moves(scene.state) if isinstance(move, Roll)]
    best = max(compute_chance_to_beat(game, scene.state, move) for move in keeps)
    return {"total": total, "chance": percent(best)}, {"chance": percent(chance_to_beat(game, total, 1, OVER))}


# Enough.


def list_enough_scenes(game: RoundsGame) -> list[Scene]:
    """A follower who has beaten the opener and could roll on."""
    rules, found = game.rules, []
    for aim, step in ((OVER, -1), (UNDER, 1)):
        total = find_middle(rules) + step
        opener = follow_opener(game, find_hand(game, total), rules.rolls, aim)
        for hand in list_dice(game):
            scene = opener.roll(hand, 1)
            if game.beats_opener(scene.state, sum(hand)):
                best = sorted(hand, reverse=aim == OVER)
                found.append(scene.offer(Stand(), scene.keep(best[:-1]), Roll(())))
    return found


def compute_enough(game: RoundsGame, coach: None) -> TwoFigures:  # noqa: ARG001
    total = find_middle(game.rules)
    lost = 1 - chance_to_beat(game, total, 1, OVER)
    return {}, {"total": total, "chance": percent(lost)}


# All ones.


def list_ones_scenes(game: RoundsGame) -> list[Scene]:
    """An opener with all ones but one."""
    rules, found = game.rules, []
    ones = (1,) * (rules.dice - 1)
    for rolls_used in range(1, rules.rolls):
        for face in range(2, rules.faces + 1):
            scene = open_round(game).roll((*ones, face), rolls_used)
            found.append(scene.offer(scene.keep(ones), Stand(UNDER), Stand(OVER)))
    return found


def compute_ones(game: RoundsGame, coach: None) -> TwoFigures:  # noqa: ARG001
    rules = game.rules
    near = chance_in_one_roll((1,) * (rules.dice - 1), rules, game.is_all_ones)
    far = chance_of_face(rules.faces, rules.rolls) ** rules.dice
    return {"chance": percent(near)}, {"n": rules.rolls, "chance": percent(far, 1)}


# Chips.


def lose_round(game: RoundsGame) -> Scene:
    """Let the follower lose the first round: the highest total over against one less."""
    top = (game.rules.faces,) * game.rules.dice
    return follow_opener(game, top, 1, OVER).roll((game.rules.faces - 1, *top[1:])).play(Stand())


def list_chip_scenes(game: RoundsGame) -> list[Scene]:
    """An opener after the first chip was given."""
    start = lose_round(game)
    return [scene for rolls in range(1, game.rules.rolls) for scene in list_opener_scenes(game, rolls, start)]


def compute_chips(game: RoundsGame, coach: None) -> TwoFigures:  # noqa: ARG001
    after = lose_round(game).state
    behind = 2 - value_before_round(game, after, 1)
    even = 2 - value_before_round(game, open_round(game).state, 1)
    return {"even": percent(even), "behind": percent(behind)}, {"n": game.rules.chips}


def list_over_scenes(game: RoundsGame) -> list[Scene]:
    return list_beat_scenes(game, OVER)


def list_under_scenes(game: RoundsGame) -> list[Scene]:
    return list_beat_scenes(game, UNDER)


def compute_over(game: RoundsGame, coach: None) -> TwoFigures:  # noqa: ARG001
    return compute_beat(game, OVER)


def compute_under(game: RoundsGame, coach: None) -> TwoFigures:  # noqa: ARG001
    return compute_beat(game, UNDER)


TWO: dict[str, Callable[[RoundRules], object]] = {"nothing": plays_two}
ROLLS: dict[str, Callable[[RoundRules], object]] = {"nothing": plays_two, "rolls": has_rerolls}
ROUND_LESSONS: Sequence[Lesson] = (
    Lesson("aim", lacks(**TWO), list_aim_scenes, compute_aim, AIM, claims=(choose_less_beaten, choose_over_from_total)),
    Lesson("early", lacks(**ROLLS), list_early_scenes, compute_early),
    Lesson("ends", lacks(**ROLLS), list_ends_scenes, compute_ends),
    Lesson(
        "last_roll", lacks(**ROLLS), list_last_roll_scenes, compute_last_roll, claims=(claim_nothing, roll_middle_dice)
    ),
    Lesson(
        "beat_over", lacks(**ROLLS), list_over_scenes, compute_over, words="beat", claims=(claim_nothing, keep_big_dice)
    ),
    Lesson(
        "beat_under",
        lacks(**ROLLS),
        list_under_scenes,
        compute_under,
        words="beat",
        claims=(claim_nothing, keep_small_dice),
    ),
    Lesson("tie", lacks(**ROLLS), list_tie_scenes, compute_tie, claims=(roll_on, roll_on)),
    Lesson("enough", lacks(**ROLLS), list_enough_scenes, compute_enough, claims=(stand, stand)),
    Lesson("ones", lacks(ones=lambda r: r.chicago_special, **ROLLS), list_ones_scenes, compute_ones),
    Lesson("chips", lacks(**ROLLS), list_chip_scenes, compute_chips),
)
