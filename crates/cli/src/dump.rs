//! The objects of a pool as a file of lines.

use crate::arguments::{Form, PoolFile};
use crate::exit::usage;
use crate::target;
use crate::text::{self, Printed};
use anyhow::{Context, anyhow};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use upcall_flow::{Flow, FlowSpec, Pool, PoolKind, Stored, ValueType};
use upcall_host::nearest;

const DEAD: &str = "/dead";

pub(crate) struct Dump {
    pool: String,
    file: PathBuf,
    printed: Printed,
}

/// What to dump, checked before the flow starts.
pub(crate) fn plan(flow: &FlowSpec, asked: &[PoolFile], form: Option<Form>) -> anyhow::Result<Vec<Dump>> {
    let mut places: Vec<PathBuf> = Vec::new();
    let mut dumps = Vec::new();
    for asked in asked {
        let (dump, place) = one(flow, asked, form)?;
        if let Some(place) = place {
            if places.contains(&place) {
                let PoolFile { pool, file } = asked;
                let help = "give each pool a file of its own";
                return Err(usage(format!(
                    "--dump {pool}={}: another pool goes there; {help}",
                    file.display()
                )));
            }
            places.push(place);
        }
        dumps.push(dump);
    }
    Ok(dumps)
}

/// A dump, and the file that it makes.
fn one(flow: &FlowSpec, asked: &PoolFile, form: Option<Form>) -> anyhow::Result<(Dump, Option<PathBuf>)> {
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
    if !is_standard(&file) {
        let place = target::check(&file)
            .map_err(|error| usage(format!("--dump {pool}={}: {error}", file.display())))?;
        return Ok((Dump { pool, file, printed }, place));
    }
    Ok((Dump { pool, file, printed }, None))
}

fn printed(spec: &Pool, form: Option<Form>) -> anyhow::Result<Printed> {
    let pool = &spec.path;
    if spec.kind == PoolKind::Trigger {
        let help = "make its `kind` \"volatile\" to keep what is put into it";
        return Err(usage(format!("--dump {pool}=…: it is a trigger pool, which stores nothing; {help}")));
    }
    text::form(&spec.value, form).ok_or_else(|| {
        let (what, more) = match &spec.value {
            ValueType::Bytes => ("plain bytes".to_owned(), ", or give the pool a `type`"),
            // No word that a dump could read them by.
            ValueType::Packed { name } => (format!("packed as {name}"), ""),
            other => (format!("of the type {}", other.name()), ""),
        };
        let help = "say how to print them, --as text, u64, hex or base64";
        usage(format!("--dump {pool}=…: its values are {what}; {help}{more}"))
    })
}

/// Whether it is the command's own output, which other things are printed to.
fn is_standard(file: &Path) -> bool {
    file == Path::new("-") || file == Path::new("/dev/stdout")
}

impl Dump {
    /// Whether it goes to standard output.
    pub(crate) fn is_printed(&self) -> bool {
        is_standard(&self.file)
    }

    /// Writes the file.
    pub(crate) fn write(&self, flow: &Flow) -> anyhow::Result<()> {
        if self.is_printed() {
            let written = self.lines(flow, &mut BufWriter::new(io::stdout().lock()));
            return written.with_context(|| format!("dump {} to standard output", self.pool));
        }
        let written = target::write(&self.file, |to| self.lines(flow, to));
        written.with_context(|| format!("dump {} to {}", self.pool, self.file.display()))
    }

    fn lines(&self, flow: &Flow, to: &mut impl Write) -> anyhow::Result<()> {
        let pool = flow.pool(&self.pool)?;
        if self.pool.starts_with(DEAD) {
            for letter in pool.all_versions()? {
                self.line(&letter, to)?;
            }
        } else {
            for key in pool.list(b"")? {
                // Nobody puts any more; a removed key is no line.
                let Some(object) = pool.get(&key)? else { continue };
                self.line(&object, to)?;
            }
        }
        Ok(to.flush()?)
    }

    fn line(&self, object: &Stored, to: &mut impl Write) -> anyhow::Result<()> {
        let key = String::from_utf8_lossy(&object.key);
        let value = self.printed.print(&object.value).map_err(|what| anyhow!("the value of {key} {what}"))?;
        Ok(writeln!(to, "{}\t{value}", text::line(&key))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upcall_flow::OnSpec;

    #[test]
    fn a_dead_pool_is_dumped_with_every_letter_of_a_key() {
        let flow = Flow::builder().pool(Pool::trigger("/in")).handler(OnSpec::new("fails", "/in"), || {
            |_: upcall::Object<'_>, _: &mut upcall::Emit<'_>| Err::<(), _>(upcall::Failure::new("always"))
        });
        let flow = flow.start().unwrap();
        for key in ["b", "a", "b"] {
            flow.pool("/in").unwrap().put_and_forget(key.as_bytes(), b"").unwrap();
            flow.settle().unwrap();
        }
        let dump = Dump { pool: "/dead/in".into(), file: "-".into(), printed: Printed::Json };
        let mut lines = Vec::new();
        dump.lines(&flow, &mut lines).unwrap();
        let keys: Vec<_> = std::str::from_utf8(&lines).unwrap().lines().map(|line| &line[..2]).collect();
        assert_eq!(keys, ["b\t", "a\t", "b\t"]);
    }
}
