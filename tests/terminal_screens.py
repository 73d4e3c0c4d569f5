"""Write how the full-screen game looks at its main moments: `python -m tests.terminal_screens`, then look."""

import asyncio

from tests.support.terminal_scenes import FOLDER, write_scenes

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    asyncio.run(write_scenes())
