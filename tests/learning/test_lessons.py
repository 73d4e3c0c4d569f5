"""Lessons: which the rules have, positions that can be reached, and numbers that are computed a second way here."""

from collections import Counter
from dataclasses import replace
from functools import cache, partial
from itertools import combinations, combinations_with_replacement, product
from typing import Any, cast

import pytest

from knobel.coach.advice import advise_round
from knobel.coach.sheet import SheetCoach
from knobel.errors import LessonMissing, UnknownLesson
from knobel.game import Land, Roll, Score, Stand, play
from knobel.games.rounds import RoundsGame
from knobel.games.sheet import SheetGame
from knobel.lang import Translator
from knobel.learning.families import find_family
from knobel.learning.lesson import BuiltLesson, Figures, LessonStep
from knobel.learning.lesson_builder import build_lesson, find_lesson, list_lessons
from knobel.notation import read_action
from knobel.phrase import BoxName, FormattedNumber
from knobel.rules import load_edition
from knobel.rules.column import Column, build_column, tally
from knobel.rules.sheet_rules import Bonus, SheetRules
from knobel.solver.oracle import solve_column, value_column, value_hand
from tests.coach.test_review import coach_of
from tests.support.rulesets import list_rulesets
from tests.support.selection import mostly_rest

CHICAGO = RoundsGame(load_edition("carlit-chicago").rules())
FACES = range(1, 7)
SMALL = {
    "yahtzee": ("mb-yahtzee", ("sixes", "full_house", "yatzy")),
    "straights": ("mb-yahtzee", ("large_straight", "full_house", "chance")),
    "pairs": ("carlit-yatzy", ("sixes", "one_pair", "full_house")),
    "locked": ("noris-yatzy", ("sixes", "full_house", "yatzy")),
}
"""Sheets of three boxes, which can be worked out by walking through everything that may happen."""
TINY = {
    "bonus": ("mb-yahtzee", ("sixes", "full_house")),
    "straights": ("mb-yahtzee", ("large_straight", "full_house")),
    "pairs": ("carlit-yatzy", ("sixes", "one_pair")),
}
"""Sheets of two boxes, for what takes longer."""
ALL_LESSONS = {
    "mb-yahtzee": 10,
    "carlit-yatzy": 10,
    "noris-yatzy": 10,
    "philos-yatzi": 10,
    "tactic-xl-yatzy": 10,
    "carlit-chicago": 10,
}


def make_small(name: str) -> tuple[SheetGame, SheetCoach]:
    return cut_sheet(*SMALL[name])


@cache
def cut_sheet(edition: str, boxes: tuple[str, ...]) -> tuple[SheetGame, SheetCoach]:
    """Take a few boxes of an edition."""
    rules: SheetRules = load_edition(edition).rules()
    bonus = rules.bonus and Bonus(18, rules.bonus.points, strict=False)
    small = replace(
        rules,
        boxes=tuple(box for box in rules.boxes if box.id in boxes),
        bonus=bonus if "sixes" in boxes else None,
        chance=rules.chance if "chance" in boxes else None,
        yatzy=rules.yatzy if "yatzy" in boxes else None,
    )
    return SheetGame(small, practice=True), coach_of(small)


def build(game: Any, coach: Any, key: str, simple: bool = False) -> BuiltLesson:
    return build_lesson(game, coach, find_lesson(list_lessons(game, coach), key), simple)


def compute(game: Any, coach: Any, key: str) -> tuple[Figures, Figures]:
    lesson = next(one for one in find_family(game).lessons if one.key == key)
    assert lesson.find_missing(game.rules) is None
    return lesson.compute(game, coach)


def read(figures: Figures, *names: str) -> list[float]:
    """Read numbers of a sentence."""
    found = [figures[name] for name in names]
    return [one.value if isinstance(one, FormattedNumber) else float(str(one)) for one in found]


def expect_by_walking(rules: SheetRules, entries: dict[str, int], yatzys: int = 0) -> float:
    """Expect a total by the oracle, which walks through every position below."""
    column = build_column(rules, entries, yatzys=yatzys)
    sums = tally(rules, column)
    return sums.upper + sums.lower + sums.extra + solve_column(rules, column)


