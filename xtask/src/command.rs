//! Running other programs.

use std::env;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};

/// Runs a command with this program's own input and output; it must succeed.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("starting `{}`", shown(command)))?;
    if !status.success() {
        bail!("`{}` failed: {status}", shown(command));
    }
    Ok(())
}

/// Runs a command and returns what it printed; it must succeed.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .with_context(|| format!("starting `{}`", shown(command)))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` failed: {}\n{}", shown(command), output.status, said.trim_end());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a command can be started and succeeds; what it prints is dropped.
pub fn works(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs a command, passing on what it prints, and returns whether it succeeded and all that it printed.
pub fn tee(command: &mut Command) -> Result<(bool, String)> {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("starting `{}`", shown(command)))?;
    let stdout = child.stdout.take().context("a child's standard output was not piped")?;
    let stderr = child.stderr.take().context("a child's standard error was not piped")?;
    let errors = thread::spawn(move || copy(stderr, io::stderr()));
    let mut said = copy(stdout, io::stdout());
    // The thread ends with the pipe and does not panic.
    said.push_str(&errors.join().unwrap_or_default());
    let status = child.wait().with_context(|| format!("waiting for `{}`", shown(command)))?;
    Ok((status.success(), said))
}

fn copy(mut from: impl Read, mut to: impl Write) -> String {
    let mut all = Vec::new();
    let mut buffer = [0; 8192];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        all.extend_from_slice(&buffer[..read]);
        // A closed terminal is not a reason to stop the tests.
        let _ = to.write_all(&buffer[..read]);
        let _ = to.flush();
    }
    String::from_utf8_lossy(&all).into_owned()
}

/// Finds a program on PATH.
pub fn which(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// A command as one would type it.
pub fn shown(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|argument| argument.to_string_lossy().into_owned()));
    words.join(" ")
}
