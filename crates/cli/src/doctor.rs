//! `upcall doctor`: which guests work on this machine.

use crate::arguments::{Doctor, Examined, Guests};
use crate::{exit, output, project};
use std::process::Command;
use upcall_host::{GUESTS, KnownGuest, guests::WASM};

pub(crate) fn doctor(doctor: Doctor) -> anyhow::Result<u8> {
    // A guest alone in its process cannot take the others with it.
    match doctor.only.as_slice() {
        [Examined::Guest(one)] => Ok(u8::from(!examine(one, &doctor.guests)?)),
        only => {
            let named = |guest: &KnownGuest| {
                only.iter().any(|one| matches!(one, Examined::Guest(one) if one.name == guest.name))
            };
            let asked = |guest: &&KnownGuest| only.is_empty() || named(guest);
            let mut well = true;
            if only.iter().any(|one| matches!(one, Examined::C)) {
                well &= c()?;
                // What runs its handlers, unless it is asked about too.
                if !named(&WASM) {
                    well &= apart(&WASM, &doctor.guests)?;
                }
            }
            for guest in GUESTS.into_iter().filter(asked) {
                if only.is_empty() && !guest.is_built_in() {
                    // Who wants it names it, and is told how to get it.
                    output::line(guest.name)?;
                    output::line("  not part of this program")?;
                    continue;
                }
                well &= apart(guest, &doctor.guests)?;
            }
            Ok(u8::from(!well))
        }
    }
}

/// Says whether a handler in C becomes a module.
fn c() -> anyhow::Result<bool> {
    output::line("c")?;
    output::line("  handlers in C are modules of WebAssembly, which the guest wasm runs")?;
    output::line("  programs in C have a flow by sdk/c/upcall.h and build/libupcall.so")?;
    let outcome = project::examine_c();
    match &outcome {
        Ok(tools) => output::line(format!("  compiles: {tools} made a module of a handler"))?,
        Err(what) => output::line(format!("  does not work: {what:#}"))?,
    }
    Ok(outcome.is_ok())
}

/// Examines a guest in another process. A process that ends with a signal has said nothing: we do.
fn apart(guest: &KnownGuest, guests: &Guests) -> anyhow::Result<bool> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["doctor", guest.name]);
    guests.pass_on(&mut command);
    let status = command.status()?;
    match status.code() {
        None => output::line(format!("  does not work: the process died of it ({status})"))?,
        Some(code) if code == i32::from(exit::CLOSED) => return Err(exit::closed()),
        Some(_) => {}
    }
    Ok(status.success())
}

/// Says what there is and whether a handler runs.
fn examine(guest: &KnownGuest, guests: &Guests) -> anyhow::Result<bool> {
    output::line(guest.name)?;
    // What a guest that runs in processes needs may be missing: it says so itself.
    let options = guests.options_for(&[guest.name]).unwrap_or_else(|_| guests.options());
    // Whoever died of the guest has said before what was found.
    let mut said = Ok(());
    let outcome = guest.examine(&options, &mut |line| {
        if said.is_ok() {
            said = output::line(format!("  {line}"));
        }
    });
    said?;
    match &outcome {
        Ok(()) => output::line("  works: a handler ran")?,
        Err(what) => output::line(format!("  does not work: {what}"))?,
    }
    Ok(outcome.is_ok())
}
