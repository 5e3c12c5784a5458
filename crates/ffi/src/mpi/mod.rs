//! Message passing over the machine's MPI: elements are bytes here, and their types are the caller's affair.
//!
//! Calls wait on the thread that makes them, and the thread level says which threads may. What is released on a thread that
//! may not call MPI, as a finaliser's, is freed at the next call of one that may.

mod access;
mod attribute;
mod begun;
mod buffer;
mod buffered;
mod checked;
mod collective;
mod communicator;
mod environment;
mod epoch;
mod exact;
mod failure;
mod fault;
mod file;
mod group;
mod handler;
mod intercommunicator;
mod known;
mod memory;
mod message;
mod operation;
mod partitioned;
mod parts;
mod port;
mod process;
mod reduce;
mod request;
mod requests;
mod rounds;
mod topology;
mod transfer;
mod typed;
mod view;
mod window;

use failure::MpiFailure;
use std::mem::offset_of;
use upcall::Blit;
use upcall_mpi::{Envelope, Source, Status, Tag};

/// Any rank, or any tag.
pub const UPCALL_MPI_ANY: i32 = -1;

/// What is known of a message that has arrived.
#[derive(Clone, Copy, Blit)]
#[repr(C)]
pub struct UpcallMpiStatus {
    /// The rank that has sent it; -1 where the receive was cancelled.
    pub source: i32,
    /// Its tag.
    pub tag: i32,
    /// Its bytes.
    pub bytes: u64,
    /// 1 where the receive was cancelled before anything arrived, else 0.
    pub cancelled: u64,
}

// The SDKs read it at these places.
const _: () = assert!(size_of::<UpcallMpiStatus>() == 24 && offset_of!(UpcallMpiStatus, bytes) == 8);
const _: () = assert!(!UpcallMpiStatus::PADDED);

impl UpcallMpiStatus {
    fn of(status: &Status) -> Result<UpcallMpiStatus, MpiFailure> {
        let (source, tag, cancelled) = status.envelope()?;
        // What was cancelled has no size.
        let bytes = if cancelled { 0 } else { status.bytes()? as u64 };
        let source = source.and_then(|rank| i32::try_from(rank).ok()).unwrap_or(-1);
        Ok(UpcallMpiStatus { source, tag, bytes, cancelled: cancelled.into() })
    }

    /// That of a message that has come.
    #[inline]
    fn told(Envelope { source, tag, bytes }: Envelope) -> Result<UpcallMpiStatus, MpiFailure> {
        let bytes = u64::try_from(bytes).map_err(|_| {
            MpiFailure::new(failure::UPCALL_MPI_TYPE, "read a status: its bytes cannot be counted")
        })?;
        Ok(UpcallMpiStatus { source, tag, bytes, cancelled: 0 })
    }
}

/// Says what is known of a message to whom wants to hear of it.
fn tell(status: &Status, to: Option<&mut UpcallMpiStatus>) -> Result<(), MpiFailure> {
    if let Some(to) = to {
        *to = UpcallMpiStatus::of(status)?;
    }
    Ok(())
}

/// A rank, as Rust counts them.
fn rank(number: i32, what: &str) -> Result<usize, MpiFailure> {
    usize::try_from(number).map_err(|_| {
        let message = format!("{what}: there is no rank {number}; they count from 0 on");
        MpiFailure::new(failure::UPCALL_MPI_RANK, message)
    })
}

fn source(number: i32, what: &str) -> Result<Source, MpiFailure> {
    if number == UPCALL_MPI_ANY { Ok(Source::Any) } else { Ok(Source::Rank(rank(number, what)?)) }
}

fn tag(number: i32) -> Tag {
    if number == UPCALL_MPI_ANY { Tag::Any } else { Tag::Is(number) }
}
