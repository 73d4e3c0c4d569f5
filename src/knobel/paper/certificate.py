"""The certificate of an evening: who won it, how everybody stood, and what will be told of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from knobel.paper.boxes import PageTranslator
from knobel.paper.page import Page, find_paper_size
from knobel.phrase import FormattedNumber, Phrase, phrase
from knobel.series import Series, SeriesGame, SeriesResult, Standing, rank_seats

CERTIFICATE_SIZES = ("a4", "letter")
MAX_GAME_COLUMNS = 8
"""With more games than this the table has what they add up to, and not every single one."""
SCORE_KEYS: dict[Standing, str] = {
    "sum": "web.end.sum",
    "places": "web.evening.by_places",
    "wins": "web.evening.by_wins",
}


@dataclass(frozen=True, slots=True)
class StoryGame:
    """A game of the evening: its id and its title; the hash that its record ends with, where there is one."""

    id: str
    title: str
    chain_head: str = ""


@dataclass(frozen=True, slots=True)
class LuckyRoll:
    """The roll that was worth most: whose, when, the dice, and by how many points it was better than average."""

    name: str
    game: int
    turn: int
    dice: tuple[int, ...]
    points: float


@dataclass(frozen=True, slots=True)
class CostlyMistake:
    """The choice that cost most, in the words of its edition: what was done, and what would have been best."""

    name: str
    game: int
    turn: int
    dice: tuple[int, ...]
    played: str
    best: str
    points: float


@dataclass(frozen=True, slots=True)
class EveningStory:
    """What is known of an evening; luck and mistakes only where the coach has looked at its games."""

    names: tuple[str, ...]
    games: tuple[StoryGame, ...]
    series: Series
    handicaps: tuple[int, ...] = ()
    luckiest: LuckyRoll | None = None
    costliest: CostlyMistake | None = None


@dataclass(frozen=True, slots=True)
class CertificateRow:
    """How somebody did: place, name, each game, handicap and score, as they are printed."""

    place: str
    name: str
    results: tuple[str, ...]
    handicap: str
    score: str


@dataclass(frozen=True, slots=True)
class CertificateFact:
    """One thing that will be told, with the dice it is about."""

    label: str
    text: str
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate as it is printed."""

    page: Page
    lang: str
    title: str
    above: str
    winners: str
    below: str
    date: str
    dated: bool
    heads: tuple[str, ...]
    rows: tuple[CertificateRow, ...]
    games: tuple[str, ...]
    facts: tuple[CertificateFact, ...]
    print: tuple[str, ...]


def build_certificate(story: EveningStory, words: PageTranslator, size: str = "a4", date: str = "") -> Certificate:
    """Build the certificate; without a date there is a line to write it on."""
    paper = find_paper_size(size, {name: find_paper_size(name) for name in CERTIFICATE_SIZES})
    scale = paper.normal
    series = story.series
    winners = [story.names[seat] for seat in series.places[0]] if series.places else list(story.names)
    return Certificate(
        page=Page(
            paper.width,
            paper.height,
            paper.margin,
            scale.name_size,
            scale.least_name_size,
            scale.hint_size,
            scale.least_hint_size,
            scale.max_row_height,
            scale.label_width,
            scale.min_column_width,
            scale.max_column_width,
        ),
        lang=words.lang,
        title=words.translate(phrase("paper.certificate.title")),
        above=words.translate(phrase("paper.certificate.won" if series.places else "paper.certificate.with")),
        winners=words.translate(phrase("paper.certificate.names", names=tuple(winners))),
        below=words.translate(phrase("paper.certificate.games", n=len(series.played))),
        date=date or words.translate(phrase("paper.date")),
        dated=bool(date),
        heads=tuple(build_heads(story, words)),
        rows=tuple(build_rows(story)),
        games=tuple(f"{number}. {title}" for number, title in list_titles(story)),
        facts=tuple(list_facts(story, words)),
        print=tuple(describe_game(game, words) for game in story.games) if shows_games(story) else (),
    )


def shows_games(story: EveningStory) -> bool:
    return len(story.games) <= MAX_GAME_COLUMNS


def has_handicaps(story: EveningStory) -> bool:
    return story.series.standing is not None and any(story.handicaps)


def build_heads(story: EveningStory, words: PageTranslator) -> list[str]:
    """Name the columns: the games by number, the handicap if there is one, the score if there is one."""
    heads = [str(number) for number in range(1, len(story.games) + 1)] if shows_games(story) else []
    heads += [words.translate(phrase("web.evening.handicap"))] if has_handicaps(story) else []
    standing = story.series.standing
    return heads + ([words.translate(phrase(SCORE_KEYS[standing]))] if standing else [])


