//! Vertex programs of every guest, under the command: each writes what the engine's own program does, to the byte.

use crate::support::readme::shell;
use crate::support::{Folder, example, root, run, upcall};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A language: the file of its programs, by the program's name, and the program's class.
struct Language {
    file: fn(&str) -> String,
    more: &'static [&'static str],
    /// How the engine's own program runs too.
    how: &'static [&'static str],
    /// Whether it has one thread, however many are asked for.
    one_thread: bool,
}

const NOTHING: Language = Language { file: |_| String::new(), more: &[], how: &[], one_thread: false };

const PROGRAMS: [&str; 6] =
    ["PageRank", "PageRankGather", "PageRankEdges", "Components", "ShortestPaths", "Labels"];

/// How many vertices there are: twenty blocks, of which the last one is not whole.
const VERTICES: &str = "20000";

/// Where ranks have converged: soon.
const TOLERANCE: &str = "0.1";

/// Intervals of eight of these blocks.
const GAUSS_SEIDEL: &str = "--gauss-seidel=8192";

/// A graph with a long way, short edges and some that are not, a few hubs, and blocks without an edge.
fn list() -> String {
    let (mut text, mut number) = (String::new(), 12_345u64);
    let mut any = |below: u64| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) % below
    };
    for vertex in 0..400 {
        writeln!(text, "{vertex} {} {}", vertex + 1, 1 + any(9)).unwrap();
    }
    for _ in 0..12_000 {
        let from = if any(50) == 0 { 7 } else { any(17_000) };
        let to = match any(20) {
            0 => any(5),
            1 => any(17_000),
            _ => (from + any(61)).saturating_sub(30),
        };
        writeln!(text, "{from} {to} {}", 1 + any(99)).unwrap();
    }
    text
}

/// Builds it, with edges in one direction or in both.
fn graph(folder: &Folder, directed: bool) -> String {
    let list = folder.write("list.txt", list());
    let graph = folder.path(if directed { "directed.graph" } else { "both.graph" });
    let direction: &[&str] = if directed { &[] } else { &["--direction", "undirected"] };
    let arguments = ["graph", "build", &list, "-o", &graph, "--values", "f64", "--vertices", VERTICES];
    let built = run(&mut upcall(&[&arguments[..], direction].concat()));
    assert_eq!(built.code, Some(0), "{}", built.err);
    graph
}

/// What the engine's own program writes.
fn own(folder: &Folder, graph: &str, program: &str, more: &[&str]) -> String {
    let arguments: &[&str] = match program {
        "PageRank" => &["pagerank"],
        "Components" => &["components"],
        "ShortestPaths" => &["shortest-paths", "--from", "0"],
        _ => &["labels", "-i", "5"],
    };
    let to = folder.path("own.tsv");
    let ran = run(&mut upcall(&[&["graph", "run", graph, "-o", &to][..], arguments, more].concat()));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    folder.read("own.tsv")
}

/// Threads, and edges that each takes at once: over the graph with directions and over the one without.
type Way = (&'static str, Option<&'static str>);

/// A chunk of all blocks, and of each; some of some blocks, and once more of each.
const WAYS: [[Way; 2]; 2] = [[("1", None), ("2", Some("1"))], [("2", Some("3072")), ("4", Some("1"))]];

/// All programs of a language, over graphs with directions and without, divided among threads in several ways.
#[track_caller]
fn agrees(language: &Language, programs: &[&str]) {
    let folder = Folder::new("");
    for (directed, ways) in [true, false].into_iter().zip(WAYS) {
        let (graph, mut all) = (graph(&folder, directed), HashMap::new());
        for program in programs {
            let ranks = program.starts_with("PageRank");
            let (like, soon) =
                if ranks { ("PageRank", &["--tolerance", TOLERANCE][..]) } else { (*program, &[][..]) };
            let wanted =
                all.entry(like).or_insert_with(|| own(&folder, &graph, like, &[soon, language.how].concat()));
            let file = (language.file)(program);
            for (threads, edges_at_once) in ways {
                let to = folder.path("found.tsv");
                let mut arguments =
                    vec!["graph", "run", &graph, &file, "--class", program, "--threads", threads, "-o", &to];
                arguments.extend(language.more.iter().chain(language.how));
                arguments.extend(edges_at_once.iter().flat_map(|edges| ["--edges-at-once", edges]));
                let (edges, tolerance) = (folder.path("edges.tsv"), format!("tolerance={TOLERANCE}"));
                match *program {
                    "ShortestPaths" => arguments.extend(["--set", "from=0"]),
                    "Labels" => arguments.extend(["-i", "5"]),
                    "Components" => {}
                    _ => arguments.extend(["--set", &tolerance]),
                }
                if *program == "PageRankEdges" {
                    arguments.extend(["--edges", &edges]);
                }
                let ran = run(&mut upcall(&arguments));
                assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
                let threads = if language.one_thread { "1" } else { threads };
                assert!(ran.err.contains(&format!(" s on {threads} thread")), "{arguments:?}: {}", ran.err);
                let found = folder.read("found.tsv");
                let other = found.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
                assert_eq!((other, found.len()), (None, wanted.len()), "{arguments:?}");
                if *program == "PageRankEdges" {
                    carries_ranks(&folder.read("edges.tsv"), &found);
                }
            }
        }
    }
}

