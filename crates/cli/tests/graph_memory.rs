//! `upcall graph run --memory`: what a run takes, looked at from outside every few milliseconds. That is anonymous memory, and pages of
//! files that the command has mapped to write, memory files included, that are not on the disk.

use crate::support::{Folder, Outcome, example, run, upcall};
use std::fs::{self, File};
use std::os::fd::AsRawFd as _;
use std::process::{Command, Stdio};
use std::time::Duration;

#[path = "../../../bench/src/graph/group.rs"]
mod group;

use group::Group;

const MIB: u64 = 1 << 20;

/// A folder on a disk, which the one for temporary files may not be, with what tests put there.
struct Disk(tempfile::TempDir);

impl Disk {
    fn new() -> Disk {
        Disk(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Makes a graph of pairs of vertices.
    fn graph(&self, name: &str, pairs: impl Iterator<Item = [u32; 2]>, more: &[&str]) -> String {
        let (list, graph) = (self.path("pairs.u32"), self.path(name));
        fs::write(&list, pairs.flatten().flat_map(u32::to_le_bytes).collect::<Vec<u8>>()).unwrap();
        let built = run(&mut upcall(&[&["graph", "build", &list, "-o", &graph], more].concat()));
        assert_eq!(built.code, Some(0), "{}", built.err);
        graph
    }
}

/// So many edges by chance between so many vertices, one of the last ones included.
fn by_chance(edges: u32, vertices: u32) -> impl Iterator<Item = [u32; 2]> {
    let mut random = 88_172_645_463_325_252_u64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % u64::from(vertices)) as u32
    };
    (1..edges).map(move |_| [next(), next()]).chain([[0, vertices - 1]])
}

/// KiB of this name in a file of `/proc`.
fn kib(line: &str, name: &str) -> Option<u64> {
    line.strip_prefix(name)?.trim().strip_suffix(" kB")?.parse().ok()
}

/// The KiB that a process has now; nothing when it ends.
fn taken(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let anonymous = status.lines().find_map(|line| kib(line, "RssAnon:"))?;
    let (mut is_written, mut dirty) = (false, 0);
    for line in fs::read_to_string(format!("/proc/{process}/smaps")).ok()?.lines() {
        // A line that begins a mapping has addresses and what is allowed there.
        match line.split_once(' ') {
            Some((range, rest)) if range.contains('-') => is_written = rest.starts_with("rw-s"),
            _ if is_written => {
                dirty +=
                    ["Shared_Dirty:", "Private_Dirty:"].iter().find_map(|name| kib(line, name)).unwrap_or(0)
            }
            _ => {}
        }
    }
    Some(anonymous + dirty)
}

/// Runs a command, and says how many KiB it has had at most.
fn watched(command: &mut Command) -> (Outcome, u64) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(taken(child.id()).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    // Neither says more than a pipe has room for.
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (Outcome { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }, most)
}

/// Runs a program over a graph, in so many MiB if there is such a number: what it has written of vertices.
#[track_caller]
fn ran(disk: &Disk, graph: &str, program: &[&str], memory: Option<u64>) -> Vec<u8> {
    let to = disk.path("found.tsv");
    let (options, limit) = (["--top", "1", "-o", &to], memory.map(|mib| format!("{mib}MiB")));
    let mut arguments = [&["graph", "run", graph][..], program, &options].concat();
    if let Some(limit) = &limit {
        arguments.extend(["--memory", limit]);
    }
    let (outcome, most) = watched(&mut upcall(&arguments));
    assert_eq!(outcome.code, Some(0), "{arguments:?}: {}", outcome.err);
    if let Some(memory) = memory {
        assert!(most * 10 <= memory * 1024 * 11, "{arguments:?}: {most} KiB");
        // Less than it has anyway would be a mistake in looking at it.
        assert!(most > 1024, "{arguments:?}: {most} KiB");
    } else {
        assert!(
            most > 11 * 1024 * 11 / 10,
            "{arguments:?}: {most} KiB are no more than those who may take little"
        );
    }
    disk.read("found.tsv")
}

/// Has the system forget what it has read of a file.
fn forget(path: &str) {
    let file = File::open(path).unwrap();
    file.sync_all().unwrap();
    // SAFETY: it looks at no memory of ours, and the file is open.
    assert_eq!(unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) }, 0);
}

const RANKS: [&str; 7] = ["pagerank", "-i", "4", "--tolerance", "-1", "--threads", "2"];

#[test]
fn ranks_take_no_more_memory_than_they_may() {
    let disk = Disk::new();
    // 24 bytes for each vertex.
    let graph = disk.graph("ranks.graph", by_chance(400_000, 500_000), &["--no-outgoing"]);
    let wanted = ran(&disk, &graph, &RANKS, None);
    for memory in [11, 16] {
        forget(&graph);
        assert!(ran(&disk, &graph, &RANKS, Some(memory)) == wanted, "in {memory} MiB");
    }
    assert!(fs::read_dir(disk.0.path()).unwrap().count() == 3, "files are left");
}

/// A program of a library in Rust, here or in processes of its own.
fn in_library<'a>(library: &'a str, class: &'a str) -> Vec<&'a str> {
    vec![library, "--class", class, "-i", "4", "--threads", "2"]
}

fn library() -> String {
    example("graph/build/libgraph.so").to_str().unwrap().to_owned()
}

#[test]
fn values_of_edges_take_no_more_memory_than_they_may() {
    let disk = Disk::new();
    // 24 bytes for each edge.
    let graph = disk.graph("edges.graph", by_chance(600_000, 80_000), &[]);
    let library = library();
    let program = in_library(&library, "PageRankEdges");
    let wanted = ran(&disk, &graph, &program, None);
    let isolated = [&program[..], &["--isolate"]].concat();
    for program in [&program, &isolated] {
        forget(&graph);
        assert!(ran(&disk, &graph, program, Some(12)) == wanted, "{program:?}");
    }
}

