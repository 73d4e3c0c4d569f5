"""What is shown of a game is what the game is, no more and no less."""

import json
from pathlib import Path
from random import Random

import msgspec
import pytest

from knobel.errors import UnknownBot
from knobel.game import Announce, Score
from knobel.games.rounds import RoundsGame
from knobel.lang import Translator
from knobel.notation import read_action
from knobel.rooms.intents import ChangeSettings, Sit, SitBot
from knobel.rooms.lobby import MAX_SEATS_PER_DEVICE
from knobel.table import Table, rename_players
from knobel.view.address import OWN_KEY_OF, address, find_addressee
from knobel.view.lobby import SeriesView, build_room_view
from knobel.view.narration import narrate
from knobel.view.rounds import RoundsView, build_rounds_view
from knobel.view.sheet import OptionView, build_sheet_view
from tests.support.hosted_rooms import ANN, BEN, HostedRoom, open_host, run_async
from tests.support.selection import mostly_solve

CHICAGO = ChangeSettings("carlit-chicago")


async def view_table(hosted: HostedRoom) -> RoundsView:
    """Give what everybody sees."""
    return build_rounds_view(await hosted.table(), Translator("en").translate)


def agrees(view: RoundsView, table: Table) -> None:
    """Insist that a view shows the state as it is."""
    state, game = table.state, table.game
    assert isinstance(game, RoundsGame)
    assert sum(seat.chips for seat in view.seats) + view.kitty == game.rules.chips
    assert [seat.chips for seat in view.seats] == list(state.chips)
    assert len(view.trays) == (state.seat is not None)
    for tray in view.trays:
        legal = {
            ("stand " + move.aim) if move.aim else "stand" for move in game.legal_moves(state) if hasattr(move, "aim")
        }
        assert {stand.action for stand in tray.stands} == legal
        assert tray.sum == sum(tray.dice)
        assert (tray.roll_refusal is None) == (tray.phase in {"rolloff", "roll", "choose"})
        assert (tray.beats is None) == (state.phase != "follow" or not state.dice)
        assert view.seats[tray.seat].name in tray.prompt
        assert view.seats[tray.seat].name not in tray.own_prompt
        assert tray.turn == state.turns[tray.seat]
        assert tray.asks_rolls == (state.phase == "open" and state.rolloff is None)
    for place, seat in enumerate(view.seats):
        assert seat.total == dict(state.totals).get(place)
        inside = place in state.active or seat.left
        assert (seat.place is None) == inside
    for line in view.log:
        assert line.opener is not None
        assert line.totals
        assert line.loser is not None or line.left


