"""Where a server is open and how it runs: its options, and the names it is known by."""

import contextlib
import re
import socket
from dataclasses import dataclass
from ipaddress import ip_address, ip_network

from knobel.errors import AdminAddressInvalid, ProxyAddressInvalid, PublicUrlInvalid
from knobel.rules.fields import abbreviate
from knobel.web.requests import parse_host

LOOPBACK = "127.0.0.1"
ALL_INTERFACES = "0.0.0.0"  # noqa: S104
DEFAULT_PORTS = {"http": 80, "https": 443}
MAX_PORT = 65535
MAX_WORKERS = 64


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where the server is open: its port, whether to the whole network, and what is allowed there; and how it runs."""

    port: int
    lan: bool = False
    house_rules: bool = False
    public_url: str | None = None
    proxies: tuple[str, ...] = ()
    """The addresses of proxies that are believed when they say for whom they ask."""
    open_history: bool = False
    """Whether everybody may see the games and statistics of everybody."""
    exact_chances: bool = False
    """Whether exact chances to win are worked out for others, too."""
    workers: int = 1
    """How many processes serve."""
    admin: tuple[str, int] | None = None
    """Where whoever runs the server asks how it is."""
    log_json: bool = False
    keep_days: int | None = None
    """For how many days the moves of a finished game are kept; for ever if nothing is said."""
    solve_seconds: int | None = None
    solve_megabytes: int | None = None
    """What a solve may take, where the usual limits do not suit this machine."""

    @property
    def url(self) -> str:
        """The address on this machine."""
        return f"http://localhost:{self.port}/"

    @property
    def lan_url(self) -> str | None:
        """The address in the network."""
        address = find_lan_address() if self.lan else None
        return f"http://{address}:{self.port}" if address else None


def list_host_names(options: ServerOptions) -> frozenset[str]:
    """List the names this server may be called by."""
    names = {"localhost", LOOPBACK, "::1"}
    if options.lan:
        names |= {socket.gethostname().lower(), f"{socket.gethostname().lower()}.local", *list_own_addresses()}
    if options.public_url:
        names.add(parse_host(options.public_url.partition("://")[2]))
    return frozenset(names)


def list_own_addresses() -> set[str]:
    found = {address for address in (find_lan_address(),) if address}
    with contextlib.suppress(OSError):
        found |= {str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    return found


def find_lan_address() -> str | None:
    """Find the address other devices know this machine by; nothing is sent."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.255.255.255", 1))
        address = str(probe.getsockname()[0])
        return None if address.startswith("127.") else address
    return None


def read_public_url(value: str) -> str:
    """Check the public address: a scheme, a name, perhaps a port, and nothing else; write it as browsers do."""
    scheme, _, host = value.removesuffix("/").partition("://")
    port, own_port = DEFAULT_PORTS.get(scheme.lower()), re.search(r":(\d+)$", host)
    if port is None or not parse_host(host) or (own_port and not 0 < int(own_port[1]) <= MAX_PORT):
        raise PublicUrlInvalid(value=abbreviate(value))
    return f"{scheme}://{host.removesuffix(f':{port}')}".lower()


def read_proxies(value: str) -> tuple[str, ...]:
    """Check the addresses of trusted proxies."""
    found = tuple(part.strip() for part in value.split(",") if part.strip())
    for part in found:
        try:
            ip_network(part, strict=False)
        except ValueError:
            raise ProxyAddressInvalid(value=abbreviate(part)) from None
    return found


def read_admin_address(value: str) -> tuple[str, int]:
    """Read the address for whoever runs the server: a number and a port."""
    name, _, port = value.rpartition(":")
    try:
        address = str(ip_address(name.strip("[]")))
    except ValueError:
        raise AdminAddressInvalid(value=abbreviate(value)) from None
    # Nobody would learn which port 0 has become.
    if not port.isdecimal() or len(port) > len(str(MAX_PORT)) or not 0 < int(port) <= MAX_PORT:
        raise AdminAddressInvalid(value=abbreviate(value))
    return address, int(port)
