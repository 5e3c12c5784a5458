use super::environment::UpcallMpi;
use super::failure::MpiFailure;
use upcall_mpi::{Port, Published};

/// Where other programs may connect to. It is closed when it is released.
pub struct UpcallMpiPort(Port);

/// The name of a port under that of a service. It is taken back when it is released.
pub struct UpcallMpiPublished(
    // It is kept for what its end does.
    #[expect(dead_code, reason = "its end takes the name back")] Published,
);

#[upcall::export]
impl UpcallMpiPort {
    /// Its name, which others are told.
    pub fn name(&self) -> String {
        self.0.name()
    }

    /// Tells others its name under that of a service, until what is returned is released.
    pub fn publish(&self, service: &str) -> Result<UpcallMpiPublished, MpiFailure> {
        Ok(UpcallMpiPublished(self.0.publish(service)?))
    }
}

#[upcall::export]
impl UpcallMpiPublished {}

#[upcall::export(extend)]
impl UpcallMpi {
    /// Opens a port that other programs may connect to.
    pub fn open_port(&self) -> Result<UpcallMpiPort, MpiFailure> {
        Ok(UpcallMpiPort(self.0.mpi.open_port()?))
    }

    /// The name of the port that was published as a service.
    pub fn look_up(&self, service: &str) -> Result<String, MpiFailure> {
        Ok(self.0.mpi.look_up(service)?)
    }
}
