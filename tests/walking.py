"""What is wrong with words in a language: English that was left, keys without words, text that is cut or sticks out."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from knobel.lang import DOMAINS, SOURCE_LANGUAGE, list_catalog
from tests.browser import Screen

SEEN = """() => {
  const named = ["aria-label", "placeholder", "title", "alt"];
  const seen = (one) => one.tagName === "OPTION" || one.checkVisibility({ visibilityProperty: true });
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { textContent, parentElement } = walker.currentNode;
    if (parentElement.tagName !== "NOSCRIPT" && seen(parentElement)) found.add(textContent.trim());
  }
  for (const one of document.querySelectorAll(named.map((name) => `[${name}]`).join())) {
    if (seen(one)) for (const name of named) found.add(one.getAttribute(name)?.trim() ?? "");
  }
  return [...found].filter(Boolean);
}"""
"""Every text on the page, and everything a screen reader would say instead."""
CUT = """() => {
  const { clientWidth: wide, scrollWidth: all } = document.documentElement;
  const told = (one, why) => `${why}: ${one.tagName} .${one.className}: ${one.textContent.trim().slice(0, 60)}`;
  const own = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const scrolls = (one) => one !== document.body
    && (/auto|scroll/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
  const wrong = all > wide ? [`the page is ${all} wide`] : [];
  for (const one of document.body.querySelectorAll("*")) {
    if (!own(one) || !one.checkVisibility({ visibilityProperty: true }) || one.closest(".unseen, svg")) continue;
    const { display, overflowX } = getComputedStyle(one);
    const hides = /hidden|clip/.test(overflowX);
    if (display !== "inline" && one.clientWidth) {
      if (one.scrollWidth > one.clientWidth + 1) wrong.push(told(one, hides ? "cut" : "sticks out"));
      const bound = hides || one.matches("button, a");
      if (bound && one.scrollHeight > one.clientHeight + 2) wrong.push(told(one, "too high"));
    }
    const { left, right, width } = one.getBoundingClientRect();
    if (width && (right > wide + 1 || left < -1) && !scrolls(one)) wrong.push(told(one, "off the screen"));
  }
  return [...new Set(wrong)];
}"""
"""Text that does not fit where it stands."""
NO_WORDS = re.compile(r"\[[a-z]+(?:[._][a-z0-9]+)+\]")
"""A key for which there were no words."""
PEOPLE = ("Ada", "Ben", "Cleo", "Dan", "Eva-Maria", "Finn", "Gro", "Maximilian", "Mia", "Oma")
"""Names that people gave themselves may be cut where eight of them sit side by side."""


def texts(lang: str) -> Iterator[str]:
    """Give every text of a language, each plural form by itself."""
    for domain in DOMAINS:
        for text in list_catalog(domain, lang).values():
            yield from [text] if isinstance(text, str) else text.values()


def pattern(text: str) -> str:
    """Make a pattern of a text, with anything for its values."""
    return r"(?:.+?)".join(re.escape(part) for part in re.split(r"\{[^{}]*\}", text.strip().rstrip(".")))


def words_in(text: str) -> int:
    """Count the words a text has of its own."""
    return len(re.findall(r"[A-Za-z]{2,}", re.sub(r"\{[^{}]*\}", " ", text)))


@cache
def english_only(lang: str) -> re.Pattern[str]:
    """Match what English says in two words or more, and a language does not."""
    own = set(texts(lang))
    left = sorted({pattern(text) for text in texts(SOURCE_LANGUAGE) if words_in(text) >= 2 and text not in own})
    return re.compile(rf"(?:{'|'.join(left)})\.?", re.IGNORECASE | re.DOTALL)


@cache
def is_english(text: str, lang: str) -> bool:
    """Tell whether a text is one that only English says."""
    return lang != SOURCE_LANGUAGE and english_only(lang).fullmatch(text) is not None


def left_english(lang: str, seen: Iterable[str]) -> list[str]:
    """List the texts that are left in English, or are no words at all."""
    return [text for text in seen if is_english(text, lang) or NO_WORDS.search(text)]


def english_within(lang: str, text: str) -> list[str]:
    """List what a longer text says in English, wherever its lines are broken: sentences of three words or more."""
    flat, own = " ".join(text.split()), set(texts(lang))
    told = {
        " ".join(one.split())
        for one in texts(SOURCE_LANGUAGE)
        if "{" not in one and one not in own and words_in(one) >= 3
    }
    return [one for one in told if one in flat]


def wrong(one: Screen, lang: str) -> list[str]:
    """List what is wrong with the screen as it is."""
    found = [f"English: {text}" for text in left_english(lang, map(str, one.page.evaluate(SEEN)))]
    cut = map(str, one.page.evaluate(CUT))
    return found + [text for text in cut if not text.startswith("cut: ") or text.rpartition(": ")[2] not in PEOPLE]
