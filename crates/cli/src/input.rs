//! Lines of files, put into pools.

use crate::arguments::PoolFile;
use crate::exit::usage;
use anyhow::{Context, anyhow};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use upcall_flow::{Cause, ErrorKind, Flow, FlowSpec, PoolHandle};
use upcall_host::nearest;

/// Files larger than this are read in so many pieces.
const BUFFER: usize = 1 << 18;

/// The files whose lines go into one pool, one after the other.
pub(crate) struct Source {
    pool: String,
    files: Vec<Open>,
}

struct Open {
    path: PathBuf,
    reader: Box<dyn Read + Send>,
    /// Bytes, where that is known.
    size: Option<u64>,
}

/// What to read: for each pool what the command line says, else what the flow's file says. Opens every file.
pub(crate) fn sources(
    flow: &FlowSpec,
    from_file: Vec<(String, PathBuf)>,
    asked: &[PoolFile],
) -> anyhow::Result<Vec<Source>> {
    for PoolFile { pool, .. } in asked {
        let pools = || flow.pools.iter().map(|known| known.path.as_str());
        if !pools().any(|known| known == pool) {
            let help = match nearest(pool, pools()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("it has {}", pools().collect::<Vec<_>>().join(", ")),
            };
            return Err(usage(format!("--input {pool}=…: flow {} has no such pool; {help}", flow.name)));
        }
    }
    let instead = |pool: &String| asked.iter().any(|asked| asked.pool == *pool);
    let mut chosen: Vec<(String, PathBuf)> =
        from_file.into_iter().filter(|(pool, _)| !instead(pool)).collect();
    chosen.extend(asked.iter().map(|asked| (asked.pool.clone(), asked.file.clone())));
    if chosen.iter().filter(|(_, file)| is_standard(file)).count() > 1 {
        return Err(usage("standard input can be put into one pool only: give a file for the others"));
    }
    let mut sources: Vec<Source> = Vec::new();
    for (pool, path) in chosen {
        let file = open(path)?;
        match sources.iter_mut().find(|source| source.pool == pool) {
            Some(source) => source.files.push(file),
            None => sources.push(Source { pool, files: vec![file] }),
        }
    }
    Ok(sources)
}

fn is_standard(file: &Path) -> bool {
    file == Path::new("-")
}

fn open(path: PathBuf) -> anyhow::Result<Open> {
    if is_standard(&path) {
        let reader = Box::new(std::io::stdin());
        return Ok(Open { path: "standard input".into(), reader, size: None });
    }
    let failed = |error| usage(format!("read the input {}: {error}", path.display()));
    let file = File::open(&path).map_err(failed)?;
    let about = file.metadata().map_err(failed)?;
    if about.is_dir() {
        return Err(usage(format!("read the input {}: it is a folder; give a file", path.display())));
    }
    let size = about.is_file().then_some(about.len());
    Ok(Open { path, reader: Box::new(file), size })
}

/// Bytes of all files, when all sizes are known.
pub(crate) fn total(sources: &[Source]) -> Option<u64> {
    sources.iter().flat_map(|source| &source.files).map(|file| file.size).sum()
}

/// The inputs of a running flow, each read on a thread of its own.
pub(crate) struct Reading {
    lanes: Vec<Arc<Lane>>,
}

#[derive(Default)]
struct Lane {
    /// Set when no more may be put; held while something is.
    closed: Mutex<bool>,
    bytes: AtomicU64,
    lines: AtomicU64,
}

/// What is done with lines that are no values.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    /// Bytes of a line at most.
    pub(crate) max_line: u64,
    /// Whether one that does not fit its pool's type ends the input, or is buried.
    pub(crate) stop_on_error: bool,
}

impl Reading {
    /// Starts to read. `ended` is called once per source.
    pub(crate) fn start(
        sources: Vec<Source>,
        rules: Rules,
        flow: &Flow,
        ended: impl Fn(anyhow::Result<()>) + Clone + Send + 'static,
    ) -> anyhow::Result<Reading> {
        let mut lanes = Vec::new();
        for source in sources {
            let (pool, lane, ended) = (flow.pool(&source.pool)?, Arc::<Lane>::default(), ended.clone());
            lanes.push(lane.clone());
            std::thread::Builder::new()
                .name(format!("input {}", source.pool))
                .spawn(move || ended(lane.read(source, rules, &pool)))
                .context("start a thread for input")?;
        }
        Ok(Reading { lanes })
    }

    pub(crate) fn count(&self) -> usize {
        self.lanes.len()
    }

    /// Bytes and lines so far.
    pub(crate) fn progress(&self) -> (u64, u64) {
        let sum = |of: fn(&Lane) -> &AtomicU64| self.lanes.iter().map(|lane| of(lane).load(Relaxed)).sum();
        (sum(|lane| &lane.bytes), sum(|lane| &lane.lines))
    }

    /// No line is put any more once this has returned, even where a thread still waits for one.
    pub(crate) fn close(&self) {
        for lane in &self.lanes {
            *lane.closed.lock().unwrap_or_else(PoisonError::into_inner) = true;
        }
    }
}

impl Lane {
    fn read(&self, source: Source, rules: Rules, pool: &PoolHandle) -> anyhow::Result<()> {
        let (mut line, mut value, mut key) = (Vec::new(), Vec::new(), Vec::new());
        let typed = pool.value_type();
        let mut number = 0u64;
        for file in source.files {
            let mut lines = BufReader::with_capacity(BUFFER, file.reader);
            let mut line_of_file = 0u64;
            loop {
                line.clear();
                let place = || format!("{}, line {}", file.path.display(), line_of_file + 1);
                let mut piece = (&mut lines).take(rules.max_line + 1);
                let read = piece.read_until(b'\n', &mut line).with_context(place)?;
                if read == 0 {
                    break;
                }
                if line.last() == Some(&b'\n') {
                    line.pop();
                }
                if line.len() as u64 > rules.max_line {
                    return Err(too_long(rules.max_line)).with_context(place);
                }
                number += 1;
                key.clear();
                // Writing into memory does not fail.
                let _ = write!(key, "{number}");
                value.clear();
                let parsed = typed.read_text(&line, &mut value);
                {
                    let closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
                    if *closed {
                        return Ok(());
                    }
                    let refused = match parsed.map(|()| pool.put_and_forget(&key, &value)) {
                        Ok(Err(error)) if error.kind() == ErrorKind::BadValue => Some(error.to_string()),
                        Ok(put) => put.map(|()| None).with_context(place)?,
                        Err(what) => Some(what),
                    };
                    match refused {
                        None => {}
                        Some(what) if rules.stop_on_error => return Err(anyhow!(what)).with_context(place),
                        Some(what) => {
                            let (type_name, message) = ("bad line".into(), format!("{}: {what}", place()));
                            let cause = Cause { type_name, message, stack: String::new() };
                            pool.bury(&key, &line, cause).with_context(place)?;
                        }
                    }
                }
                line_of_file += 1;
                self.bytes.fetch_add(read as u64, Relaxed);
                self.lines.fetch_add(1, Relaxed);
            }
        }
        Ok(())
    }
}

fn too_long(max_line: u64) -> anyhow::Error {
    anyhow!(
        "it is longer than {max_line} bytes, the flow's `max_line`; if that is no mistake, write a larger \
         `max_line` at the top of the flow's file (`upcall explain max_line`)"
    )
}
