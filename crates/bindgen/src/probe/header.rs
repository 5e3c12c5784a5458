use std::path::PathBuf;

/// What a C front end knows beside the [`crate::model::Api`]: how clang reads the headers, and how each
/// type, field and constant is spelled in C.
///
/// What is `None` here keeps what the front end has put into the model (an anonymous struct has no
/// spelling; libclang has its layout).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeaderPlan {
    /// C text before the table: `#include` lines with absolute paths.
    pub prelude: String,
    /// Arguments for clang: `-I`, `-D`, `-std=c17`. The target comes from the [`crate::model::Api`].
    pub arguments: Vec<String>,
    /// The clang to run. `None`: `CLANG_PATH`, then `clang` on the path.
    pub clang: Option<PathBuf>,
    /// One for each of [`crate::model::Api::types`].
    pub types: Vec<Option<HeaderType>>,
    /// One for each of [`crate::model::Api::constants`]: an expression, usually its name. The kind of the
    /// value is read from the placeholder, as in [`super::Plan`].
    pub constants: Vec<Option<String>>,
}

/// How a type is spelled in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderType {
    /// `struct point`, `point_t`, `__typeof__(((struct outer *)0)->inner)`.
    pub text: String,
    /// One for each field of a struct or union: what comes after the dot (`inner.x`). A bitfield's shift and
    /// width are measured too, its storage unit is the front end's.
    /// One for each variant of an enum: an expression, usually its name.
    pub members: Vec<Option<String>>,
}
