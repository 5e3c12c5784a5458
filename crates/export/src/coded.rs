use crate::Code;
use upcall_abi::{Failure, Numbered};

/// An error whose type may implement [`Code`], or be an enum of numbers.
///
/// `(&&Coded(&error)).code()` finds [`WithCode`] first, which takes what stands there; then [`WithNumber`], which takes a
/// reference to it; then [`WithoutCode`], which is behind one: the choice that the language has no other way to make.
pub struct Coded<'a, E>(pub &'a E);

/// The error says its number.
pub trait WithCode {
    /// Its number.
    fn code(&self) -> i32;
}

impl<E: Code> WithCode for &Coded<'_, E> {
    fn code(&self) -> i32 {
        self.0.code()
    }
}

/// The error is an enum whose variants have numbers.
pub trait WithNumber {
    /// The variant's number. Negative ones are Upcall's own.
    fn code(&self) -> i32;
}

impl<E: Numbered> WithNumber for &&Coded<'_, E> {
    fn code(&self) -> i32 {
        i32::try_from(self.0.number()).ok().filter(|number| *number >= 0).unwrap_or(Failure::FAILED)
    }
}

/// The error has none.
pub trait WithoutCode {
    /// The number of all such errors.
    fn code(&self) -> i32;
}

impl<E> WithoutCode for Coded<'_, E> {
    fn code(&self) -> i32 {
        Failure::FAILED
    }
}
