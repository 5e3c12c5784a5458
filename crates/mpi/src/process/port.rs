//! Programs that were started apart find each other by the name of a port.

use super::{text, told};
use crate::communicator::Communicator;
use crate::environment::Environment;
use crate::error::{Error, ErrorKind};
use crate::intercommunicator::Intercommunicator;
use crate::library::Library;
use std::ffi::{CStr, CString, c_char, c_int};
use std::fmt;

/// Room for the name of a port: libraries have 256 to 1,024 bytes.
const ROOM: usize = 4096;

/// Where others may connect to. It is closed when it is dropped.
pub struct Port {
    library: &'static Library,
    name: CString,
}

impl Port {
    /// Its name, which others are told.
    #[must_use]
    pub fn name(&self) -> String {
        self.name.to_string_lossy().into_owned()
    }

    /// Tells others its name under that of a service, until what is returned is dropped.
    ///
    /// # Errors
    /// The launcher has no such list, or another port is there under this name.
    pub fn publish(&self, service: &str) -> Result<Published, Error> {
        let what = || format!("publish a port as `{service}`");
        let service = text(service, what)?;
        let published = self.library.call(
            // SAFETY: texts that end with 0.
            |table| unsafe { (table.publish_name)(service.as_ptr(), self.name.as_ptr()) },
            what,
        );
        published.map_err(|error| told(error, ErrorKind::Port))?;
        Ok(Published { library: self.library, service, port: self.name.clone() })
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        let (library, name) = (self.library, std::mem::take(&mut self.name));
        // Nobody could be told.
        Library::free(move || {
            // SAFETY: as above, here and below.
            library.call(|table| unsafe { (table.close_port)(name.as_ptr()) }, String::new)
        });
    }
}

impl fmt::Debug for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Port").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The name of a port under that of a service. It is taken back when this is dropped.
#[must_use = "it is taken back when this is dropped"]
pub struct Published {
    library: &'static Library,
    service: CString,
    port: CString,
}

impl Drop for Published {
    fn drop(&mut self) {
        let library = self.library;
        let (service, port) = (std::mem::take(&mut self.service), std::mem::take(&mut self.port));
        Library::free(move || {
            library.call(
                // SAFETY: as above.
                |table| unsafe { (table.unpublish_name)(service.as_ptr(), port.as_ptr()) },
                String::new,
            )
        });
    }
}

impl fmt::Debug for Published {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Published").field("service", &self.service).finish_non_exhaustive()
    }
}

/// What MPI has written there.
fn written(room: &[u8]) -> CString {
    CStr::from_bytes_until_nul(room).unwrap_or_default().to_owned()
}

impl Environment {
    /// Opens a port that other programs may [connect](Communicator::connect) to.
    ///
    /// # Errors
    /// The library has none ([`ErrorKind::Unsupported`]), as MPICH over UCX; or MPI refuses.
    pub fn open_port(&self) -> Result<Port, Error> {
        let library = self.world().library;
        let mut room = [0u8; ROOM];
        let opened = library.call(
            // SAFETY: there is as much room as is said, here and below.
            |table| unsafe { (table.open_port)(room.as_mut_ptr().cast::<c_char>(), ROOM as c_int) },
            || "open a port (MPI_Open_port)".to_owned(),
        );
        opened.map_err(|error| told(error, ErrorKind::Port))?;
        Ok(Port { library, name: written(&room) })
    }

    /// The name of the port that was [published](Port::publish) as a service.
    ///
    /// # Errors
    /// There is none ([`ErrorKind::Port`]), or the launcher has no such list.
    pub fn look_up(&self, service: &str) -> Result<String, Error> {
        let what = || format!("look for the port of `{service}`");
        let name = text(service, what)?;
        let mut room = [0u8; ROOM];
        let found = self.world().library.call(
            |table| {
                let into = room.as_mut_ptr().cast::<c_char>();
                // SAFETY: as above.
                unsafe { (table.lookup_name)(name.as_ptr(), into, ROOM as c_int) }
            },
            what,
        );
        found.map_err(|error| told(error, ErrorKind::Port))?;
        Ok(written(&room).to_string_lossy().into_owned())
    }
}

impl Communicator {
    /// Waits until another program's ranks [connect](Communicator::connect) to a port of this one. The port's name counts at the
    /// root. Collective.
    ///
    /// # Errors
    /// There is no such rank; it is no port of this program's, or the library has none.
    pub fn accept(&self, port: &str, root: usize) -> Result<Intercommunicator, Error> {
        let what = || "wait for another program at a port (MPI_Comm_accept)".to_owned();
        let (peer, port) = (self.peer(root, what)?, self.port(port, root, what)?);
        let mut made = 0;
        let accepted = self.library.call(
            // SAFETY: a communicator of this MPI's, and a text that ends with 0, here and below.
            |table| unsafe { (table.comm_accept)(port.as_ptr(), peer, self.handle, &mut made) },
            what,
        );
        accepted.map_err(|error| told(error, ErrorKind::Port))?;
        Intercommunicator::new(self.library, made)
    }

    /// Joins the ranks of another program that [wait](Communicator::accept) at a port. The port's name counts at the root.
    /// Collective.
    ///
    /// # Errors
    /// There is no such rank; there is no such port ([`ErrorKind::Port`]), or the library has none. Open MPI 5.0.11 waits for
    /// ever for a port that is not there.
    pub fn connect(&self, port: &str, root: usize) -> Result<Intercommunicator, Error> {
        let what = || format!("connect to the port `{port}` (MPI_Comm_connect)");
        let (peer, name) = (self.peer(root, what)?, self.port(port, root, what)?);
        let mut made = 0;
        let connected = self.library.call(
            // SAFETY: as above.
            |table| unsafe { (table.comm_connect)(name.as_ptr(), peer, self.handle, &mut made) },
            what,
        );
        connected.map_err(|error| told(error, ErrorKind::Port))?;
        Intercommunicator::new(self.library, made)
    }

    /// The name of a port, which counts at the root. The others are told where it is none, as they would wait.
    fn port(&self, name: &str, root: usize, what: impl Fn() -> String) -> Result<CString, Error> {
        let given = if self.rank() == root { text(name, &what) } else { Ok(CString::default()) };
        self.all_or_none(given, what)
    }
}
