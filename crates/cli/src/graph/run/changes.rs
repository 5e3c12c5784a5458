//! Edges that come and go: a list of them, each with the iteration after which it does.

use crate::{exit, report};
use anyhow::Context as _;
use std::collections::HashMap;
use std::path::Path;
use upcall_graph::{Changed, Changes, Error, Graph, Iteration, ValueType, columns};

/// Changes in the order in which they are made.
pub(super) struct List<'a> {
    file: &'a Path,
    all: Vec<Change>,
    /// What those that were made came to.
    changed: Changed,
}

struct Change {
    after: u64,
    line: usize,
    from: usize,
    to: usize,
    does: Does,
}

#[derive(Clone, Copy)]
enum Does {
    Remove,
    Add(Option<Value>),
}

#[derive(Clone, Copy)]
enum Value {
    U32(u32),
    I32(i32),
    U64(u64),
    I64(i64),
    F32(f32),
    F64(f64),
}

impl Value {
    fn of(value: ValueType, text: &str) -> Option<Value> {
        match value {
            ValueType::U32 => text.parse().ok().map(Value::U32),
            ValueType::I32 => text.parse().ok().map(Value::I32),
            ValueType::U64 => text.parse().ok().map(Value::U64),
            ValueType::I64 => text.parse().ok().map(Value::I64),
            ValueType::F32 => text.parse().ok().map(Value::F32),
            ValueType::F64 => text.parse().ok().map(Value::F64),
            _ => None,
        }
    }
}

impl Change {
    fn ask(&self, changes: &mut Changes<'_>) -> Result<(), Error> {
        let (from, to) = (self.from, self.to);
        match self.does {
            Does::Remove => changes.remove(from, to),
            Does::Add(None) => changes.add(from, to),
            Does::Add(Some(Value::U32(value))) => changes.add_valued(from, to, value),
            Does::Add(Some(Value::I32(value))) => changes.add_valued(from, to, value),
            Does::Add(Some(Value::U64(value))) => changes.add_valued(from, to, value),
            Does::Add(Some(Value::I64(value))) => changes.add_valued(from, to, value),
            Does::Add(Some(Value::F32(value))) => changes.add_valued(from, to, value),
            Does::Add(Some(Value::F64(value))) => changes.add_valued(from, to, value),
        }
    }
}

impl<'a> List<'a> {
    /// Reads a list of changes of a graph.
    pub(super) fn read(file: &'a Path, graph: &Graph) -> anyhow::Result<List<'a>> {
        let shown = file.display();
        let bytes = std::fs::read(file).with_context(|| format!("read the changes {shown}"))?;
        let wrong = |line: usize, why: &str| exit::usage(format!("{shown}, line {line}: {why}"));
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            Err(error) => {
                let before = &bytes[..error.valid_up_to()];
                return Err(wrong(before.split(|byte| *byte == b'\n').count(), "it is no text in UTF-8"));
            }
        };
        let mut rows = Vec::new();
        for (at, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
            if let Some(row) = Row::of(line).map_err(|why| wrong(at + 1, &why))? {
                rows.push((at + 1, row));
            }
        }
        let places = Places::of(graph, rows.iter().flat_map(|(_, row)| [row.from, row.to]));
        let value = graph.file().entry(columns::VALUES).map(|_| graph.values()).transpose();
        let value = value.map_err(super::failed)?.flatten();
        let change = |(line, row): (usize, Row<'_>)| {
            let place = |name: &str| {
                places.get(name).ok_or_else(|| wrong(line, &format!("the graph has no vertex {name:?}")))
            };
            let does = row.does(value).map_err(|why| wrong(line, &why))?;
            Ok(Change { after: row.after, line, from: place(row.from)?, to: place(row.to)?, does })
        };
        let mut all = rows.into_iter().map(change).collect::<anyhow::Result<Vec<_>>>()?;
        // Those of one iteration stay in the order of their lines.
        all.sort_by_key(|change| change.after);
        Ok(List { file, all, changed: Changed::default() })
    }

    /// Asks for those that are due behind an iteration. What they come to is told, if there are any.
    pub(super) fn make(
        &mut self,
        done: &Iteration,
        changes: &mut Changes<'_>,
    ) -> Result<Option<Changed>, Error> {
        let made = usize::try_from(changes.made()).unwrap_or(usize::MAX);
        let mut left = self.all.get(made..).unwrap_or_default();
        let mut until = done.number;
        let count = loop {
            let (due, later) = left.split_at(left.partition_point(|change| change.after <= until));
            for change in due {
                change.ask(changes).map_err(|error| {
                    Error::program(format!("make line {} of {}: {error}", change.line, self.file.display()))
                })?;
            }
            let count = if changes.is_empty() { Changed::default() } else { changes.count()? };
            // Where nothing is left to be updated, and nothing has changed, the run would end before the next ones.
            match later.first().filter(|_| done.scheduled == 0 && count == Changed::default()) {
                Some(next) => (left, until) = (later, next.after),
                None => break count,
            }
        };
        if changes.is_empty() {
            return Ok(None);
        }
        self.changed.added += count.added;
        self.changed.removed += count.removed;
        Ok(Some(count))
    }

