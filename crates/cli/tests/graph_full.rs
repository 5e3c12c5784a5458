//! `upcall graph run` where the disk is full: the error names the file and the reason, and nothing is left of it.

use crate::support::{Folder, Outcome, run, upcall};
use std::process::Command;

/// A ring of so many vertices.
fn ring(folder: &Folder, vertices: u64) -> String {
    let list: String =
        (0..vertices).map(|vertex| format!("{vertex} {}\n", (vertex + 1) % vertices)).collect();
    let (list, graph) = (folder.write("ring.txt", list), folder.path("ring.graph"));
    assert_eq!(run(&mut upcall(&["graph", "build", &list, "-o", &graph])).code, Some(0));
    graph
}

/// Runs a script in which `$disk` is a file system of its own of so many KiB, and `$run` this command; nothing where nobody may
/// mount one.
fn on_disk(kib: u32, command: &Command, script: &str) -> Option<Outcome> {
    on(&format!("tmpfs -o size={kib}k"), command, script)
}

/// The same, where `$disk` is a file system of this kind.
fn on(kind: &str, command: &Command, script: &str) -> Option<Outcome> {
    let disk = tempfile::tempdir().unwrap();
    let mounted = |script: &str| {
        let mut shell = Command::new("unshare");
        let mount = format!("mount -t {kind} none \"$disk\" && {{ {script}\n}}");
        shell.args(["--map-root-user", "--mount", "bash", "-c", &mount, "bash"]);
        shell.env("disk", disk.path()).current_dir(command.get_current_dir().unwrap());
        shell
    };
    if mounted("true").output().ok().is_none_or(|output| !output.status.success()) {
        eprintln!("nobody may mount a file system here: not tested");
        return None;
    }
    let mut shell = mounted(script);
    shell.arg(command.get_program()).args(command.get_args());
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut outcome = run(&mut shell);
    outcome.err = outcome.err.replace(disk.path().to_str().unwrap(), "DISK");
    Some(outcome)
}

const FULL: &str = "No space left on device (os error 28)";

#[test]
fn a_device_that_is_full_is_named_with_what_was_to_be_written() {
    let folder = Folder::new("");
    let graph = ring(&folder, 100);
    for (option, what) in [("-o", "values to"), ("--history", "history"), ("--chart", "chart")] {
        let outcome =
            run(&mut upcall(&["graph", "run", &graph, "pagerank", "--top", "0", option, "/dev/full"]));
        assert_eq!(outcome.code, Some(1), "{option}: {}", outcome.err);
        let said = format!("error: write the {what} /dev/full: {FULL}\n");
        assert!(outcome.err.ends_with(&said), "{option}: {}", outcome.err);
    }
}

#[test]
fn what_is_written_to_a_full_disk_is_told_and_nothing_is_left_there() {
    let folder = Folder::new("");
    let graph = ring(&folder, 4_000);
    // An iteration's line has some 50 bytes.
    let command =
        upcall(&["graph", "run", &graph, "pagerank", "--top", "0", "--tolerance", "-1", "-i", "1000"]);
    for (option, what) in [("-o", "values to"), ("--history", "history"), ("--chart", "chart")] {
        // One page is left.
        let script = format!(
            "head -c 61440 /dev/zero > \"$disk/much\"; \"$@\" {option} \"$disk/written\"; code=$?; ls -A \"$disk\"; exit $code"
        );
        let Some(outcome) = on_disk(64, &command, &script) else { return };
        assert_eq!(outcome.code, Some(1), "{option}: {}", outcome.err);
        let said = format!("error: write the {what} DISK/written: {FULL}\n");
        assert!(outcome.err.ends_with(&said), "{option}: {}", outcome.err);
        assert_eq!(outcome.out, "much\n", "{option}");
    }
}

#[test]
fn values_that_have_no_room_on_the_disk_are_an_error_and_no_signal() {
    let folder = Folder::new("");
    // Three times 8 bytes.
    let graph = ring(&folder, 40_000);
    let command = upcall(&["graph", "run", &graph, "pagerank", "--top", "1"]);
    for kib in [4, 400, 800] {
        let script = "\"$@\" --values-in \"$disk\"; code=$?; ls -A \"$disk\"; exit $code";
        let Some(outcome) = on_disk(kib, &command, script) else { return };
        assert_eq!(outcome.code, Some(1), "{kib} KiB: {}", outcome.err);
        assert_eq!(outcome.err, format!("error: keep the run's values in DISK: {FULL}\n"), "{kib} KiB");
        assert_eq!(outcome.out, "");
    }
    // One in memory takes no room before it is written to.
    for kind in ["tmpfs -o size=1000k", "ramfs"] {
        let Some(outcome) = on(kind, &command, "\"$@\" --values-in \"$disk\"") else { return };
        assert_eq!(outcome.code, Some(0), "{kind}: {}", outcome.err);
    }
}

