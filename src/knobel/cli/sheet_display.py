"""A score-sheet game in words: what the dice could score, how the bonus stands."""

from typing import cast

from knobel.cli.display import GameDisplay, combine_tracks
from knobel.cli.score_sheet import show_sheet
from knobel.cli.screen import say, say_list
from knobel.games.sheet import SheetGame, SheetState
from knobel.phrase import BoxName, Phrase, phrase


class SheetDisplay(GameDisplay):
    """Writes about boxes, the bonus and the sheet."""

    @property
    def game(self) -> SheetGame:
        return cast("SheetGame", self.track.game)

    @property
    def locked_positions(self) -> tuple[int, ...]:
        return cast("SheetState", self.state).locked

    @property
    def has_announced(self) -> bool:
        return self.state.announced is not None

    def show_board(self) -> None:
        show_sheet(self.words, self.game, combine_tracks(self.table.replay), self.roster.names)

    def say_turn(self) -> None:
        """Say whose turn it is, and how the bonus stands."""
        state, name = self.state, self.player_name
        if state.rolloff:
            say(self.words("interface.play.rolloff", name=name))
            self.say_how_to_roll()
            return
        tally, rules = self.game.tally(state, state.player), self.game.rules_for(state.player)
        say(self.words("interface.play.turn", name=name, total=tally.total, n=len(state.column.open_boxes)))
        if bonus := rules.reachable_bonus:
            pace = describe_bonus_pace(tally.bonus_pace)
            say(self.words("interface.play.bonus", pace=pace, upper=tally.upper, goal=bonus.goal))
        if rules.order == "announced":
            say(self.words("interface.play.announce"))
        else:
            self.say_how_to_roll()

    def say_preview(self) -> None:
        """Say what the dice could score, best first; if nothing, where a zero may go."""
        if not self.state.dice:
            return
        options = self.game.list_options(self.state)
        free = {box: option for box, option in options.items() if option.refusal is None}
        best = sorted(free, key=lambda box: -free[box].points)
        scoring = [
            self.words("interface.play.option", box=BoxName(box), n=free[box].points)
            for box in best
            if free[box].points
        ]
        if scoring:
            say_list(self.words, "interface.play.options", "options", scoring)
        else:
            say_list(self.words, "interface.play.zeros", "boxes", map(self.words.name_box, best))
        if extra := max((option.extra for option in free.values()), default=0):
            say(self.words("interface.play.extra", n=extra))


def describe_bonus_pace(pace: int) -> Phrase:
    """Say how far ahead or behind somebody is on the way to the bonus, in the words of the browser."""
    return phrase(f"web.pace.{'ahead' if pace > 0 else 'behind' if pace < 0 else 'on'}", n=abs(pace))
