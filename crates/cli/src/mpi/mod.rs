//! `upcall mpi`: ranks of a program, and what the machine's MPIs are.

mod info;
mod program;
mod supervised;

pub(crate) use info::{info, rank};

use crate::arguments::MpiRun;
use crate::exit::usage;
use anyhow::Context;
use std::path::Path;
use upcall_mpi::{ErrorKind, Installation, Launch};

/// `upcall mpi run`.
pub(crate) fn run(run: &MpiRun) -> anyhow::Result<u8> {
    let Some((program, arguments)) = run.program.split_first() else {
        return Err(usage("start ranks: no program is named"));
    };
    if let Some(file) = run.hostfile.as_deref().filter(|file| !file.is_file()) {
        return Err(usage(format!("read the hosts in {}: there is no such file", file.display())));
    }
    let mpi = chosen(run.mpi.as_deref())?;
    let ranks = usize::try_from(run.ranks).context("count the ranks")?;
    let mut launch = Launch::new(&mpi, ranks)?.hosts(run.hosts.clone()).labels(run.label);
    if let Some(file) = &run.hostfile {
        launch = launch.host_file(file);
    }
    for (name, value) in &run.env {
        launch = launch.variable(name, value);
    }
    let program = program::started(Path::new(program), &run.guests, launch.is_local())?;
    let (runtime, before) = program.split_first().context("a program has a name")?;
    let command =
        launch.command(runtime, before.iter().chain(arguments)).map_err(|error| match error.kind() {
            ErrorKind::Usage => usage(error.to_string()),
            _ => error.into(),
        })?;
    supervised::run(command, run.timeout)
}

/// The MPI that is asked for, or the one that a program would find.
fn chosen(asked: Option<&str>) -> anyhow::Result<Installation> {
    let Some(asked) = asked else { return Ok(Installation::chosen()?) };
    let mpi = Installation::named(asked)?;
    // On a machine whose only mpicc is another's.
    if let Ok((family, _)) = mpi.family()
        && ["openmpi", "mpich"].contains(&asked)
        && (asked == "mpich") != (family == upcall_mpi::Family::Mpich)
    {
        anyhow::bail!(
            "find MPI: there is no {asked} on PATH: {} is {family}'s; name the path of its mpicc",
            mpi.compiler().display()
        );
    }
    Ok(mpi)
}