def value_by_walking(game: SheetGame, step: LessonStep, move: Any, seen: dict[Column, float]) -> float:
    """Value a choice with at most one roll left, by every outcome of that roll."""
    rules, state = game.rules, step.scene.state
    so_far = tally(rules, state.column)

    def later(column: Column) -> float:
        if column not in seen:
            seen[column] = value_column(rules, column, later)
        return seen[column]

    if isinstance(move, Score):
        after = game.apply(state, move).columns[0]
        sums = tally(rules, after)
        return sums.upper + sums.lower + sums.extra + later(after)
    kept = [state.dice[place] for place in move.keep]
    rolled = list(product(FACES, repeat=rules.dice - len(kept)))
    hands = [tuple(sorted((*kept, *dice))) for dice in rolled]
    values = [value_hand(rules, state.column, hand, None, later) for hand in hands]
    return so_far.upper + so_far.lower + so_far.extra + sum(values) / len(values)


@pytest.mark.parametrize("name", mostly_rest(TINY, "bonus"))
def test_what_a_choice_is_worth_is_what_every_outcome_gives_on_average(name: str) -> None:
    game, coach = cut_sheet(*TINY[name])
    seen = dict[Column, float]()
    built = [build_lesson(game, coach, one.lesson) for one in list_lessons(game, coach) if one.number]
    steps = [step for lesson in built for step in lesson.steps if step.scene.state.rolls_used + 1 >= game.rules.rolls]
    choices = [(step, one) for step in steps for one in step.choices]
    assert len(choices) >= 4
    for step, one in choices:
        assert one.value == pytest.approx(value_by_walking(game, step, one.move, seen), abs=1e-5)


def test_the_worth_of_the_bonus_and_of_boxes_is_what_walking_through_gives() -> None:
    game, coach = cut_sheet("mb-yahtzee", ("sixes", "yatzy"))
    first, second = compute(game, coach, "bonus")
    assert read(first, "goal", "points", "count") == [18, 35, 3]
    gained = expect_by_walking(game.rules, {"sixes": 18}) - expect_by_walking(game.rules, {"sixes": 12})
    assert (second["box"], *read(second, "more", "less")) == (BoxName("sixes"), 18, 12)
    assert read(second, "worth") == pytest.approx([gained])
    figures, _ = compute(game, coach, "joker")
    more = expect_by_walking(game.rules, {"yatzy": 50}, 1) - expect_by_walking(game.rules, {"yatzy": 0}) - 50
    assert read(figures, "points", "worth") == pytest.approx([50, more])
    pairs, pair_coach = cut_sheet(*TINY["pairs"])
    figures, second = compute(pairs, pair_coach, "pair")
    wanted = [expect_by_walking(pairs.rules, {box: 12}) for box in ("one_pair", "sixes")]
    assert read(figures, "below", "above") == pytest.approx(wanted)
    assert (figures["box"], figures["other"]) == (BoxName("one_pair"), BoxName("sixes"))
    rolled = [dice for dice in product(FACES, repeat=5) if len(set(dice)) < 5]
    assert read(second, "chance") == pytest.approx([len(rolled) / 6**5])


def test_crossing_out_names_the_cheapest_and_the_dearest_box() -> None:
    game, coach = cut_sheet("mb-yahtzee", ("ones", "yatzy"))
    figures, _ = compute(game, coach, "cross_out")
    left = {box.id: expect_by_walking(game.rules, {box.id: 0}) for box in game.rules.boxes}
    cheap, dear = max(left, key=lambda box: left[box]), min(left, key=lambda box: left[box])
    assert (figures["box"], figures["other"]) == (BoxName(cheap), BoxName(dear))
    assert read(figures, "cheap", "dear") == pytest.approx([left[cheap], left[dear]])


def count_alike(dice: tuple[int, ...]) -> int:
    return max(Counter(dice).values())


def is_house(dice: tuple[int, ...]) -> bool:
    return sorted(Counter(dice).values()) == [2, 3]


def share(rolled: list[tuple[int, ...]], wanted: Any) -> float:
    return sum(bool(wanted(dice)) for dice in rolled) / len(rolled)


