//! Files whose columns have names and lengths of their own.

use proptest::prelude::*;
use std::path::PathBuf;
use upcall_soa::ErrorKind;
use upcall_soa::file::{Entry, Named, NamedWriter, save, settle, write_to};

fn place(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    (folder, path)
}

/// The bytes of a file, aligned.
fn bytes(path: &std::path::Path) -> Aligned {
    Aligned::of(&std::fs::read(path).unwrap())
}

#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Block([u8; 64]);

#[derive(Clone)]
struct Aligned(Vec<Block>, usize);

impl Aligned {
    fn of(bytes: &[u8]) -> Aligned {
        let blocks = bytes.chunks(64).map(|chunk| {
            let mut block = Block([0; 64]);
            block.0[..chunk.len()].copy_from_slice(chunk);
            block
        });
        Aligned(blocks.collect(), bytes.len())
    }
}

impl AsRef<[u8]> for Aligned {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: blocks of bytes, one after the other.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.1) }
    }
}

fn small(file: &mut NamedWriter<'_>) -> Result<(), upcall_soa::Error> {
    file.column("offsets", &[0u64, 2, 3])?;
    file.column("neighbours", &[1u32, 2, 0])?;
    file.column::<f32>("values", &[])
}

#[test]
fn a_file_that_is_open_has_the_bytes_of_one_that_is_saved() {
    use std::io::{BufWriter, Read as _, Seek as _};
    let (_folder, path) = place("small.soa");
    save(&path, 3, small).unwrap();
    let mut out = BufWriter::new(tempfile::tempfile().unwrap());
    write_to(&mut out, &path, 3, small).unwrap();
    let (mut file, mut found) = (out.into_inner().unwrap(), Vec::new());
    file.rewind().unwrap();
    file.read_to_end(&mut found).unwrap();
    assert!(found == std::fs::read(&path).unwrap());
    let mut out = BufWriter::new(tempfile::tempfile().unwrap());
    let error = write_to(&mut out, &path, 2, small).unwrap_err();
    assert!(error.to_string().contains("2 columns were to come, and 3 have"), "{error}");
}

