"""The rules of a game of rounds as articles: one phrase for each thing that plays."""

from knobel.phrase import Phrase, phrase
from knobel.rules.articles import Article, cite_source
from knobel.rules.edition import Edition, Source
from knobel.rules.round_rules import RoundRules


def build_round_articles(rules: RoundRules) -> tuple[Article, ...]:
    """Write out the rules, in the order in which one explains a game."""
    players = rules.players
    found = [
        make_round_article("material", n=rules.dice, faces=rules.faces, chips=rules.chips),
        Article("players", "", phrase("rules.players.between", n=players.most or 99, least=players.least)),
        make_round_article("start", n=rules.dice),
        make_round_article("opener", n=rules.rolls),
        make_round_article("announce"),
        make_round_article("followers"),
        make_round_article("beat"),
        make_round_article("chips", n=rules.chips),
        make_round_article("leave"),
        make_round_article("places"),
        make_round_article("loser", n=rules.chips),
        make_round_article("quit"),
        make_round_article("win"),
    ]
    if rules.chicago_special:
        found.append(make_round_article("chicago", n=rules.dice))
    return tuple(found)


def make_round_article(topic: str, **values: int) -> Article:
    """Make an article."""
    return Article(topic, "", phrase(f"rules.rounds.{topic}", **values))


def cite_round_article(edition: Edition, text: str, item: Article) -> Phrase:
    """Say where a reader of the box finds this article, or that it is not the box's own."""
    if item not in build_round_articles(edition.round_rules(text)):
        return phrase("rules.source.changed")
    return cite_source(edition, text, edition.sources.get(item.topic, Source({}, "", {})))
