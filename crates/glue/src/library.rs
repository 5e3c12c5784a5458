//! The library that the glue calls, opened at run time.

#[cfg(unix)]
use super::unix as system;
#[cfg(windows)]
use super::windows as system;
use std::ffi::{CStr, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A library, or an address in it, before its type is known.
pub type Found = *mut c_void;

/// A library, and `T`: what it exports.
pub struct Library<T, const SYMBOLS: usize> {
    name: &'static str,
    /// The environment variable that says where it is.
    variable: &'static str,
    symbols: [&'static CStr; SYMBOLS],
    /// How many of the last symbols are in the library of inline functions.
    inline: usize,
    /// What each function of the library takes and gives, in short.
    fingerprints: &'static str,
    table: OnceLock<T>,
}

// SAFETY: a table is addresses of code and of variables, which may be used from any thread.
unsafe impl<T, const SYMBOLS: usize> Sync for Library<T, SYMBOLS> {}

impl<T, const SYMBOLS: usize> Library<T, SYMBOLS> {
    /// A library that is not open yet. The last `inline` symbols are in a library of their own beside it,
    /// `<name>_inline`.
    ///
    /// # Safety
    /// `T` is `repr(C)` and has one address for each symbol, in the same order, and nothing else.
    #[must_use]
    pub const unsafe fn new(
        name: &'static str,
        variable: &'static str,
        symbols: [&'static CStr; SYMBOLS],
        inline: usize,
        fingerprints: &'static str,
    ) -> Self {
        const { assert!(size_of::<T>() == SYMBOLS * size_of::<Found>(), "one address for each symbol") };
        Library { name, variable, symbols, inline, fingerprints, table: OnceLock::new() }
    }

    /// What has been opened.
    ///
    /// # Panics
    /// Where [`Library::open`] has not returned `Ok` before.
    #[inline(always)]
    pub fn table(&self) -> &T {
        self.table.get().expect("the library is opened before its functions are used")
    }

    /// Opens the library, once: from `path`, else from where the environment variable says, else from the folder of the
    /// package (`None`: that of the module that this is compiled into), else as the system finds it. The library of inline
    /// functions is looked for beside it, then in that folder.
    ///
    /// # Errors
    /// A message that names the library and the symbol that it lacks, or says what has changed since the bindings
    /// were made.
    pub fn open(&self, path: Option<&Path>, package: Option<&Path>) -> Result<&T, String> {
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let mut addresses = [std::ptr::null_mut(); SYMBOLS];
        let own = SYMBOLS - self.inline;
        let variable = std::env::var_os(self.variable).map(PathBuf::from);
        let package = package.map(Path::to_owned).or_else(system::folder).unwrap_or_default();
        let file = file_name(self.name);
        let path = path.map(Path::to_owned).or(variable);
        let path = path.or_else(|| there(package.join(&file))).unwrap_or_else(|| file.into());
        self.resolve(self.name, &path, 0, &mut addresses[..own])?;
        if self.inline > 0 {
            let name = format!("{}_inline", self.name);
            let file = file_name(&name);
            let beside = path.with_file_name(&file);
            let path = there(beside.clone()).or_else(|| there(package.join(file))).unwrap_or(beside);
            self.resolve(&name, &path, own, &mut addresses[own..])?;
        }
        // SAFETY: the promise of `new`.
        let table = unsafe { std::mem::transmute_copy::<[Found; SYMBOLS], T>(&addresses) };
        Ok(self.table.get_or_init(|| table))
    }

    /// Fills in the addresses of the symbols from `first` on.
    fn resolve(&self, name: &str, path: &Path, first: usize, to: &mut [Found]) -> Result<(), String> {
        let library = system::open(path).map_err(|reason| {
            let help = match first {
                0 => format!("{} may name its file", self.variable),
                // Users build it themselves, of a file that they may not have noticed.
                _ => format!(
                    "build it from the bindings' shims.c, as its first lines say, beside the library {}",
                    self.name
                ),
            };
            format!("cannot load the library {name} from {}: {reason}; {help}", path.display())
        })?;
        if first == 0 {
            self.unchanged(library)?;
        }
        for (address, symbol) in to.iter_mut().zip(&self.symbols[first..]) {
            // SAFETY: it was opened just now.
            *address = unsafe { system::symbol(library, symbol) };
            if address.is_null() {
                let (path, symbol) = (path.display(), symbol.to_string_lossy());
                return Err(format!("the library {name}, loaded from {path}, has no symbol {symbol}"));
            }
        }
        Ok(())
    }

    /// An error that says what has changed, if the library is not the one that the bindings were made from.
    fn unchanged(&self, library: Found) -> Result<(), String> {
        type Changes = unsafe extern "C" fn(*const u8, usize, *mut u8, usize) -> usize;
        if self.fingerprints.is_empty() {
            return Ok(());
        }
        // SAFETY: as above.
        let changes = unsafe { system::symbol(library, c"upcall_changes") };
        if changes.is_null() {
            // It was built with an Upcall that did not know yet.
            return Ok(());
        }
        // SAFETY: the name is Upcall's own, and stands for this.
        let changes = unsafe { std::mem::transmute::<Found, Changes>(changes) };
        let ask = |message: &mut [u8]| {
            let known = self.fingerprints;
            // SAFETY: both have the length that is said.
            unsafe { changes(known.as_ptr(), known.len(), message.as_mut_ptr(), message.len()) }
        };
        let mut message = vec![0; ask(&mut [])];
        if message.is_empty() {
            return Ok(());
        }
        ask(&mut message);
        Err(String::from_utf8_lossy(&message).into_owned())
    }
}

/// A file, if it is there. A name without a folder is for the system to find.
fn there(file: PathBuf) -> Option<PathBuf> {
    (file.components().count() > 1 && file.exists()).then_some(file)
}

/// The file of a library as this system names it.
fn file_name(library: &str) -> String {
    format!("{}{library}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}
