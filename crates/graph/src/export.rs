//! A graph's edges as a list, from which the same graph can be made.

use crate::error::{Error, ErrorKind};
use crate::file::{Graph, columns};
use crate::ids::Names;
use crate::read::Format;
use crate::value::ValueType;
use std::io::Write;

/// How much is written at a time.
const BUFFER: usize = 1 << 16;

impl Graph {
    /// Writes the edges as a list, vertices by what the lists called them that the graph was made of. Edges are ordered by the vertex
    /// that they go to; each of an undirected graph is there once. Made of this list, with the same options and number of vertices,
    /// a graph has the same edges in the same order. A graph that was made of reversed edges is written as it is.
    ///
    /// # Errors
    /// `out` cannot be written, or the format has no words for what vertices are called.
    pub fn export(&self, format: &Format, out: &mut dyn Write) -> Result<(), Error> {
        let values = self.values()?;
        let bytes = match values {
            Some(_) => self.file().bytes(columns::VALUES)?,
            None => &[],
        };
        let names = self.names();
        let numbers = self.file().column(columns::NUMBERS).ok();
        let mut list =
            List { graph: self, names, numbers, format, buffer: Vec::with_capacity(2 * BUFFER), out };
        list.begin(values)?;
        let mut edges = self.incoming_in_order();
        for to in 0..self.vertices() {
            let (places, ids) = edges.of(to)?;
            for (index, place) in places.enumerate() {
                let from = ids.get(index);
                if from >= self.vertices() {
                    let message =
                        format!("write the edges as a list: there is no vertex {from}: check the graph");
                    return Err(Error::new(ErrorKind::Format, message));
                }
                if self.is_directed() || from <= to {
                    let value = values.map(|value| (value, value.at(bytes, place)));
                    list.edge(from, to, value)?;
                }
            }
        }
        list.flush()
    }

    /// What the values of edges are, if they have any.
    ///
    /// # Errors
    /// They are of a type that no list has.
    pub fn values(&self) -> Result<Option<ValueType>, Error> {
        let Some(entry) = self.file().entry(columns::VALUES) else { return Ok(None) };
        let found = ValueType::named(entry.element()).filter(|value| value.size() == entry.size());
        found.map(Some).ok_or_else(|| {
            let message =
                format!("read the values of edges: they are {}, which no list has", entry.element());
            Error::new(ErrorKind::Usage, message)
        })
    }
}

struct List<'a> {
    graph: &'a Graph,
    names: Option<Names<'a>>,
    numbers: Option<&'a [u64]>,
    format: &'a Format,
    buffer: Vec<u8>,
    out: &'a mut dyn Write,
}

impl<'a> List<'a> {
    fn begin(&mut self, values: Option<ValueType>) -> Result<(), Error> {
        let (vertices, edges) = (self.graph.vertices(), self.graph.edges() as u64);
        let directed = self.graph.is_directed();
        let head = match self.format {
            Format::Text => {
                let direction = if directed { "directed" } else { "undirected" };
                format!("# {direction}, {vertices} vertices, {edges} edges\n")
            }
            Format::Csv(rules) => {
                let between = char::from(rules.delimiter);
                let value = if values.is_some() { format!("{between}value") } else { String::new() };
                format!("source{between}destination{value}\n")
            }
            Format::MatrixMarket => {
                if self.names.is_some() || self.numbers.is_some() {
                    return Err(unspeakable(
                        "its vertices have names or numbers, and a matrix has places only: write them as text or csv",
                    ));
                }
                let field = match values {
                    None => "pattern",
                    Some(ValueType::F32 | ValueType::F64) => "real",
                    Some(_) => "integer",
                };
                // Each edge is there once, and loops are.
                let (symmetry, entries) = match directed {
                    true => ("general", edges),
                    false => ("symmetric", (edges + self.graph.summary().loops) / 2),
                };
                format!(
                    "%%MatrixMarket matrix coordinate {field} {symmetry}\n{vertices} {vertices} {entries}\n"
                )
            }
            Format::U32 | Format::U64 => String::new(),
        };
        self.buffer.extend_from_slice(head.as_bytes());
        Ok(())
    }

