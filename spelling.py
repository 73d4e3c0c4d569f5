"""Lists words of the catalogs that no dictionary knows, by language: a report for translators, and no test.

`make spelling` runs it with the dictionaries for hunspell that Debian has; it says which packages are missing. Names of
boxes, printed terms and the word lists in docs/translating.md count as known; so does what players type.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator

import catalogs

DICTIONARIES = {
    "da": ("da_DK", "hunspell-da"),
    "de": ("de_DE", "hunspell-de-de"),
    "en": ("en_US,en_GB", "hunspell-en-us hunspell-en-gb"),
    "es": ("es_ES", "hunspell-es"),
    "et": ("et_EE", "myspell-et"),
    "fr": ("fr", "hunspell-fr"),
    "is": ("is_IS", "hunspell-is"),
    "it": ("it_IT", "hunspell-it"),
    "lt": ("lt_LT", "hunspell-lt"),
    "lv": ("lv_LV", "hunspell-lv"),
    "nl": ("nl", "hunspell-nl"),
    "no": ("nb_NO", "hunspell-no"),
    "pl": ("pl_PL", "hunspell-pl"),
    "ru": ("ru_RU", "hunspell-ru"),
    "sv": ("sv_SE", "hunspell-sv"),
    "uk": ("uk_UA", "hunspell-uk"),
}
"""The dictionary of each language and the Debian package it comes in; Finnish has none for hunspell."""
NOTES = catalogs.ROOT / "docs" / "translating.md"
GLOSSARY = catalogs.ROOT / "tests" / "golden" / "glossary.json"
NAMES = "Knobel Yatzy Yahtzee Yatzi Yams Chicago Debian PostgreSQL SQLite"
WORD = re.compile(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*")
NO_WORDS = re.compile(r"\{(\w+)(?=[:}])|(?<!\w)--?[a-z][\w-]*|\bknobel \w+|\S*[./=@]\S+|\b[A-Z]{2,}\b")
"""Names of values, options, commands, addresses, files and abbreviations."""
ELISION = re.compile(r"\b\w{1,6}'")
SHORTEST = 3
"""Shorter parts of a word are not looked up."""


def show_unknown_words(*only: str) -> None:
    """List the unknown words of each language, with the first entry that has them."""
    for lang in only or sorted((catalogs.ENGLISH, *catalogs.find_languages())):
        if lang not in DICTIONARIES:
            print(f"{lang}: Debian has no dictionary for hunspell")
            continue
        dictionary, package = DICTIONARIES[lang]
        if not has_dictionary(dictionary):
            print(f"{lang}: no dictionary {dictionary}; on Debian: apt-get install hunspell {package}")
            continue
        words = collect_words(lang)
        unknown = sorted(find_unknown(words, dictionary, collect_known(lang)), key=str.casefold)
        print(f"{lang}: {len(unknown)} of {len(words)} words are in no dictionary")
        for word in unknown:
            print(f"  {word:24} {words[word]}")


def collect_words(lang: str) -> dict[str, str]:
    """Collect every word of a language, each with the key of the first entry that has it.

    A word that stands in the English entry, too, is a name or is typed; of English all words are collected.
    """
    found: dict[str, str] = {}
    for domain in catalogs.DOMAINS:
        english = collect_entries(catalogs.ENGLISH, domain) if lang != catalogs.ENGLISH else {}
        for key, words in collect_entries(lang, domain).items():
            for word in words - english.get(key, set()):
                found.setdefault(word, key)
    return found


def collect_entries(lang: str, domain: str) -> dict[str, set[str]]:
    """Collect the words of every entry but examples of commands."""
    entries = {catalogs.find_key(message): message for message in catalogs.iterate_entries(lang, domain)}
    return {
        key: {word for text in catalogs.list_forms(message) for word in split_words(text)}
        for key, message in entries.items()
        if not key.endswith(".example")
    }


def split_words(text: str) -> Iterator[str]:
    """Split a sentence into words, those inside plural forms too."""
    return (found[0].replace("’", "'") for found in WORD.finditer(NO_WORDS.sub(" ", text)))


def collect_known(lang: str) -> set[str]:
    """Collect what needs no dictionary: printed terms, the notes of the translators, and names in any language."""
    printed = json.loads(GLOSSARY.read_text(encoding="utf-8"))
    texts = [NOTES.read_text(encoding="utf-8").partition(f"\n### {lang}\n")[2].partition("\n### ")[0]]
    texts += list_texts(printed.get(lang, {}))
    texts += [text for edition in printed["editions"].values() for text in list_texts(edition.get(lang, {}))]
    texts.append(NAMES)
    return {part for text in texts for word in split_words(text) for part in (word.casefold(), *list_parts(word))}


def list_texts(value: object) -> list[str]:
    return [text for text in value.values() if isinstance(text, str)] if isinstance(value, dict) else []


def find_unknown(words: Iterable[str], dictionary: str, known: set[str]) -> set[str]:
    """Find words that are neither known as a whole nor part by part, as in l'as and XL-Yatzy."""
    rejected = look_up(words, dictionary)
    suspected = {word for word in words if not rejected.isdisjoint({word, *word.split("'")})}
    strange = {word for word in suspected if word.casefold() not in known}
    parts = {part for word in strange for part in list_parts(word)} - known
    strange_parts = look_up(parts, dictionary)
    return {word for word in strange if len(word) >= SHORTEST and is_strange(word, known, strange_parts)}


def is_strange(word: str, known: set[str], strange_parts: set[str]) -> bool:
    parts = list_parts(word)
    return not parts or any(part in strange_parts and part not in known for part in parts)


def list_parts(word: str) -> list[str]:
    """List the parts of a word with a hyphen or an apostrophe, or the word itself; not an article as in dell'asso."""
    whole = ELISION.sub("", word)
    return [part.casefold() for part in re.split("['-]", whole) if len(part) >= SHORTEST]


def look_up(words: Iterable[str], dictionary: str) -> set[str]:
    """Let hunspell say which words it does not know."""
    return set(run_hunspell(dictionary, words).stdout.split("\n")) - {""}


def has_dictionary(dictionary: str) -> bool:
    return shutil.which("hunspell") is not None and "Can't open" not in run_hunspell(dictionary, ()).stderr


def run_hunspell(dictionary: str, words: Iterable[str]) -> subprocess.CompletedProcess[str]:
    line = ["hunspell", "-i", "utf-8", "-d", dictionary, "-l"]
    return subprocess.run(line, input="\n".join(words), capture_output=True, encoding="utf-8", check=False)  # noqa: S603


if __name__ == "__main__":
    show_unknown_words(*sys.argv[1:])
