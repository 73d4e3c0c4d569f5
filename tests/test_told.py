"""A position is drawn once for all, and yet every device is told exactly what its own view shows."""

from pathlib import Path
from random import Random

import msgspec
import pytest

from knobel.lang import Words
from knobel.room.intents import Settle, Sit
from knobel.view.rounds import rounds_view
from knobel.view.sheet import sheet_view
from knobel.web.told import owned_news, position_news, sentence, spoken
from tests.parties import ANN, BEN, CID, SHORT, Party, awaited, hosted

NASTY = (ANN, Sit('"yours":false')), (BEN, Sit('"undo":null')), (ANN, Sit("Ann's other seat"))


@pytest.mark.parametrize("settle", [SHORT, Settle("two-dice", house=SHORT.house, free=True), Settle("carlit-chicago")])
@awaited
async def test_what_a_device_is_told_of_a_position_is_what_its_own_view_shows(settle: Settle, tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, settle, NASTY)
        table = await party.begin()
        draw = rounds_view if settle.edition == "carlit-chicago" else sheet_view
        random, undoable = Random(1), 0
        for _ in range(60):
            room, words = await party.now(), spoken(table, "en").words
            news = position_news(room, table, "en", ())
            for owner in (ANN, BEN, CID):
                view = draw(table, room, owner, lambda said, words=words: sentence(words.say(said)))  # type: ignore[misc]
                told = msgspec.json.decode(owned_news(news, table, room, owner))
                assert told["view"] == msgspec.json.decode(msgspec.json.encode(view))
                undoable += view.undo is not None
            if not await party.move(random):
                break
        assert undoable


def test_a_box_has_the_same_name_however_often_it_is_asked_for() -> None:
    words = Words("en")
    assert words.box("ones") == words.box("ones") == Words("en").box("ones")
