//! What was measured, and on what.

use crate::book;
use serde::Serialize;
use std::fs;
use std::process::Command;

/// A description of this machine, without its name, and of the code that runs on it.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The commit, followed by `-dirty` where something was not committed.
    pub commit: String,
    /// The CPU's model.
    pub cpu: String,
    /// Cores that this process may use.
    pub cores: usize,
    /// Memory, in MiB.
    pub memory_mib: u64,
    /// Version of the kernel.
    pub kernel: String,
    /// Version of the compiler.
    pub rustc: String,
    /// The date of the run.
    pub date: String,
    /// The load average before it, over 1, 5 and 15 minutes: what else went on.
    pub load: String,
}

impl Machine {
    /// This machine, now. What cannot be found out says so.
    pub fn here() -> Machine {
        let root = book::root().to_string_lossy();
        let commit = ["-C", &root, "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*"];
        Machine {
            commit: answer("git", &commit),
            cpu: field("/proc/cpuinfo", "model name").unwrap_or_else(unknown),
            cores: std::thread::available_parallelism().map_or(0, usize::from),
            memory_mib: memory_mib().unwrap_or(0),
            kernel: release(&answer("uname", &["-sr"])),
            rustc: answer("rustc", &["--version"]),
            date: answer("date", &["-u", "+%Y-%m-%d"]),
            load: fs::read_to_string("/proc/loadavg")
                .map(|text| text.split(' ').take(3).collect::<Vec<_>>().join(" "))
                .unwrap_or_else(|_| unknown()),
        }
    }
}

fn unknown() -> String {
    "unknown".to_owned()
}

/// `Linux 6.12.3-build-of-somebody` without what a distribution appends.
fn release(kernel: &str) -> String {
    kernel.split('-').next().unwrap_or(kernel).to_owned()
}

fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn memory_mib() -> Option<u64> {
    let kib: u64 = field("/proc/meminfo", "MemTotal")?.split(' ').next()?.parse().ok()?;
    Some(kib / 1024)
}

fn answer(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success());
    output.map_or_else(unknown, |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_the_kernel_and_the_date_are_found_out() {
        let machine = Machine::here();
        assert!(machine.rustc.starts_with("rustc "), "{machine:?}");
        assert!(machine.kernel != "unknown" && machine.date.len() == 10, "{machine:?}");
    }

    #[test]
    fn what_a_distribution_appends_to_the_kernel_is_left_out() {
        assert_eq!(release("Linux 6.12.3-somebody-4"), "Linux 6.12.3");
        assert_eq!(release("Linux 6.12.3"), "Linux 6.12.3");
    }
}
