//! `upcall mpi info`: what the machine's MPIs are, as two ranks of each find it.

use crate::arguments::MpiInfo;
use crate::{exit, output};
use std::process::Stdio;
use upcall_mpi::{Environment, Installation, Launch, Optional, Sum, Threads};

/// How many ranks try an MPI.
const RANKS: usize = 2;

pub(crate) fn info(info: &MpiInfo) -> anyhow::Result<u8> {
    let mut installed = match &info.mpi {
        Some(asked) => vec![super::chosen(Some(asked))?],
        None => Installation::all(),
    };
    let chosen = match Installation::chosen() {
        Ok(chosen) => Some(chosen),
        Err(error) if installed.is_empty() => return Err(error.into()),
        Err(error) => {
            output::error(format!("warning: {error}"));
            None
        }
    };
    // UPCALL_MPI may name one that is not on PATH.
    if info.mpi.is_none()
        && let Some(chosen) = chosen.as_ref().filter(|chosen| !installed.contains(chosen))
    {
        installed.insert(0, chosen.clone());
    }
    let mut well = true;
    for mpi in &installed {
        let default = if chosen.as_ref() == Some(mpi) { " (the default)" } else { "" };
        output::line(format!("{}{default}", mpi.compiler().display()))?;
        match examine(mpi)? {
            Ok(()) => {}
            Err(error) => {
                well = false;
                output::line(format!("  does not work: {}", output::escaped(&format!("{error:#}"))))?;
            }
        }
    }
    Ok(u8::from(!well))
}

/// Says what an MPI is, and why it does not work. The outer error is of what is said.
fn examine(mpi: &Installation) -> anyhow::Result<anyhow::Result<()>> {
    let row = |what: &str, text: &str| output::line(format!("  {what:<9} {text}"));
    let (family, version) = match mpi.family() {
        Ok(found) => found,
        Err(error) => return Ok(Err(error.into())),
    };
    let launcher = mpi.launcher().map(|launcher| launcher.display().to_string()).unwrap_or_default();
    row("launcher", &format!("{launcher}, {family} {version}"))?;
    match mpi.shim() {
        Ok(shim) => row("shim", &shim.display().to_string())?,
        Err(error) => return Ok(Err(error.into())),
    }
    let outcome = asked(mpi);
    if let Ok(said) = &outcome {
        said.lines().try_for_each(|line| output::line(format!("  {line}")))?;
    }
    Ok(outcome.map(drop))
}

/// What the ranks say.
fn asked(mpi: &Installation) -> anyhow::Result<String> {
    let mut command = Launch::new(mpi, RANKS)?.command(std::env::current_exe()?, ["mpi", "rank"])?;
    // Both launchers end a job by it.
    let told = command.env("MPIEXEC_TIMEOUT", "60").stdin(Stdio::null()).output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if told.status.success() {
        return Ok(text(&told.stdout));
    }
    let said = [text(&told.stdout), text(&told.stderr)].join("\n");
    anyhow::bail!("{RANKS} ranks have ended with {}\n{}", told.status, said.trim())
}

/// `upcall mpi rank`: adds up the ranks, and says as the first of them what the MPI is.
pub(crate) fn rank() -> anyhow::Result<u8> {
    let mpi = Environment::start(Threads::Multiple)?;
    let world = mpi.world();
    let sum = world.all_reduce(&[world.rank() as u64 + 1], Sum)?[0];
    let right = sum == (1..=world.size() as u64).sum::<u64>();
    if world.rank() == 0 {
        let (major, minor) = mpi.standard();
        let names = |has: bool| {
            let parts = Optional::ALL.into_iter().filter(|part| mpi.has(*part) == has);
            parts.map(Optional::name).collect::<Vec<_>>().join(", ")
        };
        let threads = match mpi.threads() {
            Threads::Multiple => "as many as there are may call it at a time",
            Threads::Serialized => "one at a time may call it",
            Threads::Funneled | Threads::Single => "the one that has started it may call it",
        };
        let mut rows = vec![
            ("library", mpi.library()),
            ("standard", format!("MPI {major}.{minor}")),
            ("threads", threads.to_owned()),
            ("tags", format!("up to {}", world.largest_tag()?)),
        ];
        rows.extend(
            [("has", names(true)), ("lacks", names(false))]
                .into_iter()
                .filter(|(_, names)| !names.is_empty()),
        );
        for (what, text) in rows {
            output::line(format!("{what:<9} {text}"))?;
        }
        output::line(match right {
            true => format!("works: {} ranks have added their numbers", world.size()),
            false => format!("does not work: {} ranks have added their numbers to {sum}", world.size()),
        })?;
    }
    mpi.finish()?;
    Ok(if right { 0 } else { exit::FAILED })
}
