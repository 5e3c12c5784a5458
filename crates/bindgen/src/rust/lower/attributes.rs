//! What attributes say: docs, layout, symbols.

use super::links::without_links;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, LitInt, Meta, Token};

/// Paragraphs, without comment signs and Rust's links.
pub fn docs(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter(|attribute| attribute.path().is_ident("doc")).filter_map(text_of);
    let lines: Vec<String> = lines.flat_map(|text| strip(&text)).collect();
    without_links(lines.join("\n").trim())
}

/// `/** … */` is one attribute of many lines, often with stars before all but the first; `/// …` is one per line.
fn strip(text: &str) -> Vec<String> {
    let mut rest = text.split('\n').skip(1).filter(|line| !line.trim().is_empty()).peekable();
    let many = rest.peek().is_some() && rest.all(|line| line.trim_start().starts_with('*'));
    // An empty text has no `lines`, but `///` alone is one: it separates paragraphs.
    text.split('\n')
        .map(|line| {
            let line = if many { line.trim_start().strip_prefix('*').unwrap_or(line) } else { line };
            line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()
        })
        .collect()
}

fn text_of(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(pair) => text(&pair.value),
        _ => None,
    }
}

fn text(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

/// The text of `#[deprecated]`.
pub fn deprecated(attributes: &[Attribute]) -> Option<String> {
    let attribute = attributes.iter().find(|attribute| attribute.path().is_ident("deprecated"))?;
    let mut note = text_of(attribute).unwrap_or_default();
    // Anything other than a note is not an error here: the compiler reads it too.
    let _ = attribute.parse_nested_meta(|meta| {
        let value: Expr = meta.value()?.parse()?;
        if meta.path.is_ident("note") {
            note = text(&value).unwrap_or_default();
        }
        Ok(())
    });
    Some(note)
}

/// The exported symbol of a function or a static: `no_mangle`, `export_name`, also within `unsafe(…)`.
pub fn symbol(attributes: &[Attribute], name: &str) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("unsafe") => symbol_of(&list.parse_args::<Meta>().ok()?, name),
        meta => symbol_of(meta, name),
    })
}

fn symbol_of(meta: &Meta, name: &str) -> Option<String> {
    match meta {
        Meta::Path(path) if path.is_ident("no_mangle") => Some(name.to_owned()),
        Meta::NameValue(pair) if pair.path.is_ident("export_name") => text(&pair.value),
        _ => None,
    }
}

/// The text of `#[name = "…"]`.
pub fn value_of(attributes: &[Attribute], name: &str) -> Option<String> {
    attributes.iter().find(|attribute| attribute.path().is_ident(name)).and_then(text_of)
}

/// A symbol as `dlsym` takes it. One that begins with U+0001 is the linker's own, without the target's prefix
/// for C names.
pub fn loaded(symbol: String, underscore: bool) -> String {
    let Some(exact) = symbol.strip_prefix('\u{1}') else { return symbol };
    exact.strip_prefix('_').filter(|_| underscore).unwrap_or(exact).to_owned()
}

/// The sum of all `#[repr(…)]` attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repr {
    pub c: bool,
    pub transparent: bool,
    pub packed: Option<u64>,
    pub align: Option<u64>,
    /// `u8` and the like.
    pub integer: Option<String>,
}

impl Repr {
    pub fn read(attributes: &[Attribute]) -> Repr {
        let mut repr = Repr::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("repr")) {
            let Ok(parts) = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated) else {
                continue;
            };
            parts.iter().for_each(|part| repr.add(part));
        }
        repr
    }

    fn add(&mut self, part: &Meta) {
        let Some(name) = part.path().get_ident().map(ToString::to_string) else { return };
        let number = match part {
            Meta::List(list) => {
                list.parse_args::<LitInt>().ok().and_then(|number| number.base10_parse().ok())
            }
            _ => None,
        };
        match name.as_str() {
            "C" => self.c = true,
            "transparent" => self.transparent = true,
            "packed" => self.packed = Some(number.unwrap_or(1)),
            "align" => self.align = number.max(self.align),
            "Rust" | "simd" => {}
            _ => self.integer = Some(name),
        }
    }

    /// Whether another language can know the layout.
    pub fn is_fixed(&self) -> bool {
        self.c || self.transparent || self.integer.is_some()
    }
}
