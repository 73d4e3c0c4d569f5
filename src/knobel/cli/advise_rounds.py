"""`knobel advise` for a game of rounds: every move with the chance to lose, in percentage points, best first."""

from dataclasses import replace

from knobel.cli.chosen import Chosen
from knobel.cli.line import Given
from knobel.cli.screen import columns, say, say_json
from knobel.cli.solve_rounds import read_players
from knobel.errors import AimUnknown, DiceCount, DiceFace, NumberRange, UnknownOption
from knobel.game import Move, Throw
from knobel.games.round_state import AIMS, FOLLOW, OPEN, RoundState
from knobel.games.rounds import Rounds
from knobel.notation import write
from knobel.phrase import Figure
from knobel.round_coach import Judged, round_moves, round_solution, spoken
from knobel.rules.fields import shown


def advise_rounds(chosen: Chosen, given: Given) -> None:
    """Judge every move of a round by the chance to lose it."""
    refuse_idle(given)
    game = Rounds(chosen.round_rules)
    state = read_state(chosen, game, given)
    solved = round_moves(game, round_solution(game, state.began), state)
    judged = [Judged(spoken(game, state, one), one.value, one.value - solved[0].value) for one in solved]
    if given.flag("json"):
        moves = [
            {
                "move": in_words(chosen, state, one.move),
                "action": write(state, one.move, chosen.round_rules.dice),
                "value": one.value,
                "loss": one.loss,
            }
            for one in judged
        ]
        say_json(
            {
                "edition": chosen.edition.id,
                "lang": chosen.words.lang,
                "text": chosen.text,
                "value": judged[0].value,
                "moves": moves,
            }
        )
        return
    say(chosen.words("interface.advise.lose", chance=Figure(judged[0].value, 2, percent=True)))
    columns(
        [
            f"  {in_words(chosen, state, one.move)}",
            f"{chosen.words.figure(Figure(one.value, 2, percent=True)):>8}",
            f"{chosen.words.figure(Figure(100 * one.loss, 2, signed=True)):>7}" if one.loss else "",
        ]
        for one in judged
    )


def refuse_idle(given: Given) -> None:
    """Refuse options that mean nothing here rather than overlook them."""
    idle = [name for name in ("sheet", "announced", "yatzys", "locked") if given.flag(name)]
    if not given.flag("aim"):
        idle += [name for name in ("target", "made") if given.flag(name)]
    if idle:
        raise UnknownOption(name=f"--{idle[0]}", known=("--players", "--dice", "--throws-left", "--aim"))


def in_words(chosen: Chosen, state: RoundState, move: Move) -> str:
    """Say a move in players' words."""
    words = chosen.words
    if isinstance(move, Throw):
        dice = " ".join(map(str, sorted(state.dice[place] for place in move.keep)))
        return words("interface.advise.keep", dice=dice) if dice else words("interface.advise.throw_all")
    aim = getattr(move, "aim", None)
    return words(f"interface.advise.stand_{aim}") if aim else words("interface.advise.stand")


def read_state(chosen: Chosen, game: Rounds, given: Given) -> RoundState:
    """Read a position of a round: the opener's, or with an aim and a target a follower's."""
    players, dice = read_players(given, chosen), given.numbers("dice")
    rules = chosen.round_rules
    if len(dice) != rules.dice:
        raise DiceCount(n=len(dice), wanted=rules.dice)
    for die in dice:
        if not 1 <= die <= rules.faces:
            raise DiceFace(value=die, faces=rules.faces)
    left = given.number("throws-left", "--throws-left")
    left = rules.throws - 1 if left is None else left
    if not 0 <= left < rules.throws:
        raise NumberRange(name="--throws-left", least=0, most=rules.throws - 1, value=left)
    state = replace(game.start(players, 0), dice=dice, thrown=rules.throws - left, phase=OPEN)
    aim = given.word("aim")
    return state if aim is None else as_follower(chosen, state, aim, left, given)


def as_follower(chosen: Chosen, state: RoundState, aim: str, left: int, given: Given) -> RoundState:
    """Put a follower at the dice: after the opener's total and the totals made before him."""
    rules = chosen.round_rules
    if aim not in AIMS:
        raise AimUnknown(value=shown(aim))
    low, high = rules.dice, rules.dice * rules.faces
    target, made = given.number("target", "--target"), given.numbers("made")
    for name, total in (("--target", target), *(("--made", total) for total in made)):
        if total is None or not low <= total <= high:
            raise NumberRange(name=name, least=low, most=high, value=shown(total))
    if len(made) > state.began - 2:
        raise NumberRange(name="--made", least=0, most=state.began - 2, value=len(made))
    totals = tuple(enumerate((target or 0, *made)))
    seat = len(totals)
    return replace(state, phase=FOLLOW, aim=aim, totals=totals, player=seat, seat=seat, thrown=1, allowed=1 + left)
