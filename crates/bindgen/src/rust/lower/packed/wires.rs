//! The types of packed fields.

use super::super::scope::{Found, plain};
use super::super::ty::{arguments, written};
use super::super::{Context, Lower, Lowered};
use super::Types;
use super::attributes::OnField;
use super::library::{self, Library};
use crate::model::{Encoding, Int, ListKind, Wire};
use syn::spanned::Spanned;
use syn::{Expr, Item, Type, TypePath};

/// The deepest nesting of types: more could overflow the stack somewhere.
const DEEPEST: usize = 24;

impl Lower<'_> {
    /// A field's type, with the changes its attributes make.
    pub(super) fn wire_of_field(
        &mut self,
        context: &Context,
        types: &Types,
        ty: &Type,
        on: &OnField,
    ) -> Lowered<Wire> {
        let mut wire = self.wire(context, types, ty, 0)?;
        if on.utf8 || on.utf16 {
            let encoding = if on.utf16 { Encoding::Utf16 } else { Encoding::Utf8 };
            if !wire.encode(encoding) {
                let message = "`utf8` and `utf16` are for text and what is made of it";
                return Err(self.refuse(&context.place(ty.span()), message, "leave it out"));
            }
        }
        if let Some(path) = &on.with {
            let found = self.scope.find(context.home, path);
            let own = match &found {
                Found::External(names) => library::formatter(names),
                _ => None,
            };
            let bools =
                |of: &Wire| matches!(of, Wire::List { of, kind: ListKind::List } if **of == Wire::Bool);
            let bytes = |of: &Wire| matches!(of, Wire::List { of, .. } if **of == Wire::Int(Int::U8));
            let held = inside(&mut wire);
            *held = match own {
                Some("BitPack") if bools(held) => Wire::BitPack,
                Some("Brotli") if bytes(held) => Wire::Brotli(Box::new(held.clone())),
                Some("BrotliString") if matches!(held, Wire::Text(_)) => Wire::Brotli(Box::new(held.clone())),
                _ => {
                    let text = written(path);
                    let message = format!("only Rust code knows what `{text}` writes for this field");
                    let help = "other languages have the formatters of `upcall_pack::with`";
                    return Err(self.refuse(&context.place(path.span()), message, help));
                }
            };
        }
        Ok(wire)
    }

    fn wire(&mut self, context: &Context, types: &Types, ty: &Type, depth: usize) -> Lowered<Wire> {
        if depth > DEEPEST {
            let message = "this type is within too many others";
            return Err(self.refuse(&context.place(ty.span()), message, "declare a type for what is within"));
        }
        let depth = depth + 1;
        match ty {
            Type::Paren(inner) => self.wire(context, types, &inner.elem, depth),
            Type::Group(inner) => self.wire(context, types, &inner.elem, depth),
            Type::Reference(reference) if reference.mutability.is_none() && borrowed(&reference.elem) => {
                self.wire(context, types, &reference.elem, depth)
            }
            Type::Reference(_) => self.unreadable(context, ty, "of references, only `&str` and `&[T]` can"),
            Type::Slice(slice) => {
                let of = self.wire(context, types, &slice.elem, depth)?;
                Ok(Wire::List { of: Box::new(of), kind: ListKind::List })
            }
            Type::Array(array) => {
                let of = Box::new(self.wire(context, types, &array.elem, depth)?);
                let Some(len) = self.packed_length(context, types, &array.len) else {
                    let message = "the length of a packed array depends on a parameter";
                    let help = "write the parameter alone, or a number";
                    return Err(self.refuse(&context.place(array.len.span()), message, help));
                };
                Ok(Wire::Fixed { of, len })
            }
            Type::Tuple(tuple) if !tuple.elems.is_empty() => {
                let items = tuple.elems.iter().map(|item| self.wire(context, types, item, depth));
                Ok(Wire::Tuple(items.collect::<Lowered<_>>()?))
            }
            Type::Path(path) if path.qself.is_none() => self.wire_of_path(context, types, path, depth),
            _ => self.unpackable(context, ty),
        }
    }

    fn wire_of_path(
        &mut self,
        context: &Context,
        types: &Types,
        path: &TypePath,
        depth: usize,
    ) -> Lowered<Wire> {
        let whole = Type::Path(path.clone());
        let Some(last) = path.path.segments.last() else { return self.unpackable(context, &whole) };
        if let Some(known) = path.path.get_ident().and_then(|ident| types.wires.get(&plain(ident))) {
            return Ok(known.clone());
        }
        if path.path.is_ident("Self")
            && let Some(itself) = &types.itself
        {
            return Ok(itself.clone());
        }
        let given = arguments(last);
        let library = match self.scope.find(context.home, &path.path) {
            Found::Item(at) => {
                if let Item::Type(alias) = &self.item(at).item {
                    let own = Context::new(at.home, self.item(at));
                    let types = self.bind_wires(context, types, &alias.generics, path, depth)?;
                    return self.wire(&own, &types, &alias.ty, depth);
                }
                return self.mention_packed(context, types, at, path, depth);
            }
            Found::External(names) => library::external(&names),
            Found::Nothing => match path.path.get_ident().map(plain) {
                Some(name) => library::prelude(&name),
                // `Vec<T>` is not a single identifier.
                None if path.path.segments.len() == 1 => library::prelude(&plain(&last.ident)),
                None => None,
            },
            Found::Module(_) => None,
        };
        let mut wires = Vec::new();
        match library {
            None => return self.unpackable(context, &whole),
            Some(Library::Whole(wire)) => return Ok(wire),
            Some(Library::Cow) if !given.iter().any(borrowed) => {
                return self.unreadable(context, &whole, "only a `Cow` of `str` or `[T]` can");
            }
            Some(_) => {
                for one in &given {
                    wires.push(self.wire(context, types, one, depth)?);
                }
            }
        }
        let mut wires = wires.into_iter();
        let one = wires.next().map(Box::new);
        let two = wires.next().map(Box::new);
        Ok(match (library, one, two) {
            (Some(Library::Inside | Library::Cow), Some(of), _) => *of,
            (Some(Library::Option), Some(of), _) => match *of {
                Wire::Optional(_) => {
                    let message = "an `Option` in an `Option` cannot be told from it on the wire";
                    let help = "declare a struct for the inner one";
                    return Err(self.refuse(&context.place(path.span()), message, help));
                }
                of => Wire::Optional(Box::new(of)),
            },
            (Some(Library::List(kind)), Some(of), _) => Wire::List { of, kind },
            (Some(Library::Map(sorted)), Some(key), Some(value)) => Wire::Map { key, value, sorted },
            (Some(Library::PriorityQueue), Some(of), Some(priority)) => {
                let of = Box::new(Wire::Tuple(vec![*of, *priority]));
                Wire::List { of, kind: ListKind::PriorityQueue }
            }
            (Some(Library::Lookup), Some(key), Some(value)) => {
                Wire::List { of: Box::new(Wire::Group(key, value)), kind: ListKind::Lookup }
            }
            (Some(Library::Group), Some(key), Some(value)) => Wire::Group(key, value),
            (Some(Library::Pair), Some(key), Some(value)) => Wire::Pair(key, value),
            (Some(Library::Lazy), Some(of), _) => Wire::Lazy(of),
            (Some(Library::Grid(rank)), Some(of), _) => Wire::Grid { of, rank },
            (Some(Library::ClassTuple), Some(of), None) => match *of {
                Wire::Tuple(items) => Wire::ClassTuple(items),
                _ => return self.unpackable(context, &whole),
            },
            _ => return self.unpackable(context, &whole),
        })
    }

    fn unreadable(&mut self, context: &Context, ty: &Type, what: &str) -> Lowered<Wire> {
        let text = written(ty);
        let message = format!("`{text}` cannot be read: {what}");
        let help = "hold the value itself, or write `#[pack(ignore)]`";
        Err(self.refuse(&context.place(ty.span()), message, help))
    }

    fn unpackable(&mut self, context: &Context, ty: &Type) -> Lowered<Wire> {
        let text = written(ty);
        let message = format!("`{text}` is not known to have a packed form");
        let help = "derive `Pack` for it in a file that is read, or write `#[pack(ignore)]`";
        Err(self.refuse(&context.place(ty.span()), message, help))
    }

    /// The arguments for the parameters of a generic type or alias.
    pub(super) fn bind_wires(
        &mut self,
        context: &Context,
        types: &Types,
        generics: &syn::Generics,
        path: &TypePath,
        depth: usize,
    ) -> Lowered<Types> {
        let mut bound = Types::default();
        let given = match path.path.segments.last().map(|last| &last.arguments) {
            Some(syn::PathArguments::AngleBracketed(list)) => list.args.iter().collect(),
            _ => Vec::new(),
        };
        let mut given = given.into_iter().filter(|one| !matches!(one, syn::GenericArgument::Lifetime(_)));
        let params = generics.params.iter().filter(|one| !matches!(one, syn::GenericParam::Lifetime(_)));
        for param in params {
            match (param, given.next()) {
                (syn::GenericParam::Type(param), Some(syn::GenericArgument::Type(ty))) => {
                    let wire = self.wire(context, types, ty, depth)?;
                    bound.wires.insert(plain(&param.ident), wire.clone());
                    bound.arguments.push(wire);
                }
                (syn::GenericParam::Const(param), Some(given))
                    if let Some(length) = length_argument(given)
                        && let Some(length) = self.packed_length(context, types, &length) =>
                {
                    bound.lengths.insert(plain(&param.ident), length);
                    bound.arguments.push(Wire::Fixed { of: Box::new(Wire::Bool), len: length });
                }
                _ => {
                    let text = written(path);
                    let message = format!("the arguments of `{text}` are not all known");
                    return Err(self.refuse(&context.place(path.span()), message, "write them out"));
                }
            }
        }
        Ok(bound)
    }
}

/// An argument for a constant parameter; a name alone looks like a type.
fn length_argument(given: &syn::GenericArgument) -> Option<Expr> {
    match given {
        syn::GenericArgument::Const(length) => Some(length.clone()),
        syn::GenericArgument::Type(Type::Path(TypePath { qself: None, path })) => {
            Some(Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path: path.clone() }))
        }
        _ => None,
    }
}

/// Whether it is text or a slice, which can be borrowed from what is read.
fn borrowed(ty: &Type) -> bool {
    match ty {
        Type::Paren(inner) => borrowed(&inner.elem),
        Type::Group(inner) => borrowed(&inner.elem),
        Type::Path(path) => {
            path.qself.is_none() && path.path.segments.last().is_some_and(|last| last.ident == "str")
        }
        _ => matches!(ty, Type::Slice(_)),
    }
}

/// The contents of an `Option`; any other type itself.
fn inside(wire: &mut Wire) -> &mut Wire {
    match wire {
        Wire::Optional(of) => of,
        wire => wire,
    }
}
