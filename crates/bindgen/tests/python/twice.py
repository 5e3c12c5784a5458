"""The package twice in one process: beside the handlers of two folders, each with its own copy."""

import shutil
import sys
import tempfile
from pathlib import Path

made, sdk = sys.argv[1:]
sys.path.remove(made)
sys.path.insert(0, sdk)

import upcall
from upcall._folders import folder

with tempfile.TemporaryDirectory() as parent:
    seen = []
    for name in "one", "two":
        here = Path(parent, name)
        shutil.copytree(Path(made, "shapes"), here / "shapes", ignore=shutil.ignore_patterns("src", "build", "deps"))
        (here / "handler.py").write_text("import shapes\n")
        shapes = folder(str(here)).load(str(here / "handler.py")).shapes
        assert shapes.flip(shapes.Color.Red) is shapes.Color.Green
        assert Path(shapes.implementation.__file__).is_relative_to(here), shapes.implementation
