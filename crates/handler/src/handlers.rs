use crate::{Drive, instance};
use upcall_abi::caught::caught;
use upcall_abi::{Entry, Status};

/// Exports the handlers of a `cdylib`: `upcall::handlers! { "name" => expression, … }`, once per library.
///
/// The expression makes one instance and runs on the thread of the worker that will use it.
#[macro_export]
macro_rules! handlers {
    ($($name:literal => $make:expr),+ $(,)?) => {
        /// The handlers of this library.
        // SAFETY: the name is Upcall's own, and a library exports its handlers once.
        #[unsafe(no_mangle)]
        pub static UPCALL_EXPORTS: $crate::abi::ExportTable = {
            static EXPORTS: &[$crate::abi::Export] = &[$({
                unsafe extern "C" fn create(entry: *mut $crate::abi::Entry) -> $crate::abi::Status {
                    // SAFETY: the host passes a place for one entry.
                    unsafe { $crate::create(entry, || $make) }
                }
                $crate::abi::Export { name: $name.as_ptr(), name_len: $name.len() as u64, create }
            }),+];
            $crate::abi::ExportTable {
                abi: $crate::abi::ABI,
                reserved: 0,
                len: EXPORTS.len() as u32,
                exports: EXPORTS.as_ptr(),
            }
        };
    };
}

/// Makes an instance for [`handlers!`].
///
/// # Safety
/// `to` must be a place for one entry.
#[doc(hidden)]
pub unsafe fn create<D: Drive>(to: *mut Entry, make: impl FnOnce() -> D) -> Status {
    match caught(|| instance(make())) {
        Ok(instance) => {
            // SAFETY: the caller's promise.
            unsafe { to.write(instance.into_entry()) };
            Status::OK
        }
        Err(_) => Status::FAILED,
    }
}
