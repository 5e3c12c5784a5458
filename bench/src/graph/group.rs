//! A group of processes that the kernel lets have so much memory and no more, page cache included, and what they take.

use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

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
        let group = Group { folder: parent.join(format!("upcall-bench-{}", std::process::id())) };
        let folder = &group.folder;
        fs::create_dir(folder).with_context(|| format!("making the memory cgroup {}", folder.display()))?;
        fs::write(folder.join(limit), bytes.to_string())
            .with_context(|| format!("limiting the memory cgroup {}", folder.display()))?;
        // What is left must not go to swap instead; where there is no such file, there is no swap either.
        let _ = fs::write(folder.join("memory.swap.max"), "0");
        Ok(group)
    }

    /// A command that moves into the group before it becomes another.
    fn inside(&self, command: &Command) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo $$ > \"$0\" && exec \"$@\""]).arg(self.folder.join("cgroup.procs"));
        shell.arg(command.get_program()).args(command.get_args());
        shell
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

/// What a process has said, and what it took.
#[derive(Debug)]
pub struct Watched {
    /// Its output.
    pub said: String,
    /// From its start to its end.
    pub seconds: f64,
    /// The most memory of its own that it was seen to have (RssAnon), in MiB.
    pub peak_mib: f64,
}

/// Runs a command, in a group if there is one, and looks at its memory every five milliseconds.
///
/// # Errors
/// It cannot be started, or fails; a process that took more than the group may have is killed.
pub fn watch(command: &Command, group: Option<&Group>) -> Result<Watched> {
    let plain = || {
        let mut plain = Command::new(command.get_program());
        plain.args(command.get_args());
        plain
    };
    let mut started = group.map_or_else(plain, |group| group.inside(command));
    let began = Instant::now();
    let mut child = started
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("running {command:?}"))?;
    // Neither writes more than a pipe holds.
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut peak = 0;
    let ended = loop {
        if let Some(ended) = child.try_wait().with_context(|| format!("waiting for {command:?}"))? {
            break ended;
        }
        let anonymous = fs::read_to_string(&status).ok().and_then(|status| anonymous(&status));
        peak = peak.max(anonymous.unwrap_or(0));
        thread::sleep(Duration::from_millis(5));
    };
    let seconds = began.elapsed().as_secs_f64();
    let output = child.wait_with_output().with_context(|| format!("reading what {command:?} says"))?;
    if !ended.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        let words: Vec<OsString> = command.get_args().map(Into::into).collect();
        bail!("running {:?} {words:?}: {ended}; it said:\n{complaint}", command.get_program());
    }
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Watched { said, seconds, peak_mib: peak as f64 / 1024.0 })
}

/// KiB of `RssAnon`.
fn anonymous(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    line.split_whitespace().next()?.parse().ok()
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
    fn a_process_is_watched_and_its_failure_told() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "sleep 0.1; echo so"]);
        let Watched { said, seconds, peak_mib } = watch(&shell, None).unwrap();
        assert!(said == "so\n" && seconds >= 0.1 && peak_mib > 0.0, "{said} {seconds} {peak_mib}");
        let mut shell = Command::new("sh");
        let error = watch(shell.args(["-c", "echo no memory >&2; exit 3"]), None).unwrap_err().to_string();
        assert!(error.contains("exit status: 3") && error.contains("no memory"), "{error}");
        assert_eq!(anonymous("VmRSS:\t 9 kB\nRssAnon:\t     132 kB\n"), Some(132));
    }
}
