"""How devices of the tests prove who they are: each token has a secret of its own beside it."""

import hashlib


def derive_secret(token: str) -> str:
    """Derive the second secret of a device from its token, so that a test needs to keep one thing only."""
    return hashlib.sha256(f"second secret of {token}".encode()).hexdigest()


def proof_headers(token: str | None) -> dict[str, str]:
    """Give the headers with which a device asks for something; without a token there is no device."""
    return {} if token is None else {"Cookie": f"knobel={token}", "Knobel-Secret": derive_secret(token)}


def proof_protocols(token: str | None) -> list[str]:
    """Give the subprotocols with which a device opens a socket."""
    return ["knobel"] if token is None else ["knobel", f"secret.{derive_secret(token)}"]


def proof_script(token: str) -> str:
    """Write the script by which a browser has the secret of a device that came into being without it."""
    return f"localStorage['knobel.secret'] ??= '{derive_secret(token)}'"
