"""Mangled and malicious house-rule files: each is accepted, or refused in one line, quickly and in little memory."""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from random import Random

import pytest

import knobel.rules
from tests.support.house_rule_checker import CRASH, SOUND, CheckResult
from tests.support.house_rules import EXAMPLES, MAX_MESSAGE, MINIMAL_RULES, ROOT, to_toml
from tests.support.selection import mostly_rest
from tests.support.waiting import HANG_SECONDS

SECONDS = 2.0
"""The most processor time that a file may take, however busy the machine is."""
FILES = 300
TORTURE, BATCH = 4000, 500

VALID = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.toml"))]
PRINTED = [path.read_text(encoding="utf-8") for path in sorted(knobel.rules.EDITIONS_FOLDER.glob("*.toml"))]
KEYS = sorted(set(re.findall(r"[a-z_]+(?= *=)", "".join(VALID + PRINTED))))
VALUE = re.compile(r'(?<== )("[^"\n]*"|-?\d+|true|false|\[[^\]\n]*\])')
VALUES = sorted(set(VALUE.findall("".join(VALID))))
KEY = re.compile(r"[a-z_]+(?= *=)")
MARKS = ["\u0301", "\u0323", "\u0345", "\u05b0", "\u3099", "\u1dce"]
ODD_LETTERS = ["\u202e", "\u2066", "\u200b", "\u2028", "\u0085", "\x7f", "\ufeff", "\U000e0041", "\U0001f3b2", "\u0627"]
TOKENS = [
    *("=", ".", ",", "[", "]", "{", "}", "[[", "]]", '"', "'", '"""', "'''", "\\", "#", "\n", "\r\n", " ", "\t"),
    *("\x00", "\x1b[2J", "\ufeff", "true", "false", "nan", "-inf", "0", "-1", "1e9", "0x", "1979-05-27", "a.b"),
    *(f"{key} = " for key in ("title", "dice", "boxes", "sheet", "extends", "publisher")),
    *('"sum"', "[boxes]\n", "[boxes.a]\n", 'pattern = "sum"\n', "{pattern = ", '"\\u0000"', '"\\U0010ffff"'),
]


# Ways to mangle a file


def any_file(chance: Random) -> str:
    return chance.choice(VALID * 2 + PRINTED)


def flipped(chance: Random) -> bytes:
    data = bytearray(any_file(chance).encode())
    for _ in range(chance.randint(1, 4)):
        data[chance.randrange(len(data))] ^= 1 << chance.choice([0, 1, 2, 3, 4, 5, 6] * 3 + [7])
    return bytes(data)


def cut(chance: Random) -> bytes:
    data = any_file(chance).encode()
    return data[: chance.randrange(len(data))]


def doubled(chance: Random) -> bytes:
    data = any_file(chance).encode()
    start, end = sorted(chance.sample(range(len(data)), 2))
    return data[:end] + data[start:end] * chance.choice([1, 2, 10, 100]) + data[end:]


def spliced(chance: Random) -> bytes:
    left, right = any_file(chance), any_file(chance)
    return (left[: chance.randrange(len(left))] + right[chance.randrange(len(right)) :]).encode()


def shuffled(chance: Random) -> bytes:
    lines = (any_file(chance) + any_file(chance)).split("\n")
    return "\n".join(chance.sample(lines, chance.randint(1, len(lines)))).encode()


def tweaked(chance: Random) -> bytes:
    text = chance.choice(VALID)
    for _ in range(chance.randint(1, 4)):
        old = chance.choice(VALUE.findall(text))
        like = [value for value in VALUES if value[0] == old[0] or (value[0] + old[0]).isdigit()]
        text = replace_match(chance, re.compile(re.escape(old)), text, chance.choice([*like, str(number(chance))]))
    return text.encode()


def odd_values(chance: Random) -> bytes:
    text = chance.choice(VALID)
    for _ in range(chance.randint(1, 3)):
        text = replace_match(chance, VALUE, text, odd_value(chance))
    return text.encode()


