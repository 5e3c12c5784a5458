use super::{Declared, Function, Packed, PackedId, Place, Plan, Ty};
use std::collections::HashSet;

/// One API for one target.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Api {
    /// The shared library's name, without prefix and suffix (`physx` for `libphysx.so`).
    pub library: String,
    /// The target that the layouts were measured for.
    pub target: Target,
    /// Whether it is read from C, where the last values of a `size_t` are errors: `(size_t)-1`.
    pub from_c: bool,
    /// A type comes after those that it holds by value.
    pub types: Vec<Declared>,
    /// In the order of the source.
    pub functions: Vec<Function>,
    /// In the order of the source.
    pub constants: Vec<Constant>,
    /// In the order of the source.
    pub statics: Vec<Static>,
    /// Types that travel packed, in the order of the source.
    pub packed: Plan,
    /// What `#[upcall::export]` has written beside its functions, in order: a symbol, a tab, and what tells whether
    /// the function is still the same.
    pub fingerprints: Vec<String>,
}

/// What a layout depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// As rustc names it (`x86_64-unknown-linux-gnu`).
    pub triple: String,
    /// Bytes of an address.
    pub pointer: u64,
    /// Bytes of a C `long`.
    pub long: u64,
    /// Whether the most significant byte comes first.
    pub big_endian: bool,
}

impl Default for Target {
    fn default() -> Target {
        Target { triple: "x86_64-unknown-linux-gnu".into(), pointer: 8, long: 8, big_endian: false }
    }
}

/// A name for a value that never changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Unique in its API; an associated constant is prefixed with its type (`Point_ORIGIN`).
    pub name: String,
    /// The public modules it is in, its type if it belongs to one, and its own name there. Empty in C.
    pub path: Vec<String>,
    /// Its type: a scalar, or a pointer to `u8` for text.
    pub ty: Ty,
    /// Measured.
    pub value: Value,
    /// Paragraphs, without comment signs.
    pub docs: String,
    /// Where it is written.
    pub place: Place,
}

/// The value of a [`Constant`].
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Within the range of its type, except `u128` above `i128::MAX`.
    Int(i128),
    /// A `u128` above `i128::MAX`.
    Big(u128),
    /// The bits of an `f32` widened exactly, or of an `f64`; NaN and infinities included.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// One character.
    Char(char),
    /// `&str`.
    Str(String),
    /// `&CStr`, without the final zero; not always UTF-8.
    CStr(Vec<u8>),
}

/// A variable with an exported symbol.
#[derive(Clone, Debug, PartialEq)]
pub struct Static {
    /// The source's name.
    pub name: String,
    /// The exported symbol.
    pub symbol: String,
    /// Its type.
    pub ty: Ty,
    /// Whether it may be written.
    pub mutable: bool,
    /// Paragraphs, without comment signs.
    pub docs: String,
    /// Where it is written.
    pub place: Place,
}

impl Api {
    /// The packed type.
    #[must_use]
    pub fn packed(&self, id: PackedId) -> &Packed {
        self.packed.packed(id)
    }

    /// Whether there are only packed types: packers need no library and no layouts.
    #[must_use]
    pub fn only_packs(&self) -> bool {
        let nothing = self.types.is_empty() && self.functions.is_empty();
        nothing && self.constants.is_empty() && self.statics.is_empty() && !self.packed.is_empty()
    }

    /// The fingerprints of these functions: what the library's `upcall_changes` is asked when
    /// it is loaded. None: nothing is known of what the library exports.
    pub fn fingerprints_of<'a>(&'a self, functions: &[&Function]) -> Vec<&'a str> {
        let symbols: HashSet<&str> = functions.iter().map(|function| function.symbol.as_str()).collect();
        let of = |line: &&String| line.split_once('\t').is_some_and(|(symbol, _)| symbols.contains(symbol));
        self.fingerprints.iter().filter(of).map(String::as_str).collect()
    }
}
