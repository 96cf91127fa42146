"""Names of files as other tools want them.

>>> relative("src/f.py"), uri("a b/f.py")
('src/f.py', 'a%20b/f.py')
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from urllib.parse import quote


def relative(file: str) -> str:
    """The path from the working directory with forward slashes, where the file is below that."""
    path = Path(file)
    if path.is_absolute():
        with contextlib.suppress(ValueError):  # it is somewhere else
            path = path.resolve().relative_to(Path.cwd().resolve())
    return path.as_posix()


def uri(file: str) -> str:
    """The path as a URI reference."""
    path = relative(file)
    return Path(path).as_uri() if Path(path).is_absolute() else quote(path)
