//! What an engine lends to a guest's process: files that are mapped over a part of the segment there, so that the guest sees them in the
//! window that it has, at offsets as all else.

use crate::protocol::ARENA;
use std::ops::Range;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::Arc;
use std::{fs, io};
use upcall_host::Lent;
use upcall_segment::{HEAD, Segment};

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
            let at = lending.arena;
            let end = at
                .checked_add(addresses.end - addresses.start)
                .and_then(|end| end.checked_next_multiple_of(HEAD));
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
    }
    Ok(())
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
}
