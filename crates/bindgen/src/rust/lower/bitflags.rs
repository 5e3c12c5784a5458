//! `bitflags!` as written, of versions 1 and 2.

use super::{Context, Lower, Lowered, attributes};
use crate::model::{Body, Flags, Variant};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Ident, Macro, Token, Type, Visibility, braced};

/// One set of flags that an invocation declares.
pub struct Declaration {
    pub ident: Ident,
    pub attributes: Vec<Attribute>,
    integer: Type,
    /// Names and docs.
    bits: Vec<(Ident, String)>,
}

struct Declarations(Vec<Declaration>);

impl Parse for Declarations {
    fn parse(input: ParseStream) -> syn::Result<Declarations> {
        let mut list = Vec::new();
        while !input.is_empty() {
            list.extend(declaration(input)?);
        }
        Ok(Declarations(list))
    }
}

/// `pub struct Name: u32 { const A = 1; }`; `None` for `impl Name: u32 { … }`, which declares no type.
fn declaration(input: ParseStream) -> syn::Result<Option<Declaration>> {
    let attributes = input.call(Attribute::parse_outer)?;
    let existing = input.peek(Token![impl]);
    if existing {
        input.parse::<Token![impl]>()?;
    } else {
        input.parse::<Visibility>()?;
        input.parse::<Token![struct]>()?;
    }
    let ident = input.parse()?;
    input.parse::<Token![:]>()?;
    let integer = input.parse()?;
    let inside;
    braced!(inside in input);
    let mut bits = Vec::new();
    while !inside.is_empty() {
        let docs = attributes::docs(&inside.call(Attribute::parse_outer)?);
        inside.parse::<Token![const]>()?;
        // `const _ = !0;` says that other bits may be set.
        let name = match inside.parse::<Token![_]>() {
            Ok(_) => None,
            Err(_) => Some(inside.parse()?),
        };
        inside.parse::<Token![=]>()?;
        inside.parse::<Expr>()?;
        inside.parse::<Token![;]>()?;
        bits.extend(name.map(|name| (name, docs)));
    }
    Ok((!existing).then_some(Declaration { ident, attributes, integer, bits }))
}

/// What an invocation declares.
pub fn read(invocation: &Macro) -> syn::Result<Vec<Declaration>> {
    invocation.parse_body::<Declarations>().map(|declarations| declarations.0)
}

/// The names that it declares; none if it is not `bitflags!`.
pub fn names(invocation: &Macro) -> Vec<String> {
    let flags = invocation.path.segments.last().is_some_and(|last| last.ident == "bitflags");
    let list = if flags { read(invocation).unwrap_or_default() } else { Vec::new() };
    list.iter().map(|declaration| super::scope::plain(&declaration.ident)).collect()
}

impl Lower<'_> {
    pub(super) fn flags(&mut self, context: &Context, invocation: &Macro, part: usize) -> Lowered<Body> {
        let Some(flags) = read(invocation).ok().and_then(|list| list.into_iter().nth(part)) else {
            return Ok(Body::Opaque);
        };
        let crate::model::Ty::Int(repr) = self.value(context, &flags.integer)? else {
            let place = context.place(flags.integer.span());
            return Err(self.refuse(&place, "flags are held by an integer", "write `u8` or the like"));
        };
        let bits = flags.bits.into_iter().map(|(name, docs)| Variant {
            name: super::scope::plain(&name),
            value: 0,
            docs,
        });
        Ok(Body::Flags(Flags { repr, bits: bits.collect(), combine: true }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_are_read() {
        let invocation: Macro = syn::parse_quote! {
            bitflags::bitflags! {
                /// What is open.
                #[derive(Clone, Copy)]
                pub struct Open: u32 { /// One.
                    const A = 1; const B = Self::A.bits() << 1; const _ = !0; }
                struct Other: u8 {}
                impl Existing: u16 { const X = 1; }
            }
        };
        let list = read(&invocation).unwrap();
        assert_eq!(names(&invocation), ["Open", "Other"]);
        assert_eq!(list[0].bits.len(), 2);
        assert_eq!(list[0].bits[0].1, "One.");
    }
}
