use super::ffi::{CreateDelegate, Initialize, Table};
use super::locate::{Runtime, library};
use crate::copies;
use crate::guest::Guest;
use crate::guests;
use crate::loader;
use crate::{Error, ErrorKind};
use libloading::Library;
use std::env;
use std::ffi::{CStr, CString, OsString, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::OnceLock;
use upcall_abi::ABI;

/// An error where a CLR runs in this process already, or a Java whose faults it would take for its own.
pub(super) fn alone() -> Result<(), Error> {
    let (what, and) = if copies::is_loaded(copies::CLR) {
        ("it", "")
    } else if !java_is_known() && copies::is_loaded(copies::JAVA) {
        ("Java", ", whose exceptions for null would end it")
    } else {
        return Ok(());
    };
    let (who, help) = copies::who_started_it();
    let message = format!("start .NET: {what} runs in this process already, {who}{and}; {help}");
    Err(Error::new(ErrorKind::RuntimeFailed, message))
}

/// Whether Java was started here, or is the program's own: then its faults are told apart.
fn java_is_known() -> bool {
    #[cfg(feature = "java")]
    return crate::faults::java_is_known();
    #[cfg(not(feature = "java"))]
    return false;
}

/// The CLR once it runs: where it came from and what `Upcall.dll` offers.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) runtime: Runtime,
    pub(super) sdk: PathBuf,
    pub(super) guest: Guest,
    /// Any function of C#.
    #[cfg(feature = "java")]
    table: Table,
}

impl Running {
    /// Starts the CLR. Once per process: it can neither be stopped nor started again.
    pub(super) fn start(runtime: Runtime, sdk: PathBuf) -> Result<Running, Error> {
        let failed = |what: String| {
            let message = format!("start .NET {} from {}: {what}", runtime.version, runtime.folder.display());
            Error::new(ErrorKind::RuntimeFailed, message)
        };
        // SAFETY: loading runs the library's initialisers: the runtime that the user installed.
        let library = unsafe { Library::new(runtime.folder.join(library())) }
            .map_err(|error| failed(format!("{}; install .NET again", loader::why(&error))))?;
        // The runtime never ends.
        let library: &'static Library = Box::leak(Box::new(library));
        // SAFETY: the types are those of coreclrhost.h.
        let (initialize, create_delegate) = unsafe { symbols(library) }
            .map_err(|error| failed(format!("not a CoreCLR: {}; install .NET again", loader::why(&error))))?;
        let properties = properties(&runtime, &sdk).map_err(failed)?;
        let (host, domain) = initialize_with(initialize, &properties).map_err(|status| {
            failed(format!(
                "coreclr_initialize answered {status:#010x}; install .NET again, with its libraries"
            ))
        })?;
        // Whatever fails below: CoreCLR's handlers of faults are there from here on, and stay.
        #[cfg(any(feature = "java", feature = "wasm"))]
        crate::faults::clr_started();
        #[cfg(feature = "java")]
        let _entered = crate::faults::Inside::clr();
        let mut table: *mut c_void = ptr::null_mut();
        // SAFETY: the host that was just made, names that end with zero, a place for the function.
        let status = unsafe {
            create_delegate(
                host,
                domain,
                c"Upcall".as_ptr(),
                c"Upcall.Hosting.Exports".as_ptr(),
                c"Table".as_ptr(),
                &mut table,
            )
        };
        if status < 0 || table.is_null() {
            let what = format!(
                "{} has no table of ABI {ABI} ({status:#010x}): it was built for another; run `cargo xtask build`",
                sdk.display()
            );
            return Err(Error::new(ErrorKind::AbiMismatch, format!("start C# handlers: {what}")));
        }
        // SAFETY: the method is `[UnmanagedCallersOnly]` with this signature, in every ABI from 2 on.
        let function = unsafe { std::mem::transmute::<*mut c_void, Table>(table) };
        // SAFETY: as above.
        let table = unsafe { function() };
        // SAFETY: what it returns is such a table, which is never freed.
        let guest = unsafe { Guest::of(table, guests::CSHARP.called, &sdk, "run `cargo xtask build`")? };
        guest.start("start C# handlers", "", Some(unhandled))?;
        Ok(Running {
            runtime,
            sdk,
            guest,
            #[cfg(feature = "java")]
            table: function,
        })
    }

