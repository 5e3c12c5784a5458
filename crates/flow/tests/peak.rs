//! An ordinary fan-out emits much more than the flow may hold, and the process stays small, although a handler keeps
//! a little of each object, which the allocator puts between what passes. The only test of its file, so that the
//! process is its own.
#![cfg(target_os = "linux")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use upcall::{Emit, Object};
use upcall_flow::{Flow, OnSpec, Order, Pool};

type Done = Result<(), Box<dyn std::error::Error>>;

const MEMORY: u64 = 64 << 20;

#[test]
fn a_fan_out_of_two_gigabytes_runs_in_the_flows_memory_though_a_handler_keeps_its_keys() -> Done {
    let before = peak()?;
    let seen = Arc::new(AtomicU64::new(0));
    let (counted, elsewhere) = (seen.clone(), seen.clone());
    let flow = Flow::builder()
        .workers(2)
        .memory(MEMORY)
        .pool(Pool::trigger("/lines"))
        .pool(Pool::trigger("/near"))
        .pool(Pool::trigger("/far"))
        .handler(OnSpec::new("fan", "/lines").to("/near").to("/far"), || {
            |line: Object<'_>, emit: &mut Emit<'_>| {
                let value = [7; 10_000];
                for number in 0..50u8 {
                    emit.put_to("/near", &[line.key(), &[b'a' + number % 26]].concat(), &value);
                    emit.put_to("/far", line.key(), &value);
                }
                Ok(())
            }
        })
        .handler(OnSpec::new("near", "/near"), move || {
            let seen = counted.clone();
            move |object: Object<'_>, _: &mut Emit<'_>| {
                seen.fetch_add(object.value().len() as u64, SeqCst);
                Ok(())
            }
        })
        // One worker has to keep up with what both emit.
        .handler(OnSpec::new("far", "/far").order(Order::Single), move || {
            let (seen, mut keys) = (elsewhere.clone(), Vec::<Box<[u8]>>::new());
            move |object: Object<'_>, _: &mut Emit<'_>| {
                keys.push(object.key().into());
                seen.fetch_add(object.value().len() as u64, SeqCst);
                Ok(())
            }
        })
        .start()?;
    let lines = flow.pool("/lines")?;
    for number in 0..2000u32 {
        lines.put_and_forget(number.to_string().as_bytes(), b"a line")?;
    }
    flow.drain()?;
    assert_eq!(seen.load(SeqCst), 2_000_000_000);
    let (report, grown) = (flow.report(), peak()? - before);
    assert!(report.peak_held_bytes <= MEMORY, "{} of {MEMORY} bytes held", report.peak_held_bytes);
    assert!(grown < 2 * MEMORY, "the process grew by {grown} bytes, its memory is {MEMORY}");
    Ok(())
}

/// The most that this process has had in memory.
fn peak() -> Result<u64, Box<dyn std::error::Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no peak")?;
    Ok(line.trim().trim_end_matches("kB").trim().parse::<u64>()? * 1024)
}
