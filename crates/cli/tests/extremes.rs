//! Much, little, nothing, and too much: sizes that must work in each language, and the one that must not.

use crate::support::{Folder, GUESTS, Outcome, fed, handler, pools, run, upcall};

/// Runs a flow on one line and prints a pool.
#[track_caller]
fn one_line(flow: &str, out: &str) -> String {
    let outcome = fed_one(&Folder::new(flow), &["--dump", &format!("{out}=-"), "--report", "none"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(!outcome.err.contains("warning"), "{}", outcome.err);
    outcome.out
}

fn fed_one(folder: &Folder, more: &[&str]) -> Outcome {
    let mut command = upcall(&["run", &folder.path("flow.toml"), "--input", "/in=-"]);
    fed(command.args(more), b"go\n")
}

/// `class` makes objects, which `then` takes in the same language.
fn two(guest: &str, class: &str, then: &str) -> String {
    "[pool.\"/made\"]\nkind = \"trigger\"\n".to_owned()
        + &pools(&["/in", "#/out"])
        + &handler(guest, class, "/in", "/made", "")
        + &handler(guest, then, "/made", "/out", "order = \"single\"")
}

#[test]
fn one_item_may_emit_100_megabytes() {
    for guest in GUESTS {
        let out = one_line(&two(guest, "Floods", "Measures"), "/out");
        assert_eq!(out.lines().count(), 100, "{guest}");
        assert!(out.lines().all(|line| line.ends_with("\t1048576")), "{guest}");
    }
}

#[test]
fn values_of_no_bytes_and_of_64_mebibytes_arrive_whole() {
    for guest in GUESTS {
        let out = one_line(&two(guest, "Sizes", "Measures"), "/out");
        assert_eq!(out, format!("empty\t0\nlarge\t{}\n", 64 << 20), "{guest}");
    }
}

#[test]
fn a_line_of_64_mebibytes_and_an_empty_one_arrive_whole() {
    let mut lines = vec![b'x'; 64 << 20];
    lines.extend_from_slice(b"\n\n");
    for guest in GUESTS {
        let flow = pools(&["/in", "#/out"]) + &handler(guest, "Measures", "/in", "/out", "");
        let path = Folder::new(&flow);
        let arguments =
            ["run", &path.path("flow.toml"), "--input", "/in=-", "--dump", "/out=-", "--report", "none"];
        let outcome = fed(&mut upcall(&arguments), &lines);
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        assert_eq!(outcome.out, format!("1\t{}\n2\t0\n", 64 << 20), "{guest}");
    }
}

#[test]
fn a_million_distinct_keys_are_kept_and_counted() {
    for guest in GUESTS {
        let flow = pools(&["/in", "/made", "#/out"])
            + &handler(guest, "Keys", "/in", "/made", "")
            + &handler(guest, "Counts", "/made", "/out", "order = \"single\"");
        let folder = Folder::new(&flow);
        let (made, out) = (format!("/made={}", folder.path("made")), format!("/out={}", folder.path("out")));
        let outcome = fed_one(&folder, &["--dump", &made, "--dump", &out, "--report", "none"]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        assert_eq!(folder.read("out"), "objects\t1000000\n", "{guest}");
        let made = folder.read("made");
        // Sorted, each once.
        assert!(made.lines().zip(made.lines().skip(1)).all(|(one, next)| one < next), "{guest}");
        assert_eq!(made.lines().count(), 1_000_000, "{guest}");
    }
}

#[test]
fn a_flow_without_input_flushes_and_ends_well() {
    for guest in GUESTS {
        let flow = pools(&["/in", "#/out"]) + &handler(guest, "Counts", "/in", "/out", "order = \"single\"");
        let folder = Folder::new(&flow);
        let path = folder.path("flow.toml");
        let outcome = run(&mut upcall(&["run", &path, "--dump", "/out=-", "--report", "none"]));
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        assert_eq!(outcome.out, "objects\t0\n", "{guest}");
    }
}

#[test]
fn a_cycle_that_amplifies_beyond_its_memory_is_named_in_the_error() {
    for (there, back) in [("csharp", "python"), ("native", "csharp"), ("python", "native")] {
        let flow = "memory = \"8 MiB\"\ncredit = { bytes = \"1 MiB\", items = 1024 }\n".to_owned()
            + &pools(&["/in", "/back"])
            + &handler(there, "Doubles", "/in", "/back", "cycle = true")
            + &handler(back, "Doubles", "/back", "/in", "cycle = true");
        let outcome = fed_one(&Folder::new(&flow), &[]);
        assert_eq!(outcome.code, Some(1), "{}", outcome.err);
        let cycle = "/in -> handler Doubles on /in -> /back -> handler Doubles on /back -> /in";
        for said in [cycle, "8388608", "memory"] {
            assert!(outcome.err.contains(said), "{there}, {back}: {said:?} is not in:\n{}", outcome.err);
        }
    }
}
