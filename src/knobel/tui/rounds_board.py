"""A game of rounds on the screen: everybody's chips, the kitty, what the opener asks for, the rounds so far."""

from rich.cells import set_cell_size
from textual.content import Content

from knobel.tui.game_board import GameBoard
from knobel.tui.position import Position
from knobel.view.rounds import RoundsSeatView, RoundsView, RoundView

CHIP, NO_CHIP = "●", "○"
NAME_CELLS = 12
MAX_CHIPS = 9
"""More chips than these are written as a number."""


class RoundsBoard(GameBoard):
    """Draws a line for each player and one for each round."""

    @property
    def title(self) -> str:
        return "web.rounds.table"

    def render(self) -> Content:
        return Content("\n").join(self.draw_lines())

    def draw_lines(self) -> list[Content]:
        if self.position is None:
            return []
        view: RoundsView = self.position.view
        words, chips = self.position.words, self.position.rules.chips
        kitty = words("web.rounds.kitty", n=view.kitty) if view.kitty else words("web.rounds.kitty_empty")
        lines = [Content.assemble((f"{draw_chips(view.kitty, chips)}  ", "$accent bold"), kitty), Content("")]
        for place, seat in enumerate(view.seats):
            lines += draw_seat(self.position, place, seat)
        lines += [Content(""), Content.styled(describe_task(self.position), "bold"), Content("")]
        if view.log:
            lines.append(Content.styled(words("web.rounds.log"), "$primary bold"))
            lines += [draw_round(self.position, one) for one in reversed(view.log)]
        return lines


def draw_chips(chips: int, most: int) -> str:
    """Draw chips as circles, and the others of the game as empty ones."""
    if most > MAX_CHIPS:
        return f"{CHIP} × {chips}"
    return CHIP * chips + NO_CHIP * (most - chips)


def draw_seat(position: Position, place: int, seat: RoundsSeatView) -> list[Content]:
    """Draw a player: chips, total in this round and whether it is enough, or the place they finished in."""
    view, words = position.view, position.words
    is_next = position.tray is not None and position.tray.seat == place
    name = set_cell_size(seat.name, NAME_CELLS)
    said = []
    if seat.left:
        said.append(words("web.player.gone"))
    elif seat.place is not None:
        said.append(words("web.player.place", place=seat.place))
    elif seat.total is not None:
        said.append(str(seat.total))
        if seat.beats is not None:
            said.append(words("web.rounds.enough" if seat.beats else "web.rounds.short"))
    if view.opener == place:
        said.append(words("web.rounds.opener"))
    return [
        Content.assemble(
            ("▸ " if is_next else "  ", "$accent"),
            (name, "$primary bold" if is_next else "$primary"),
            (f" {draw_chips(seat.chips, position.rules.chips)}  ", "$accent bold"),
            (" · ".join(said), "$secondary"),
        )
    ]


def describe_task(position: Position) -> str:
    """Say what is asked of everybody in this round."""
    view, words = position.view, position.words
    if view.tie is not None:
        return words(f"web.rounds.tie.{view.tie.kind}")
    if view.aim is not None and view.target is not None:
        return words(f"web.rounds.aim.{view.aim}", target=view.target)
    if view.opener is not None:
        return words("web.rounds.opens", name=view.seats[view.opener].name)
    return ""


def draw_round(position: Position, one: RoundView) -> Content:
    """Draw a round that is over: all totals, and who took a chip."""
    words, names = position.words, [seat.name for seat in position.view.seats]
    aim = f" {words(f'web.rounds.{one.aim}')}" if one.aim else ""
    totals = "  ".join(
        f"{names[seat]} {'*' if seat in one.corrected else ''}{total}{aim if seat == one.opener else ''}"
        for seat, total in one.totals
    )
    ends = [f"{names[one.loser]} {words('web.rounds.took')}"] if one.loser is not None else []
    ends += [f"{names[seat]} {words('web.rounds.went')}" for seat in one.left]
    end = f" · {words.join_list(ends)}" if ends else ""
    return Content.assemble((f"{one.round:>2}  ", "$faint"), totals, (end, "$accent"))
