"""`knobel solve` for a game of rounds: everybody's chance of losing, where to stand and which way to announce."""

from knobel.cli.parser import Given
from knobel.cli.screen import say, say_columns, say_json, say_paragraph
from knobel.cli.selection import Selection
from knobel.coach.rounds import WHOLE_GAME_PLAYERS, solve_single_round, solve_whole_game
from knobel.errors import UnknownOption
from knobel.games.rounds import RoundsGame
from knobel.lang import Translator
from knobel.phrase import FormattedNumber
from knobel.solver.chip_game import ChipGameSolution
from knobel.solver.rounds import Opening, RoundSolution

MAX_PLAYERS = 16
DEFAULT_PLAYERS = 3


def read_players(given: Given, selection: Selection) -> int:
    least, most = (
        selection.round_rules.players.least,
        min(selection.round_rules.players.most or MAX_PLAYERS, MAX_PLAYERS),
    )
    players = given.read_number("players", least, most)
    return DEFAULT_PLAYERS if players is None else players


def solve_rounds(selection: Selection, given: Given) -> None:
    """Solve a round, and the whole game where few play."""
    if given.has("dask"):
        raise UnknownOption(name="--dask", known=("--players", "--text", "--set"))
    players = read_players(given, selection)
    game = RoundsGame(selection.round_rules)
    solution = solve_single_round(game, players)
    chip_game = solve_whole_game(game, players) if players in WHOLE_GAME_PLAYERS else None
    if given.has("json"):
        say_json(build_json(selection, solution, chip_game))
        return
    show(selection, solution, chip_game)


def show(selection: Selection, solution: RoundSolution, chip_game: ChipGameSolution | None) -> None:
    words = selection.words
    say(words("interface.solve.rounds", title=selection.edition.title, n=solution.players))
    rows = [[f"  {words('interface.solve.opener')}", format_chance(words, solution.losing_chances[0])]]
    rows += [
        [f"  {words('interface.solve.follower', number=place)}", format_chance(words, chance)]
        for place, chance in enumerate(solution.losing_chances[1:], 1)
    ]
    say_columns([*rows, [f"  {words('interface.solve.void')}", format_chance(words, solution.void_chance)]])
    say()
    for rolls, (always, sometimes) in enumerate(
        zip(solution.stand_totals, solution.sometimes_stand_totals, strict=True), 1
    ):
        key = "interface.solve.stands_sometimes" if sometimes else "interface.solve.stands"
        say_paragraph(words(key, n=rolls, totals=format_totals(always), others=format_totals(sometimes)))
    say()
    say_columns(
        [
            [f"  {words('interface.solve.total')}", *trim_headings(solution, build_roll_headings(selection))],
            *build_opening_rows(solution, words),
        ]
    )
    if chip_game:
        show_game(selection, chip_game)


def build_roll_headings(selection: Selection) -> list[str]:
    """Head the columns: after each number of rolls."""
    return [selection.words("interface.solve.after", n=rolls) for rolls in range(1, selection.round_rules.rolls + 1)]


def trim_headings(solution: RoundSolution, heads: list[str]) -> list[str]:
    """Keep only the headings of rolls that can happen."""
    return heads[: len({rolls for rolls, _ in solution.openings})]


def format_chance(words: Translator, chance: float) -> str:
    """Format a chance in percent, aligned with the others."""
    return f"{words.format_number(FormattedNumber(chance, 4, percent=True)):>8}"


def build_opening_rows(solution: RoundSolution, words: Translator) -> list[list[str]]:
    """List which way to announce each total, and the chance of losing the round then."""
    roll_counts = sorted({rolls for rolls, _ in solution.openings})
    rows = []
    for total in sorted({total for _, total in solution.openings}):
        found = [solution.openings.get((rolls, total)) for rolls in roll_counts]
        rows.append([f"  {total}", *(format_opening(one, words) if one else "" for one in found)])
    return rows


def format_opening(one: Opening, words: Translator) -> str:
    """Say which way to announce, and the chance of losing the round then."""
    return (
        f"{words(f'rules.term.{one.aim}')} {words.format_number(FormattedNumber(one.losing_chance, 2, percent=True))}"
    )


def show_game(selection: Selection, chip_game: ChipGameSolution) -> None:
    """Print the value of every chip position of the whole game."""
    words = selection.words
    say()
    say_paragraph(words("interface.solve.game", n=chip_game.players, residual=f"{chip_game.residual:.1e}"))
    say_columns(
        [
            f"  {' '.join(map(str, chips))}",
            "  ".join(words.format_number(FormattedNumber(place, 4)) for place in places),
        ]
        for chips, places in sorted(chip_game.places.items())
    )


def format_totals(found: tuple[int, ...]) -> str:
    return " ".join(map(str, found)) or "-"


def build_json(selection: Selection, solution: RoundSolution, chip_game: ChipGameSolution | None) -> dict[str, object]:
    answer: dict[str, object] = {
        "edition": selection.edition.id,
        "lang": selection.words.lang,
        "text": selection.text,
        "fingerprint": selection.round_rules.fingerprint,
        "players": solution.players,
        "lose": solution.losing_chances,
        "void": solution.void_chance,
        "stands": solution.stand_totals,
        "sometimes": solution.sometimes_stand_totals,
        "opening": [
            {
                "rolls": rolls,
                "total": total,
                "aim": one.aim,
                "lose": one.losing_chance,
                "over": one.over,
                "under": one.under,
            }
            for (rolls, total), one in sorted(solution.openings.items())
        ],
    }
    if chip_game:
        positions = [{"chips": chips, "places": places} for chips, places in sorted(chip_game.places.items())]
        answer["game"] = {"positions": positions, "residual": chip_game.residual, "sweeps": chip_game.sweeps}
    return answer
