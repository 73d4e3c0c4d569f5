"""What a browser needs before a game: editions, rules, bots, messages."""

from collections.abc import Mapping
from functools import cache

from knobel import __version__
from knobel.bots import find_kind
from knobel.bots.averages import find_averages, load_wins, sort_by_strength
from knobel.bots.families import FAMILIES
from knobel.extras import EXTRAS, LAB, TUI, find_missing
from knobel.lang import (
    COMPLETE,
    SOURCE_LANGUAGE,
    Translator,
    list_catalog,
    list_printed_names,
    load_catalog,
    name_language,
    read_plural_rule,
    sort_languages,
)
from knobel.phrase import LanguageName
from knobel.rules import Edition, edition_ids, load_edition, read_house_rules
from knobel.rules.articles import Difference
from knobel.rules.families import Rules, list_boxes
from knobel.rules.leaflet import (
    SwitchState,
    cite_article,
    compare_rules,
    list_chapters,
    list_specials,
    list_switches,
    summarize_players,
)
from knobel.solve_worker import find_par

WORD_PARTS = {
    "check": ("check",),
    "games": ("games",),
    "help": ("help", "rules"),
    "hint": ("hint",),
    "lobby": ("lobby",),
    "make": ("make",),
    "memory": ("memory",),
    "pad": ("pad",),
    "past": ("past",),
    "people": ("people",),
    "practice": ("practice",),
    "recovery": ("recovery",),
    "review": ("review",),
    "settings": ("settings",),
    "statistics": ("chart", "stats"),
    "tournament": ("tournament",),
    "table": ("chances", "chase", "die", "end", "player", "remark", "rounds", "table", "tray"),
}
"""Pages that are not opened at once, and whose words are fetched with them; by the second part of a key."""
EAGER_WORDS = (
    "web.end.evening",
    "web.end.evening_won",
    "web.end.game",
    "web.end.print",
    "web.end.sum",
    "web.lobby.rename_title",
    "web.lobby.rename_yes",
    "web.lobby.start",
    "web.make.open",
    "web.player.player",
    "web.settings.close",
    "web.settings.lang",
    "web.table.screen",
)
"""Words of such a page that are said before."""
MARKS = ("interface.list.separator", "interface.list.last", "interface.number.decimal", "interface.number.group")
SERVED_EXTRAS = tuple(extra for extra in EXTRAS if extra not in (TUI, LAB))
"""What a server can lack; a browser needs no full-screen terminal."""
SERVER_WORDS = "bot"
"""Words that the server says in its answers; no page asks for them."""


@cache
def describe_editions(lang: str) -> list[dict[str, object]]:
    return [describe_edition(load_edition(name), lang) for name in edition_ids()]


def describe_edition(edition: Edition, lang: str) -> dict[str, object]:
    """Describe an edition for the home page."""
    words, page = Translator(lang, edition), Translator(choose_page_language(lang))
    text = edition.choose_text(None, lang)
    rules = edition.rules(text)
    limits = rules.players
    return {
        "id": edition.id,
        "title": edition.title,
        "publisher": edition.printed_by,
        "family": edition.family,
        "texts": [{"text": one, "name": page.format_value(LanguageName(one))} for one in edition.printed],
        "text": text,
        "players": words.translate(summarize_players(rules)),
        "least": limits.least,
        "most": limits.most,
        "dice": rules.dice,
        "rolls": rules.rolls,
        "start": "roll_off" if rules.starts_with_rolloff else "first",
        "boxes": len(list_boxes(rules)),
        "line": words(f"rules.line.{line}") if (line := edition.find_line(text)) else "",
        "names": list_printed_names(words),
        "special": [words.translate(special) for special in list_specials(edition)],
        "switches": {one: describe_switches(edition, one) for one in edition.printed},
        "reasons": {one: words(f"rules.switch.{one}") for one in edition.switch_values},
    }


def describe_house_rules(content: bytes, name: str, lang: str) -> dict[str, object]:
    """Describe a house-rule file like an edition, with what differs from the one it builds on, and its par."""
    edition = read_house_rules(content, name)
    text = edition.choose_text(None, lang)
    words, base = Translator(lang, edition), edition.without_house_rules()
    rows = compare_rules(base.rules(text), edition.rules(text)) if edition.base else ()
    return {
        **describe_edition(edition, lang),
        **({} if edition.base else {"texts": [{"text": text, "name": words.format_value(LanguageName(text))}]}),
        "base": load_edition(edition.base).title if edition.base else None,
        "differences": [describe_difference(row, words, Translator(lang, base)) for row in rows],
        "notes": [words.translate(note) for note in edition.notes],
        "par": find_par(edition.rules(text)),
    }


