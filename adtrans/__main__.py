"""`python -m adtrans` is the command `adtrans`."""

from __future__ import annotations

import sys

from adtrans.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
