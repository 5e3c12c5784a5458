//! `upcall doctor`: which guests work on this machine.

use crate::arguments::{Doctor, Guest, Guests};
use crate::{exit, output};
use anyhow::{anyhow, bail};
use std::process::Command;
use upcall::{Emit, Harness, Object};
use upcall_host::clr::{self, Clr};
use upcall_host::python::{self, Python};

pub(crate) fn doctor(doctor: Doctor) -> anyhow::Result<u8> {
    // A guest alone in its process cannot take the others with it.
    match doctor.only.as_slice() {
        [one] => Ok(u8::from(!examine(*one, &doctor.guests)?)),
        only => {
            let all = [Guest::Native, Guest::Csharp, Guest::Python];
            let mut well = true;
            for guest in all.into_iter().filter(|guest| only.is_empty() || only.contains(guest)) {
                well &= apart(guest, &doctor.guests)?;
            }
            Ok(u8::from(!well))
        }
    }
}

/// Examines a guest in another process. A process that ends with a signal has said nothing: we do.
fn apart(guest: Guest, guests: &Guests) -> anyhow::Result<bool> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["doctor", name(guest)]);
    if let Some(python) = &guests.python {
        command.arg("--python").arg(python);
    }
    let status = command.status()?;
    match status.code() {
        None => output::line(format!("  does not work: the process died of it ({status})"))?,
        Some(code) if code == i32::from(exit::CLOSED) => return Err(exit::closed()),
        Some(_) => {}
    }
    Ok(status.success())
}

fn name(guest: Guest) -> &'static str {
    match guest {
        Guest::Native => "native",
        Guest::Csharp => "csharp",
        Guest::Python => "python",
    }
}

/// Says what there is and whether a handler runs.
fn examine(guest: Guest, guests: &Guests) -> anyhow::Result<bool> {
    output::line(name(guest))?;
    let outcome = match guest {
        Guest::Native => native(),
        Guest::Csharp => csharp(guests),
        Guest::Python => python(guests),
    };
    match &outcome {
        Ok(()) => output::line("  works: a handler ran")?,
        // Where the output itself is what went wrong, this line says so to our caller.
        Err(what) => output::line(format!("  does not work: {what:#}"))?,
    }
    Ok(outcome.is_ok())
}

fn native() -> anyhow::Result<()> {
    output::line(format!("  found: this program, which loads libraries built for ABI {}", upcall_abi::ABI))?;
    let echo = |object: Object<'_>, emit: &mut Emit<'_>| {
        emit.put(object.key(), object.value());
        Ok(())
    };
    let mut harness = Harness::new(echo).emits(&["/out"]);
    harness.put(b"ping", b"pong").map_err(|failed| anyhow!(failed.message))?;
    match harness.emitted() {
        [out] if out.key == b"ping" && out.value == b"pong" => Ok(()),
        other => bail!("it emitted {other:?} instead of what it was given"),
    }
}

fn csharp(guests: &Guests) -> anyhow::Result<()> {
    let options = guests.clr_options();
    let located = clr::locate(&options);
    match &located.runtime {
        Some(found) => {
            let (version, folder) = (&found.version, found.folder.display());
            output::line(format!("  found: .NET {version} in {folder}, by {}", found.through))?;
        }
        None => looked(located.looked.iter().map(|looked| (looked.place, &looked.found)))?,
    }
    let clr = Clr::start(&options)?;
    output::line(format!("  handlers share {}", clr.sdk().display()))?;
    Ok(clr.probe()?)
}

fn python(guests: &Guests) -> anyhow::Result<()> {
    let options = guests.python_options();
    let located = python::locate(&options);
    match &located.runtime {
        Some(found) => {
            let (version, executable) = (&found.version, found.executable.display());
            output::line(format!("  found: Python {version}, {executable}, by {}", found.through))?;
            output::line(format!("  its library is {}", found.library.display()))?;
        }
        None => looked(located.looked.iter().map(|looked| (looked.place, &looked.found)))?,
    }
    let python = Python::start(&options)?;
    output::line(format!("  its driver is {}", python.driver().display()))?;
    Ok(python.probe()?)
}

fn looked<'a>(places: impl Iterator<Item = (&'static str, &'a String)>) -> anyhow::Result<()> {
    output::line("  not found; looked at:")?;
    for (place, found) in places {
        output::line(format!("    {place}: {found}"))?;
    }
    Ok(())
}