def describe_difference(row: Difference, words: Translator, printed: Translator) -> dict[str, str]:
    """Describe one difference: what it is about, as printed, and as played here."""
    about = words if row.right else printed
    group, _, box = row.topic.partition(".")
    topic = about.name_box(box) if group == "box" else about(f"rules.topic.{group}")
    nothing = words("interface.diff.nothing")
    return {
        "topic": topic,
        "printed": printed.translate(row.left.phrase) if row.left else nothing,
        "here": words.translate(row.right.phrase) if row.right else nothing,
    }


def describe_switches(edition: Edition, text: str) -> list[dict[str, object]]:
    """Describe the switches that change something in a text; what each is about is the same in all texts."""
    return [
        {"name": state.name, "default": state.default, "allowed": state.allowed}
        for state in (
            find_printed_switches(edition.id, text) if is_printed(edition) else list_switches(edition, text, {})
        )
        if state.matters
    ]


def is_printed(edition: Edition) -> bool:
    """Tell a printed edition from a house-rule file, even one of the same id."""
    return edition.id in edition_ids() and load_edition(edition.id) is edition


@cache
def find_printed_switches(name: str, text: str) -> tuple[SwitchState, ...]:
    """Find out once which switches change something in a printed text."""
    return list_switches(load_edition(name), text, {})


def describe_rules(edition: Edition, text: str, switches: Mapping[str, str], lang: str) -> dict[str, object]:
    """Write the rules, chapter by chapter."""
    words = Translator(lang, edition)
    return {
        "title": edition.title,
        "chapters": [
            {
                "title": words(f"rules.chapter.{chapter}"),
                "rules": [
                    {
                        "rule": words.translate(article.phrase),
                        "source": words.translate(cite_article(edition, text, article)) if edition.publisher else "",
                    }
                    for article in found
                ],
            }
            for chapter, found in list_chapters(edition, text, switches)
        ],
    }


def describe_server(lang: str, lan_url: str | None, house_rules: bool, open_history: bool = False) -> dict[str, object]:
    words = Translator(choose_page_language(lang))
    return {
        "version": __version__,
        "lang": lang,
        "lan": lan_url,
        "house_rules": house_rules,
        "open_history": open_history,
        "bots": {
            family: [describe_bot(bot, family, words) for bot in bots.offered] for family, bots in FAMILIES.items()
        },
        "missing": {extra: words.describe_error(error) for extra in SERVED_EXTRAS if (error := find_missing(extra))},
        "languages": [{"lang": one, "name": name_language(one)} for one in sort_languages() if one in COMPLETE],
    }


def describe_bot(bot: str, family: str, words: Translator) -> dict[str, object]:
    """Describe a bot: its name, its manner in three words, and why it cannot play here."""
    key, extra = format_bot_key(bot), find_kind(bot, family).extra
    missing = find_missing(extra) if extra else None
    return {
        "bot": bot,
        "name": words(f"web.bot.{key}"),
        "about": words(f"web.bot.{key}.about"),
        "missing": words.describe_error(missing) if missing else None,
    }


def describe_bots(rules: Rules, lang: str) -> list[dict[str, object]]:
    """Describe the bots that know some rules, the weakest first, with the average of each where that is known."""
    words = Translator(choose_page_language(lang))
    averages, wins = find_averages(rules, find_par), load_wins(rules.fingerprint)
    return [
        {
            **describe_bot(bot, rules.family, words),
            "average": round(averages[bot]) if bot in averages else None,
            "beats": round(100 * wins[bot]) if bot in wins else None,
        }
        for bot in sort_by_strength(rules.family, averages)
    ]


def format_bot_key(bot: str) -> str:
    """Write a bot and its level as part of a key."""
    return bot.replace(":", "_")


@cache
def load_words(lang: str, part: str = "") -> dict[str, object]:
    """Give the browser its words and plural forms; pages that few open have a part of their own."""
    spoken = choose_page_language(lang)
    own = list_catalog("web", spoken)
    all_words = list_catalog("web", SOURCE_LANGUAGE) | own
    words = {
        key: text for key, text in all_words.items() if find_part(key) == part and key.split(".")[1] != SERVER_WORDS
    }
    forms = read_plural_rule(load_catalog("web", spoken)).categories
    untranslated = [key for key in words if key not in own]
    return {
        "lang": lang,
        "spoken": spoken,
        "forms": forms,
        "marks": describe_marks(spoken),
        "words": words,
        "untranslated": untranslated,
    }


def describe_marks(lang: str) -> dict[str, str]:
    """Give what lists and numbers are written with; browsers do not know this for every language."""
    words = Translator(lang)
    return {name.rpartition(".")[2]: words(name) for name in MARKS}


def choose_page_language(lang: str) -> str:
    """Choose the language of the page: the one asked for if it is complete, else English."""
    return lang if lang in COMPLETE else SOURCE_LANGUAGE


def find_part(key: str) -> str:
    """Find the part a key belongs to; most belong to none and are loaded from the start."""
    page = key.split(".")[1]
    return "" if key in EAGER_WORDS else next((part for part, pages in WORD_PARTS.items() if page in pages), "")
