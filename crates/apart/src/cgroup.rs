//! A memory cgroup for each process with a limit, where one can be made: the kernel then kills it before it has more, while
//! looking at its memory from time to time comes after the fact.
//!
//! A cgroup belongs to whoever has made it, often a service manager, and being root is no leave to divide it. So one is made
//! in two places only: where `UPCALL_CGROUP` says, or beside our own, where systemd has handed us the group above
//! (`Delegate=memory` and `DelegateSubgroup=` of a service). Elsewhere there is none.

use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// The variable that names a memory cgroup in which others may be made.
const VARIABLE: &str = "UPCALL_CGROUP";

/// What it is named by: this, our process, and a number.
const PREFIX: &str = "upcall-";

pub(crate) struct Cgroup {
    folder: PathBuf,
    version: Version,
    /// Open for writing, as a child between fork and exec cannot look for it.
    processes: OwnedFd,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Version {
    One,
    Two,
}

impl Cgroup {
    /// Makes one with a limit in bytes. The error says why there can be none.
    pub(crate) fn make(limit: u64) -> Result<Cgroup, String> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let (above, version) = place()?;
        remove_stale(&above);
        let folder = above.join(format!("{PREFIX}{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed)));
        let fail = |error: io::Error| format!("make {}: {error}", folder.display());
        std::fs::create_dir(&folder).map_err(fail)?;
        let made = limited(&folder, version, limit).and_then(|()| {
            Ok(rustix::fs::open(
                folder.join("cgroup.procs"),
                OFlags::WRONLY | OFlags::CLOEXEC,
                Mode::empty(),
            )?)
        });
        match made {
            Ok(processes) => Ok(Cgroup { folder, version, processes }),
            Err(error) => {
                let _ = std::fs::remove_dir(&folder);
                Err(fail(error))
            }
        }
    }

    /// For [`join`].
    pub(crate) fn processes(&self) -> BorrowedFd<'_> {
        self.processes.as_fd()
    }

    /// Whether this process is in it.
    pub(crate) fn has(&self, pid: Pid) -> bool {
        self.pids().contains(&pid)
    }

    /// Whether the kernel has killed a process of it, as it had no more memory.
    pub(crate) fn has_killed(&self) -> bool {
        let file = match self.version {
            Version::One => "memory.oom_control",
            Version::Two => "memory.events",
        };
        let text = std::fs::read_to_string(self.folder.join(file)).unwrap_or_default();
        text.lines().filter_map(|line| line.strip_prefix("oom_kill ")).any(|times| times.trim() != "0")
    }

    fn pids(&self) -> Vec<Pid> {
        let text = std::fs::read_to_string(self.folder.join("cgroup.procs")).unwrap_or_default();
        text.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)).collect()
    }
}

