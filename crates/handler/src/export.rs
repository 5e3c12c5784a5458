use std::ffi::c_void;
use upcall_abi::caught::caught;
use upcall_abi::{ABI, Entry, GuestTable, HandlerName, Instance, Refusal, Status, refusal};

/// Exports the handlers of a `cdylib`, or of a WebAssembly module: `upcall::handlers! { "name" => expression, … }`, once per library.
///
/// The expression makes one instance and runs on the thread of the worker that will use it. It is a
/// [`crate::Handler`], or what [`crate::batch`], [`crate::typed`], [`crate::combine`], [`crate::vertices`] or `later` return.
#[macro_export]
macro_rules! handlers {
    ($($name:literal => $make:expr),+ $(,)?) => {
        #[doc(hidden)]
        static UPCALL_EXPORTED: &[$crate::Export] =
            &[$($crate::Export { name: $name, make: || $crate::instance($make) }),+];

        /// The handlers of this library.
        // SAFETY: the name is Upcall's own, and a library exports its handlers once.
        #[cfg(not(target_arch = "wasm32"))]
        #[unsafe(no_mangle)]
        pub static UPCALL_GUEST: $crate::abi::GuestTable = {
            unsafe extern "C" fn load(
                handler: *const $crate::abi::HandlerName,
                module: *mut *mut ::core::ffi::c_void,
                refusal: *mut $crate::abi::Refusal,
            ) -> $crate::abi::Status {
                // SAFETY: the host keeps the contract of `GuestTable::load`.
                unsafe { $crate::load(UPCALL_EXPORTED, handler, module, refusal) }
            }
            $crate::guest(load)
        };

        #[cfg(target_arch = "wasm32")]
        const _: () = {
            // SAFETY: the names are Upcall's own, here and below, and a module exports its handlers once.
            #[unsafe(no_mangle)]
            extern "C" fn upcall_abi() -> u32 {
                $crate::abi::ABI as u32
            }

            // SAFETY: as above.
            #[unsafe(no_mangle)]
            unsafe extern "C" fn upcall_make(
                handler: *const $crate::abi::HandlerName,
                refusal: *mut $crate::abi::Refusal,
            ) -> *mut ::core::ffi::c_void {
                // SAFETY: the host passes a name, and a refusal to fill.
                unsafe { $crate::wasm::make(UPCALL_EXPORTED, handler, refusal) }
            }

            // SAFETY: as above.
            #[unsafe(no_mangle)]
            unsafe extern "C" fn upcall_call(
                instance: *mut ::core::ffi::c_void,
                frame: *mut $crate::abi::FrameHead,
                out: usize,
            ) -> $crate::abi::Status {
                // SAFETY: an instance of `upcall_make`'s, and a whole frame.
                unsafe { $crate::wasm::call(instance, frame, out) }
            }
        };
    };
}

/// One handler of a library.
#[doc(hidden)]
#[derive(Debug)]
pub struct Export {
    pub name: &'static str,
    pub make: fn() -> Instance,
}

/// The type of [`GuestTable::load`].
type Load = unsafe extern "C" fn(*const HandlerName, *mut *mut c_void, *mut Refusal) -> Status;

/// The table of a library for [`handlers!`].
#[doc(hidden)]
pub const fn guest(load: Load) -> GuestTable {
    GuestTable {
        abi: ABI,
        reserved: 0,
        size: size_of::<GuestTable>() as u32,
        start: None,
        attach: None,
        detach: None,
        load,
        create,
        unload,
    }
}

/// Finds a handler by its name.
///
/// # Safety
/// As [`GuestTable::load`] says.
#[doc(hidden)]
pub unsafe fn load(
    exports: &'static [Export],
    handler: *const HandlerName,
    module: *mut *mut c_void,
    refusal: *mut Refusal,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        let wanted = (*handler).class.get(0);
        match exports.iter().find(|export| export.name.as_bytes() == wanted) {
            Some(export) => {
                module.write((&raw const *export).cast_mut().cast());
                Status::OK
            }
            None => {
                let mut text = "it exports no such handler".to_owned();
                exports.iter().for_each(|export| text = format!("{text}\n{}", export.name));
                (*refusal).write(refusal::HANDLER_MISSING, &text)
            }
        }
    }
}

unsafe extern "C" fn create(module: *mut c_void, entry: *mut Entry, refusal: *mut Refusal) -> Status {
    // SAFETY: the module is one of `load`'s; the host passes a place for one entry, and a refusal to fill.
    unsafe {
        match caught((*module.cast::<Export>()).make) {
            Ok(instance) => {
                entry.write(instance.into_entry());
                Status::OK
            }
            Err(panic) => {
                (*refusal).write(refusal::CONSTRUCTOR_FAILED, &format!("its constructor panicked: {panic}"))
            }
        }
    }
}

/// A module is a static.
unsafe extern "C" fn unload(_: *mut c_void) {}
