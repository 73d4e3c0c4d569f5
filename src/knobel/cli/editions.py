"""`knobel editions`: which boxes there are."""

from knobel.cli.line import JSON, LANG, Command, Given
from knobel.cli.screen import paragraph, say, say_json
from knobel.lang import Words, language
from knobel.rules import Edition, editions, load
from knobel.rules.articles import specials


def run(given: Given) -> None:
    """List every printed box."""
    lang = language(given.word("lang"))
    boxes = [load(name) for name in editions()]
    if given.flag("json"):
        say_json([form(edition, lang) for edition in boxes])
        return
    for edition in boxes:
        show(edition, Words(lang, edition))


def show(edition: Edition, words: Words) -> None:
    """Describe one box in a few lines."""
    say(words("interface.editions.title", id=edition.id, title=edition.title, publisher=edition.publisher))
    facts = [players(edition, words), " ".join(edition.printed)]
    if edition.family == "sheet":
        facts.insert(1, words("interface.editions.boxes", n=len(edition.rules().boxes)))
    paragraph(" · ".join(facts), "    ")
    general = [words.say(special) for special in specials(edition) if special.key != "rules.special.text"]
    paragraph(words.list(general), "    ")
    for special in specials(edition):
        if special.key == "rules.special.text":
            paragraph(words.say(special), "    ")
    say()


def players(edition: Edition, words: Words) -> str:
    """Say how many can play."""
    limits = (edition.rules() if edition.family == "sheet" else edition.round_rules()).players
    if limits.most:
        return words("interface.editions.between", least=limits.least, n=limits.most)
    return words("interface.editions.least", n=limits.least)


def form(edition: Edition, lang: str) -> dict[str, object]:
    """Describe one box for machines."""
    words = Words(lang, edition)
    rules = edition.rules() if edition.family == "sheet" else edition.round_rules()
    return {
        "id": edition.id,
        "title": edition.title,
        "publisher": edition.publisher,
        "lang": lang,
        "languages": edition.printed,
        "default_text": edition.default_text,
        "players": {"least": rules.players.least, "most": rules.players.most},
        "dice": rules.dice,
        "throws": rules.throws,
        "game": edition.family,
        "boxes": [box.id for box in edition.rules().boxes] if edition.family == "sheet" else [],
        "special": [words.say(special) for special in specials(edition)],
        "fingerprint": rules.fingerprint,
    }


COMMAND = Command("editions", (), (LANG, JSON), run)