#[test]
fn columns_have_names_types_and_lengths_of_their_own() {
    let (_folder, path) = place("graph.soa");
    save(&path, 3, small).unwrap();
    // SAFETY: nobody else knows the file.
    let file = unsafe { Named::open(&path) }.unwrap();
    assert_eq!(file.column::<u64>("offsets").unwrap(), [0, 2, 3]);
    assert_eq!(file.column::<u32>("neighbours").unwrap(), [1, 2, 0]);
    assert!(file.column::<f32>("values").unwrap().is_empty());
    assert_eq!(file.bytes("neighbours").unwrap(), [1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    let said: Vec<String> = file.entries().iter().map(|entry| format!("{entry:?}")).collect();
    assert_eq!(said, ["offsets: 3 of u64", "neighbours: 3 of u32", "values: 0 of f32"]);
    let mut read = 0;
    file.verify(|bytes| read += bytes).unwrap();
    assert_eq!(read, 24 + 12);
    let wrong = file.column::<i32>("neighbours").unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::SchemaDiffers);
    let said = "cannot read a file of named columns: column `neighbours` has elements `u32` of 4 bytes, and `i32` of 4 were asked for";
    assert_eq!(wrong.to_string(), said);
    let missing = file.column::<i32>("neighbors").unwrap_err().to_string();
    assert!(
        missing.ends_with("no column `neighbors`; the columns are offsets, neighbours, values"),
        "{missing}"
    );
}

#[test]
fn what_cannot_be_written_is_told_and_leaves_the_old_file() {
    let (_folder, path) = place("graph.soa");
    save(&path, 3, small).unwrap();
    let before = std::fs::read(&path).unwrap();
    let too_few = save(&path, 4, small).unwrap_err().to_string();
    assert!(too_few.ends_with("4 columns were to come, and 3 have"), "{too_few}");
    let twice = save(&path, 2, |file| file.column("a", &[1u8]).and_then(|()| file.column("a", &[1u8])));
    assert!(twice.unwrap_err().to_string().ends_with("it has a column `a`"));
    for name in ["", "a\0b", "a name of more than thirty-two bytes"] {
        let refused = save(&path, 1, |file| file.column(name, &[1u8])).unwrap_err().to_string();
        assert!(refused.ends_with("the name of a column has 1 to 32 bytes, none of them 0"), "{refused}");
    }
    let part = save(&path, 1, |file| {
        let mut column = file.begin("a", "u32", 4)?;
        column.write(&[1, 2, 3])?;
        column.end()
    });
    assert!(part.unwrap_err().to_string().ends_with("3 bytes are no whole number of u32 of 4"));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
}

/// Whatever byte of a small file is another one, that is told: by the head when it is opened, or by a column's checksum.
#[test]
fn no_byte_can_be_another_one_unseen() {
    let (_folder, path) = place("graph.soa");
    save(&path, 3, small).unwrap();
    let whole = bytes(&path);
    let file = Named::new(whole.clone()).unwrap();
    let inside = |at: usize| {
        let begin = whole.as_ref().as_ptr().addr();
        file.entries().iter().map(Entry::name).any(|name| {
            let column = file.bytes(name).unwrap();
            (column.as_ptr().addr() - begin..column.as_ptr().addr() - begin + column.len()).contains(&at)
        })
    };
    let head = 32 + 3 * 80 + 4;
    for at in 0..whole.1 {
        for bit in 0..8 {
            let mut damaged = whole.as_ref().to_vec();
            damaged[at] ^= 1 << bit;
            let read = Named::new(Aligned::of(&damaged));
            if at < head {
                assert!(read.is_err(), "bit {bit} of byte {at}");
            } else if inside(at) {
                assert_eq!(read.unwrap().verify(|_| ()).unwrap_err().kind(), ErrorKind::Damaged);
            }
        }
    }
    for length in 0..whole.1 {
        let cut = Named::new(Aligned::of(&whole.as_ref()[..length])).unwrap_err();
        assert!(matches!(cut.kind(), ErrorKind::Truncated), "{length}: {cut}");
    }
    let longer = [whole.as_ref(), &[0]].concat();
    assert_eq!(Named::new(Aligned::of(&longer)).unwrap_err().kind(), ErrorKind::RowsDiffer);
}

proptest! {
    /// Heads that say anything, with a checksum that is right.
    #[test]
    fn what_a_head_says_is_not_believed(
        columns in 0u32..4,
        noise in proptest::collection::vec(any::<u8>(), 0..400),
    ) {
        let mut file = b"\x89SOA\r\n\x1a\n".to_vec();
        file.extend(3u32.to_le_bytes());
        file.extend(columns.to_le_bytes());
        file.extend(noise);
        let head = 32 + columns as usize * 80;
        if file.len() >= head + 4 {
            let checksum = crc32fast::hash(&file[..head]);
            file[head..head + 4].copy_from_slice(&checksum.to_le_bytes());
        }
        let _ = Named::new(Aligned::of(&file)).map(|file| file.verify(|_| ()));
    }

    #[test]
    fn what_is_written_is_read(columns in proptest::collection::vec(proptest::collection::vec(any::<u64>(), 0..100), 0..8)) {
        let (_folder, path) = place("any.soa");
        save(&path, columns.len(), |file| {
            columns.iter().enumerate().try_for_each(|(index, column)| file.column(&index.to_string(), column))
        })
        .unwrap();
        let file = Named::new(bytes(&path)).unwrap();
        for (index, column) in columns.iter().enumerate() {
            prop_assert_eq!(file.column::<u64>(&index.to_string()).unwrap(), &column[..]);
        }
    }
}

#[test]
fn a_file_that_a_killed_process_could_not_put_in_its_place_is_put_there_and_nothing_stays_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, between) = (folder.path().join("x.soa"), folder.path().join(".x.soa.replacing"));
    let names = || std::fs::read_dir(folder.path()).unwrap().count();
    let write = || save::<upcall_soa::Error>(&path, 1, |file| file.column("a", &[1u8]));
    // Nothing is there, and then what would be replaced.
    for count in [0, 1] {
        assert_eq!(names(), count);
        std::fs::write(&between, "whole").unwrap();
        if count == 1 {
            settle(&path).unwrap();
            assert_eq!((std::fs::read(&path).unwrap(), names()), (b"whole".to_vec(), 1));
            std::fs::write(&between, "whole").unwrap();
        }
        write().unwrap();
        write().unwrap();
        assert_eq!(std::fs::read(&path).unwrap()[..4], *b"\x89SOA");
        assert_eq!(names(), 1);
    }
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&between, "whole").unwrap();
    settle(&path).unwrap();
    settle(&path).unwrap();
    assert_eq!(names(), 0, "what was removed does not come back");
}
