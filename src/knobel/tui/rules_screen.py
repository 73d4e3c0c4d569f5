"""The rules of an edition, chapter by chapter, and where its rulebook says so; the keys, and how a turn goes."""

from collections.abc import Mapping

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from knobel.lang import Translator, format_sentence
from knobel.rules import Edition
from knobel.rules.leaflet import cite_article, list_chapters
from knobel.tui.families import FAMILIES
from knobel.tui.keys import TABLE_HELP
from knobel.tui.page_screen import PageScreen


class RulesScreen(PageScreen):
    """Shows the rules as they are played."""

    def __init__(self, words: Translator, edition: Edition, text: str, switches: Mapping[str, str]) -> None:
        super().__init__(Translator(words.lang, edition))
        self.edition = edition
        self.text = text
        self.switches = switches

    @property
    def heading(self) -> str:
        return f"{self.words('web.rules.title')}: {self.edition.title}"

    def compose_page(self) -> ComposeResult:
        with VerticalScroll(classes="page"):
            yield Static(draw_rules(self.words, self.edition, self.text, self.switches))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()


class HelpScreen(PageScreen):
    """Lists the keys of a table."""

    def __init__(self, words: Translator, family: str) -> None:
        super().__init__(words)
        self.family = family

    @property
    def heading(self) -> str:
        return self.words("web.help.keys")

    def compose_page(self) -> ComposeResult:
        keys = (*TABLE_HELP[:2], *FAMILIES[self.family].keys, *TABLE_HELP[2:])
        lines = [
            Content.assemble((f"  {shown:<12}", "$accent bold"), format_sentence(self.words(does)))
            for shown, _, does in keys
        ]
        with VerticalScroll(classes="page"):
            yield Static(Content("\n").join(lines))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()


def draw_rules(words: Translator, edition: Edition, text: str, switches: Mapping[str, str]) -> Content:
    """Write out the rules, each with its source."""
    parts = list[Content]()
    for chapter, articles in list_chapters(edition, text, switches):
        parts.append(Content.styled(words(f"rules.chapter.{chapter}"), "$primary bold"))
        for article in articles:
            source = words.translate(cite_article(edition, text, article)) if edition.publisher else ""
            rule = format_sentence(words.translate(article.phrase))
            parts.append(Content.assemble(f"– {rule}", (f"  {source}" if source else "", "$faint italic")))
        parts.append(Content(""))
    return Content("\n").join(parts)
