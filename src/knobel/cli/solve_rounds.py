"""`knobel solve` for a game of rounds: everybody's chance to lose, where to stand and which way to announce."""

from knobel.cli.chosen import Chosen
from knobel.cli.line import Given
from knobel.cli.screen import columns, paragraph, say, say_json
from knobel.errors import NumberRange
from knobel.games.rounds import Rounds
from knobel.lang import Words
from knobel.phrase import Figure
from knobel.round_coach import FEW, round_solution, whole_game
from knobel.solver.chips import ChipGame
from knobel.solver.rounds import Opening, RoundSolution

MOST = 16
USUAL = 3


def read_players(given: Given, chosen: Chosen) -> int:
    """Read how many play the round."""
    least, most = chosen.round_rules.players.least, min(chosen.round_rules.players.most or MOST, MOST)
    players = given.number("players", "--players")
    players = USUAL if players is None else players
    if not least <= players <= most:
        raise NumberRange(name="--players", least=least, most=most, value=players)
    return players


def solve_rounds(chosen: Chosen, players: int, for_machines: bool) -> None:
    """Solve a round, and the whole game where few play."""
    game = Rounds(chosen.round_rules)
    solution = round_solution(game, players)
    whole = whole_game(game, players) if players in FEW else None
    if for_machines:
        say_json(form(chosen, solution, whole))
        return
    show(chosen, solution, whole)


def show(chosen: Chosen, solution: RoundSolution, whole: ChipGame | None) -> None:
    """Write the solution for people."""
    words = chosen.words
    say(words("interface.solve.rounds", title=chosen.edition.title, n=solution.players))
    rows = [[f"  {words('interface.solve.opener')}", share(words, solution.lose[0])]]
    rows += [
        [f"  {words('interface.solve.follower', number=place)}", share(words, chance)]
        for place, chance in enumerate(solution.lose[1:], 1)
    ]
    columns([*rows, [f"  {words('interface.solve.void')}", share(words, solution.void)]])
    say()
    for thrown, (always, sometimes) in enumerate(zip(solution.stands, solution.sometimes, strict=True), 1):
        key = "interface.solve.stands_sometimes" if sometimes else "interface.solve.stands"
        paragraph(words(key, n=thrown, totals=totals(always), others=totals(sometimes)))
    say()
    columns([[f"  {words('interface.solve.total')}", *announcing(solution, words_of(chosen))], *table(solution, words)])
    if whole:
        show_game(chosen, whole)


def words_of(chosen: Chosen) -> list[str]:
    """Head the columns: after each number of throws."""
    return [chosen.words("interface.solve.after", n=thrown) for thrown in range(1, chosen.round_rules.throws + 1)]


def announcing(solution: RoundSolution, heads: list[str]) -> list[str]:
    """Keep only the heads of throws that can happen."""
    return heads[: len({throws for throws, _ in solution.opening})]


def share(words: Words, chance: float) -> str:
    """Write a chance in percent, with its digits below those of the others."""
    return f"{words.figure(Figure(chance, 4, percent=True)):>8}"


def table(solution: RoundSolution, words: Words) -> list[list[str]]:
    """List which way to announce each total, and the chance to lose the round then."""
    throws = sorted({thrown for thrown, _ in solution.opening})
    rows = []
    for total in sorted({total for _, total in solution.opening}):
        found = [solution.opening.get((thrown, total)) for thrown in throws]
        rows.append([f"  {total}", *(announced(one, words) if one else "" for one in found)])
    return rows


def announced(one: Opening, words: Words) -> str:
    """Say which way to announce, and the chance to lose the round then."""
    return f"{words(f'rules.term.{one.aim}')} {words.figure(Figure(one.lose, 2, percent=True))}"


def show_game(chosen: Chosen, whole: ChipGame) -> None:
    """Write the value of every chip position of the whole game."""
    words = chosen.words
    say()
    paragraph(words("interface.solve.game", n=whole.players, residual=f"{whole.residual:.1e}"))
    columns(
        [f"  {' '.join(map(str, chips))}", "  ".join(words.figure(Figure(place, 4)) for place in places)]
        for chips, places in sorted(whole.places.items())
    )


def totals(found: tuple[int, ...]) -> str:
    """List totals."""
    return " ".join(map(str, found)) or "-"


def form(chosen: Chosen, solution: RoundSolution, whole: ChipGame | None) -> dict[str, object]:
    """Write the solution for machines."""
    answer: dict[str, object] = {
        "edition": chosen.edition.id,
        "lang": chosen.words.lang,
        "text": chosen.text,
        "fingerprint": chosen.round_rules.fingerprint,
        "players": solution.players,
        "lose": solution.lose,
        "void": solution.void,
        "stands": solution.stands,
        "sometimes": solution.sometimes,
        "opening": [
            {"throws": throws, "total": total, "aim": one.aim, "lose": one.lose, "over": one.over, "under": one.under}
            for (throws, total), one in sorted(solution.opening.items())
        ],
    }
    if whole:
        positions = [{"chips": chips, "places": places} for chips, places in sorted(whole.places.items())]
        answer["game"] = {"positions": positions, "residual": whole.residual, "sweeps": whole.sweeps}
    return answer
