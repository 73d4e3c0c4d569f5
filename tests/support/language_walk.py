"""What is wrong with words in a language: English that was left, missing words, text that is cut or overlaps."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain

from playwright.sync_api import ViewportSize

from knobel.lang import DOMAINS, SOURCE_LANGUAGE, list_catalog
from tests.support.browser import Screen

VISIBLE_TEXTS = """() => {
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
OVERFLOWING_TEXTS = """() => {
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
OVERLAPPING_TEXTS = """() => {
  const TOUCHING = 2;
  const reachable = new CSSStyleSheet();
  reachable.replaceSync("*, ::before, ::after { pointer-events: auto !important }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, reachable];
  const dialog = [...document.querySelectorAll("dialog:modal")].at(-1);
  const clips = (one) => /auto|scroll|hidden|clip/.test(getComputedStyle(one).overflow);
  const cut = (a, b) => ({
    left: Math.max(a.left, b.left), right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom),
  });
  const seenPart = (rect, one) => {
    let seen = cut(rect, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    for (let up = one; up && up !== document.documentElement; up = up.parentElement)
      if (clips(up)) seen = cut(seen, up.getBoundingClientRect());
    return seen;
  };
  const hasArea = ({ left, right, top, bottom }) => right - left > TOUCHING && bottom - top > TOUCHING;
  const isTransparent = (one) => one && (getComputedStyle(one).opacity === "0" || isTransparent(one.parentElement));
  const listTexts = () => {
    const texts = [];
    const walker = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode, one = node.parentElement;
      if (!node.textContent.trim() || one.closest("[aria-hidden=true], .unseen, option, noscript")) continue;
      if (!one.checkVisibility({ visibilityProperty: true }) || isTransparent(one)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const { left, right, top, bottom } of range.getClientRects()) {
        const high = bottom - top;
        const letters = { left: left + 1, right: right - 1, top: top + high * 0.25, bottom: bottom - high * 0.25 };
        if (letters.bottom < 0 || letters.top > innerHeight) continue;
        const ink = seenPart(letters, one);
        if (hasArea(ink)) texts.push({ one, ink, said: node.textContent.trim().slice(0, 40) });
      }
    }
    return texts;
  };
  const isOpaque = (one) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(one);
    const [, , , alpha = 1] = backgroundColor.match(/[\\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return backgroundImage !== "none" || alpha === 1;
  };
  const areSeen = (a, b, { left, right, top, bottom }) => {
    const found = new Set();
    for (const one of document.elementsFromPoint((left + right) / 2, (top + bottom) / 2)) {
      found.add(one);
      if (isOpaque(one) || (one.matches("td, th") && isOpaque(one.parentElement))) break;
    }
    return found.has(a) && found.has(b);
  };
  const wrong = new Set();
  const compare = () => listTexts().forEach((a, place, texts) => {
    for (const b of texts.slice(place + 1)) {
      if (a.one.contains(b.one) || b.one.contains(a.one)) continue;
      const both = cut(a.ink, b.ink);
      if (hasArea(both) && areSeen(a.one, b.one, both)) wrong.add(`overlap: ${a.said} × ${b.said}`);
    }
  });
  const scroller = dialog ?? document.scrollingElement;
  const before = scroller.scrollTop;
  for (let top = 0; top < scroller.scrollHeight; top += scroller.clientHeight || innerHeight) {
    scroller.scrollTo({ top, behavior: "instant" });
    compare();
  }
  scroller.scrollTo({ top: before, behavior: "instant" });
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== reachable);
  return [...wrong];
}"""
"""Words that lie on each other: both can be seen where they meet, and neither is part of the other.

A line of text is taken without the space above and below its small letters; a page is looked at from top to bottom."""
LAID_OUT = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame();
  const moving = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
  await Promise.all(moving.map((one) => one.finished.catch(() => {})));
  await frame();
}"""
"""Waits until a page of another width is laid out and nothing moves any more."""
WIDTHS: tuple[ViewportSize, ...] = (
    {"width": 320, "height": 640},
    {"width": 390, "height": 844},
    {"width": 1280, "height": 860},
)
"""A small phone, a phone and a desktop."""
MISSING_KEY = re.compile(r"\[[a-z]+(?:[._][a-z0-9]+)+\]")
"""A key for which there were no words."""
PEOPLE = ("Ada", "Ben", "Cleo", "Dan", "Eva-Maria", "Finn", "Gro", "Maximilian", "Mia", "Oma")
"""Names that people gave themselves may be cut where eight of them sit side by side."""


def list_texts(lang: str) -> Iterator[str]:
    """Give every text of a language, each plural form by itself."""
    for domain in DOMAINS:
        yield from chain.from_iterable(map(list_forms, list_catalog(domain, lang).values()))


def list_forms(text: str | dict[str, str]) -> Iterable[str]:
    return [text] if isinstance(text, str) else text.values()


def waiting_english(lang: str) -> Iterator[str]:
    """Give every English text that waits for its translation: it is English by right."""
    for domain in DOMAINS:
        own = list_catalog(domain, lang)
        missing = (text for key, text in list_catalog(domain, SOURCE_LANGUAGE).items() if key not in own)
        yield from chain.from_iterable(map(list_forms, missing))


def translated_english(lang: str) -> set[str]:
    """Give every English text that a language has words of its own for."""
    return set(list_texts(SOURCE_LANGUAGE)) - set(list_texts(lang)) - set(waiting_english(lang))


def match_any(sentences: Iterable[str]) -> re.Pattern[str]:
    """Match any of some texts, with anything for their values."""
    return re.compile(rf"(?:{'|'.join(sorted(set(map(make_pattern, sentences))))})\.?", re.IGNORECASE | re.DOTALL)


def make_pattern(text: str) -> str:
    """Make a pattern of a text, with anything for its values."""
    return r"(?:.+?)".join(re.escape(part) for part in re.split(r"\{[^{}]*\}", text.strip().rstrip(".")))


def count_words(text: str) -> int:
    """Count the words a text has of its own."""
    return len(re.findall(r"[A-Za-z]{2,}", re.sub(r"\{[^{}]*\}", " ", text)))


@cache
def match_english_only(lang: str) -> re.Pattern[str]:
    """Match what English says in two words or more, and a language does not."""
    return match_any(text for text in translated_english(lang) if count_words(text) >= 2)


@cache
def english_by_right(lang: str) -> re.Pattern[str]:
    """Match what a language says in English until it is translated."""
    return match_any(text for text in waiting_english(lang) if count_words(text) >= 1)


@cache
def is_english(text: str, lang: str) -> bool:
    """Tell whether a text is one that only English says."""
    if lang == SOURCE_LANGUAGE or english_by_right(lang).fullmatch(text):
        return False
    return match_english_only(lang).fullmatch(text) is not None


def find_english(lang: str, seen: Iterable[str]) -> list[str]:
    """List the texts that are left in English, or are no words at all."""
    return [text for text in seen if is_english(text, lang) or MISSING_KEY.search(text)]


def find_english_sentences(lang: str, text: str) -> list[str]:
    """List what a longer text says in English, wherever its lines are broken: sentences of three words or more."""
    flat = " ".join(text.split())
    told = {" ".join(one.split()) for one in translated_english(lang) if "{" not in one and count_words(one) >= 3}
    by_right = " ".join(" ".join(waiting_english(lang)).split())
    return [one for one in told if one in flat and one not in by_right]


def find_problems(one: Screen, lang: str) -> list[str]:
    """List what is wrong with the screen at every width; it is left as wide as it was."""
    now, found = one.page.viewport_size, dict[str, None]()
    for size in sorted(WIDTHS, key=lambda size: size != now):
        if size != one.page.viewport_size:
            one.page.set_viewport_size(size)
        one.page.evaluate(LAID_OUT)
        found |= dict.fromkeys(find_problems_at_width(one, lang, size["width"]))
    if now:
        one.page.set_viewport_size(now)
    return list(found)


def find_problems_at_width(one: Screen, lang: str, width: int) -> list[str]:
    english = find_english(lang, map(str, one.page.evaluate(VISIBLE_TEXTS)))
    wrong = [*one.page.evaluate(OVERFLOWING_TEXTS), *one.page.evaluate(OVERLAPPING_TEXTS)]
    cut = [text for text in wrong if not text.startswith("cut: ") or text.rpartition(": ")[2] not in PEOPLE]
    return [*(f"English: {text}" for text in english), *(f"{width} px, {text}" for text in cut)]
