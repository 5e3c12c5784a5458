//! What goes on when a process has died, where the MPI has that.

use super::communicator::UpcallMpiCommunicator;
use super::failure::MpiFailure;
use super::group::UpcallMpiGroup;

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Ends what is under way on this communicator, on all ranks: only `shrink` and `agree` go on with it. One rank calls it.
    pub fn revoke(&self) -> Result<(), MpiFailure> {
        Ok(self.get()?.revoke()?)
    }

    /// Whether it was revoked, as far as this rank knows by now.
    pub fn is_revoked(&self) -> Result<bool, MpiFailure> {
        Ok(self.get()?.is_revoked()?)
    }

    /// The ranks that live, in the order that they have here. Collective over these.
    pub fn shrink(&self) -> Result<Self, MpiFailure> {
        Ok(UpcallMpiCommunicator::made(self.get()?.shrink()?))
    }

    /// The bits that are set in what all ranks that live give. Collective over these.
    pub fn agree(&self, flags: i32) -> Result<i32, MpiFailure> {
        Ok(self.get()?.agree(flags)?)
    }

    /// Takes note of the ranks that are known to have died: what receives from any rank waits for the others again.
    pub fn acknowledge_failures(&self) -> Result<(), MpiFailure> {
        Ok(self.get()?.acknowledge_failures()?)
    }

    /// The processes whose failure was acknowledged.
    pub fn acknowledged_failures(&self) -> Result<UpcallMpiGroup, MpiFailure> {
        Ok(UpcallMpiGroup(self.get()?.acknowledged_failures()?))
    }

    /// The ranks whose failure was acknowledged.
    pub fn failed_ranks(&self) -> Result<Vec<i32>, MpiFailure> {
        Ok(self.get()?.failed_ranks()?.into_iter().map(|rank| rank as i32).collect())
    }
}
