use upcall_abi::{Blit, SliceMut};

/// A column as other languages see it: what they write into it is an element, whatever it is.
pub fn span<C: Blit>(column: &mut [C]) -> SliceMut<C> {
    column.into()
}
