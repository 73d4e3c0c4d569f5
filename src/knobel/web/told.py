"""What a client is told: the room, the block, the position, in its own language."""

import msgspec

from knobel.host.desk import Desk
from knobel.host.speaking import edition_of
from knobel.lang import Words
from knobel.phrase import phrase
from knobel.record.replay import Step
from knobel.rules.articles import about_pattern, about_points
from knobel.rules.ruleset import SheetRules
from knobel.table import Table
from knobel.view.lobby import room_view
from knobel.view.sheet import sheet_view
from knobel.view.told import told
from knobel.web.wire import Block, BonusWords, BoxWords, Out, Position, RoomNews


def written(message: Out) -> str:
    """Write a message as it goes out."""
    return msgspec.json.encode(message).decode()


def room_news(desk: Desk, owner: str, lang: str, present: frozenset[str]) -> str:
    """Tell a client about the room."""
    return written(RoomNews(room_view(desk.room, owner, present, lambda said: sentence(Words(lang).say(said)))))


def block_news(table: Table, lang: str) -> str:
    """Give a client the printed block of the game."""
    header, rules = table.header, table.game.rules
    if not isinstance(rules, SheetRules):
        raise TypeError(rules)
    words = words_of(table, lang)
    return written(
        Block(
            game=header.game,
            title=header.edition.title,
            publisher=header.edition.publisher,
            text=header.text,
            dice=rules.dice,
            faces=rules.faces,
            throws=rules.throws,
            boxes=tuple(
                BoxWords(
                    box.id,
                    words.box(box.id),
                    words.say(phrase("rules.how", pattern=about_pattern(box, rules), points=about_points(box))),
                    box.upper,
                )
                for box in rules.boxes
            ),
            bonus=BonusWords(rules.bonus.goal, rules.bonus.points) if rules.bonus else None,
            prime=bool(rules.yatzy and (rules.yatzy.prime or rules.yatzy.second)),
            locked_dice=rules.locked_dice,
            announced=rules.order == "announced",
        )
    )


def position_news(desk: Desk, table: Table, owner: str, lang: str, steps: tuple[Step, ...]) -> str:
    """Tell a client where the game stands, and what just happened."""
    words = words_of(table, lang)
    sentences = [words.say(said) for step in steps for said in told(table, step)]
    view = sheet_view(table, desk.room, owner, lambda said: sentence(words.say(said)))
    return written(Position(desk.room.room, view, tuple(step.event for step in steps), tuple(sentences)))


def words_of(table: Table, lang: str) -> Words:
    """Find the words for a game."""
    return Words(lang, edition_of(table.header))


def sentence(text: str) -> str:
    """Let a reason stand alone: with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"
