//! The guests that there are: what each one is called, how its files are recognised, how it is started.
//!
//! Everybody who names guests, lists them or starts them takes it from [`GUESTS`]. A new guest is a module of this
//! crate and a row here.

#[cfg(feature = "clr")]
use crate::clr;
#[cfg(feature = "java")]
use crate::java;
#[cfg(feature = "native")]
use crate::native;
#[cfg(feature = "node")]
use crate::node;
#[cfg(feature = "python")]
use crate::python;
#[cfg(feature = "wasm")]
use crate::wasm;
use crate::{Error, ErrorKind, Host, JavaOptions};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// A guest that handlers may be written for, as a flow's file names it.
pub struct KnownGuest {
    /// Its name, which is the key of a handler's file too: `csharp`.
    pub name: &'static str,
    /// The language of its handlers: `C#`.
    pub language: &'static str,
    /// What messages call its handlers: `C#`, `native`.
    pub called: &'static str,
    /// What it is, on one line: `C#, on .NET`.
    pub about: &'static str,
    /// The file that holds handlers.
    pub file: File,
    /// What `class` of a handler is.
    pub class: &'static str,
    /// A `class`, as an example.
    pub example: &'static str,
    /// Its turn where several runtimes start in one process: those of a lower one first. CoreCLR comes last, as it
    /// keeps to itself what it finds of others.
    pub turn: u8,
    /// Whether its handlers always run in processes of their own ([`crate::Isolation`]), as its runtime is no library that
    /// a program can load.
    pub apart: bool,
    /// Whether a handler in the engine's own process is held to its [`Limits`](crate::Limits).
    pub bounded: bool,
    /// How the `upcall` command is built with it, where it is not always.
    pub on_demand: Option<&'static str>,
    /// Its module, where this program has it.
    runtime: Option<Runtime>,
    /// The feature of this crate that has the module.
    feature: &'static str,
}

/// What the file of a guest's handlers is.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its kind, in one word or two: `assembly`.
    pub kind: &'static str,
    /// What is said of such a file where another is wanted: `an assembly`.
    pub this_is: &'static str,
    /// How such files end.
    pub extensions: &'static [&'static str],
    /// Whether it is a shared library, whose prefix and suffix may be left out.
    pub library: bool,
    /// Whether a folder may stand in its place: Java's classes.
    pub folder: bool,
    /// What it is compiled from; `None` where the file is the source.
    pub compiled: Option<Compiled>,
    /// A path, as an example.
    pub example: &'static str,
}

/// What a compiled file is made from.
#[derive(Clone, Copy, Debug)]
pub struct Compiled {
    /// How the files end that are not to be named.
    pub sources: &'static [&'static str],
    /// What is to be named instead: `the assembly, as in "build/NAME.dll"`.
    pub instead: &'static str,
}

/// Takes each line of what is found.
pub type Say<'a> = &'a mut dyn FnMut(String);

/// What a guest's module does for this table.
#[derive(Clone, Copy)]
pub(crate) struct Runtime {
    pub(crate) start: fn(&Options) -> Result<Arc<dyn Host>, Error>,
    /// Says line by line what is found, starts it and runs a handler.
    pub(crate) examine: fn(&Options, Say<'_>) -> Result<(), Error>,
}

/// Where the runtimes are, and what to do when one of them ends the process.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// Of C#.
    #[cfg(feature = "clr")]
    pub clr: clr::ClrOptions,
    /// Of Python.
    #[cfg(feature = "python")]
    pub python: python::PythonOptions,
    /// Of Java.
    pub java: JavaOptions,
    /// Of Node.
    #[cfg(feature = "node")]
    pub node: node::NodeOptions,
    /// Of WebAssembly.
    #[cfg(feature = "wasm")]
    pub wasm: wasm::WasmOptions,
    /// The host of handlers in processes of their own: what starts the guests that have no other.
    pub processes: Processes,
    /// Called, on whatever thread, when an exception that nobody has caught is about to end the process, by the
    /// guests that can tell.
    pub on_unhandled: Option<fn()>,
    /// Whether the program was there first and keeps its handlers of signals, whatever a runtime would install
    /// (`program_signals`).
    pub keeps_signals: bool,
}

/// A host of handlers in processes of their own, if there is one.
#[derive(Clone, Default)]
pub struct Processes(pub Option<Arc<dyn Host>>);

impl fmt::Debug for Processes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "a host" } else { "none" })
    }
}

/// All guests, in the order in which people are told of them.
pub static GUESTS: [&KnownGuest; 6] = [&NATIVE, &CSHARP, &JAVA, &PYTHON, &NODE, &WASM];