/// Each edge has its source's rank divided by how many go out of that.
#[track_caller]
fn carries_ranks(edges: &str, ranks: &str) {
    let number = |text: &str| text.parse::<f64>().unwrap();
    let ranks: HashMap<&str, f64> = ranks
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .map(|(of, rank)| (of, number(rank)))
        .collect();
    let edges: Vec<Vec<&str>> = edges.lines().map(|line| line.split('\t').collect()).collect();
    let mut degrees = HashMap::new();
    edges.iter().for_each(|edge| *degrees.entry(edge[0]).or_insert(0.0) += 1.0);
    assert!(edges.len() > 12_000);
    for edge in &edges {
        assert_eq!(number(edge[2]), ranks[edge[0]] / degrees[edge[0]], "{edge:?}");
    }
}

fn built(name: &str) -> String {
    example("graph/build").join(name).display().to_string()
}

fn python(program: &str) -> String {
    let name = match program {
        "Components" => "components",
        "ShortestPaths" => "paths",
        "Labels" => "labels",
        _ => "pagerank",
    };
    example("graph/python").join(format!("{name}.py")).display().to_string()
}

fn node(_: &str) -> String {
    example("graph/node/programs.mjs").display().to_string()
}

#[test]
fn programs_in_rust_agree() {
    agrees(&Language { file: |_| built("libgraph.so"), ..NOTHING }, &PROGRAMS);
}

#[test]
fn programs_in_processes_agree() {
    agrees(&Language { file: |_| built("libgraph.so"), more: &["--isolate"], ..NOTHING }, &PROGRAMS);
}

#[test]
fn programs_of_every_guest_agree_in_processes() {
    for file in [|_: &str| built("graph.dll"), |_: &str| built("graph.jar")] {
        agrees(&Language { file, more: &["--isolate"], ..NOTHING }, &["PageRank"]);
    }
}

/// The graph has three intervals.
#[test]
fn programs_of_every_guest_agree_in_gauss_seidels_way() {
    let files: [fn(&str) -> String; 5] = [
        |_| built("libgraph.so"),
        |_| built("graph.dll"),
        |_| built("graph.jar"),
        |_| built("programs.wasm"),
        node,
    ];
    let how = &[GAUSS_SEIDEL];
    for file in files {
        agrees(&Language { file, how, ..NOTHING }, &["PageRank"]);
    }
    agrees(&Language { file: python, how, one_thread: true, ..NOTHING }, &["PageRank"]);
    let selective = &["ShortestPaths"];
    let isolated = &["--isolate"];
    agrees(&Language { file: |_| built("libgraph.so"), how, more: isolated, ..NOTHING }, selective);
    agrees(&Language { file: node, how: &["--gauss-seidel"], ..NOTHING }, selective);
}

#[test]
fn values_in_files_are_seen_in_processes_too() {
    let more = &["--isolate", "--values-in", "/tmp"];
    agrees(&Language { file: |_| built("libgraph.so"), more, ..NOTHING }, &["PageRank", "ShortestPaths"]);
}

/// More than the driver puts side by side.
#[test]
fn a_vertex_in_javascript_sees_all_of_300_000_neighbours() {
    let folder = Folder::new("");
    let edges: Vec<u8> = (1..=300_000u32).flat_map(|leaf| [leaf, 0]).flat_map(u32::to_le_bytes).collect();
    let (list, graph, to) = (folder.path("star.u32"), folder.path("star.graph"), folder.path("found.tsv"));
    std::fs::write(&list, edges).unwrap();
    let built = run(&mut upcall(&["graph", "build", &list, "--direction", "undirected", "-o", &graph]));
    assert_eq!(built.code, Some(0), "{}", built.err);
    let wanted = own(&folder, &graph, "PageRank", &[]);
    let file = example("graph/node/programs.mjs").display().to_string();
    let ran = run(&mut upcall(&["graph", "run", &graph, &file, "--class", "PageRank", "-o", &to]));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(folder.read("found.tsv") == wanted);
}

