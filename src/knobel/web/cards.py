"""What a browser is told about the house before anybody sits down: boxes, rules, bots, words."""

from collections.abc import Mapping
from functools import cache

from knobel import __version__
from knobel.bots import BOTS, par
from knobel.lang import LANGUAGES, SOURCE, Words, catalog_of, complete, entries_of, plural_of
from knobel.phrase import BoxName, LanguageName
from knobel.rules import Edition, editions, load, read_house
from knobel.rules.articles import Difference, SwitchState, differences, specials
from knobel.rules.leaflet import chapters, source_of, switches_of
from knobel.rules.switches import VALUES

LEVELS = {"human": ("human:30", "human:15", "human:5")}
"""The levels a browser offers of a bot that has some: points it loses in a game."""
PARTS = {
    "check": ("check",),
    "hint": ("hint",),
    "lobby": ("lobby",),
    "pad": ("pad",),
    "review": ("review",),
    "table": ("die", "end", "player", "remark", "rounds", "table", "tray"),
}
"""Pages that are not opened at once, and whose words are fetched with them; by the second part of a key."""
AT_ONCE = ("web.lobby.start", "web.table.screen")
"""Words of such a page that are said before."""


@cache
def editions_for(lang: str) -> list[dict[str, object]]:
    """Describe every printed box."""
    return [card(load(name), lang) for name in editions()]


def card(edition: Edition, lang: str) -> dict[str, object]:
    """Describe one box as its lid does."""
    words, page = Words(lang, edition), Words(page_language(lang))
    sheet = edition.family == "sheet"
    text = edition.text_for(None, lang)
    rules = edition.rules(text) if sheet else edition.round_rules(text)
    limits = rules.players
    key = "interface.editions.between" if limits.most else "interface.editions.least"
    return {
        "id": edition.id,
        "title": edition.title,
        "publisher": edition.publisher,
        "family": edition.family,
        "texts": [{"text": one, "name": page.word(LanguageName(one))} for one in edition.printed],
        "text": text,
        "players": words(key, n=limits.most or limits.least, **({"least": limits.least} if limits.most else {})),
        "least": limits.least,
        "most": limits.most,
        "dice": rules.dice,
        "throws": rules.throws,
        "boxes": len(edition.rules(text).boxes) if sheet else 0,
        "special": [words.say(special) for special in specials(edition)],
        "switches": {one: switches(edition, one) for one in edition.printed},
        "reasons": {one: words(f"rules.switch.{one}") for one in VALUES[edition.family]},
    }


def house_card(content: bytes, name: str, lang: str) -> dict[str, object]:
    """Describe a house-rule file like a box, with what differs from the box it builds on, and its par once known."""
    edition = read_house(content, name)
    text = edition.text_for(None, lang)
    words, base = Words(lang, edition), edition.as_printed()
    rows = differences(base.rules(text), edition.rules(text)) if edition.base else ()
    return {
        **card(edition, lang),
        "base": load(edition.base).title if edition.base else None,
        "differences": [difference(row, words, Words(lang, base)) for row in rows],
        "par": par(edition.rules(text)),
    }


def difference(row: Difference, words: Words, printed: Words) -> dict[str, str]:
    """Say one thing that is played differently: what it is about, as printed, and as played here."""
    group, _, box = row.topic.partition(".")
    topic = words.word(BoxName(box)) if group == "box" else words(f"rules.topic.{group}")
    nothing = words("interface.diff.nothing")
    return {
        "topic": topic,
        "printed": printed.say(row.left.phrase) if row.left else nothing,
        "here": words.say(row.right.phrase) if row.right else nothing,
    }


def switches(edition: Edition, text: str) -> list[dict[str, object]]:
    """Describe the switches that change something in a text; what each is about is the same in all texts."""
    return [
        {"name": state.name, "default": state.default, "allowed": state.allowed}
        for state in (printed_switches(edition.id, text) if is_printed(edition) else switches_of(edition, text, {}))
        if state.matters
    ]


def is_printed(edition: Edition) -> bool:
    """Tell a printed box from a house-rule file, even one that is called like it."""
    return edition.id in editions() and load(edition.id) is edition


@cache
def printed_switches(name: str, text: str) -> tuple[SwitchState, ...]:
    """Find out once which switches change something in a printed text."""
    return switches_of(load(name), text, {})


def leaflet(edition: Edition, text: str, switches: Mapping[str, str], lang: str) -> dict[str, object]:
    """Write the rules of a box, chapter by chapter."""
    words = Words(lang, edition)
    return {
        "title": edition.title,
        "chapters": [
            {
                "title": words(f"rules.chapter.{chapter}"),
                "rules": [
                    {
                        "rule": words.say(article.phrase),
                        "source": words.say(source_of(edition, text, article)) if edition.publisher else "",
                    }
                    for article in found
                ],
            }
            for chapter, found in chapters(edition, text, switches)
        ],
    }


def hello(lang: str, lan: str | None, house_rules: bool) -> dict[str, object]:
    """Say what this house offers."""
    words = Words(page_language(lang))
    return {
        "version": __version__,
        "lang": lang,
        "lan": lan,
        "house_rules": house_rules,
        "bots": {
            family: [
                {
                    "bot": level,
                    "name": words(f"web.bot.{key_of(level)}"),
                    "about": words(f"web.bot.{key_of(level)}.about"),
                }
                for kind in kinds
                for level in LEVELS.get(kind, (kind,))
            ]
            for family, kinds in BOTS.items()
        },
        "languages": [{"lang": one, "name": own_name(one)} for one in LANGUAGES if complete(one)],
    }


def own_name(lang: str) -> str:
    """Name a language as those call it who speak it."""
    name = Words(lang).word(LanguageName(lang))
    return name[:1].upper() + name[1:]


def key_of(level: str) -> str:
    """Give a bot's level as part of a key."""
    return level.replace(":", "_")


@cache
def words_for(lang: str, part: str = "") -> dict[str, object]:
    """Give the browser its own words, with the form of each category of plurals; pages that few open have a part."""
    spoken = page_language(lang)
    all_words = entries_of("web", SOURCE) | entries_of("web", spoken)
    words = {key: text for key, text in all_words.items() if part_of(key) == part}
    forms = plural_of(catalog_of("web", spoken)).categories
    return {"lang": lang, "spoken": spoken, "forms": forms, "words": words}


def page_language(lang: str) -> str:
    """Tell which language a page really speaks: the one asked for if it is complete, else English."""
    return lang if complete(lang) else SOURCE


def part_of(key: str) -> str:
    """Name the part a key of the browser belongs to; most belong to none and are there from the start."""
    page = key.split(".")[1]
    return "" if key in AT_ONCE else next((part for part, pages in PARTS.items() if page in pages), "")
