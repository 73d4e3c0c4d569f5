"""Prepare sentences for print: what belongs together stays on one line, and every language can be hyphenated.

The typesetter has patterns for all our languages but Latvian, which gets soft hyphens here.
"""

import re
from dataclasses import dataclass

NO_BREAK_SPACE, SOFT_HYPHEN = "\u00a0", "\u00ad"
AFTER_NUMBER = re.compile(r"(?<![\w-])(\d+) (?=[^\W\d_])")
AFTER_NUMBER_OR = re.compile(rf"(?<![\w-])(\d+{NO_BREAK_SPACE}[^\W\d_]{{1,5}}) (?=[^\W\d_]{{1,7}}\b)")
"""After a short word that follows a number, before another: 63 or more."""
BEFORE_DASH = re.compile(r" (?=[–—] )")
BEFORE_LAST_WORD = re.compile(r" (?=\S{1,18}$)")

VOWEL, CONSONANT = "[aāeēiīoōuū]", "[bcčdfgģhjkķlļmnņprŗsštvzž]"
LATVIAN_WORD = re.compile(r"[^\W\d_]{6,}")
LATVIAN_PREFIX = re.compile(
    rf"(?:jā|ne)?(?:(?:aiz|ap|at|bez|iz|pār|uz)(?={CONSONANT})|(?:ie|no|pa|pie|sa)(?=[sš][bdgkķptlmnv]|[bdgkķpt][lrv]))"
    rf"|ne(?={CONSONANT})",
    re.IGNORECASE,
)
LATVIAN_SYLLABLE = re.compile(
    rf"(?<=..)(?<={VOWEL})({CONSONANT}*?)(?<!d(?=[zž]))(?=(?:d[zž]|{CONSONANT}){VOWEL}.)", re.IGNORECASE
)
"""The place before the last consonant between two vowels; dz and dž are one."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and the language it speaks."""

    text: str
    lang: str


def prepare_text(text: str, lang: str) -> str:
    """Keep numbers with their nouns, dashes and the last word with the word before; hyphenate Latvian."""
    joined = AFTER_NUMBER.sub(rf"\1{NO_BREAK_SPACE}", text)
    joined = AFTER_NUMBER_OR.sub(rf"\1{NO_BREAK_SPACE}", joined)
    for place in (BEFORE_DASH, BEFORE_LAST_WORD):
        joined = place.sub(NO_BREAK_SPACE, joined)
    return hyphenate_latvian_text(joined) if lang == "lv" else joined


def hyphenate_latvian_text(text: str) -> str:
    """Hyphenate all words but the last, half of which would be a line of its own."""
    *words, last = re.split(r"(?<=\s)", text)
    return "".join(LATVIAN_WORD.sub(lambda word: hyphenate_latvian(word[0]), part) for part in words) + last


def hyphenate_latvian(word: str) -> str:
    """Put a soft hyphen after a prefix and between syllables, never beside a single letter."""
    prefix = LATVIAN_PREFIX.match(word)
    start = prefix.end() if prefix else 0
    syllables = LATVIAN_SYLLABLE.sub(rf"\1{SOFT_HYPHEN}", word[start:])
    return f"{word[:start]}{SOFT_HYPHEN}{syllables}" if prefix else syllables
