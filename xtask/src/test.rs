//! `cargo xtask test [PART...]`: the checks of the repository in parts, in the order in which a failure is cheapest
//! to find.

mod checks;

use std::ffi::OsString;

use anyhow::{Result, bail};

use crate::build::Wasm;
use crate::report::{Outcome, Report};
use crate::setup::Tool;
use crate::workspace::Workspace;
use crate::{build, counts, csharp, example, java, physx, setup, tables};

/// A part of the tests, which can be run alone.
struct Part {
    name: &'static str,
    /// What it does, for `--help`.
    about: &'static str,
    /// What it needs from the machine.
    tools: &'static [Tool],
    /// Whether it loads what `build` makes.
    built: bool,
    /// Whether it runs beside others.
    beside: bool,
    /// What is run, each with its name in the report.
    steps: &'static [(&'static str, Step)],
    /// The same, of what starts ranks of MPI: they spin while they wait for each other, so that never two run at a time.
    ranks: &'static [(&'static str, Step)],
}

type Step = fn(&Workspace) -> Result<Outcome>;

/// The part that takes minutes to build, once, and is run only when it is asked for.
const PHYSX: &str = "physx";

/// The part whose tests are compiled beside the rest of the build.
const RUST: &str = "rust";

/// What may be said beside the names of parts.
const FLAGS: [&str; 2] = ["--physx", "--long"];

const PARTS: [Part; 19] = [
    part(
        "format",
        "rustfmt would change nothing, no merge was left open",
        &[],
        &[("format", checks::format)],
    ),
    part(
        "clippy",
        "no warnings, tests included",
        &[],
        &[("clippy", checks::clippy), ("clippy without std", checks::no_std)],
    ),
    part("docs", "rustdoc has no warnings", &[], &[("docs", checks::docs)]),
    part("locks", "lock files of workspaces beside this one fit it", &[], &[("lock files", checks::locks)]),
    part(
        "tables",
        "which published tables are older than what they measured",
        &[],
        &[("tables", tables::check)],
    ),
    part(
        "arm",
        "no warnings in the reductions for 64-bit ARM",
        &[Tool::Arm],
        &[("clippy for ARM", checks::arm)],
    ),
    part(
        RUST,
        "the tests in Rust, end-to-end tests too",
        &[
            Tool::Packages,
            Tool::Dotnet,
            Tool::Node,
            Tool::Native,
            Tool::Java,
            Tool::Valgrind,
            Tool::Mpi,
            Tool::Graphs,
        ],
        &[
            ("Rust tests", checks::rust),
            ("MemoryPack itself", checks::memorypack),
            ("graph-tool's graphs", checks::graphs),
            ("vector instructions", checks::vector_instructions),
            ("Java in the host, oldest Java", checks::java_host),
        ],
    )
    .built(),
    part(
        PHYSX,
        "the bindings of PhysX, only when named: it takes minutes to build, once",
        &[Tool::Packages, Tool::Dotnet, Tool::Node, Tool::Native, Tool::Java],
        &[("PhysX", physx::run)],
    )
    .built()
    .beside(),
    part(
        "doc",
        "the examples in the docs of Rust",
        &[Tool::Python, Tool::Dotnet, Tool::Node, Tool::Java, Tool::Mpi],
        &[("doc tests", checks::doc)],
    )
    .built()
    .beside(),
    part(
        "counts",
        "instructions that hot paths execute, beside bench/counts/counts.toml",
        &[Tool::Python, Tool::Valgrind],
        &[("instruction counts", counts::check)],
    )
    .beside(),
    part(
        "sanitizer",
        "AddressSanitizer, where there is a nightly",
        &[],
        &[("address sanitizer", checks::sanitizer)],
    )
    .beside(),
    part("fuzz", "the fuzz targets compile", &[], &[("fuzz targets", checks::fuzz)]).beside(),
    part(
        "csharp",
        "the tests of the C# SDK",
        &[Tool::Python, Tool::Dotnet, Tool::Node, Tool::Java, Tool::Mpi],
        &[("C# tests", checks::csharp)],
    )
    .built()
    .beside()
    .ranks(&[("C# on ranks", checks::csharp_on_ranks)]),
    part(
        "java",
        "the tests of the Java SDK, on the oldest Java that is supported and on the newest that is there",
        &[Tool::Python, Tool::Dotnet, Tool::Node, Tool::Java],
        &[("Java tests, oldest Java", checks::java_oldest), ("Java tests, newest Java", checks::java_newest)],
    )
    .built()
    .beside()
    .ranks(&[
        ("Java on ranks, oldest Java", checks::java_oldest_on_ranks),
        ("Java on ranks, newest Java", checks::java_newest_on_ranks),
    ]),
    part(
        "python",
        "the tests of the Python SDK",
        &[Tool::Packages, Tool::Dotnet, Tool::Node, Tool::Java],
        &[("Python tests", checks::python)],
    )
    .built()
    .beside()
    .ranks(&[("Python on ranks", checks::python_on_ranks)]),
    part(
        "node",
        "the tests of the Node SDK",
        &[Tool::Python, Tool::Dotnet, Tool::Node, Tool::Java],
        &[("Node tests", checks::node)],
    )
    .built()
    .beside()
    .ranks(&[("Node on ranks", checks::node_on_ranks)]),
    part(
        "mypy",
        "the types of the Python SDK and the examples",
        &[Tool::Packages, Tool::Dotnet, Tool::Node, Tool::Java],
        &[("mypy", checks::mypy)],
    )
    .built()
    .beside(),
    part(
        "bindings",
        "examples/bindgen as its README says it",
        &[Tool::Packages, Tool::Dotnet, Tool::Node, Tool::Native, Tool::Java],
        &[("bindings example", example::run)],
    )
    .built()
    .beside(),
    part(
        "engine",
        "examples/engine prints what its README shows",
        &[Tool::Packages, Tool::Dotnet, Tool::Node, Tool::Java],
        &[("engine example", example::engine)],
    )
    .built()
    .beside(),
];

