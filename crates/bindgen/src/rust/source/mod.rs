//! Source files as modules full of items, with everything out of the way that only a compiler knows: `cfg` is
//! decided, `include!` is done, and what macros make is there.

mod cfg;
mod compiler;
mod docs;
mod expand;
mod flags;
mod load;
mod macros;
mod merge;
mod nested;
mod package;
mod spans;
mod strip;
mod text;
mod walk;

pub use load::load;

use crate::probe::Spot;
use std::path::Path;
use std::sync::Arc;

/// A crate, or a file without a package.
pub struct Crate {
    /// As `use` names it; `crate` for a file without a package.
    pub name: String,
    /// What the probe compiles.
    pub source: crate::probe::Source,
    /// The root is the first.
    pub modules: Vec<Module>,
    /// Whether what `cfg` leaves in needs the output of the build script.
    pub reads_out_dir: bool,
    /// What the target does to functions.
    pub calls: Calls,
}

/// How functions are called and named on a target.
#[derive(Clone, Copy)]
pub struct Calls {
    /// Whether `extern "system"` is `extern "C"`: on Windows for 32-bit x86 it is `stdcall`.
    pub system_is_c: bool,
    /// Whether the linker has `_` before the names of C, which `dlsym` and the like are not given.
    pub underscore: bool,
}

/// One module.
pub struct Module {
    /// Names from the root on; empty for the root.
    pub path: Vec<String>,
    /// Whether it is `pub`.
    pub public: bool,
    /// Whether it is seen only where it is declared, and within.
    pub private: bool,
    /// An index into [`Crate::modules`].
    pub parent: Option<usize>,
    /// Name and index of the modules in it.
    pub children: Vec<(String, usize)>,
    /// Where probe code goes.
    pub spot: Spot,
    /// How many of the last names of the path are modules that a macro makes: `spot` is then that of the module
    /// around them, and the rest of the path leads on from there.
    pub made: usize,
    /// Everything in it but modules. What `cfg` leaves out, here and within items, is gone.
    pub items: Vec<Item>,
}

/// An item and the file that it is written in, which may have been included.
pub struct Item {
    /// The item. A macro's invocation is here only if it is `bitflags!`.
    pub item: syn::Item,
    /// Where its spans count.
    pub file: Arc<Path>,
    /// For what another macro makes: the line and column of the macro's invocation in `file`.
    pub made_at: Option<(usize, usize)>,
    /// Whether it is within a body that declares names of its own: what its types mean is not known.
    pub hidden: bool,
}
