use syn::{Attribute, Ident, Token, punctuated::Punctuated};

/// What a type's `#[repr(…)]` attributes promise about its layout.
#[derive(Default)]
pub struct Repr {
    /// `C` or `transparent`: the order and the places of the fields are defined.
    pub defined: bool,
    /// `packed`: fields may be unaligned.
    pub packed: bool,
    /// The largest alignment of a field under `packed`.
    pub packed_to: Option<usize>,
    /// The integer of an enum.
    pub integer: Option<Ident>,
}

impl Repr {
    pub fn of(attributes: &[Attribute]) -> syn::Result<Repr> {
        let mut repr = Repr::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("repr")) {
            let hints = attribute.parse_args_with(Punctuated::<syn::Meta, Token![,]>::parse_terminated)?;
            for hint in &hints {
                repr.defined |= hint.path().is_ident("C") || hint.path().is_ident("transparent");
                if hint.path().is_ident("packed") {
                    repr.packed = true;
                    repr.packed_to = Some(match hint {
                        syn::Meta::List(list) => list.parse_args::<syn::LitInt>()?.base10_parse()?,
                        _ => 1,
                    });
                }
                repr.integer = hint.path().get_ident().filter(is_integer).cloned().or(repr.integer);
            }
        }
        Ok(repr)
    }
}

fn is_integer(name: &&Ident) -> bool {
    const INTEGERS: [&str; 10] = ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize"];
    INTEGERS.iter().any(|integer| *name == integer)
}