    fn edge(&mut self, from: usize, to: usize, value: Option<(ValueType, u64)>) -> Result<(), Error> {
        match self.format {
            Format::Text => {
                self.word(from, true)?;
                self.buffer.push(b' ');
                self.word(to, false)?;
                self.value(b' ', value);
            }
            Format::Csv(rules) => {
                self.field(from, rules.delimiter)?;
                self.buffer.push(rules.delimiter);
                self.field(to, rules.delimiter)?;
                self.value(rules.delimiter, value);
            }
            Format::MatrixMarket => {
                // A symmetric matrix has what is below its diagonal.
                let (row, column) = if self.graph.is_directed() { (from, to) } else { (to, from) };
                self.digits(row as u64 + 1);
                self.buffer.push(b' ');
                self.digits(column as u64 + 1);
                self.value(b' ', value);
            }
            Format::U32 | Format::U64 => {
                let size = if *self.format == Format::U32 { 4 } else { 8 };
                for vertex in [from, to] {
                    let number = self.number(vertex, size)?;
                    self.buffer.extend_from_slice(&number.to_le_bytes()[..size]);
                }
                if let Some((value, bits)) = value {
                    self.buffer.extend_from_slice(&bits.to_le_bytes()[..value.size()]);
                }
            }
        }
        if self.buffer.len() < BUFFER { Ok(()) } else { self.flush() }
    }

    /// What a vertex is called, between spaces.
    fn word(&mut self, vertex: usize, first: bool) -> Result<(), Error> {
        let Some(name) = self.name(vertex)? else {
            let number = self.number(vertex, 8)?;
            self.digits(number);
            return Ok(());
        };
        let comment = first && name.starts_with(['#', '%', '\u{feff}']);
        if comment || name.is_empty() || name.contains(|c: char| c.is_ascii_whitespace()) {
            return Err(unspeakable(&format!(
                "vertex {vertex} is called {name:?}, which is no word of a text: write them as csv"
            )));
        }
        self.buffer.extend_from_slice(name.as_bytes());
        Ok(())
    }

    /// What a vertex is called, between delimiters.
    fn field(&mut self, vertex: usize, delimiter: u8) -> Result<(), Error> {
        let Some(name) = self.name(vertex)? else {
            let number = self.number(vertex, 8)?;
            self.digits(number);
            return Ok(());
        };
        let special = |byte: u8| byte == delimiter || matches!(byte, b'"' | b'\n' | b'\r' | b' ' | b'\t');
        match name.is_empty() || name.starts_with('\u{feff}') || name.bytes().any(special) {
            true => {
                let quoted = format!("\"{}\"", name.replace('"', "\"\""));
                self.buffer.extend_from_slice(quoted.as_bytes());
            }
            false => self.buffer.extend_from_slice(name.as_bytes()),
        }
        Ok(())
    }

    fn digits(&mut self, number: u64) {
        self.buffer.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    }

    /// A value, if there is one, and the end of the line.
    fn value(&mut self, between: u8, value: Option<(ValueType, u64)>) {
        if let Some((value, bits)) = value {
            self.buffer.push(between);
            value.print(bits, &mut self.buffer);
        }
        self.buffer.push(b'\n');
    }

    /// The number that a vertex is called by, which has room in so many bytes.
    fn number(&self, vertex: usize, size: usize) -> Result<u64, Error> {
        if let Some(name) = self.name(vertex)? {
            return Err(unspeakable(&format!(
                "vertex {vertex} is called {name:?}, and {} has numbers only: write them as text or csv",
                self.format
            )));
        }
        let number = self.numbers.map_or(vertex as u64, |numbers| numbers[vertex]);
        match size == 4 && number > u32::MAX.into() {
            true => Err(unspeakable(&format!("{number} has no room in a u32: write them as u64"))),
            false => Ok(number),
        }
    }

    /// Its name, where vertices have names.
    fn name(&self, vertex: usize) -> Result<Option<&'a str>, Error> {
        let Some(names) = self.names else { return Ok(None) };
        let name = names.of(vertex).and_then(|name| std::str::from_utf8(name).ok());
        name.map(Some).ok_or_else(|| {
            let message =
                format!("write the edges as a list: the name of vertex {vertex} is damaged: check the graph");
            Error::new(ErrorKind::Format, message)
        })
    }

    fn flush(&mut self) -> Result<(), Error> {
        let written = self.out.write_all(&self.buffer);
        self.buffer.clear();
        written.map_err(|error| Error::io("write the edges to", "a list".as_ref(), &error))
    }
}

#[cold]
fn unspeakable(what: &str) -> Error {
    Error::new(ErrorKind::Usage, format!("write the edges as a list: {what}"))
}
