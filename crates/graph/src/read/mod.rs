//! Lists of edges, as they are read: where they are, what they are written in, and who takes them.

mod binary;
mod csv;
mod lines;
mod matrix;
mod open;
mod text;

pub use csv::{Column, Csv};

use crate::error::{Error, ErrorKind};
use crate::value::{Bits, ValueType};
use open::Opened;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What a list of edges is written in.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Format {
    /// Lines of two vertices and, perhaps, a value, between spaces or tabs; lines that begin with `#` or `%` are comments. The
    /// files of SNAP, of KONECT and of GAP (`.el`, `.wel`) are such.
    Text,
    /// Records of fields, as CSV and TSV are.
    Csv(Csv),
    /// A sparse matrix in Matrix Market's coordinates, whose entries are edges from their rows to their columns: `real`, `integer` or
    /// `pattern`; `general`, `symmetric` or `skew-symmetric`, whose entries stand for edges in both directions.
    MatrixMarket,
    /// Two u32 per edge, little-endian, and its value behind them where values are asked for.
    U32,
    /// The same of u64.
    U64,
}

/// How a list of edges is compressed: gzip and zstd are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Compression {
    /// As its first bytes say. Of binary lists a plain one might begin by chance as a compressed one does.
    #[default]
    Auto,
    /// Not at all.
    Plain,
}

/// A list of edges.
pub struct Source<'a> {
    name: PathBuf,
    reader: Option<Box<dyn Read + 'a>>,
    format: Format,
    compression: Compression,
}

impl<'a> Source<'a> {
    /// The list in a file, whose format its name's end says.
    #[must_use]
    pub fn file(path: impl Into<PathBuf>) -> Source<'a> {
        let name = path.into();
        let format = Format::of(&name);
        Source { name, reader: None, format, compression: Compression::Auto }
    }

    /// The list in the bytes of a reader; errors call it by this name.
    #[must_use]
    pub fn reader(name: impl Into<PathBuf>, reader: impl Read + 'a, format: Format) -> Source<'a> {
        let reader: Box<dyn Read + 'a> = Box::new(reader);
        Source { name: name.into(), reader: Some(reader), format, compression: Compression::Auto }
    }

    /// Says what it is written in, whatever its name is.
    #[must_use]
    pub fn format(mut self, format: Format) -> Source<'a> {
        self.format = format;
        self
    }

    /// Says how it is compressed, whatever its first bytes are.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Source<'a> {
        self.compression = compression;
        self
    }

    /// Gives each edge to `sink`, in order.
    pub(crate) fn read(self, sink: &mut impl Sink) -> Result<(), Error> {
        let Source { name, reader, format, compression } = self;
        let place = Place { name: &name };
        let reader: Box<dyn Read + 'a> = match reader {
            Some(reader) => reader,
            None => Box::new(File::open(&name).map_err(|error| place.io(&error))?),
        };
        let input = Opened::new(reader, compression, sink.window(), &place)?;
        match format {
            Format::Text => text::read(input, &place, sink),
            Format::Csv(rules) => csv::read(input, &rules, &place, sink),
            Format::MatrixMarket => matrix::read(input, &place, sink),
            Format::U32 => binary::read::<4>(input, &place, sink),
            Format::U64 => binary::read::<8>(input, &place, sink),
        }
    }
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name.display(), self.format)
    }
}

/// What a vertex is called in a list.
#[derive(Clone, Copy)]
pub(crate) enum Called<'a> {
    Number(u64),
    Text(&'a [u8]),
}

/// Who takes edges.
pub(crate) trait Sink {
    /// What values are wanted.
    fn values(&self) -> Option<ValueType>;

    /// Whether an edge's direction means nothing.
    fn is_undirected(&self) -> bool;

    /// Whether vertices are called by their places.
    fn is_kept(&self) -> bool;

    /// The power of two of the bytes that zstd may look back.
    fn window(&self) -> u32;

    /// There are so many vertices, where they are called by their places.
    fn vertices(&mut self, count: u64) -> Result<(), Fault>;

    /// There are values that nobody has asked for.
    fn ignored(&mut self);

    /// An edge, with its value's bits. What is wrong with it is said without its place.
    fn edge(&mut self, from: Called<'_>, to: Called<'_>, value: Bits) -> Result<(), Fault>;

    /// So many bytes of the list were read since the last time.
    fn read(&mut self, bytes: u64) -> Result<(), Error>;
}

/// What is wrong.
pub(crate) enum Fault {
    /// With a line, or what is there instead.
    Input(String),
    /// With something else.
    Other(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Other(error)
    }
}

/// Where something is wrong.
pub(crate) struct Place<'p> {
    name: &'p Path,
}

impl Place<'_> {
    #[cold]
    fn io(&self, error: &io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::InvalidData => {
                Error::new(ErrorKind::Input, format!("read {}: {error}", self.name.display()))
            }
            _ => Error::io("read", self.name, error),
        }
    }

    /// Of what could not be read at a line.
    #[cold]
    fn read(&self, line: u64, error: &io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::InvalidData => self.line(line, Fault::Input(error.to_string())),
            _ => self.io(error),
        }
    }

    fn name(&self) -> std::path::Display<'_> {
        self.name.display()
    }

    #[cold]
    fn line(&self, line: u64, fault: Fault) -> Error {
        self.at(&format!("line {line}"), fault)
    }

    #[cold]
    fn byte(&self, byte: u64, fault: Fault) -> Error {
        self.at(&format!("byte {byte}"), fault)
    }

    fn at(&self, at: &str, fault: Fault) -> Error {
        match fault {
            Fault::Input(what) => {
                Error::new(ErrorKind::Input, format!("{}, {at}: {what}", self.name.display()))
            }
            Fault::Other(error) => error,
        }
    }
}

impl Format {
    /// What the end of a file's name says, without that of its compression; text, where it says nothing.
    #[must_use]
    pub fn of(path: &Path) -> Format {
        let compressed =
            path.extension().is_some_and(|end| ["gz", "zst", "zstd"].iter().any(|known| end == *known));
        let path = if compressed { path.with_extension("") } else { path.to_owned() };
        let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        end.parse().unwrap_or(Format::Text)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Text => "text",
            Format::Csv(Csv { delimiter: b'\t', .. }) => "tsv",
            Format::Csv(_) => "csv",
            Format::MatrixMarket => "mtx",
            Format::U32 => "u32",
            Format::U64 => "u64",
        })
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Format, String> {
        match name {
            "text" => Ok(Format::Text),
            "csv" => Ok(Format::Csv(Csv::default())),
            "tsv" => Ok(Format::Csv(Csv { delimiter: b'\t', ..Csv::default() })),
            "mtx" => Ok(Format::MatrixMarket),
            "u32" => Ok(Format::U32),
            "u64" => Ok(Format::U64),
            other => Err(format!("there is no format `{other}`: text, csv, tsv, mtx, u32 or u64")),
        }
    }
}

/// A part of a line as a message shows it.
pub(crate) fn shown(text: &[u8]) -> String {
    const MOST: usize = 40;
    let more = if text.len() > MOST { "…" } else { "" };
    format!("\"{}{more}\"", text[..text.len().min(MOST)].escape_ascii())
}
