//! The constant table in an object file.

use super::ask::{Answer, Ask};
use object::{Object, ObjectSection, ObjectSymbol, SectionIndex, SectionKind};
use std::collections::HashMap;

/// The number of rows of a table is not in any of its rows; each ask knows its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// A row of 16 bytes of the table with this symbol.
    Number { table: String, row: usize },
    /// The bytes at a symbol; their count is in a row of the table.
    Bytes { symbol: String, table: String, row: usize },
    /// All that `#[upcall::export]` has put beside its functions.
    Fingerprints,
}

/// The section of fingerprints (ELF and Mach-O, COFF), as `upcall-export` names it.
const FINGERPRINTS: [&str; 2] = ["upcall_exports", "upcall$b"];

/// What is asked, and where the answer will be.
pub(super) type Asked = Vec<(Ask, Cell)>;

/// Reads the answers. The error says what differs from what the probe has written.
pub(super) fn read(object: &[u8], asked: &Asked) -> Result<Vec<(Ask, Answer)>, String> {
    let file = object::File::parse(object).map_err(|error| format!("not an object file: {error}"))?;
    let mut symbols = HashMap::new();
    for symbol in file.symbols().filter(|symbol| symbol.is_definition()) {
        if let (Ok(name), Some(section)) = (symbol.name(), symbol.section_index()) {
            // Mach-O, and COFF on 32-bit x86, put an underscore before every C name.
            let name = if name.starts_with("___upcall") { &name[1..] } else { name };
            symbols.insert(name.to_owned(), (section, symbol.address()));
        }
    }
    let table = Table { file, symbols };
    asked.iter().map(|(ask, cell)| Ok((*ask, table.answer(cell)?))).collect()
}

struct Table<'a> {
    file: object::File<'a>,
    /// Sections and addresses.
    symbols: HashMap<String, (SectionIndex, u64)>,
}

impl Table<'_> {
    fn answer(&self, cell: &Cell) -> Result<Answer, String> {
        match cell {
            Cell::Number { table, row } => self.number(table, *row).map(Answer::Number),
            Cell::Bytes { symbol, table, row } => {
                let len = usize::try_from(self.number(table, *row)?);
                let len = len.map_err(|_| format!("the length of `{symbol}` is not a length"))?;
                self.bytes(symbol, 0, len).map(Answer::Bytes)
            }
            Cell::Fingerprints => self.fingerprints().map(Answer::Bytes),
        }
    }

    /// There may be a section for each function.
    fn fingerprints(&self) -> Result<Vec<u8>, String> {
        let mut all = Vec::new();
        for section in self.file.sections() {
            if section.name().is_ok_and(|name| FINGERPRINTS.contains(&name)) {
                all.extend_from_slice(section.data().map_err(|error| error.to_string())?);
            }
        }
        Ok(all)
    }

    /// Rows are two's complement in the target's own byte order.
    fn number(&self, table: &str, row: usize) -> Result<i128, String> {
        let bytes = self.bytes(table, row * 16, 16)?;
        let bytes: [u8; 16] = bytes.try_into().map_err(|_| format!("`{table}` is cut off"))?;
        Ok(if self.file.is_little_endian() { i128::from_le_bytes(bytes) } else { i128::from_be_bytes(bytes) })
    }

    fn bytes(&self, name: &str, from: usize, len: usize) -> Result<Vec<u8>, String> {
        let (section, address) =
            *self.symbols.get(name).ok_or_else(|| format!("no symbol `{name}` in the object file"))?;
        let section = self.file.section_by_index(section).map_err(|error| error.to_string())?;
        if section.kind() == SectionKind::UninitializedData {
            return Ok(vec![0; len]);
        }
        let data = section.data().map_err(|error| error.to_string())?;
        let start = usize::try_from(address - section.address()).unwrap_or(usize::MAX);
        let range = start.saturating_add(from)..start.saturating_add(from).saturating_add(len);
        data.get(range).map(<[u8]>::to_vec).ok_or_else(|| format!("`{name}` is cut off"))
    }
}
