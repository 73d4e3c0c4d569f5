"""What is compiled is kept on disk only as long as nothing it was made from has changed."""

from pathlib import Path

from knobel.solver.compiled import SOLVER, compile_cached, digest_sources
from tests.solver import kept_kernel


def test_another_constant_in_another_file_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text("def twice(): return FACTOR", "utf-8")
    digests = set()
    for constant in ("FACTOR = 2", "FACTOR = 3"):
        (tmp_path / "constants.py").write_text(constant, "utf-8")
        digests.add(digest_sources(tmp_path))
        digest_sources.cache_clear()
    assert len(digests) == 2


def test_what_is_kept_of_a_function_bears_the_digest_of_all_sources() -> None:
    kernel = compile_cached(kept_kernel.double)
    assert kernel(21) == 42
    index = Path(kernel.stats.cache_path).glob("*double*.nbi")  # type: ignore[attr-defined]
    assert any(digest_sources(SOLVER).encode() in path.read_bytes() for path in index)
