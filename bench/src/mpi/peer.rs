//! The peer in C (`bench/mpi`), loaded into the process that is measured.
//!
//! `peers/rsmpi` has this file too.

use super::turns::{Failed, Way};
use std::cell::RefCell;
use std::ffi::{c_int, c_long, c_void};
use std::path::Path;

/// As `bench/mpi/peer.h` has it.
type Run = unsafe extern "C" fn(rank: c_int, data: *mut c_void, count: c_long, times: c_long) -> c_int;

/// The library, and whose side of each exchange this process is.
pub struct Peer {
    library: libloading::Library,
    rank: c_int,
}

impl Drop for Peer {
    fn drop(&mut self) {
        // SAFETY: the header's type of it; MPI runs still. Nobody could be told that it has failed.
        let _ = unsafe {
            self.library.get::<unsafe extern "C" fn() -> c_int>(b"upcall_bench_end").map(|end| end())
        };
    }
}

impl Peer {
    /// Loads it; MPI runs already, and is the one that it was compiled for.
    ///
    /// # Errors
    /// There is no such library.
    pub fn load(path: &Path, rank: usize) -> Result<Peer, Failed> {
        // SAFETY: it was compiled here from our source, and does nothing when it is loaded.
        let library = unsafe { libloading::Library::new(path) }
            .map_err(|error| format!("loading {}: {error}", path.display()))?;
        Ok(Peer { library, rank: c_int::try_from(rank)? })
    }

    /// A way in C: `count` elements at the beginning of `data`, by one of the functions of `peer.h`, which says how many bytes
    /// it takes of them: `each` for one element.
    ///
    /// # Errors
    /// There is no such function, or less data.
    pub fn way<'a, T>(
        &'a self,
        how: &'static str,
        function: &str,
        data: &'a RefCell<Vec<T>>,
        count: usize,
        each: usize,
    ) -> Result<Way<'a>, Failed> {
        // SAFETY: all functions of the header have this type.
        let run = unsafe { self.library.get::<Run>(function.as_bytes()) }
            .map_err(|error| format!("looking for {function}: {error}"))?;
        if size_of_val(data.borrow().as_slice()) < count * each {
            return Err(format!("{function}: there is no room for {count} elements").into());
        }
        let (rank, elements) = (self.rank, c_long::try_from(count)?);
        Ok(Way::new("C", how, move |times| {
            let mut data = data.borrow_mut();
            // SAFETY: there are so many elements, of types of which any bytes are values.
            match unsafe { run(rank, data.as_mut_ptr().cast(), elements, times as c_long) } {
                0 => Ok(()),
                code => Err(format!("C: MPI returns the error {code}").into()),
            }
        }))
    }
}
