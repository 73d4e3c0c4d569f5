"""The limits a rules file must keep before TOML is parsed, each at its edge, and what no limit may count."""

import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knobel.errors import (
    FileMissing,
    FileNotToml,
    FileNotUtf8,
    FileTooDeep,
    FileTooLarge,
    FileTooManyDots,
    FileTooManyLines,
    FileUnreadable,
    KeyOutOfRange,
    KeyUnknown,
    KeyUnknownBox,
    KeyWrongType,
    KnobelError,
    NotRegularFile,
)
from knobel.rules import load_edition
from knobel.rules.toml_file import read_toml
from tests.support.house_rules import (
    FILE,
    FULL_RULES,
    MINIMAL_RULES,
    assert_refused,
    describe_error,
    load_house_rules,
    to_toml,
    with_changes,
)
from tests.support.waiting import HANG_SECONDS

SOUND = to_toml(MINIMAL_RULES)
SIXTEEN = "k" + ".k" * 16
SEVENTEEN = "k" + ".k" * 17

# One value in each spelling of a string TOML knows; none of them may hide what comes after it.
STRINGS = {
    "empty": '""',
    "basic": '"x"',
    "escaped quote": r'"\""',
    "escaped backslash": r'"\\"',
    "other quote": '"\'"',
    "empty literal": "''",
    "literal": "'x'",
    "literal backslash": r"'\'",
    "literal other quote": "'\"'",
    "empty long": '""""""',
    "long": '"""x"""',
    "long over lines": '"""\nx\n"""',
    "long with one quote": '"""x"y"""',
    "long with two quotes": '"""x""y"""',
    "long ends in a quote": '"""x""""',
    "long ends in two quotes": '"""x"""""',
    "long only a quote": '"""""""',
    "long only two quotes": '""""""""',
    "long escaped quote": r'"""\""""',
    "long escaped backslash": r'"""\\"""',
    "long line ending backslash": '"""x\\\n  y"""',
    "empty long literal": "''''''",
    "long literal": "'''x'''",
    "long literal with two quotes": "'''x''y'''",
    "long literal ends in a quote": "'''x''''",
    "long literal ends in two quotes": "'''x'''''",
    "long literal only a quote": "'''''''",
    "long literal only two quotes": "''''''''",
    "long literal backslash": r"'''\'''",
}
each_string = pytest.mark.parametrize("string", STRINGS.values(), ids=STRINGS)


MAX_SECONDS = 2.0
"""The most processor time that refusing a file may take, however busy the machine is."""


def assert_stopped(error: type[KnobelError], content: str | bytes) -> KnobelError:
    """Insist that a file is stopped at once, both as a file and as bytes, with the same words."""
    begun = time.process_time()
    found = assert_refused(error, content)
    assert time.process_time() - begun < MAX_SECONDS
    with pytest.raises(error) as caught:
        read_toml(content.encode() if isinstance(content, str) else content, FILE)
    assert caught.value.values == found.values
    return found


def padded(size: int) -> str:
    return SOUND + "#" * (size - len(SOUND))


def lined(count: int) -> str:
    return SOUND + "\n" * (count - SOUND.count("\n"))


# How large a file is


def test_a_file_of_32_kib_is_accepted() -> None:
    assert len(padded(32 * 1024)) == 32_768
    assert load_house_rules(padded(32 * 1024)).title == "Small"


def test_a_file_of_one_byte_more_is_refused() -> None:
    error = assert_stopped(FileTooLarge, padded(32 * 1024 + 1))
    assert error.code == "file_too_large"
    assert "32768" in describe_error(error)


def test_bytes_are_counted_and_not_characters() -> None:
    assert assert_stopped(FileTooLarge, SOUND + "#" + "é" * 16_384).values["limit"] == 32_768


def test_only_a_little_of_an_endless_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / FILE
    with path.open("wb") as stream:
        stream.truncate(1 << 40)
    with pytest.raises(FileTooLarge) as caught:
        load_edition(str(path))
    assert describe_error(caught.value).startswith(FILE)


def test_a_file_of_1000_lines_is_accepted() -> None:
    assert lined(1000).count("\n") == 1000
    assert load_house_rules(lined(1000)).title == "Small"
    assert load_house_rules(lined(1000).removesuffix("\n") + "#").title == "Small"


def test_a_file_of_1001_lines_is_refused() -> None:
    error = assert_stopped(FileTooManyLines, lined(1001))
    assert error.code == "file_lines"
    assert error.values == {"file": FILE, "value": 1001, "limit": 1000}
    assert assert_stopped(FileTooManyLines, lined(1000) + "#").values["value"] == 1001


