"""Completion as shells ask for it: in a real bash, and in zsh and fish where they are installed."""

import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest

from knobel.cli import COMMANDS, find_command, main
from knobel.cli.completed_words import build_completed_commands
from knobel.cli.parser import HELP, expand_short_flag
from knobel.cli.shell_scripts import SHELLS
from knobel.lang import LANGUAGES, Translator
from knobel.rules import edition_ids

ROOT = Path(__file__).parents[2]
BASH = shutil.which("bash")


def write_script(shell: str, lang: str = "en") -> str:
    return SHELLS[shell](build_completed_commands(Translator(lang)))


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script for bash, as a file."""
    path = tmp_path_factory.mktemp("completion") / "knobel.bash"
    path.write_text(write_script("bash"), encoding="utf-8")
    return path


def complete(script: Path, *lines: str) -> list[list[str]]:
    """Let bash complete lines typed up to their ends; each has its own list of words."""
    asks = "\n".join(
        f'COMP_LINE={shell_quote(line)} COMP_POINT=${{#COMP_LINE}}; _knobel; printf "%s\\n" "${{COMPREPLY[@]}}" --end--'
        for line in (f"knobel {line}" for line in lines)
    )
    run = subprocess.run(
        [BASH or "bash", "--noprofile", "--norc", "-u", "-c", f"source {script}\n{asks}"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert run.stderr == ""
    return [[word for word in part.split("\n") if word] for part in run.stdout.split("--end--\n")[:-1]]


def shell_quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


needs_bash = pytest.mark.skipif(BASH is None, reason="bash is not installed")


@needs_bash
@pytest.mark.process
def test_bash_completes_every_command_and_every_option_of_it(script: Path) -> None:
    names, *flags = complete(script, "", *(f"{name} -" for name in COMMANDS))
    assert {*COMMANDS, "help", "--help", "--version", "--plain"} == set(names)
    for name, found in zip(COMMANDS, flags, strict=True):
        assert {option.flag for option in (*find_command(name).options, HELP)} <= set(found)
        assert all(parse_flag(name, flag) for flag in found)


def parse_flag(command: str, flag: str) -> bool:
    """Tell whether a command knows a flag, a short one too."""
    declared = find_command(command)
    return expand_short_flag(declared, flag) in {option.flag for option in (*declared.options, HELP)}


@needs_bash
@pytest.mark.process
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("pl", ["play"]),
        ("play mb", ["mb-yahtzee"]),
        ("play mb-yahtzee no", []),
        ("diff mb-yahtzee nor", ["noris-yatzy"]),
        ("diff --lang de mb-yahtzee nor", ["noris-yatzy"]),
        ("play mb-yahtzee --player bot:gr", ["greedy"]),
        ("simulate mb-yahtzee --bot gr", ["greedy"]),
        ("rules noris-yatzy --set must_fit=t", ["true"]),
        ("rules noris-yatzy --set must_f", ["must_fit=false", "must_fit=true"]),
        ("rules noris-yatzy --lang=d", ["da", "de"]),
        ("rules noris-yatzy -l d", ["da", "de"]),
        ("play --start r", ["random", "roll-off"]),
        ("check examples/house-rules/f", ["examples/house-rules/four-rolls.toml"]),
        ("replay tests/records/kn", ["tests/records/kniffel.knobel"]),
        ("replay tests/cli/test_comp", []),
        ("pad mb-yahtzee --output pypr", ["pyproject.toml"]),
        ("completion ", ["bash", "zsh", "fish"]),
        ("help jo", ["join"]),
        ("play mb-yahtzee --then nor", ["noris-yatzy"]),
        ("play --seed ", []),
        ("nonsense ", []),
    ],
)
def test_bash_completes_values(script: Path, line: str, found: list[str]) -> None:
    assert complete(script, line) == [found]


@needs_bash
@pytest.mark.process
def test_the_tabulator_key_completes_in_an_interactive_bash(script: Path) -> None:
    """Readline itself asks the script, and writes the rest of the word."""
    here, there = pty.openpty()
    shell = subprocess.Popen(
        [BASH or "bash", "--noprofile", "--norc", "-i"],
        stdin=there,
        stdout=there,
        stderr=there,
        cwd=ROOT,
        env={**os.environ, "TERM": "dumb", "PS1": "$ ", "INPUTRC": "/dev/null"},
        start_new_session=True,
    )
    os.close(there)
    try:
        # What knobel would do is of no interest here: the words that arrive are shown instead.
        os.write(here, f"source {script}; knobel() {{ printf '<%s>' \"$@\"; }}\n".encode())
        os.write(here, b"knobel rul\tnoris-y\t--set must_fit=f\t--la\tde\n")
        seen = ""
        while "<rules>" not in seen:
            seen += os.read(here, 4096).decode(errors="replace")
        while "<de>" not in seen:
            seen += os.read(here, 4096).decode(errors="replace")
        assert "<rules><noris-yatzy><--set><must_fit=false><--lang><de>" in seen
    finally:
        shell.kill()
        shell.wait()
        os.close(here)


@pytest.mark.process
@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_a_shell_that_is_installed_reads_its_script(shell: str, tmp_path: Path) -> None:
    if (program := shutil.which(shell)) is None:
        pytest.skip(f"{shell} is not installed: only what its script names is tested")
    path = tmp_path / f"knobel.{shell}"
    path.write_text(write_script(shell), encoding="utf-8")
    assert subprocess.run([program, "-n", str(path)], capture_output=True, text=True, check=False).stderr == ""


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_names_every_command_option_edition_and_language(shell: str) -> None:
    script = write_script(shell)
    for command in build_completed_commands(Translator("en")):
        assert command.name in script
        for option in command.options:
            for flag in option.flags:
                assert (flag if shell != "fish" else flag.lstrip("-")) in script
    for word in (*edition_ids(), *LANGUAGES, "cautious", "must_fit=true"):
        assert word in script


@pytest.mark.parametrize("shell", ["zsh", "fish"])
@pytest.mark.parametrize("lang", ["en", "fr", "uk"])
def test_every_quote_of_a_script_is_closed(shell: str, lang: str) -> None:
    """A description with an apostrophe is the usual way to break a script; this needs no shell."""
    for line in write_script(shell, lang).splitlines():
        text = line.replace("'\\''", "") if shell == "zsh" else line.replace("\\\\", "").replace("\\'", "")
        assert text.startswith("#") or text.count("'") % 2 == 0, line


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_writes_the_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell, "--lang", "en"]) == 0
    assert capsys.readouterr().out == write_script(shell)


def test_another_shell_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "csh", "--lang", "en"]) == 2
    assert capsys.readouterr().err == (
        "There is no completion for “csh”. Did you mean zsh? Choose from: bash, zsh, fish.\n"
    )
