//! Handlers in WebAssembly under the command: traps, limits, isolation.

use crate::support::readme::{blocks, prints};
use crate::support::{Folder, Outcome, built, code, fixtures, handler, pools, ran, run, upcall};
use std::fs;

/// Runs a handler of `/in` on these lines.
#[track_caller]
fn went(class: &str, more: &str, lines: &str) -> (Folder, Outcome) {
    let folder = Folder::new(&(pools(&["/in", "/out"]) + &handler("wasm", class, "/in", "/out", more)));
    let outcome = ran(&folder, lines);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    (folder, outcome)
}

fn cause(folder: &Folder) -> serde_json::Value {
    let dead = folder.read("dead");
    let letter: serde_json::Value =
        serde_json::from_str(dead.trim_end().split_once('\t').unwrap().1).unwrap();
    letter["cause"].clone()
}

#[test]
fn a_panic_buries_its_item_with_its_place_and_the_flow_goes_on() {
    let (folder, outcome) = went("Raises", "", "a\nfail\nc\n");
    assert_eq!(folder.read("out"), "1\ta\n3\tc\n");
    let cause = cause(&folder);
    assert_eq!(cause["type"], "panic", "{cause}");
    assert!(cause["message"].as_str().unwrap().contains("will not pass on 2"), "{cause}");
    assert!(cause["stack"].as_str().unwrap().contains("handlers/plain.rs:"), "{cause}");
    assert!(outcome.err.contains("its instance is gone, with what it held: "), "{}", outcome.err);
}

#[test]
fn a_trap_is_retried_in_another_instance() {
    let (folder, _) = went("Traps", "retry = 2\norder = \"single\"", "a\nbounds\nc\n");
    let dead: serde_json::Value =
        serde_json::from_str(folder.read("dead").trim_end().split_once('\t').unwrap().1).unwrap();
    assert_eq!(
        (&dead["attempts"], &dead["cause"]["message"]),
        (&3.into(), &"out of bounds memory access".into())
    );
    assert_eq!(folder.read("out"), "1\ta\n3\tc\nseen\t1\n", "what the instance had seen is gone with it");
}

#[test]
fn an_object_that_traps_first_in_its_batch_is_handled_once() {
    let (folder, outcome) = went("Traps", "order = \"single\"", "bounds\nb\nc\n");
    assert_eq!(outcome.err.matches("its instance is gone").count(), 1, "{}", outcome.err);
    assert!(folder.read("out").starts_with("2\tb\n3\tc\n"), "{}", folder.read("out"));
}

#[test]
fn of_a_batch_handler_only_the_culprit_is_buried() {
    let (folder, _) = went("TrapsInBatches", "", "a\nb\noverflow\nd\n");
    assert_eq!(folder.read("out"), "1\ta\n2\tb\n4\td\n");
    assert_eq!(cause(&folder)["type"], "trap");
}

#[test]
fn a_loop_without_end_ends_at_the_deadline() {
    let (folder, _) = went("Traps", "deadline = \"300 ms\"", "a\nhang\nc\n");
    assert!(folder.read("out").starts_with("1\ta\n3\tc\n"), "{}", folder.read("out"));
    let cause = cause(&folder);
    assert_eq!(
        (&cause["type"], &cause["message"]),
        (&"timed out".into(), &"it took longer for an item than its `deadline` of 300ms".into())
    );
}

#[test]
fn memory_ends_at_its_limit() {
    let (folder, _) = went("Traps", "memory = \"32 MiB\"", "a\neat\nc\n");
    assert!(folder.read("out").starts_with("1\ta\n3\tc\n"), "{}", folder.read("out"));
    let said = cause(&folder)["message"].as_str().unwrap().to_owned();
    assert!(said.ends_with("and `memory` gives it 32 MiB"), "{said}");
}

