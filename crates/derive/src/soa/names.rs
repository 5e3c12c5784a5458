use quote::format_ident;
use syn::Ident;
use syn::ext::IdentExt;

/// The names of what the derive makes.
pub struct Names {
    pub fixed: Ident,
    pub vec: Ident,
    pub slice: Ident,
    pub slice_mut: Ident,
    pub row: Ident,
    pub row_mut: Ident,
    pub columns: Ident,
    pub columns_mut: Ident,
    pub fields: Ident,
    pub spans: Ident,
    pub tag: Ident,
    pub payload: Ident,
}

impl Names {
    pub fn of(name: &Ident) -> Names {
        let with = |suffix: &str| format_ident!("{}{suffix}", name.unraw(), span = name.span());
        Names {
            fixed: with("Soa"),
            vec: with("SoaVec"),
            slice: with("Slice"),
            slice_mut: with("SliceMut"),
            row: with("Ref"),
            row_mut: with("RefMut"),
            columns: with("Columns"),
            columns_mut: with("ColumnsMut"),
            fields: with("Fields"),
            spans: with("Spans"),
            tag: with("Tag"),
            payload: with("Payload"),
        }
    }
}
