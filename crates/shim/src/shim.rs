use syn::{Attribute, Ident, Type};

/// The C function of an exported Rust function.
///
/// Its types are those of the C signature, spelled in Rust as one would write such a function by hand: the
/// structs of `upcall-abi` by their full path (`::upcall::abi::Str`), `&T`, `&mut T` and `Option<&T>` for
/// addresses, `Box<T>` for a handle that changes hands, `bool`, `char` and enums by their own names.
///
/// One thing the text of a function does not tell: a named type that it returns by value may be a handle, if
/// an exported `impl` block says so elsewhere. What crosses then is `Box<T>`. Whoever has read all items
/// knows the handles from the shims whose role is [`Role::Release`].
#[derive(Clone)]
pub struct Shim {
    /// The Rust function's name, `release` for one that has none.
    pub ident: Ident,
    /// The exported symbol, unique in a library.
    pub symbol: String,
    /// In order, without the failure.
    pub params: Vec<Param>,
    /// `()` for none.
    pub ret: Type,
    /// The `Result`, as the Rust function writes it, if it returns one.
    pub result: Option<Type>,
    /// Whether `failure: *mut *mut Failure` follows the parameters: of all but a release.
    pub fallible: bool,
    /// Set when it belongs to a type.
    pub member: Option<Member>,
    /// Those of the Rust function (docs, `deprecated`, `cfg`), without `export` itself.
    pub attributes: Vec<Attribute>,
}

/// A parameter of a [`Shim`].
#[derive(Clone)]
pub struct Param {
    /// The Rust parameter's name; `arg0` and so on where it has none.
    pub name: String,
    /// Its type in C.
    pub ty: Type,
    /// Set for the `void*` that goes back to a callback: the index of the callback's parameter.
    pub context_of: Option<usize>,
    /// Set for the function that takes a kept callback's context back: the index of the callback's parameter.
    pub release_of: Option<usize>,
    /// Set for a callback with a context: the index of the context among its own parameters.
    pub context: Option<usize>,
}

/// How a function belongs to a type.
#[derive(Clone)]
pub struct Member {
    /// The type, as the `impl` block names it.
    pub of: Type,
    /// Its name there.
    pub name: String,
    /// What it does there.
    pub role: Role,
}

/// What a member does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Returns a new one, owned by the caller.
    Constructor,
    /// Takes its only parameter back and frees it.
    Release,
    /// Takes one by reference, first.
    Method,
    /// Takes none.
    Static,
}