def test_an_empty_file_is_a_small_file() -> None:
    assert read_toml(b"", FILE) == {}


# Which characters


@pytest.mark.parametrize(
    "content",
    [
        '# Fünf\ntitle = "x"'.encode("latin-1"),
        SOUND.encode("utf-16"),
        b"\xff\xfe\x00",
        b'title = "\xed\xa0\x80"',
        b'title = "\xc0\xaf"',
        b'title = "\xf4\x90\x80\x80"',
        SOUND.encode() + b"# \xe2\x82",
    ],
    ids=["latin-1", "utf-16", "marks", "surrogate", "overlong", "beyond unicode", "cut short"],
)
def test_what_is_not_utf_8_is_refused(content: bytes) -> None:
    assert assert_stopped(FileNotUtf8, content).code == "file_encoding"


@pytest.mark.parametrize(
    "content",
    [
        "title",
        "title = ",
        'title = "x',
        'title = """x',
        "title = 'x\n'",
        'title = "x" dice = 5',
        "dice = 5\ndice = 6",
        "[boxes]\n[boxes]",
        "boxes = {}\n[boxes.x]",
        "dice = 05",
        "dice = 5 ]]]]",
        "dice = [5",
        "boxes = {a = 1",
        "boxes = {a = 1,}",
        'title = "\\q"',
        'title = "\\ud800"',
        "dice = 5\x00",
        "dice = 5\rfaces = 6",
        "dice = 1979-02-30",
        "dice = 25:00:00",
        "dice = 1_",
        "dice = +0x5",
        "]" * 100 + "[" * 100,
        "=",
        ".",
        "\ufeff\ufeff",
    ],
)
def test_what_is_not_toml_is_refused(content: str) -> None:
    assert assert_stopped(FileNotToml, content).code == "file_toml"


def test_an_error_of_toml_says_in_which_line() -> None:
    assert "line 6" in describe_error(assert_stopped(FileNotToml, f"{SOUND}these are words = 3\n"))


def test_windows_line_ends_are_line_ends() -> None:
    assert load_house_rules(SOUND.replace("\n", "\r\n")).title == "Small"


# Dots in a key


@pytest.mark.parametrize("shape", ["{} = 1", "[{}]", "[[{}]]", "k = {{{} = 1}}", "k = [{{a = 1, {} = 1}}]"])
def test_a_key_with_sixteen_dots_is_read(shape: str) -> None:
    text = shape.format(SIXTEEN)
    assert read_toml(text.encode(), FILE) == tomllib.loads(text)


@pytest.mark.parametrize("shape", ["{} = 1", "[{}]", "[[{}]]", "k = {{{} = 1}}", "k = [{{a = 1, {} = 1}}]"])
def test_a_key_with_seventeen_dots_is_refused(shape: str) -> None:
    error = assert_stopped(FileTooManyDots, shape.format(SEVENTEEN))
    assert error.code == "file_dots"
    assert error.values == {"file": FILE, "line": 1, "limit": 16}


@pytest.mark.parametrize("joint", [".", " . ", "\t.\t"])
@pytest.mark.parametrize("part", ["k", '"k"', "'k'", '"."', "''"])
def test_dots_are_counted_between_parts_of_every_spelling(part: str, joint: str) -> None:
    assert assert_stopped(FileTooManyDots, joint.join([part] * 18) + " = 1").code == "file_dots"
    text = joint.join([part] * 17) + " = 1"
    assert read_toml(text.encode(), FILE) == tomllib.loads(text)


def test_dots_of_neighbours_are_not_added_up() -> None:
    text = f"z = 0.5\n{SIXTEEN} = 0.5\na = [{'0.5, ' * 40}]\nb = {{{SIXTEEN} = 0.5, c.d = 0.5}}\n[c.d.e]\n"
    assert read_toml(text.encode(), FILE) == tomllib.loads(text)


def test_the_line_of_the_dots_is_named() -> None:
    text = f'a = 1\n# {SEVENTEEN}\nb = """\n{SEVENTEEN}\n"""\nc = [\n1,\n]\n{SEVENTEEN} = 1'
    assert "line 9" in describe_error(assert_stopped(FileTooManyDots, text))


# Nested brackets


@pytest.mark.parametrize("shape", ["[", "{k=", "[{k=", "{k=[", "[\n"])
def test_brackets_eight_deep_are_read_and_nine_deep_refused(shape: str) -> None:
    eight = nested(shape, 8)
    assert read_toml(eight.encode(), FILE) == tomllib.loads(eight)
    error = assert_stopped(FileTooDeep, nested(shape, 9))
    assert error.code == "file_depth"
    assert error.values["limit"] == 8