def odd_keys(chance: Random) -> bytes:
    text = chance.choice(VALID)
    for _ in range(chance.randint(1, 3)):
        odd = f'"{words(chance, 60)}"'
        text = replace_match(
            chance, KEY, text, chance.choice([chance.choice(KEYS), odd, "k" * chance.randint(1, 30_000)])
        )
    return text.encode()


def odd_names(chance: Random) -> bytes:
    title, name = (words(chance, chance.choice([10, 45, 2000, 14_000])) for _ in range(2))
    text = to_toml(MINIMAL_RULES).replace("Small", title, 1)
    return text.replace("{pattern", f'{{names = {{en = "{name}"}}, pattern', 1).encode()


def soup(chance: Random) -> bytes:
    return "".join(chance.choices(TOKENS, k=chance.choice([5, 50, 500, 5000]))).encode()


def nested(chance: Random) -> bytes:
    shape = chance.choice(["[", "{a=", "[{a=", "{a.b.c=[", "[\n", "[1,"])
    depth = chance.choice([3, 8, 9, 100, 8000])
    closing = re.sub(r"[^\[{]", "", shape * depth)[::-1].translate({ord("["): "]", ord("{"): "}"})
    return f"{strings(chance)}k = {shape * depth}1{chance.choice([closing, closing[1:], ''])}".encode()


def dotted(chance: Random) -> bytes:
    part = chance.choice(["a", '"a"', "''", "a ", '"a.b"', chance.choice(KEYS)])
    key = ".".join([part] * chance.choice([3, 16, 17, 18, 100, 15_000]))
    return (strings(chance) + chance.choice(["{} = 1", "[{}]", "[[{}]]", "a = {{b = 1, {} = 1}}"]).format(key)).encode()


def crowded(chance: Random) -> bytes:
    shape = chance.choice(["[t{}]", "[[t]]", "[a.b.c.d.e.f{}]", "k{} = 1", "boxes.b{}.pattern = 'sum'", "[boxes.b{}]"])
    count = chance.choice([10, 21, 990, 1000, 3000])
    head = chance.choice(["", to_toml({key: MINIMAL_RULES[key] for key in ("title", "dice", "faces", "rolls")})])
    return (head + "\n".join(shape.format(number) for number in range(count))).encode()


def one_line(chance: Random) -> bytes:
    item = chance.choice(["1", "0.5", "[]", "{}", '"a"', "'''a'''", '""', "1979-05-27", "nan", "{a.b = 1}", "[[[]]]"])
    key = chance.choice(["sheet", "dice", "title", "boxes"])
    rest = to_toml({known: value for known, value in MINIMAL_RULES.items() if known != key})
    return (f"{key} = [" + f"{item}," * chance.choice([20, 21, 5000]) + "]\n" + rest).encode()


def giants(chance: Random) -> bytes:
    return replace_match(chance, VALUE, chance.choice(VALID), giant(chance)).encode()


def quotes(chance: Random) -> bytes:
    text = "".join(chance.choices(['"', "'", '"""', "'''", "\\", ",", "x", "\n", " ", "["], k=chance.randint(1, 40)))
    return f"a = [{text}]\n{strings(chance)}{'.'.join('c' * 9000)} = 1\n{to_toml(MINIMAL_RULES)}".encode()


MANGLERS: tuple[Callable[[Random], bytes], ...] = (
    *(flipped, cut, doubled, spliced, shuffled, tweaked, odd_values, odd_keys, odd_names),
    *(soup, nested, dotted, crowded, one_line, giants, quotes),
)


def replace_match(chance: Random, what: re.Pattern[str], text: str, new: str) -> str:
    """Put something new in one place where a pattern is found."""
    places = list(what.finditer(text))
    if not places:
        return text
    place = chance.choice(places)
    return text[: place.start()] + new + text[place.end() :]


