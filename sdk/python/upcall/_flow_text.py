"""The text of a flow's file, as code describes it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


class FlowText:
    """A text that is added to. The flow's own keys come before all tables."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._own = ""
        self._tables = ""

    @property
    def keys(self) -> str:
        """The flow's own keys, which come before the text."""
        return self._own

    def __str__(self) -> str:
        return f"{self._text}\n{self._tables}"

    def own(self, key: str, value: object) -> None:
        self._own += _line(key, value)

    def table(self, head: str, lines: Mapping[str, Any]) -> None:
        self._tables += f"\n{head}\n" + "".join(_line(key, value) for key, value in lines.items() if value is not None)

    @staticmethod
    def quoted(text: str) -> str:
        """A key or a value as TOML's basic string: JSON's, in which one more character is escaped."""
        return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _line(key: str, value: object) -> str:
    return f"{key} = {_value(value)}\n"


def _value(value: object) -> str:
    if isinstance(value, str):
        return FlowText.quoted(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{FlowText.quoted(str(key))} = {_value(of)}" for key, of in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(one) for one in value) + "]"
    raise TypeError(f"a flow's file has no value like {value!r}: give text, a number, a list or a dict")
