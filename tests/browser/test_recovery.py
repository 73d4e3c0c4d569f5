"""Seats in a real browser: another port that gets the cookie takes none, and a code moves them."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from knobel.web.wire import WIRE_VERSION
from tests.support.browser import OpenScreen, Screen, Server

ZERO_SECRET = "0" * 64


@contextmanager
def listen_elsewhere() -> Iterator[tuple[int, list[str]]]:
    """Run another web server of the same host, which notes the cookies it is sent."""
    cookies: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            cookies.append(self.headers.get("Cookie") or "")
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"hello")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        yield other.server_address[1], cookies
        other.shutdown()


def find_own_rooms(one: Screen, room: str) -> list[str]:
    """Ask, as the page does, in which rooms this browser has seats."""
    found: list[str] = one.page.evaluate(
        """async (room) => {
            const { fetchRooms } = await import("/static/api.js");
            return (await fetchRooms([room])).map((one) => one.id);
        }""",
        room,
    )
    return found


def open_own_room(one: Screen, server: Server) -> str:
    """Open a room with a seat of this browser, and give its id."""
    one.open_home(server.url).choose_edition("mb-yahtzee").open_room("Ann")
    one.wait_for("[data-link]")
    return one.page.url.rpartition("/")[2]


def show_code(one: Screen) -> str:
    """Show a recovery code by way of the settings."""
    one.open_settings().press("[data-act=show-code]")
    return one.find("[data-recovery-code]").inner_text()


def move_seats(one: Screen, other: Screen) -> str:
    """Move the seats of one browser to another by a code; give a code that brings them back."""
    code = show_code(one)
    other.open_settings().press("[data-act=enter-code]")
    other.type_into("[data-field=recovery-code]", code)
    with other.page.expect_navigation():
        other.press("[data-act=recover]")
    other.wait_for("[data-edition]")
    return show_code(other)


def test_another_web_server_of_the_host_gets_the_cookie_and_takes_no_seat(screen: OpenScreen, server: Server) -> None:
    one = screen()
    room = open_own_room(one, server)
    with listen_elsewhere() as (port, cookies):
        one.page.goto(f"http://localhost:{port}/")
    stolen = next(cookie for cookie in cookies if "knobel=" in cookie)
    address = f"ws://localhost:{server.port}/ws/{WIRE_VERSION}/{room}"
    with connect(
        address,
        origin=Origin(server.url),
        additional_headers={"Cookie": stolen},
        subprotocols=[Subprotocol("knobel"), Subprotocol(f"secret.{ZERO_SECRET}")],
        proxy=None,
    ) as socket:
        first = json.loads(socket.recv())
    assert (first["is"], first["code"]) == ("refused", "device_unproven")
    headers = {"Cookie": stolen, "Origin": server.url, "Knobel-Secret": ZERO_SECRET}
    with pytest.raises(HTTPError) as refused:
        urlopen(Request(f"{server.url}/api/device/code", b"{}", headers))  # noqa: S310
    with refused.value as answer:
        assert answer.code == 403
    one.page.goto(f"{server.url}/room/{room}")
    one.wait_for("[data-link]")
    assert find_own_rooms(one, room) == [room]


@pytest.mark.rest
def test_a_code_of_the_settings_moves_the_seats_to_another_browser(screen: OpenScreen, server: Server) -> None:
    one, other = screen("phone"), screen("desktop")
    room = open_own_room(one, server)
    code = show_code(one)
    other.open_home(server.url).open_settings().press("[data-act=enter-code]")
    other.expected_problems = ("400 (Bad Request)",)
    other.type_into("[data-field=recovery-code]", "22222-22222")
    other.press("[data-act=recover]")
    other.wait_for(".recovery-form .wrong:not(:empty)")
    other.type_into("[data-field=recovery-code]", code.lower())
    with other.page.expect_navigation():
        other.press("[data-act=recover]")
    assert find_own_rooms(other, room) == [room]
    assert find_own_rooms(one, room) == []


@pytest.mark.rest
def test_a_browser_whose_storage_was_cleared_says_so_and_takes_a_code_or_starts_as_a_new_device(
    screen: OpenScreen, server: Server
) -> None:
    one, helper = screen("phone"), screen()
    room = open_own_room(one, server)
    helper.open_home(server.url)
    code = move_seats(one, helper)
    one.page.evaluate("localStorage.clear()")
    one.expected_problems = ("403 (Forbidden)",)
    one.page.goto(f"{server.url}/room/{room}")
    one.wait_for("dialog [data-act=new-device]")
    one.type_into("[data-field=recovery-code]", code)
    with one.page.expect_navigation():
        one.press("[data-act=recover]")
    one.wait_for("[data-link]")
    assert find_own_rooms(one, room) == [room]
    one.page.evaluate("localStorage.clear()")
    one.page.goto(f"{server.url}/room/{room}")
    with one.page.expect_navigation():
        one.press("[data-act=new-device]")
    one.wait_for("[data-link]")
    assert find_own_rooms(one, room) == []


@pytest.mark.rest
def test_without_any_storage_a_page_plays_on_as_long_as_it_is_open(screen: OpenScreen, server: Server) -> None:
    one = screen()
    one.page.add_init_script(
        """for (const name of ["localStorage", "sessionStorage"])
            Object.defineProperty(window, name, { get() { throw new DOMException("blocked", "SecurityError"); } });"""
    )
    room = open_own_room(one, server)
    assert find_own_rooms(one, room) == [room]
