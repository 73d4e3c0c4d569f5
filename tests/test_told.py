"""A position is drawn once for all, and yet every device is told exactly what its own view shows."""

from pathlib import Path
from random import Random

import msgspec
import pytest

from knobel.errors import KnobelError
from knobel.games.families import build_game
from knobel.host.archive import load_table
from knobel.lang import Translator
from knobel.rooms.intents import ChangeSettings, Sit
from knobel.rules import load_edition
from knobel.view.rounds import build_rounds_view
from knobel.view.sheet import build_sheet_view
from knobel.web.messages import encode_position, format_sentence, localize_game, mark_own_seats
from tests.parties import ANN, BEN, CID, SHORT, Party, awaited, hosted

NASTY = (ANN, Sit('"yours":false')), (BEN, Sit('"undo":null')), (ANN, Sit("Ann's other seat"))


@pytest.mark.parametrize(
    "settle", [SHORT, ChangeSettings("two-dice", house=SHORT.house, free=True), ChangeSettings("carlit-chicago")]
)
@awaited
async def test_what_a_device_is_told_of_a_position_is_what_its_own_view_shows(
    settle: ChangeSettings, tmp_path: Path
) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, settle, NASTY)
        table = await party.begin()
        draw = build_rounds_view if settle.edition == "carlit-chicago" else build_sheet_view
        random, undoable = Random(1), 0
        for _ in range(60):
            room, words = await party.now(), localize_game(table, "en").words
            news = encode_position(room, table, "en", ())
            for owner in (ANN, BEN, CID):
                view = draw(table, room, owner, lambda said, words=words: format_sentence(words.translate(said)))  # type: ignore[misc]
                told = msgspec.json.decode(mark_own_seats(news, table, room, owner))
                assert told["view"] == msgspec.json.decode(msgspec.json.encode(view))
                undoable += view.undo is not None
            if not await party.move(random):
                break
        assert undoable


@awaited
async def test_two_games_on_one_block_share_its_words_and_each_is_told_under_its_own_name(tmp_path: Path) -> None:
    async with hosted(tmp_path / "one") as host, hosted(tmp_path / "other") as neighbour:
        first, second = [await (await Party.open(house, SHORT, NASTY)).begin() for house in (host, neighbour)]
        assert localize_game(first, "en").words is localize_game(second, "en").words
        one, other = [msgspec.json.decode(localize_game(table, "en").setup) for table in (first, second)]
        assert (one.pop("game"), other.pop("game")) == (first.header.game, second.header.game)
        assert one == other
        assert msgspec.json.decode(localize_game(first, "de").setup)["boxes"] != one["boxes"]


@awaited
async def test_a_table_that_is_just_laid_is_the_one_the_store_holds(tmp_path: Path) -> None:
    async with hosted(tmp_path) as host:
        party = await Party.open(host, SHORT, NASTY)
        table = await party.begin()
        stored = await load_table(host.store, table.header.game)
        assert (stored[0].header, stored[0].server_seed, stored[0].heads) == (
            table.header,
            table.server_seed,
            table.heads,
        )


def test_rules_are_read_once_for_all_games_played_by_them_and_wrong_ones_are_wrong_every_time() -> None:
    box = load_edition("tactic-xl-yatzy")
    form = box.rules(box.default_text, {}).as_dict
    assert build_game(form).rules is build_game(dict(form), practice=True).rules
    for name in ("one", "other"):
        with pytest.raises(KnobelError) as refused:
            build_game({**form, "dice": 99}, name=name)
        assert refused.value.values["file"] == name


def test_a_box_has_the_same_name_however_often_it_is_asked_for() -> None:
    words = Translator("en")
    assert words.name_box("ones") == words.name_box("ones") == Translator("en").name_box("ones")
