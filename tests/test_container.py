"""The container: built and started where something here can build one, and checked by rules everywhere."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONTAINERFILE = ROOT / "Containerfile"
CONTENT = CONTAINERFILE.read_text(encoding="utf-8")
STEPS: list[tuple[str, str]] = re.findall(r"^([A-Z]+) ((?:\\\n|.)*)", CONTENT, re.MULTILINE)
BUILDERS = ("podman", "docker")


def find_builder() -> str | None:
    """Find a program that can build an image here: one that is installed, and whose service answers."""
    for name in filter(shutil.which, BUILDERS):
        if subprocess.run([name, "info"], capture_output=True, check=False).returncode == 0:
            return name
    return None


def values_of(word: str) -> list[str]:
    return [rest for one, rest in STEPS if one == word]


def test_every_image_has_a_version() -> None:
    images = [rest.split()[0] for rest in values_of("FROM")]
    images += re.findall(r"image: (\S+)", (ROOT / "compose.yaml").read_text(encoding="utf-8"))
    assert len(images) == 3
    assert [one for one in images if ":" not in one or one.endswith(":latest")] == []


def test_nobody_in_the_container_is_root_and_data_have_a_volume() -> None:
    assert values_of("USER")[-1].isdecimal()
    assert int(values_of("USER")[-1]) >= 1000
    assert values_of("VOLUME") == ["/data"]
    assert "XDG_DATA_HOME=/data" in values_of("ENV")[0]


def test_packages_are_pinned_and_nothing_is_fetched_unseen() -> None:
    assert values_of("ADD") == []
    installs = [line for rest in values_of("RUN") for line in rest.split("&&") if "pip install" in line]
    assert len(installs) == 2
    assert all("--no-cache-dir" in line and ("--require-hashes" in line or "--no-deps" in line) for line in installs)
    assert not any(fetcher in CONTENT for fetcher in ("curl ", "wget ", "apt-get"))


def test_whatever_is_copied_is_there_and_not_ignored() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if "!" in line}
    copied = {part for rest in values_of("COPY") if "--from" not in rest for part in rest.split()[:-1]}
    assert copied == allowed
    assert [one for one in copied if not (ROOT / one).exists()] == []


def test_the_container_says_whether_it_is_well_and_its_root_may_be_read_only() -> None:
    assert "http://localhost:8765/" in values_of("HEALTHCHECK")[0]
    assert values_of("EXPOSE") == ["8765"]
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert "read_only: true" in compose
    assert "tmpfs: [/tmp]" in compose
    assert "cap_drop: [ALL]" in compose
    assert "no-new-privileges:true" in compose


def test_the_password_stands_in_no_command_and_others_reach_the_server_by_a_name_that_can_be_chosen() -> None:
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    (command,) = re.findall(r"command: .*", compose)
    assert "KNOBEL_PASSWORD" not in command
    assert '--public-url, "${KNOBEL_URL:-http://localhost:8765}"' in command
    assert len(re.findall(r"PASSWORD: \$\{KNOBEL_PASSWORD:\?choose a password\}", compose)) == 2


@pytest.mark.rest
@pytest.mark.process
def test_it_is_built_and_runs_with_a_root_it_cannot_write() -> None:
    builder = find_builder() or pytest.skip("nothing here can build a container")
    subprocess.run(
        [builder, "build", "--quiet", "--tag", "knobel-test", "-f", CONTAINERFILE, "."], cwd=ROOT, check=True
    )
    command = [builder, "run", "--rm", "--read-only", "--tmpfs", "/tmp", "knobel-test", "editions"]  # noqa: S108
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "XL Yatzy" in answer.stdout
