//! Running other programs.

use std::cell::{Cell, RefCell};
use std::env;
use std::io::{self, BufRead, BufReader, Read, Write};
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

/// So many last lines of a command that failed beside others are worth repeating.
const LAST_LINES: usize = 40;

thread_local! {
    /// What runs beside others on this thread.
    static BESIDE: Cell<Option<&'static str>> = const { Cell::new(None) };
    /// The last lines of its commands that failed.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Calls what runs beside others: each line that its commands print begins with this name. Beside the result are the
/// last lines of the commands that failed, which the others' output may have buried.
pub fn beside<T>(name: &'static str, run: impl FnOnce() -> T) -> (T, String) {
    BESIDE.set(Some(name));
    let ran = run();
    BESIDE.set(None);
    (ran, LAST.take())
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
    let name = BESIDE.get();
    let errors = thread::spawn(move || copy(stderr, io::stderr(), name));
    let mut said = copy(stdout, io::stdout(), name);
    // The thread ends with the pipe and does not panic.
    said.push_str(&errors.join().unwrap_or_default());
    let status = child.wait().with_context(|| format!("waiting for `{}`", shown(command)))?;
    if name.is_some() && !status.success() {
        let lines: Vec<_> = said.lines().collect();
        let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
        LAST.with_borrow_mut(|all| last.iter().for_each(|line| *all += &format!("{line}\n")));
    }
    Ok((status.success(), said))
}

/// Passes on all that there is to read: as it comes, or line by line under a name.
fn copy(from: impl Read, mut to: impl Write, name: Option<&str>) -> String {
    let (mut from, mut all) = (BufReader::new(from), Vec::new());
    loop {
        let begun = all.len();
        let read = match name {
            Some(_) => from.read_until(b'\n', &mut all),
            None => from.fill_buf().map(|read| {
                all.extend_from_slice(read);
                read.len()
            }),
        };
        let Ok(read @ 1..) = read else { break };
        let line = match name {
            Some(name) => [b"[", name.as_bytes(), b"] ", &all[begun..]].concat(),
            None => {
                from.consume(read);
                all[begun..].to_vec()
            }
        };
        // A closed terminal is not a reason to stop the tests.
        let _ = to.write_all(&line);
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
