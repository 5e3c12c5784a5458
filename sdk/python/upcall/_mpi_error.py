"""What MPI fails with."""

from __future__ import annotations


class MpiError(Exception):
    """MPI did not do what it was asked. ``kind`` says why in a word or two.

    ``missing`` (there is no MPI), ``load`` (it does not start), ``lifecycle`` (it was finalized, or never started), ``usage``,
    ``rank``, ``tag``, ``truncated`` (a message was larger than the room for it), ``type``, ``count``, ``operation`` (the operation
    of a reduction has raised an exception, which is the ``__cause__``; ``KeyboardInterrupt`` and ``SystemExit`` come out as
    themselves), ``process failed``, ``revoked``, ``spawn`` (a process could not be
    started), ``port`` (there is no such port or service), ``unsupported``, ``other``; of files ``not found``, ``exists``,
    ``access``, ``no space``, ``range`` (a place that no file has) and ``io``.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind

    def __reduce__(self) -> tuple[type[MpiError], tuple[str, str]]:
        return MpiError, (self.kind, str(self))