/// A part that loads nothing that `build` makes, and runs alone.
const fn part(
    name: &'static str,
    about: &'static str,
    tools: &'static [Tool],
    steps: &'static [(&'static str, Step)],
) -> Part {
    Part { name, about, tools, built: false, beside: false, steps, ranks: &[] }
}

impl Part {
    const fn built(self) -> Part {
        Part { built: true, ..self }
    }

    const fn beside(self) -> Part {
        Part { beside: true, ..self }
    }

    const fn ranks(self, ranks: &'static [(&'static str, Step)]) -> Part {
        Part { ranks, ..self }
    }
}

/// The parts, one per line, for `--help`.
pub fn help() -> String {
    PARTS.iter().map(|part| format!("  {:<10} {}\n", part.name, part.about)).collect()
}

/// Runs the named parts (all but PhysX if none is named, and that too with `--physx`), prints a table and, as the
/// last line, the sum. True if nothing failed.
pub fn run(ws: &Workspace, arguments: &[String]) -> Result<bool> {
    let parts = chosen(arguments)?;
    if arguments.iter().any(|argument| argument == "--long") {
        // SAFETY: there is no other thread yet.
        unsafe { std::env::set_var("UPCALL_KILLS", "200") };
    }
    for (name, value) in started_often(ws) {
        // SAFETY: there is no other thread yet.
        unsafe { std::env::set_var(name, value) };
    }
    let mut report = Report::new();
    let result = steps(ws, &parts, &mut report);
    println!("\n{}", report.table());
    if let Err(error) = &result {
        println!("{error}");
    }
    let total = report.total();
    println!("{} passed, {} failed", total.passed, total.failed);
    Ok(result.is_ok())
}

/// Settings for programs that are started a thousand times: Python compiles modules once, none of them beside their sources, and
/// numpy starts no threads that wait for work by spinning.
fn started_often(ws: &Workspace) -> [(&'static str, OsString); 3] {
    [
        ("PYTHONDONTWRITEBYTECODE", OsString::new()),
        ("PYTHONPYCACHEPREFIX", ws.target.join("python").into_os_string()),
        ("OPENBLAS_NUM_THREADS", "1".into()),
    ]
}

/// The parts that the arguments name, in the order of [`PARTS`].
fn chosen(arguments: &[String]) -> Result<Vec<&'static Part>> {
    let named = |part: &Part| arguments.iter().any(|argument| argument == part.name);
    let physx = arguments.iter().any(|argument| argument == "--physx");
    let flag = |argument: &String| FLAGS.contains(&argument.as_str());
    for argument in arguments.iter().filter(|argument| !flag(argument)) {
        if PARTS.iter().any(|part| part.name == argument) {
            continue;
        }
        let nearest = PARTS.iter().map(|part| part.name).max_by(|one, other| {
            strsim::jaro_winkler(argument, one).total_cmp(&strsim::jaro_winkler(argument, other))
        });
        let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        bail!(
            "running a part of the tests: none has the name `{argument}`; did you mean `{}`? There are {}",
            nearest.unwrap_or_default(),
            names.join(", ")
        );
    }
    let all = arguments.iter().all(flag);
    let wanted = |part: &&Part| named(part) || if part.name == PHYSX { physx } else { all };
    Ok(PARTS.iter().filter(wanted).collect())
}

