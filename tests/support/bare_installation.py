"""Knobel as it is without its extras: their packages cannot be imported, though they are installed here."""

import sys

from knobel.extras import EXTRAS

PACKAGES = sorted({package for extra in EXTRAS.values() for package in extra.packages} | {"llvmlite"})
WITHOUT_EXTRAS = f"import sys; sys.modules.update(dict.fromkeys({PACKAGES!r}))"
BARE_COMMAND = (sys.executable, "-c", f"{WITHOUT_EXTRAS}; from knobel.cli import main; sys.exit(main())")
"""What stands for `knobel` there."""
BARE_SERVE_COMMAND = (*BARE_COMMAND, "serve", "--no-open")
SOLVER_LINE = "Solving and the coach need the extra “solver”: pip install 'knobel[solver]'."
PAPER_LINE = "Printing needs the extra “paper”: pip install 'knobel[paper]'."
POSTGRES_LINE = "PostgreSQL needs one more package here: pip install 'knobel[postgres]'."
LAB_LINE = "The lab needs the extra “lab”: pip install 'knobel[lab]'."
BARE_PLAY = "play carlit-yatzy --player bot:greedy --player bot:cautious --player bot:random --seed 7"
WORKING = {
    "--version": "",
    "score mb-yahtzee 4 4 4 4 4": "Yahtzee",
    "rules noris-yatzy": "Chance",
    "editions": "tactic-xl-yatzy",
    "check two-dice.toml": "Two dice",
    "verify carlit-yatzy.knobel": "",
    "replay carlit-yatzy.knobel": "Total",
    BARE_PLAY: "Total",
    "play carlit-chicago --player bot:greedy --player bot:random --seed 7": "",
    "simulate mb-yahtzee --bot cautious --games 2": "cautious",
    "odds --help": "knobel odds",
    "review --help": "knobel review",
}
"""What works without extras, and a word of its answer."""
REFUSED = {
    "solve two-dice.toml": SOLVER_LINE,
    "solve carlit-chicago": SOLVER_LINE,
    "advise mb-yahtzee --dice 4 4 4 4 4": SOLVER_LINE,
    "odds two-dice.toml": SOLVER_LINE,
    "review carlit-yatzy.knobel": SOLVER_LINE,
    "simulate two-dice.toml": SOLVER_LINE,
    "simulate two-dice.toml --bot human:5 --games 1": SOLVER_LINE,
    "play mb-yahtzee --player bot:perfect": SOLVER_LINE,
    "play carlit-chicago --player bot:perfect --player bot:greedy": SOLVER_LINE,
    "pad tactic-xl-yatzy": PAPER_LINE,
    "leaflet tactic-xl-yatzy": PAPER_LINE,
    "print carlit-yatzy.knobel": PAPER_LINE,
    "sweep two-dice.toml": LAB_LINE,
    "games --database postgresql://localhost/knobel": POSTGRES_LINE,
}
"""What does not, and the one line that says what to install."""