#[test]
fn a_changed_graph_that_has_no_room_on_the_disk_is_an_error_and_nothing_is_left_there() {
    let folder = Folder::new("");
    let graph = ring(&folder, 40_000);
    let changes = folder.write("changes.txt", "0 + 0 7\n");
    let ranks = ["graph", "run", &graph, "pagerank", "--tolerance", "-1", "-i", "2", "--top", "1"];
    let command = upcall(&[&ranks[..], &["--changes", &changes]].concat());
    // Three times 8 bytes per vertex, and then 32 in the graph.
    for (kib, code) in [(1000, 1), (1500, 1), (4000, 0)] {
        let script = "\"$@\" --values-in \"$disk\"; code=$?; ls -A \"$disk\" >&2; exit $code";
        let Some(outcome) = on_disk(kib, &command, script) else { return };
        assert_eq!(outcome.code, Some(code), "{kib} KiB: {}", outcome.err);
        if code == 1 {
            let said = format!("error: change the graph: cannot write columns to DISK: {FULL}; ");
            assert!(outcome.err.starts_with(&said), "{}", outcome.err);
            assert!(
                outcome.err.ends_with("make room in its folder, or write it to another\n"),
                "{}",
                outcome.err
            );
        }
    }
}

#[test]
fn a_disk_that_is_full_at_the_end_does_not_cost_the_run() {
    let folder = Folder::new("");
    let graph = ring(&folder, 4_000);
    let (kept, found) = (folder.path("run.kept"), folder.path("ranks.tsv"));
    for last in [&["-o", "/dev/full"], &["--history", "/dev/full"], &["--chart", "/dev/full"]] {
        let ranks = ["graph", "run", &graph, "pagerank", "--tolerance", "-1", "-i", "9", "--top", "0"];
        assert_eq!(run(&mut upcall(&[&ranks[..], &["-o", &found]].concat())).code, Some(0));
        let wanted = folder.read("ranks.tsv");
        let keeping = [&ranks[..], &["--checkpoint", &kept, "--every", "0"]].concat();
        assert_eq!(run(&mut upcall(&[&keeping[..], last].concat())).code, Some(1), "{last:?}");
        assert!(std::fs::exists(&kept).unwrap(), "{last:?}");
        let outcome =
            run(&mut upcall(&[&keeping[..], &["-o", &found, "--history", &folder.path("history")]].concat()));
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        assert_eq!(folder.read("history").lines().count(), 2, "the last of nine iterations is left");
        assert_eq!(folder.read("ranks.tsv"), wanted);
        assert!(!std::fs::exists(&kept).unwrap(), "{last:?}");
    }
}

#[test]
fn a_run_that_cannot_be_kept_any_longer_goes_on_from_what_was_kept_once_there_is_room() {
    let folder = Folder::new("");
    let graph = ring(&folder, 40_000);
    let found = folder.path("ranks.tsv");
    let ranks =
        ["graph", "run", &graph, "pagerank", "--tolerance", "-1", "-i", "9", "--top", "0", "-o", &found];
    let command = upcall(&[&ranks[..], &["--every", "0"]].concat());
    assert_eq!(run(&mut upcall(&ranks)).code, Some(0));
    let wanted = folder.read("ranks.tsv");
    std::fs::remove_file(&found).unwrap();
    // The first time that it is kept there is room for it, and the second time, when both are there, there is none.
    let script = "\"$@\" --checkpoint \"$disk/kept\"; echo $?; ls -A \"$disk\"
        mount -o remount,size=4m \"$disk\"
        \"$@\" --checkpoint \"$disk/kept\"; code=$?; ls -A \"$disk\"; exit $code";
    let Some(outcome) = on_disk(1000, &command, script) else { return };
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(outcome.out, "1\nkept\n", "{}", outcome.err);
    let said = format!("error: keep the run: cannot write columns to DISK/kept: {FULL}");
    assert!(
        outcome.err.contains(&said) && outcome.err.contains("make room in its folder"),
        "{}",
        outcome.err
    );
    // `error: …` of the first run, and what the second says of its iterations.
    assert!(
        outcome.err.contains("9 iterations in ") || outcome.err.contains("8 iterations in "),
        "{}",
        outcome.err
    );
    assert_eq!(folder.read("ranks.tsv"), wanted);
}
