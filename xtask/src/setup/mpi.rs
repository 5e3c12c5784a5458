//! Open MPI and MPICH, side by side as Debian has them: what is tested is tested on both.

use std::process::Command;

use anyhow::Result;

use super::system;
use crate::command;

/// A program of each, and the packages that have it and its compiler.
const BOTH: [(&str, &str, [&str; 2]); 2] = [
    ("mpirun.openmpi", "mpicc.openmpi", ["openmpi-bin", "libopenmpi-dev"]),
    ("mpirun.mpich", "mpicc.mpich", ["mpich", "libmpich-dev"]),
];

/// Finds them, or installs what is missing; returns a line that describes them.
pub fn prepare() -> Result<String> {
    let missing = |program| command::which(program).is_none();
    let packages: Vec<&str> = BOTH
        .into_iter()
        .filter(|(launcher, compiler, _)| missing(launcher) || missing(compiler))
        .flat_map(|(_, _, packages)| packages)
        .collect();
    if !packages.is_empty() {
        system::install(&packages, "passing messages")?;
    }
    let said = BOTH.map(|(launcher, ..)| {
        let said = command::output(Command::new(launcher).arg("--version"))?;
        let version = said
            .split(|c: char| c.is_whitespace())
            .find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        anyhow::Ok(format!("{launcher} {}", version.unwrap_or("of some version")))
    });
    let [open, mpich] = said;
    Ok(format!("{}, {}", open?, mpich?))
}
