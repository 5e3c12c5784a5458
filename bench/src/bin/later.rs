//! What does a flow add to a program that asks a slow service, a hundred requests at a time?
//!
//! `cargo xtask bench later [REQUESTS [RUNS]]`: so many requests a run (10,000), RUNS runs each (5). The service of
//! `examples/later` answers after 10 ms; the handlers are those of the example, the programs ask with the same library.

use anyhow::{Context, Result};
use serde::Serialize;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use upcall_bench::arguments::Numbers;
use upcall_bench::book;
use upcall_bench::command::{self, built};
use upcall_bench::machine::Machine;
use upcall_bench::measure::Sample;
use upcall_bench::results::Results;
use upcall_host::node::{self, NodeOptions};
use upcall_host::python::{self, PythonOptions};

const IN_FLIGHT: usize = 100;

/// One way to ask.
#[derive(Debug, Serialize)]
struct Row {
    language: &'static str,
    way: &'static str,
    requests: u64,
    runs: Vec<Sample>,
    /// One request: the start-up, which is subtracted.
    startups: Vec<Sample>,
    /// Requests a second on the wall: least run less least start-up. The service lets 10,000 through.
    per_second: f64,
    /// CPU time of a request, the service's apart, in microseconds.
    cpu_micros: f64,
}

fn main() -> Result<()> {
    let mut numbers = Numbers::of_this_program();
    let (requests, runs) = (numbers.next("REQUESTS", 10_000)? as u64, numbers.next("RUNS", 5)?);
    let machine = Machine::here();
    let service = Service::start()?;
    let folder = tempfile::tempdir().context("making a folder for the flows")?;
    let mut rows = Vec::new();
    println!("{:<12} {:<22} {:>12} {:>16}", "", "", "requests/s", "CPU us a request");
    for (language, ways) in ways(&service.url, folder.path())? {
        for (way, run) in ways {
            let timed = |requests: u64| -> Result<Sample> {
                let mut command = run(requests)?;
                let (sample, outcome) = Sample::of(|| command::run(&mut command));
                outcome.map(|_| sample)
            };
            timed(requests)?;
            let startups: Vec<Sample> = (0..runs).map(|_| timed(1)).collect::<Result<_>>()?;
            let runs: Vec<Sample> = (0..runs).map(|_| timed(requests)).collect::<Result<_>>()?;
            let (least, startup) = (Sample::minimum(&runs), Sample::minimum(&startups));
            let per_second = (requests - 1) as f64 / (least.wall_seconds - startup.wall_seconds);
            let cpu_micros = 1e6 * (least.cpu_seconds - startup.cpu_seconds) / (requests - 1) as f64;
            println!("{language:<12} {way:<22} {per_second:>12.0} {cpu_micros:>16.1}");
            rows.push(Row { language, way, requests, runs, startups, per_second, cpu_micros });
        }
    }
    let notes = vec![
        format!(
            "{IN_FLIGHT} requests at a time to a service on this machine that answers after 10 ms: 10,000 a second at most."
        ),
        "Least of the runs, less the least run of one request. CPU time of all processes but the service."
            .into(),
        "Programs keep the answers in a map, flows in a pool; flows read the keys from a file.".into(),
    ];
    let results = Results {
        question: "What does a flow add to a program that asks a slow service?".into(),
        command: "cargo xtask bench later".into(),
        notes,
        machine,
        rows,
    };
    println!("{}", results.write("later")?.display());
    Ok(())
}

/// The service, which ends with this.
struct Service {
    child: Child,
    url: String,
}

impl Service {
    fn start() -> Result<Service> {
        let mut command = Command::new(built("UPCALL_BENCH_SERVICE", "later")?);
        let mut child = command
            .arg("127.0.0.1:0")
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("starting {command:?}"))?;
        let mut line = String::new();
        let output = child.stdout.take();
        let mut service = Service { child, url: String::new() };
        BufReader::new(output.context("it has an output")?).read_line(&mut line)?;
        let address = line.trim().strip_prefix("listening on ").map(str::to_owned);
        let address = address.with_context(|| format!("starting the service: it says {line:?}"))?;
        service.url = format!("http://{address}");
        Ok(service)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill().and_then(|()| self.child.wait());
    }
}