    /// This thread runs C# until the result is dropped.
    #[cfg(feature = "java")]
    pub(super) fn enter(&self) -> crate::faults::Inside {
        let entered = crate::faults::Inside::clr();
        // SAFETY: as in `start`. From its first call on the CLR knows a thread.
        unsafe { (self.table)() };
        entered
    }
}

/// See [`super::Clr::on_unhandled`].
pub(super) static ON_UNHANDLED: OnceLock<fn()> = OnceLock::new();

unsafe extern "C" fn unhandled() {
    if let Some(word) = ON_UNHANDLED.get() {
        // The process ends for another reason already.
        let _ = std::panic::catch_unwind(word);
    }
}

/// # Safety
/// The library must be a CoreCLR.
unsafe fn symbols(library: &Library) -> Result<(Initialize, CreateDelegate), libloading::Error> {
    // SAFETY: the caller's promise.
    unsafe { Ok((*library.get(c"coreclr_initialize")?, *library.get(c"coreclr_create_delegate")?)) }
}

type Properties = Vec<(&'static CStr, CString)>;

fn properties(runtime: &Runtime, sdk: &Path) -> Result<Properties, String> {
    let assemblies = trusted_assemblies(&runtime.folder, sdk)?;
    let native = env::join_paths([&runtime.folder]).map_err(|error| error.to_string())?;
    let text = |value: OsString| {
        CString::new(value.into_encoded_bytes()).map_err(|_| "a path holds a zero byte".to_owned())
    };
    Ok(vec![
        (c"TRUSTED_PLATFORM_ASSEMBLIES", text(assemblies)?),
        (c"NATIVE_DLL_SEARCH_DIRECTORIES", text(native)?),
        (c"System.Globalization.Invariant", c"true".into()),
        // The boundary's own calls cost the same either way; what costs is the instrumented tier in between.
        (c"System.Runtime.TieredPGO", c"false".into()),
        // Handlers run optimised from their first object, not from 100 ms on: 2 ns per object instead of
        // 20 until then, for 2 ms at the start. The framework, compiled ahead, still tiers up.
        (c"System.Runtime.TieredCompilation.QuickJit", c"false".into()),
    ])
}

/// The framework's assemblies and `Upcall.dll`, separated as PATH is.
fn trusted_assemblies(framework: &Path, sdk: &Path) -> Result<OsString, String> {
    let folder = framework.read_dir().map_err(|error| format!("{}: {error}", framework.display()))?;
    let framework = folder
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "dll"));
    env::join_paths(framework.chain([sdk.to_owned()])).map_err(|error| error.to_string())
}

fn initialize_with(initialize: Initialize, properties: &Properties) -> Result<(*mut c_void, u32), c_int> {
    let keys: Vec<_> = properties.iter().map(|(key, _)| key.as_ptr()).collect();
    let values: Vec<_> = properties.iter().map(|(_, value)| value.as_ptr()).collect();
    let exe = env::current_exe().unwrap_or_default().into_os_string().into_encoded_bytes();
    let exe = CString::new(exe).unwrap_or_default();
    let (mut host, mut domain) = (ptr::null_mut(), 0);
    // SAFETY: texts that end with zero, as many keys as values, places for the two results; the runtime
    // copies what it keeps.
    let status = unsafe {
        initialize(
            exe.as_ptr(),
            c"upcall".as_ptr(),
            properties.len() as c_int,
            keys.as_ptr(),
            values.as_ptr(),
            &mut host,
            &mut domain,
        )
    };
    if status < 0 { Err(status) } else { Ok((host, domain)) }
}
