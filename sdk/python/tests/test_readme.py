"""What the README prints."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

README = Path(__file__).resolve().parents[1] / "README.md"


def test_the_handler_that_answers_later() -> None:
    section = README.read_text().partition("### Handlers that answer later\n")[2].partition("\n### ")[0]
    handler, test = re.findall("```python\n(.*?)```", section, re.DOTALL)
    names: dict[str, Any] = {"__name__": "resolve"}
    exec(compile(handler, "resolve.py", "exec"), names)
    exec(compile(test, "test_resolve.py", "exec"), names)
    assert names["harness"].emitted[-1] == ("/addresses", b"c", b"127.0.0.3")


def test_the_flow_inside_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    section = README.read_text().partition("## A flow inside your program\n")[2].partition("\n## ")[0]
    (program,) = re.findall("```python\n(.*?)```", section, re.DOTALL)
    exec(compile(program, "words.py", "exec"), {"__name__": "words"})
    assert capsys.readouterr().out == "16\n"


def test_the_vertex_program() -> None:
    section = README.read_text().partition("### Vertex programs\n")[2].partition("\n### ")[0]
    names: dict[str, Any] = {"__name__": "largest"}
    for part in re.findall("```python\n(.*?)```", section, re.DOTALL):
        exec(compile(part, "largest.py", "exec"), names)
    assert {"Largest", "harness", "Simulator"} <= names.keys()
