"""Finds the native part in a working tree, where no wheel has put it into the package."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

NAME = "upcall_python.so"


def load() -> None:
    """Loads ``upcall._upcall``."""
    path = find()
    loader = importlib.machinery.ExtensionFileLoader("upcall._upcall", str(path))
    spec = importlib.util.spec_from_loader("upcall._upcall", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    sys.modules["upcall._upcall"] = module


def absent(why: str) -> Callable[[str], NoReturn]:
    """What answers for the package's native names where there is no native part."""

    def answer(name: str) -> NoReturn:
        if name in ("Batch", "Emit", "Object", "__version__", "_upcall"):
            raise ImportError(why)
        raise AttributeError(f"module 'upcall' has no attribute {name!r}")

    return answer


def find() -> Path:
    """Where the library is."""
    chosen = os.environ.get("UPCALL_PYTHON_DRIVER")
    if chosen:
        return Path(chosen)
    return built(NAME)


def built(name: str) -> Path:
    """Where a file or folder is that the build of the repository makes."""
    homes = [Path(__file__).resolve().parent, *Path(__file__).resolve().parents]
    if "UPCALL_HOME" in os.environ:
        homes.insert(0, Path(os.environ["UPCALL_HOME"]))
    tried = [home / "build" / name for home in homes]
    for path in tried:
        if path.exists():
            return path
    raise ImportError(f"upcall's native part is in none of {', '.join(map(str, tried))}: run cargo xtask build")
