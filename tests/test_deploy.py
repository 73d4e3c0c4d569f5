"""What docs/hosting.md promises and deploy/ holds: limits as they are, files that servers and proxies accept."""

import asyncio
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TypeAlias
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from knobel.host import Host
from knobel.store.sqlite import SqliteStore
from knobel.web.hubs import RoomHubs
from knobel.web.readiness import Readiness
from tests.processes.test_kill import check_kept, play_through_kills
from tests.support.ports import free_port
from tests.support.postgres import postgres_address, postgres_server
from tests.support.socket_players import SERVE_COMMAND, ServerProcess
from tests.support.waiting import HANG_SECONDS, poll_until
from tests.support.worker_servers import WorkerServer

__all__ = ["postgres_address", "postgres_server"]

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
GUIDE = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
LIMITS = re.findall(r"^\| [^|]+ \| ([\d,]+) \| `([\w.]+)\.(\w+)` \|$", GUIDE, re.MULTILINE)
TIMES = 3
"""How often each room is asked for."""
MOST_EXPOSED = 2.0
"""How exposed systemd may find the service, from 0 to 10."""


@pytest.mark.parametrize(("number", "module", "name"), LIMITS, ids=[name for _, _, name in LIMITS])
def test_a_limit_in_the_guide_is_the_one_of_the_program(number: str, module: str, name: str) -> None:
    assert int(number.replace(",", "")) == getattr(import_module(f"knobel.{module}"), name)


def test_the_table_of_limits_is_read_whole() -> None:
    table = GUIDE.partition("## Limits")[2].partition("\n## ")[0]
    assert len(LIMITS) == len(re.findall(r"^\| [^|]+ \| .*\d", table, re.MULTILINE)) > 20


def test_no_limit_on_devices_addresses_or_rooms_is_missing_in_the_table() -> None:
    told = {(module, name) for _, module, name in LIMITS}
    for module in ("web.rate_limits", "rooms.lobby"):
        limits = [name for name in vars(import_module(f"knobel.{module}")) if re.search("_PER_|^MAX_(?!FORMER)", name)]
        assert {(module, name) for name in limits} <= told


def test_every_metric_is_in_the_guide_and_nothing_else_is(tmp_path: Path) -> None:
    async def list_metrics() -> set[str]:
        host = Host(await SqliteStore.open(tmp_path / "games.db"))
        try:
            return {metric.name for metric in Readiness(host, RoomHubs(host)).collect_own()}
        finally:
            await host.close()

    told = set(re.findall(r"`((?:knobel|process)_\w+)`", GUIDE.partition("## How it is doing")[2].partition("##")[0]))
    parent = {"knobel_workers", "knobel_worker_deaths_total", "knobel_waiting_connections"}
    assert told == asyncio.run(list_metrics()) | parent


def test_files_for_programs_name_the_same_machine_and_no_path_is_logged() -> None:
    for name in ("nginx.conf", "Caddyfile", "knobel.service"):
        assert "dice.example" in (DEPLOY / name).read_text(encoding="utf-8")
    nginx = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    assert len(re.findall(r"access_log off;", nginx)) == len(re.findall(r"^server \{", nginx, re.MULTILINE))
    compose = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    assert [image for image in re.findall(r"image: (\S+)", compose) if not re.search(r":\d", image)] == []
    assert "KNOBEL_PASSWORD" not in "".join(re.findall(r"command: .*", compose))


