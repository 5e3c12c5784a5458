//! What a type's bytes mean, as data: to compare two programs' types, and to show them.

use crate::prelude::*;
use crate::{Error, ErrorKind, Pack};
use core::fmt::{self, Write as _};

/// The wire form of a type and of all types in it.
///
/// Its [`fingerprint`](Schema::fingerprint) tells whether two programs mean the same bytes.
///
/// ```
/// use upcall_pack::{Pack, Schema};
///
/// #[derive(Pack)]
/// #[pack(crate = upcall_pack)]
/// struct Person { age: i32, name: Option<String>, friends: Vec<Person> }
///
/// let schema = Schema::of::<Vec<Person>>()?;
/// assert_eq!(
///     schema.to_string(),
///     "list<#0>\n#0 Person: class { 0 age: i32, 1 name: option<text>, 2 friends: list<#0> }\n"
/// );
///
/// #[derive(Pack)]
/// #[pack(crate = upcall_pack)]
/// struct Renamed { years: i32, title: Option<Box<str>>, others: std::collections::VecDeque<Renamed> }
/// assert_eq!(Schema::of::<Vec<Renamed>>()?.fingerprint(), schema.fingerprint());
/// # Ok::<(), upcall_pack::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    root: String,
    types: Vec<Named>,
}

/// A type with members, to which forms refer by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    /// What tells it from others while it is described.
    key: &'static str,
    name: &'static str,
    kind: &'static str,
    /// Of raw memory.
    size: Option<usize>,
    members: Vec<Member>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Member {
    number: i128,
    name: &'static str,
    form: String,
}

impl Schema {
    /// The schema of a type.
    ///
    /// # Errors
    /// When a type in it implements [`Pack`] by hand and not [`Pack::describe`]: the error names it.
    pub fn of<T: Pack + ?Sized>() -> Result<Schema, Error> {
        let mut to = Describe { form: String::new(), types: Vec::new(), unknown: None };
        T::describe(&mut to);
        match to.unknown {
            None => Ok(Schema { root: to.form, types: to.types }),
            Some(name) => {
                let message =
                    format!("`{name}` does not say what its bytes are: implement `Pack::describe` for it");
                Err(Error::new(ErrorKind::Unsupported, 0, message))
            }
        }
    }

    /// A number that is the same for all types whose bytes mean the same, and another for others (but for one chance
    /// in 2⁶⁴): FNV-1a of what is shown, without the names. The book says what changes it.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Hash(0xcbf2_9ce4_8422_2325);
        let hashed = self.show(&mut hash, false);
        debug_assert!(hashed.is_ok(), "hashing does not fail");
        hash.0
    }

    /// The same as JSON, with the fingerprint: `{"fingerprint": "…", "root": form, "types": [{"name", "kind", "size",
    /// "members": [{"number", "name", "form"}]}]}`. `#0` in a form is the first of the types.
    #[must_use]
    pub fn to_json(&self) -> String {
        let types = self.types.iter().map(|named| {
            let members = named.members.iter().map(|member| {
                let Member { number, name, form } = member;
                format!(r#"{{"number": {number}, "name": {}, "form": {}}}"#, Quoted(name), Quoted(form))
            });
            let members = members.collect::<Vec<_>>().join(", ");
            let size = named.size.map(|size| format!(r#""size": {size}, "#)).unwrap_or_default();
            let Named { name, kind, .. } = named;
            let (name, kind) = (Quoted(name), Quoted(kind));
            format!(r#"{{"name": {name}, "kind": {kind}, {size}"members": [{members}]}}"#)
        });
        let types = types.collect::<Vec<_>>().join(", ");
        let (fingerprint, root) = (self.fingerprint(), Quoted(&self.root));
        format!(r#"{{"fingerprint": "{fingerprint:016x}", "root": {root}, "types": [{types}]}}"#)
    }

    fn show(&self, to: &mut impl fmt::Write, names: bool) -> fmt::Result {
        writeln!(to, "{}", self.root)?;
        for (index, named) in self.types.iter().enumerate() {
            write!(to, "#{index}")?;
            if names {
                write!(to, " {}", named.name)?;
            }
            write!(to, ": {}", named.kind)?;
            if let Some(size) = named.size {
                write!(to, " of {size} bytes")?;
            }
            to.write_str(" {")?;
            for (index, member) in named.members.iter().enumerate() {
                to.write_str(if index == 0 { " " } else { ", " })?;
                write!(to, "{}", member.number)?;
                if names {
                    write!(to, " {}", member.name)?;
                }
                if !member.form.is_empty() {
                    write!(to, ": {}", member.form)?;
                }
            }
            to.write_str(" }\n")?;
        }
        Ok(())
    }
}

impl fmt::Display for Schema {
    /// The form, and a line for each type with members.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(f, true)
    }
}

/// A string of JSON.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for char in self.0.chars() {
            match char {
                '"' | '\\' => write!(f, "\\{char}")?,
                '\0'..='\x1f' => write!(f, "\\u{:04x}", u32::from(char))?,
                _ => f.write_char(char)?,
            }
        }
        f.write_char('"')
    }
}

