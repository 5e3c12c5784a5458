//! Handlers in WebAssembly under the command: traps, limits, isolation, and other guests beside them in one process.

use crate::support::{
    Folder, GUESTS_AND_WASM, Outcome, fixtures, handler, home, pools, ran, root, run, upcall,
};
use std::fs;
use std::path::Path;
use std::process::Command;

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
fn in_a_process_of_its_own_it_is_the_same() {
    let (folder, _) = went("Traps", "isolation = \"process\"", "a\nbounds\nc\n");
    assert!(folder.read("out").starts_with("1\ta\n3\tc\n"), "{}", folder.read("out"));
    assert_eq!(cause(&folder)["message"], "out of bounds memory access");
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
fn a_module_is_described() {
    let file = fixtures("wasm");
    let outcome = run(&mut upcall(&["describe", file.to_str().unwrap(), "Wraps"]));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.out.contains("Pair"), "{}", outcome.out);
}

/// A null reference in C#, an exception in Python, a panic in Rust and traps, fifty of each in one process, on several
/// threads, whichever comes first.
#[test]
fn traps_beside_exceptions_of_every_other_guest() {
    let class = |guest| match guest {
        "csharp" => "Dereferences",
        "wasm" => "Traps",
        _ => "Raises",
    };
    let mut orders = vec![GUESTS_AND_WASM];
    orders.push(GUESTS_AND_WASM);
    orders[1].reverse();
    for order in orders {
        let mut flow = format!("workers = 4\n{}", pools(&["/in", "/out"]));
        for guest in order {
            flow += &handler(guest, class(guest), "/in", "/out", "")
                .replace(" on /in\"", &format!(" of {guest}\""));
        }
        let folder = Folder::new(&flow);
        // Of `fail` a guest's exceptions come; of `bounds` and `overflow` traps of memory and stack, which are signals.
        let lines: String = (0..50).map(|round| format!("a{round}\nfail\nbounds\noverflow\n")).collect();
        let outcome = ran(&folder, &lines);
        assert_eq!(outcome.code, Some(0), "{order:?}: {}", outcome.err);
        let dead = folder.read("dead");
        let caused = |what: &str| dead.matches(&format!("\"type\":\"{what}\"")).count();
        assert_eq!(caused("System.NullReferenceException"), 50, "{order:?}");
        assert_eq!((caused("ValueError"), caused("panic"), caused("trap")), (50, 50, 100), "{order:?}");
    }
}

/// The blocks of a README's section in one language.
fn blocks(readme: &str, title: &str, of: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(readme)).unwrap();
    let section = text.split(&format!("## {title}\n")).nth(1).expect("the section is there");
    let begin = format!("```{of}\n");
    let blocks = section.split("\n## ").next().unwrap().split(&begin).skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// Runs a block of a shell in a folder; what it prints ends with this.
#[track_caller]
fn prints(folder: &Path, script: &str, printed: &str) {
    let command = Path::new(env!("CARGO_BIN_EXE_upcall")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([command].into_iter().chain(std::env::split_paths(&path))).unwrap();
    let mut shell = Command::new("bash");
    shell.args(["-euc", script]).current_dir(folder).env("PATH", path).env("CARGO_NET_OFFLINE", "true");
    shell.env("UPCALL_HOME", home()).env("UPCALL_C", root().join("sdk/c")).env_remove("CARGO_TARGET_DIR");
    let outcome = run(&mut shell);
    assert_eq!(outcome.code, Some(0), "{script}\n{}\n{}", outcome.out, outcome.err);
    assert!(outcome.out.ends_with(printed), "{script}\n{}\n{}", outcome.out, outcome.err);
}

#[test]
fn the_walk_of_the_c_readme_works_as_printed() {
    let block = |of: &str, at: usize| {
        blocks("sdk/c/README.md", "From an empty folder to a handler of your own", of).swap_remove(at)
    };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("hello.c"), block("c", 0)).unwrap();
    fs::write(folder.path().join("flow.toml"), block("toml", 0)).unwrap();
    prints(folder.path(), &block("sh", 1), &block("text", 0));
}

#[test]
fn a_project_in_rust_is_compiled_to_webassembly_as_its_readme_says() {
    let block = |of: &str| blocks("sdk/rust/README.md", "In WebAssembly", of).swap_remove(0);
    let folder = tempfile::tempdir().unwrap();
    prints(folder.path(), "upcall new rust hello", "");
    // `upcall build` makes this folder.
    fs::create_dir(folder.path().join("hello/build")).unwrap();
    prints(&folder.path().join("hello"), &block("sh"), &block("text"));
}
