//! A group of processes that the kernel lets have so much memory and no more, page cache included.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

/// A memory cgroup, version 1 or 2, below the one that this process is in. It goes with this value.
#[derive(Debug)]
pub struct Group {
    folder: PathBuf,
}

impl Group {
    /// Makes one.
    ///
    /// # Errors
    /// There is no controller of memory, or it is not given to this process.
    pub fn of(bytes: u64) -> Result<Group> {
        let known = fs::read_to_string("/proc/self/cgroup").context("reading /proc/self/cgroup")?;
        let (parent, limit) = controller(&known).context("looking for a memory cgroup: there is none")?;
        let group = Group { folder: parent.join(format!("upcall-group-{}", std::process::id())) };
        let folder = &group.folder;
        fs::create_dir(folder).with_context(|| format!("making the memory cgroup {}", folder.display()))?;
        fs::write(folder.join(limit), bytes.to_string())
            .with_context(|| format!("limiting the memory cgroup {}", folder.display()))?;
        // What is left must not go to swap instead; where there is no such file, there is no swap either.
        let _ = fs::write(folder.join("memory.swap.max"), "0");
        Ok(group)
    }

    /// A command that moves into the group before it becomes another.
    #[must_use]
    pub fn inside(&self, command: &Command) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo $$ > \"$0\" && exec \"$@\""]).arg(self.folder.join("cgroup.procs"));
        shell.arg(command.get_program()).args(command.get_args());
        surrounded(&mut shell, command);
        shell
    }
}

/// Gives a command the folder and the environment of another.
fn surrounded(command: &mut Command, other: &Command) {
    if let Some(folder) = other.get_current_dir() {
        command.current_dir(folder);
    }
    for (name, value) in other.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The kernel may need a moment to count the last process as gone.
        for _ in 0..100 {
            if fs::remove_dir(&self.folder).is_ok() || !self.folder.exists() {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        eprintln!("removing the memory cgroup {}: it stays", self.folder.display());
    }
}

/// The folder of this process's memory cgroup, and the file of its limit.
fn controller(known: &str) -> Option<(PathBuf, &'static str)> {
    let root = Path::new("/sys/fs/cgroup");
    let below = |controllers: &str| {
        known.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let named = fields.next()?.split(',').any(|name| name == controllers);
            named.then(|| fields.next().map(|path| path.trim_start_matches('/').to_owned())).flatten()
        })
    };
    if let Some(path) = below("memory") {
        return Some((root.join("memory").join(path), "memory.limit_in_bytes"));
    }
    Some((root.join(below("")?), "memory.max"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_cgroup_is_found_in_either_version() {
        let found =
            |known| controller(known).map(|(folder, limit)| (folder.to_string_lossy().into_owned(), limit));
        let first = ("/sys/fs/cgroup/memory/a/b".to_owned(), "memory.limit_in_bytes");
        assert_eq!(found("9:name=systemd:/\n4:cpu,memory:/a/b\n0::/\n"), Some(first));
        let second = ("/sys/fs/cgroup/user.slice".to_owned(), "memory.max");
        assert_eq!(found("0::/user.slice\n"), Some(second));
        assert_eq!(found(""), None);
    }

    #[test]
    fn a_command_keeps_its_folder_and_environment_inside() {
        let group = Group { folder: "/nowhere".into() };
        let mut command = Command::new("it");
        command.arg("word").current_dir("/tmp").env("ONE", "1");
        let inside = group.inside(&command);
        let words: Vec<_> = inside.get_args().skip(2).collect();
        assert_eq!(words, ["/nowhere/cgroup.procs", "it", "word"]);
        assert_eq!(inside.get_current_dir(), Some(Path::new("/tmp")));
        assert!(inside.get_envs().any(|(name, value)| name == "ONE" && value == Some("1".as_ref())));
    }
}
