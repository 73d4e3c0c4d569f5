"""`knobel score`: what a hand is worth in every box, whether it may be written there, and why not."""

from collections.abc import Mapping

from knobel.cli.chosen import Chosen, choose
from knobel.cli.line import JSON, LANG, SET, TEXT, Argument, Command, Given, Option
from knobel.cli.screen import columns, paragraph, say, say_json
from knobel.cli.situation import read_announced, read_box, read_column, read_hand
from knobel.rules import column as sheet


def run(given: Given) -> None:
    """Score a hand."""
    table = choose(given)
    rules = table.rules
    dice = given.numbers("dice")
    rolled = read_hand(rules, dice)
    column = read_column(table, given)
    announced = read_announced(table, column, given.word("announced"))
    guess = rules.order == "announced" and announced is None
    options = sheet.if_announced(rules, column, rolled) if guess else sheet.options(rules, column, rolled, announced)
    if box := given.word("box"):
        options = {name: option for name, option in options.items() if name == read_box(table, box)}
    if given.flag("json"):
        say_json(form(table, dice, options))
        return
    show(table, dice, options)
    if guess:
        paragraph(table.words("interface.score.announced"))


def show(table: Chosen, dice: tuple[int, ...], options: Mapping[str, sheet.Option]) -> None:
    """Write the worth of every box for people."""
    words = table.words
    say(words("interface.score.title", dice=" ".join(map(str, dice)), title=table.edition.title))
    columns(
        [
            f"  {words.box(box)}",
            f"{option.points:4}" + (f" +{option.extra}" if option.extra and not option.refusal else ""),
            words.say(option.refusal) if option.refusal else "",
        ]
        for box, option in options.items()
    )


def form(table: Chosen, dice: tuple[int, ...], options: Mapping[str, sheet.Option]) -> dict[str, object]:
    """Write the worth of every box for machines."""
    words = table.words
    return {
        "edition": table.edition.id,
        "lang": words.lang,
        "text": table.text,
        "dice": dice,
        "boxes": {
            box: {
                "points": option.points,
                "legal": option.refusal is None,
                "why": words.say(option.refusal) if option.refusal else None,
            }
            | ({"extra": option.extra} if option.extra else {})
            for box, option in options.items()
        },
    }


COMMAND = Command(
    "score",
    (Argument("edition"), Argument("dice", many=True)),
    (
        Option("box", "BOX"),
        Option("sheet", "box=points,…"),
        Option("yatzys", "N"),
        Option("announced", "BOX"),
        LANG,
        TEXT,
        SET,
        JSON,
    ),
    run,
)
