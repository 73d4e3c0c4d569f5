"""Whether the full-screen game can be shown here, and how it starts."""

import gc
import os
import sys
from collections.abc import Mapping

from knobel.cli.screen import say
from knobel.extras import TUI, find_missing
from knobel.lang import Translator, choose_language

POOR_TERMINALS = {"", "dumb", "unknown"}
"""Terminals that cannot move their cursor, as they call themselves."""
PLAIN_SWITCHES = ("KNOBEL_PLAIN", "ACCESSIBLE")
"""Variables with which somebody asks for lines of text, for a screen reader for example."""


def can_show(environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether somebody sits at a terminal that can show a full screen and wants one."""
    if environment.get("TERM", "") in POOR_TERMINALS or any(environment.get(name) for name in PLAIN_SWITCHES):
        return False
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def is_installed(words: Translator) -> bool:
    """Tell whether the full-screen game is installed; if not, say what to install."""
    error = find_missing(TUI)
    if error is not None:
        say(words.describe_error(error), aside=True)
    return error is None


def show(database: str | None, lang: str | None) -> None:
    """Play on the full screen until the player quits."""
    # What is imported stays; looking for garbage among it would take a tenth of the start.
    gc.disable()
    from knobel.cli.room_client import open_host

    if lang is not None:
        lang = choose_language(lang)
    with open_host(database, paced=True) as (runner, host):
        # Textual is large, and nothing else needs it.
        from knobel.tui.app import KnobelApp
        from knobel.tui.settings import default_settings_path

        runner.run(KnobelApp(host, default_settings_path(), lang=lang).run_async())
