//! Edges that come and go: a list of them, each with the iteration after which it does.

use super::stop::STOP;
use crate::{exit, report};
use anyhow::Context as _;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::Ordering;
use upcall_graph::{ChangeLog, Changed, Changes, Edit, Error, Graph, Iteration, ValueType, columns};

/// Changes in the order in which they are made.
pub(super) struct List<'a> {
    file: &'a Path,
    all: Vec<Change>,
}

struct Change {
    after: u64,
    line: usize,
    from: usize,
    to: usize,
    op: Op,
}

/// What a change does.
#[derive(Clone, Copy)]
enum Op {
    Remove,
    Add,
    /// With a value of this type, as [`ValueType::parse`] makes it.
    AddValued(ValueType, u64),
}

impl Change {
    fn ask(&self, changes: &mut Changes<'_>) -> Result<(), Error> {
        match self.op {
            Op::Remove => changes.remove(self.from, self.to),
            Op::Add => changes.add(self.from, self.to),
            Op::AddValued(of, bits) => changes.add_bits(self.from, self.to, of, bits),
        }
    }

    /// Whether it is the change that was made.
    fn is(&self, made: &Edit<'_>) -> bool {
        let does = match self.op {
            Op::Remove => !made.adds,
            Op::Add => made.adds && made.value.is_empty(),
            Op::AddValued(of, bits) => made.adds && made.value == &bits.to_le_bytes()[..of.size()],
        };
        does && (self.from, self.to) == (made.from, made.to)
    }
}

/// Refuses to go on with a run whose graph was changed otherwise than the list says.
pub(super) fn goes_on(list: Option<&List<'_>>, made: &ChangeLog, kept: &Path) -> Result<(), Error> {
    let refused = |why: String, way_out: &str| {
        let (kept, count) = (kept.display(), counted(made.len() as u64));
        Err(Error::usage(format!(
            "go on from {kept}: {count} made in its graph, and {why}: {way_out}, or remove {kept} to begin anew"
        )))
    };
    let same = "give the file that they came from, which may have got more lines for later iterations";
    let Some(list) = list else {
        return match made.is_empty() {
            true => Ok(()),
            false => refused("there is no --changes".to_owned(), same),
        };
    };
    let file = list.file.display();
    if list.all.len() < made.len() {
        return refused(format!("{file} has {} in all", report::grouped(list.all.len() as u64)), same);
    }
    match list.all.iter().zip(made.iter()).find(|(change, made)| !change.is(made)) {
        None => Ok(()),
        Some((Change { line, .. }, _)) => refused(format!("line {line} of {file} is none of them"), same),
    }
}

/// So many changes that were made.
fn counted(count: u64) -> String {
    format!("{} {}", report::grouped(count), if count == 1 { "change was" } else { "changes were" })
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
            let op = row.op(value).map_err(|why| wrong(line, &why))?;
            Ok(Change { after: row.after, line, from: place(row.from)?, to: place(row.to)?, op })
        };
        let mut all = rows.into_iter().map(change).collect::<anyhow::Result<Vec<_>>>()?;
        // Those of one iteration stay in the order of their lines.
        all.sort_by_key(|change| change.after);
        Ok(List { file, all })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Asks for those that are due after an iteration; what they come to.
    pub(super) fn make(&self, done: &Iteration, changes: &mut Changes<'_>) -> Result<Changed, Error> {
        let made = usize::try_from(changes.made()).unwrap_or(usize::MAX);
        let mut left = self.all.get(made..).unwrap_or_default();
        let mut until = done.number;
        // Those of earlier iterations were made after these, unless the run has gone on from later ones with other lines.
        if let Some(Change { line, after, .. }) = left.first().filter(|change| change.after < done.number) {
            let file = self.file.display();
            return Err(Error::usage(format!(
                "make line {line} of {file}: it is for iteration {after}, and the run has gone on behind that: leave it out, or \
                 remove what was kept to begin anew"
            )));
        }
        loop {
            let (due, later) = left.split_at(left.partition_point(|change| change.after <= until));
            for change in due {
                change.ask(changes).map_err(|error| {
                    Error::program(format!("make line {} of {}: {error}", change.line, self.file.display()))
                })?;
            }
            // Those that have come to nothing are not counted again.
            let count = if changes.is_empty() { Changed::default() } else { changes.count()? };
            let next = later.first().filter(|_| done.scheduled == 0 && count == Changed::default());
            match next {
                // Where nothing is left to be updated, and nothing has changed, the run would end before the next ones.
                Some(next) if !STOP.load(Ordering::Relaxed) => (left, until) = (later, next.after),
                _ => return Ok(count),
            }
        }
    }

    /// What is said of them when the run has ended: it has made so many, in what it has gone on from included, which have come to this.
    pub(super) fn told(&self, made: u64, changed: Changed) -> String {
        let left = (self.all.len() as u64).saturating_sub(made);
        let mut text = told(changed);
        if left > 0 {
            text += &format!("; the run has ended before {} made of {}", counted(left), self.file.display());
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
        let said = line.trim_ascii();
        if said.is_empty() || said.starts_with('#') {
            return Ok(None);
        }
        let has_tabs = line.contains('\t');
        let words: Vec<&str> = match has_tabs {
            true => line.split('\t').collect(),
            false => line.split_ascii_whitespace().collect(),
        };
        let (after, sign, from, to, value) = match *words {
            [after, sign, from, to] => (after.trim_ascii(), sign.trim_ascii(), from, to, None),
            [after, sign, from, to, value] => {
                (after.trim_ascii(), sign.trim_ascii(), from, to, Some(value.trim_ascii()))
            }
            _ => {
                let count = words.len();
                let parts = if count == 1 { "part" } else { "parts" };
                let hint =
                    if has_tabs { "; with a tab in a line, all of its parts stand between tabs" } else { "" };
                return Err(format!(
                    "it has {count} {parts}, and a change is `ITERATION + FROM TO [VALUE]` or `ITERATION - FROM TO`{hint}"
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
    fn op(&self, of: Option<ValueType>) -> Result<Op, String> {
        match (self.adds, self.value, of) {
            (false, None, _) => Ok(Op::Remove),
            (false, Some(_), _) => {
                Err("it has a value, and removes all edges between two vertices: leave the value out"
                    .to_owned())
            }
            (true, None, None) => Ok(Op::Add),
            (true, Some(_), None) => {
                Err("it has a value, and the graph's edges have none: leave it out".to_owned())
            }
            (true, None, Some(of)) => {
                Err(format!("it has no value, and the graph's edges have values of {of}"))
            }
            (true, Some(text), Some(of)) => {
                let bits = of.parse(text.as_bytes());
                let bits = bits.ok_or_else(|| format!("{text:?} is no value of {of}, which edges have"))?;
                Ok(Op::AddValued(of, bits))
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
