//! The flows of a worker thread of Node's, and those that it starts. It ends without a word where it is terminated: they are
//! released then, as nobody else can.

use libloading::os::unix::Library;
use std::collections::HashMap;
use std::ffi::c_void;

type Release = unsafe extern "C" fn(*mut c_void);

#[derive(Default)]
pub(super) struct Orphans {
    /// What releases them, by their addresses.
    left: HashMap<usize, Release>,
}

impl Orphans {
    /// Remembers an object of the library at this path, which is loaded, and by which function of it to release the object.
    ///
    /// # Safety
    /// It must be the path of a `libupcall`, the function one that releases such an object, and the object one of the library's
    /// until [`Orphans::forget`].
    pub(super) unsafe fn remember(
        &mut self,
        library: &str,
        release: &str,
        address: usize,
    ) -> Result<(), libloading::Error> {
        // SAFETY: the caller's promise: it is loaded already, so that nothing runs, and has this function.
        let release = unsafe {
            let library = Library::new(library)?;
            let release = *library.get::<Release>(release)?;
            std::mem::forget(library);
            release
        };
        self.left.insert(address, release);
        Ok(())
    }

    /// Its owner will release it.
    pub(super) fn forget(&mut self, address: usize) {
        self.left.remove(&address);
    }

    /// Releases those that are left: each flow stops on a thread of the engine's.
    pub(super) fn release(&mut self) {
        for (address, release) in self.left.drain() {
            // SAFETY: one of the library's, as `remember` was promised, whose owner is gone.
            unsafe { release(std::ptr::with_exposed_provenance_mut(address)) };
        }
    }
}
