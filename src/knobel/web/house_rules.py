"""House-rule files that were brought in, by their fingerprint."""

from collections import OrderedDict

from msgspec.structs import replace

from knobel.errors import HouseRulesUnknown
from knobel.rooms.intents import AnyIntent, ChangeSettings
from knobel.view.lobby import fingerprint_file

MAX_FILES = 256


class HouseRulesFiles:
    """The files that were brought in last; settings name one by its fingerprint."""

    def __init__(self) -> None:
        self.texts: OrderedDict[str, str] = OrderedDict()

    def keep(self, text: str) -> str:
        """Keep a file and give its fingerprint."""
        fingerprint = fingerprint_file(text) or ""
        self.texts[fingerprint] = text
        self.texts.move_to_end(fingerprint)
        while len(self.texts) > MAX_FILES:
            self.texts.popitem(last=False)
        return fingerprint

    def resolve(self, intent: AnyIntent) -> AnyIntent:
        return self.resolve_settings(intent) if isinstance(intent, ChangeSettings) else intent

    def resolve_settings(self, settings: ChangeSettings) -> ChangeSettings:
        """Put the text of house rules in place of their fingerprint."""
        if settings.house is None:
            return settings
        if (text := self.texts.get(settings.house)) is None:
            raise HouseRulesUnknown
        return replace(settings, house=text)
