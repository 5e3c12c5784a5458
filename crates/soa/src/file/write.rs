use super::columns::BlitColumns;
use super::head::{self, next_column};
use super::header::{HEADER_MAGIC, HEADER_VERSION, Header};
use super::replace::replace;
use super::schema::{count, schema};
use crate::columns::COLUMN_ALIGN;
use crate::error::{Error, ErrorKind};
use crate::rows::Rows;
use crate::soa::Soa;
use std::io::Write;
use std::path::Path;

impl<T: Soa> Rows<T>
where
    T::Columns: BlitColumns,
{
    /// Writes the rows as a file of columns; see [`file`](crate::file).
    ///
    /// # Errors
    /// When `out` cannot be written.
    #[expect(clippy::missing_panics_doc, reason = "the assertion is made when it is compiled")]
    pub fn write_to(&self, out: &mut impl Write) -> Result<(), Error> {
        const { assert!(cfg!(target_endian = "little"), "a file of columns is little-endian, as memory must be") };
        let columns = count::<T::Columns>();
        let mut gaps = Vec::with_capacity(columns);
        let mut head = Vec::with_capacity(head::size(columns));
        head.extend([0; size_of::<Header>()]);
        let mut end = head::size(columns);
        T::Columns::elements(&mut |element| {
            let start = next_column(end, element.align).expect("the columns are in memory");
            head.extend((start as u64).to_le_bytes());
            gaps.push(start - end);
            end = start + element.size * self.len;
        });

        let failed = |source| Error::io("cannot write columns", source);
        let header = Header {
            magic: HEADER_MAGIC,
            version: HEADER_VERSION,
            columns: u32::try_from(columns)
                .map_err(|_| Error::new(ErrorKind::SchemaDiffers, "more columns than a file can have"))?,
            schema: schema::<T>(),
            rows: self.len as u64,
        };
        head[..size_of::<Header>()].copy_from_slice(&header.to_bytes());
        // SAFETY: the rows are there, and borrowed.
        unsafe {
            T::Columns::bytes(self.at, self.len, &mut |bytes| {
                head.extend(crc32fast::hash(bytes).to_le_bytes());
                Ok(())
            })?;
        }
        head.extend(crc32fast::hash(&head).to_le_bytes());
        out.write_all(&head).map_err(failed)?;
        let mut gaps = gaps.into_iter();
        // SAFETY: as above.
        unsafe {
            T::Columns::bytes(self.at, self.len, &mut |bytes| {
                fill(out, gaps.next().expect("as many columns as were counted")).map_err(failed)?;
                out.write_all(bytes).map_err(failed)
            })
        }
    }

    /// Writes the rows to a file of columns, replacing a file that is there; see [`file`](crate::file).
    ///
    /// The old file stays until the new one is complete, and stays what it is for whoever has it mapped:
    /// these rows may be its own. Where a mapped file cannot be replaced, as on Windows, that is an error.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        replace(path.as_ref(), |out| self.write_to(out))
    }
}

/// Writes zeroes.
fn fill(out: &mut impl Write, mut zeroes: usize) -> std::io::Result<()> {
    while zeroes > 0 {
        let some = zeroes.min(COLUMN_ALIGN);
        out.write_all(&[0; COLUMN_ALIGN][..some])?;
        zeroes -= some;
    }
    Ok(())
}