/// Shared libraries.
pub static NATIVE: KnownGuest = KnownGuest {
    name: "native",
    language: "Rust",
    called: "native",
    about: "Shared libraries written in Rust",
    file: File {
        kind: "shared library",
        this_is: "a native library",
        extensions: &["so", "dylib"],
        library: true,
        folder: false,
        compiled: Some(Compiled { sources: &["rs", "toml"], instead: "the library, as in \"build/NAME\"" }),
        example: "build/count",
    },
    class: "the name that the library exports it by",
    example: "counter",
    turn: 0,
    apart: false,
    bounded: false,
    on_demand: None,
    #[cfg(feature = "native")]
    runtime: Some(native::RUNTIME),
    #[cfg(not(feature = "native"))]
    runtime: None,
    feature: "native",
};

/// C#.
pub static CSHARP: KnownGuest = KnownGuest {
    name: "csharp",
    language: "C#",
    called: "C#",
    about: "C#, on .NET",
    file: File {
        kind: "assembly",
        this_is: "an assembly",
        extensions: &["dll"],
        library: false,
        folder: false,
        compiled: Some(Compiled {
            sources: &["cs", "csproj"],
            instead: "the assembly, as in \"build/NAME.dll\"",
        }),
        example: "build/count.dll",
    },
    class: "the full name of the class, as in \"WordCount.Splitter\"",
    example: "WordCount.Counter",
    turn: 3,
    apart: false,
    bounded: false,
    on_demand: None,
    #[cfg(feature = "clr")]
    runtime: Some(clr::RUNTIME),
    #[cfg(not(feature = "clr"))]
    runtime: None,
    feature: "clr",
};

/// Java. Its turn is before C#'s: with a CLR that was there first, it ends the process at its first
/// NullPointerException.
pub static JAVA: KnownGuest = KnownGuest {
    name: "java",
    language: "Java",
    called: "Java",
    about: "Java, on a JDK or JRE",
    file: File {
        kind: "jar",
        this_is: "a jar",
        extensions: &["jar"],
        library: false,
        folder: true,
        compiled: Some(Compiled {
            sources: &["java", "class"],
            instead: "the jar, or the folder of its classes, as in \"build/NAME.jar\"",
        }),
        example: "build/count.jar",
    },
    class: "the full name of the class, as in \"wordcount.Splitter\"",
    example: "wordcount.Counter",
    turn: 2,
    apart: false,
    bounded: false,
    on_demand: None,
    #[cfg(feature = "java")]
    runtime: Some(java::RUNTIME),
    #[cfg(not(feature = "java"))]
    runtime: None,
    feature: "java",
};

/// Python.
pub static PYTHON: KnownGuest = KnownGuest {
    name: "python",
    language: "Python",
    called: "Python",
    about: "Python",
    file: File {
        kind: "file",
        this_is: "Python",
        extensions: &["py"],
        library: false,
        folder: false,
        compiled: None,
        example: "count.py",
    },
    class: "the name of the class",
    example: "Counter",
    turn: 1,
    apart: false,
    bounded: false,
    on_demand: None,
    #[cfg(feature = "python")]
    runtime: Some(python::RUNTIME),
    #[cfg(not(feature = "python"))]
    runtime: None,
    feature: "python",
};

/// JavaScript and TypeScript.
pub static NODE: KnownGuest = KnownGuest {
    name: "node",
    language: "JavaScript",
    called: "JavaScript",
    about: "JavaScript and TypeScript, on Node",
    file: File {
        kind: "module",
        this_is: "JavaScript",
        extensions: &["mjs", "js", "cjs", "ts", "mts"],
        library: false,
        folder: false,
        compiled: None,
        example: "count.mjs",
    },
    class: "the name of the class that the file exports",
    example: "Counter",
    turn: 4,
    apart: true,
    bounded: false,
    on_demand: None,
    #[cfg(feature = "node")]
    runtime: Some(node::RUNTIME),
    #[cfg(not(feature = "node"))]
    runtime: None,
    feature: "node",
};

/// WebAssembly.
pub static WASM: KnownGuest = KnownGuest {
    name: "wasm",
    language: "WebAssembly",
    called: "WebAssembly",
    about: "WebAssembly, from Rust, C or another language",
    file: File {
        kind: "module",
        this_is: "WebAssembly",
        extensions: &["wasm"],
        library: false,
        folder: false,
        compiled: Some(Compiled { sources: &["wat"], instead: "the module, as in \"build/NAME.wasm\"" }),
        example: "build/count.wasm",
    },
    class: "the name that the module has it by",
    example: "counter",
    turn: 5,
    apart: false,
    bounded: true,
    on_demand: Some("cargo xtask build --wasm"),
    #[cfg(feature = "wasm")]
    runtime: Some(wasm::RUNTIME),
    #[cfg(not(feature = "wasm"))]
    runtime: None,
    feature: "wasm",
};

