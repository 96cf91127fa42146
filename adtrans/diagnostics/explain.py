"""The page that explains a code: what it means, an example, why, and what to do.

>>> explain("AD301").splitlines()[0]
'# AD301: overwritten before the gradient has used it'
"""

from __future__ import annotations

from importlib import resources

from adtrans.diagnostics.codes import info


def explain(code: str) -> str:
    """The page for `code` (upper or lower case), as Markdown.

    Raises:
        KeyError: if there is no such code.

    >>> explain("ad901").startswith("# AD901")
    True
    """
    page = info(code.strip().upper()).page
    return (resources.files("adtrans.diagnostics") / "pages" / page).read_text(encoding="utf-8")
