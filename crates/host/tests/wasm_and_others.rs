//! WebAssembly, Java and C# in one process, whichever starts first: each makes exceptions or traps of faults, by a handler
//! of the process's own signals, and hands on what is not its own.
#![cfg(all(feature = "clr", feature = "java", feature = "wasm"))]

mod java_support;
mod wasm_support;

use java_support::{built, home, java_with, spec};
use std::process::Command;
use std::sync::Arc;
use upcall::Harness;
use upcall_host::clr::{Clr, ClrOptions};
use upcall_host::{HandlerSpec, Host};
use wasm_support::wasm;

/// The order in which a test starts its runtimes, when it runs itself again as a process of its own.
const ORDER: &str = "UPCALL_TEST_ORDER";

/// A runtime, and what its handlers make of faults: the value that asks for one, its type, and what its message holds.
struct Started {
    host: Arc<dyn Host>,
    handler: HandlerSpec,
    faults: &'static [(&'static str, &'static str, &'static str)],
}

fn started(name: &str) -> Started {
    match name {
        "clr" => {
            let options = ClrOptions { home: Some(home()), ..ClrOptions::default() };
            Started {
                host: Arc::new(Clr::start(&options).unwrap()),
                handler: HandlerSpec::new(
                    "test",
                    "csharp",
                    built("tests/Upcall.Tests.dll"),
                    "Upcall.Tests.Faults",
                ),
                faults: &[
                    ("fail", "System.NullReferenceException", ""),
                    ("divide", "System.DivideByZeroException", ""),
                ],
            }
        }
        "java" => Started {
            // Compiled at once, by the compiler that leaves null to the processor each time.
            host: Arc::new(java_with(&["-XX:TieredStopAtLevel=1", "-Xbatch"])),
            handler: spec("Faults"),
            faults: &[
                ("fail", "java.lang.NullPointerException", ""),
                ("divide", "java.lang.ArithmeticException", ""),
                ("overflow", "java.lang.StackOverflowError", ""),
            ],
        },
        _ => Started {
            host: Arc::new(wasm()),
            handler: HandlerSpec::new("test", "wasm", built("tests/faults.wasm"), "Faults"),
            faults: &[
                ("fail", "trap", "out of bounds memory access"),
                ("divide", "trap", "integer divide by zero"),
                ("unreachable", "trap", "`unreachable` instruction"),
                ("overflow", "trap", "call stack exhausted"),
            ],
        },
    }
}

impl Started {
    /// Each of its faults, this often.
    fn faults(&self, times: u32) {
        let module = self.host.load(&self.handler).unwrap();
        self.host.worker(&mut || {
            let mut harness = Harness::of(module.instantiate().unwrap()).emits(&["/out"]);
            for _ in 0..times {
                for (value, type_name, message) in self.faults {
                    let failed = harness.put(b"key", value.as_bytes()).unwrap_err();
                    assert_eq!(failed.type_name, *type_name, "{value}: {}", failed.message);
                    assert!(failed.message.contains(message), "{value}: {}", failed.message);
                }
            }
        });
    }
}

/// Rounds of faults in all of them: on threads that each runtime has for itself, on some that all share in turn, and inside
/// one another.
fn rounds(runtimes: &[Started]) {
    const ROUNDS: u32 = 25;
    std::thread::scope(|scope| {
        for runtime in runtimes {
            scope.spawn(|| runtime.faults(ROUNDS));
        }
        for _ in 0..2 {
            scope.spawn(|| (0..ROUNDS).for_each(|_| runtimes.iter().for_each(|runtime| runtime.faults(1))));
        }
    });
    fn inside(outer: &[Started], all: &[Started]) {
        match outer.split_first() {
            Some((first, rest)) => first.host.worker(&mut || inside(rest, all)),
            None => (0..ROUNDS).for_each(|_| all.iter().for_each(|runtime| runtime.faults(1))),
        }
    }
    std::thread::scope(|scope| drop(scope.spawn(|| inside(runtimes, runtimes))));
}

/// The test runs itself again, for each order as a process of its own.
#[track_caller]
fn in_orders(test: &str, orders: &[&str]) {
    if let Ok(order) = std::env::var(ORDER) {
        let runtimes: Vec<Started> = order.split(' ').map(started).collect();
        rounds(&runtimes);
        return;
    }
    for order in orders {
        let program = std::env::current_exe().unwrap();
        let mut again = Command::new(program);
        let output = again.args([test, "--exact", "--nocapture"]).env(ORDER, order).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        assert!(output.status.success(), "{order}: {}\n{}", output.status, String::from_utf8_lossy(&said));
    }
}

#[test]
fn java_and_webassembly_fault_in_turns_whichever_starts_first() {
    let test = "java_and_webassembly_fault_in_turns_whichever_starts_first";
    in_orders(test, &["java wasm", "wasm java"]);
}

#[test]
fn csharp_and_webassembly_fault_in_turns_whichever_starts_first() {
    let test = "csharp_and_webassembly_fault_in_turns_whichever_starts_first";
    in_orders(test, &["clr wasm", "wasm clr"]);
}

#[test]
fn all_three_fault_in_turns_wherever_webassembly_starts() {
    let test = "all_three_fault_in_turns_wherever_webassembly_starts";
    in_orders(test, &["java clr wasm", "java wasm clr", "wasm java clr"]);
}