def nested(shape: str, depth: int) -> str:
    opening, count = "", 0
    while count < depth:
        for character in shape:
            count += character in "[{"
            if count <= depth:
                opening += character
    closing = "".join({"[": "]", "{": "}"}[mark] for mark in reversed(opening) if mark in "[{")
    return f"k = {opening}{'1' if opening.endswith('=') else ''}{closing}"


def test_brackets_side_by_side_are_not_deep() -> None:
    text = "k = [" + "[[], {}], " * 200 + "]\n" + "[[t]]\n" * 200
    assert read_toml(text.encode(), FILE) == tomllib.loads(text)


@pytest.mark.parametrize("count", [9, 500, 30_000])
@pytest.mark.parametrize("start", ["k = ", "", "k = 1\nl = ", "[t]\nk = [1, "])
def test_deep_brackets_are_refused_before_they_are_parsed(start: str, count: int) -> None:
    assert assert_stopped(FileTooDeep, start + "[" * count).code == "file_depth"
    assert assert_stopped(FileTooDeep, start + "{k=[" * (count // 4 + 3)).code == "file_depth"


def test_the_line_of_the_brackets_is_named() -> None:
    assert "line 4" in describe_error(assert_stopped(FileTooDeep, "a = 1\nb = [\n[[[[[[[\n[\n"))


# What is not counted


@pytest.mark.parametrize("noise", ["." * 100, "[" * 100, "{" * 100, "]" * 100, "}{][.", ".#[", "' [[[[[[[[[ '"])
@pytest.mark.parametrize("spelling", ['"{}"', '"""{}"""', '"""\n{}\n"""', '"\\"{}"'])
def test_dots_and_brackets_in_a_string_are_not_counted(noise: str, spelling: str) -> None:
    text = f"title = {spelling.format(noise)}\nb = [[[[[[[[1]]]]]]]]\n"
    assert read_toml(text.encode(), FILE) == tomllib.loads(text)


@pytest.mark.parametrize("noise", ["." * 100, "[" * 100, '"' + "[" * 100, "\\" + "{" * 100, "#" + "." * 100])
@pytest.mark.parametrize("spelling", ["'{}'", "'''{}'''", "'''\n{}\n'''"])
def test_dots_and_brackets_in_a_literal_string_are_not_counted(noise: str, spelling: str) -> None:
    text = f"title = {spelling.format(noise)}\nb = [[[[[[[[1]]]]]]]]\n"
    assert read_toml(text.encode(), FILE) == tomllib.loads(text)


@pytest.mark.parametrize("noise", ["." * 100, "[" * 100, "}" * 100, '"[[[[[[[[[', "'''[[[[[[[[[", '"""', "a.b = [{"])
def test_dots_and_brackets_in_a_comment_are_not_counted(noise: str) -> None:
    text = f"# {noise}\nb = [ # {noise}\n[[[[[[[1]]]]]]]] # {noise}\n# {noise}"
    assert read_toml(text.encode(), FILE) == tomllib.loads(text)


def test_a_quoted_key_may_hold_dots_and_brackets() -> None:
    text = f'"{SEVENTEEN}" = 1\n\'{"[" * 20}\' = 2\n["{SEVENTEEN}.t"."{"{" * 20}"]\n'
    assert read_toml(text.encode(), FILE) == tomllib.loads(text)
    assert "k.k.k" in describe_error(assert_refused(KeyUnknown, f'"{SEVENTEEN}" = 1\n{SOUND}'))


def test_a_title_of_dots_and_brackets_is_a_title() -> None:
    assert (
        load_house_rules(with_changes(MINIMAL_RULES, {"title": "....................[[[[[[[[[["})).title
        == "." * 20 + "[" * 10
    )


# What no string may hide


@each_string
def test_a_string_is_walked_over_to_its_very_end(string: str) -> None:
    text = f"a = [{string}, {string}]\nb = {{c = {string}, d = {string}}}\n{SIXTEEN} = [[[[[[[[{string}]]]]]]]]\n"
    assert read_toml(text.encode(), FILE) == tomllib.loads(text)


@each_string
def test_no_string_hides_the_dots_behind_it(string: str) -> None:
    for before in (f"a = {string}\n", f"a = [{string}, {string}]\n", f"a = [{string},{string},{string}]\n"):
        assert assert_stopped(FileTooManyDots, f"{before}{SEVENTEEN} = 1\n").values["line"] == before.count("\n") + 1
    assert assert_stopped(FileTooManyDots, f"a = {{b = {string}, {SEVENTEEN} = 1}}\n").code == "file_dots"


@each_string
def test_no_string_hides_the_brackets_behind_it(string: str) -> None:
    assert assert_stopped(FileTooDeep, f"a = [{string}, {'[' * 20_000}").code == "file_depth"
    assert assert_stopped(FileTooDeep, f"a = [{string},{string}]\nb = {'[' * 20_000}").code == "file_depth"


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.lists(st.sampled_from(list(STRINGS.values())), min_size=1, max_size=8), st.booleans(), st.booleans())
def test_no_row_of_strings_hides_anything(strings: list[str], spaced: bool, broken: bool) -> None:
    row = f"a = [{(', ' if spaced else ',').join(strings)}]\n"
    text = row + "\n".join(f"b{place} = {string} # ' \"" for place, string in enumerate(strings * broken)) + "\n"
    assert read_toml(text.encode(), FILE) == tomllib.loads(text)
    for error, bomb in ((FileTooManyDots, f"{SEVENTEEN} = 1"), (FileTooDeep, f"c = {'[' * 9}")):
        with pytest.raises(error) as caught:
            read_toml((text + bomb).encode(), FILE)
        assert caught.value.values["line"] == text.count("\n") + 1


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.text("\"'\\\n#[]{}.,= ab", max_size=30))
def test_what_toml_accepts_is_read_as_toml_reads_it(text: str) -> None:
    long = f"a = '''b{text.replace(chr(39), '')}'''\n"
    assert read_toml(long.encode(), FILE) == tomllib.loads(long)
    try:
        wanted = tomllib.loads(text)
    except ValueError:
        with pytest.raises((FileNotToml, FileTooManyDots, FileTooDeep)) as caught:
            read_toml(text.encode(), FILE)
        assert describe_error(caught.value).startswith(FILE)
    else:
        assert read_toml(text.encode(), FILE) == wanted


