//! Of `graph build`.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;
use upcall_graph::{Column, Compression, Direction, Duplicates, Format, Loops, ValueType, Vertices};

#[derive(Args)]
#[command(after_long_help = HELP)]
pub(crate) struct GraphBuild {
    /// Lists of edges, one behind the other; `-` is standard input.
    #[arg(value_name = "LIST", required = true)]
    pub(crate) lists: Vec<PathBuf>,
    /// The graph's file. One that is there is replaced when the new one is whole.
    #[arg(short, long, value_name = "GRAPH")]
    pub(crate) output: PathBuf,
    /// What the lists are written in, whatever their names' ends say.
    ///
    /// `text`: two vertices and, perhaps, a value on each line, between spaces or tabs; lines that begin with `#` or `%` are
    /// comments. `csv`, `tsv`: records of fields. `mtx`: a sparse matrix, as Matrix Market has them. `u32`, `u64`: two numbers per edge, little-endian, and a value behind them where --values says of which type.
    /// Without this a name's end says it (`.csv`, `.mtx.gz`), and is text where it says nothing.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// What is between the fields of records.
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    pub(crate) delimiter: Option<u8>,
    /// The first record has the names of columns, as it must where one is named here.
    #[arg(long)]
    pub(crate) header: bool,
    /// The column of the vertices that edges go from, by name or by number from 1; the first, otherwise.
    #[arg(long, value_name = "COLUMN", value_parser = column)]
    pub(crate) source: Option<Column>,
    /// The column of the vertices that edges go to; the second, otherwise.
    #[arg(long, value_name = "COLUMN", value_parser = column)]
    pub(crate) destination: Option<Column>,
    /// The column of edges' values; the third, unless other columns are named.
    #[arg(long, value_name = "COLUMN", value_parser = column)]
    pub(crate) value: Option<Column>,
    /// How the lists are compressed, gzip and zstd being known: as their first bytes say, or not at all.
    #[arg(long, default_value = "auto", hide_possible_values = true, value_parser = choice(COMPRESSIONS))]
    pub(crate) compression: Compression,
    /// The type of edges' values: u32, i32, u64, i64, f32 or f64; `none` leaves out what the lists have.
    #[arg(long, value_name = "TYPE", value_parser = values)]
    pub(crate) values: Option<Values>,
    /// What vertices are called.
    #[arg(long, default_value = "keep", value_parser = choice(IDS))]
    pub(crate) ids: Vertices,
    /// How many vertices there are; as many as the largest number says, otherwise.
    #[arg(long, value_name = "N")]
    pub(crate) vertices: Option<u64>,
    /// What the order of an edge's two vertices means.
    #[arg(long, default_value = "directed", value_parser = choice(DIRECTIONS))]
    pub(crate) direction: Direction,
    /// What is done with edges from a vertex to itself.
    #[arg(long, default_value = "keep", value_parser = choice(LOOPS))]
    pub(crate) loops: Loops,
    /// What is done with edges between the same vertices.
    #[arg(long, default_value = "keep", value_parser = choice(DUPLICATES))]
    pub(crate) duplicates: Duplicates,
    /// Leave out the edges by the vertex that they come from; programs that look at what comes in only do without.
    #[arg(long)]
    pub(crate) no_outgoing: bool,
    /// Compress neighbours, by how far each is from the one before: the file is smaller, and is read faster where the disk is slow; a
    /// program decodes it in each iteration. For fewer than 2^32 vertices.
    #[arg(long)]
    pub(crate) compress: bool,
    /// How much memory it may take; the rest is sorted in temporary files.
    #[arg(long, value_name = "BYTES", default_value = "1 GiB", value_parser = upcall_config::bytes)]
    pub(crate) memory: u64,
    /// Where temporary files are: beside the graph, otherwise.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) temp: Option<PathBuf>,
    /// Five bytes per neighbour even where four are enough.
    #[arg(long, hide = true)]
    pub(crate) wide: bool,
}

/// `none`, or a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Values(pub(crate) Option<ValueType>);

fn values(text: &str) -> Result<Values, String> {
    match ValueType::named(text) {
        None if text != "none" => {
            let names: Vec<&str> = ValueType::ALL.iter().map(|value| value.name()).collect();
            Err(format!("there is no type `{text}`: {}, or none", names.join(", ")))
        }
        value => Ok(Values(value)),
    }
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        _ if text == "\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\r' | b'\n') => Ok(*byte),
        _ => Err("it is one character of ASCII, and neither a quote nor the end of a line".into()),
    }
}

