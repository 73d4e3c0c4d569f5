"""What may be done in a game of rounds."""

from knobel.game import EnterDice, refuse_faces
from knobel.games.round_state import AIM_WORDS, AIMS, FOLLOW, OPEN, RoundState
from knobel.phrase import Phrase, phrase
from knobel.rules.round_rules import RoundRules

SAY_AIM = phrase("rules.refusal.say_aim", **AIM_WORDS)


def refuse_leave(state: RoundState, seat: int) -> Phrase | None:
    """Allow each seat to leave once, unless it is out already."""
    if not 0 <= seat < len(state.chips):
        return phrase("rules.refusal.no_seat", seat=seat + 1, n=len(state.chips))
    return None if seat in state.active else phrase("rules.refusal.gone")


def refuse_roll(rules: RoundRules, state: RoundState, keep: tuple[int, ...]) -> Phrase | None:
    """Allow a roll of at least one die while there are rolls left; a follower has no more than the opener used."""
    dice = rules.dice
    if not state.dice:
        return phrase("rules.refusal.first_roll", n=dice) if keep else None
    if state.rolls_used >= (allowed := max_rolls(rules, state)):
        return phrase("rules.refusal.no_rolls", n=allowed)
    if any(not 0 <= place < dice for place in keep) or len(set(keep)) != len(keep):
        return phrase("rules.refusal.no_die", n=dice)
    return phrase("rules.refusal.stand_instead") if len(keep) == dice else None


def max_rolls(rules: RoundRules, state: RoundState) -> int:
    """Say how many rolls a player has: as many as the opener used, once they have."""
    return state.rolls_allowed if state.phase == FOLLOW else rules.rolls


def refuse_enter_dice(rules: RoundRules, state: RoundState, action: EnterDice) -> Phrase | None:
    """Allow entering real dice on an empty tray; an opener must say how many rolls they took."""
    if state.dice:
        return phrase("rules.refusal.dice_seen")
    most = 1 if state.rolloff else max_rolls(rules, state)
    if action.rolls > most or (state.phase == OPEN and not state.rolloff and not action.rolls):
        return phrase("rules.refusal.show_rolls", n=most)
    return refuse_faces(action.dice, rules.dice, rules.faces)


def refuse_stand(rules: RoundRules, state: RoundState, aim: str | None) -> Phrase | None:
    """Allow standing after a roll; an opener says over or under, unless all ones end the round."""
    if state.rolloff or not state.dice:
        return phrase("rules.refusal.roll_first")
    if state.phase == FOLLOW or is_all_ones(rules, state.dice):
        return phrase("rules.refusal.no_aim") if aim else None
    return None if aim in AIMS else SAY_AIM


def is_all_ones(rules: RoundRules, dice: tuple[int, ...]) -> bool:
    """Tell whether these dice win at once."""
    return rules.chicago_special and set(dice) == {1}
