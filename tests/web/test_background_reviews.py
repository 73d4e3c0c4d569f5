"""Of several workers only the first one reviews finished games in the background, so that nothing is reviewed twice."""

from pathlib import Path

import pytest
from uvicorn import Config

from knobel.host.reviewer import BackgroundReviewer
from knobel.web.app import build_app
from knobel.web.options import ServerOptions
from knobel.web.server import build_context
from tests.support.hosted_rooms import open_host, run_async


@pytest.mark.parametrize("is_first", [True, False])
@run_async
async def test_the_first_worker_alone_reviews_games(
    is_first: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[BackgroundReviewer] = []

    async def begin(reviewer: BackgroundReviewer) -> None:
        begun.append(reviewer)

    monkeypatch.setattr(BackgroundReviewer, "run", begin)
    async with open_host(tmp_path) as host:
        # A server would set up logging for the whole process, and other tests look at what is logged.
        config = Config(build_app(build_context(host, ServerOptions(0), is_first)), log_config=None)
        config.load()
        lifespan = config.lifespan_class(config)
        await lifespan.startup()
        await lifespan.shutdown()
    assert len(begun) == is_first
