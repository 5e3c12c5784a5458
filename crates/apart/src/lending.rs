//! What an engine lends to a guest's process: files that are mapped over a part of the segment there, so that the guest sees them in the
//! window that it has, at offsets as all else.

use crate::protocol::ARENA;
use std::ops::Range;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::Arc;
use std::{fs, io};
use upcall_host::Lent;
use upcall_segment::{HEAD, HUGE, Segment};

/// What is lent, and where in the segment it is.
#[derive(Clone, Debug)]
pub(crate) struct Lending {
    pieces: Vec<Piece>,
    /// Where what crosses may be put.
    pub(crate) arena: u64,
}

#[derive(Clone, Debug)]
struct Piece {
    addresses: Range<u64>,
    at: u64,
    file: Arc<fs::File>,
}

impl Lending {
    pub(crate) const NOTHING: Lending = Lending { pieces: Vec::new(), arena: ARENA };

    /// What of it has room before this offset.
    pub(crate) fn of(lent: &[Lent], most: u64) -> Lending {
        let mut lending = Lending::NOTHING;
        for Lent { addresses, file } in lent {
            let bytes = addresses.end.saturating_sub(addresses.start);
            // What is as large as a larger page begins where one may.
            let align = if bytes >= HUGE { HUGE } else { HEAD };
            let Some(at) = lending.arena.checked_next_multiple_of(align) else { continue };
            let end = at.checked_add(bytes).and_then(|end| end.checked_next_multiple_of(HEAD));
            let Some(end) = end.filter(|end| *end <= most && !addresses.is_empty()) else { continue };
            lending.pieces.push(Piece { addresses: addresses.clone(), at, file: file.clone() });
            lending.arena = end;
        }
        lending
    }

    /// The offset of so many bytes at an address of this process, where they are lent.
    pub(crate) fn find(&self, address: u64, bytes: u64) -> Option<u64> {
        let end = address.checked_add(bytes)?;
        let within = |piece: &&Piece| piece.addresses.start <= address && end <= piece.addresses.end;
        self.pieces.iter().find(within).map(|piece| piece.at + (address - piece.addresses.start))
    }

    /// Maps them over a segment of this process's own.
    ///
    /// # Safety
    /// As [`Segment::cover`].
    pub(crate) unsafe fn cover(&self, segment: &Segment) -> io::Result<()> {
        self.pieces.iter().try_for_each(|Piece { addresses, at, file }| {
            // SAFETY: the caller's promise.
            unsafe { segment.cover(*at, addresses.end - addresses.start, file.as_fd()) }
        })
    }

    /// The files, which the guest's process inherits.
    pub(crate) fn files(&self) -> Vec<RawFd> {
        self.pieces.iter().map(|piece| piece.file.as_raw_fd()).collect()
    }

    /// What the process is told of them.
    pub(crate) fn told(&self) -> String {
        let told = |Piece { addresses, at, file }: &Piece| {
            format!("{}:{at}:{}", file.as_raw_fd(), addresses.end - addresses.start)
        };
        self.pieces.iter().map(told).collect::<Vec<_>>().join(",")
    }
}

/// In the guest's process: maps what it was told of.
pub(crate) fn map(segment: &Segment, told: &str) -> io::Result<()> {
    let wrong = || io::Error::new(io::ErrorKind::InvalidData, format!("{told} says nothing of lent memory"));
    for piece in told.split(',').filter(|piece| !piece.is_empty()) {
        let mut numbers = piece.split(':').map(str::parse::<u64>);
        let mut next = || numbers.next().and_then(Result::ok).ok_or_else(wrong);
        let (file, at, bytes) = (next()?, next()?, next()?);
        // SAFETY: a number that the host has opened for us, and nobody else here has looked for yet.
        let file = unsafe { OwnedFd::from_raw_fd(RawFd::try_from(file).map_err(|_| wrong())?) };
        // SAFETY: nothing has been put into the segment yet; the engine keeps the file as it is while the guest lives.
        unsafe { segment.cover(at, bytes, file.as_fd()) }?;
        if rustix::fs::fstatfs(&file).is_ok_and(|system| system.f_type == TMPFS) {
            enlarge_pages(segment, at, bytes);
        }
    }
    Ok(())
}

/// What the system calls files in memory.
const TMPFS: rustix::fs::FsWord = libc::TMPFS_MAGIC as rustix::fs::FsWord;

/// Has the system show these bytes, of a file in memory, in larger pages, where it has such: what is looked up at random there is found
/// sooner. Of a graph of 2^20 vertices what each shows, 8 bytes, took 7.0 ns per look-up in a process of Node, and then 6.0. A file
/// on a disk would be read from its first byte to its last.
fn enlarge_pages(segment: &Segment, at: u64, bytes: u64) {
    if let Some(first) = segment.place(at, bytes).filter(|_| bytes >= HUGE) {
        // SAFETY: it is mapped, and stays what it is; where the system knows no larger pages, or has none, it says so.
        unsafe { libc::madvise(first.cast(), bytes as usize, libc::MADV_COLLAPSE) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lent_is_found_within_its_pieces_and_what_has_no_room_is_not_lent() {
        let file = Arc::new(fs::File::open("/dev/null").unwrap());
        let lent = |addresses| Lent { addresses, file: file.clone() };
        let all = [lent(8192..8292), lent(100_000..200_000), lent(20_000..20_010)];
        let lending = Lending::of(&all, ARENA + 3 * HEAD);
        assert_eq!(lending.find(8192, 100), Some(ARENA));
        assert_eq!(lending.find(8200, 93), None);
        assert_eq!(lending.find(20_004, 6), Some(ARENA + HEAD + 4));
        assert_eq!(lending.find(100_000, 1), None, "it has no room");
        assert_eq!(lending.find(u64::MAX, 2), None);
        assert_eq!(lending.arena, ARENA + 2 * HEAD);
        assert_eq!(lending.files().len(), 2);
    }

    #[test]
    fn what_is_large_is_shown_where_larger_pages_may_begin() {
        let file = tempfile::tempfile_in("/dev/shm").unwrap();
        file.set_len(2 * HUGE + 5).unwrap();
        std::os::unix::fs::FileExt::write_all_at(&file, b"there", 2 * HUGE).unwrap();
        let file = Arc::new(file);
        let lent = |addresses| Lent { addresses, file: file.clone() };
        let lending =
            Lending::of(&[lent(8 << 30..(8 << 30) + 8), lent(4096..4096 + 2 * HUGE + 5)], ARENA + 8 * HUGE);
        let at = lending.find(4096, 2 * HUGE + 5).unwrap();
        assert!(at.is_multiple_of(HUGE) && at > ARENA, "{at}");

        let segment = Segment::create("test", ARENA + 8 * HUGE).unwrap();
        assert!(segment.base().is_multiple_of(HUGE));
        // SAFETY: nobody uses what was there.
        unsafe { lending.cover(&segment) }.unwrap();
        enlarge_pages(&segment, at, 2 * HUGE + 5);
        let end = segment.place(at + 2 * HUGE, 5).unwrap().cast::<[u8; 5]>();
        // SAFETY: of a file that nobody writes any more.
        assert_eq!(unsafe { end.read() }, *b"there");
    }
}
