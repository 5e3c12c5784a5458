//! What goes on when a process has died: user-level failure mitigation (ULFM), where the library has it.

use crate::communicator::Communicator;
use crate::error::{Error, ErrorKind};
use crate::group::Group;
use std::ffi::c_int;

/// The way out, where the library does not have it.
fn told(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Unsupported => Error::new(
            ErrorKind::Unsupported,
            format!("{error}; Open MPI has it from 5 on, where it is started with mpirun --with-ft ulfm"),
        ),
        _ => error,
    }
}

impl Communicator {
    /// Ends what is under way on this communicator, on all ranks, with [`ErrorKind::Revoked`]: nothing more can be done with it
    /// but [`shrink`](Communicator::shrink) and [`agree`](Communicator::agree). One rank calls it, and no other has to.
    ///
    /// Where a process dies, calls that need it are an error ([`ErrorKind::ProcessFailed`]) with a library that has this: Open
    /// MPI from 5 on, started with `mpirun --with-ft ulfm`. The ranks that see the error tell the others by this call. They
    /// cannot finalize MPI then, as 5.0.11 waits for the dead there: [`std::process::exit`] ends them.
    ///
    /// With a library that has it not, as Open MPI 4.1 and MPICH with its device ch4, nobody notices but the launcher, which
    /// ends the job. It must not be told to leave that (`mpirun.mpich -disable-auto-cleanup`): the others would wait for ever.
    ///
    /// # Errors
    /// The library does not have it ([`ErrorKind::Unsupported`]), or MPI refuses.
    ///
    /// [`ErrorKind::ProcessFailed`]: crate::ErrorKind::ProcessFailed
    /// [`ErrorKind::Revoked`]: crate::ErrorKind::Revoked
    /// [`ErrorKind::Unsupported`]: crate::ErrorKind::Unsupported
    pub fn revoke(&self) -> Result<(), Error> {
        self.library
            .call(
                // SAFETY: a communicator of this MPI's, here and below.
                |table| unsafe { (table.comm_revoke)(self.handle) },
                || "revoke a communicator (MPIX_Comm_revoke)".to_owned(),
            )
            .map_err(told)
    }

    /// Whether it was revoked, as far as this rank knows by now.
    ///
    /// # Errors
    /// As [`revoke`](Communicator::revoke).
    pub fn is_revoked(&self) -> Result<bool, Error> {
        let mut is = 0;
        self.library
            .call(
                // SAFETY: as above.
                |table| unsafe { (table.comm_is_revoked)(self.handle, &mut is) },
                || "ask whether a communicator was revoked (MPIX_Comm_is_revoked)".to_owned(),
            )
            .map_err(told)?;
        Ok(is != 0)
    }

    /// The ranks that live, in the order that they have here. Collective over these, also where this communicator was revoked.
    ///
    /// # Errors
    /// As [`revoke`](Communicator::revoke).
    pub fn shrink(&self) -> Result<Communicator, Error> {
        let mut made = 0;
        self.library
            .call(
                // SAFETY: as above.
                |table| unsafe { (table.comm_shrink)(self.handle, &mut made) },
                || "shrink a communicator (MPIX_Comm_shrink)".to_owned(),
            )
            .map_err(told)?;
        Communicator::new(self.library, made, true)
    }

    /// The bits that are set in what all ranks that live give. Collective over these, also where this communicator was revoked.
    /// It is the same error on all of them while one does not know of a failure that another does: acknowledge and agree again.
    ///
    /// # Errors
    /// As [`revoke`](Communicator::revoke); or a rank has died whose failure this one has not
    /// [acknowledged](Communicator::acknowledge_failures) ([`ErrorKind::ProcessFailed`](crate::ErrorKind::ProcessFailed)).
    pub fn agree(&self, flags: i32) -> Result<i32, Error> {
        let mut flags: c_int = flags;
        self.library
            .call(
                // SAFETY: as above.
                |table| unsafe { (table.comm_agree)(self.handle, &mut flags) },
                || "agree on flags (MPIX_Comm_agree)".to_owned(),
            )
            .map_err(told)?;
        Ok(flags)
    }

    /// Takes note of the ranks that are known to have died: what receives from any rank waits for the others again.
    ///
    /// # Errors
    /// As [`revoke`](Communicator::revoke).
    pub fn acknowledge_failures(&self) -> Result<(), Error> {
        self.library
            .call(
                // SAFETY: as above.
                |table| unsafe { (table.comm_failure_ack)(self.handle) },
                || "acknowledge failures (MPIX_Comm_failure_ack)".to_owned(),
            )
            .map_err(told)
    }

    /// The processes whose failure was [acknowledged](Communicator::acknowledge_failures).
    ///
    /// # Errors
    /// As [`revoke`](Communicator::revoke).
    pub fn acknowledged_failures(&self) -> Result<Group, Error> {
        Group::made(
            self.library,
            // SAFETY: as above.
            |table, made| unsafe { (table.comm_failure_acked)(self.handle, made) },
            || "ask for the failures that were acknowledged (MPIX_Comm_failure_get_acked)".to_owned(),
        )
        .map_err(told)
    }

    /// The ranks here of the processes whose failure was [acknowledged](Communicator::acknowledge_failures).
    ///
    /// # Errors
    /// As [`revoke`](Communicator::revoke).
    pub fn failed_ranks(&self) -> Result<Vec<usize>, Error> {
        let failed = self.acknowledged_failures()?;
        let all: Vec<usize> = (0..failed.size()).collect();
        Ok(failed.translate(&all, &self.group()?)?.into_iter().flatten().collect())
    }
}
