"""The rules of a game of rounds as articles: one phrase for each thing that plays."""

from knobel.phrase import Phrase, Value, phrase
from knobel.rules.articles import Article
from knobel.rules.round_rules import RoundRules
from knobel.rules.schema import MAX_PLAYERS


def build_round_articles(rules: RoundRules) -> tuple[Article, ...]:
    """Write out the rules, in the order in which one explains a game."""
    found = [
        make_round_article("material", n=rules.dice, faces=rules.faces, chips=rules.chips),
        Article("players", "", describe_round_players(rules)),
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
    return Article(topic, "", phrase(f"rules.rounds.{topic}", **values))


def describe_round_players(rules: RoundRules) -> Phrase:
    """Say how many may play; no booklet of this family prints an upper limit, so that it is Knobel's own."""
    return phrase("rules.rounds.players", n=rules.players.most or MAX_PLAYERS, least=rules.players.least)


def list_round_features(rules: RoundRules) -> dict[str, dict[str, Value]]:
    """Name what not every game of rounds has, and how many chips it is about."""
    return {"rounds": {"n": rules.chips}, **({"chicago": {}} if rules.chicago_special else {})}
