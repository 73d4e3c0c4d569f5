"""The rules of a box as a leaflet: chapters of articles, each with its source, whichever family the game is of."""

from collections.abc import Iterator, Mapping

from knobel.phrase import Phrase
from knobel.rules.articles import Article, SwitchState, build_sheet_articles, cite_sheet_article, list_sheet_switches
from knobel.rules.edition import FAMILIES, Edition
from knobel.rules.round_articles import build_round_articles, cite_round_article
from knobel.rules.switches import SWITCH_VALUES

CHAPTERS = {
    "table": ("material", "players", "start", "turns"),
    "turn": ("rolls", "keep", "opener", "announce", "followers", "beat"),
    "writing": ("order", "sheet", "entry", "fit", "zero", "chance"),
    "boxes": ("box", "bonus", "joker", "prime", "second", "forced_zero"),
    "chips": ("chips", "places", "chicago"),
    "end": ("win", "loser", "leave", "quit", "series"),
}


def list_chapters(edition: Edition, text: str, switches: Mapping[str, str]) -> Iterator[tuple[str, list[Article]]]:
    """Walk through the chapters that have something in them."""
    written = build_articles(edition, text, switches)
    for chapter, topics in CHAPTERS.items():
        if found := [article for article in written if article.topic.partition(".")[0] in topics]:
            yield chapter, found


def build_articles(edition: Edition, text: str, switches: Mapping[str, str]) -> tuple[Article, ...]:
    """Write out the rules."""
    if edition.family == FAMILIES[0]:
        return build_sheet_articles(edition.rules(text, switches))
    return build_round_articles(edition.round_rules(text, switches))


def cite_article(edition: Edition, text: str, article: Article) -> Phrase:
    """Say where a rule stands."""
    return (cite_sheet_article if edition.family == FAMILIES[0] else cite_round_article)(edition, text, article)


def list_switches(edition: Edition, text: str, switches: Mapping[str, str]) -> tuple[SwitchState, ...]:
    """Show every switch as it stands."""
    if edition.family == FAMILIES[0]:
        return list_sheet_switches(edition, text, switches)
    default, now = edition.round_rules(text).as_dict, edition.round_rules(text, switches).as_dict
    return tuple(
        SwitchState(name, str(now[name]).lower(), str(default[name]).lower(), values, matters=True)
        for name, values in SWITCH_VALUES[edition.family].items()
    )