struct Hash(u64);

impl fmt::Write for Hash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let next = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        self.0 = text.bytes().fold(self.0, next);
        Ok(())
    }
}

/// What describes one type: `<T as Pack>::describe`.
pub type Describes = fn(&mut Describe);

/// What [`Pack::describe`] says a type's form to.
///
/// A type that writes itself by hand says what it is made of:
///
/// ```
/// use upcall_pack::{Describe, Error, Form, Pack, Schema, Writer};
///
/// struct Celsius(f32);
///
/// impl Pack for Celsius {
///     const FORM: Form<Self> = Form::Object;
///     const MIN: usize = 5;
///
///     fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
///         1_u8.pack(writer)?;
///         self.0.pack(writer)
///     }
///
///     fn describe(to: &mut Describe) {
///         to.class("Celsius", &[(0, "degrees", f32::describe)]);
///     }
/// }
/// assert_eq!(Schema::of::<Celsius>()?.to_string(), "#0\n#0 Celsius: class { 0 degrees: f32 }\n");
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct Describe {
    form: String,
    types: Vec<Named>,
    unknown: Option<&'static str>,
}

impl Describe {
    /// A form without parts, by its name: `i32`, `text`.
    pub fn plain(&mut self, form: &str) {
        self.form.push_str(form);
    }

    /// A form of others: `list<…>`.
    pub fn of(&mut self, form: &str, parts: &[Describes]) {
        self.form.push_str(form);
        self.form.push('<');
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.form.push_str(", ");
            }
            part(self);
        }
        self.form.push('>');
    }

    /// A number that a form has: how many elements, or dimensions.
    pub fn counted(&mut self, form: &str, count: usize, of: Describes) {
        let _ = write!(self.form, "{form} {count}");
        self.of("", &[of]);
    }

    /// A class: the number, the name and the form of each member. Its own name tells it from others.
    pub fn class(&mut self, name: &'static str, members: &[(i128, &'static str, Describes)]) {
        self.named(name, name, "class", None, members);
    }

    /// A type with members of any kind. `key` tells it from others, as two may have one name.
    #[doc(hidden)]
    pub fn named(
        &mut self,
        key: &'static str,
        name: &'static str,
        kind: &'static str,
        size: Option<usize>,
        members: &[(i128, &'static str, Describes)],
    ) {
        let known = self.types.iter().position(|named| named.key == key);
        let index = known.unwrap_or(self.types.len());
        let _ = write!(self.form, "#{index}");
        if known.is_some() {
            return;
        }
        self.types.push(Named { key, name, kind, size, members: Vec::new() });
        let outer = core::mem::take(&mut self.form);
        let mut described = Vec::new();
        for (number, name, describe) in members {
            describe(self);
            described.push(Member { number: *number, name, form: core::mem::take(&mut self.form) });
        }
        // Tags, slots and an enum's numbers may be declared in any order.
        described.sort_by_key(|member| member.number);
        self.form = outer;
        self.types[index].members = described;
    }

    /// What nobody knows: the schema is an error that names it.
    pub(crate) fn unknown(&mut self, name: &'static str) {
        self.unknown.get_or_insert(name);
    }
}
