//! Source files as modules full of items, with everything resolved that otherwise only a compiler knows: `cfg` is
//! decided, `include!` is done, and the items that macros make are present.

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
mod script;
mod spans;
mod strip;
mod text;
mod walk;

pub use cfg::Told;
pub use load::load;
pub(crate) use load::load_all;
pub(crate) use macros::words;
pub(crate) use script::is_settled;
pub(crate) use strip::attributes;

use crate::probe::Spot;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// A crate, or a file without a package.
pub struct Crate {
    /// As `use` names it; `crate` for a file without a package.
    pub name: String,
    /// Dependencies that the crate knows by another name than their own, by that name.
    pub renamed: HashMap<String, String>,
    /// What the probe compiles.
    pub source: crate::probe::Source,
    /// The root comes first.
    pub modules: Vec<Module>,
    /// What was decided of `cfg` predicates.
    pub decided: Vec<(String, bool)>,
    /// Whether the package's build script runs: it may set flags that the source asks for, or make what it reads.
    pub runs_script: bool,
    /// The target's effect on functions.
    pub calls: Calls,
}

/// How functions are called and named on a target.
#[derive(Clone, Copy)]
pub struct Calls {
    /// Whether `extern "system"` is `extern "C"`: on Windows for 32-bit x86 it is `stdcall`.
    pub system_is_c: bool,
    /// Whether the linker puts `_` before the names of C; `dlsym` and the like take them without it.
    pub underscore: bool,
}

/// One module.
pub struct Module {
    /// Names from the root on; empty for the root.
    pub path: Vec<String>,
    /// Whether it is `pub`.
    pub public: bool,
    /// Whether it is visible only where it is declared, and within.
    pub private: bool,
    /// An index into [`Crate::modules`].
    pub parent: Option<usize>,
    /// Names and indices of the modules in it.
    pub children: Vec<(String, usize)>,
    /// Where probe code goes.
    pub spot: Spot,
    /// How many of the last names in the path are modules made by a macro: `spot` is then that of the module
    /// around them, and the rest of the path starts there.
    pub made: usize,
    /// Everything in it except modules. What `cfg` leaves out, here and within items, is gone.
    pub items: Vec<Item>,
}

/// An item and the file it is written in, which may be an included one.
pub struct Item {
    /// The item. A macro invocation is here only if it is `bitflags!`.
    pub item: syn::Item,
    /// The file that its spans refer to.
    pub file: Arc<Path>,
    /// For an item made by another macro: the line and column of the macro's invocation in `file`.
    pub made_at: Option<(usize, usize)>,
    /// Whether it is within a body that declares names of its own, so that the meaning of its types is not known.
    pub hidden: bool,
}

/// Adds an empty module, and returns its index.
fn add_module(
    modules: &mut Vec<Module>,
    parent: Option<usize>,
    name: String,
    vis: &syn::Visibility,
    spot: Spot,
) -> usize {
    let index = modules.len();
    let mut path = Vec::new();
    if let Some(parent) = parent {
        path.clone_from(&modules[parent].path);
        path.push(name.clone());
        modules[parent].children.push((name, index));
    }
    modules.push(Module {
        path,
        public: matches!(vis, syn::Visibility::Public(_)),
        private: crate::rust::lower::is_private(vis),
        parent,
        children: Vec::new(),
        spot,
        made: 0,
        items: Vec::new(),
    });
    index
}
