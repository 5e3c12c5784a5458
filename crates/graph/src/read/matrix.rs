//! Matrix Market's files: sparse matrices whose entries are edges from their rows to their columns.

use super::lines::{Lines, word};
use super::open::Opened;
use super::text::value_of;
use super::{Called, Fault, Place, Sink, shown};
use crate::error::Error;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    General,
    Symmetric,
    Skew,
}

/// What the first line says.
struct Header {
    has_values: bool,
    symmetry: Symmetry,
}

impl Header {
    fn parse(line: &[u8]) -> Result<Header, String> {
        let text = String::from_utf8_lossy(line).to_ascii_lowercase();
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let ["%%matrixmarket", "matrix", form, field, symmetry] = words[..] else {
            return Err(format!(
                "{} is no header of Matrix Market, as `%%MatrixMarket matrix coordinate real general` is",
                shown(line)
            ));
        };
        if form != "coordinate" {
            return Err(format!("the matrix is an {form}: only sparse ones, in coordinates, are edges"));
        }
        let has_values = match field {
            "pattern" => false,
            "real" | "double" | "integer" | "unsigned-integer" => true,
            other => return Err(format!("its entries are {other}: real, integer or pattern are known")),
        };
        let symmetry = match symmetry {
            "general" => Symmetry::General,
            "symmetric" => Symmetry::Symmetric,
            "skew-symmetric" => Symmetry::Skew,
            other => return Err(format!("it is {other}: general, symmetric or skew-symmetric are known")),
        };
        Ok(Header { has_values, symmetry })
    }
}

pub(super) fn read(input: Opened<'_>, place: &Place<'_>, sink: &mut impl Sink) -> Result<(), Error> {
    let mut lines = Lines::new(input, place);
    let header = match lines.next(sink)? {
        Some(line) => Header::parse(line),
        None => Err("there is no header, nor anything else".to_owned()),
    };
    let header =
        header.and_then(|header| fitting(header, sink)).map_err(|what| place.line(1, Fault::Input(what)))?;
    let (mut size, mut entries) = (None, 0);
    while let Some(line) = lines.next(sink)? {
        let line = line.trim_ascii();
        if line.is_empty() || line[0] == b'%' {
            continue;
        }
        let read = match size {
            None => size_of(line, sink).map(|found| size = Some(found)),
            Some((_, count)) if entries == count => {
                Err(Fault::Input(format!("the size says {count} entries, and here is another")))
            }
            Some((vertices, _)) => {
                entries += 1;
                entry(line, vertices, &header, sink)
            }
        };
        read.map_err(|fault| place.line(lines.number, fault))?;
    }
    match size {
        Some((_, count)) if entries == count => Ok(()),
        Some((_, count)) => {
            let what = format!("the size says {count} entries, and it ends after {entries}");
            Err(place.line(lines.number + 1, Fault::Input(what)))
        }
        None => Err(place.line(lines.number + 1, Fault::Input("it ends before its size is said".into()))),
    }
}

/// Whether that goes with what was asked for.
fn fitting(header: Header, sink: &mut impl Sink) -> Result<Header, String> {
    match (sink.values(), header.has_values) {
        (Some(wanted), false) => {
            return Err(format!("its entries are a pattern, without values, and {wanted} was asked for"));
        }
        (None, true) => sink.ignored(),
        _ => {}
    }
    if header.symmetry == Symmetry::Skew && sink.is_undirected() {
        return Err(
            "it is skew-symmetric: its values depend on the direction, and undirected edges have one".into(),
        );
    }
    Ok(header)
}

/// Rows, which are as many as columns, and entries.
fn size_of(mut line: &[u8], sink: &mut impl Sink) -> Result<(u64, u64), Fault> {
    let mut next = || {
        let word = word(&mut line).unwrap_or_default();
        std::str::from_utf8(word)
            .ok()
            .and_then(|word| word.parse::<u64>().ok())
            .ok_or_else(|| Fault::Input(format!("{} is no size: rows, columns and entries are", shown(word))))
    };
    let (rows, columns, entries) = (next()?, next()?, next()?);
    if rows != columns {
        return Err(Fault::Input(format!(
            "it has {rows} rows and {columns} columns: of a graph, both are its vertices"
        )));
    }
    sink.vertices(rows)?;
    Ok((rows, entries))
}

fn entry(mut line: &[u8], vertices: u64, header: &Header, sink: &mut impl Sink) -> Result<(), Fault> {
    let mut next = |what: &str| {
        let word = word(&mut line).unwrap_or_default();
        let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<u64>().ok());
        match number {
            Some(number) if (1..=vertices).contains(&number) => Ok(number),
            _ => Err(Fault::Input(format!("{} is no {what}: they are 1 to {vertices}", shown(word)))),
        }
    };
    let (row, column) = (next("row")?, next("column")?);
    let value = match (sink.values(), word(&mut line)) {
        (Some(wanted), Some(text)) => value_of(wanted, text)?,
        (Some(_), None) => {
            return Err(Fault::Input("there is no value behind the row and the column".into()));
        }
        (None, _) => 0,
    };
    let first = if sink.is_kept() { 1 } else { 0 };
    let (from, to) = (Called::Number(row - first), Called::Number(column - first));
    sink.edge(from, to, value)?;
    if header.symmetry == Symmetry::General || row == column || sink.is_undirected() {
        return Ok(());
    }
    let value = match (header.symmetry, sink.values()) {
        (Symmetry::Skew, Some(wanted)) => wanted.negated(value).ok_or_else(|| {
            Fault::Input(format!(
                "the entry above the diagonal has the other sign, for which {wanted} has no room"
            ))
        })?,
        _ => value,
    };
    sink.edge(to, from, value)
}
