"""A game to play move by move, with legal moves, undo, and text in and out."""

from collections.abc import Mapping
from random import Random
from typing import Any, get_args

from knobel.errors import IllegalAction, KnobelError, NoSeatAtTable, NotationTrayMismatch, NumberOutOfRange
from knobel.game import (
    CHANCE,
    Action,
    Announce,
    Game,
    Land,
    Move,
    Outcome,
    Roll,
    Score,
    Stand,
    play,
)
from knobel.games.families import FAMILIES as GAMES
from knobel.library.families import FAMILIES
from knobel.library.selection import DiceLike, RulesLike, parse_dice, resolve_rules
from knobel.notation import read_action, write_action, write_dice
from knobel.phrase import phrase
from knobel.rules.families import Rules
from knobel.rules.fields import check_type
from knobel.rules.hand import check_faces

SEPARATOR = ", "
MAX_SEATS = 1000
"""More than any table has; a state holds something for each seat."""


class BoardPosition:
    """Where a game stands: whose turn it is, what lies there, what may be done."""

    def __init__(self, game: Game[Any], state: Any) -> None:
        self.game = game
        self.state = state

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""
        return self.game.rules

    @property
    def turn(self) -> int | None:
        """The seat whose move it is; none when the game is over."""
        return None if self.state.seat is None else self.state.player

    @property
    def dice(self) -> tuple[int, ...]:
        """The dice on the table, by position; none before the first roll of a turn."""
        return tuple(self.state.dice)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every move of the player whose turn it is; keeping equal dice counts once."""
        return () if self.state.seat in (None, CHANCE) else tuple(self.game.legal_moves(self.state))

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of every seat, or its chips in a game of rounds."""
        return FAMILIES[self.rules.family].list_totals(self.game, self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; none while it is going on."""
        return self.game.outcome(self.state)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.seat is None

    def sheet(self, seat: int = 0) -> Mapping[str, int | None]:
        """Give the boxes of a seat with their points; an open box has none."""
        check_type("seat", seat, int)
        seats = len(self.state.turns)
        if not 0 <= seat < seats:
            raise NoSeatAtTable(seat=seat + 1, seats=seats)
        return FAMILIES[self.rules.family].list_entries(self.game, self.state, seat)

    def parse(self, text: str) -> Action:
        """Read an action of this position in the notation of records; a roll must show the dice that lie there."""
        check_type("text", text, str)
        return expect_possible(self, read_action(self.state, text.strip()))

    def write(self, action: Action) -> str:
        """Write an action of this position in the notation of records."""
        check_type("action", action, *get_args(Action))
        return write_action(self.state, expect_possible(self, action), self.rules.dice)

    def __str__(self) -> str:
        """Show the boxes of every seat below each other, then totals and dice; an open box has a dot."""
        seats = range(len(self.totals))
        sheets = [self.sheet(seat) for seat in seats]
        rows = [(box, *("." if sheet[box] is None else str(sheet[box]) for sheet in sheets)) for box in sheets[0]]
        rows.append(("total", *map(str, self.totals)))
        width, cell = max(len(row[0]) for row in rows), max(len(one) for row in rows for one in row[1:])
        lines = [f"{row[0]:<{width}} {' '.join(f'{one:>{cell}}' for one in row[1:])}" for row in rows]
        turn = "game over" if self.turn is None else f"seat {self.turn}"
        return "\n".join([*lines, " ".join([f"{turn}:", *map(str, self.dice)]) if self.dice else turn])


class Board(BoardPosition):  # noqa: PLW1641 (it changes, so it has no hash)
    """A game in progress.

    `first` is the seat that starts; none means that it is rolled for, where the rules say so. Dice are rolled by
    `random`, or given by the caller. Every action can be taken back with `pop`; states underneath never change, so a
    copy costs nothing.
    """

    def __init__(
        self, rules: RulesLike, players: int = 1, *, first: int | None = 0, random: Random | None = None
    ) -> None:
        played = resolve_rules(rules)
        check_type("players", players, int)
        if players > MAX_SEATS:
            raise NumberOutOfRange(name="players", least=1, most=MAX_SEATS, value=players)
        if first is not None:
            check_type("first", first, int)
        if random is not None:
            check_type("random", random, Random)
        limits = played.players
        is_practice = players < limits.least or (limits.most is not None and players > limits.most)
        game: Game[Any] = GAMES[played.family].build(played, frozenset(), is_practice)
        super().__init__(game, game.start(players, first))
        self.random = random or Random()  # noqa: S311
        self.history: tuple[tuple[Any, Action], ...] = ()

    def push(self, action: Action | str) -> None:
        """Carry out an action, given as such or as text; the dice of a roll land at once."""
        if isinstance(action, str):
            action = self.parse(action)
        self.apply(action)
        if isinstance(action, Roll):
            self.land(None)

    def roll(self, keep: DiceLike = (), dice: DiceLike | None = None) -> tuple[int, ...]:
        """Keep some dice and roll the rest; `dice` says what those show, else they are drawn at random.

        Dice that cannot be are refused, and the board stays as it was.
        """
        kept = parse_dice(keep)
        if kept and not self.dice:
            raise IllegalAction(why=phrase("rules.refusal.roll_first"))
        positions = self.game.find_positions(self.state, kept)
        if positions is None:
            raise NotationTrayMismatch(text=write_dice(check_faces(self.rules, kept)), tray=write_dice(self.dice))
        before, history = self.state, self.history
        self.apply(Roll(positions))
        try:
            self.land(dice)
        except KnobelError:
            self.state, self.history = before, history
            raise
        return self.dice

    def score(self, box: str, *, cross_out: bool = False) -> None:
        """Score the dice in a box, or cross it out."""
        check_type("box", box, str)
        check_type("cross_out", cross_out, bool)
        self.apply(Score(box, cross_out))

    def announce(self, box: str) -> None:
        """Name the box before the first roll, where the rules ask for it."""
        check_type("box", box, str)
        self.apply(Announce(box))

    def stand(self, aim: str | None = None) -> None:
        """Roll no more, in a game of rounds; an opener says over or under."""
        if aim is not None:
            check_type("aim", aim, str)
        self.apply(Stand(aim))

    def apply(self, action: Action) -> None:
        """Carry out one action; after a roll its dice must land."""
        check_type("action", action, *get_args(Action))
        after = play(self.game, self.state, action)
        self.history = (*self.history, (self.state, action))
        self.state = after

    def land(self, dice: DiceLike | None) -> None:
        """Let the rolling dice show these faces, else faces drawn at random."""
        pending = self.game.pending_roll(self.state)
        if pending is None:
            self.apply(Land(parse_dice(dice or ())))  # refused by the game, which says why
            return
        faces = (
            tuple(self.random.randint(1, self.rules.faces) for _ in pending.positions)
            if dice is None
            else check_faces(self.rules, parse_dice(dice))
        )
        self.apply(Land(faces))

    def pop(self) -> Action:
        """Take the last action back, a roll together with its dice; give the action."""
        if not self.history:
            raise IllegalAction(why=phrase("rules.refusal.no_undo"))
        *earlier, (self.state, action) = self.history
        self.history = tuple(earlier)
        return self.pop() if isinstance(action, Land) else action

    def copy(self) -> "Board":
        """Give a board that goes on from here on its own."""
        other = Board.__new__(Board)
        other.game, other.random, other.history, other.state = self.game, self.random, self.history, self.state
        return other

    @property
    def text(self) -> str:
        """The game so far as text, which `read` reads back."""
        return SEPARATOR.join(write_action(state, action, self.rules.dice) for state, action in self.history)

    @classmethod
    def read(
        cls,
        rules: RulesLike,
        text: str,
        players: int = 1,
        *,
        first: int | None = 0,
        random: Random | None = None,
    ) -> "Board":
        """Play a game again from its text; actions are separated by commas, spaces around them do not matter."""
        check_type("text", text, str)
        board = cls(rules, players, first=first, random=random)
        for part in filter(None, map(str.strip, text.split(SEPARATOR.strip()))):
            board.apply(board.parse(part))
        return board

    def __eq__(self, other: object) -> bool:
        """Tell whether two boards stand alike, however they came there."""
        if not isinstance(other, Board):
            return NotImplemented
        return self.rules == other.rules and self.state == other.state

    def __repr__(self) -> str:
        return f"<Board turn={self.turn} dice={self.dice} totals={self.totals}>"


def expect_possible(position: BoardPosition, action: Action) -> Action:
    """Refuse an action that is not possible now."""
    if (refusal := position.game.refusal(position.state, action)) is not None:
        raise IllegalAction(why=refusal)
    return action
