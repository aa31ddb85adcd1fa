"""How is the stand-in tried by hand? Start at main()."""

from __future__ import annotations

import argparse
import threading
from pathlib import Path

from tests.hub.server import serve


def main() -> None:
    """Serve bare repositories until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m tests.hub", description=main.__doc__)
    parser.add_argument("repositories", nargs="+", metavar="NAME=PATH")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    named = dict(text.split("=", 1) for text in options.repositories)
    folders = {name: Path(path).resolve() for name, path in named.items()}
    missing = [str(folder) for folder in folders.values() if not (folder / "objects").is_dir()]
    if missing:
        parser.error(f"no bare repository: {', '.join(missing)}")
    with serve(folders, options.port) as hub:
        print(f"HF_ENDPOINT={hub.url}", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
