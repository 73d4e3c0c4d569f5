"""The families of games on the site: what is known about perfect play in each."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from knobel.cli.books import load_selected_book
from knobel.cli.odds_report import load_odds
from knobel.cli.selection import Selection
from knobel.coach.rounds import WHOLE_GAME_PLAYERS, solve_single_round, solve_whole_game
from knobel.games.rounds import RoundsGame
from knobel.lang import Translator
from knobel.paper.chart import draw_bars
from knobel.phrase import FormattedNumber, LanguageName
from knobel.rules import Edition
from knobel.rules.families import ROUNDS, SHEET
from knobel.solver.odds import Odds

MOST_LISTED = 8
"""Up to how many players a round is listed."""
SHOWN_SHARE = 0.0005
"""The share of all games that the picture leaves out at either end."""


@dataclass(frozen=True)
class PerfectPlay:
    """What a page says about perfect play: its lines, the figure for lists, and pictures by name."""

    lines: list[str]
    figure: str
    pictures: Mapping[str, str] = field(default_factory=dict)


def group_texts(edition: Edition) -> list[tuple[str, ...]]:
    """Group the printed texts by the rules they give, those of the default text first."""
    groups: dict[str, tuple[str, ...]] = {edition.rules().fingerprint: ()}
    for text in edition.printed:
        fingerprint = edition.rules(text).fingerprint
        groups[fingerprint] = (*groups.get(fingerprint, ()), text)
    return list(groups.values())


def name_texts(texts: tuple[str, ...], words: Translator) -> str:
    """Name the languages of some texts, in a sentence."""
    return words.join_sentence(words.format_value(LanguageName(text)) for text in texts)


def percent(share: float, digits: int, words: Translator) -> str:
    return words.format_number(FormattedNumber(share, digits, percent=True))


# Score sheets.


def describe_sheet(edition: Edition, words: Translator) -> PerfectPlay:
    """Say what perfect play scores, how the final totals are spread and what each box holds."""
    chosen = Selection(edition, edition.default_text, {}, words)
    odds = load_odds(chosen)
    low, high = odds.quantile(SHOWN_SHARE), odds.quantile(1 - SHOWN_SHARE)
    picture = draw_bars(odds.distribution[low : high + 1].tolist(), low)
    half = f"{odds.quantile(0.25)} to {odds.quantile(0.75)}"
    lines = [
        *describe_par(edition, words),
        "",
        f"![How likely each final total is: the median is {odds.quantile(0.5)}, and half of all games end with {half} "
        f"points]({edition.id}/odds.svg){{ .odds }}",
        "",
        f"How likely each final total is with perfect play. The median is {odds.quantile(0.5)}, half of all games end "
        f"with {half} points, one in a hundred with {odds.quantile(0.99)} or more. The standard deviation is "
        f"{odds.sd:.1f}{say_bonus(chosen, odds)}. `knobel odds {edition.id}` prints all of it.",
        "",
        *list_boxes(chosen, odds),
    ]
    return PerfectPlay(lines, f"{odds.mean:.2f} points", {"odds.svg": picture})


def describe_par(edition: Edition, words: Translator) -> Iterator[str]:
    """Say what perfect play scores on average, text by text where they differ."""
    groups = group_texts(edition)
    pars = [load_selected_book(Selection(edition, texts[0], {}, words)).par for texts in groups]
    if len(groups) == 1:
        yield f"Perfect play scores **{pars[0]:.6f}** points on average: that is the par of this edition."
        return
    yield "Perfect play scores this much on average: that is the par of this edition, which depends on its text.\n"
    yield "| text | par |\n|---|---:|"
    yield from (f"| {name_texts(texts, words)} | {par:.6f} |" for texts, par in zip(groups, pars, strict=True))


def say_bonus(chosen: Selection, odds: Odds) -> str:
    """Say how likely the bonus is, where there is one."""
    if not chosen.sheet_rules.bonus:
        return ""
    return f", and the bonus is reached in {percent(odds.bonus_chance, 1, chosen.words)} of all games"


def list_boxes(chosen: Selection, odds: Odds) -> Iterator[str]:
    """List what each box holds at the end."""
    yield "| box | holds points at the end | on average |\n|---|---:|---:|"
    for box, one in zip(chosen.sheet_rules.boxes, odds.boxes, strict=True):
        yield f"| {chosen.words.name_box(box.id)} | {percent(one.chance, 2, chosen.words)} | {one.mean:.3f} |"


# Rounds.


def describe_rounds(edition: Edition, words: Translator) -> PerfectPlay:
    """Say how likely everybody is to lose a round, and which place to expect in the whole game."""
    groups = group_texts(edition)
    lines = ["How likely everybody is to lose a round if all play their best."]
    for texts in groups:
        if len(groups) > 1:
            lines += ["", f"### {name_texts(texts, words)}"]
        lines += ["", *list_rounds(RoundsGame(edition.rules(texts[0])), words)]
    least = edition.rules().players.least
    chance = solve_single_round(RoundsGame(edition.rules()), least).losing_chances[0]
    return PerfectPlay(lines, f"the opener of {least} loses {percent(chance, 1, words)} of the rounds")


def list_rounds(game: RoundsGame, words: Translator) -> Iterator[str]:
    """List the chances of a round by the number of players, and the places of the whole game where it is solved."""
    yield "| players | opener | each follower | nobody |\n|---:|---:|---:|---:|"
    most = min(game.rules.players.most or MOST_LISTED, MOST_LISTED)
    for players in range(game.rules.players.least, most + 1):
        solution = solve_single_round(game, players)
        opener, *followers = [percent(chance, 4, words) for chance in solution.losing_chances]
        each = " / ".join(dict.fromkeys(followers))
        yield f"| {players} | {opener} | {each} | {percent(solution.void_chance, 4, words)} |"
    yield ""
    for players in WHOLE_GAME_PLAYERS:
        first = solve_whole_game(game, players).places[(0,) * players]
        places = words.join_sentence(f"{place:.4f}" for place in first)
        yield f"In a whole game with {players} players the expected places, from the opener on, are {places}."


FAMILIES: dict[str, Callable[[Edition, Translator], PerfectPlay]] = {SHEET: describe_sheet, ROUNDS: describe_rounds}