#[test]
fn output_that_its_memory_does_not_hold_fails_its_item_and_the_flow_goes_on() {
    for more in ["memory = \"4 MiB\"", "memory = \"4 MiB\"\nisolation = \"process\""] {
        let faults = code("wasm", &built("tests/faults.wasm"), "Faults", "/in", "/out", more);
        let folder = Folder::new(&(pools(&["/in", "/out"]) + &faults));
        let outcome = ran(&folder, "a\ngrow\nc\n");
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        assert_eq!(folder.read("out"), "1\ta\n3\tc\n");
        let message = cause(&folder)["message"].as_str().unwrap().to_owned();
        let said = "there is no room for 2 GiB; the module's memory has no room for more (it had ";
        assert!(message.starts_with(said), "{message}");
        assert!(message.ends_with("`memory` gives it 4 MiB): raise `memory` of the handler"), "{message}");
    }
}

#[test]
fn output_of_a_handler_in_rust_that_its_memory_does_not_hold_names_the_limit() {
    let (folder, _) = went("Floods", "memory = \"16 MiB\"", "a\n");
    let message = cause(&folder)["message"].as_str().unwrap().to_owned();
    assert!(
        message.starts_with("no memory to emit a value of 1048576 bytes; the module's memory"),
        "{message}"
    );
    assert!(message.ends_with("`memory` gives it 16 MiB): raise `memory` of the handler"), "{message}");
}

#[test]
fn a_folder_for_compiled_modules_that_cannot_be_is_told_by_doctor() {
    let folder = tempfile::tempdir().unwrap();
    let said = |cache: &str| {
        let outcome = run(upcall(&["doctor", "wasm"]).env("UPCALL_WASM_CACHE", cache));
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        outcome.out
    };
    assert!(said("/proc/nope").contains("compiled modules are not kept in /proc/nope: No such file"));
    let here = folder.path().join("cache").display().to_string();
    assert!(said(&here).contains(&format!("compiled modules are kept in {here}")));
}

#[test]
fn in_a_process_of_its_own_it_is_the_same() {
    let (folder, _) = went("Traps", "isolation = \"process\"", "a\nbounds\nc\n");
    assert!(folder.read("out").starts_with("1\ta\n3\tc\n"), "{}", folder.read("out"));
    assert_eq!(cause(&folder)["message"], "out of bounds memory access");
}

#[test]
fn in_a_process_of_its_own_its_limits_are_those_of_its_module() {
    for (limit, line, kind, said) in [
        ("deadline = \"300 ms\"", "hang", "timed out", "than its `deadline` of 300ms"),
        ("memory = \"32 MiB\"", "eat", "trap", "and `memory` gives it 32 MiB"),
    ] {
        let more = format!("isolation = \"process\"\n{limit}");
        let (folder, outcome) = went("Traps", &more, &format!("a\n{line}\nc\n"));
        assert!(folder.read("out").starts_with("1\ta\n3\tc\n"), "{}", folder.read("out"));
        let cause = cause(&folder);
        let message = cause["message"].as_str().unwrap();
        assert!(cause["type"] == kind && message.ends_with(said), "{cause}");
        assert!(!outcome.err.contains("killed"), "the process lives: {}", outcome.err);
    }
}

#[test]
fn a_wrong_class_is_told_with_the_nearest_before_anything_runs() {
    let flow = pools(&["/in", "/out"]) + &handler("wasm", "Sprad", "/in", "/out", "");
    let folder = Folder::new(&flow);
    let outcome = run(&mut upcall(&["check", "--load", &folder.path("flow.toml")]));
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("did you mean Spread?"), "{}", outcome.err);
}

#[test]
fn a_section_of_names_that_is_broken_is_no_news() {
    let folder = Folder::new(&(pools(&["/in", "/out"]) + &handler("wasm", "Traps", "/in", "/out", "")));
    let mut module = fs::read(fixtures("wasm")).unwrap();
    module.extend(b"\0\x09\x04name\x01\x7f\xff\xff");
    let file = folder.path("named.wasm");
    fs::write(&file, module).unwrap();
    let flow = folder.read("flow.toml").replace(fixtures("wasm").to_str().unwrap(), &file);
    fs::write(folder.path("flow.toml"), flow).unwrap();
    let outcome = run(&mut upcall(&["check", "--load", &folder.path("flow.toml")]));
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{}", outcome.err);
}

