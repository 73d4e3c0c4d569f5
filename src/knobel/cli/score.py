"""`knobel score`: what a hand is worth in every box, and why it may not be scored there."""

from collections.abc import Mapping

from knobel.cli.parser import JSON, LANG, SET, TEXT, Argument, Command, CommandOption, Given
from knobel.cli.position import read_announced, read_box, read_column
from knobel.cli.screen import say, say_columns, say_json, say_paragraph
from knobel.cli.selection import Selection, read_selection
from knobel.rules import column as sheet
from knobel.rules.hand import read_hand


def run(given: Given) -> None:
    table = read_selection(given)
    rules = table.sheet_rules
    dice = given.read_dice("dice", rules.faces, "DICE")
    rolled = read_hand(rules, dice)
    column = read_column(table, given)
    announced = read_announced(table, column, given.read_value("announced"))
    guess = rules.order == "announced" and announced is None
    options = (
        sheet.list_options_if_announced(rules, column, rolled)
        if guess
        else sheet.list_options(rules, column, rolled, announced)
    )
    if box := given.read_value("box"):
        options = {name: option for name, option in options.items() if name == read_box(table, box)}
    if given.has("json"):
        say_json(build_json(table, dice, options))
        return
    show(table, dice, options)
    if guess:
        say_paragraph(table.words("interface.score.announced"))


def show(selection: Selection, dice: tuple[int, ...], options: Mapping[str, sheet.Option]) -> None:
    """Print what the hand is worth in every box."""
    words = selection.words
    say(words("interface.score.title", dice=" ".join(map(str, dice)), title=selection.edition.title))
    say_columns(
        [
            f"  {words.name_box(box)}",
            f"{option.points:4}" + (f" +{option.extra}" if option.extra and not option.refusal else ""),
            words.translate(option.refusal) if option.refusal else "",
        ]
        for box, option in options.items()
    )


def build_json(selection: Selection, dice: tuple[int, ...], options: Mapping[str, sheet.Option]) -> dict[str, object]:
    """Describe what the hand is worth in every box as JSON."""
    words = selection.words
    return {
        "edition": selection.edition.id,
        "lang": words.lang,
        "text": selection.text,
        "dice": dice,
        "boxes": {
            box: {
                "points": option.points,
                "legal": option.refusal is None,
                "why": words.translate(option.refusal) if option.refusal else None,
            }
            | ({"extra": option.extra} if option.extra else {})
            for box, option in options.items()
        },
    }


COMMAND = Command(
    "score",
    (Argument("edition"), Argument("dice", variadic=True)),
    (
        CommandOption("box", "BOX"),
        CommandOption("sheet", "box=points,…"),
        CommandOption("yatzys", "N"),
        CommandOption("announced", "BOX"),
        LANG,
        TEXT,
        SET,
        JSON,
    ),
    run,
)
