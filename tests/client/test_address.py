"""Links and codes as people paste and type them."""

import pytest

from knobel.client.address import RoomAddress, parse_address, parse_server
from knobel.errors import RoomAddressInvalid, ServerAddressInvalid

HERE = "http://localhost:8765"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("http://localhost:8765/room/WL61e98D0szvsjLy", RoomAddress(HERE, "WL61e98D0szvsjLy")),
        ("http://localhost:8765/room/abc/screen", RoomAddress(HERE, "abc")),
        (" http://LOCALHOST:8765/room/abc/ ", RoomAddress(HERE, "abc")),
        ("192.168.1.20:8765/room/abc", RoomAddress("http://192.168.1.20:8765", "abc")),
        ("https://dice.example/room/abc?lang=de", RoomAddress("https://dice.example", "abc")),
        ("http://[::1]:8765/room/abc", RoomAddress("http://[::1]:8765", "abc")),
        ("K7MX2PQR", RoomAddress(HERE, code="K7MX2PQR")),
        ("k7mx-2pqr", RoomAddress(HERE, code="K7MX2PQR")),
        ("K7MX 2PQR", RoomAddress(HERE, code="K7MX2PQR")),
    ],
)
def test_a_link_or_a_code_names_a_room(text: str, address: RoomAddress) -> None:
    assert parse_address(text, HERE) == address


@pytest.mark.parametrize(
    "text", ["", "?", "http://localhost:8765/", "http://localhost/room/", "http://[::1/room/x", "a b/c"]
)
def test_anything_else_names_none(text: str) -> None:
    with pytest.raises((RoomAddressInvalid, ServerAddressInvalid)):
        parse_address(text, HERE)


@pytest.mark.parametrize(
    "server",
    ["ftp://x", "file:///etc/passwd", "http://", "http://a b", "http://me@host", "http://a:0", "http://a:65536"],
)
def test_only_the_address_of_a_server_is_one(server: str) -> None:
    with pytest.raises(ServerAddressInvalid):
        parse_server(server)


def test_sockets_are_as_safe_as_the_page() -> None:
    assert RoomAddress("https://dice.example", "abc").build_socket_url(5, "de") == "wss://dice.example/ws/5/abc?lang=de"
    assert RoomAddress(HERE, "abc").build_socket_url(5, "en") == "ws://localhost:8765/ws/5/abc?lang=en"
    assert RoomAddress(HERE, "abc").link == "http://localhost:8765/room/abc"