@pytest.mark.parametrize("tail", ["", "\\", '\\"', "\n", '"', "'", '""', "#"])
@pytest.mark.parametrize("quote", ['"', "'", '"""', "'''"])
def test_a_string_that_never_ends_is_refused(quote: str, tail: str) -> None:
    assert assert_stopped(FileNotToml, f"title = {quote}x{'[' * 100}{tail.replace(quote[0], '')}").code == "file_toml"


# Values that are TOML, and still no rules


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "9" * 30_000], ids=["long", "negative", "longer"])
def test_a_number_too_long_for_python_is_refused(number: str) -> None:
    assert assert_refused(FileNotToml, SOUND.replace("dice = 5", f"dice = {number}")).code == "file_toml"


@pytest.mark.parametrize(
    "number",
    ["9" * 4000, "-" + "9" * 4000, "0x" + "f" * 30_000, "0o" + "7" * 30_000, "0b" + "1" * 30_000, "1_0" * 9],
    ids=["decimal", "negative", "hexadecimal", "octal", "binary", "underscores"],
)
def test_a_giant_number_is_out_of_range_and_shown_short(number: str) -> None:
    error = assert_refused(KeyOutOfRange, SOUND.replace("dice = 5", f"dice = {number}"))
    assert error.code == "key_range"
    assert len(str(error.values["value"])) <= 40


@pytest.mark.parametrize("place", ["[{}]", "[[{}]]", "[{{a = {}}}]", '["chance", {}]'])
def test_a_giant_number_among_the_rows_of_the_sheet_is_refused(place: str) -> None:
    number = "0x" + "f" * 30_000
    assert assert_refused(KeyUnknownBox, f"sheet = {place.format(number)}\n{SOUND}").code == "key_box"


@pytest.mark.parametrize(
    "value",
    [
        "nan",
        "-nan",
        "inf",
        "-inf",
        "5.0",
        "1e999",
        "1e-999",
        "1979-05-27",
        "07:32:00",
        "1979-05-27T07:32:00",
        "1979-05-27T07:32:00.999999999Z",
        "9999-12-31T23:59:59-23:59",
        "true",
        '"5"',
        "[]",
        "{}",
        "[[[[[[[[]]]]]]]]",
        "{a={a={a={a={a={a={a={a=1}}}}}}}}",
        "{" + SIXTEEN + " = 5}",
    ],
)
def test_what_is_no_whole_number_is_no_number_of_dice(value: str) -> None:
    error = assert_refused(KeyWrongType, SOUND.replace("dice = 5", f"dice = {value}"))
    assert error.code == "key_kind"
    assert error.values["key"] == "dice"