/// Kills whoever is still in it, and removes it.
impl Drop for Cgroup {
    fn drop(&mut self) {
        // What is killed takes a moment to go. What is not gone in time stays until another process of ours looks for it.
        const TRIES: u32 = 100;
        for _ in 0..TRIES {
            for pid in self.pids() {
                let _ = kill_process(pid, Signal::KILL);
            }
            if std::fs::remove_dir(&self.folder).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        tracing::debug!("the memory cgroup {} could not be removed", self.folder.display());
    }
}

/// In the child, between fork and exec: goes into the group whose file of processes this is. Allocates nothing.
pub(crate) fn join(processes: BorrowedFd<'_>) -> io::Result<()> {
    rustix::io::write(processes, b"0")?;
    Ok(())
}

/// Where one can be made.
fn place() -> Result<(PathBuf, Version), String> {
    if let Some(named) = std::env::var_os(VARIABLE).filter(|named| !named.is_empty()) {
        let named = PathBuf::from(named);
        let version = version(&named);
        let message =
            || format!("{VARIABLE} names {}, which is no memory cgroup that can be divided", named.display());
        return version.map(|version| (named.clone(), version)).ok_or_else(message);
    }
    let above = above_ours()?;
    if !is_ours(&above) {
        return Err(format!(
            "{} is not delegated to us, and {VARIABLE} names no other place",
            above.display()
        ));
    }
    if version(&above).is_none() {
        // It is ours; whoever has delegated it leaves this to us.
        let _ = std::fs::write(above.join("cgroup.subtree_control"), "+memory");
    }
    let version = version(&above);
    version
        .map(|version| (above.clone(), version))
        .ok_or_else(|| format!("{} does not divide memory", above.display()))
}

/// Of which version a folder is, if groups in it have memory of their own.
fn version(folder: &Path) -> Option<Version> {
    let divided = std::fs::read_to_string(folder.join("cgroup.subtree_control"));
    match divided {
        Ok(divided) => divided.split_whitespace().any(|name| name == "memory").then_some(Version::Two),
        Err(_) => folder.join("memory.limit_in_bytes").is_file().then_some(Version::One),
    }
}

/// The folder of the group above our own, of version 2.
fn above_ours() -> Result<PathBuf, String> {
    let read = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("read {path}: {error}"));
    let (ours, mounts) = (read("/proc/self/cgroup")?, read("/proc/self/mountinfo")?);
    let folder = folder_of(&ours, &mounts).ok_or("no cgroup of version 2 is mounted")?;
    let above = folder.1.parent().filter(|above| above.starts_with(&folder.0));
    above.map(Path::to_owned).ok_or_else(|| "there is no cgroup above ours".to_owned())
}

/// Where version 2 is mounted, and our own group there, as the kernel's two files tell.
fn folder_of(ours: &str, mounts: &str) -> Option<(PathBuf, PathBuf)> {
    let path = Path::new(ours.lines().find_map(|line| line.strip_prefix("0::"))?);
    mounts.lines().find_map(|line| {
        let (mount, kind) = line.split_once(" - ")?;
        let mut fields = mount.split(' ').skip(3);
        let (root, point) = (fields.next()?, PathBuf::from(fields.next()?));
        let inside = path.strip_prefix(root).ok()?;
        kind.starts_with("cgroup2 ").then(|| (point.clone(), point.join(inside)))
    })
}

/// Whether systemd has marked a group as delegated: of a user's services the one, of the system's the other.
fn is_ours(folder: &Path) -> bool {
    ["user.delegate", "trusted.delegate"].iter().any(|mark| {
        let mut value = [0; 8];
        rustix::fs::getxattr(folder, *mark, &mut value[..]).is_ok_and(|len| value[..len] == *b"1")
    })
}

fn limited(folder: &Path, version: Version, limit: u64) -> io::Result<()> {
    let write = |file: &str, value: &str| std::fs::write(folder.join(file), value);
    let number = limit.to_string();
    // Nothing of it goes to disk instead; a kernel that does not count that has no such file.
    match version {
        Version::One => {
            write("memory.limit_in_bytes", &number)?;
            let _ = write("memory.memsw.limit_in_bytes", &number);
        }
        Version::Two => {
            write("memory.max", &number)?;
            let _ = write("memory.swap.max", "0");
            let _ = write("memory.oom.group", "1");
        }
    }
    Ok(())
}

/// Removes what was left by processes of Upcall that are gone. What is in use cannot be removed.
fn remove_stale(above: &Path) {
    let Ok(there) = std::fs::read_dir(above) else { return };
    for entry in there.flatten() {
        let name = entry.file_name();
        let maker = name.to_str().and_then(maker);
        if maker.is_some_and(|maker| test_kill_process(maker) == Err(rustix::io::Errno::SRCH)) {
            let _ = std::fs::remove_dir(entry.path());
        }
    }
}

/// The process that has made a group of this name.
fn maker(name: &str) -> Option<Pid> {
    let (pid, number) = name.strip_prefix(PREFIX)?.split_once('-')?;
    number.parse::<u32>().ok()?;
    Pid::from_raw(pid.parse().ok()?)
}

#[cfg(test)]
mod tests;
