"""The examples of a guide, run as they stand there."""

import doctest
import re

from tests.support.house_rules import ROOT


def list_wrong_examples(name: str) -> tuple[int, str]:
    """Run every example of a guide; give how many there are, and what is not as the guide says."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    blocks = re.findall(r"```pycon\n(.*?)```", text, re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, f"docs/{name}", 0)
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=said.append)
    return result.attempted, "".join(said)
