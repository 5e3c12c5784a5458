//! The Java back end.
//!
//! Two mechanisms behind one surface: `java.lang.foreign` for JDK 22 and later, and a JNI library for 17.
//!
//! | in the model | in Java |
//! | --- | --- |
//! | functions | static methods of one class, which inherits from others if there are too many for one |
//! | structs, unions, enums with data | a class over a `MemorySegment`, with typed accessors and a `LAYOUT` |
//! | enums and flags | numbers, with a class of constants; on request a Java `enum` beside them |
//! | callbacks | functional interfaces; a `Kept` one if native code keeps it without saying so |
//! | handles | classes, `AutoCloseable` if something releases them |
//! | pointers to these and to structs | objects of their classes; null where the source allows it |
//! | other pointers | `MemorySegment`s, or arrays, `String`s and `ByteBuffer`s that are copied for the call |
//! | packed types | records, in a package `pack` that does not depend on the rest |
//!
//! Java has no unsigned numbers: those have the signed type of the same width, and the comment says so.
//!
//! The library is found through the property `<library>.library`, the environment variable `<LIBRARY>_LIBRARY`,
//! beside the classes or their jar, on `java.library.path`, and where the system looks. The shim is looked up
//! beside the library first, or named by `<library>.library.shim`; the glue of JNI likewise by
//! `<library>.library.jni`. With `java.lang.foreign`, start programs with `--enable-native-access`, or Java
//! warns about them.
//!
//! What a callback throws is kept while native code continues with zeros. It is thrown when the native call returns:
//! in the call that was given the callback, in the next one to return on the thread it was thrown on, or
//! when a kept callback is closed. A kept callback is not called after it was closed: native code that tries gets
//! zeros, and the program gets an `IllegalStateException` in the same way.

mod backend;
mod call;
mod callback;
mod changes;
pub mod check;
mod classes;
mod constants;
mod descriptor;
mod exceptions;
mod function;
mod handle;
mod heap;
pub mod jdk;
mod jni;
mod layout;
mod limits;
mod lines;
mod names;
mod number;
mod record;
mod runtime;
mod scalar;
mod surface;
mod tagged;

use self::lines::{Docs, escape, literal};
use crate::model::Api;
use crate::{Diagnostics, File};
use std::collections::BTreeMap;
use upcall_packers::{Comment, Spelling};

/// Options of the Java back end.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// The package of the classes. `None`: the library's name in lower case.
    pub package: Option<String>,
    /// The class that holds the functions. `None`: the library's name in upper camel case.
    pub class: Option<String>,
    /// How to reach native code.
    pub mechanism: Mechanism,
    /// Functions (by their names in the source) that return within a microsecond and call nothing back: the
    /// thread keeps its state, and arrays on the heap may be passed where they take pointers
    /// (`Linker.Option.critical(true)`). JNI has nothing like it and ignores this.
    pub critical: Vec<String>,
    /// Whether the class of each enum has a Java `enum` named `Known`.
    pub enums: bool,
    /// Handles (by their names in the source) that may be released from any thread: a forgotten one is released
    /// by a `Cleaner`, some time after its last use.
    pub cleaned: Vec<String>,
    /// What releases handles of C: the function by the handle, both by their names in the source. The handle's class
    /// becomes `AutoCloseable`.
    pub released: BTreeMap<String, String>,
    /// What is taken off the names of types, functions and constants: of several that fit, the first.
    pub prefixes: Vec<String>,
    /// Whether functions whose first parameter points to a handle are methods of its class too, as those of Rust that
    /// are written so are.
    pub methods: bool,
    /// Whether types carry the annotations of JSpecify (`@NullMarked`, `@Nullable`); the program then needs
    /// `org.jspecify:jspecify` to compile.
    pub jspecify: bool,
    /// The name of a module for the package: writes `module-info.java` beside the package's folders.
    pub module: Option<String>,
    /// Java names of types and functions, by their names in the source, for names that would clash.
    pub renamed: BTreeMap<String, String>,
}

/// How native code is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mechanism {
    /// `java.lang.foreign`, JDK 22 and later.
    #[default]
    Ffm,
    /// A glue library that is generated too (a Rust crate in `jni/`), JDK 17 and later. The package has its own
    /// `MemorySegment`, `Arena`, `SegmentAllocator` and `ValueLayout`, so that programs differ only in their
    /// imports. A callback has room for 64 functions at a time, and all symbols are looked up when the library is
    /// loaded.
    Jni,
}

/// The package's files, below the package's folders; and, where a value cannot be passed as it is, the crate
/// of a shim library in `shim/`.
pub fn generate(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<File> {
    let packers = packers(api, options, diagnostics);
    if api.only_packs() {
        return packers;
    }
    let mut files = classes::generate(api, options, diagnostics);
    files.extend(packers);
    files
}

fn packers(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<File> {
    let package = options.package.clone().unwrap_or_else(|| names::package_name(&api.library));
    let comment = |comment: &Comment<'_>| {
        let docs = Docs::new(comment.text, comment.deprecated);
        let tagged = comment.params.iter().fold(docs, |docs, (name, text)| {
            docs.tag(format!("@param {name} {}", escape(text).replace('\n', " ")).trim_end())
        });
        tagged.to_string()
    };
    let spelling = Spelling {
        type_name: &names::type_name,
        member: &names::member_name,
        variant: &names::constant_name,
        literal: &literal,
        comment: &comment,
    };
    let settings = upcall_packers::java::Settings { spelling, package: &package, renamed: &options.renamed };
    upcall_packers::java::files(&api.packed, &settings, diagnostics)
}
