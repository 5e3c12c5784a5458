use std::path::PathBuf;

/// Where a handler is: what a host needs to load it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandlerSpec {
    /// Its name in the flow, for messages and logs.
    pub name: String,
    /// The file: a shared library, a .NET assembly, a Python file.
    pub file: PathBuf,
    /// The handler in it: an exported name, a full class name.
    pub class: String,
}