def test_chances_of_dice_are_those_of_all_rolls() -> None:
    game, coach = make_small("yahtzee")
    pair, pairs, three = (
        [(*kept, *dice) for dice in product(FACES, repeat=5 - len(kept))] for kept in ((4, 4), (2, 2, 5, 5), (1, 1, 1))
    )
    first, second = compute(game, coach, "two_pairs")
    # all dice alike count as a full house where they are a joker, never from two pairs
    assert read(first, "both") == pytest.approx([share(pairs, is_house)])
    assert read(first, "one") == pytest.approx([share(pair, is_house)])
    assert read(second, "chance") == pytest.approx([share(pair, lambda dice: count_alike(dice) >= 3)])
    _, more = compute(game, coach, "full_house")
    assert read(more, "chance") == pytest.approx([share(three, lambda dice: count_alike(dice) >= 4)])
    hit = share(list(product(FACES, repeat=2)), lambda rolls: 6 in rolls)
    first, second = compute(game, coach, "all_alike")
    assert (first["box"], *read(first, "count", "n")) == (BoxName("yatzy"), 3, 2)
    assert read(first, "chance") == pytest.approx([hit * hit])
    assert read(second, "chance") == pytest.approx([share(list(product(FACES, repeat=2)), lambda two: two == (6, 6))])
    hit = share(list(product(FACES, repeat=3)), lambda rolls: 6 in rolls)
    first, second = compute(game, coach, "last_box")
    many = sum(hit ** sum(dice) * (1 - hit) ** (5 - sum(dice)) for dice in product((0, 1), repeat=5) if sum(dice) >= 3)
    assert read(first, "n", "chance") == pytest.approx([3, hit])
    assert read(second, "count", "chance") == pytest.approx([3, many])
    straights, coach = make_small("straights")
    first, _ = compute(straights, coach, "straight")
    runs = ({1, 2, 3, 4, 5}, {2, 3, 4, 5, 6})
    outs = {len([face for face in FACES if {*part, face} in runs]) for part in combinations(FACES, 4)} - {0}
    assert read(first, "open", "gap") == pytest.approx([max(outs) / 6, min(outs) / 6])
    first, second = compute(straights, coach, "chance")
    twice = max(
        sum(first if first >= least else second for first, second in product(FACES, FACES)) / 36 for least in FACES
    )
    assert read(first, "one", "two") == read(second, "one", "two") == pytest.approx([3.5, twice])


@cache
def value_first_turn(rules: SheetRules) -> tuple[dict[tuple[int, ...], tuple[float, float]], ...]:
    """Give for all dice what scoring them on an empty sheet leads to, and rolling on: with one roll left, then two."""
    later = cache(lambda column: solve_column(rules, column))
    hands: list[tuple[int, ...]] = list(combinations_with_replacement(FACES, 5))
    scored = {hand: value_hand(rules, build_column(rules, {}), hand, None, later) for hand in hands}
    found, values = [], scored
    for _ in range(rules.rolls - 1):
        rolled = average_keeps(values)
        best = {hand: max(rolled[kept] for kept in list_keeps(hand)) for hand in hands}
        found.append({hand: (scored[hand], best[hand]) for hand in hands})
        values = {hand: max(values[hand], best[hand]) for hand in hands}
    return tuple(found)


def share_to_stop(values: dict[tuple[int, ...], tuple[float, float]]) -> float:
    """Give how likely a roll of all dice is one to score at once."""
    stops = {hand for hand, (scored, rolled) in values.items() if scored > rolled}
    return share(list(product(FACES, repeat=5)), lambda dice: tuple(sorted(dice)) in stops)


def test_how_often_to_stop_is_what_every_way_to_roll_on_gives() -> None:
    game, coach = cut_sheet(*TINY["bonus"])
    first, second = compute(game, coach, "stop")
    last, early = map(share_to_stop, value_first_turn(game.rules))
    assert read(first, "chance") == pytest.approx([early])
    assert read(second, "chance") == pytest.approx([last])
    assert 0 < early < last < 1