/// Makes the command of a run with so many requests.
type Run = Box<dyn Fn(u64) -> Result<Command>>;

/// The ways to ask in one language.
type Ways = Vec<(&'static str, Run)>;

/// By language, the ways that are measured.
fn ways(url: &str, folder: &Path) -> Result<Vec<(&'static str, Ways)>> {
    let plain = |program: Vec<PathBuf>| -> Run {
        let url = url.to_owned();
        Box::new(move |requests| {
            let mut command = Command::new(&program[0]);
            command.args(&program[1..]).arg(&url);
            command.args([requests.to_string(), IN_FLIGHT.to_string()]);
            Ok(command)
        })
    };
    let of = |path: &str| book::root().join(path);
    let node = node::locate(&NodeOptions::default()).into_result()?.program;
    let dotnet = PathBuf::from(built("UPCALL_BENCH_DOTNET", "later")?);
    let program = PathBuf::from(built("UPCALL_BENCH_LATER", "later")?);
    let assembly = PathBuf::from(built("UPCALL_BENCH_PLAIN", "later")?);
    let python = python::locate(&PythonOptions::default()).into_result()?.executable;
    let flow = |language: &str, isolated: bool| flow(url, folder, language, isolated);
    Ok(vec![
        (
            "Rust",
            vec![
                ("program (reqwest)", plain(vec![program])),
                ("flow", flow("rust", false)?),
                ("flow, isolated", flow("rust", true)?),
            ],
        ),
        (
            "C#",
            vec![
                ("program (HttpClient)", plain(vec![dotnet, assembly])),
                ("flow", flow("csharp", false)?),
                ("flow, isolated", flow("csharp", true)?),
            ],
        ),
        (
            "Python",
            vec![
                ("program (asyncio)", plain(vec![python, of("bench/peers/later/plain.py")])),
                ("flow", flow("python", false)?),
                ("flow, isolated", flow("python", true)?),
            ],
        ),
        (
            "JavaScript",
            vec![
                ("program (fetch)", plain(vec![node, of("bench/peers/later/plain.mjs")])),
                ("flow, isolated", flow("node", false)?),
            ],
        ),
    ])
}

/// The example's flow in a language, which asks this service.
fn flow(url: &str, folder: &Path, language: &str, isolated: bool) -> Result<Run> {
    let example = book::root().join("examples/later");
    let file = format!("flow.{language}.toml");
    let text = fs::read_to_string(example.join(&file)).with_context(|| format!("reading {file}"))?;
    let place = |text: String, relative: &str| {
        text.replace(&format!("= \"{relative}"), &format!("= \"{}/{relative}", example.display()))
    };
    let text = text.replace("http://127.0.0.1:8080", url);
    let text = ["fetch.", "build/"].into_iter().fold(text, place);
    let more = if isolated { "isolation = \"process\"\n" } else { "" };
    let path = folder.join(format!("{isolated}.{file}"));
    fs::write(&path, format!("{text}{more}")).with_context(|| format!("writing {}", path.display()))?;
    let (folder, upcall) = (folder.to_owned(), PathBuf::from(built("UPCALL_BENCH_UPCALL", "later")?));
    Ok(Box::new(move |requests| {
        let keys = folder.join(format!("{requests}.txt"));
        if !keys.is_file() {
            let text: String = (1..=requests).map(|key| format!("{key}\n")).collect();
            fs::write(&keys, text).with_context(|| format!("writing {}", keys.display()))?;
        }
        let mut command = Command::new(&upcall);
        command.arg("run").arg(&path).arg("--input").arg(format!("/requests={}", keys.display()));
        command.args(["--report", "none"]);
        Ok(command)
    }))
}
