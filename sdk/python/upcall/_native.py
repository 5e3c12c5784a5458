"""The bindings of libupcall."""

from __future__ import annotations

import os
import sys
from typing import Any

from ._find import built


def _open() -> Any:
    chosen = os.environ.get("UPCALL_LIBRARY")
    if not chosen:
        os.environ["UPCALL_LIBRARY"] = str(built("libupcall.so"))
    folder = str(built("python"))
    sys.path.insert(0, folder)
    try:
        import upcall_native  # type: ignore[import-not-found, unused-ignore]
    finally:
        sys.path.remove(folder)
        # Programs that are started from here find their own.
        if chosen is None:
            os.environ.pop("UPCALL_LIBRARY", None)
        else:
            os.environ["UPCALL_LIBRARY"] = chosen
    return upcall_native


native = _open()
