use super::columns::{BlitColumns, Element};
use crate::soa::{Field, Soa};

/// A hash of the columns' names, types and order: FNV-1a, 64 bits, of a line for each column.
///
/// The line is `name:type:size:align`, with a dot between the names of nested fields, and for an element
/// that is a struct `{name:type:offset:size,…}` after it.
///
/// ```
/// # #[derive(upcall_derive::Soa)]
/// # #[soa(crate = upcall_soa)]
/// # struct Point { x: f32, y: f32 }
/// # fn fnv(text: &str) -> u64 {
/// #     text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
/// # }
/// assert_eq!(upcall_soa::file::schema::<Point>(), fnv("x:f32:4:4\ny:f32:4:4\n"));
/// ```
#[must_use]
pub fn schema<T: Soa>() -> u64
where
    T::Columns: BlitColumns,
{
    hash(&text::<T>())
}

pub(super) fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// What is hashed.
pub fn text<T: Soa>() -> String
where
    T::Columns: BlitColumns,
{
    let mut names = Vec::new();
    leaves("", T::FIELDS, &mut names);
    let (mut names, mut text) = (names.into_iter(), String::new());
    T::Columns::elements(&mut |element| {
        text.push_str(&names.next().unwrap_or_default());
        line(element, &mut text);
    });
    text
}

fn line(Element { name, fields, size, align }: Element, text: &mut String) {
    text.push_str(&format!(":{name}:{size}:{align}"));
    if !fields.is_empty() {
        text.push('{');
        for field in fields {
            text.push_str(&format!("{}:{}:{}:{},", field.name, field.type_name, field.offset, field.size));
        }
        text.push('}');
    }
    text.push('\n');
}

/// The names of all columns, in order.
fn leaves(before: &str, fields: &[Field], names: &mut Vec<String>) {
    for field in fields {
        match field {
            Field::Column(name) => names.push(format!("{before}{name}")),
            Field::Group(name, inner) => leaves(&format!("{before}{name}."), inner, names),
        }
    }
}

/// How many columns there are.
pub fn count<C: BlitColumns>() -> usize {
    let mut count = 0;
    C::elements(&mut |_| count += 1);
    count
}
