use quote::ToTokens;
use syn::Error;

/// An error at `place` that says what cannot be exported, why, and what to do instead.
pub fn refusal(place: impl ToTokens, why: &str) -> Error {
    Error::new_spanned(place, format!("cannot export: {why}"))
}

/// Gathers errors, so that a user sees all of them at once.
#[derive(Default)]
pub struct Refusals(Option<Error>);

impl Refusals {
    pub fn add(&mut self, error: Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            none => *none = Some(error),
        }
    }

    /// The value, or nothing and one error more.
    pub fn take<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    pub fn finish(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
