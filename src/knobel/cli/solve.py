"""`knobel solve`: the exact expected total of perfect play."""

from typing import Any

from knobel.cli.chosen import Chosen, choose
from knobel.cli.line import JSON, LANG, SET, TEXT, Argument, Command, Given, Option
from knobel.cli.progress import Bar
from knobel.cli.screen import say, say_json
from knobel.cli.solve_rounds import read_players, solve_rounds
from knobel.cli.solved import announce_cost, warn
from knobel.errors import UnknownOption
from knobel.phrase import Figure
from knobel.solver import book
from knobel.solver.solve import solve
from knobel.solver.tables import tables


def run(given: Given) -> None:
    """Solve a ruleset, or open its book."""
    chosen = choose(given)
    if chosen.edition.family == "rounds":
        solve_rounds(chosen, read_players(given, chosen), given.flag("json"))
        return
    if given.flag("players"):
        raise UnknownOption(name="--players", known=("--no-cache", "--text", "--set"))
    cached = None if given.flag("no-cache") else book.read_values(chosen.rules, lambda said: warn(chosen, said))
    note: dict[str, Any] = dict(cached[1]) if cached else solved(chosen, keep=not given.flag("no-cache"))
    answer = {
        "edition": chosen.edition.id,
        "lang": chosen.words.lang,
        "text": chosen.text,
        "fingerprint": chosen.rules.fingerprint,
        "par": note["par"],
        "states": note["states"],
        "seconds": note["seconds"],
        "cached": cached is not None,
    }
    if given.flag("json"):
        say_json(answer)
        return
    words = chosen.words
    say(words("interface.solve.par", title=chosen.edition.title, par=Figure(note["par"], 6)))
    say(words("interface.solve.cost", states=Figure(note["states"]), seconds=Figure(note["seconds"], 2)))
    if cached:
        say(words("interface.solve.cached"))


def solved(chosen: Chosen, keep: bool) -> dict[str, Any]:
    """Solve now, with a bar; keep the book unless told otherwise."""
    announce_cost(chosen)
    bar = Bar()
    try:
        if keep:
            return book.build(chosen.rules, bar)
        solution = solve(tables(chosen.rules), bar)
    finally:
        bar.done()
    return {"par": float(solution.values[0]), "states": solution.states, "seconds": solution.seconds}


COMMAND = Command(
    "solve", (Argument("edition"),), (Option("players", "N"), Option("no-cache"), LANG, TEXT, SET, JSON), run
)
