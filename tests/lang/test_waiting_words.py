"""A new English sentence may wait for its translations: what waits is said in English; too much of it fails."""

import gettext
import re
import shutil
from pathlib import Path

import catalogs
import pytest

from knobel.lang import COMPLETE
from tests.support.repository_copy import RepositoryCopy, copy_repository

LEAST_SHARE = 0.95
"""The least share of the English entries that a language listed as complete has translated."""
NAMES = re.compile(r"rules\.(name|term|language)\.")
"""Names that an edition prints, which the glossary demands, and names of languages are not sentences that can wait."""


@pytest.fixture
def lang_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work on a copy of some catalogs: English, complete languages, and one that is begun."""
    for lang in ("en", "de", "uk", "nl"):
        shutil.copytree(catalogs.LANG / lang, tmp_path / "lang" / lang)
    (tmp_path / "lang" / "languages.toml").write_text('complete = ["de", "en", "uk"]', encoding="utf-8")
    monkeypatch.setattr(catalogs, "LANG", tmp_path / "lang")
    return tmp_path / "lang"


def clear(path: Path, *keys: str) -> None:
    """Take the translations of some entries out of a catalog."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    path.write_text("\n\n".join(clear_block(block) if is_one_of(block, keys) else block for block in blocks), "utf-8")


def clear_block(block: str) -> str:
    return re.sub(r'^(msgstr(?:\[\d\])?) ".*"$', r'\1 ""', block, flags=re.MULTILINE)


def is_one_of(block: str, keys: tuple[str, ...]) -> bool:
    found = re.search(r'^msgid "(.+)"$', block, re.MULTILINE)
    return "msgctxt" not in block and found is not None and found[1] in keys


@pytest.mark.rest
@pytest.mark.parametrize("lang", COMPLETE)
def test_a_complete_language_has_translated_nearly_everything(lang: str) -> None:
    waiting = [key for one in catalogs.find_waiting_words(lang) for key in (*one.missing, *one.fuzzy)]
    assert catalogs.measure_translated_share(lang) >= LEAST_SHARE, waiting


@pytest.mark.rest
def test_a_language_that_has_translated_nearly_everything_is_listed_as_complete() -> None:
    nearly = {lang for lang in catalogs.find_languages() if catalogs.measure_translated_share(lang) >= LEAST_SHARE}
    assert nearly <= set(COMPLETE)


def test_what_waits_is_listed_by_language_and_catalog(lang_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {one.domain: one for one in catalogs.find_waiting_words("de")}
    waiting = sum(len(one.missing) + len(one.fuzzy) for one in before.values())
    web, paper = (lang_folder / "de" / "LC_MESSAGES" / f"{domain}.po" for domain in ("web", "paper"))
    missing, fuzzy = map(find_translated, ("web", "paper"))
    clear(web, missing)
    paper.write_text(paper.read_text("utf-8").replace(f'msgid "{fuzzy}"', f'#, fuzzy\nmsgid "{fuzzy}"', 1), "utf-8")
    catalogs.show_waiting_words()
    everybody = capsys.readouterr().out
    catalogs.show_waiting_words("de")
    german = capsys.readouterr().out
    assert german in everybody
    assert german.startswith(f"de (complete): {waiting + 2} of {catalogs.count_entries()} wait, ")
    assert f"    missing {missing}\n" in german
    assert f"    fuzzy   {fuzzy}\n" in german
    assert f"  web.po: {len(before['web'].missing) + 1} missing, {len(before['web'].fuzzy)} fuzzy\n" in german
    assert "nl (begun): " in everybody
    clear(lang_folder / "nl" / "LC_MESSAGES" / "interface.po", "interface.help.about")
    catalogs.show_waiting_words("nl")
    assert "    missing interface.help.about\n" in capsys.readouterr().out


def find_translated(domain: str) -> str:
    """Find an entry that German has translated."""
    entries = catalogs.iterate_entries("de", domain)
    return next(catalogs.find_key(one) for one in entries if catalogs.is_translated(one) and not one.pluralizable)


def test_an_entry_that_waits_is_not_compiled_not_even_with_plurals(lang_folder: Path) -> None:
    folder = lang_folder / "uk" / "LC_MESSAGES"
    many = [catalogs.find_key(one) for one in catalogs.iterate_entries("uk", "web") if one.pluralizable]
    assert many
    clear(folder / "web.po", many[0], "web.ask.yes")
    catalogs.compile_all()
    with (folder / "web.mo").open("rb") as compiled:
        spoken = gettext.GNUTranslations(compiled)
    known = {key[0] if isinstance(key, tuple) else key for key in vars(spoken)["_catalog"]}
    assert known.isdisjoint({many[0], "web.ask.yes"})
    assert {"web.ask.no", many[1]} <= known


# A copy in which translations are missing.


def catalog_paths(copy: RepositoryCopy) -> list[Path]:
    """Find the catalogs of the complete languages of a copy."""
    folders = [copy.folder / "src" / "knobel" / "lang" / lang / "LC_MESSAGES" for lang in COMPLETE if lang != "en"]
    return [path for folder in folders for path in sorted(folder.glob("*.po"))]


def take_out(copy: RepositoryCopy, share: float) -> None:
    """Take a share of the translations out of every complete language, spread over all catalogs."""
    keys = [catalogs.find_key(one) for domain in catalogs.DOMAINS for one in catalogs.iterate_entries("en", domain)]
    sentences = [key for key in keys if not NAMES.match(key)]
    count = round(share * len(keys))
    gone = [sentences[place * len(sentences) // count] for place in range(count)]
    for path in catalog_paths(copy):
        clear(path, *gone)


def make_whole(copy: RepositoryCopy) -> None:
    """Let nothing wait, whatever waits today."""
    for path in catalog_paths(copy):
        text = path.read_text(encoding="utf-8").replace("#, fuzzy\n", "")
        head, *blocks = text.split("\n\n")
        filled = [re.sub(r'^(msgstr.*) ""$', r'\1 "…"', block, flags=re.MULTILINE) for block in blocks]
        path.write_text("\n\n".join([head, *filled]), "utf-8")


@pytest.mark.torture
def test_the_program_and_its_quick_tests_do_without_a_few_translations(tmp_path: Path) -> None:
    copy = copy_repository(tmp_path / "copy")
    take_out(copy, 0.03)
    copy.update_catalogs()
    quick = copy.check("lang/test_catalogs.py", "lang/test_complete_languages.py")
    assert quick.returncode == 0, quick.stdout


@pytest.mark.rest
@pytest.mark.parametrize(("share", "failed"), [(0.03, 0), (0.06, len(COMPLETE) - 1)])
def test_a_complete_language_may_lack_a_few_translations_but_not_many(
    share: float, failed: int, tmp_path: Path
) -> None:
    copy = copy_repository(tmp_path / "copy")
    make_whole(copy)
    take_out(copy, share)
    found = copy.check("lang/test_waiting_words.py", "-k", "a_complete_language_has_translated")
    assert found.stdout.count("FAILED") == failed, found.stdout
    assert found.returncode == bool(failed)
