"""A position is drawn once for all, and yet every device is told exactly what its own view shows."""

from pathlib import Path
from random import Random

import msgspec
import pytest

from knobel.errors import KnobelError
from knobel.games.catalog import game_of
from knobel.host.keeping import table_again
from knobel.lang import Words
from knobel.room.intents import Settle, Sit
from knobel.rules import load
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


@awaited
async def test_two_games_on_one_block_share_its_words_and_each_is_told_under_its_own_name(tmp_path: Path) -> None:
    async with hosted(tmp_path / "one") as host, hosted(tmp_path / "other") as neighbour:
        first, second = [await (await Party.open(house, SHORT, NASTY)).begin() for house in (host, neighbour)]
        assert spoken(first, "en").words is spoken(second, "en").words
        one, other = [msgspec.json.decode(spoken(table, "en").block) for table in (first, second)]
        assert (one.pop("game"), other.pop("game")) == (first.header.game, second.header.game)
        assert one == other
        assert msgspec.json.decode(spoken(first, "de").block)["boxes"] != one["boxes"]


@awaited
async def test_a_table_that_is_just_laid_is_the_one_the_store_holds(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, SHORT, NASTY)
        table = await party.begin()
        stored = await table_again(host.store, table.header.game)
        assert (stored[0].header, stored[0].seed, stored[0].heads) == (table.header, table.seed, table.heads)


def test_rules_are_read_once_for_all_games_played_by_them_and_wrong_ones_are_wrong_every_time() -> None:
    box = load("tactic-xl-yatzy")
    form = box.rules(box.default_text, {}).form
    assert game_of(form).rules is game_of(dict(form), practice=True).rules
    for name in ("one", "other"):
        with pytest.raises(KnobelError) as refused:
            game_of({**form, "dice": 99}, name=name)
        assert refused.value.values["file"] == name


def test_a_box_has_the_same_name_however_often_it_is_asked_for() -> None:
    words = Words("en")
    assert words.box("ones") == words.box("ones") == Words("en").box("ones")