@pytest.mark.parametrize("seats", mostly_solve([2, 3, 4, 6, 16], 3))
@run_async
async def test_every_position_of_a_game_of_rounds_is_shown_as_it_is(seats: int, tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        bens = range(0, 2 * MAX_SEATS_PER_DEVICE, 2)
        seating = [(BEN if seat in bens else ANN, Sit(f"Seat {seat}", real_dice=seat == 1)) for seat in range(seats)]
        hosted = await HostedRoom.open(host, CHICAGO, seating)
        table = await hosted.begin_game()
        random, rounds = Random(seats), 0
        while await hosted.play_move(random):
            view = await view_table(hosted)
            agrees(view, table)
            assert len(view.undo) <= 1
            assert len(view.log) - rounds in {0, 1}
            rounds = len(view.log)
        assert rounds
        assert view.places is not None
        assert sorted(seat for group in view.places for seat in group) == list(range(seats))


@run_async
async def test_no_secret_seed_is_shown_while_a_game_of_rounds_runs(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, CHICAGO, [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        table = await hosted.begin_game()
        await hosted.play(most=6)
        text = msgspec.json.encode(await view_table(hosted)).decode()
        assert table.server_seed not in text
        assert json.loads(text)["game"] == table.header.game


@run_async
async def test_bots_that_do_not_know_a_box_cannot_be_brought_to_it(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(
            host, ChangeSettings("mb-yahtzee"), [(ANN, Sit("Ann")), (ANN, SitBot("cautious", "Bo"))]
        )
        error = await hosted.assert_refused(UnknownBot, CHICAGO)
        assert "cautious" in Translator("en").describe_error(error)
        await hosted.execute(ChangeSettings("tactic-xl-yatzy"))


@pytest.mark.parametrize(
    "edition",
    mostly_solve(["mb-yahtzee", "noris-yatzy", "tactic-xl-yatzy", "carlit-yatzy", "philos-yatzi"], "noris-yatzy"),
)
@run_async
async def test_the_actions_of_an_option_score_it_cross_it_out_or_announce_it(edition: str, tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(
            host, ChangeSettings(edition), [(ANN, Sit("Ann")), (BEN, Sit("Ben", real_dice=True))]
        )
        table, random = await hosted.begin_game(), Random(2)
        kinds = set()
        while await hosted.play_move(random):
            for tray in build_sheet_view(table, Translator("en").translate).trays:
                assert tray.prompt.count(table.header.seats[tray.seat].name) == 1
                assert tray.turn == table.state.turns[tray.seat]
                for option in tray.options:
                    kinds |= check_option(table, option)
        assert "action" in kinds


def check_option(table: Table, option: OptionView) -> set[str]:
    """Insist that what an option offers is legal, and what it does not is refused; gives the kinds offered."""
    found = set()
    plain: dict[str, Score | Announce] = {
        "action": Score(option.box),
        "cross_out_action": Score(option.box, cross_out=True),
        "announce_action": Announce(option.box),
    }
    for key, action in plain.items():
        if (text := getattr(option, key)) is not None:
            assert read_action(table.state, text) == action
            assert table.game.refusal(table.state, action) is None
            found.add(key)
    if table.state.dice:
        assert (option.action is None) == (option.refusal is not None)
        assert (option.cross_out_action is not None) == option.can_cross_out
    return found


@pytest.mark.parametrize(
    ("edition", "independent"),
    [("mb-yahtzee", True), ("tactic-xl-yatzy", True), ("carlit-chicago", True), ("noris-yatzy", False)],
)
@run_async
async def test_a_series_is_added_up_only_where_the_rules_say_so(
    edition: str, independent: bool, tmp_path: Path
) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, ChangeSettings(edition, games=2), [(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        views = [await series_of(hosted)]
        for _ in range(2):
            await hosted.begin_game()
            views.append(await series_of(hosted))
            await hosted.finish()
            views.append(await series_of(hosted))
        assert [view.number for view in views] == [1, 1, 2, 2, 2]
        assert [view.next for view in views] == [True, True, True, False, False]
        assert [len(view.totals) for view in views] == [0, 0, 1, 1, 2]
        assert {view.independent for view in views} == {independent}
        last = views[-1]
        if independent:
            assert (last.scores, last.places) == (None, None)
        else:
            assert last.scores == tuple(map(sum, zip(*last.totals, strict=True)))
            assert last.places is not None
            assert last.places[0][0] == max((0, 1), key=last.scores.__getitem__)


async def series_of(hosted: HostedRoom) -> SeriesView:
    """Give how the series of a room is shown."""
    return build_room_view(await hosted.room(), ANN, frozenset(), Translator("en").translate, {}).series


@pytest.mark.parametrize("settings", [ChangeSettings("tactic-xl-yatzy", text="da"), CHICAGO])
@run_async
async def test_whatever_a_player_does_is_said_about_them_and_to_them(tmp_path: Path, settings: ChangeSettings) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, settings, ((ANN, Sit("Ann")), (BEN, Sit("Ben"))))
        await hosted.begin_game()
        table, words = await hosted.play(Random(3), 60), Translator("en")
        said = [one for step in table.replay.steps for one in narrate(table, step)]
        addressed = {one.key: find_addressee(table, one) for one in said}
        assert {key for key, seat in addressed.items() if seat is None} <= {"interface.rounds.void"}
        for one in said:
            name = one.values.get("name")
            assert name is None or str(name) in words.translate(one)
            assert str(name) not in words.translate(address(one))
        assert set(addressed.values()) >= {0, 1}
        rename_players(table, ("Ann", "Ann"))
        assert all(find_addressee(table, one) is None for one in said)
    assert len(OWN_KEY_OF) > 20
