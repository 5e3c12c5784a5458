/// The number of an error, for callers of an exported function who want more than its message.
///
/// An enum with `#[derive(upcall::Enum)]` needs none: its variants have numbers. Any other error type without it has the
/// number 1 ([`upcall_abi::Failure::FAILED`]). Negative numbers are Upcall's own.
///
/// ```
/// #[derive(Debug)]
/// enum OpenError {
///     NotFound,
///     Locked,
/// }
/// # impl std::fmt::Display for OpenError {
/// #     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
/// #         f.write_str("open")
/// #     }
/// # }
///
/// impl upcall::Code for OpenError {
///     fn code(&self) -> i32 {
///         match self {
///             OpenError::NotFound => 2,
///             OpenError::Locked => 3,
///         }
///     }
/// }
///
/// #[upcall::export]
/// fn open(path: &str) -> Result<u64, OpenError> {
///     if path.is_empty() { Err(OpenError::NotFound) } else { Err(OpenError::Locked) }
/// }
/// ```
pub trait Code {
    /// The same for the same kind of error, always.
    fn code(&self) -> i32;
}
