"""Write the messages as they are now into `tests/messages`; read the difference afterwards.

    python -m tests.snapshots
"""

from __future__ import annotations

from pathlib import Path

from adtrans.diagnostics.errors import AdtransError
from adtrans.diagnostics.render import render_all
from tests.texts import RULE, Text, compiled, read


def message(text: Text) -> str:
    """What adtrans says about the program: its error, or the notes where it compiles."""
    try:
        names = text.run()
        found = compiled(names)
        if "call" in names:
            names["call"]()
    except AdtransError as error:
        return f"{error}\n"
    return f"{render_all(found.report.notes)}\n"


if __name__ == "__main__":
    for path in sorted((Path(__file__).parent / "messages").glob("*.txt")):
        text = read(path)
        now = f"{text.program}{RULE}\n{message(text)}"
        if now != path.read_text(encoding="utf-8"):
            path.write_text(now, encoding="utf-8")
            print(f"refreshed {path.name}")