def test_full_houses_are_counted_by_what_every_way_to_roll_on_gives() -> None:
    game, coach = cut_sheet(*TINY["bonus"])
    rules, first = game.rules, compute(game, coach, "full_house")[0]
    houses = [hand for hand in combinations_with_replacement(FACES, 5) if is_house(hand)]
    house = expect_by_walking(rules, {"full_house": 25})
    counts = [sum(house > values[hand][1] for hand in houses) for values in value_first_turn(rules)]
    assert read(first, "later", "count", "all") == [*counts, len(houses)]
    assert 0 < counts[1] < counts[0]


def list_keeps(hand: tuple[int, ...]) -> set[tuple[int, ...]]:
    """List what can be kept of dice to roll the others."""
    return {kept for size in range(len(hand)) for kept in combinations(hand, size)}


def average_keeps(values: dict[tuple[int, ...], float]) -> dict[tuple[int, ...], float]:
    """Average the values of hands over the next die, again and again, for all that can be kept."""
    averages = dict(values)
    for size in range(len(next(iter(values))) - 1, -1, -1):
        for kept in combinations_with_replacement(FACES, size):
            averages[kept] = sum(averages[tuple(sorted((*kept, face)))] for face in FACES) / 6
    return averages


def test_announcing_leads_to_what_each_box_gives_by_itself() -> None:
    announced = list_rulesets()["tactic-xl-yatzy da"]
    short = replace(announced, boxes=announced.boxes[4:6], bonus=Bonus(33, 50, strict=False), chance=None, yatzy=None)
    game = SheetGame(short, practice=True)
    first, _ = compute(game, coach_of(short), "announce")
    hit = share(list(product(FACES, repeat=3)), lambda rolls: 1 in rolls)
    counts = [(sum(dice), hit ** sum(dice) * (1 - hit) ** (5 - sum(dice))) for dice in product((0, 1), repeat=5)]

    def finish(face: int, before: int) -> float:
        return sum(chance * (face * n + 50 * (before + face * n >= 33)) for n, chance in counts)

    def announce(face: int, other: int) -> float:
        """Whoever misses the announced box may cross out the other one instead, and try again."""
        missed = max(finish(other, 0), finish(face, 0))
        return sum(chance * (face * n + finish(other, face * n) if n else missed) for n, chance in counts)

    assert (first["box"], first["other"]) == (BoxName("sixes"), BoxName("fives"))
    assert read(first, "best", "worst") == pytest.approx([announce(6, 5), announce(5, 6)], abs=1e-5)


def test_a_die_that_may_be_rolled_again_shows_a_number_as_often_as_all_its_rolls() -> None:
    first, _ = compute(SheetGame(load_edition("noris-yatzy").rules()), None, "locked")
    assert read(first, "n", "chance") == pytest.approx([2, share(list(product(FACES, repeat=2)), lambda two: 6 in two)])


def beat_or_ones(target: int, rolls: int, aim: str) -> float:
    """Give how likely three dice beat a total or show all ones at best."""
    return beat(target, rolls, aim, ones_beat=True)


@cache
def beat(target: int, rolls: int, aim: str, ones_beat: bool = False) -> float:
    """Give how likely three dice beat a total in so many rolls, by trying everything that can be kept."""
    outcomes = {count: list(product(FACES, repeat=count)) for count in range(4)}

    @cache
    def reach(hand: tuple[int, ...], left: int) -> float:
        beaten = sum(hand) > target if aim == "over" else sum(hand) < target
        beaten = beaten or (ones_beat and hand == (1, 1, 1))
        if beaten or not left:
            return float(beaten)
        keeps = {kept for size in range(3) for kept in combinations(hand, size)}
        return max(
            sum(reach(tuple(sorted((*kept, *dice))), left - 1) for dice in outcomes[3 - len(kept)])
            / len(outcomes[3 - len(kept)])
            for kept in keeps
        )

    return sum(reach(tuple(sorted(dice)), rolls - 1) for dice in outcomes[3]) / 216


