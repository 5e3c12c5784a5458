//! The kinds of functions that native code calls.

use crate::model::Signature;

/// Signatures, each once, in the order in which they were asked for; with each the place of the parameter that says which
/// callback is called, where there is one.
#[derive(Default)]
pub(crate) struct Signatures(Vec<(Signature, Option<u32>)>);

impl Signatures {
    /// The place of a signature, and whether it is new.
    pub fn place(&mut self, signature: &Signature, context: Option<u32>) -> (usize, bool) {
        let known = self.0.iter().position(|(known, of)| known == signature && *of == context);
        let place = known.unwrap_or_else(|| {
            self.0.push((signature.clone(), context));
            self.0.len() - 1
        });
        (place, known.is_none())
    }

    /// The signature at a place: whoever writes them, one after the other, may add more.
    pub fn get(&self, place: usize) -> Option<&(Signature, Option<u32>)> {
        self.0.get(place)
    }
}
