//! The word count's flows, run inside this process on text from memory.

use crate::{apart, book, plain};
use anyhow::{Context, Result, ensure};
use std::sync::Arc;
use upcall_config::Config;
use upcall_flow::{Flow, FlowBuilder};
use upcall_host::clr::{Clr, ClrOptions};
use upcall_host::native::Native;
use upcall_host::python::{Python, PythonOptions};
use upcall_host::{Host, Isolation};

/// The guests, started once: their start is not part of what a run takes.
pub struct Guests(Vec<Arc<dyn Host>>);

impl Guests {
    /// Starts all of them.
    pub fn start() -> Result<Guests> {
        let home = Some(book::root().to_owned());
        let python = Python::start(&PythonOptions { home: home.clone(), ..PythonOptions::default() })?;
        let clr = Clr::start(&ClrOptions { home, ..ClrOptions::default() })?;
        let processes = apart::processes()?;
        Ok(Guests(vec![Arc::new(Native), Arc::new(python), Arc::new(clr), Arc::new(processes)]))
    }
}

/// Which handlers a word count runs, and where.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// What the tables call it.
    pub label: &'static str,
    /// The flow's file, in `examples/wordcount`.
    pub file: &'static str,
    /// Processes of the handler that splits the lines; `None` where it runs in this one.
    pub processes: Option<usize>,
}

/// Runs a flow over `text`: start, all lines, drain, stop. Compares every count with `expected`, where there is one.
pub fn wordcount(
    guests: &Guests,
    Variant { file, processes, .. }: Variant,
    workers: usize,
    text: &[u8],
    expected: Option<&plain::Counts>,
) -> Result<()> {
    let path = book::root().join("examples/wordcount").join(file);
    let mut spec = Config::read(&path).map_err(|error| anyhow::anyhow!("{}", error.render(false)))?.flow;
    // Nothing is printed, as no peer prints.
    spec.handlers.iter_mut().for_each(|on| on.settings = vec![("top".into(), "0".into())]);
    let splits = spec.handlers.iter_mut().filter(|on| on.name == "split");
    for code in splits.filter_map(|on| on.code.as_mut()) {
        code.isolation = processes.map(|workers| Isolation { workers, ..Isolation::default() });
    }
    let builder = FlowBuilder::from_spec(spec).workers(workers);
    let flow = guests.0.iter().fold(builder, |builder, host| builder.host(host.clone())).start()?;
    let lines = flow.pool("/lines")?;
    let mut key = String::new();
    for (number, line) in text.split(|byte| *byte == b'\n').enumerate() {
        use std::fmt::Write;
        key.clear();
        write!(key, "{}", number + 1).context("writing a line's number")?;
        lines.put_and_forget(key.as_bytes(), line)?;
    }
    flow.drain()?;
    if let Some(expected) = expected {
        compare(&flow, expected)?;
    }
    flow.stop().context("stopping the flow")
}

fn compare(flow: &Flow, expected: &plain::Counts) -> Result<()> {
    let counts = flow.pool("/counts")?;
    ensure!(counts.list(b"")?.len() == expected.len(), "the flow counted other words than the plain loop");
    for (word, count) in expected {
        let found = counts.get(word)?.with_context(|| format!("{} is missing", word.escape_ascii()))?;
        let found = u64::from_le_bytes(found.value[..].try_into().context("a count has 8 bytes")?);
        ensure!(found == *count, "{}: {found}, and the plain loop counts {count}", word.escape_ascii());
    }
    Ok(())
}