def test_a_followers_chances_are_those_of_trying_everything() -> None:
    rules = replace(CHICAGO.rules, chicago_special=False)  # else a follower sometimes goes for all ones instead
    game = RoundsGame(rules)
    first, second = compute(game, None, "aim")
    assert read(first, "total", "over", "under") == pytest.approx([10, beat(10, 1, "over"), beat(10, 1, "under")])
    better = next(total for total in range(4, 19) if beat(total, 1, "over") < beat(total, 1, "under"))
    assert read(second, "total") == [better]
    first, second = compute(game, None, "early")
    assert read(first, "one", "many") == pytest.approx([beat(15, 1, "over"), beat(15, 3, "over")])
    first, second = compute(game, None, "ends")
    assert read(first, "chance") == pytest.approx([min(beat(10, 3, "over"), beat(10, 3, "under"))])
    assert read(second, "chance") == pytest.approx([beat(4, 3, "under")])
    for key, total, aim in (("beat_over", 12, "over"), ("beat_under", 8, "under")):
        first, second = compute(game, None, key)
        assert read(first, "total", "n", "chance") == pytest.approx([total, 3, beat(total, 3, aim)])
        assert read(second, "mean") == [sum(FACES) / 6]
    first, second = compute(game, None, "tie")
    assert read(second, "chance") == pytest.approx([beat(11, 1, "over")])
    keeps = [kept for size in range(3) for kept in combinations((3, 4, 4), size)]
    last = max(
        share([(*kept, *d) for d in product(FACES, repeat=3 - len(kept))], lambda d: sum(d) > 11) for kept in keeps
    )
    assert read(first, "chance") == pytest.approx([last])


@cache
def survive(total: int, rolls: int) -> float:
    """Give how likely an opener who stands on a total after so many rolls does not lose the round, over or under."""
    return 1 - min(beat(total, rolls, aim) for aim in ("over", "under"))


@cache
def find_opener_values(rolls_used: int) -> dict[tuple[int, ...], tuple[float, float]]:
    """Give for all dice after so many rolls how likely an opener survives who stands, and one who rolls on."""
    hands: list[tuple[int, ...]] = list(combinations_with_replacement(FACES, 3))
    standing = {hand: survive(sum(hand), rolls_used) for hand in hands}
    if rolls_used == 3:
        return {hand: (standing[hand], 0.0) for hand in hands}
    rolled = average_keeps({hand: max(values) for hand, values in find_opener_values(rolls_used + 1).items()})
    return {hand: (standing[hand], max(rolled[kept] for kept in list_keeps(hand))) for hand in hands}


def share_of_hands(chances: dict[tuple[int, ...], float]) -> float:
    """Average over all rolls of three dice."""
    return sum(chances[tuple(sorted(dice))] for dice in product(FACES, repeat=3)) / 216


def test_standing_before_the_last_roll_and_the_first_chip_are_those_of_trying_everything() -> None:
    game = RoundsGame(replace(CHICAGO.rules, chicago_special=False))
    first, second = compute(game, None, "last_roll")
    before_last = find_opener_values(2)
    stands = {hand: float(stand > roll) for hand, (stand, roll) in before_last.items()}
    assert read(first, "chance") == pytest.approx([share_of_hands(stands)])
    assert read(second, "mean") == [sum(FACES) / 6]
    _, second = compute(game, None, "enough")
    assert read(second, "total", "chance") == pytest.approx([10, 1 - beat(10, 1, "over")])
    kept = share_of_hands({hand: max(values) for hand, values in find_opener_values(1).items()})
    first, second = compute(game, None, "chips")
    assert read(first, "even", "behind") == pytest.approx(
        [play_for_chips(kept, 3, 0, 0), play_for_chips(kept, 2, 0, 1)]
    )
    assert read(second, "n") == [3]


def play_for_chips(kept: float, kitty: int, opener_chips: int, own_chips: int) -> float:
    """Follow two players from round to round: how likely the one who follows first, or lost it, does not lose.

    The loser of a round takes a chip, from the kitty while it has some, and opens the next; three chips lose the game.
    """
    opens = 1 if own_chips else 0
    going, lost = {(kitty, opener_chips, own_chips, opens): 1.0}, 0.0
    for _ in range(2000):
        after = dict[tuple[int, int, int, int], float]()
        for (left, theirs, mine, opener), chance in going.items():
            for loser, share_of in ((opener, 1 - kept), (1 - opener, kept)):
                taken = (left - 1, theirs, mine) if left else (0, theirs - (loser == 1), mine - (loser == 0))
                place = (taken[0], taken[1] + (loser == 0), taken[2] + (loser == 1), loser)
                if place[2] == 3:
                    lost += chance * share_of
                elif place[1] < 3:
                    after[place] = after.get(place, 0.0) + chance * share_of
        going = after
    return 1 - lost


