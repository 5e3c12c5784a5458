//! Records of fields between commas, or between something else.

use super::open::Opened;
use super::text::value_of;
use super::{Called, Fault, Place, Sink, shown};
use crate::error::{Error, ErrorKind};
use csv::{ByteRecord, ReaderBuilder};

/// No record is longer, in bytes, nor more than that is read at a time.
const LONGEST: u64 = 1 << 20;

/// How records are written, and which of their fields are edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Csv {
    /// What is between fields.
    pub delimiter: u8,
    /// Whether the first record has the names of columns, as it must where one is chosen by its name.
    pub header: bool,
    /// The column of the vertices that edges go from.
    pub source: Column,
    /// The column of the vertices that they go to.
    pub destination: Column,
    /// The column of their values.
    pub value: Option<Column>,
}

/// A column of such a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Column {
    /// The first is 1.
    Number(usize),
    /// As the first record calls it.
    Name(String),
}

impl Default for Csv {
    /// Commas, no header, and edges in the first three columns.
    fn default() -> Csv {
        Csv {
            delimiter: b',',
            header: false,
            source: Column::Number(1),
            destination: Column::Number(2),
            value: Some(Column::Number(3)),
        }
    }
}

pub(super) fn read(
    input: Opened<'_>,
    rules: &Csv,
    place: &Place<'_>,
    sink: &mut impl Sink,
) -> Result<(), Error> {
    let named = [Some(&rules.source), Some(&rules.destination), rules.value.as_ref()];
    let header = rules.header || named.into_iter().flatten().any(|column| matches!(column, Column::Name(_)));
    let mut reader = ReaderBuilder::new()
        .delimiter(rules.delimiter)
        .has_headers(false)
        .flexible(true)
        .buffer_capacity(1 << 16)
        .from_reader(input);
    let mut record = ByteRecord::new();
    let mut next = |record: &mut ByteRecord, sink: &mut dyn FnMut(u64) -> Result<(), Error>| {
        reader.get_mut().allow(LONGEST);
        let more = reader.read_byte_record(record).map_err(|error| {
            let line = error.position().map_or(reader.position().line(), csv::Position::line);
            match error.into_kind() {
                csv::ErrorKind::Io(error) => place.read(line, &error),
                other => place.line(line, Fault::Input(format!("{other:?}"))),
            }
        })?;
        match reader.get_mut().taken() {
            0 => {}
            bytes => sink(bytes)?,
        }
        Ok::<bool, Error>(more)
    };
    let wanted = sink.values();
    if header && !next(&mut record, &mut |bytes| sink.read(bytes))? {
        return Err(place.line(1, Fault::Input("there is no header, nor anything else".into())));
    }
    let column = |column: &Column| match column {
        Column::Number(number) => number.checked_sub(1).ok_or_else(|| "the first column is 1".to_owned()),
        Column::Name(name) => record.iter().position(|field| field == name.as_bytes()).ok_or_else(|| {
            let names: Vec<String> = record.iter().map(shown).collect();
            format!("there is no column {}; the header has {}", shown(name.as_bytes()), names.join(", "))
        }),
    };
    let wrong = |what: String| place.line(1, Fault::Input(what));
    let source = column(&rules.source).map_err(wrong)?;
    let destination = column(&rules.destination).map_err(wrong)?;
    let value = rules.value.as_ref().map(column).transpose().map_err(wrong)?;
    if wanted.is_some() && value.is_none() {
        let message =
            format!("read {}: edges are to have values: say in which column they are", place.name());
        return Err(Error::new(ErrorKind::Usage, message));
    }
    while next(&mut record, &mut |bytes| sink.read(bytes))? {
        let line = record.position().map_or(0, csv::Position::line);
        let field = |column: usize, what: &str| {
            record.get(column).ok_or_else(|| {
                Fault::Input(format!(
                    "there is no column {}, with {what}: the record has {}",
                    column + 1,
                    record.len()
                ))
            })
        };
        let mut edge = || {
            let (from, to) = (field(source, "where it comes from")?, field(destination, "where it goes to")?);
            let bits = match (wanted, value) {
                (Some(wanted), Some(column)) => value_of(wanted, field(column, "its value")?.trim_ascii())?,
                (_, Some(column)) if column < record.len() => {
                    sink.ignored();
                    0
                }
                _ => 0,
            };
            sink.edge(Called::Text(from), Called::Text(to), bits)
        };
        edge().map_err(|fault| place.line(line, hinted(fault, line == 1 && !header)))?;
    }
    Ok(())
}

/// What is wrong with the first line may be that it is none of the edges.
fn hinted(fault: Fault, first: bool) -> Fault {
    match fault {
        Fault::Input(what) if first => {
            Fault::Input(format!("{what}; if it has the columns' names, say that there is a header"))
        }
        fault => fault,
    }
}