impl File {
    /// The file that a path names: of a library `build/count` is `build/libcount.so` on Linux.
    #[must_use]
    pub fn named(&self, path: PathBuf) -> PathBuf {
        match path.file_name().and_then(|name| name.to_str()) {
            Some(name) if self.library && path.extension().is_none() => {
                let name = format!("{DLL_PREFIX}{name}{DLL_SUFFIX}");
                path.with_file_name(name)
            }
            _ => path,
        }
    }
}

impl KnownGuest {
    /// The guest of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static KnownGuest> {
        GUESTS.into_iter().find(|guest| guest.name == name)
    }

    /// Whether this program was built with it.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        self.runtime.is_some()
    }

    /// Starts its runtime, or finds the one that runs already.
    ///
    /// # Errors
    ///
    /// The runtime is not on this machine, does not start, or is not part of this program.
    pub fn start(&self, options: &Options) -> Result<Arc<dyn Host>, Error> {
        (self.runtime()?.start)(options)
    }

    /// Starts it and runs a handler, to see whether everything really works. `say` is called with each line of what
    /// is found on the way, as soon as it is.
    ///
    /// # Errors
    ///
    /// As [`KnownGuest::start`], or the handler did not run.
    pub fn examine(&self, options: &Options, say: Say<'_>) -> Result<(), Error> {
        (self.runtime()?.examine)(options, say)
    }

    fn runtime(&self) -> Result<&Runtime, Error> {
        self.runtime.as_ref().ok_or_else(|| {
            let KnownGuest { name, feature, .. } = self;
            let command = match self.on_demand {
                Some(build) => format!("`{build}` builds the `upcall` and the `libupcall` that have it; "),
                None => String::new(),
            };
            let message = format!(
                "start {name}: this program was built without it; {command}a program in Rust turns on the feature `{name}` of upcall, or \
                 `{feature}` of upcall-host"
            );
            Error::new(ErrorKind::RuntimeMissing, message)
        })
    }
}

impl fmt::Debug for KnownGuest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Starts the guests that are `needed`, by their names, in the order in which runtimes may start in one process. A
/// name that no guest has is left to whoever looks for its host, and so are those whose handlers run in processes.
///
/// # Errors
///
/// As [`KnownGuest::start`], for the first that does not start.
pub fn start(needed: &[impl AsRef<str>], options: &Options) -> Result<Vec<Arc<dyn Host>>, Error> {
    let needed = |guest: &&KnownGuest| !guest.apart && needed.iter().any(|name| name.as_ref() == guest.name);
    let mut guests: Vec<&KnownGuest> = GUESTS.into_iter().filter(needed).collect();
    guests.sort_by_key(|guest| guest.turn);
    guests.into_iter().map(|guest| guest.start(options)).collect()
}

/// Says which runtime was found, or where it was looked for.
#[cfg(any(feature = "clr", feature = "java", feature = "node", feature = "python"))]
pub(crate) fn say_located<T>(located: &crate::Located<T>, found: impl FnOnce(&T) -> String, say: Say<'_>) {
    match &located.runtime {
        Some(runtime) => say(format!("found: {}", found(runtime))),
        None => {
            say("not found; looked at:".into());
            located.looked.iter().for_each(|looked| say(format!("  {}: {}", looked.place, looked.found)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_turns_and_extensions_are_of_one_guest_each() {
        let names: HashSet<&str> = GUESTS.iter().map(|guest| guest.name).collect();
        let turns: HashSet<u8> = GUESTS.iter().map(|guest| guest.turn).collect();
        assert_eq!((names.len(), turns.len()), (GUESTS.len(), GUESTS.len()));
        let extensions: Vec<&str> = GUESTS.iter().flat_map(|guest| guest.file.extensions).copied().collect();
        assert_eq!(extensions.iter().collect::<HashSet<_>>().len(), extensions.len(), "{extensions:?}");
    }

    #[test]
    fn a_guest_that_is_not_part_of_the_program_says_which_feature_it_is() {
        for guest in GUESTS.into_iter().filter(|guest| guest.runtime.is_none()) {
            let Err(error) = guest.start(&Options::default()) else { panic!("{guest:?} started") };
            assert!(error.to_string().contains(&format!("`{}` of upcall-host", guest.feature)), "{error}");
            let build = guest
                .on_demand
                .map(|build| format!("`{build}` builds the `upcall` and the `libupcall` that have it"));
            assert!(build.is_none_or(|build| error.to_string().contains(&build)), "{error}");
        }
    }
}
