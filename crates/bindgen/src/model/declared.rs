use super::{Enum, Int, Layout, Place, Signature, Ty, Variant};

/// A type with a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declared {
    /// Unique in its API: the source's own name, with its module before it if two share one
    /// (`shapes_Point`), and a generic's arguments after it (`Slice_PxVec3`).
    pub name: String,
    /// How the source spells it, for docs and for code generated beside the source
    /// (`crate::shapes::Point`, `upcall_abi::Slice<crate::PxVec3>`, `struct point`).
    pub source: String,
    /// Paragraphs, without comment signs.
    pub docs: String,
    /// The text of `#[deprecated]`, which may be empty.
    pub deprecated: Option<String>,
    /// Where it is written.
    pub place: Place,
    /// Measured by the probe. `None` if it has no size: an alias, a callback, an opaque type.
    pub layout: Option<Layout>,
    /// What it is.
    pub body: Body,
    /// A struct that back ends can show as something better than a struct.
    pub idiom: Option<Idiom>,
}

/// What a declared type is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Body {
    /// Fields one after the other.
    Struct(Record),
    /// Fields that share their bytes.
    Union(Record),
    /// A number with names.
    Enum(Enum),
    /// A number whose bits have names (`bitflags!`, or a struct of one integer with associated constants).
    Flags(Flags),
    /// A Rust enum whose variants carry data, `#[repr(C)]` or `#[repr(u8)]` and friends (RFC 2195).
    Tagged(Tagged),
    /// Known by its address only. Zero-sized types are opaque too.
    #[default]
    Opaque,
    /// Another name for a type.
    Alias(Ty),
    /// A name for a C function's type.
    Callback {
        /// What it takes and returns.
        signature: Signature,
        /// Whether null is a valid value.
        nullable: bool,
    },
}

impl Body {
    /// Whether it is a struct, a union or a data-carrying enum.
    pub(crate) fn is_record(&self) -> bool {
        matches!(self, Body::Struct(_) | Body::Union(_) | Body::Tagged(_))
    }

    /// Its lists of fields: one, or for a tagged enum that of each variant.
    pub(crate) fn field_lists(&self) -> Vec<&Vec<Field>> {
        match self {
            Body::Struct(record) | Body::Union(record) => vec![&record.fields],
            Body::Tagged(tagged) => tagged.variants.iter().map(|variant| &variant.fields).collect(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn field_lists_mut(&mut self) -> Vec<&mut Vec<Field>> {
        match self {
            Body::Struct(record) | Body::Union(record) => vec![&mut record.fields],
            Body::Tagged(tagged) => tagged.variants.iter_mut().map(|variant| &mut variant.fields).collect(),
            _ => Vec::new(),
        }
    }

    /// Its fields; for a tagged enum, those of all variants.
    pub fn fields(&self) -> impl Iterator<Item = &Field> + Clone {
        let (own, variants): (&[Field], &[TaggedVariant]) = match self {
            Body::Struct(record) | Body::Union(record) => (&record.fields, &[]),
            Body::Tagged(tagged) => (&[], &tagged.variants),
            _ => (&[], &[]),
        };
        own.iter().chain(variants.iter().flat_map(|variant| &variant.fields))
    }
}

/// The fields of a struct or a union.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// In source order.
    pub fields: Vec<Field>,
    /// `packed(N)`.
    pub packed: Option<u64>,
    /// `align(N)`.
    pub align: Option<u64>,
    /// `#[repr(transparent)]`: passed as its only field that has a size.
    pub transparent: bool,
    /// Whether the fields have no names of their own; here they are called `0`, `1` and so on.
    pub tuple: bool,
}

/// One field.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The source's name, or its index.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Measured: bytes from the start of the whole type, also in a [`TaggedVariant`]. For a bitfield, the
    /// start of the storage unit that `bits` counts from.
    pub offset: u64,
    /// Set for a C bitfield, whose `ty` is the storage unit's integer type. The unit lies within its record,
    /// but may be unaligned and share bytes with other fields: an accessor changes its own bits only.
    pub bits: Option<Bits>,
    /// Paragraphs, without comment signs.
    pub docs: String,
    /// Whether the source makes it public. Private fields count in the layout only.
    pub public: bool,
}

/// A C bitfield within its storage unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    /// The lowest bit, counted from the least significant one of the storage unit.
    pub shift: u32,
    /// How many.
    pub width: u32,
    /// Whether the highest one is a sign bit.
    pub signed: bool,
    /// The type it is declared with: an integer, `bool` or an enum.
    pub of: Ty,
}

/// A set of named bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Flags {
    /// The integer that holds it.
    pub repr: Int,
    /// Its names, in source order.
    pub bits: Vec<Variant>,
    /// Whether a value may combine several of them. Otherwise it is one of them, or a number without a name.
    pub combine: bool,
}

/// An enum whose variants carry data.
#[derive(Clone, Debug, PartialEq)]
pub struct Tagged {
    /// The integer that holds the tag, which lies at offset 0.
    pub tag: Int,
    /// How the tag and the data are laid out.
    pub shape: TaggedShape,
    /// In source order.
    pub variants: Vec<TaggedVariant>,
}

impl Tagged {
    /// The fields of all variants.
    pub fn fields(&self) -> impl Iterator<Item = &Field> + Clone {
        self.variants.iter().flat_map(|variant| &variant.fields)
    }

    /// `tag`, with underscores where a variant or a field is called that.
    #[must_use]
    pub fn tag_name(&self) -> String {
        let variants = self.variants.iter().map(|variant| &variant.name);
        let taken = variants.chain(self.fields().map(|field| &field.name));
        let mut name = "tag".to_owned();
        while taken.clone().any(|taken| *taken == name) {
            name.push('_');
        }
        name
    }
}

/// The two layouts of RFC 2195.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaggedShape {
    /// `#[repr(C)]`, with or without an integer: a struct of the tag and a union of the variants' structs.
    TagThenUnion,
    /// `#[repr(u8)]` and friends: a union of structs, each of which begins with the tag.
    UnionOfTagged,
}

/// One variant of a [`Tagged`].
#[derive(Clone, Debug, PartialEq)]
pub struct TaggedVariant {
    /// The source's name.
    pub name: String,
    /// Measured: the tag's value.
    pub value: i128,
    /// Its data; offsets count from the start of the whole enum.
    pub fields: Vec<Field>,
    /// Whether the fields are called `0`, `1` and so on.
    pub tuple: bool,
    /// Paragraphs, without comment signs.
    pub docs: String,
}

/// Structs of `upcall-abi` that every back end shows in its language's own form. `body` is still the
/// struct with its fields, for those who want its bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum Idiom {
    /// `Slice<T>`, `SliceMut<T>`: address and element count, borrowed for the call.
    Slice {
        /// The element.
        of: Ty,
        /// Whether the receiver may write.
        mutable: bool,
    },
    /// `Str`: a borrowed slice of bytes that are UTF-8.
    Str,
    /// `Rel<T>`: offset and element count; the accessor takes the base.
    Rel {
        /// The element.
        of: Ty,
    },
    /// `Buffer<T>`: owned elements with the function that releases them.
    Buffer {
        /// The element.
        of: Ty,
    },
    /// `Text`: an owned buffer of bytes that are UTF-8.
    Text,
    /// `Failure`: what a fallible function reports. Back ends turn it into an exception and release it.
    Failure,
}