fn column(text: &str) -> Result<Column, String> {
    match text.parse() {
        Ok(0) => Err("the first column is 1".into()),
        Ok(number) => Ok(Column::Number(number)),
        Err(_) => Ok(Column::Name(text.to_owned())),
    }
}

/// What may be said, what that is, and what it means.
type Choice<T> = &'static [(&'static str, T, &'static str)];

const COMPRESSIONS: Choice<Compression> = &[
    ("auto", Compression::Auto, "As the first bytes say"),
    ("none", Compression::Plain, "Not at all, whatever the first bytes are"),
];

const IDS: Choice<Vertices> = &[
    ("keep", Vertices::Keep, "Their places: numbers from 0, or in Matrix Market's files from 1"),
    ("dense", Vertices::Dense, "Any numbers, placed in ascending order and kept beside"),
    ("names", Vertices::Names, "Any text, placed as it is met first and kept beside"),
];

const DIRECTIONS: Choice<Direction> = &[
    ("directed", Direction::Directed, "From the first to the second"),
    ("reversed", Direction::Reversed, "From the second to the first"),
    ("undirected", Direction::Undirected, "Nothing: each edge is stored in both directions"),
];

const LOOPS: Choice<Loops> = &[
    ("keep", Loops::Keep, "They are edges like others"),
    ("drop", Loops::Drop, "They are left out, and their vertices stay"),
    ("refuse", Loops::Refuse, "The first one is an error"),
];

const DUPLICATES: Choice<Duplicates> = &[
    ("keep", Duplicates::Keep, "They are edges of their own"),
    ("first", Duplicates::First, "The one that was read first stays"),
    ("last", Duplicates::Last, "The one that was read last stays"),
    ("sum", Duplicates::Sum, "One stays, with the sum of their values"),
    ("min", Duplicates::Min, "The one with the least value stays"),
    ("max", Duplicates::Max, "The one with the largest value stays"),
    ("refuse", Duplicates::Refuse, "The first one is an error"),
];

fn choice<T: Copy + Send + Sync>(choices: Choice<T>) -> impl TypedValueParser<Value = T> {
    let values = choices.iter().map(|(name, _, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(values).map(move |said| {
        let chosen = choices.iter().find(|(name, ..)| *name == said);
        chosen.expect("what is none of these was refused").1
    })
}

const HELP: &str = "\
Examples:
  upcall graph build web-Google.txt.gz -o web.graph
      a file of SNAP's, as it is downloaded
  upcall graph build roads.el -o roads.graph --values f32 --direction undirected --duplicates min
      distances; where the list has both directions of a road, the shorter one counts
  upcall graph build follows.txt -o follows.graph --ids dense --loops drop
      vertices with numbers of any size, which stay with the graph
  upcall graph build trips.csv -o trips.graph --source from --destination to --value km --values f32 --ids names
      three columns of a table
  sort -u edges.txt | upcall graph build - -o sorted.graph --ids names
      words instead of numbers, from a pipe

What does not fit into memory is sorted in files without names, beside the graph or where --temp says, which take up to twice
the room of the edges. They are gone however the command ends, and there is never half a graph. Ctrl-C stops it.

Exit codes: 0 the graph is made; 1 a list is none, or something else failed, and an error says where; 2 the command line is
wrong; 129, 130 or 143 it was stopped by SIGHUP, Ctrl-C or SIGTERM.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_numbers_or_names_and_a_delimiter_is_a_character() {
        assert_eq!(column("2"), Ok(Column::Number(2)));
        assert_eq!(column("to"), Ok(Column::Name("to".into())));
        assert!(column("0").is_err());
        assert_eq!((delimiter(";"), delimiter("\\t")), (Ok(b';'), Ok(b'\t')));
        assert!(delimiter("ab").is_err() && delimiter("\"").is_err() && delimiter("").is_err());
    }

    #[test]
    fn values_are_a_type_or_none() {
        assert_eq!(values("f32"), Ok(Values(Some(ValueType::F32))));
        assert_eq!(values("none"), Ok(Values(None)));
        assert!(values("float").unwrap_err().contains("u32, i32, u64, i64, f32, f64, or none"));
    }
}
