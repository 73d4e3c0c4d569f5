"""House-rule files that were brought in: stored once, and named by their fingerprint afterwards."""

from msgspec.structs import replace

from knobel.errors import HouseRulesUnknown
from knobel.host import Host
from knobel.rooms.documents import fingerprint_house_rules
from knobel.rooms.intents import AnyIntent, ChangeSettings
from knobel.store import PutHouseRules


class HouseRulesFiles:
    """The house-rule files in the store; settings that come over the wire name one by its fingerprint."""

    def __init__(self, host: Host) -> None:
        self.host = host

    async def keep(self, text: str) -> str:
        """Store a file and give its fingerprint; the same file again is the same row."""
        fingerprint = fingerprint_house_rules(text)
        await self.host.store.commit(PutHouseRules(fingerprint, text, self.host.clock()))
        return fingerprint

    async def resolve(self, intent: AnyIntent) -> AnyIntent:
        return await self.resolve_settings(intent) if isinstance(intent, ChangeSettings) else intent

    async def resolve_settings(self, settings: ChangeSettings) -> ChangeSettings:
        """Put the text of house rules in place of their fingerprint."""
        if settings.house_rules is None:
            return settings
        text = await self.host.store.find_house_rules(settings.house_rules)
        if text is None:
            raise HouseRulesUnknown
        return replace(settings, house_rules=text)
