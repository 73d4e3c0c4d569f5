"""`knobel rules`: the complete rules of a box, a sentence each, with its source."""

from knobel.cli.chosen import Chosen, choose
from knobel.cli.line import JSON, LANG, SET, TEXT, Argument, Command, Given
from knobel.cli.screen import paragraph, say, say_json
from knobel.phrase import LanguageName
from knobel.rules.articles import Article, SwitchState, articles, source, switch_states
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


def run(given: Given) -> None:
    """Show the rules."""
    table = choose(given)
    if given.flag("json"):
        say_json(form(table))
        return
    show(table)


def show(table: Chosen) -> None:
    """Write the rules for people."""
    words = table.words
    say(heading(table))
    for chapter, topics in CHAPTERS.items():
        found = [article for article in written(table) if article.topic.partition(".")[0] in topics]
        if found:
            say(f"\n{words(f'rules.chapter.{chapter}')}")
        for article in found:
            paragraph(words.say(article.phrase), "  ")
            if table.edition.publisher:
                paragraph(f"[{cited(table, article)}]", "      ")
    say(f"\n{words('rules.chapter.switches')}")
    for state in turned(table):
        facts = words(
            "interface.rules.switch",
            name=state.name,
            value=state.value,
            allowed=state.allowed,
            default=state.default,
        )
        paragraph(facts, "  ")
        paragraph(words(f"rules.switch.{state.name}"), "      ")
        if not state.matters:
            paragraph(words("interface.rules.no_effect"), "      ")


def written(table: Chosen) -> tuple[Article, ...]:
    """Write out the rules of whichever family."""
    return articles(table.rules) if table.edition.family == "sheet" else round_articles(table.round_rules)


def turned(table: Chosen) -> tuple[SwitchState, ...]:
    """Show every switch as it stands."""
    if table.edition.family == "sheet":
        return switch_states(table.edition, table.text, table.switches)
    default, now = table.edition.round_rules(table.text).form, table.round_rules.form
    return tuple(
        SwitchState(name, str(now[name]).lower(), str(default[name]).lower(), values, matters=True)
        for name, values in VALUES[table.edition.family].items()
    )


def heading(table: Chosen) -> str:
    """Name the box and the text whose rules are shown."""
    words, edition = table.words, table.edition
    language = LanguageName(table.text)
    if not edition.publisher:
        return words("interface.rules.house", title=edition.title)
    if edition.base:
        return words("interface.rules.house_over", title=edition.title, base=edition.base, language=language)
    return words("interface.rules.printed", title=edition.title, publisher=edition.publisher, language=language)


def cited(table: Chosen, article: Article) -> str:
    """Say where a rule stands."""
    find = source if table.edition.family == "sheet" else round_source
    return table.words.say(find(table.edition, table.text, article))


def form(table: Chosen) -> dict[str, object]:
    """Write the rules for machines."""
    return {
        "edition": table.edition.id,
        "title": table.edition.title,
        "lang": table.words.lang,
        "text": table.text,
        "fingerprint": (table.rules if table.edition.family == "sheet" else table.round_rules).fingerprint,
        "rules": [
            {"topic": article.topic, "rule": table.words.say(article.phrase), "source": cited(table, article)}
            for article in written(table)
        ],
        "switches": {
            state.name: {
                "value": state.value,
                "default": state.default,
                "allowed": state.allowed,
                "matters": state.matters,
                "reason": table.words(f"rules.switch.{state.name}"),
            }
            for state in turned(table)
        },
    }


COMMAND = Command("rules", (Argument("edition"),), (LANG, TEXT, SET, JSON), run)
