//! DESCRIBE: nothing goes in, records come out.

use super::{Chunks, theirs};
use crate::room::{Full, Room};
use std::mem::offset_of;
use upcall_abi::{DescribeFrame, ErrorSlot};

/// Where its output is.
pub(super) const OUT: u64 = offset_of!(DescribeFrame, out) as u64;

pub(super) fn cross(
    room: &mut impl Room,
    chunks: &mut Chunks,
    frame: &DescribeFrame,
    error: ErrorSlot,
) -> Result<u64, Full> {
    let (chunk, _) = room.give(frame.out.end - frame.out.at)?;
    let out = chunks.begin(&frame.head, &frame.out, chunk);
    room.put_one(DescribeFrame { head: theirs::<DescribeFrame>(&frame.head, error), out })
}
