//! MPI's own functions, called without the shim: a message of a few bytes takes so little time that one call more shows in it.

use crate::shim::{Handle, RawStatus, Table};
use std::ffi::{c_int, c_void};
use std::mem::transmute;

type Send<H> = unsafe extern "C" fn(*const c_void, c_int, H, c_int, c_int, H) -> c_int;
type Recv<H> = unsafe extern "C" fn(*mut c_void, c_int, H, c_int, c_int, H, *mut RawStatus) -> c_int;

/// `MPI_Send` and `MPI_Recv`, by what the MPI has for handles.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Direct {
    /// Addresses: Open MPI.
    Addresses(Send<isize>, Recv<isize>),
    /// Integers: MPICH.
    Integers(Send<c_int>, Recv<c_int>),
}

impl Direct {
    /// Those of a shim.
    pub(crate) fn of(table: &Table) -> Direct {
        type Void = *const c_void;
        let (mut send, mut recv) = (std::ptr::null(), std::ptr::null());
        // SAFETY: it writes two pointers to functions, whose types are MPI's: handles are integers of 4 bytes, or addresses.
        unsafe {
            if (table.direct)(&mut send, &mut recv) as usize == size_of::<c_int>() {
                Direct::Integers(transmute::<Void, Send<c_int>>(send), transmute::<Void, Recv<c_int>>(recv))
            } else {
                Direct::Addresses(transmute::<Void, Send<isize>>(send), transmute::<Void, Recv<isize>>(recv))
            }
        }
    }

    /// `MPI_Send`.
    ///
    /// # Safety
    /// As in C.
    #[inline]
    pub(crate) unsafe fn send(
        self,
        data: *const c_void,
        count: c_int,
        datatype: Handle,
        to: c_int,
        tag: c_int,
        comm: Handle,
    ) -> c_int {
        // SAFETY: the caller's promise; a handle of this MPI's is of its size.
        unsafe {
            match self {
                Direct::Addresses(send, _) => send(data, count, datatype as isize, to, tag, comm as isize),
                Direct::Integers(send, _) => send(data, count, datatype as c_int, to, tag, comm as c_int),
            }
        }
    }

    /// `MPI_Recv`.
    ///
    /// # Safety
    /// As in C.
    #[inline]
    #[expect(clippy::too_many_arguments, reason = "as many as MPI's")]
    pub(crate) unsafe fn recv(
        self,
        data: *mut c_void,
        count: c_int,
        datatype: Handle,
        from: c_int,
        tag: c_int,
        comm: Handle,
        status: &mut RawStatus,
    ) -> c_int {
        // SAFETY: as above; a status of MPI's is no larger than ours.
        unsafe {
            match self {
                Direct::Addresses(_, recv) => {
                    recv(data, count, datatype as isize, from, tag, comm as isize, status)
                }
                Direct::Integers(_, recv) => {
                    recv(data, count, datatype as c_int, from, tag, comm as c_int, status)
                }
            }
        }
    }
}
