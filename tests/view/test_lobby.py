"""What a device sees of the people in a room."""

from pathlib import Path
from random import Random

import pytest

from knobel.lang import Translator
from knobel.rooms.inks import INKS, choose_inks
from knobel.rooms.intents import Sit
from knobel.rooms.room import RoomSeat
from knobel.view.lobby import build_room_view
from tests.support.hosted_rooms import ANN, BEN, CID, HostedRoom, open_host, run_async


@run_async
async def test_only_the_device_of_a_seat_is_told_who_sits_there(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        hosted = await HostedRoom.open(host, seating=[(ANN, Sit("Ann")), (BEN, Sit("Ben"))])
        await hosted.begin_game()
        await hosted.finish(Random(1))
        room = await hosted.room()
        people = [seat.person for seat in room.seats]
        assert None not in people

        def see(device: str) -> list[str | None]:
            view = build_room_view(room, device, frozenset(), Translator("en").translate, {})
            return [seat.person for seat in view.seats]

        assert [see(device) for device in (ANN, BEN, CID)] == [[people[0], None], [None, people[1]], [None, None]]


@pytest.mark.parametrize(
    ("wishes", "colours"),
    [
        ((None, None, None), (0, 1, 2)),
        ((5, None, None), (5, 1, 2)),
        ((None, 0, None), (1, 0, 2)),
        ((3, 3, 3), (3, 1, 2)),
        ((None,) * 10, (0, 1, 2, 3, 4, 5, 6, 7, 0, 1)),
    ],
)
def test_seats_have_the_colours_of_their_people_and_no_two_the_same(
    wishes: tuple[int | None, ...], colours: tuple[int, ...]
) -> None:
    seats = [RoomSeat(str(place), None, colour=wish, emblem=wish) for place, wish in enumerate(wishes)]
    found = choose_inks(seats)
    assert tuple(colour for colour, _ in found) == tuple(emblem for _, emblem in found) == colours
    assert len(set(colours[:INKS])) == min(len(colours), INKS)
