//! Every golden line with the value that C# printed it from.

pub mod collections;
pub mod graph;
pub mod objects;
pub mod scalars;
pub mod tuples;
pub mod types;

use std::fmt::Debug;
use upcall_pack::stream::StreamReader;
use upcall_pack::{Error, Graph, Options, Pack, Unpack, from_parts};

/// The two files: name and text.
pub const FILES: [(&str, &str); 2] =
    [("golden.txt", include_str!("golden.txt")), ("golden-extra.txt", include_str!("golden-extra.txt"))];

/// A line of one of the files and its value.
pub struct Case {
    /// `golden-extra.txt: VT1`.
    pub name: String,
    /// What the line says.
    pub bytes: Vec<u8>,
    /// What it says it about.
    pub value: Box<dyn Golden>,
}

/// A value of any type that can be packed, compared and overwritten.
pub trait Golden {
    /// Its bytes.
    fn write(&self) -> Result<Vec<u8>, Error>;
    /// Whether the bytes are the value.
    fn read(&self, bytes: &[u8], options: Options) -> Result<bool, Error>;
    /// What the bytes in these parts are, written again.
    fn rewrite<'a>(&self, parts: &'a [&'a [u8]]) -> Result<Vec<u8>, Error>;
    /// Whether the bytes in these parts are the value.
    fn read_parts<'a>(&self, parts: &'a [&'a [u8]]) -> Result<bool, Error>;
    /// Whether the stream's next item is the value; `None` until all of it has arrived.
    fn read_next(&self, stream: &mut StreamReader) -> Result<Option<bool>, Error>;
    /// Whether the bytes make the value when read over it.
    fn overwrite(&self, bytes: &[u8]) -> Result<bool, Error>;
}

struct Of<T> {
    value: T,
    options: Options,
}

impl<T> Golden for Of<T>
where
    T: Pack + for<'a> Unpack<'a> + PartialEq + Debug + Clone,
{
    fn write(&self) -> Result<Vec<u8>, Error> {
        self.options.to_vec(&self.value)
    }

    fn read(&self, bytes: &[u8], options: Options) -> Result<bool, Error> {
        Ok(options.from_slice::<T>(bytes)? == self.value)
    }

    fn rewrite<'a>(&self, parts: &'a [&'a [u8]]) -> Result<Vec<u8>, Error> {
        self.options.to_vec(&from_parts::<T>(parts)?)
    }

    fn read_parts<'a>(&self, parts: &'a [&'a [u8]]) -> Result<bool, Error> {
        Ok(from_parts::<T>(parts)? == self.value)
    }

    fn read_next(&self, stream: &mut StreamReader) -> Result<Option<bool>, Error> {
        Ok(stream.next::<T>()?.map(|value| value == self.value))
    }

    fn overwrite(&self, bytes: &[u8]) -> Result<bool, Error> {
        let mut value = self.value.clone();
        Options::new().overwrite(&mut value, bytes)?;
        Ok(value == self.value)
    }
}

/// Collects cases from one file.
pub struct Cases {
    file: usize,
    list: Vec<Case>,
}

impl Cases {
    /// The value of the line `name`.
    pub fn add<T>(&mut self, name: &str, value: T)
    where
        T: Pack + for<'a> Unpack<'a> + PartialEq + Debug + Clone + 'static,
    {
        self.add_as(name, value, Options::new());
    }

    /// The value of the line `name`, written with these options.
    pub fn add_as<T>(&mut self, name: &str, value: T, options: Options)
    where
        T: Pack + for<'a> Unpack<'a> + PartialEq + Debug + Clone + 'static,
    {
        self.push(name, Box::new(Of { value, options }));
    }

    /// The objects of the line `name`.
    pub fn add_graph<R>(&mut self, name: &str, graph: Graph<R>)
    where
        R: Pack + for<'a> Unpack<'a> + PartialEq + Clone + 'static,
    {
        self.push(name, Box::new(graph::Of(graph)));
    }

    fn push(&mut self, name: &str, value: Box<dyn Golden>) {
        let (file, text) = FILES[self.file];
        let line =
            lines(text).find(|line| line.0 == name).unwrap_or_else(|| panic!("{file} has no line {name}"));
        self.list.push(Case { name: format!("{file}: {name}"), bytes: hex(line.1), value });
    }
}

/// Names and hexadecimal digits.
pub fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().map(|line| line.rsplit_once(": ").unwrap())
}

/// Bytes from their digits.
pub fn hex(digits: &str) -> Vec<u8> {
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

/// What is said of one group of lines, in the first file and in the second.
pub type Group = fn(first: &mut Cases, extra: &mut Cases);

/// The cases of one group.
pub fn cases_of(group: Group) -> Vec<Case> {
    let mut first = Cases { file: 0, list: Vec::new() };
    let mut extra = Cases { file: 1, list: Vec::new() };
    group(&mut first, &mut extra);
    first.list.append(&mut extra.list);
    first.list
}

/// All groups.
pub const GROUPS: [Group; 4] = [objects::add, tuples::add, collections::add, scalars::add];

/// All cases.
pub fn cases() -> Vec<Case> {
    GROUPS.into_iter().flat_map(cases_of).collect()
}