#[test]
fn a_hub_with_more_edges_than_memory_has_room_for_is_one_like_others() {
    const VERTICES: u32 = 60_000;
    let disk = Disk::new();
    // What comes from each vertex fifty times takes 12 MB.
    let pairs = || (0..50 * VERTICES).map(|edge| [edge % VERTICES, 0]);
    let plain = disk.graph("plain.graph", pairs(), &[]);
    let library = library();
    let program = in_library(&library, "PageRank");
    let wanted = ran_in_any(&disk, &plain, &RANKS);
    assert!(ran(&disk, &plain, &RANKS, Some(10)) == wanted);
    for more in [&[][..], &["--isolate"]] {
        let program = [&program[..], more].concat();
        let in_any = ran_in_any(&disk, &plain, &program);
        assert!(ran(&disk, &plain, &program, Some(10)) == in_any, "{program:?}");
    }
    // Neighbours that are compressed have to be decoded at once.
    let compressed = disk.graph("compressed.graph", pairs(), &["--compress"]);
    let arguments = ["graph", "run", &compressed, "pagerank", "--threads", "1", "--memory", "14MiB"];
    let refused = run(&mut upcall(&arguments));
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    for part in ["3000000 edges, whose neighbours are decoded at once", "take more memory", "of --memory"] {
        assert!(refused.err.contains(part), "{}", refused.err);
    }
    let one = [&RANKS[..RANKS.len() - 1], &["1"]].concat();
    assert!(ran(&disk, &compressed, &one, Some(20)) == wanted);
}

/// The same, however much it takes.
fn ran_in_any(disk: &Disk, graph: &str, program: &[&str]) -> Vec<u8> {
    let to = disk.path("any.tsv");
    let outcome = run(&mut upcall(&[&["graph", "run", graph, "--top", "1", "-o", &to], program].concat()));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    disk.read("any.tsv")
}

#[test]
fn a_kernel_that_gives_it_a_tenth_more_than_it_may_take_does_not_kill_it() {
    const MEMORY: u64 = 16;
    let group = match Group::of(MEMORY * MIB * 11 / 10) {
        Ok(group) => group,
        Err(error) => return eprintln!("skipped: no memory cgroup can be made here: {error:#}"),
    };
    let disk = Disk::new();
    // 17 MB of values, and a file of 11 MB. Neighbours are near, as what is looked up anywhere has to have room.
    let graph = disk.graph("ranks.graph", (1..700_000).map(|to| [to - 1, to]), &["--no-outgoing"]);
    let ranks = |to: &str, memory: &[&str]| {
        let options = ["graph", "run", &graph, "--top", "1000", "--history", to];
        upcall(&[&options[..], &RANKS, memory].concat())
    };
    let wanted = run(&mut ranks(&disk.path("any.csv"), &[]));
    forget(&graph);
    let (found, most) = watched(&mut group.inside(&ranks(&disk.path("little.csv"), &["--memory", "16MiB"])));
    assert_eq!((found.code, &found.out), (Some(0), &wanted.out), "{}", found.err);
    assert!(most * 10 <= MEMORY * 1024 * 11, "{most} KiB");
}

#[test]
fn too_little_memory_and_programs_that_have_no_use_for_it_are_refused() {
    let (disk, folder) = (Disk::new(), Folder::new(""));
    let graph = disk.graph("small.graph", by_chance(2_000, 1_000), &[]);
    let refused = |program: &[&str], said: &str| {
        let outcome = run(&mut upcall(&[&["graph", "run", &graph], program].concat()));
        assert_eq!(outcome.code, Some(2), "{program:?}: {}", outcome.err);
        assert!(outcome.err.contains(said), "{program:?}: {}", outcome.err);
    };
    for program in ["components", "strong-components", "louvain", "clustering", "walks"] {
        refused(
            &[program, "--memory", "64MiB"],
            "--memory is for programs that update one vertex after the other",
        );
    }
    refused(&["pagerank", "--memory", "1MiB"], "the command itself, and --top, take");
    refused(&["pagerank", "--memory", "30MiB", "--top", "1000000"], "--top, take");
    refused(&["pagerank", "--memory", "some"], "--memory");
    let changes = folder.write("changes.txt", "0 + 1 2\n".repeat(100_000));
    refused(&["pagerank", "--memory", "20MiB", "--changes", &changes], "100,000 changes take");
    let few = folder.write("few.txt", "0 + 1 2\n1 - 1 2\n");
    let run_with = |more: &[&str]| {
        let to = disk.path("changed.tsv");
        let arguments = ["graph", "run", &graph, "labels", "-o", &to, "--changes", &few];
        let outcome = run(&mut upcall(&[&arguments[..], more].concat()));
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        (outcome.out, disk.read("changed.tsv"))
    };
    assert!(run_with(&["--memory", "24MiB"]) == run_with(&[]));
    #[cfg(target_os = "linux")]
    refused(
        &["pagerank", "--memory", "24MiB", "--changes", &few, "--values-in", "/dev/shm"],
        "it is a folder in memory",
    );
}

/// A block of this graph has 400,000 edges, and a vertex some 400.
#[test]
fn labels_note_the_neighbours_of_a_vertex_and_not_those_of_a_block() {
    let disk = Disk::new();
    let graph = disk.graph("dense.graph", by_chance(200_000, 1_000), &["--direction", "undirected"]);
    let labels = ["labels", "-i", "3", "--threads", "2"];
    assert!(ran(&disk, &graph, &labels, Some(12)) == ran_in_any(&disk, &graph, &labels));
}
