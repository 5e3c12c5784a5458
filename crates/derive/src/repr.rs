use syn::{Attribute, Token, punctuated::Punctuated};

/// What a type's `#[repr(…)]` attributes promise about its layout.
#[derive(Clone, Copy, Default)]
pub struct Repr {
    /// `C` or `transparent`: the order and the places of the fields are defined.
    pub defined: bool,
    /// `packed`: fields may be unaligned.
    pub packed: bool,
}

impl Repr {
    pub fn of(attributes: &[Attribute]) -> syn::Result<Repr> {
        let mut repr = Repr::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("repr")) {
            let hints = attribute.parse_args_with(Punctuated::<syn::Meta, Token![,]>::parse_terminated)?;
            for hint in &hints {
                repr.defined |= hint.path().is_ident("C") || hint.path().is_ident("transparent");
                repr.packed |= hint.path().is_ident("packed");
            }
        }
        Ok(repr)
    }
}
