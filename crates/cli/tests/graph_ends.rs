//! How `upcall graph build` ends when it cannot go on: nothing of it is left, and what was there stays. And how much memory it
//! takes until then.

use crate::support::{Folder, Outcome, run, upcall};
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Edges of a graph with some hubs, as pairs of u32.
fn list(edges: u64, vertices: u64) -> Vec<u8> {
    let mut random = 88_172_645_463_325_252u64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let one = random % vertices;
        // The lesser ones come more often.
        (one * ((random >> 40) % vertices) / vertices) as u32
    };
    (0..2 * edges).flat_map(|_| next().to_le_bytes()).collect()
}

fn start(folder: &Folder, list: &str, more: &[&str]) -> Child {
    let made = folder.path("made.graph");
    let mut command = upcall(&[&["graph", "build", list, "-o", &made], more].concat());
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn killed_at_any_moment_it_leaves_the_old_graph_or_the_new_one() {
    let (folder, lists) = (Folder::new(""), Folder::new(""));
    let list = lists.write("edges.u32", list(400_000, 50_000));
    let memory = ["--memory", "8 MiB"];
    let began = Instant::now();
    assert!(start(&folder, &list, &memory).wait().unwrap().success());
    let whole = began.elapsed();
    let new = fs::read(folder.path("made.graph")).unwrap();
    let mut killed = 0;
    for moment in 0..20 {
        folder.write("made.graph", "as before");
        let mut child = start(&folder, &list, &memory);
        std::thread::sleep(whole * moment / 20);
        child.kill().unwrap();
        killed += u32::from(child.wait().unwrap().code().is_none());
        let found = fs::read(folder.path("made.graph")).unwrap();
        assert!(found == b"as before" || found == new, "{} bytes at moment {moment}", found.len());
        let names = folder.names();
        // A new graph that is whole, and was killed before it took the place of the old one; the next run does not leave it there.
        let mut names = names.iter().filter(|name| *name != ".made.graph.replacing");
        assert!(names.by_ref().eq(["flow.toml", "made.graph"]), "{:?} at moment {moment}", folder.names());
    }
    assert!(start(&folder, &list, &memory).wait().unwrap().success());
    assert_eq!(folder.names(), ["flow.toml", "made.graph"]);
    // The first run may have been the slowest by far.
    assert!(killed > 3, "{killed} were killed");
}

#[test]
fn interrupted_at_any_moment_it_leaves_the_old_graph_or_the_new_one() {
    let (folder, lists, temporaries) = (Folder::new(""), Folder::new(""), tempfile::tempdir().unwrap());
    let list = lists.write("edges.u32", list(400_000, 50_000));
    let options = ["--memory", "8 MiB", "--temp", temporaries.path().to_str().unwrap()];
    let began = Instant::now();
    assert!(start(&folder, &list, &options).wait().unwrap().success());
    let whole = began.elapsed();
    let new = fs::read(folder.path("made.graph")).unwrap();
    let mut stopped = 0;
    for moment in 0..12 {
        folder.write("made.graph", "as before");
        let mut child = start(&folder, &list, &options);
        std::thread::sleep(whole * moment / 12);
        let kill = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap();
        let code = child.wait().unwrap().code();
        let found = fs::read(folder.path("made.graph")).unwrap();
        match code {
            Some(0) => assert!(found == new, "at moment {moment}"),
            // None, before it listens to signals.
            Some(130) | None => assert!(kill.success() && found == b"as before", "at moment {moment}"),
            other => panic!("{other:?} at moment {moment}"),
        }
        stopped += u32::from(code == Some(130));
        assert_eq!(folder.names(), ["flow.toml", "made.graph"], "at moment {moment}");
        assert_eq!(fs::read_dir(temporaries.path()).unwrap().count(), 0, "at moment {moment}");
    }
    assert!(stopped > 2, "{stopped} were stopped");
}

/// Runs it where no file may be larger than so many blocks of 512 bytes.
fn limited(folder: &Folder, list: &str, blocks: u32) -> Outcome {
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_upcall"), "graph", "build", list, "--memory", "8 MiB"]);
    run(command.args(["-o", &folder.path("made.graph")]))
}

#[test]
fn a_full_disk_is_told_with_what_to_do_and_nothing_is_left() {
    let (folder, lists) = (Folder::new(""), Folder::new(""));
    let list = lists.write("edges.u32", list(400_000, 50_000));
    folder.write("made.graph", "as before");
    let mut told = Vec::new();
    for blocks in [10, 1000, 7000] {
        let outcome = limited(&folder, &list, blocks);
        assert_eq!(outcome.code, Some(1), "{blocks}: {}{}", outcome.out, outcome.err);
        assert!(outcome.err.contains("make room"), "{}", outcome.err);
        assert_eq!(folder.read("made.graph"), "as before");
        assert_eq!(folder.names(), ["flow.toml", "made.graph"]);
        told.push(outcome.err);
    }
    assert!(
        told[0].contains("write a temporary file in") && told[0].contains("name another folder"),
        "{}",
        told[0]
    );
    assert!(told.iter().any(|said| said.contains("cannot write columns to")), "{told:?}");
    assert_eq!(limited(&folder, &list, 1_000_000).code, Some(0));
}

/// The most anonymous memory that it has had, in KiB, when looked at every millisecond.
fn peak(mut child: Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    loop {
        let said = fs::read_to_string(&status).unwrap_or_default();
        let anonymous = said.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let kib = anonymous.and_then(|rest| rest.trim().strip_suffix(" kB")?.parse().ok());
        most = most.max(kib.unwrap_or(0));
        if let Some(ended) = child.try_wait().unwrap() {
            assert!(ended.success());
            return most;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What any build takes, whatever it is told: the program's own relocations, more in a debug build.
fn idle(folder: &Folder, lists: &Folder) -> u64 {
    peak(start(folder, &lists.write("one.u32", list(1, 10)), &["--memory", "8 MiB"]))
}

#[test]
fn it_takes_no_more_memory_than_it_was_told() {
    let (folder, lists) = (Folder::new(""), Folder::new(""));
    let edges = list(1_500_000, 100_000);
    let binary = lists.write("edges.u32", &edges);
    // Two vertices and a value, each of eight bytes.
    let longer = |number: &[u8]| [number, &[0; 4]].concat();
    let valued: Vec<u8> = edges.chunks_exact(4).take(1_500_000).flat_map(longer).collect();
    let valued = lists.write("valued.u64", valued);
    let idle = idle(&folder, &lists);
    for (list, more) in [
        (&binary, &[][..]),
        (&binary, &["--no-outgoing", "--duplicates", "first"]),
        (&binary, &["--ids", "dense"]),
        (&valued, &["--values", "i64", "--ids", "names", "--direction", "undirected", "--memory", "64 MiB"]),
        (&binary, &["--memory", "8 MiB"]),
    ] {
        let memory = more.last().and_then(|last| last.strip_suffix(" MiB")?.parse().ok()).unwrap_or(16);
        let more = if memory == 16 { [more, &["--memory", "16 MiB"]].concat() } else { more.to_vec() };
        let most = peak(start(&folder, list, &more));
        // What is not counted, such as threads' stacks, is a tenth at most.
        assert!(most > 1024 && (most - idle) * 10 <= memory * 1024 * 11, "{more:?}: {most} KiB, {idle} idle");
    }
}

#[test]
fn a_vertex_with_more_edges_than_memory_has_room_for_is_one_like_others() {
    const LEAVES: u32 = 1_500_000;
    let (folder, lists) = (Folder::new(""), Folder::new(""));
    let idle = idle(&folder, &lists);
    for hub_first in [true, false] {
        let edge = |leaf: u32| if hub_first { [0, leaf] } else { [leaf, 0] };
        let star: Vec<u8> = (1..=LEAVES).flat_map(edge).flat_map(u32::to_le_bytes).collect();
        let star = lists.write("star.u32", star);
        let most = peak(start(&folder, &star, &["--memory", "8 MiB"]));
        assert!((most - idle) * 10 <= 8 * 1024 * 11, "{most} KiB, {idle} idle");
        let graph = folder.path("made.graph");
        // A rank, and twice what it shows of it; beside them what any run takes.
        let (values, beside) = (24 * u64::from(LEAVES) / 1024, 10 * 1024);
        let here = folder.path("");
        for (tier, values) in [(&[][..], values), (&["--values-in", &here], 0)] {
            let run = ["graph", "run", &graph, "pagerank", "-i", "2", "--top", "3", "--threads", "2"];
            let mut command = upcall(&[&run[..], tier].concat());
            let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let most = peak(child);
            assert!(most <= values + beside, "{tier:?}: {most} KiB");
        }
        assert_eq!(folder.names(), ["flow.toml", "made.graph"]);
    }
}