/// How long a process lives until it is killed: one that has only said what the program is has ended by then, and any other has heard of
/// what had ended and gone on from there. Three that die of the same vertices end the run.
const LIFE: Duration = Duration::from_millis(400);

/// What a run writes whose processes are killed five times meanwhile; nothing if it has ended before.
fn killed(folder: &Folder, arguments: &[&str]) -> Option<String> {
    let (to, said) = (folder.path("killed.tsv"), folder.path("said.txt"));
    let mut command = upcall(&[arguments, &["--isolate", "--threads", "1", "-o", &to]].concat());
    let said_to = std::fs::File::create(&said).unwrap();
    let mut job = command.stdout(Stdio::null()).stderr(said_to).spawn().unwrap();
    let parent = job.id().to_string();
    // Each counts once: one that was killed is there until it is waited for.
    let (mut seen, mut killed) = (HashMap::new(), HashSet::new());
    while killed.len() < 5 && job.try_wait().unwrap().is_none() {
        let found = run(Command::new("pgrep").args(["-P", &parent]));
        for child in found.out.split_whitespace() {
            let lived = seen.entry(child.to_owned()).or_insert_with(Instant::now).elapsed();
            if lived >= LIFE
                && !killed.contains(child)
                && run(Command::new("kill").args(["-9", child])).code == Some(0)
            {
                killed.insert(child.to_owned());
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(job.wait().unwrap().code(), Some(0), "{}", folder.read("said.txt"));
    (killed.len() == 5).then(|| folder.read("killed.tsv"))
}

#[test]
fn a_process_that_is_killed_is_replaced_and_nothing_is_lost() {
    let folder = Folder::new("");
    let (graph, file, to) = (graph(&folder, true), built("libgraph.so"), folder.path("found.tsv"));
    // More where the machine is too fast for them.
    for iterations in ["1500", "6000", "24000", "96000"] {
        let options = ["--class", "PageRankEdges", "--set", "tolerance=-1", "-i", iterations];
        let arguments = [&["graph", "run", &graph, &file], &options[..]].concat();
        if let Some(found) = killed(&folder, &arguments) {
            let ran = run(&mut upcall(&[&arguments[..], &["-o", &to]].concat()));
            assert_eq!(ran.code, Some(0), "{}", ran.err);
            assert!(found == folder.read("found.tsv"));
            return;
        }
    }
    panic!("every run has ended before its process was killed five times");
}

#[test]
fn programs_in_csharp_agree() {
    agrees(&Language { file: |_| built("graph.dll"), ..NOTHING }, &PROGRAMS);
}

#[test]
fn programs_in_java_agree() {
    agrees(&Language { file: |_| built("graph.jar"), ..NOTHING }, &PROGRAMS);
}

#[test]
fn programs_in_python_agree() {
    agrees(&Language { file: python, one_thread: true, ..NOTHING }, &PROGRAMS);
}

#[test]
fn programs_in_python_agree_in_processes() {
    agrees(&Language { file: python, more: &["--isolate"], ..NOTHING }, &PROGRAMS);
}

#[test]
fn programs_in_javascript_agree() {
    agrees(&Language { file: node, ..NOTHING }, &PROGRAMS);
}

#[cfg(feature = "wasm")]
#[test]
fn programs_in_webassembly_from_rust_agree() {
    agrees(&Language { file: |_| built("programs.wasm"), ..NOTHING }, &PROGRAMS);
}

#[cfg(feature = "wasm")]
#[test]
fn programs_in_webassembly_from_c_agree() {
    agrees(&Language { file: |_| built("programs-c.wasm"), ..NOTHING }, &PROGRAMS);
}

#[cfg(feature = "wasm")]
#[test]
fn programs_in_webassembly_from_assemblyscript_agree() {
    agrees(&Language { file: |_| built("programs-as.wasm"), ..NOTHING }, &PROGRAMS);
}

#[test]
fn the_readme_of_the_example_runs_as_printed() {
    let text = std::fs::read_to_string(root().join("examples/graph/README.md")).unwrap();
    let block = |of: &str, index: usize| {
        let begin = format!("```{of}\n");
        let rest = text.split(&begin).nth(index + 1).unwrap();
        rest.split("```").next().unwrap().to_owned()
    };
    let folder = root().join("examples/graph");
    for (index, printed) in [(0, String::new()), (1, block("text", 0).repeat(5)), (2, String::new())] {
        let outcome = run(&mut shell(&folder, &block("sh", index)));
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        assert!(printed.is_empty() || outcome.out == printed, "{}", outcome.out);
    }
}
