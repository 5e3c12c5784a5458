//! What vertices are called, by the order in which they were met: the bytes of a name, or of a number with the most significant
//! one first, so that bytes are ordered as numbers are.

use crate::error::{Error, ErrorKind};
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

#[derive(Debug)]
pub(crate) struct Table {
    bytes: Vec<u8>,
    /// Where each begins, and where the last ends; empty where all are numbers.
    offsets: Vec<u64>,
    count: usize,
    places: HashTable<u32>,
    hasher: RandomState,
    /// How many bytes of memory it may take.
    memory: usize,
}

impl Table {
    /// Of names.
    pub(crate) fn of_names(memory: usize) -> Table {
        Table { offsets: vec![0], ..Table::of_numbers(memory) }
    }

    /// Of numbers.
    pub(crate) fn of_numbers(memory: usize) -> Table {
        Table {
            bytes: Vec::new(),
            offsets: Vec::new(),
            count: 0,
            places: HashTable::new(),
            hasher: RandomState::default(),
            memory,
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// What one is called.
    pub(crate) fn name(&self, place: usize) -> &[u8] {
        name(&self.bytes, &self.offsets, place)
    }

    /// What one is called that was a number.
    pub(crate) fn number(&self, place: usize) -> u64 {
        let bytes = self.name(place).first_chunk().expect("numbers have eight bytes");
        u64::from_be_bytes(*bytes)
    }

    /// The place of a name, which is a new one where it was not met before: `look` is then asked whether it is one.
    #[inline]
    pub(crate) fn place<E: From<Error>>(
        &mut self,
        name: &[u8],
        look: impl FnOnce() -> Result<(), E>,
    ) -> Result<u64, E> {
        let hash = self.hasher.hash_one(name);
        let found = self.places.find(hash, |place| self.name(*place as usize) == name);
        match found {
            Some(place) => Ok((*place).into()),
            None => {
                look()?;
                Ok(self.add(name, hash)?)
            }
        }
    }

    fn add(&mut self, name: &[u8], hash: u64) -> Result<u64, Error> {
        let place = self.len();
        let number = u32::try_from(place).map_err(|_| self.full("2^32 are the most that a table has"))?;
        let grown = |length: usize, room: usize, more: usize| {
            if length + more <= room { 0 } else { (2 * room).max(length + more) }
        };
        // The old and the new place of what moves are there at the same time.
        let more = grown(self.bytes.len(), self.bytes.capacity(), name.len())
            + match self.offsets.is_empty() {
                true => 0,
                false => 8 * grown(self.offsets.len(), self.offsets.capacity(), 1),
            }
            + match self.places.len() == self.places.capacity() {
                // Twice as many, of which an eighth stays free, and a byte beside each.
                true => self.places.capacity() * 16 / 7 * 5,
                false => 0,
            };
        if more > 0 && self.memory() + more > self.memory {
            let room = format!("{} bytes of memory are for them", self.memory);
            return Err(self.full(&room));
        }
        self.bytes.extend_from_slice(name);
        if !self.offsets.is_empty() {
            self.offsets.push(self.bytes.len() as u64);
        }
        self.count += 1;
        let Table { places, hasher, bytes, offsets, .. } = self;
        places.insert_unique(hash, number, |place| {
            hasher.hash_one(self::name(bytes, offsets, *place as usize))
        });
        Ok(place as u64)
    }

    #[cold]
    fn full(&self, why: &str) -> Error {
        Error::new(
            ErrorKind::TooLarge,
            format!(
                "make a graph: the table of what its vertices are called has no room for more than {}, as {why}: allow more \
                 memory, or number the vertices from 0 in the lists of edges",
                self.len()
            ),
        )
    }

    /// How many bytes of memory it takes.
    pub(crate) fn memory(&self) -> usize {
        self.bytes.capacity() + 8 * self.offsets.capacity() + self.places.allocation_size()
    }

    /// Forgets where names are: they can only be told from their places after that.
    pub(crate) fn close(&mut self) {
        self.places = HashTable::new();
    }

    /// The places in ascending order of what they are called.
    pub(crate) fn ordered(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by_key(|place| self.name(*place as usize));
        order
    }

    /// Where names begin, and where the last ends.
    pub(crate) fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// All names, one after the other.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// How many bytes a number has.
const NUMBER: usize = size_of::<u64>();

#[inline]
fn name<'b>(bytes: &'b [u8], offsets: &[u64], place: usize) -> &'b [u8] {
    match offsets.is_empty() {
        true => &bytes[place * NUMBER..(place + 1) * NUMBER],
        false => &bytes[offsets[place] as usize..offsets[place + 1] as usize],
    }
}