    /// What is said of them when the run has ended, in which so many were made, before it went on included.
    pub(super) fn told(&self, made: u64) -> String {
        let left = (self.all.len() as u64).saturating_sub(made);
        let mut text = told(self.changed);
        if left > 0 {
            let (were, count) =
                (if left == 1 { "change was" } else { "changes were" }, report::grouped(left));
            text += &format!("; the run has ended before {count} {were} made of {}", self.file.display());
        }
        text
    }
}

/// How many edges came and went.
pub(super) fn told(Changed { added, removed }: Changed) -> String {
    let edges = if added == 1 { "edge" } else { "edges" };
    format!("{} {edges} added, {} removed", report::grouped(added), report::grouped(removed))
}

/// A line of a list.
struct Row<'t> {
    after: u64,
    adds: bool,
    from: &'t str,
    to: &'t str,
    value: Option<&'t str>,
}

impl<'t> Row<'t> {
    /// Nothing where the line says nothing. Names may have spaces in them where there are tabs between.
    fn of(line: &'t str) -> Result<Option<Row<'t>>, String> {
        let line = line.trim_end_matches('\r');
        if line.trim_start().starts_with('#') || line.trim().is_empty() {
            return Ok(None);
        }
        let words: Vec<&str> =
            if line.contains('\t') { line.split('\t').collect() } else { line.split_whitespace().collect() };
        let (after, sign, from, to, value) = match *words {
            [after, sign, from, to] => (after.trim(), sign.trim(), from, to, None),
            [after, sign, from, to, value] => (after.trim(), sign.trim(), from, to, Some(value.trim())),
            _ => {
                let count = words.len();
                return Err(format!(
                    "it has {count} parts, and a change is `ITERATION + FROM TO [VALUE]` or `ITERATION - FROM TO`"
                ));
            }
        };
        let after = after.parse().map_err(|_| {
            format!(
                "{after:?} is no number of an iteration: they are numbered from 0 on, as they are printed"
            )
        })?;
        let adds = match sign {
            "+" => true,
            "-" => false,
            _ => {
                return Err(format!(
                    "{sign:?} is neither `+`, which adds an edge, nor `-`, which removes it"
                ));
            }
        };
        Ok(Some(Row { after, adds, from, to, value }))
    }

    /// What it does in a graph whose edges have values of this type.
    fn does(&self, of: Option<ValueType>) -> Result<Does, String> {
        match (self.adds, self.value, of) {
            (false, None, _) => Ok(Does::Remove),
            (false, Some(_), _) => {
                Err("it has a value, and removes all edges between two vertices: leave the value out"
                    .to_owned())
            }
            (true, None, None) => Ok(Does::Add(None)),
            (true, Some(_), None) => {
                Err("it has a value, and the graph's edges have none: leave it out".to_owned())
            }
            (true, None, Some(of)) => {
                Err(format!("it has no value, and the graph's edges have values of {of}"))
            }
            (true, Some(text), Some(of)) => {
                let value = Value::of(of, text);
                let value = value.ok_or_else(|| format!("{text:?} is no value of {of}, which edges have"))?;
                Ok(Does::Add(Some(value)))
            }
        }
    }
}

/// The places of the vertices that a list names.
enum Places<'a> {
    /// Each is found at once.
    Numbered(&'a Graph),
    /// They were looked for together.
    Named(HashMap<&'a str, Option<usize>>),
}

impl<'a> Places<'a> {
    fn of(graph: &'a Graph, names: impl Iterator<Item = &'a str>) -> Places<'a> {
        if graph.file().entry(columns::NAMES).is_none() {
            return Places::Numbered(graph);
        }
        let mut places: HashMap<&str, Option<usize>> = names.map(|name| (name, None)).collect();
        if !places.is_empty() {
            for vertex in 0..graph.vertices() {
                if let Some(place) = places.get_mut(&*graph.name(vertex)) {
                    place.get_or_insert(vertex);
                }
            }
        }
        Places::Named(places)
    }

    fn get(&self, name: &str) -> Option<usize> {
        match self {
            Places::Numbered(graph) => graph.vertex(name),
            Places::Named(places) => places.get(name).copied().flatten(),
        }
    }
}
