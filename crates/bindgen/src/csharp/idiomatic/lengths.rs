//! Memory whose length stands right behind it: `const void *src, size_t srcSize`.

use super::super::cx::Cx;
use crate::model::{Int, Param, Pointer, Signature, Ty};

/// What the name of a length adds to that of the memory, or ends with.
const WORDS: [&str; 5] = ["size", "len", "length", "capacity", "bytes"];

/// What the name of a number of values ends with.
const COUNTS: [&str; 2] = ["count", "num"];

impl Cx<'_> {
    /// Whether this parameter is bytes, and the next one certainly says how many; then whether they may be written.
    pub(super) fn sized(&self, signature: &Signature, index: usize) -> Option<bool> {
        let [memory, length] = signature.params.get(index..index + 2)? else { return None };
        let (void, mutable) = self.bytes(memory)?;
        if !self.is_size(length) {
            return None;
        }
        let [of, said] = [memory, length].map(|param| param.name.replace('_', "").to_lowercase());
        let named = said.strip_prefix(&of).is_some_and(|rest| WORDS.contains(&rest));
        // `void *ptr, size_t size` may be what `realloc` takes.
        let sized = WORDS.iter().any(|word| said.ends_with(word)) && !(void && mutable);
        (named || sized && self.in_pairs(signature)).then_some(mutable)
    }

    /// Whether the next parameter may say how many values are behind this one.
    pub(super) fn is_counted(&self, signature: &Signature, index: usize) -> bool {
        let Some(next) = signature.params.get(index + 1) else { return false };
        let name = next.name.to_lowercase();
        let said = COUNTS.iter().chain(&WORDS).any(|word| name.ends_with(word)) || name == "n";
        matches!(self.api.resolve(&next.ty), Ty::Int(_)) && (said || self.is_size(next))
    }

    /// Whether each size stands behind bytes, and behind all bytes there is one.
    fn in_pairs(&self, signature: &Signature) -> bool {
        let bytes = |param: &Param| self.bytes(param).is_some();
        let mut rest = &signature.params[..];
        loop {
            rest = match rest {
                [] => return true,
                [one, two, behind @ ..] if bytes(one) && self.is_size(two) => behind,
                [one, ..] if bytes(one) || self.is_size(one) => return false,
                [_, behind @ ..] => behind,
            };
        }
    }

    /// Whether a parameter is the address of bytes: whether of `void`, and whether they may be written.
    fn bytes(&self, param: &Param) -> Option<(bool, bool)> {
        let Ty::Pointer(Pointer { to, mutable, owned: false, .. }) = self.api.resolve(&param.ty) else {
            return None;
        };
        let void = *self.api.resolve(to) == Ty::Unit;
        let bytes = void || *self.api.resolve(to) == Ty::Int(Int::U8);
        (bytes && param.context_of.is_none()).then_some((void, *mutable))
    }

    fn is_size(&self, param: &Param) -> bool {
        *self.api.resolve(&param.ty) == Ty::Int(Int::Usize)
    }
}
