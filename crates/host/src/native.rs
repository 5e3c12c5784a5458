//! Handlers in shared libraries that export [`upcall_handler::handlers!`].
//!
//! A library is opened once and never closed: its threads, thread-locals and statics may outlive any
//! handler.

use crate::loader;
use crate::{Capabilities, Error, ErrorKind, HandlerSpec, Host, Instance, Module, Threads};
use libloading::Library;
use std::mem::MaybeUninit;
use std::path::Path;
use upcall_abi::{ABI, EXPORT_SYMBOL, Entry, Export, ExportTable, Status};

/// The host of shared libraries.
#[derive(Clone, Copy, Debug)]
pub struct Native;

impl Host for Native {
    fn guest(&self) -> &'static str {
        "native"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { threads: Threads::Own, killable: false, sees_native_memory: true, good_batch: 1 }
    }

    fn worker(&self, body: &mut dyn FnMut()) {
        body();
    }

    fn load(&self, handler: &HandlerSpec) -> Result<Box<dyn Module>, Error> {
        let exports = open(&handler.file)?;
        let export = exports.iter().find(|export| name(export) == handler.class).ok_or_else(|| {
            let names: Vec<&str> = exports.iter().map(name).collect();
            let help = nearest(&handler.class, &names)
                .map_or("name one of them".to_owned(), |near| format!("did you mean {near}?"));
            let message = format!(
                "load native handler {} from {}: it exports {}; {help}",
                handler.class,
                handler.file.display(),
                names.join(", ")
            );
            Error::new(ErrorKind::HandlerMissing, message)
        })?;
        Ok(Box::new(Loaded(export)))
    }
}

/// Opens a library and returns what it exports.
fn open(file: &Path) -> Result<&'static [Export], Error> {
    let fail = |kind, what: String| Err(Error::new(kind, format!("open {}: {what}", file.display())));
    if !file.is_file() {
        return fail(ErrorKind::FileMissing, "there is no such file; build the handler first".into());
    }
    // SAFETY: loading runs the library's initialisers: the user asked for this code to be run.
    let library = match unsafe { Library::new(std::path::absolute(file).unwrap_or(file.into())) } {
        Ok(library) => Box::leak(Box::new(library)),
        Err(error) => {
            let what =
                format!("not a library that loads here: {}; build it for this machine", loader::why(&error));
            return fail(ErrorKind::FileInvalid, what);
        }
    };
    // SAFETY: the symbol is Upcall's own name for a static of this type; its first field is the same in
    // every ABI, and the rest is read only when the number is ours.
    let table = match unsafe { library.get::<*const ExportTable>(EXPORT_SYMBOL) } {
        // SAFETY: as above; the library is never closed.
        Ok(symbol) => unsafe { &**symbol },
        Err(_) => {
            let what = format!("it exports no {EXPORT_SYMBOL}; write `upcall::handlers!` in it");
            return fail(ErrorKind::FileInvalid, what);
        }
    };
    if table.abi != ABI {
        let what =
            format!("built for ABI {}, this is ABI {ABI}; build it again with this version", table.abi);
        return fail(ErrorKind::AbiMismatch, what);
    }
    // SAFETY: the table of our ABI points to `len` static exports of a library that is never closed.
    Ok(unsafe { std::slice::from_raw_parts(table.exports, table.len as usize) })
}

fn name(export: &Export) -> &str {
    // SAFETY: the library is never closed; its names are static.
    let bytes = unsafe { std::slice::from_raw_parts(export.name, export.name_len as usize) };
    std::str::from_utf8(bytes).unwrap_or("?")
}

/// The name that was probably meant: at most a third of its letters differ.
fn nearest<'a>(wanted: &str, names: &[&'a str]) -> Option<&'a str> {
    let distance = |name: &&str| strsim::damerau_levenshtein(wanted, name);
    let near = |name: &&str| distance(name) <= name.chars().count().max(wanted.chars().count()).div_ceil(3);
    names.iter().copied().filter(near).min_by_key(distance)
}

struct Loaded(&'static Export);

impl Module for Loaded {
    fn instantiate(&self) -> Result<Instance, Error> {
        let mut entry = MaybeUninit::<Entry>::uninit();
        // SAFETY: a place for one entry; the library is never closed.
        if unsafe { (self.0.create)(entry.as_mut_ptr()) } != Status::OK {
            let message = format!("make native handler {}: its constructor panicked", name(self.0));
            return Err(Error::new(ErrorKind::ConstructorFailed, message));
        }
        // SAFETY: `create` wrote it and gave it to us.
        Ok(unsafe { Instance::new(entry.assume_init()) })
    }
}
