use crate::model::{Api, Body, Field, Place};

/// One question to the compiler. Indices are those of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// Bytes of an address.
    Pointer,
    /// Bytes of a C `long`.
    Long,
    /// Whether the most significant byte comes first.
    BigEndian,
    Size(usize),
    Align(usize),
    Offset(FieldAt),
    /// The size of a field's type, to compare with what the front end assumed.
    FieldSize(FieldAt),
    /// The value of an enum's or a tagged enum's variant, or of a flag.
    Variant {
        ty: usize,
        variant: usize,
    },
    Constant(usize),
    /// An array length that is an expression.
    Length(usize),
    /// One of the plan's values.
    Value(usize),
    /// Whether one of the plan's predicates holds.
    Cfg(usize),
    /// The fingerprints of exported functions, as the library will have them.
    Fingerprints,
}

/// A field of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FieldAt {
    pub ty: usize,
    /// Which of [`Body::field_lists`]: the variant of a tagged enum.
    pub list: usize,
    pub field: usize,
}

/// The object file's answer to an [`Ask`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Number(i128),
    Bytes(Vec<u8>),
}

impl FieldAt {
    pub fn get(self, api: &Api) -> Option<&Field> {
        api.types.get(self.ty)?.body.field_lists().get(self.list)?.get(self.field)
    }

    pub fn get_mut(self, api: &mut Api) -> Option<&mut Field> {
        let lists = api.types.get_mut(self.ty)?.body.field_lists_mut();
        lists.into_iter().nth(self.list)?.get_mut(self.field)
    }
}

impl Ask {
    /// What it is about and where that is written, for messages.
    pub fn about(self, api: &Api) -> (String, Option<Place>) {
        let of_type = |ty: usize| match api.types.get(ty) {
            Some(declared) => (format!("`{}`", declared.name), Some(declared.place.clone())),
            None => (format!("type {ty}"), None),
        };
        match self {
            Ask::Pointer | Ask::Long | Ask::BigEndian => ("the target".to_owned(), None),
            Ask::Size(ty) | Ask::Align(ty) | Ask::Variant { ty, .. } => of_type(ty),
            Ask::Offset(at) | Ask::FieldSize(at) => {
                let (name, place) = of_type(at.ty);
                let field = at.get(api).map_or("?", |field| &field.name);
                (format!("field `{field}` of {name}"), place)
            }
            Ask::Constant(index) => match api.constants.get(index) {
                Some(constant) => (format!("`{}`", constant.name), Some(constant.place.clone())),
                None => (format!("constant {index}"), None),
            },
            Ask::Value(index) => (format!("constant argument {index}"), None),
            Ask::Cfg(_) => ("a `cfg` of the source".to_owned(), None),
            Ask::Fingerprints => ("the section of fingerprints".to_owned(), None),
            Ask::Length(index) => (format!("array length {index}"), None),
        }
    }
}

/// All fields of a type's body, including those of a tagged enum's variants.
pub(super) fn fields(ty: usize, body: &Body) -> Vec<FieldAt> {
    let lists = body.field_lists().into_iter().enumerate();
    let at = |(list, fields): (usize, &Vec<Field>)| {
        (0..fields.len()).map(move |field| FieldAt { ty, list, field })
    };
    lists.flat_map(at).collect()
}
