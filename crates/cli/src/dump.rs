//! The objects of a pool as a file of lines.

use crate::arguments::{Form, PoolFile};
use crate::exit::usage;
use crate::text::{self, Printed};
use anyhow::{Context, anyhow};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use upcall_flow::{Flow, FlowSpec, PoolKind, PoolSpec, ValueType, nearest};

const DEAD: &str = "/dead";

pub(crate) struct Dump {
    pool: String,
    file: PathBuf,
    printed: Printed,
}

/// What to dump, checked before the flow starts.
pub(crate) fn plan(flow: &FlowSpec, asked: &[PoolFile], form: Option<Form>) -> anyhow::Result<Vec<Dump>> {
    asked.iter().map(|asked| one(flow, asked, form)).collect()
}

fn one(flow: &FlowSpec, asked: &PoolFile, form: Option<Form>) -> anyhow::Result<Dump> {
    let PoolFile { pool, file } = asked.clone();
    let alive = pool.strip_prefix(DEAD).unwrap_or(&pool);
    let Some(spec) = flow.pools.iter().find(|known| known.path == alive) else {
        let pools = || flow.pools.iter().map(|known| known.path.as_str());
        let help = match nearest(&pool, pools()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("it has {}", pools().collect::<Vec<_>>().join(", ")),
        };
        return Err(usage(format!("--dump {pool}=…: flow {} has no such pool; {help}", flow.name)));
    };
    // A dead pool holds JSON, whatever the pool holds.
    let printed = match alive == pool {
        true => printed(spec, form)?,
        false => Printed::Json,
    };
    let folder = folder(&file);
    if file != Path::new("-") && !folder.is_dir() {
        return Err(usage(format!(
            "--dump {pool}={}: there is no folder {}",
            file.display(),
            folder.display()
        )));
    }
    Ok(Dump { pool, file, printed })
}

fn printed(spec: &PoolSpec, form: Option<Form>) -> anyhow::Result<Printed> {
    let pool = &spec.path;
    if spec.kind == PoolKind::Trigger {
        let help = "make its `kind` \"volatile\" to keep what is put into it";
        return Err(usage(format!("--dump {pool}=…: it is a trigger pool, which stores nothing; {help}")));
    }
    text::form(&spec.value, form).ok_or_else(|| {
        let help = "say how to print them, --as text, u64, hex or base64, or give the pool a `type`";
        let what = if spec.value == ValueType::Bytes { "plain bytes" } else { spec.value.name() };
        usage(format!("--dump {pool}=…: its values are {what}; {help}"))
    })
}

fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

impl Dump {
    /// Writes the file.
    pub(crate) fn write(&self, flow: &Flow) -> anyhow::Result<()> {
        if self.file == Path::new("-") {
            let written = self.lines(flow, &mut BufWriter::new(io::stdout().lock()));
            return written.with_context(|| format!("dump {} to standard output", self.pool));
        }
        let half = self.half();
        let written = File::create(&half)
            .map_err(anyhow::Error::from)
            .and_then(|file| self.lines(flow, &mut BufWriter::new(file)))
            .and_then(|()| Ok(fs::rename(&half, &self.file)?));
        if written.is_err() {
            // What is half-written is of no use; that it cannot be removed is no second error.
            let _ = fs::remove_file(&half);
        }
        written.with_context(|| format!("dump {} to {}", self.pool, self.file.display()))
    }

    /// The file beside the one asked for, which takes its place when it is complete.
    fn half(&self) -> PathBuf {
        let mut name = self.file.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}", std::process::id()));
        self.file.with_file_name(name)
    }

    fn lines(&self, flow: &Flow, to: &mut impl Write) -> anyhow::Result<()> {
        let pool = flow.pool(&self.pool)?;
        for key in pool.list(b"")? {
            // Nobody puts any more; a removed key is no line.
            let Some(object) = pool.get(&key)? else { continue };
            let key = String::from_utf8_lossy(&key);
            let value =
                self.printed.print(&object.value).map_err(|what| anyhow!("the value of {key} {what}"))?;
            writeln!(to, "{}\t{value}", text::line(&key))?;
        }
        Ok(to.flush()?)
    }
}