/// A small module that takes minutes and gigabytes to compile: thousands of locals, each of which every loop may change.
fn slow_to_compile() -> Vec<u8> {
    let number = |mut number: usize| {
        let mut bytes = Vec::new();
        while number > 0x7f {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    };
    let section = |id: u8, bytes: &[u8]| [&[id][..], &number(bytes.len()), bytes].concat();
    const LOCALS: usize = 5000;
    let mut body = [&[1][..], &number(LOCALS), &[0x7f]].concat();
    for index in 0..20_000 {
        let [from, to] = [7 * index % LOCALS, 13 * index % LOCALS].map(number);
        // (loop (br_if 0 (local.get $from)) (local.set $to (local.get $from)))
        body.extend([&[3, 0x40, 0x20], &from[..], &[0x0d, 0, 0x20], &from, &[0x21], &to, &[0x0b]].concat());
    }
    body.push(0x0b);
    let code = [&[1][..], &number(body.len()), &body].concat();
    let head = b"\0asm\x01\0\0\0".to_vec();
    [head, section(1, &[1, 0x60, 0, 0]), section(3, &[1, 0]), section(10, &code)].concat()
}

#[test]
fn a_module_that_takes_too_long_to_compile_ends_in_a_process_of_its_own() {
    let more = "isolation = \"process\"\nstart_deadline = \"1 s\"";
    let folder = Folder::new(&(pools(&["/in", "/out"]) + &handler("wasm", "Traps", "/in", "/out", more)));
    let file = folder.path("slow.wasm");
    fs::write(&file, slow_to_compile()).unwrap();
    let flow = folder.read("flow.toml").replace(fixtures("wasm").to_str().unwrap(), &file);
    fs::write(folder.path("flow.toml"), flow).unwrap();
    let outcome = run(&mut upcall(&["check", "--load", &folder.path("flow.toml")]));
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    assert!(outcome.err.contains("killed, as it was not ready within 1s"), "{}", outcome.err);
}

#[test]
fn a_module_is_described() {
    let file = fixtures("wasm");
    let outcome = run(&mut upcall(&["describe", file.to_str().unwrap(), "Wraps"]));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.out.contains("Pair"), "{}", outcome.out);
}

#[test]
fn a_project_in_rust_is_compiled_to_webassembly_as_its_readme_says() {
    let block = |of: &str, at: usize| blocks("sdk/rust/README.md", "In WebAssembly", of).swap_remove(at);
    let folder = tempfile::tempdir().unwrap();
    prints(folder.path(), &block("sh", 0), &block("text", 0));
    assert!(!folder.path().join("hello/build/libhello.so").exists(), "only what the flow's file names");
    fs::remove_dir_all(folder.path().join("hello")).unwrap();
    prints(folder.path(), "upcall new rust hello", "");
    let here = folder.path().join("hello");
    prints(&here, &block("sh", 1), "built build/hello.wasm\n");
    prints(&here, "upcall run --dump /greetings=- --report none", &block("text", 0));
}

#[test]
fn without_the_standard_library_of_its_target_a_project_in_rust_is_told_how_to_get_it() {
    let folder = tempfile::tempdir().unwrap();
    prints(folder.path(), "upcall new wasm hello", "");
    let rustc = folder.path().join("rustc");
    fs::write(&rustc, "#!/bin/sh\necho /nowhere/lib\n").unwrap();
    fs::set_permissions(&rustc, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let outcome = run(upcall(&["build"]).current_dir(folder.path().join("hello")).env("RUSTC", rustc));
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    assert!(outcome.err.contains("run `rustup target add wasm32-unknown-unknown`"), "{}", outcome.err);
}
