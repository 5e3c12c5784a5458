//! What is said, and done, where a module's memory is full.
#![cfg(feature = "wasm")]

mod wasm_support;

use upcall::Harness;
use upcall_host::{HandlerSpec, Limits};
use wasm_support::{made, with_batch, written};

const MIB: u64 = 1 << 20;

/// A handler that does this with a batch, in so much memory.
fn hand_written(module: &str, memory: u64) -> (tempfile::TempDir, HandlerSpec) {
    let (folder, file) = written(module);
    let limits = Limits { memory: Some(memory), ..Limits::default() };
    (folder, HandlerSpec { limits, ..HandlerSpec::new("hand", "wasm", file, "any") })
}

fn harness(spec: &HandlerSpec) -> Harness {
    Harness::of(made(spec)).emits(&["/out"])
}

#[test]
fn output_in_pages_behind_the_modules_own_is_found_again_by_the_next_batch() {
    // The module takes a page of its own between what goes in and what comes out.
    let body = "(if (i32.eqz (i32.load8_u (i32.const 9)))
                    (then (drop (memory.grow (i32.const 1))) (i32.store8 (i32.const 9) (i32.const 1))))
                (call $grow (i64.const 0x100000) (i32.const 16))";
    let (_folder, spec) = hand_written(&with_batch(body), 6 * MIB);
    let mut harness = harness(&spec);
    for round in 0..20 {
        let value = vec![1; 3 << 20];
        harness.put(b"a", &value).unwrap_or_else(|failed| panic!("round {round}: {failed:?}"));
    }
}
