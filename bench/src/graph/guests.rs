//! PageRank as a program of each guest's, from `examples/graph`.

use crate::{apart, book};
use anyhow::{Context, Result};
use std::sync::Arc;
use upcall_graph::Guest;
use upcall_host::guests::{self, Options};
use upcall_host::{HandlerSpec, Host, Isolation};

/// A program of a guest.
pub struct Program {
    /// What the tables call it: `C#, update`.
    pub label: String,
    /// On how many threads it runs at most.
    pub threads: usize,
    /// The program, loaded.
    pub guest: Guest,
}

/// What is measured of a guest: its name, that in the tables, the file of its programs, and on how many threads it runs.
const GUESTS: [(&str, &str, &str, usize); 5] = [
    ("native", "Rust, by frames", "build/libgraph.so", usize::MAX),
    ("csharp", "C#", "build/graph.dll", usize::MAX),
    ("java", "Java", "build/graph.jar", usize::MAX),
    ("node", "JavaScript", "node/programs.mjs", usize::MAX),
    ("python", "Python", "python/pagerank.py", 1),
];

/// The forms of PageRank, by their classes.
const FORMS: [(&str, &str); 3] =
    [("PageRank", "update"), ("PageRankGather", "gather"), ("PageRankEdges", "edges' values")];

/// Loads all of them. PageRank that does not converge.
pub fn programs() -> Result<Vec<Program>> {
    let root = book::root();
    let options = Options::default();
    let here: Vec<&str> = GUESTS.iter().map(|(name, ..)| *name).filter(|name| *name != "node").collect();
    let mut hosts: Vec<Arc<dyn Host>> = guests::start(&here, &options)?;
    hosts.push(Arc::new(apart::processes()?));
    let mut programs = Vec::new();
    let numpy = ("python", "Python", "python/pagerank_interval.py", 1);
    let all = GUESTS.iter().flat_map(|guest| FORMS.map(|form| (*guest, form)));
    for ((name, language, file, threads), (class, form)) in
        all.chain([(numpy, ("PageRankInterval", "interval, numpy"))])
    {
        let file = root.join("examples/graph").join(file);
        let mut spec = HandlerSpec::new(class, name, file, class);
        spec.isolation = (name == "node").then(Isolation::default);
        let host = if name == "node" { hosts.last() } else { hosts.iter().find(|host| host.guest() == name) };
        let host = host.cloned().with_context(|| format!("{name} has not started"))?;
        let settings = vec![("tolerance".to_owned(), "-1".to_owned())];
        let guest = Guest::load(host, &spec, settings)?;
        programs.push(Program { label: format!("{language}, {form}"), threads, guest });
    }
    Ok(programs)
}
