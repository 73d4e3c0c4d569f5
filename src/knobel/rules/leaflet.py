"""The rules of an edition in words: chapters of articles with their sources, switches, what is special about it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from knobel.phrase import BoxName, LanguageName, Phrase, Value, phrase
from knobel.rules.articles import Article, Difference, compare_articles
from knobel.rules.edition import Edition, Source
from knobel.rules.families import Rules, find_family
from knobel.rules.package import describe_package

CHAPTERS = {
    "table": ("material", "players", "start", "turns"),
    "turn": ("rolls", "keep", "opener", "announce", "followers", "beat"),
    "scoring": ("order", "sheet", "entry", "fit", "zero", "chance"),
    "boxes": ("box", "bonus", "joker", "prime", "second", "forced_zero"),
    "chips": ("chips", "places", "chicago"),
    "end": ("win", "loser", "leave", "quit", "series"),
    "package": ("contents", "ages", "duration"),
    "hints": ("hint",),
}
"""The topics of each chapter: the rules of play first, what else an edition prints after them."""
PACKAGE_TOPICS = (*CHAPTERS["package"], *CHAPTERS["hints"])
"""What an edition prints beside its rules."""


def list_chapters(edition: Edition, text: str, switches: Mapping[str, str]) -> Iterator[tuple[str, list[Article]]]:
    """Walk through the chapters that have something in them."""
    articles = (*build_articles(edition, text, switches), *build_package_articles(edition))
    for chapter, topics in CHAPTERS.items():
        if found := [article for article in articles if article.topic.partition(".")[0] in topics]:
            yield chapter, found


def build_articles(edition: Edition, text: str, switches: Mapping[str, str]) -> tuple[Article, ...]:
    return describe_rules(edition.rules(text, switches))


def build_package_articles(edition: Edition) -> tuple[Article, ...]:
    """Write out what an edition prints beside its rules."""
    if edition.package is None:
        return ()
    return describe_package(edition.package, find_family(edition.rules()).list_boxes(edition.rules()))


def describe_rules(rules: Rules) -> tuple[Article, ...]:
    """Put rules of any family into words."""
    articles: tuple[Article, ...] = find_family(rules).build_articles(rules)
    return articles


def summarize_players(rules: Rules) -> Phrase:
    """Say in a few words how many may play."""
    limits = rules.players
    if limits.most is None:
        return phrase("interface.editions.least", n=limits.least)
    if find_family(rules).prints_most_players:
        return phrase("interface.editions.between", n=limits.most, least=limits.least)
    return phrase("interface.editions.own_limit", n=limits.most, least=limits.least)


def compare_rules(left: Rules, right: Rules) -> tuple[Difference, ...]:
    """List what plays differently in two games of one family."""
    return compare_articles(describe_rules(left), describe_rules(right))


def cite_article(edition: Edition, text: str, article: Article) -> Phrase:
    """Say where a reader of the rules finds this article, or that it is not the publisher's own."""
    found = edition.sources.get(f"{article.topic}.{article.variant}")
    if found is None and article.topic.partition(".")[0] in PACKAGE_TOPICS:
        found = edition.sources.get(article.topic, Source({}, "", {}))
    if found is None:
        printed = edition.without_house_rules()
        if not edition.publisher or article not in describe_rules(printed.rules(text)):
            return phrase("rules.source.changed")
        found = edition.sources.get(article.topic, Source({}, "", {}))
    return cite_source(edition, text, found)


def cite_source(edition: Edition, text: str, found: Source) -> Phrase:
    """Cite a printed passage, a ruling, or both."""
    rulings = " ".join(filter(None, (found.ruling, found.rulings.get(text, ""))))
    shown = text if text in found.passages else edition.default_text
    values: Mapping[str, Value] = {
        "publisher": edition.publisher,
        "language": LanguageName(shown),
        "passage": found.passages.get(shown, ""),
        "rulings": rulings.replace(" ", ", "),
    }
    if shown not in found.passages:
        return phrase("rules.source.ruling" if rulings else "rules.source.common", **values)
    return phrase("rules.source.printed_ruling" if rulings else "rules.source.printed", **values)


@dataclass(frozen=True, slots=True)
class SwitchState:
    """A switch as it stands: its value, its default here, and whether turning it changes anything here."""

    name: str
    value: str
    default: str
    allowed: tuple[str, ...]
    matters: bool


def list_switches(edition: Edition, text: str, switches: Mapping[str, str]) -> tuple[SwitchState, ...]:
    """Show every switch as it stands for this text."""
    default = edition.rules(text)
    now = edition.rules(text, switches)
    states = []
    for name, switch in find_family(default).switches.items():
        by_default = switch.read(default)
        value = switches.get(name, switch.read(now))
        others = (edition.rules(text, {name: other}) for other in switch.values if other != by_default)
        matters = any(describe_rules(rules) != describe_rules(default) for rules in others)
        states.append(SwitchState(name, value, by_default, switch.values, matters))
    return tuple(states)


def list_specials(edition: Edition) -> tuple[Phrase, ...]:
    """Say in a few words what is special about an edition, and which of its texts play differently."""
    list_features = find_family(edition.rules()).list_features
    shared = set.intersection(*(set(list_features(edition.rules(text))) for text in edition.printed))
    common = {name: values for name, values in list_features(edition.rules()).items() if name in shared}
    found = [phrase(f"rules.special.{name}", **values) for name, values in common.items()]
    by_feature: dict[tuple[Phrase, ...], tuple[LanguageName, ...]] = {}
    for text in edition.printed:
        own = list_features(edition.rules(text))
        new = tuple(phrase(f"rules.special.{name}", **own[name]) for name in own if own[name] != common.get(name))
        if new:
            by_feature[new] = (*by_feature.get(new, ()), LanguageName(text))
    found += [
        phrase("rules.special.text", n=len(texts), languages=texts, features=new) for new, texts in by_feature.items()
    ]
    return (*found, *list_double_readings(edition))


def list_double_readings(edition: Edition) -> Iterator[Phrase]:
    """Say of which texts the rule of a box can be read both ways."""
    for box in dict.fromkeys(edition.both_ways.values()):
        texts = tuple(LanguageName(text) for text in edition.printed if edition.both_ways.get(text) == box)
        yield phrase("rules.special.both_ways", n=len(texts), languages=texts, box=BoxName(box))
