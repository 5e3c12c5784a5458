//! The flows of a worker thread of Node's, which ends without a word where it is terminated: they are released then, as nobody
//! else can.

use libloading::os::unix::Library;
use std::collections::HashSet;
use std::ffi::c_void;

type Release = unsafe extern "C" fn(*mut c_void);

#[derive(Default)]
pub(super) struct Orphans {
    /// `upcall_flow_release`.
    release: Option<Release>,
    /// Addresses of flows.
    flows: HashSet<usize>,
}

impl Orphans {
    /// Remembers a flow of the library at this path, which is loaded.
    ///
    /// # Safety
    /// It must be the path of a `libupcall`, and the flow one of it, until [`Orphans::forget`].
    pub(super) unsafe fn remember(&mut self, library: &str, flow: usize) -> Result<(), libloading::Error> {
        if self.release.is_none() {
            // SAFETY: the caller's promise: it is loaded already, so that nothing runs, and has this function.
            self.release = Some(unsafe {
                let library = Library::new(library)?;
                let release = *library.get::<Release>("upcall_flow_release")?;
                std::mem::forget(library);
                release
            });
        }
        self.flows.insert(flow);
        Ok(())
    }

    /// Its owner will release it.
    pub(super) fn forget(&mut self, flow: usize) {
        self.flows.remove(&flow);
    }

    /// Releases those that are left: each stops on a thread of the engine's.
    pub(super) fn release(&mut self) {
        for flow in self.flows.drain() {
            if let Some(release) = self.release {
                // SAFETY: one of the library's, as `remember` was promised, whose owner is gone.
                unsafe { release(std::ptr::with_exposed_provenance_mut(flow)) };
            }
        }
    }
}