def test_a_giant_string_is_shown_short() -> None:
    error = assert_refused(KeyWrongType, SOUND.replace("dice = 5", f'dice = "{"[." * 15_000}"'))
    assert len(str(error.values["value"])) <= 40


def test_a_giant_key_is_shown_short() -> None:
    error = assert_refused(KeyUnknown, f"{'k' * 30_000} = 1\n{SOUND}")
    assert len(str(error.values["key"])) <= 40


def test_deep_tables_built_by_dots_are_refused_by_name() -> None:
    deep = "{" + f"{SIXTEEN} = {{" * 6 + f"{SIXTEEN} = 1" + "}" * 7
    assert assert_refused(KeyWrongType, f"must_fit = {deep}\n{SOUND}").values["key"] == "must_fit"
    assert assert_refused(KeyUnknown, f"players = {deep}\n{SOUND}").values["key"] == "players.k"


# What is no file


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileMissing) as caught:
        load_edition(str(tmp_path / "none.toml"))
    assert caught.value.code == "file_missing"
    assert describe_error(caught.value).startswith("none.toml")


def test_a_link_to_nowhere_is_a_missing_file(tmp_path: Path) -> None:
    link = tmp_path / "link.toml"
    link.symlink_to(tmp_path / "none.toml")
    with pytest.raises(FileMissing) as caught:
        load_edition(str(link))
    assert describe_error(caught.value).startswith("link.toml")


def test_a_link_to_itself_is_a_missing_file(tmp_path: Path) -> None:
    link = tmp_path / "link.toml"
    link.symlink_to(link)
    with pytest.raises(FileMissing) as caught:
        load_edition(str(link))
    assert describe_error(caught.value).startswith("link.toml")


def test_a_link_to_a_file_is_that_file(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(SOUND, encoding="utf-8")
    link = tmp_path / "link.toml"
    link.symlink_to(tmp_path / FILE)
    assert load_edition(str(link)).title == "Small"


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    for name in (str(folder), f"{folder}/"):
        with pytest.raises(NotRegularFile) as caught:
            load_edition(name)
        assert caught.value.code == "file_kind"
        assert describe_error(caught.value).startswith("folder.toml")


@pytest.mark.parametrize("name", ["/", "./", "//"])
def test_a_folder_without_a_name_is_called_by_its_path(name: str) -> None:
    with pytest.raises(NotRegularFile) as caught:
        load_edition(name)
    assert describe_error(caught.value)[0] in "/."


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_a_device_is_not_a_file(device: str) -> None:
    with pytest.raises(NotRegularFile) as caught:
        load_edition(device)
    assert describe_error(caught.value).startswith(Path(device).name)


@pytest.mark.process
def test_nobody_waits_for_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    said = subprocess.run(
        [sys.executable, "-m", "knobel", "check", str(pipe)],
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert (said.returncode, said.stdout) == (2, "")
    with pytest.raises(NotRegularFile) as caught:
        load_edition(str(pipe))
    assert describe_error(caught.value).startswith("pipe.toml")


def test_a_file_the_system_will_not_open_is_refused_with_the_reason() -> None:
    with pytest.raises(FileUnreadable) as caught:
        load_edition("x" * 300 + ".toml")
    assert caught.value.code == "file_unreadable"
    assert "File name too long" in describe_error(caught.value)


def test_a_path_of_any_length_is_shown_short() -> None:
    with pytest.raises(FileUnreadable) as caught:
        load_edition("x" * 5000 + ".toml")
    assert describe_error(caught.value).startswith("xxx")


def test_a_long_file_name_leaves_room_for_the_error() -> None:
    with pytest.raises(KeyUnknown) as caught:
        load_house_rules({**MINIMAL_RULES, "k" * 60: 1}, "n" * 250 + ".toml")
    assert describe_error(caught.value).startswith("nnn")


@pytest.mark.parametrize("name", ["a\nb.toml", "a\x1b[2Jb.toml", "a\u202eb.toml", "a\x00b.toml", "a\udc80b.toml"])
def test_a_file_name_cannot_disturb_the_screen(name: str) -> None:
    with pytest.raises(FileMissing) as caught:
        load_edition(name)
    assert describe_error(caught.value).startswith("a")


def test_a_whole_sheet_keeps_every_limit() -> None:
    assert load_house_rules(FULL_RULES).rules().dice == 5
