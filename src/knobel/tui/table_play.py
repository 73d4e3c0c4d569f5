"""What a player does at the table on the screen: keep, roll, score, announce, enter real dice, undo."""

from collections.abc import Awaitable, Callable
from typing import Any

from knobel.errors import KnobelError
from knobel.notation import FACES
from knobel.phrase import BoxName, phrase
from knobel.tui.game_room import GameRoom
from knobel.tui.main_button import ADVANCE, find_main_button
from knobel.tui.position import Position
from knobel.tui.questions import Question
from knobel.view.sheet import OptionView

Answer = Callable[[], Awaitable[None]]
Ask = Callable[[Question, Answer], None]
Choose = Callable[[str, list[str], str, Callable[[int], Awaitable[None]]], None]
AskLine = Callable[[str, Callable[[str], Awaitable[None]]], None]
MAX_FACE_KEY = 9


class TablePlay:
    """Carries out what a player wants in the position as it was drawn; refusals are said."""

    def __init__(self, game: GameRoom, say: Callable[[str], None], ask: Ask, choose: Choose, ask_line: AskLine) -> None:
        self.game = game
        self.say = say
        self.ask = ask
        self.choose = choose
        self.ask_line = ask_line
        self.position: Position = game.draw()
        self.kept: set[int] = set()
        self.entered: list[int] = []
        """Real dice that were typed so far."""

    def show(self, position: Position, rolled: tuple[int, ...] | None) -> None:
        """Take over a new position; what the last roll kept stays kept."""
        self.position = position
        tray = position.tray
        self.entered = []
        if tray is None or not tray.dice:
            self.kept = set()
        elif rolled is not None:
            others = set(range(len(tray.dice))) - set(rolled)
            self.kept = set(tray.locked) | others
        self.kept |= set(tray.locked) if tray else set()

    async def attempt(self, work: Awaitable[None]) -> None:
        """Do something, or say why it cannot be done."""
        try:
            await work
        except KnobelError as error:
            self.say(self.position.words.describe_error(error))

    async def act(self, text: str) -> None:
        if self.position.seat is not None:
            await self.attempt(self.game.act(self.position.seat, text))

    async def press_number(self, number: int) -> None:
        """Keep or release a die; where real dice are waited for, enter one."""
        tray = self.position.tray
        if tray is None or self.position.seat is None:
            return
        if self.awaits_dice():
            if 1 <= number <= min(self.position.rules.faces, MAX_FACE_KEY):
                self.entered.append(number)
                await self.send_entered()
        elif tray.phase == "choose" and 0 < number <= len(tray.dice):
            self.toggle(number - 1)

    def toggle(self, place: int) -> None:
        """Keep a die or release it; a locked one stays."""
        tray = self.position.tray
        if place in tray.locked:
            self.say(self.position.words("web.die.stays", place=place + 1, value=tray.dice[place]))
        else:
            self.kept ^= {place}

    def awaits_dice(self) -> bool:
        """Tell whether somebody with real dice has to say what they show."""
        tray = self.position.tray
        if tray is None or not self.position.has_real_dice:
            return False
        return tray.phase == "land" or (not tray.dice and tray.phase != "announce")

    async def send_entered(self) -> None:
        """Enter real dice once all are typed, and in how many rolls where that matters."""
        tray, words = self.position.tray, self.position.words
        wanted = len(tray.rolling) if tray.phase == "land" else self.position.rules.dice
        if len(self.entered) < wanted:
            return
        dice, self.entered = "".join(FACES[value] for value in self.entered), []
        if tray.phase == "land":
            await self.act(f">{dice}")
        elif tray.asks_rolls and tray.rolls > 1:
            lines = [str(number) for number in range(1, tray.rolls + 1)]
            self.choose(words("web.pad.rolls"), lines, "", lambda index: self.act(f"={dice}:{index + 1}"))
        else:
            await self.act(f"={dice}{':1' if tray.asks_rolls else ''}")

    async def press_main(self) -> None:
        """Do what the button says: roll, let a bot move at once, or confirm the end."""
        button = find_main_button(self.position, self.kept)
        if button is None or button.does is None:
            if button is not None:
                self.say(self.position.words.translate(button.label))
        elif button.does == ADVANCE:
            await self.attempt(self.game.advance())
        elif self.position.seat is not None:
            await self.attempt(self.game.roll(self.position.seat, sorted(self.kept)))

    async def undo(self) -> None:
        """Undo the last entry of somebody here."""
        own = [seat for seat in self.position.view.undo if seat in self.position.here]
        if own:
            await self.attempt(self.game.undo(own[0]))
        else:
            self.say(self.position.translate(phrase("rules.refusal.no_undo")))

    async def score(self, box: str) -> None:
        """Score the dice in a box, announce it, or enter the points of real dice; a deliberate zero is asked for."""
        option = self.find_option(box)
        if option is None:
            return
        if option.announce_action:
            await self.act(option.announce_action)
        elif option.action and option.warn_zero:
            await self.ask_zero(option)
        elif option.action:
            await self.act(option.action)
        elif self.position.has_real_dice and (option.scores or option.anyway):
            self.choose_points(option)
        else:
            self.say(option.refusal or self.position.words("web.table.roll_first"))

    def find_option(self, box: str) -> OptionView | None:
        """Find what can be done with a box, or say why nothing can be."""
        position, tray = self.position, self.position.tray
        if tray is None or position.seat is None:
            return None
        found = next((option for option in getattr(tray, "options", ()) if option.box == box), None)
        if found is None:
            self.say(position.words(describe_closed_box(position, box), box=BoxName(box)))
        return found

    async def cross_out(self, box: str) -> None:
        """Score zero in a box on purpose; it is asked for first."""
        option, words = self.find_option(box), self.position.words
        if option is None:
            return
        if option.cross_out_action is None:
            await self.score(box)
            return
        action = option.cross_out_action
        question = Question(
            words("web.table.cross_out_title", box=BoxName(box)),
            words("web.table.cross_out_text", n=option.points),
            words("web.table.zero_yes"),
            words("web.table.zero_no"),
        )
        self.ask(question, lambda: self.act(action))

    async def ask_zero(self, option: OptionView) -> None:
        """Ask before a zero that these dice would not have to be."""
        words, tray, action = self.position.words, self.position.tray, option.action
        better = max((one for one in tray.options if one.action), key=lambda one: one.points)
        text = (
            words("web.table.zero_better", box=BoxName(better.box), n=better.points)
            if better.points
            else words("web.table.zero_text")
        )
        question = Question(
            words("web.table.zero_title", box=BoxName(option.box)),
            text,
            words("web.table.zero_yes"),
            words("web.table.zero_no"),
        )
        self.ask(question, lambda: self.act(action or ""))

    def choose_points(self, option: OptionView) -> None:
        """Let somebody with real dice choose what they scored; what is against the rules comes last and is marked."""
        words, box = self.position.words, option.box
        dice = bool(self.position.tray.dice)
        actions = [f"{box}={points}" for points in option.scores]
        actions += [f"~{box}" if dice else f"~{box}={points}" for points in option.anyway]
        mark = words("web.table.note.against_rules")
        lines = [*map(format_points, option.scores), *(f"{format_points(one)}  ({mark})" for one in option.anyway)]
        self.choose(
            words.name_box(box), lines, option.why or option.refusal or "", lambda index: self.act(actions[index])
        )


def describe_closed_box(position: Position, box: str) -> str:
    """Find the key that says why a box takes nothing now: it is filled, or the dice have to be rolled first."""
    rules: Any = position.rules
    entry = position.view.seats[position.seat].entries[rules.index[box]] if position.seat is not None else None
    return "web.table.roll_first" if entry is None else "interface.tui.sheet.filled"


def format_points(points: str) -> str:
    """Show points as they are entered."""
    return points.replace("+", " + ").replace("*", " *")