fn steps(ws: &Workspace, parts: &[&Part], report: &mut Report) -> Result<()> {
    let mut tools: Vec<Tool> = parts.iter().flat_map(|part| part.tools).copied().collect();
    if !tools.is_empty() {
        tools.push(Tool::Python);
        if parts.iter().any(|part| part.built) {
            tools.extend([Tool::Native, Tool::Wasm]);
        }
    }
    // Setup waits for the network, which these need not.
    let (first, rest) = parts.split_at(parts.iter().take_while(|part| part.tools.is_empty()).count());
    let setup = move || setup::run(ws, &tools).map(|()| Outcome::Done);
    let mut ahead = Vec::new();
    if !rest.is_empty() {
        ahead.push(("setup", Box::new(setup) as Run<'_>));
    }
    if rest.iter().any(|part| part.built) {
        // Its compilers have one thread, and clippy has not always work for all cores either.
        ahead.push(("WebAssembly", Box::new(|| build::wasm::modules(ws).map(|()| Outcome::Done))));
    }
    report.beside(ahead, steps_of(ws, first).collect())?;
    let compiler =
        if rest.iter().any(|part| part.tools.contains(&Tool::Dotnet)) { csharp::server(ws)? } else { None };
    if let Some(compiler) = &compiler {
        // SAFETY: the threads of earlier steps have ended.
        unsafe { std::env::set_var(csharp::SERVER, compiler.socket()) };
    }
    let rust = rest.iter().any(|part| part.name == RUST);
    let compilers = if rust { Some(java::servers(ws)?) } else { None };
    if let Some((_, sockets)) = &compilers {
        // SAFETY: the same.
        unsafe { std::env::set_var(java::SERVERS, sockets) };
    }
    let mut built = false;
    for together in rest.chunk_by(|one, next| one.beside && next.beside) {
        if !built && together.iter().any(|part| part.built) {
            report.step("build", || build::rust(ws, Wasm::Modules).map(|()| Outcome::Done))?;
            let others: Run<'_> = Box::new(|| build::others(ws).map(|()| Outcome::Done));
            let tests = together.iter().any(|part| part.name == RUST);
            let tests = tests.then(|| ("Rust tests, compiled", Box::new(|| checks::compile(ws)) as Run<'_>));
            report.beside(vec![("build, other languages", others)], tests.into_iter().collect())?;
            built = true;
        }
        if together[0].beside {
            let ranks = together.iter().flat_map(|part| part.ranks);
            report.beside(runs(ws, ranks).collect(), steps_of(ws, together).collect())?;
        } else {
            steps_of(ws, together).try_for_each(|(name, run)| report.step(name, run))?;
        }
    }
    Ok(())
}

/// What is run once.
type Run<'a> = Box<dyn FnOnce() -> Result<Outcome> + Send + 'a>;

fn steps_of<'a>(ws: &'a Workspace, parts: &'a [&Part]) -> impl Iterator<Item = (&'static str, Run<'a>)> {
    runs(ws, parts.iter().flat_map(|part| part.steps))
}

fn runs<'a>(
    ws: &'a Workspace,
    steps: impl Iterator<Item = &'a (&'static str, Step)>,
) -> impl Iterator<Item = (&'static str, Run<'a>)> {
    steps.map(move |(name, step)| (*name, Box::new(move || step(ws)) as Run<'a>))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(arguments: &[&str]) -> Result<Vec<&'static str>> {
        let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Ok(chosen(&arguments)?.iter().map(|part| part.name).collect())
    }

    #[test]
    fn without_arguments_all_parts_are_run_but_physx() {
        let all = names(&[]).unwrap();
        assert_eq!(all.len(), PARTS.len() - 1);
        assert!(!all.contains(&PHYSX) && names(&["--physx"]).unwrap().contains(&PHYSX));
        assert_eq!(names(&["--long"]).unwrap(), all);
    }

    #[test]
    fn named_parts_are_run_alone_in_the_usual_order() {
        assert_eq!(names(&["mypy", "format"]).unwrap(), ["format", "mypy"]);
        assert_eq!(names(&["node", "--physx"]).unwrap(), ["physx", "node"]);
    }

    #[test]
    fn an_unknown_part_is_refused_with_the_nearest_name_and_all_others() {
        let refused = names(&["clipy"]).unwrap_err().to_string();
        assert!(refused.contains("did you mean `clippy`?") && refused.contains("sanitizer"), "{refused}");
    }

    #[test]
    fn what_loads_the_build_sets_up_what_the_build_needs() {
        for part in PARTS.iter().filter(|part| part.built) {
            for tool in Tool::BUILD.iter().filter(|tool| **tool != Tool::Python) {
                assert!(part.tools.contains(tool), "{} lacks {tool:?}", part.name);
            }
        }
    }
}
