"""Says what happens at a table: short sentences, one for each thing that was done."""

from knobel.cli.screen import paragraph, say
from knobel.game import Announce, Fill, Land, Leave, Throw, Write
from knobel.lang import Words
from knobel.phrase import Value
from knobel.record.events import Undone
from knobel.record.replay import Step
from knobel.table import Table


class Voice:
    """One voice for everybody at the table."""

    def __init__(self, table: Table, words: Words) -> None:
        self.table = table
        self.words = words
        table.listeners.append(self.hear)

    def name(self, seat: int) -> str:
        """Call a player by name."""
        return self.table.header.seats[seat].name

    def is_bot(self, seat: int) -> bool:
        """Tell whether a bot sits there."""
        return self.table.header.seats[seat].bot is not None

    def invite(self, player: int) -> None:
        """Say whose turn it is, and how the bonus stands."""
        state, rules = self.table.state, self.table.game.rules_of(player)
        name = self.name(player)
        how = "interface.play.how_own" if self.table.header.seats[player].own_dice else "interface.play.how"
        if state.rolloff:
            say(self.words("interface.play.rolloff", name=name))
            say(self.words(how))
            return
        tally = self.table.game.tally(state, player)
        say(self.words("interface.play.turn", name=name, total=tally.total, n=len(state.column.open)))
        if rules.bonus:
            say(self.words("interface.play.bonus", gap=f"{tally.gap:+d}", upper=tally.upper, goal=rules.bonus.goal))
        say(self.words("interface.play.announce" if rules.order == "announced" else how))

    def hear(self, step: Step) -> None:
        """Say what was done."""
        player = step.before.player
        match step.action:
            case Announce(box):
                say(self.words("interface.play.announced", name=self.name(player), box=self.words.box(box)))
            case Throw(keep) if keep and self.is_bot(player):
                dice = " ".join(str(step.before.dice[place]) for place in keep)
                say(self.words("interface.play.keeps", name=self.name(player), dice=dice))
            case Land():
                self.landed(step, player)
            case Fill(box) | Write(box):
                self.wrote(step, player, box)
            case Leave(seat):
                say(self.words("interface.play.gone", name=self.name(seat)))
            case None if isinstance(step.event, Undone):
                say(self.words("interface.play.undone"))
                self.previews()

    def landed(self, step: Step, player: int) -> None:
        """Say what the dice show, and to a person what they would bring."""
        name = self.name(player)
        if step.before.rolloff:
            total = sum(step.action.dice) if isinstance(step.action, Land) else 0
            say(self.words("interface.play.rolled", name=name, sum=total))
            return
        dice = " ".join(map(str, step.after.dice))
        throws = self.table.game.rules.throws
        say(self.words("interface.play.thrown", name=name, dice=dice, throw=step.after.thrown, throws=throws))
        if not self.is_bot(player):
            self.previews()

    def wrote(self, step: Step, player: int, box: str) -> None:
        """Say what was written."""
        points = step.after.columns[player].entries[self.table.game.rules.index[box]] or 0
        total = self.table.game.tally(step.after, player).total
        values: dict[str, Value] = {"name": self.name(player), "box": self.words.box(box), "total": total}
        say(self.words("interface.play.wrote", n=points, **values))

    def previews(self) -> None:
        """Say what the dice would bring, best first; if nothing, where a zero may go."""
        state = self.table.state
        if not state.dice:
            return
        options = self.table.game.options(state)
        free = {box: option for box, option in options.items() if option.refusal is None}
        best = sorted(free, key=lambda box: -free[box].points)
        scoring = [f"{self.words.box(box)} {free[box].points}" for box in best if free[box].points]
        if scoring:
            paragraph(self.words("interface.play.options", options=self.words.list(scoring)))
        else:
            paragraph(self.words("interface.play.zeros", boxes=self.words.list(map(self.words.box, best))))
        if extra := max((option.extra for option in free.values()), default=0):
            say(self.words("interface.play.extra", n=extra))
