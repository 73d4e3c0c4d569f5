"""A server with a public name, and pages that are the same for everybody."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from knobel.errors import ProxyAddressInvalid, PublicUrlInvalid, ServerBusy
from knobel.web.options import ServerOptions, list_host_names, read_proxies, read_public_url
from knobel.web.rendered import MAX_WAITING, RenderedAnswers
from tests.support.devices import ZERO_HASH, Device, RunningServer, run_server
from tests.support.hosted_rooms import run_async
from tests.support.proofs import proof_headers
from tests.support.waiting import HANG_SECONDS, wait_until

PUBLIC = "https://dice.example"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with run_server(tmp_path_factory.mktemp("public"), "--public-url", PUBLIC) as found:
        yield found


@pytest.mark.process
def test_exactly_its_public_name_is_answered_with_secure_cookies_and_its_links(server: RunningServer) -> None:
    page = server.request("/", host="dice.example")
    assert page.status == 200
    assert "secure" in page.headers["set-cookie"].lower()
    for name in ("evil.example", "dice.example.evil", "xdice.example"):
        assert server.request("/", host=name).status == 421
    assert PUBLIC in server.request("/api/hello", host="dice.example").body.decode()


@pytest.mark.process
def test_without_the_public_name_the_cookie_is_kept_over_plain_http(server: RunningServer) -> None:
    page = server.request("/", host=f"localhost:{server.port}")
    assert page.status == 200
    assert "secure" not in page.headers["set-cookie"].lower()


@pytest.mark.process
@pytest.mark.parametrize(
    ("origin", "status"),
    [(PUBLIC, 400), ("http://dice.example", 403), ("https://evil.example", 403), ("https://dice.example:8443", 403)],
)
def test_by_its_public_name_only_its_own_pages_post(server: RunningServer, origin: str, status: int) -> None:
    proof = proof_headers(ZERO_HASH)
    answer = server.request("/api/codes", "POST", b"{", host="dice.example", origin=origin, **proof)
    assert answer.status == status


@pytest.mark.process
def test_the_proxy_alone_says_for_whom_it_asks(server: RunningServer) -> None:
    def guess(address: str, number: int) -> int:
        headers: dict[str, Any] = {"host": "dice.example", "origin": PUBLIC, **proof_headers(f"{number:064x}")}
        headers["x-forwarded-for"] = address
        return server.request("/api/codes", "POST", b'{"code":"AAAAAAAA"}', **headers).status

    assert [guess("10.0.0.1", number) for number in range(31)] == [404] * 30 + [429]
    assert guess("10.0.0.2", 99) == 404


@run_async
async def test_whoever_is_no_proxy_is_not_believed_for_whom_it_asks(server: RunningServer) -> None:
    async def guess(number: int) -> int:
        liar = Device(server.port, address="127.0.0.77")
        headers = {"Host": "dice.example", "Origin": PUBLIC, "X-Forwarded-For": f"10.0.1.{number}"}
        return (await liar.post("/api/codes", {"code": "AAAAAAAA"}, **headers)).status

    assert [await guess(number) for number in range(31)] == [404] * 30 + [429]


@pytest.mark.process
def test_another_site_gets_nothing_but_a_page_to_be_shown(server: RunningServer) -> None:
    foreign: dict[str, Any] = {"sec-fetch-site": "cross-site"}
    assert server.request("/api/rules?edition=hasbro-yahtzee", **foreign).status == 403
    assert server.request("/", **foreign | {"sec-fetch-mode": "navigate"}).status == 200


@pytest.mark.process
def test_rules_are_worked_out_once_and_known_again_by_their_tag(server: RunningServer) -> None:
    first = server.request("/api/rules?edition=hasbro-yahtzee")
    known: dict[str, Any] = {"if-none-match": first.headers["etag"]}
    again = server.request("/api/rules?edition=hasbro-yahtzee", **known)
    assert (first.status, again.status, again.body) == (200, 304, b"")
    assert server.request("/api/rules?edition=hasbro-yahtzee&lang=de").headers["etag"] != first.headers["etag"]
    known = {"if-none-match": server.request("/schema.json").headers["etag"]}
    assert server.request("/schema.json", **known).status == 304


def test_however_many_ask_at_once_an_answer_is_worked_out_once_and_the_loop_goes_on() -> None:
    built, may_finish = 0, threading.Event()

    def build() -> int:
        nonlocal built
        built += 1
        assert may_finish.wait(HANG_SECONDS)
        return built

    async def main() -> None:
        answers = RenderedAnswers()
        asking = asyncio.gather(*(answers.find("key", build) for _ in range(200)))
        await wait_until(lambda: built == 1)
        may_finish.set()
        assert {answer.content for answer in await asking} == {b"1"}
        answers.close()

    asyncio.run(main())


def test_only_so_many_different_answers_wait_to_be_worked_out() -> None:
    may_finish = threading.Event()

    async def main() -> None:
        answers = RenderedAnswers()
        asking = [
            asyncio.create_task(answers.find(key, lambda: may_finish.wait(HANG_SECONDS))) for key in range(MAX_WAITING)
        ]
        await asyncio.sleep(0)
        with pytest.raises(ServerBusy):
            await answers.find("one more", int)
        may_finish.set()
        assert {answer.content for answer in await asyncio.gather(*asking)} == {b"true"}
        assert (await answers.find("one more", int)).content == b"0"
        answers.close()

    asyncio.run(main())


@pytest.mark.process
def test_the_picture_of_a_link_is_drawn_once(server: RunningServer) -> None:
    async def open_room() -> str:
        async with Device(server.port).session() as device:
            return await device.open_room("Ann")

    path = f"/qr/{asyncio.run(open_room())}.svg"
    drawn = server.request(path)
    known: dict[str, Any] = {"if-none-match": drawn.headers["etag"]}
    assert (drawn.status, drawn.headers["content-type"], drawn.body[:5]) == (200, "image/svg+xml", b"<?xml")
    assert server.request(path, **known).status == 304


@pytest.mark.parametrize(
    ("value", "origin"),
    [
        ("https://dice.example:443/", PUBLIC),
        ("HTTPS://Dice.Example", PUBLIC),
        ("http://dice.example:80", "http://dice.example"),
        ("https://dice.example:80", "https://dice.example:80"),
        ("https://dice.example:8443", "https://dice.example:8443"),
        ("https://[2001:db8::443]", "https://[2001:db8::443]"),
    ],
)
def test_a_public_address_is_written_as_browsers_write_an_origin(value: str, origin: str) -> None:
    assert read_public_url(value) == origin


@pytest.mark.parametrize(
    "value",
    [
        "dice.example",
        "ftp://dice.example",
        "https://",
        "https://a b",
        "https://a/path",
        "https://a:0",
        "https://a:65536",
    ],
)
def test_what_is_no_address_is_refused(value: str) -> None:
    with pytest.raises(PublicUrlInvalid):
        read_public_url(value)


def test_addresses_of_proxies_are_numbers() -> None:
    assert ServerOptions(1).proxies == ()
    assert read_proxies("127.0.0.1, 10.0.0.0/8") == ("127.0.0.1", "10.0.0.0/8")
    with pytest.raises(ProxyAddressInvalid):
        read_proxies("proxy.example")
    assert "dice.example" in list_host_names(ServerOptions(1, public_url=read_public_url(f"{PUBLIC}/")))
