use super::{Place, Ty, TypeId};

/// A function with a C ABI.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// The source's name; unique in its API.
    pub name: String,
    /// The exported symbol.
    pub symbol: String,
    /// What it takes and returns.
    pub signature: Signature,
    /// Whether one more parameter follows those of `signature`: `failure: *mut *mut Failure`, null before
    /// the call. If it is not null afterwards, the call failed, the result is all zeros, and the failure
    /// must be read, released with `upcall_failure_release`, and thrown.
    pub fallible: bool,
    /// The name of the error type of its `Result`, if that is a type of its own (no text, no trait object, no generic):
    /// failures whose code is not negative are of it. Names of such types need not be unique.
    pub error: Option<String>,
    /// Set if it belongs to a type: shown as a member there.
    pub member: Option<Member>,
    /// Paragraphs, without comment signs.
    pub docs: String,
    /// The text of `#[deprecated]`, which may be empty.
    pub deprecated: Option<String>,
    /// Where it is written.
    pub place: Place,
    /// Where its code is.
    pub linkage: Linkage,
}

impl Function {
    /// What it does for the type it belongs to.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        self.member.as_ref().map(|member| member.role)
    }
}

/// Parameters and result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Signature {
    /// In order, without a fallible function's last one.
    pub params: Vec<Param>,
    /// [`Ty::Unit`] for none.
    pub ret: Ty,
    /// Whether any number of arguments may follow (C's `...`).
    pub variadic: bool,
    /// For a callback: the index of the `void*` parameter that carries the context back, if there is one.
    pub context: Option<u32>,
    /// For a callback: whether it may be kept beyond the call that it is passed to, and be called from any thread. The
    /// parameter with [`Param::release_of`] releases its context then, exactly once, whatever becomes of the call.
    pub kept: bool,
}

impl Signature {
    /// The types of the parameters and of the result.
    pub fn types(&self) -> impl Iterator<Item = &Ty> {
        self.params.iter().map(|param| &param.ty).chain([&self.ret])
    }

    /// The index of the parameter that carries the context of the callback at this index.
    #[must_use]
    pub fn context_of(&self, callback: usize) -> Option<usize> {
        self.params.iter().position(|param| param.context_of == Some(callback as u32))
    }
}

/// One parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Param {
    /// The source's name, or `arg0` and so on.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// For a `void*` that a callback gets back: the index of that callback's parameter in the same
    /// signature. A back end fills it in itself.
    pub context_of: Option<u32>,
    /// For the function that takes a kept callback's context back, null for none: the index of that callback's parameter
    /// in the same signature. A back end fills it in itself.
    pub release_of: Option<u32>,
}

/// How a function belongs to a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The type.
    pub of: TypeId,
    /// What it does there.
    pub role: Role,
    /// Its name there (`insert`, where the function is called `context_insert`).
    pub name: String,
}

/// What a member does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Returns a new, owned value.
    Constructor,
    /// Takes its first parameter back and frees it.
    Release,
    /// Takes its first parameter by pointer.
    Method,
    /// Takes none.
    Static,
}

/// Where a function's code is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Linkage {
    /// In the library itself.
    #[default]
    Library,
    /// In the library `<library>_inline`, compiled from `shims.c`: `static inline` and variadic C functions.
    Inline,
    /// In the library `<library>_shim`, compiled from generated Rust: values that a language cannot pass itself.
    Shim,
}
