"""A room of a server as a terminal sees it: one that plays duplicate is for browsers."""

from pathlib import Path

import pytest

from knobel.client.address import RoomAddress
from knobel.client.device_file import DeviceFile
from knobel.client.messages import RoomNews
from knobel.client.remote_room import RemoteRoom
from knobel.errors import DuplicateNeedsBrowser
from knobel.lang import Translator
from knobel.rooms.intents import ChangeSettings
from knobel.view.lobby import build_room_view
from tests.support.hosted_rooms import ANN, HostedRoom, open_host, run_async


@run_async
async def test_a_terminal_says_that_duplicate_is_played_in_a_browser_and_where(tmp_path: Path) -> None:
    async with open_host(tmp_path) as host:
        for duplicate in (False, True):
            hosted = await HostedRoom.open(host, ChangeSettings("mb-yahtzee", duplicate=duplicate))
            view = build_room_view(await hosted.room(), ANN, frozenset(), Translator("en").translate, {})
            remote = RemoteRoom(RoomAddress("http://localhost:1", hosted.id), DeviceFile(tmp_path / "device"), "en")
            if not duplicate:
                await remote.handle_news(RoomNews(view))
                continue
            with pytest.raises(DuplicateNeedsBrowser) as refused:
                await remote.handle_news(RoomNews(view))
            assert refused.value.values["url"] == f"http://localhost:1/room/{hosted.id}"
