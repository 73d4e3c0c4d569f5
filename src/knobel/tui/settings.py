"""What a player prefers on this terminal: language, colours, motion, faces of the dice, speed of the bots."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from knobel.atomic_write import write_atomically
from knobel.host.archive import default_database_path
from knobel.lang import COMPLETE, choose_language
from knobel.rooms.names import clean_name

AUTO, LIGHT, DARK, NO_COLOUR = "auto", "light", "dark", "none"
PIPS, DIGITS = "pips", "digits"
FULL, OFF = "full", "off"
PACES = {"slow": 2.0, "even": 1.0, "quick": 0.3}
"""Seconds between two steps of a bot."""
CHOICES: Mapping[str, tuple[str, ...]] = {
    "theme": (AUTO, LIGHT, DARK, NO_COLOUR),
    "faces": (PIPS, DIGITS),
    "motion": (FULL, OFF),
    "pace": tuple(PACES),
}
"""What each setting may be."""
MOTION_SWITCHES = {"TEXTUAL_ANIMATIONS": "none", "REDUCE_MOTION": ""}
"""Variables of the environment that turn motion off, and the value that does; any, where none is named."""
LIGHT_BACKGROUNDS = {"7", "15"}
"""White, as terminals name their background in COLORFGBG."""


@dataclass(frozen=True, slots=True)
class ScreenSettings:
    """The settings as they are stored; no language means that of the system."""

    lang: str = ""
    theme: str = AUTO
    faces: str = PIPS
    motion: str = FULL
    pace: str = "even"
    name: str = ""
    bot: str = ""
    """The bot played against last time."""
    edition: str = ""
    """The edition played last."""

    @property
    def seconds(self) -> float:
        """How long bots wait between two steps."""
        return PACES[self.pace]

    def find_language(self) -> str:
        """Find the language of the screens."""
        return self.lang or choose_language(None)

    def find_theme(self, environment: Mapping[str, str]) -> str:
        """Find the colours: none where the environment asks for none, else as chosen, else as the terminal says."""
        if environment.get("NO_COLOR"):
            return NO_COLOUR
        if self.theme != AUTO:
            return self.theme
        return LIGHT if environment.get("COLORFGBG", "").rpartition(";")[2] in LIGHT_BACKGROUNDS else DARK

    def has_motion(self, environment: Mapping[str, str]) -> bool:
        return self.motion == FULL and not is_motion_off(environment)


def is_motion_off(environment: Mapping[str, str]) -> bool:
    """Tell whether the environment asks for screens that keep still."""
    return any(
        environment.get(name, "").casefold() == off if off else bool(environment.get(name))
        for name, off in MOTION_SWITCHES.items()
    )


def default_settings_path() -> Path:
    """Give the path of the settings: beside the games."""
    return default_database_path().with_name("terminal.json")


def read_settings(path: Path) -> ScreenSettings:
    """Read the settings; what is missing, unknown or unreadable is as it was at first."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ScreenSettings()
    known = {field.name for field in fields(ScreenSettings)}
    values = {name: value for name, value in stored.items() if name in known} if isinstance(stored, dict) else {}
    return replace(ScreenSettings(), **{name: value for name, value in values.items() if is_valid(name, value)})


def is_valid(name: str, value: object) -> bool:
    if not isinstance(value, str):
        return False
    if name == "lang":
        return value in COMPLETE
    if name == "name":
        return clean_name(value) == value
    return name not in CHOICES or value in CHOICES[name]


def write_settings(path: Path, settings: ScreenSettings) -> None:
    with write_atomically(path) as file:
        file.write(json.dumps(asdict(settings), ensure_ascii=False, indent=2).encode())
