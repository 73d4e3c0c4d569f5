"""The rules of a box as a leaflet: chapters of articles, each with its source, whichever family the game is of."""

from collections.abc import Iterator, Mapping

from knobel.phrase import Phrase
from knobel.rules.articles import Article, SwitchState, articles, source, switch_states
from knobel.rules.edition import FAMILIES, Edition
from knobel.rules.round_articles import round_articles, round_source
from knobel.rules.switches import VALUES

CHAPTERS = {
    "table": ("material", "players", "start", "turns"),
    "turn": ("throws", "keep", "opener", "announce", "followers", "beat"),
    "writing": ("order", "sheet", "entry", "fit", "zero", "chance"),
    "boxes": ("box", "bonus", "joker", "prime", "second", "forced_zero"),
    "chips": ("chips", "places", "chicago"),
    "end": ("win", "loser", "leave", "quit", "series"),
}


def chapters(edition: Edition, text: str, switches: Mapping[str, str]) -> Iterator[tuple[str, list[Article]]]:
    """Walk through the chapters that have something in them."""
    written = articles_of(edition, text, switches)
    for chapter, topics in CHAPTERS.items():
        if found := [article for article in written if article.topic.partition(".")[0] in topics]:
            yield chapter, found


def articles_of(edition: Edition, text: str, switches: Mapping[str, str]) -> tuple[Article, ...]:
    """Write out the rules."""
    if edition.family == FAMILIES[0]:
        return articles(edition.rules(text, switches))
    return round_articles(edition.round_rules(text, switches))


def source_of(edition: Edition, text: str, article: Article) -> Phrase:
    """Say where a rule stands."""
    return (source if edition.family == FAMILIES[0] else round_source)(edition, text, article)


def switches_of(edition: Edition, text: str, switches: Mapping[str, str]) -> tuple[SwitchState, ...]:
    """Show every switch as it stands."""
    if edition.family == FAMILIES[0]:
        return switch_states(edition, text, switches)
    default, now = edition.round_rules(text).form, edition.round_rules(text, switches).form
    return tuple(
        SwitchState(name, str(now[name]).lower(), str(default[name]).lower(), values, matters=True)
        for name, values in VALUES[edition.family].items()
    )
