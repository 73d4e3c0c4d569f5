"""What a terminal keeps for each server: private, whole, and drawn only once."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from knobel.client.device_file import MOST_GAMES, DeviceFile
from knobel.errors import DeviceFileInvalid, FileUnwritable

HERE = "http://localhost:8765"


@pytest.fixture
def device(tmp_path: Path) -> DeviceFile:
    return DeviceFile(tmp_path / "kept" / "devices.json")


def test_a_server_is_remembered_with_one_secret(device: DeviceFile) -> None:
    assert device.find_server(HERE) is None
    first = device.remember_server(HERE, "c" * 64)
    assert device.remember_server(HERE, "d" * 64) == first == device.find_server(HERE)
    assert device.remember_server("https://dice.example", "e" * 64).secret != first.secret
    assert stat.S_IMODE(device.path.stat().st_mode) == 0o600


def test_the_seed_of_a_game_is_drawn_once_with_what_was_promised_then(device: DeviceFile) -> None:
    device.remember_server(HERE, "c" * 64)
    assert device.find_seed(HERE, "game") is None
    drawn = device.draw_seed(HERE, "game", "promise")
    assert device.draw_seed(HERE, "game", "another promise") == drawn == DeviceFile(device.path).find_seed(HERE, "game")
    assert (len(bytes.fromhex(drawn.seed)), drawn.promise) == (32, "promise")
    assert device.draw_seed(HERE, "other", "promise").seed != drawn.seed


def test_terminals_at_once_draw_the_same_seed(device: DeviceFile) -> None:
    device.remember_server(HERE, "c" * 64)
    with ThreadPoolExecutor(8) as pool:
        drawn = list(pool.map(lambda _: DeviceFile(device.path).draw_seed(HERE, "game", "promise"), range(32)))
    assert len(set(drawn)) == 1


def test_the_oldest_games_are_forgotten(device: DeviceFile) -> None:
    device.remember_server(HERE, "c" * 64)
    for number in range(MOST_GAMES + 3):
        device.draw_seed(HERE, f"g{number}", "")
    assert device.find_seed(HERE, "g2") is None
    assert device.find_seed(HERE, f"g{MOST_GAMES + 2}") is not None


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"http://x": {}}', b"\xff"])
def test_a_damaged_file_is_named_and_left_alone(device: DeviceFile, content: bytes) -> None:
    device.path.parent.mkdir()
    device.path.write_bytes(content)
    with pytest.raises(DeviceFileInvalid):
        device.remember_server(HERE, "c" * 64)
    assert device.path.read_bytes() == content


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileUnwritable):
        DeviceFile(tmp_path / "file" / "devices.json").remember_server(HERE, "c" * 64)
