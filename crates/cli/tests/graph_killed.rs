//! A run that is kept, killed at any moment, the keeping included: the same command goes on, and comes to the same bytes.

use crate::support::{Folder, run, upcall};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// Numbers by chance, always the same.
fn random(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |end| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % end
    }
}

/// A graph of so many vertices, with four edges each.
fn graph(folder: &Folder, vertices: u64) -> String {
    let mut random = random(88_172_645_463_325_252);
    let mut edge = |vertex: u64| -> String { format!("{vertex} {}\n", random(vertices)) };
    let list: String = (0..4 * vertices).map(|at| edge(at % vertices)).collect();
    let (list, graph) = (folder.write("edges.txt", list), folder.path("edges.graph"));
    assert_eq!(run(&mut upcall(&["graph", "build", &list, "-o", &graph])).code, Some(0));
    graph
}

/// Changes behind every fifth iteration.
fn changes(folder: &Folder, vertices: u64, iterations: u64) -> String {
    let mut random = random(36_243_606_979_841_525);
    let mut change = |at: u64| -> String {
        let (from, to) = (random(vertices), random(vertices));
        format!("{} + {from} {to}\n{} - {from} {to}\n", at / 5 * 5, at / 5 * 5 + 20)
    };
    folder.write("changes.txt", (0..iterations).map(&mut change).collect::<String>())
}

/// Kills a run that is kept in a folder after each iteration, so many times, and lets it end.
fn killed(place: &Path, vertices: u64, iterations: &str, kills: u32, changing: bool) {
    let lists = Folder::new("");
    let graph = graph(&lists, vertices);
    let changes = changing.then(|| changes(&lists, vertices, iterations.parse().unwrap()));
    let changes = changes.as_ref().map_or(Vec::new(), |file| vec!["--changes", file]);
    let folder = tempfile::tempdir_in(place).unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (kept, found) = (path("run.kept"), path("ranks.tsv"));
    let names = || -> Vec<_> {
        let files = fs::read_dir(folder.path()).unwrap();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    };
    let command = |more: &[&str]| {
        // It ends after as many iterations as it may have.
        let run = ["graph", "run", &graph, "pagerank", "--tolerance", "-1", "--top", "0"];
        let mut command = upcall(&[&run[..], &changes, &["-i", iterations], more].concat());
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command
    };
    let keeping = ["--checkpoint", &kept, "--every", "0"];
    let last = [&keeping[..], &["-o", &found]].concat();
    let wanted = lists.path("ranks.tsv");
    assert_eq!(run(&mut command(&["-o", &wanted])).code, Some(0));
    let mut random = random(2_463_534_242);
    let (mut ends, mut went_on) = (0, 0);
    while ends < kills {
        let mut child = command(&keeping).spawn().unwrap();
        // On a busy machine the first iteration ends late.
        std::thread::sleep(Duration::from_micros(random(200_000)));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        match output.status.code() {
            None => ends += 1,
            // It was faster: it begins anew.
            Some(code) => assert_eq!(code, 0, "{}", String::from_utf8_lossy(&output.stderr)),
        }
        // The second is what was written, and is not in its place yet. It does not stay: see below.
        let known = ["run.kept", ".run.kept.replacing"];
        assert!(names().iter().all(|name| known.contains(&&**name)), "after {ends} kills: {:?}", names());
        went_on += u32::from(names().contains(&"run.kept".to_owned()));
    }
    let outcome = run(&mut command(&last));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(fs::read(&found).unwrap() == fs::read(&wanted).unwrap(), "it has come to other bytes");
    assert_eq!(names(), ["ranks.tsv"]);
    assert!(went_on > kills / 4, "after {went_on} of {kills} kills something was kept");
}

#[test]
fn killed_fifty_times_it_comes_to_the_bytes_of_a_run_that_nobody_disturbs() {
    killed(&std::env::temp_dir(), 20_000, "400", 25, false);
    // Where nobody waits for a disk, more of them fall between a file's getting a name and its taking the place of another.
    let memory = Path::new("/dev/shm");
    killed(if memory.is_dir() { memory } else { Path::new("/tmp") }, 2_000, "3000", 25, false);
}

#[test]
fn killed_while_its_graph_changes_it_comes_to_the_bytes_of_a_run_that_nobody_disturbs() {
    killed(&std::env::temp_dir(), 20_000, "100", 12, true);
}
