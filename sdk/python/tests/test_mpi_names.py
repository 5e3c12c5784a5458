"""The names of mpi4py's, and what they are here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from upcall import _mpi_names, mpi

OF = {"mpi": mpi, "world": mpi.Communicator, "env": mpi.Environment}


def resolves(of: object, dotted: str) -> bool:
    for name in dotted.split("."):
        if name not in dir(of):
            return False
        of = getattr(of, name)
    return True


def test_what_the_readme_names_for_users_of_mpi4py_is_there() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text()
    table = readme.partition("| mpi4py | here |\n| --- | --- |\n")[2].partition("\n\n")[0].splitlines()
    assert len(table) > 15
    for row in table:
        theirs, ours = row.strip("| ").split(" | ")
        for of, dotted in re.findall(r"`(mpi|world|env)\.([\w.]+)", ours):
            assert resolves(OF[of], dotted), f"{of}.{dotted}"
        # And what is there under mpi4py's name is told.
        for name in re.findall(r"(?:comm\.|`)([A-Z]\w+)(?:\(\))?`", theirs):
            assert name in _mpi_names.COMMUNICATOR or name in {"Waitany", "Testall", "Read_at_all", "Set_view"}, name


def test_a_name_of_mpi4pys_says_what_it_is_here() -> None:
    for theirs, ours in _mpi_names.COMMUNICATOR.items():
        assert ours in dir(mpi.Communicator), ours
        if theirs not in vars(mpi.Communicator):
            continue
        with pytest.raises(AttributeError, match=f"^an mpi.Communicator has no {theirs}: mpi4py's `{theirs}` is `{ours}` here$"):
            getattr(mpi.Communicator, theirs)
    for theirs, ours in _mpi_names.MODULE.items():
        first, _, rest = re.sub(r"\(\w*\)", "", ours).partition(".")
        assert first in mpi.__all__ and theirs not in mpi.__all__, ours
        assert not rest or rest in dir(mpi.Environment), ours
        with pytest.raises(AttributeError, match=f"upcall.mpi has no {theirs}: mpi4py's `{theirs}` is `mpi.{re.escape(ours)}` here"):
            getattr(mpi, theirs)
    for of in (mpi.Communicator, mpi.Intercommunicator):
        told = f"^an mpi.{of.__name__} has no bcast: mpi4py's `bcast` is `broadcast_object` here$"
        with pytest.raises(AttributeError, match=told):
            of.bcast  # type: ignore[attr-defined]  # noqa: B018
        # It would slow down all other names.
        assert not hasattr(of, "__getattr__")
    with pytest.raises(AttributeError, match="has no attribute 'Split'"):
        mpi.Intercommunicator.Split  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError, match="^upcall.mpi has no Sum$"):
        mpi.Sum  # noqa: B018
    with pytest.raises(AttributeError, match="`Is_finalized` is `mpi.is_finalized\\(\\)`"):
        mpi.Is_finalized  # noqa: B018
    assert not hasattr(mpi, "__path__")