@pytest.mark.rest
@pytest.mark.process
def test_systemd_accepts_the_service_and_finds_it_well_protected(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze") or pytest.skip("there is no systemd here")
    unit = tmp_path / "knobel.service"
    text = (DEPLOY / "knobel.service").read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/knobel/bin/knobel", shutil.which("true") or ""), encoding="utf-8")
    verified = subprocess.run([analyze, "verify", unit], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")
    rated = subprocess.run([analyze, "security", "--offline=true", unit], capture_output=True, text=True, check=False)
    (exposure,) = re.findall(r"exposure level for knobel.service: ([\d.]+)", rated.stdout)
    assert float(exposure) <= MOST_EXPOSED


@pytest.mark.process
@pytest.mark.parametrize("is_file", [True, False], ids=["file", "name"])
def test_a_service_manager_is_told_when_pages_can_be_opened(tmp_path: Path, is_file: bool) -> None:
    address = str(tmp_path / "notify") if is_file else f"\0knobel-{tmp_path}"
    port = free_port()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(address)
        manager.settimeout(HANG_SECONDS)
        command = [*SERVE_COMMAND, "--port", str(port), "--database", f"sqlite:///{tmp_path / 'games.db'}"]
        told = {**os.environ, "NOTIFY_SOCKET": address.replace("\0", "@")}
        with subprocess.Popen(command, env=told, stdout=subprocess.DEVNULL) as server:
            try:
                assert manager.recv(100) == b"READY=1"
                assert is_listening(port)
            finally:
                server.terminate()


def test_the_options_of_the_service_are_those_of_the_program() -> None:
    from knobel.cli import find_command

    known = {option.flag for option in find_command("serve").options}
    for name in ("knobel.service", "compose.yaml"):
        text = (DEPLOY / name).read_text(encoding="utf-8")
        (command,) = re.findall(r"^.*\bserve\b.*--port.*$", text, re.MULTILINE)
        assert set(re.findall(r"(?<![\w-])--[a-z-]+", command)) <= known


Ports: TypeAlias = tuple[int, ...]
"""Where the servers behind a proxy are; of several the proxy chooses by the room."""


@contextmanager
def run_nginx(folder: Path, port: int, upstreams: Ports) -> Iterator[Path]:
    """Run nginx with the file of deploy/, on other ports and with a certificate made on the spot; give that."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or pytest.skip("there is no nginx here")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    made: list[str | Path] = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        key,
        "-out",
        certificate,
    ]
    about = ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([*made, *about], check=True, capture_output=True)
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8").replace("dice.example", "localhost")
    site = re.sub(r"ssl_certificate .*;", f"ssl_certificate {certificate};", site)
    site = re.sub(r"ssl_certificate_key .*;", f"ssl_certificate_key {key};", site)
    site = site.replace("listen 443 ", f"listen 127.0.0.1:{port} ").replace(
        "listen 80;", f"listen 127.0.0.1:{free_port()};"
    )
    servers = "\n".join(f"server 127.0.0.1:{upstream};" for upstream in upstreams)
    site = site.replace("server 127.0.0.1:8765;", servers)
    if len(upstreams) > 1:
        site = site.replace("# hash ", "hash ")
    (folder / "site.conf").write_text(site, encoding="utf-8")
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\n{'user root;' if os.geteuid() == 0 else ''}\n"
        f"events {{}}\nhttp {{\n{temporary}include {folder}/site.conf;\n}}\n",
        encoding="utf-8",
    )
    start: list[str | Path] = [program, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log"]
    tried = subprocess.run([*start, "-t"], capture_output=True, text=True, check=False)
    assert "test is successful" in tried.stderr, tried.stderr
    with subprocess.Popen(start, stderr=subprocess.DEVNULL) as process:
        try:
            poll_until((folder / "pid").exists)
            yield certificate
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(HANG_SECONDS)


def run_doctor(url: str, certificate: Path | None = None) -> tuple[int, str]:
    """Let the doctor check a server from outside."""
    trusted = {} if certificate is None else {"SSL_CERT_FILE": str(certificate)}
    done = subprocess.run(
        [sys.executable, "-m", "knobel", "doctor", "--server", url, "--lang", "en"],
        env={**os.environ, **trusted},
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_SECONDS,
    )
    return done.returncode, done.stdout + done.stderr


@contextmanager
def run_caddy(folder: Path, port: int, upstreams: Ports) -> Iterator[Path]:
    """Run Caddy with the file of deploy/, on other ports and with a certificate of its own; give what it is known by.

    For `localhost` Caddy signs the certificate itself, as for any other name a public authority does.
    """
    program = shutil.which("caddy") or pytest.skip("there is no Caddy here")
    site = (DEPLOY / "Caddyfile").read_text(encoding="utf-8").replace("dice.example", "localhost")
    settings = "\n".join(
        ("admin off", "skip_install_trust", f"http_port {free_port()}", f"https_port {port}", "default_bind 127.0.0.1")
    )
    file = folder / "Caddyfile"
    site = site.replace("127.0.0.1:8765", " ".join(f"127.0.0.1:{upstream}" for upstream in upstreams))
    if len(upstreams) > 1:
        site = re.sub(r"# (@room|request_header|lb_policy) ", r"\1 ", site)
    file.write_text(f"{{\n{settings}\n}}\n{site}", encoding="utf-8")
    own = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    start = [program, "run", "--config", str(file), "--adapter", "caddyfile"]
    certificate = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    with (folder / "caddy.log").open("w") as log, subprocess.Popen(start, env=own, stderr=log) as process:
        try:
            poll_until(lambda: process.poll() is not None or (certificate.exists() and is_listening(port)))
            assert process.poll() is None, (folder / "caddy.log").read_text()
            yield certificate
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(HANG_SECONDS)


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


PROXIES = {"nginx": run_nginx, "caddy": run_caddy}


@pytest.mark.rest
@pytest.mark.process
@pytest.mark.database
@pytest.mark.parametrize("proxy", PROXIES)
def test_a_proxy_with_our_file_passes_pages_and_sockets_on_to_two_workers(
    proxy: str, tmp_path: Path, postgres_address: str
) -> None:
    tmp_path.chmod(0o755)
    port = free_port()
    server = WorkerServer(postgres_address, 2, "--public-url", f"https://localhost:{port}")
    with PROXIES[proxy](tmp_path, port, (server.port,)) as certificate:
        code, said = run_doctor(f"https://localhost:{port}", certificate)
        assert (code, "problem" in said) == (1, True), f"{proxy} alone is no server"
        try:
            asyncio.run(server.start())
            poll_until(server.has_all_workers)
            code, said = run_doctor(f"https://localhost:{port}")
            assert (code, "No secure connection" in said) == (1, True), "nobody here trusts a certificate of our own"
            code, said = run_doctor(f"https://localhost:{port}", certificate)
        finally:
            server.kill()
    assert code == 0, said
    assert re.search(r"OK +https://localhost:\d+ answers after \d+ ms\.", said)


def count_unknown_rooms(admin: str) -> int:
    """Count how often a server of one process was asked for the sheet of a room it does not know."""
    with urlopen(f"http://{admin}/metrics", timeout=HANG_SECONDS) as answer:
        found = re.search(r'^knobel_requests_total\{.*status="404"\} (\d+)$', answer.read().decode(), re.MULTILINE)
    return int(found[1]) if found else 0


@pytest.mark.rest
@pytest.mark.process
@pytest.mark.database
@pytest.mark.parametrize("proxy", PROXIES)
def test_a_proxy_with_our_file_sends_a_room_always_to_the_same_of_two_servers(
    proxy: str, tmp_path: Path, postgres_address: str
) -> None:
    tmp_path.chmod(0o755)
    port = free_port()
    options = (*SERVE_COMMAND, "--public-url", f"https://localhost:{port}", "--admin")
    admins = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    servers = [ServerProcess(postgres_address, (*options, admin)) for admin in admins]
    with PROXIES[proxy](tmp_path, port, tuple(server.port for server in servers)) as certificate:
        trust = ssl.create_default_context(cafile=str(certificate))
        try:
            for server in servers:
                asyncio.run(server.start())
            chosen = list[int]()
            for number in range(12):
                for _ in range(TIMES):
                    with pytest.raises(HTTPError, match="404") as refused:
                        urlopen(f"https://localhost:{port}/api/rooms/{number:016}/sheet", context=trust)
                    refused.value.close()
                poll_until(lambda: sum(map(count_unknown_rooms, admins)) == TIMES * (len(chosen) + 1))
                chosen.append(count_unknown_rooms(admins[0]))
        finally:
            for server in servers:
                server.kill()
    assert {now - before for before, now in pairwise([0, *chosen])} == {0, TIMES}


@contextmanager
def run_debians_postgres() -> Iterator[str]:
    """Run the PostgreSQL that Debian installs, in a folder of its own; give the address of its database."""
    programs = max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)
    if programs is None:
        pytest.skip("there is no PostgreSQL of Debian here")
    # Not below the folder of the test, into which nobody else can look.
    folder = Path(tempfile.mkdtemp(prefix="knobel-debian-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
    user = "postgres" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    patient = {**os.environ, "PGCTLTIMEOUT": str(int(HANG_SECONDS))}

    def run(program: str, *arguments: str | Path) -> None:
        command = [programs / program, "-D", folder / "data", *arguments]
        subprocess.run(command, user=user, check=True, stdout=subprocess.DEVNULL, env=patient, cwd=folder)

    try:
        run("initdb", "-U", "postgres", "-A", "trust")
        run("pg_ctl", "-w", "-o", f"-h '' -k {folder}", "-l", folder / "log", "start")
        try:
            yield f"postgresql://postgres@/postgres?host={folder}"
        finally:
            run("pg_ctl", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


@pytest.mark.rest
@pytest.mark.process
@pytest.mark.database
def test_workers_play_and_die_on_the_postgresql_of_debian() -> None:
    with run_debians_postgres() as address:
        server = WorkerServer(address, 2)

        async def kill_worker(_: ServerProcess) -> None:
            server.kill_worker(Random(1))

        check_kept(asyncio.run(play_through_kills(server, 1, 21, crash=kill_worker, groups=4)))


COMPOSE_PROGRAMS = (("docker", "compose"), ("podman", "compose"), ("docker-compose",))


@pytest.mark.rest
@pytest.mark.process
@pytest.mark.parametrize("file", [DEPLOY / "compose.yaml", ROOT / "compose.yaml"], ids=["deploy", "root"])
def test_compose_understands_the_file_and_asks_for_what_is_missing(file: Path) -> None:
    def read_with(program: tuple[str, ...], *settings: str) -> subprocess.CompletedProcess[str]:
        asked = [*program, "-f", str(file), "config"]
        own = {name: value for name, value in os.environ.items() if not name.startswith("KNOBEL_")}
        own |= dict(setting.split("=") for setting in settings)
        return subprocess.run(asked, env=own, capture_output=True, text=True, check=False)

    given = ("KNOBEL_NAME=dice.example", "KNOBEL_PASSWORD=secret")
    found = [one for one in COMPOSE_PROGRAMS if shutil.which(one[0]) and has_version([*one, "version"])]
    program = found[0] if found else pytest.skip("there is no compose here")
    read = read_with(program, *given)
    assert read.returncode == 0, read.stderr
    assert {"knobel", "database"} <= set(re.findall(r"^  (\w+):$", read.stdout, re.MULTILINE))
    assert read_with(program).returncode != 0, "there is no password"


def has_version(command: Sequence[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
