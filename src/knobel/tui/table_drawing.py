"""Draws what surrounds the board of a table: its title, the dice, the buttons, the last moves."""

from collections.abc import Sequence

from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Static

from knobel.lang import Translator
from knobel.tui.dice_tray import ShownDie
from knobel.tui.families import FAMILIES
from knobel.tui.key_bar import draw_heading
from knobel.tui.main_button import find_main_button
from knobel.tui.position import Position
from knobel.tui.table_play import TablePlay

MAX_STOPS = 3
MAX_SENTENCES = 60


def draw_table(screen: Screen[None], play: TablePlay, sentences: Sequence[str], message: str) -> None:
    """Draw everything but the board and the dice."""
    position = play.position
    words, family = position.words, FAMILIES[position.family]
    screen.query_one("#title", Static).update(draw_title(position))
    screen.query_one("#prompt", Static).update(draw_prompt(position))
    button, main = find_main_button(position, play.kept), screen.query_one("#main", Button)
    main.label = words.translate(button.label) if button else ""
    main.disabled = button is None or button.does is None
    stops = family.list_stops(position)
    screen.query_one("#stops").display = len(stops) > 0
    for number in range(MAX_STOPS):
        stop = screen.query_one(f"#stop{number}", Button)
        stop.display = number < len(stops)
        stop.label = f"{words.translate(stops[number].label)} [{stops[number].key}]" if number < len(stops) else ""
    said = family.describe_dice(position)
    about = Content(words.translate(said) if said else "")
    shown = Content.styled(message, "$warning bold") if message else about
    screen.query_one("#message", Static).update(shown)
    screen.query_one("#felt").border_title = words("web.tray.dice")
    screen.query_one("#notes").border_title = words("web.tray.last")
    screen.query_one("#moves", Static).update(draw_moves(sentences))


def draw_moves(sentences: Sequence[str]) -> Content:
    """Draw the last moves, the newest first."""
    newest = list(reversed(sentences[-MAX_SENTENCES:]))
    return Content("\n").join(Content.styled(one, "" if place else "bold") for place, one in enumerate(newest))


def draw_title(position: Position) -> Content:
    """Name the game, its round, and the game of the series."""
    header, words = position.table.header, position.words
    parts = [header.edition.title, header.edition.printed_by] if header.edition.printed_by else [header.edition.title]
    progress = [words.translate(FAMILIES[position.family].describe_progress(position))]
    if header.evening.games > 1:
        progress.append(words("web.table.game_of", number=header.evening.number, games=header.evening.games))
    if header.practice:
        progress.append(words("web.table.practice"))
    return draw_heading(*parts, *progress)


def draw_prompt(position: Position) -> Content:
    """Say whose turn it is, and how many rolls are left."""
    tray, words = position.tray, position.words
    if tray is None:
        return Content.styled(words("web.tray.over"), "bold")
    left = tray.rolls - tray.rolled
    parts = [(position.prompt, "bold")]
    if position.seat is not None and tray.dice and left > 0 and tray.phase == "choose":
        parts.append((f"  {words('web.tray.left', n=left)}", "$faint"))
    return Content.assemble(*parts)


def list_dice(play: TablePlay) -> list[ShownDie]:
    """List the dice as they lie: entered ones while real dice are typed, else those of the tray."""
    position, tray = play.position, play.position.tray
    count, words = position.rules.dice, position.words
    if play.awaits_dice():
        return list_entered(play, count)
    dice = tray.dice if tray else ()
    if not dice:
        return [ShownDie() for _ in range(count)]
    rolling = set(tray.rolling) if tray.phase == "land" else set()
    return [
        ShownDie(
            None if place in rolling else value,
            place in play.kept,
            place in tray.locked,
            write_die_word(words, play, place),
        )
        for place, value in enumerate(dice)
    ]


def write_die_word(words: Translator, play: TablePlay, place: int) -> str:
    """Write the word below a die: locked, kept, or its key where it can be kept."""
    tray = play.position.tray
    if place in tray.locked:
        return words("web.tray.stays")
    if place in play.kept:
        return words("web.tray.kept")
    return str(place + 1) if tray.phase == "choose" and play.position.seat is not None else ""


def list_entered(play: TablePlay, count: int) -> list[ShownDie]:
    """List real dice as they are typed; where only some roll, the others lie as before."""
    tray, entered = play.position.tray, iter(play.entered)
    rolling = tray.rolling if tray.phase == "land" else range(count)
    dice = tray.dice or (None,) * count
    return [
        ShownDie(next(entered, None)) if place in rolling else ShownDie(dice[place], kept=True)
        for place in range(count)
    ]
