//! What only the system's package manager can give.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};

use crate::command;

static UPDATED: AtomicBool = AtomicBool::new(false);

/// Installs packages of Debian or Ubuntu, as root or through `sudo`. `needed` says what for.
pub fn install(packages: &[&str], needed: &str) -> Result<()> {
    let names = packages.join(" ");
    if command::which("apt-get").is_none() {
        bail!(
            "{needed} is missing, and this machine has no apt-get to install it with; \
             install what Debian calls `{names}` by hand, then run `cargo xtask setup` again"
        );
    }
    super::say("system", &format!("installing {names} with apt-get, for {needed}"));
    update()?;
    command::run(apt_get()?.args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages))
        .with_context(|| format!("installing {names} for {needed}"))
}

/// Whether there is such a package here, for a package that not every system has.
pub fn has(package: &str) -> Result<bool> {
    let known = || command::works(Command::new("apt-get").args(["download", "--print-uris", package]));
    if command::which("apt-get").is_none() {
        return Ok(false);
    }
    if known() {
        return Ok(true);
    }
    update()?;
    Ok(known())
}

/// Asks which packages there are, once.
fn update() -> Result<()> {
    if !UPDATED.swap(true, Ordering::Relaxed) {
        command::run(apt_get()?.args(["update", "-qq"]))?;
    }
    Ok(())
}

fn apt_get() -> Result<Command> {
    // A question that nobody can answer would wait forever.
    let setting = "DEBIAN_FRONTEND=noninteractive";
    let mut command = if command::output(Command::new("id").arg("-u"))?.trim() == "0" {
        Command::new("env")
    } else if command::which("sudo").is_some() {
        let mut sudo = Command::new("sudo");
        sudo.arg("env");
        sudo
    } else {
        bail!("installing system packages needs root or `sudo`, and neither is at hand; run setup as root");
    };
    command.arg(setting).arg("apt-get");
    Ok(command)
}