def test_standing_after_the_first_roll_and_all_ones_are_those_of_trying_everything() -> None:
    _, second = compute(RoundsGame(replace(CHICAGO.rules, chicago_special=False)), None, "early")
    stands = {hand: float(stand > roll) for hand, (stand, roll) in find_opener_values(1).items()}
    assert read(second, "chance") == pytest.approx([share_of_hands(stands)])
    first, second = compute(CHICAGO, None, "ones")
    assert read(first, "chance") == pytest.approx([1 / 6])
    assert read(second, "chance") == pytest.approx([share(list(product(FACES, repeat=3)), lambda r: 1 in r) ** 3])


def test_an_opener_stands_as_often_as_the_advice_for_all_rolls_says() -> None:
    for key, rolls_used in (("early", 1), ("last_roll", 2)):
        figures = {**compute(CHICAGO, None, key)[0], **compute(CHICAGO, None, key)[1]}
        rolled = [tuple(sorted(dice)) for dice in product(FACES, repeat=3)]
        chance = share(rolled, partial(advises_to_stand, rolls_used=rolls_used))
        assert read(figures, "chance") == pytest.approx([chance])


@cache
def advises_to_stand(dice: tuple[int, ...], rolls_used: int) -> bool:
    state = CHICAGO.start(2, 0)
    for _ in range(rolls_used):
        state = CHICAGO.apply(CHICAGO.apply(state, Roll(())), Land(dice))
    return isinstance(read_action(state, advise_round(CHICAGO, state)[0].action), Stand)


def test_where_all_ones_win_at_once_a_follower_beats_totals_that_often_or_goes_for_all_ones() -> None:
    one_roll = list(product(FACES, repeat=3))

    def exceeds(total: int) -> float:
        return share(one_roll, lambda dice: sum(dice) > total or dice == (1, 1, 1))

    first, _ = compute(CHICAGO, None, "aim")
    assert read(first, "over", "under") == pytest.approx([exceeds(10), beat(10, 1, "under")])
    assert read(compute(CHICAGO, None, "early")[0], "one") == pytest.approx([exceeds(15)])
    assert read(compute(CHICAGO, None, "tie")[1], "chance") == pytest.approx([exceeds(11)])
    assert read(compute(CHICAGO, None, "enough")[1], "chance") == pytest.approx([1 - exceeds(10)])
    several = [("early", "many", 15, "over"), ("beat_over", "chance", 12, "over"), ("beat_under", "chance", 8, "under")]
    for key, name, total, aim in several:
        chance = read(compute(CHICAGO, None, key)[0], name)[0]
        most = beat_or_ones(total, 3, aim)
        assert beat(total, 3, aim) <= most
        assert most - 0.05 < chance < most
    assert read(compute(CHICAGO, None, "ends")[1], "chance") == pytest.approx([beat_or_ones(4, 3, "under")])


def check_claim(step: LessonStep) -> None:
    """Check that the best answer of a position is not another one than its sentence speaks for."""
    text, dice, best = step.text, step.scene.state.dice, step.best.move
    if text is None:
        return
    values, key = text.values, text.key.removeprefix("coach.lesson.")
    kept = [dice[place] for place in best.keep] if isinstance(best, Roll) else None
    if key.startswith("bonus."):
        assert isinstance(best, Score)
        assert best.box in ("ones", "twos", "threes", "fours", "fives", "sixes")
    elif key == "cross_out.first":
        assert isinstance(best, Score)
        assert values["box"] == BoxName(best.box)
        assert cast("SheetGame", step.scene.game).list_options(step.scene.state)[best.box].points == 0
    elif key == "cross_out.second":
        assert isinstance(best, Score)
        assert cast("SheetGame", step.scene.game).list_options(step.scene.state)[best.box].points == 1
    elif key == "aim.second":
        assert best == Stand("over" if sum(dice) >= int(str(values["total"])) else "under")
    elif key == "aim.first":
        assert sum(dice) > 10 or best == Stand("under")
    elif key == "beat.second":
        assert kept is not None
        assert min(kept, default=6) > 3.5 or max(kept, default=1) < 3.5
        assert (sum(kept) > 3.5 * len(kept)) == (step.scene.state.aim == "over") or not kept
    elif key.startswith("enough."):
        assert isinstance(best, Stand)
    elif key.startswith("tie."):
        assert kept is not None
    elif key.startswith("chance."):
        assert kept is not None
        assert min(kept, default=7) > max((Counter(dice) - Counter(kept)).elements(), default=0)