def number(chance: Random) -> int:
    return chance.choice([-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 20, 99, 100, 1000, 1001, 10_001, 2**63, 2**64])


def odd_value(chance: Random) -> str:
    one, other = number(chance), number(chance)
    return chance.choice(
        [
            *(str(one), f"[{one}, {other}]", f"{one}.0", f'"{one}"', "[]", "{}", '""', "nan", "-inf"),
            *(
                "true",
                "false",
                "1979-05-27",
                "07:32:00",
                "[[1]]",
                '{en = "x"}',
                f'"{words(chance, 30)}"',
                giant(chance),
            ),
        ]
    )


def giant(chance: Random) -> str:
    size = chance.choice([100, 4400, 25_000])
    return chance.choice(
        [
            *("9" * size, "-" + "9" * size, "0x" + "f" * size, "[0x" + "f" * size + "]", "0b" + "1" * size),
            *("0." + "3" * size, "1e" + "9" * size, '"' + "x" * size + '"', "'" + "[." * (size // 2) + "'"),
        ]
    )


def words(chance: Random, size: int) -> str:
    """Write words as nobody writes them, fit for a string in quotes."""
    letters = chance.choice(
        [["x"], MARKS, MARKS[:2], ["x", *ODD_LETTERS], ["\\n", "\\u0000", "\\u202e", " "], ["e\u0301"]]
    )
    if chance.random() < 0.3:
        return "x" + MARKS[0] * (size // 2) + MARKS[1] * (size // 2)
    return "".join(chance.choices(letters, k=size)).replace("\u0085", "").replace("\x7f", "")


def strings(chance: Random) -> str:
    """Write a line of strings in odd spellings, or nothing."""
    spellings = ['"""x""""', '"""x"""""', "'''x''''", "'''''''", '""""""""', '"\\""', "'\\'", '"""y"""', "''", '"#"']
    return f"s = [{','.join(chance.choices(spellings, k=chance.randint(1, 4)))}]\n" if chance.random() < 0.5 else ""


def mangle_files(seeds: Iterable[int]) -> dict[str, bytes]:
    """Mangle one file for each seed, always the same one."""
    files = {}
    for seed in seeds:
        mangle = MANGLERS[seed % len(MANGLERS)]
        files[f"{seed:05}-{mangle.__name__}.toml"] = mangle(Random(f"knobel {seed}"))
    return files


# The judgement


def judge_files(files: Mapping[str, bytes]) -> list[CheckResult]:
    """Let another process judge files, and insist that it lives to tell."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            Path(folder, name).write_bytes(content)
        done = subprocess.run(
            [sys.executable, "-m", "tests.support.house_rule_checker", folder],
            capture_output=True,
            encoding="utf-8",
            cwd=ROOT,
            timeout=600,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")
    verdicts = [CheckResult(**json.loads(line)) for line in done.stdout.splitlines()]
    assert [verdict.file for verdict in verdicts] == sorted(files)
    return verdicts


def printable(words: str) -> bool:
    """Tell whether a line can be shown; the fixed spaces of French count as spaces."""
    return words.translate(dict.fromkeys((0x00A0, 0x202F), " ")).isprintable()


def harm(verdict: CheckResult) -> str:
    """Say what is wrong with a verdict, if anything is."""
    if verdict.code == CRASH:
        return f"crashed: {verdict.messages}"
    if any(not printable(words) or not 0 < len(words) <= MAX_MESSAGE for words in verdict.messages):
        return f"not one short line: {verdict.messages}"
    if verdict.seconds > SECONDS:
        return f"took {verdict.seconds:.3f} s"
    return ""


def harms(verdicts: Iterable[CheckResult]) -> dict[str, str]:
    return {verdict.file: found for verdict in verdicts if (found := harm(verdict))}


@pytest.mark.process
def test_three_hundred_mangled_files_do_no_harm() -> None:
    verdicts = judge_files(mangle_files(range(FILES)))
    assert harms(verdicts) == {}
    assert len(verdicts) == FILES
    codes = [verdict.code for verdict in verdicts]
    assert codes.count(SOUND) > 10
    assert len(set(codes)) >= 15


@pytest.mark.torture
@pytest.mark.parametrize("start", range(FILES, FILES + TORTURE, BATCH))
def test_four_thousand_mangled_files_do_no_harm(start: int) -> None:
    verdicts = judge_files(mangle_files(range(start, start + BATCH)))
    assert harms(verdicts) == {}
    assert len(verdicts) == BATCH


@pytest.mark.parametrize(
    ("code", "words", "seconds"),
    [
        (CRASH, ("ValueError: x",), 0.0),
        ("key_kind", ("two\nlines",), 0.0),
        ("key_kind", ("\x1b[2J",), 0.0),
        ("key_kind", ("short", "x" * 401), 0.0),
        ("key_kind", ("",), 0.0),
        (SOUND, (), SECONDS + 0.001),
    ],
)
def test_harm_is_recognised(code: str, words: tuple[str, ...], seconds: float) -> None:
    assert harm(CheckResult("x.toml", code, words, seconds)) != ""


def test_the_judge_has_no_more_than_64_mib_to_spend() -> None:
    spend = (
        "from tests.support import house_rule_checker; house_rule_checker.limit_memory(); print(len(bytes({} << 20)))"
    )
    little, much = (
        subprocess.run([sys.executable, "-c", spend.format(size)], capture_output=True, cwd=ROOT, check=False)
        for size in (40, 66)
    )
    assert (little.returncode, little.stdout.strip()) == (0, b"%d" % (40 << 20)), little.stderr
    assert b"MemoryError" in much.stderr


# Bombs: crafted files, each named for the error it must meet

BOMBS = Path(__file__).parents[1] / "bombs"
KEPT = {path.name: path.read_bytes() for path in sorted(BOMBS.glob("*.toml"))}
DESYNC = 's = ["""x"""","""y"""]\n'
HEAD = to_toml({key: MINIMAL_RULES[key] for key in ("title", "dice", "faces", "rolls")})
DROWNED = "x" + "\u0301" * 7500 + "\u0323" * 7500

MADE = {
    "file_dots.sixteen-thousand-dots.toml": ".".join("c" * 16_000).encode() + b" = 1",
    "file_dots.sixteen-thousand-dots-in-a-header.toml": b"[" + ".".join("c" * 16_000).encode() + b"]",
    "file_dots.sixteen-thousand-dots-behind-four-quotes.toml": (DESYNC + ".".join("c" * 15_000) + " = 1").encode(),
    "file_dots.in-a-line-behind-four-quotes.toml": b"s = {a = '''x'''', " + ".".join("c" * 15_000).encode() + b" = 1}",
    "file_depth.thirty-thousand-brackets.toml": b"a = " + b"[" * 30_000,
    "file_depth.ten-thousand-tables.toml": b"a = " + b"{a=" * 10_000,
    "file_depth.thirty-thousand-brackets-behind-four-quotes.toml": DESYNC.encode() + b"a = " + b"[" * 30_000,
    "file_too_large.a-megabyte.toml": b"#" * (1 << 20),
    "file_too_large.a-megabyte-of-dots.toml": b"a." * (1 << 19),
    "file_lines.thirty-thousand-lines.toml": b"\n" * 30_000,
    "file_lines.fifteen-thousand-windows-lines.toml": b"\r\n" * 15_000,
    "file_encoding.noise.toml": Random(1).randbytes(30_000),
    "file_toml.long-decimal.toml": b"dice = " + b"9" * 32_000,
    "file_toml.open-string.toml": b'title = "' + b"\\\\" * 16_000,
    "file_toml.thousand-times-the-same-key.toml": b"a = 1\n" * 1000,
    "file_toml.thousand-times-the-same-table.toml": b"[a]\n" * 1000,
    "key_range.long-hexadecimal.toml": HEAD.replace("dice = 5", "dice = 0x" + "f" * 32_000).encode(),
    "key_box.long-hexadecimal-row.toml": (f"sheet = [0x{'f' * 32_000}]\n" + to_toml(MINIMAL_RULES)).encode(),
    "key_box.thousand-boxes-named.toml": (
        HEAD + 'sheet = ["x"]\n' + "\n".join(f"boxes.b{number}.pattern = 'sum'" for number in range(900))
    ).encode(),
    "key_length.title-drowned-in-accents.toml": to_toml({**MINIMAL_RULES, "title": DROWNED}).encode(),
    "key_length.name-drowned-in-accents.toml": to_toml(
        {**MINIMAL_RULES, "boxes": {"a": {"pattern": "sum", "names": {"en": DROWNED}}}}
    ).encode(),
    "key_unknown.key-drowned-in-accents.toml": to_toml({DROWNED: 1, **MINIMAL_RULES}).encode(),
    "box_id.drowned-in-accents.toml": to_toml({**MINIMAL_RULES, "boxes": {DROWNED: {"pattern": "sum"}}}).encode(),
    "key_choice.word-drowned-in-accents.toml": to_toml({**MINIMAL_RULES, "order": DROWNED}).encode(),
    "key_kind.ten-thousand-empty-tables.toml": b"title = [" + b"{}," * 10_000 + b"]",
    "key_kind.twenty-thousand-empty-lists.toml": b"title = [" + b"[]," * 10_000 + b"]",
    "key_unknown.six-thousand-keys-in-a-line.toml": (
        "a = {" + ",".join(f"{number:x}=1" for number in range(4500)) + "}"
    ).encode(),
    "key_unknown.thousand-deep-keys.toml": "\n".join(f"{'a.' * 12}b{number} = 1" for number in range(900)).encode(),
    "key_unknown.seven-hundred-tables-of-tables.toml": b"[[a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p]]\n" * 900,
    "key_length.thousand-boxes.toml": (
        HEAD + "\n".join(f"boxes.b{number}.pattern = 'sum'" for number in range(900))
    ).encode(),
    "sound.thirty-kilobytes-of-comment.toml": (to_toml(MINIMAL_RULES) + "#" + "[." * 16_000).encode(),
}


@pytest.fixture(scope="module")
def verdicts() -> dict[str, CheckResult]:
    return {verdict.file: verdict for verdict in judge_files(KEPT | MADE)}


@pytest.mark.process
@pytest.mark.parametrize("bomb", [*KEPT, *MADE])
def test_a_bomb_does_no_harm_and_meets_its_error(bomb: str, verdicts: dict[str, CheckResult]) -> None:
    assert harm(verdicts[bomb]) == ""
    assert verdicts[bomb].code == bomb.partition(".")[0]
    assert all(words.startswith(bomb.partition(".")[0]) for words in verdicts[bomb].messages)


# The command itself

COMMANDED = [*KEPT][::8] + [*MADE][::6]


@pytest.mark.process
@pytest.mark.parametrize("bomb", mostly_rest(COMMANDED, *COMMANDED[::4]))
def test_the_command_says_one_line_and_never_shows_a_traceback(bomb: str, tmp_path: Path) -> None:
    path = tmp_path / bomb
    path.write_bytes((KEPT | MADE)[bomb])
    done = subprocess.run(
        [sys.executable, "-m", "knobel", "check", str(path), "--lang", "en"],
        capture_output=True,
        encoding="utf-8",
        timeout=HANG_SECONDS,
        check=False,
    )
    assert "Traceback" not in done.stdout + done.stderr
    if bomb.startswith(SOUND):
        assert (done.returncode, done.stderr) == (0, "")
    else:
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert done.stderr.startswith(bomb[:30])
