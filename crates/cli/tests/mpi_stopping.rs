//! How a job of `upcall mpi run` is stopped: by signals, by a terminal, by the clock.

use crate::mpi::{BOTH, cache, ranks};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Two ranks that sleep, each of which has printed its process.
struct Sleeping {
    job: Child,
    ranks: Vec<String>,
}

impl Sleeping {
    fn start(mpi: &str, arguments: &[&str]) -> Sleeping {
        Sleeping::of(mpi, arguments, "echo $$; exec sleep 60")
    }

    fn of(mpi: &str, arguments: &[&str], script: &str) -> Sleeping {
        let program = ["-n", "2", "sh", "-c", script];
        let mut job = ranks(mpi, &[arguments, &program].concat());
        let mut job = job.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(job.stdout.take().unwrap()).lines().take(2);
        Sleeping { ranks: lines.map(Result::unwrap).collect(), job }
    }

    /// Whether they end: it is waited for.
    fn end(&self) -> bool {
        let begun = Instant::now();
        let runs = |rank: &String| {
            let status = fs::read_to_string(format!("/proc/{rank}/stat")).unwrap_or_default();
            status.contains("(sleep)") && !status.contains(") Z ")
        };
        while self.ranks.iter().any(runs) {
            if begun.elapsed() > Duration::from_secs(30) {
                return false;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        self.ranks.len() == 2
    }

    fn signal(&self, name: &str) {
        assert!(
            Command::new("kill").args(["-s", name, &self.job.id().to_string()]).status().unwrap().success()
        );
    }
}

#[test]
fn what_stops_the_command_stops_all_ranks() {
    for mpi in BOTH {
        for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
            let mut sleeping = Sleeping::start(mpi, &[]);
            sleeping.signal(signal);
            assert_eq!(sleeping.job.wait().unwrap().code(), Some(code), "{mpi} {signal}");
            assert!(sleeping.end(), "{mpi} {signal}: a rank still runs");
        }
        let mut sleeping = Sleeping::start(mpi, &[]);
        sleeping.signal("KILL");
        sleeping.job.wait().unwrap();
        assert!(sleeping.end(), "{mpi}: a rank outlives the command");
    }
}

/// It tells the launcher too, which answers a second one by leaving its ranks behind.
#[test]
fn ctrl_c_on_a_terminal_stops_all_ranks() {
    for (mpi, times) in [("openmpi", 1), ("openmpi", 2), ("mpich", 1), ("mpich", 2)] {
        let command = ranks(mpi, &["-n", "2", "sh", "-c", "echo of $$; exec sleep 60"]);
        let words =
            command.get_args().map(|word| format!("'{}'", word.to_str().unwrap())).collect::<Vec<_>>();
        let line = format!("exec '{}' {}", command.get_program().to_str().unwrap(), words.join(" "));
        // A terminal of its own, whose keys are the standard input.
        let mut terminal = Command::new("script");
        terminal.args(["-qec", &line, "/dev/null"]).env("UPCALL_MPI_CACHE", cache()).env_remove("UPCALL_MPI");
        let mut job = terminal.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut keys = job.stdin.take().unwrap();
        let mut lines = BufReader::new(job.stdout.take().unwrap()).lines().map(Result::unwrap);
        let ranks = lines
            .by_ref()
            .filter_map(|line| Some(line.trim().strip_prefix("of ")?.to_owned()))
            .take(2)
            .collect();
        let mut sleeping = Sleeping { job, ranks };
        for _ in 0..times {
            // All may have ended by the first.
            let _ = keys.write_all(b"\x03");
            std::thread::sleep(Duration::from_millis(50));
        }
        // What the launcher says is read, or the terminal would end of it.
        lines.for_each(drop);
        assert_eq!(sleeping.job.wait().unwrap().code(), Some(130), "{mpi}, {times} times");
        assert!(sleeping.end(), "{mpi}, {times} times: a rank still runs");
    }
}

/// The launchers pass the first on to ranks that go on all the same.
#[test]
fn a_second_signal_kills_all_ranks() {
    for mpi in BOTH {
        let mut sleeping = Sleeping::of(mpi, &[], "trap '' INT TERM; echo $$; exec sleep 60");
        for _ in 0..2 {
            sleeping.signal("INT");
            std::thread::sleep(Duration::from_millis(100));
        }
        assert_eq!(sleeping.job.wait().unwrap().code(), Some(130), "{mpi}");
        assert!(sleeping.end(), "{mpi}: a rank still runs");
    }
}

#[test]
fn a_job_that_takes_too_long_is_ended() {
    for mpi in BOTH {
        let sleeping = Sleeping::start(mpi, &["--timeout", "0.5"]);
        assert!(sleeping.end(), "{mpi}: a rank still runs");
        let output = sleeping.job.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(124), "{mpi}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("error: the job took longer than 0.5 s and was ended\n"), "{mpi}: {said}");
    }
}

#[test]
fn a_time_beyond_the_clocks_end_is_none() {
    let status = ranks("mpich", &["-n", "1", "--timeout", "1e19", "sleep", "0.3"]).status().unwrap();
    assert_eq!(status.code(), Some(0));
}
