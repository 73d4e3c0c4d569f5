"""`knobel editions`: list the editions."""

from knobel.cli.parser import JSON, LANG, Command, Given
from knobel.cli.screen import say, say_json, say_paragraph
from knobel.lang import Translator, choose_language
from knobel.rules import Edition, edition_ids, load_edition
from knobel.rules.families import list_boxes
from knobel.rules.leaflet import list_specials, summarize_players


def run(given: Given) -> None:
    lang = choose_language(given.read_value("lang"))
    editions = [load_edition(name) for name in edition_ids()]
    if given.has("json"):
        say_json([build_json(edition, lang) for edition in editions])
        return
    for edition in editions:
        show_edition(edition, Translator(lang, edition))


def show_edition(edition: Edition, words: Translator) -> None:
    say(words("interface.editions.title", id=edition.id, title=edition.title, publisher=edition.publisher))
    facts = [words.translate(summarize_players(edition.rules())), " ".join(edition.printed)]
    if boxes := list_boxes(edition.rules()):
        facts.insert(1, words("interface.editions.boxes", n=len(boxes)))
    say_paragraph(" · ".join(facts), "    ")
    specials = list_specials(edition)
    general = [words.translate(special) for special in specials if "languages" not in special.values]
    say_paragraph(words.join_list(general), "    ")
    for special in specials:
        if "languages" in special.values:
            say_paragraph(words.translate(special), "    ")
    say()


def build_json(edition: Edition, lang: str) -> dict[str, object]:
    words = Translator(lang, edition)
    rules = edition.rules()
    return {
        "id": edition.id,
        "title": edition.title,
        "publisher": edition.publisher,
        "lang": lang,
        "languages": edition.printed,
        "default_text": edition.default_text,
        "players": {"least": rules.players.least, "most": rules.players.most},
        "dice": rules.dice,
        "rolls": rules.rolls,
        "game": edition.family,
        "boxes": list_boxes(rules),
        "special": [words.translate(special) for special in list_specials(edition)],
        "fingerprint": rules.fingerprint,
    }


COMMAND = Command("editions", (), (LANG, JSON), run)