def build_rows(story: EveningStory) -> list[CertificateRow]:
    """List the players, best first; where nothing is added up, in their order at the table."""
    series, count = story.series, len(story.names)
    places = rank_seats(series.places or (), count)
    order = [seat for group in series.places for seat in group] if series.places else range(count)
    return [
        CertificateRow(
            place=f"{places[seat]}." if series.places else "",
            name=story.names[seat],
            results=tuple(format_result(game, seat) for game in series.played) if shows_games(story) else (),
            handicap=(f"+{story.handicaps[seat]}" if story.handicaps[seat] else "–") if has_handicaps(story) else "",
            score="" if series.scores is None else str(series.scores[seat]),
        )
        for seat in order
    ]


def format_result(game: SeriesGame, seat: int) -> str:
    """Write what a game brought somebody: points, or the place where there are no points."""
    result = game.results[seat]
    if result.is_absent:
        return "–"
    return str(result.total) if game.has_points else f"{result.place}."


def list_titles(story: EveningStory) -> list[tuple[str, str]]:
    """Name the games that were played, those of one title in a row together."""
    found: list[tuple[int, int, str]] = []
    for number, game in enumerate(story.games, 1):
        if found and found[-1][2] == game.title:
            found[-1] = (found[-1][0], number, game.title)
        else:
            found.append((number, number, game.title))
    return [(str(first) if first == last else f"{first}–{last}", title) for first, last, title in found]


def list_facts(story: EveningStory, words: PageTranslator) -> list[CertificateFact]:
    """List what will be told: what the coach found, and what the scores say by themselves."""
    facts = [fact for fact in (tell_luck(story.luckiest, words), tell_mistake(story.costliest, words)) if fact]
    said = [
        ("paper.certificate.best", describe_best_game(story)),
        ("paper.certificate.closest", describe_closest_game(story)),
    ]
    return facts + [
        CertificateFact(words.translate(phrase(label)), words.translate(text)) for label, text in said if text
    ]


def tell_luck(roll: LuckyRoll | None, words: PageTranslator) -> CertificateFact | None:
    if roll is None:
        return None
    text = phrase(
        "paper.certificate.luckiest_of",
        name=roll.name,
        game=roll.game,
        turn=roll.turn,
        points=FormattedNumber(roll.points),
    )
    return CertificateFact(words.translate(phrase("paper.certificate.luckiest")), words.translate(text), roll.dice)


def tell_mistake(mistake: CostlyMistake | None, words: PageTranslator) -> CertificateFact | None:
    if mistake is None:
        return None
    text = phrase(
        "paper.certificate.costliest_of",
        name=mistake.name,
        game=mistake.game,
        turn=mistake.turn,
        played=mistake.played,
        best=mistake.best,
        points=FormattedNumber(mistake.points),
    )
    label = words.translate(phrase("paper.certificate.costliest"))
    return CertificateFact(label, words.translate(text), mistake.dice)


def describe_best_game(story: EveningStory) -> Phrase | None:
    """Say who scored most in one game, as it was scored."""
    scored = [
        (result.total, -number, -seat)
        for number, game in enumerate(story.series.played, 1)
        for seat, result in enumerate(game.results)
        if game.has_points and not result.is_absent
    ]
    if not scored:
        return None
    total, number, seat = max(scored)
    return phrase("paper.certificate.best_of", name=story.names[-seat], n=total, game=-number)


def describe_closest_game(story: EveningStory) -> Phrase | None:
    """Say which game was won by fewest points; a tie is a game with two winners."""
    margins = [
        (margin, number)
        for number, game in enumerate(story.series.played, 1)
        if game.has_points and (margin := find_margin(game.results)) is not None
    ]
    if not margins:
        return None
    margin, number = min(margins)
    return phrase("paper.certificate.closest_of", n=margin, game=number)


def find_margin(results: Sequence[SeriesResult]) -> int | None:
    """Find by how many points a game was won."""
    totals = sorted((one.total for one in results if not one.is_absent and not one.left), reverse=True)
    return totals[0] - totals[1] if len(totals) > 1 else None


def describe_game(game: StoryGame, words: PageTranslator) -> str:
    """Name a game and the head of its chain, so that the certificate can be held against its record."""
    said = [phrase("paper.game_name", game=game.id)]
    said += [phrase("paper.head", head=game.chain_head[:16])] if game.chain_head else []
    return " · ".join(map(words.translate, said))
