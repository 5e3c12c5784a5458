use crate::Code;
use upcall_abi::Failure;

/// An error whose type may implement [`Code`].
///
/// `(&Coded(&error)).code()` finds [`WithCode`] before [`WithoutCode`], which is a reference further away:
/// the choice that the language has no other way to make.
pub struct Coded<'a, E>(pub &'a E);

/// The error knows its number.
pub trait WithCode {
    /// Its number.
    fn code(&self) -> i32;
}

impl<E: Code> WithCode for Coded<'_, E> {
    fn code(&self) -> i32 {
        self.0.code()
    }
}

/// The error does not.
pub trait WithoutCode {
    /// The number of all such errors.
    fn code(&self) -> i32;
}

impl<E> WithoutCode for &Coded<'_, E> {
    fn code(&self) -> i32 {
        Failure::FAILED
    }
}
