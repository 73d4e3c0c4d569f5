"""The rules of a game of rounds as articles: one phrase for each thing that plays."""

from knobel.phrase import Phrase, phrase
from knobel.rules.articles import Article, cite
from knobel.rules.edition import Edition, Source
from knobel.rules.rounds import RoundRules


def round_articles(rules: RoundRules) -> tuple[Article, ...]:
    """Write out the rules, in the order in which one explains a game."""
    players = rules.players
    found = [
        said("material", n=rules.dice, faces=rules.faces, chips=rules.chips),
        Article("players", "", phrase("rules.players.between", n=players.most or 99, least=players.least)),
        said("start", n=rules.dice),
        said("opener", n=rules.throws),
        said("announce"),
        said("followers"),
        said("beat"),
        said("chips", n=rules.chips),
        said("leave"),
        said("places"),
        said("loser", n=rules.chips),
        said("quit"),
        said("win"),
    ]
    if rules.chicago_special:
        found.append(said("chicago", n=rules.dice))
    return tuple(found)


def said(topic: str, **values: int) -> Article:
    """Make an article."""
    return Article(topic, "", phrase(f"rules.rounds.{topic}", **values))


def round_source(edition: Edition, text: str, item: Article) -> Phrase:
    """Say where a reader of the box finds this article, or that it is not the box's own."""
    if item not in round_articles(edition.round_rules(text)):
        return phrase("rules.source.changed")
    return cite(edition, text, edition.sources.get(item.topic, Source({}, "", {})))