def check_question(game: Any, state: Any, words: Translator) -> None:
    """Check that nobody is asked what to keep where no rolls are left."""
    question = words.translate(find_family(game).ask(game, state))
    can_roll = any(isinstance(move, Roll) for move in game.legal_moves(state))
    assert ("more" in question) == can_roll
    assert "roll 0" not in question


def check_lesson(game: Any, coach: Any, built: BuiltLesson, words: Translator, simple: bool) -> None:
    """Check that positions can be reached, answers are clear, and sentences have all their values."""
    family = find_family(game)
    assert built.steps
    for step in built.steps:
        state = family.start(game)
        for text in step.scene.actions:
            state = play(game, state, read_action(state, text))
        assert state == step.scene.state
        check_question(game, state, words)
        best = family.rank(game, state, coach)[0]
        assert step.best.value == pytest.approx(best.value, abs=1e-5)
        assert all(one.loss > 0.05 for one in step.choices[1:])
        assert len(step.choices) == 2 if simple else 2 <= len(step.choices) <= 4
        assert step.text is None or "{" not in words.translate(step.text)
        if not simple:
            check_claim(step)
    assert built.steps[0].text is not None


@pytest.mark.parametrize("simple", [False, True])
def test_every_lesson_of_rounds_has_reachable_positions_with_clear_answers(simple: bool) -> None:
    words = Translator("en", load_edition("carlit-chicago"))
    listed = list_lessons(CHICAGO, None)
    assert [one.number for one in listed] == list(range(1, 11))
    for one in listed:
        check_lesson(CHICAGO, None, build_lesson(CHICAGO, None, one.lesson, simple), words, simple)


@pytest.mark.parametrize("name", mostly_rest(SMALL, "yahtzee"))
def test_every_lesson_of_a_sheet_has_reachable_positions_with_clear_answers(name: str) -> None:
    game, coach = make_small(name)
    words = Translator("en", load_edition(SMALL[name][0]))
    for one in list_lessons(game, coach):
        for simple in (False, True) if one.number else ():
            check_lesson(game, coach, build_lesson(game, coach, one.lesson, simple), words, simple)


def test_a_lesson_that_the_rules_lack_says_why() -> None:
    game, coach = make_small("yahtzee")
    missing = {one.lesson.key: one.missing for one in list_lessons(game, coach) if one.missing}
    assert missing.items() >= {("straight", "straight"), ("chance", "sum"), ("pair", "pair"), ("announce", "announce")}
    with pytest.raises(LessonMissing):
        build(game, coach, "pair")
    with pytest.raises(UnknownLesson):
        build(game, coach, "nonsense")
    announced = list_rulesets()["tactic-xl-yatzy da"]
    short = replace(announced, boxes=announced.boxes[4:6], chance=None, yatzy=None)
    game, coach = SheetGame(short, practice=True), coach_of(short)
    assert {one.lesson.key for one in list_lessons(game, coach) if one.missing == "order"} >= {"cross_out", "stop"}
    check_lesson(game, coach, build(game, coach, "announce"), Translator("en"), simple=False)


@pytest.mark.parametrize("name", mostly_rest(ALL_LESSONS, "carlit-chicago"))
def test_every_edition_has_what_ten_lessons_need(name: str) -> None:
    rules = load_edition(name).rules()
    lessons = find_family(CHICAGO if name == "carlit-chicago" else make_small("yahtzee")[0]).lessons
    assert len([one for one in lessons if one.find_missing(rules) is None]) == ALL_LESSONS[name]
