"""The entry of the command line, and the one place where `grounding` reaches for `pipelines`.

Both packages lie side by side, in a checkout as in an installed wheel. Their folder is put first
on the path, so that a `pipelines` of the user's, in the current folder or on PYTHONPATH, is never
imported in the place of ours.
"""

import os
import sys
from pathlib import Path

ALLOCATOR = "thp:always,dirty_decay_ms:10000,muzzy_decay_ms:10000"
"""For jemalloc, which polars brings on Linux: large pages, and kept for the next task. A quarter
of the page faults of a run, and a fifth off its CPU seconds where texts are short."""


def main() -> int:
    """Run the command line and return its exit code."""
    os.environ.setdefault("_RJEM_MALLOC_CONF", ALLOCATOR)  # read once, when polars is loaded
    home = str(Path(__file__).resolve().parent.parent)
    sys.path[:] = [home, *(entry for entry in sys.path if entry != home)]

    from pipelines.cli import main as command_line

    return command_line()


if __name__ == "__main__":
    sys.exit(main())
