"""The examples of MPI print what their README says, under both launchers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from ranks import LAUNCHERS, ROOT, environment, launcher, run

EXAMPLES = ROOT / "examples" / "mpi" / "python"


@pytest.mark.parametrize("name", LAUNCHERS)
def test_the_commands_of_the_readme_print_what_it_says(name: str, tmp_path: Path) -> None:
    blocks = re.findall("```(sh|text)\n(.*?)```", (EXAMPLES / "README.md").read_text(), re.DOTALL)
    commands = [text for kind, text in blocks if kind == "sh"]
    printed = [text for kind, text in blocks if kind == "text"]
    # Each program has its command, but the one that another starts.
    programs = {program.name for program in EXAMPLES.glob("*.py")} - {"spawned.py"}
    assert {name for command in commands for name in re.findall(r"(\w+\.py)", command)} == programs
    assert len(commands) == len(printed) == len(programs) == 7
    # The launcher under the name that it has where there is one, with what root and few cores need.
    for called, command in (("mpirun", launcher(name, 0)[:-2]), ("python3", [sys.executable])):
        script = tmp_path / called
        script.write_text(f'#!/bin/sh\nexec {" ".join(command)} "$@"\n')
        script.chmod(0o755)
    env = environment()
    env["PATH"] = f"{tmp_path}:{env['PATH']}"
    for command, expected in zip(commands, printed):
        whole = command if "PYTHONPATH" in command else f'export PYTHONPATH="$PWD/sdk/python"\n{command}'
        done = subprocess.run(whole, shell=True, cwd=ROOT, env=env, capture_output=True, text=True, timeout=180)
        if "spawn.py" in command and name == "mpirun.mpich":
            # As the README says. MPICH's launcher may say beside it how its process has ended.
            said = re.sub(r"\n=+\n=   BAD TERMINATION .* suggestions\n", "", done.stdout, flags=re.DOTALL)
            assert (done.returncode, said) == (1, ""), done.stdout
            assert done.stderr.startswith("spawn: start 5 processes of "), done.stderr
            continue
        assert (done.returncode, done.stdout) == (0, expected), f"{command}{done.stderr}"


@pytest.mark.parametrize("name", LAUNCHERS)
def test_the_program_of_the_packages_readme_prints_what_it_says(name: str) -> None:
    section = (ROOT / "sdk" / "python" / "README.md").read_text().partition("\n## Message passing\n")[2]
    (program,) = re.findall("```python\n(.*?)```", section, re.DOTALL)
    (printed,) = re.findall(r"four ranks and prints `(.*?)`", section)
    done = run(name, 4, "-c", program)
    assert (done.returncode, done.stdout) == (0, f"{printed}\n"), done.stderr
