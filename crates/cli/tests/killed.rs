//! Isolated handlers whose processes are killed from outside at any moment: nothing is lost, nothing comes twice, and the
//! order of each key is kept. Twenty moments for each language; `UPCALL_KILLS` for another number.

#[path = "support/places.rs"]
mod places;

use places::fixtures;
use std::collections::HashMap;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;
use upcall_apart::{Processes, Program};
use upcall_flow::{Flow, OnSpec, Pool};
use upcall_host::Isolation;
use upcall_host::guests::NODE;
use upcall_host::node::NodeOptions;

const KEYS: u64 = 37;

/// What arrived behind the handler: of each key the last number, which goes up by one, and what was wrong.
#[derive(Default)]
struct Arrived {
    last: HashMap<String, u64>,
    count: u64,
    wrong: Vec<String>,
}

impl Arrived {
    fn see(&mut self, key: &str, number: u64) {
        let last = self.last.insert(key.to_owned(), number).unwrap_or(0);
        self.count += 1;
        if number != last + 1 {
            self.wrong.push(format!("{key}: {number} behind {last}"));
        }
    }
}

/// The handlers' processes that this one has started.
fn running() -> Vec<i32> {
    let me = std::process::id().to_string();
    let pids =
        fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let mine = |pid: &i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1)) == Some(&me)
    };
    pids.filter(mine).collect()
}

fn survives(guest: &str, workers: usize) {
    survives_as(guest, "Raises", workers);
}

fn survives_as(guest: &str, class: &str, workers: usize) {
    let kills: u32 = std::env::var("UPCALL_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(20);
    let isolation = Isolation { workers, restarts: 1000, ..Isolation::default() };
    let arrived = Arc::new((Mutex::new(Arrived::default()), Condvar::new()));
    let seen = arrived.clone();
    let mut processes = Processes::new(Program::new(env!("CARGO_BIN_EXE_upcall")).argument("guest"));
    if guest == NODE.name {
        processes = processes.with(guest, Program::node(&NodeOptions::default()).unwrap());
    }
    let flow = Flow::builder()
        .pool(Pool::trigger("/in"))
        .pool(Pool::trigger("/out"))
        .pool(Pool::trigger("/end"))
        .host(Arc::new(processes))
        .on_guest(
            OnSpec::new("passes", "/in").to("/out").code(guest, fixtures(guest), class).isolation(isolation),
        )
        .on("/out", "/end", move |object, _| {
            let number = object.text()?.parse()?;
            seen.0.lock().unwrap().see(object.key_str(), number);
            seen.1.notify_all();
            Ok(())
        })
        .start()
        .unwrap();
    let input = flow.pool("/in").unwrap();
    let done = AtomicBool::new(false);
    let mut put = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut random = 0x2545_f491_4f6c_dd1du64 ^ u64::from(std::process::id());
            for kill in 0..kills {
                // Every second kill hits a process that has answered; the others may hit it while it starts.
                if kill % 2 == 1 {
                    let (arrived, more) = &*arrived;
                    let now = arrived.lock().unwrap();
                    let before = now.count;
                    drop(more.wait_while(now, |now| now.count == before).unwrap());
                }
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                std::thread::sleep(Duration::from_micros(random % 60_000));
                let found = running();
                if let Some(pid) = found.get(random as usize % found.len().max(1)) {
                    // SAFETY: a signal to a process that we have started.
                    unsafe { libc::kill(*pid, libc::SIGKILL) };
                }
            }
            done.store(true, SeqCst);
        });
        while !done.load(SeqCst) {
            let key = format!("key {}", put % KEYS);
            input.put(&key, (put / KEYS + 1).to_string()).unwrap();
            put += 1;
        }
    });
    flow.drain().unwrap();
    flow.stop().unwrap();
    let Arrived { count, wrong, .. } = &*arrived.0.lock().unwrap();
    assert!(
        wrong.is_empty(),
        "{guest}: {} of {put} are wrong: {:?}",
        wrong.len(),
        &wrong[..wrong.len().min(5)]
    );
    assert_eq!(*count, put, "{guest}");
}

#[test]
fn a_native_handler_that_is_killed_at_any_moment_loses_nothing() {
    survives("native", 1);
}

#[test]
fn a_csharp_handler_that_is_killed_at_any_moment_loses_nothing() {
    survives("csharp", 1);
}

#[test]
fn a_python_handler_that_is_killed_at_any_moment_loses_nothing() {
    survives("python", 1);
}

#[test]
fn a_handler_in_javascript_that_is_killed_at_any_moment_loses_nothing() {
    survives("node", 1);
}

#[test]
fn a_handler_in_javascript_that_is_killed_with_many_calls_open_loses_nothing() {
    survives_as("node", "Waits", 1);
}

#[test]
fn one_of_two_processes_that_is_killed_at_any_moment_loses_nothing() {
    survives("python", 2);
}
