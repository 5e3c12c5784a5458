//! `upcall graph build`: a graph's file of lists of edges.

use super::stdin::Stdin;
use super::{failed, stop};
use crate::arguments::GraphBuild;
use crate::exit::usage;
use crate::progress::Progress;
use crate::target::Places;
use crate::{output, report};
use anyhow::Context as _;
use std::path::{Path, PathBuf};
use std::time::Instant;
use upcall_graph::{Builder, Built, Csv, ErrorKind, Format, Phase, Source, Vertices};

pub(crate) fn build(asked: GraphBuild) -> anyhow::Result<u8> {
    let began = Instant::now();
    let vertices = match (asked.vertices, asked.ids) {
        (None, ids) => ids,
        (Some(count), Vertices::Keep) => Vertices::Count(count),
        (Some(_), _) => {
            return Err(usage("--vertices says how many places there are: it goes with --ids keep only"));
        }
    };
    let total = asked.lists.iter().map(|list| size(list)).sum();
    let mut progress = Progress::new(total);
    let memory = usize::try_from(asked.memory).context("count the bytes of --memory")?;
    let mut builder = Builder::new()
        .loops(asked.loops)
        .duplicates(asked.duplicates)
        .direction(asked.direction)
        .vertices(vertices)
        .outgoing(!asked.no_outgoing)
        .wide(asked.wide)
        .compress(asked.compress)
        .memory(memory)
        .stop(&stop::STOP);
    if let Some(values) = asked.values {
        builder = builder.values(values.0);
    }
    if let Some(folder) = &asked.temp {
        builder = builder.temporaries(folder);
    }
    for list in sources(&asked)? {
        builder = builder.source(list);
    }
    builder = builder.progress(move |now| match now.phase {
        Phase::Reading => progress.at(now.bytes, now.edges, "edges"),
        phase => progress.doing(|| format!("{}: {} edges", doing(phase), report::grouped(now.edges))),
    });
    // Before the lists are read, which may take long.
    Places::read(asked.lists.iter().map(PathBuf::as_path))
        .writes(&asked.output)
        .map_err(|error| usage(format!("write the graph {}: {error}", asked.output.display())))?;
    stop::listen()?;
    let built = builder.build(&asked.output);
    crate::progress::clear();
    match built {
        Ok(built) => told(&built, &asked.output, began).map(|()| 0),
        Err(error) if error.kind() == ErrorKind::Interrupted => {
            output::error(format!("stopped: {} is as it was", asked.output.display()));
            Ok(stop::code())
        }
        Err(error) => Err(failed(error)),
    }
}

/// How many bytes a list has, where that is known.
fn size(list: &Path) -> Option<u64> {
    std::fs::metadata(list).ok().filter(|about| about.is_file()).map(|about| about.len())
}

fn sources(asked: &GraphBuild) -> anyhow::Result<Vec<Source<'static>>> {
    let standard = |list: &&PathBuf| list.as_path() == Path::new("-");
    if asked.lists.iter().filter(standard).count() > 1 {
        return Err(usage("standard input is one list only: give a file for the others"));
    }
    let source = |list: &PathBuf| {
        let named = asked.format.clone().unwrap_or_else(|| Format::of(list));
        let format = records(asked, named, list)?;
        let source = match standard(&list) {
            true => Source::reader("standard input", Stdin, format),
            false => Source::file(list).format(format),
        };
        Ok(source.compression(asked.compression))
    };
    asked.lists.iter().map(source).collect()
}

/// The format with what was said of records.
fn records(asked: &GraphBuild, format: Format, list: &Path) -> anyhow::Result<Format> {
    let GraphBuild { delimiter, header, source, destination, value, .. } = asked;
    let columns = source.is_some() || destination.is_some() || value.is_some();
    match format {
        Format::Csv(rules) => Ok(Format::Csv(Csv {
            delimiter: delimiter.unwrap_or(rules.delimiter),
            header: *header,
            source: source.clone().unwrap_or(rules.source),
            destination: destination.clone().unwrap_or(rules.destination),
            value: value.clone().or(if columns { None } else { rules.value }),
        })),
        other if columns || *header || delimiter.is_some() => Err(usage(format!(
            "columns, headers and delimiters are of csv and tsv, and {} is {other}: say --format csv if it is not",
            list.display()
        ))),
        other => Ok(other),
    }
}

fn doing(phase: Phase) -> &'static str {
    match phase {
        Phase::Merging => "merging",
        Phase::Outgoing => "writing what goes out",
        _ => "writing what comes in",
    }
}

fn told(built: &Built, path: &Path, began: Instant) -> anyhow::Result<()> {
    if built.values_ignored {
        output::error(
            "note: the lists have more than two vertices on a line, which was left out: --values TYPE keeps the values of edges, and \
             --values none says that it is meant so",
        );
    }
    let left_out: Vec<String> = [(built.loops, "loop"), (built.duplicates, "duplicate")]
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| {
            format!("{} {what}{}", report::grouped(*count), if *count == 1 { "" } else { "s" })
        })
        .collect();
    if !left_out.is_empty() {
        output::line(format!("left out: {}", left_out.join(", ")))?;
    }
    let bytes = size(path).map_or_else(String::new, |bytes| format!(", {}", report::bytes(bytes)));
    output::line(format!(
        "{}: {} vertices, {} edges{bytes}, in {:.1} s",
        path.display(),
        report::grouped(built.vertices),
        report::grouped(built.edges),
        began.elapsed().as_secs_f64()
    ))
}
