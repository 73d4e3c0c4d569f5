"""Devices: a cookie and a second secret together speak for an identity, to which seats belong; a code moves it."""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from knobel.errors import DeviceUnproven, RecoveryCodeInvalid
from knobel.host.room_setup import CODE_LETTERS
from knobel.store import (
    AddDevice,
    BindDevice,
    MoveIdentity,
    PutRecoveryCode,
    Store,
    StoredDevice,
    TouchDevice,
    UseRecoveryCode,
    WriteConflict,
)

RECOVERY_LENGTH = 10
RECOVERY_SECONDS = 600.0
TOUCH_SECONDS = 86400.0
"""How long a device is away before its coming back is written down."""


@dataclass(frozen=True, slots=True)
class DeviceProof:
    """What somebody brought along: the hash of the cookie, and the hash of the secret."""

    device: str
    secret: str


class Devices:
    """Knows which seats belong to whom.

    A cookie goes to every port of a host, a secret only to the origin whose page drew it. The first secret that comes
    with a cookie is bound to it; with any other one the cookie speaks for nobody.
    """

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self.store = store
        self.clock = clock

    async def find(self, proof: DeviceProof) -> str | None:
        """Find the identity somebody speaks for; `None` for a device that is new here."""
        known = await self.store.list_device_keys(proof.device)
        if not known:
            return None
        for one in known:
            if one.secret == proof.secret:
                if one.idle > TOUCH_SECONDS:
                    await self.store.commit(TouchDevice(one.identity))
                return one.identity
        raise DeviceUnproven

    async def bind(self, proof: DeviceProof) -> str:
        """Bind a new device to its secret, and give its identity."""
        try:
            await self.store.commit(BindDevice(proof.device, proof.secret))
        except WriteConflict:
            if (found := await self.find(proof)) is None:
                raise DeviceUnproven from None
            return found
        return proof.device

    async def start_anew(self, proof: DeviceProof) -> None:
        """Let a secret that proves nothing speak for a new identity, without any seats."""
        try:
            if await self.find(proof) is None:
                await self.bind(proof)
        except DeviceUnproven:
            await self.store.commit(AddDevice(proof.device, proof.secret, draw_identity()))

    async def issue_code(self, identity: str) -> str:
        """Draw a code with which another browser gets the seats of this one; it works once, and not for long."""
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(RECOVERY_LENGTH))
        now = self.clock()
        await self.store.commit(PutRecoveryCode(hash_code(code), identity, now + RECOVERY_SECONDS, now))
        return code

    async def redeem_code(self, proof: DeviceProof, code: str) -> tuple[str, ...]:
        """Move the seats to the browser that enters the code, and its own seats to the one that showed it.

        So no seat is ever without a browser. Gives the identities that are spoken for by another one now.
        """
        now, hashed = self.clock(), hash_code(code)
        identity = await self.store.find_recovery_code(hashed, now)
        source = None if identity is None else await self.store.find_device_by_identity(identity)
        if source is None:
            raise RecoveryCodeInvalid
        own = await self.find_own(proof)
        if own == source.identity:
            return ()
        try:
            await self.store.commit(UseRecoveryCode(hashed, now), *plan_move(source, proof, own))
        except WriteConflict:
            raise RecoveryCodeInvalid from None
        return (source.identity,) if own is None else (source.identity, own)

    async def find_own(self, proof: DeviceProof) -> str | None:
        """Find what a browser speaks for before it is given something else; a new device is bound first."""
        try:
            return await self.find(proof) or await self.bind(proof)
        except DeviceUnproven:
            return None


def plan_move(source: StoredDevice, proof: DeviceProof, own: str | None) -> tuple[AddDevice | MoveIdentity, ...]:
    """Plan to swap two identities, or to give the only one away; no two rows ever have the same."""
    spare = draw_identity()
    leave = MoveIdentity(source.device, source.secret, source.identity, spare)
    if own is None:
        return leave, AddDevice(proof.device, proof.secret, source.identity)
    return (
        leave,
        MoveIdentity(proof.device, proof.secret, own, source.identity),
        MoveIdentity(source.device, source.secret, spare, own),
    )


def draw_identity() -> str:
    return secrets.token_hex(32)


def hash_code(code: str) -> str:
    """Hash a code as it was read aloud or typed."""
    return hashlib.sha256(code.strip().upper().replace("-", "").replace(" ", "").encode()).hexdigest()
