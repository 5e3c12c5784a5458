//! The fingerprint of an exported function, from which bindings know whether it is still the one they were made for.

use crate::function::{Function, Parameter};
use crate::given::{Given, What};
use crate::taken::{Closure, Form, Taken, only_argument, strip};
use crate::write::cfg;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{Lifetime, Path, ReturnType, TraitBound, Type, TypeBareFn, parse_quote};

/// The constant that goes into the library beside the shim.
///
/// Parameters count by their names too: two of one type that change places differ in nothing else. How Rust
/// takes a callback and whether the function may fail are no concern of the caller's.
pub fn fingerprint(function: &Function, krate: &Path) -> TokenStream {
    let mut signature = Parts { krate, list: Vec::new() };
    for Parameter { name, taken } in &function.params {
        signature.text(name);
        signature.text(":");
        signature.taken(taken);
        signature.text(",");
    }
    signature.text("->");
    signature.given(&function.given);
    let (symbol, parts) = (&function.symbol, &signature.list);
    let cfg = cfg(&function.attributes);
    quote! {
        #(#cfg)*
        #[allow(deprecated, unsafe_code, unused_imports)]
        const _: () = {
            use #krate::abi::Unshaped as _;
            const SIGNATURE: #krate::shim::Signature =
                #krate::shim::Signature { symbol: #symbol, parts: &[#(#parts),*] };
            #krate::shim::fingerprint!(SIGNATURE);
        };
    }
}

/// The constant that describes a type where `Unshaped` is in scope. What C has its own name for is that name: bindings fit
/// a library on another machine, though the type is another one there.
pub fn shape_of(ty: &Type, abi: &Path) -> TokenStream {
    let name = match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    };
    match name.as_deref() {
        Some("c_char") => quote!(#abi::Shape::C_CHAR),
        Some("c_long") => quote!(#abi::Shape::C_LONG),
        Some("c_ulong") => quote!(#abi::Shape::C_ULONG),
        _ => quote!(#abi::ShapeOf::<#ty>::SHAPE),
    }
}

struct Parts<'a> {
    krate: &'a Path,
    list: Vec<TokenStream>,
}

impl Parts<'_> {
    fn text(&mut self, text: &str) {
        let krate = self.krate;
        self.list.push(quote!(#krate::shim::Part::Text(#text)));
    }

    fn around(&mut self, before: &str, after: &str, inner: impl FnOnce(&mut Self)) {
        self.text(before);
        inner(self);
        self.text(after);
    }

    fn taken(&mut self, taken: &Taken) {
        match taken {
            Taken::Value(ty) => self.ty(ty),
            Taken::Str => self.text("&str"),
            Taken::Slice { of, mutable } => {
                self.around(if *mutable { "&mut[" } else { "&[" }, "]", |parts| parts.ty(of));
            }
            Taken::Reference { to, mutable, optional } => {
                let before = if *mutable { "&mut " } else { "&" };
                let after = if *optional { "?" } else { "" };
                self.around(before, after, |parts| parts.ty(to));
            }
            Taken::Function { ty, optional } => {
                self.around("", if *optional { "?" } else { "" }, |parts| parts.function(ty));
            }
            Taken::Closure(closure @ Closure { params, ret, .. })
            | Taken::Kept(closure @ Closure { params, ret, .. }) => {
                let before = if let Form::Boxed = closure.form { "Box<Fn(" } else { "Fn(" };
                self.around(before, ")->", |parts| {
                    for (_, taken) in params {
                        parts.taken(taken);
                        parts.text(",");
                    }
                });
                ret.iter().for_each(|ty| self.ty(ty));
                if let Form::Boxed = closure.form {
                    self.text(">");
                }
            }
        }
    }

    fn given(&mut self, given: &Given) {
        match &given.what {
            What::Unit => self.text("()"),
            What::Plain(ty) | What::Handle(ty) => self.ty(ty),
            What::Text => self.text("String"),
            What::Buffer(of) => self.around("Vec<", ">", |parts| parts.ty(of)),
            What::Str => self.text("&'static str"),
        }
        if let Some(error) = given.error.as_ref().and_then(nameable) {
            let krate = self.krate;
            self.list.push(quote!(#krate::shim::Part::Error(#krate::abi::ShapeOf::<#error>::SHAPE)));
        }
    }

    /// A type in a C signature: what the compiler knows of those that have names, the text of all else.
    fn ty(&mut self, ty: &Type) {
        match strip(ty) {
            Type::Reference(to) => {
                self.text(if to.mutability.is_some() { "&mut " } else { "&" });
                self.ty(&to.elem);
            }
            Type::Ptr(to) => {
                self.text(if to.mutability.is_some() { "*mut " } else { "*const " });
                self.ty(&to.elem);
            }
            Type::BareFn(function) => self.function(function),
            Type::Path(path) if path.path.is_ident("str") => self.text("str"),
            Type::Path(path)
                if let Some(last) = path.path.segments.last()
                    && last.ident == "Option"
                    && let Some(of) = only_argument(last) =>
            {
                self.around("", "?", |parts| parts.ty(of));
            }
            sized @ (Type::Path(_) | Type::Array(_) | Type::Macro(_))
                if let Some(named) = nameable(sized) =>
            {
                let (krate, text) = (self.krate, spelled(&named));
                let shape = shape_of(&named, &parse_quote!(#krate::abi));
                self.list.push(quote!(#krate::shim::Part::Type(#text, #shape)));
            }
            other => self.text(&spelled(other)),
        }
    }

    fn function(&mut self, function: &TypeBareFn) {
        self.around("fn(", ")->", |parts| {
            for input in &function.inputs {
                parts.ty(&input.ty);
                parts.text(",");
            }
        });
        if let ReturnType::Type(_, ty) = &function.output {
            self.ty(ty);
        }
    }
}

/// A type's text, which does not depend on how a compiler puts spaces.
fn spelled(ty: &Type) -> String {
    ty.to_token_stream().to_string().split_whitespace().collect()
}

/// The type as it can be named in a constant, if it can: no lifetime of the function's is known there.
fn nameable(ty: &Type) -> Option<Type> {
    let (mut ty, mut outside) = (ty.clone(), Outside { opaque: false });
    outside.visit_type_mut(&mut ty);
    (!outside.opaque).then_some(ty)
}

struct Outside {
    /// Whether there is an `impl Trait` in it, which has no name.
    opaque: bool,
}

impl VisitMut for Outside {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        self.opaque |= matches!(ty, Type::ImplTrait(_));
        if let Type::Reference(reference) = ty {
            reference.lifetime.get_or_insert_with(|| Lifetime::new("'static", reference.and_token.span));
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        *lifetime = Lifetime::new("'static", lifetime.span());
    }

    fn visit_type_bare_fn_mut(&mut self, function: &mut TypeBareFn) {
        // Its references are of any lifetime, as it is.
        if function.lifetimes.is_none() {
            function.inputs.iter_mut().for_each(|input| self.visit_type_mut(&mut input.ty));
        }
    }

    fn visit_trait_bound_mut(&mut self, bound: &mut TraitBound) {
        if bound.lifetimes.is_none() {
            visit_mut::visit_trait_bound_mut(self, bound);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_c_has_names_for_is_the_same_on_every_machine() {
        let item: syn::ItemFn = parse_quote!(
            fn f(text: *const core::ffi::c_char, size: std::ffi::c_long, own: Long) {}
        );
        let function = Function::free(&item.sig, &[], None).unwrap();
        let text = fingerprint(&function, &parse_quote!(::upcall)).to_string();
        let shapes = ["Shape :: C_CHAR", "Shape :: C_LONG", "ShapeOf :: < Long > :: SHAPE"];
        assert!(shapes.iter().all(|shape| text.contains(shape)), "{text}");
        assert_eq!(text.matches("Part :: Type").count(), 3, "{text}");
    }

    #[test]
    fn a_callback_that_is_kept_is_another_one() {
        let of = |item: syn::ItemFn| {
            let function = Function::free(&item.sig, &[], None).unwrap();
            fingerprint(&function, &parse_quote!(::upcall)).to_string()
        };
        let lent = of(parse_quote!(
            fn f(call: &dyn Fn(u8)) {}
        ));
        let kept = of(parse_quote!(
            fn f(call: Box<dyn Fn(u8) + Send + Sync>) {}
        ));
        assert_ne!(lent, kept);
        assert_eq!(
            lent,
            of(parse_quote!(
                fn f(call: &mut dyn FnMut(u8)) {}
            ))
        );
        assert_eq!(
            kept,
            of(parse_quote!(
                fn f(call: std::boxed::Box<dyn Sync + Fn(u8) + Send + 'static>) {}
            ))
        );
    }

    #[test]
    fn no_lifetime_of_the_function_is_left() {
        let item: syn::ItemFn = parse_quote! {
            fn f<'a>(a: &'a [View<'a>], b: &'a dyn Fn(&'a View<'_>) -> u8) -> Result<View<'a>, Wrong<'a, &u8>> {}
        };
        let function = Function::free(&item.sig, &[], None).unwrap();
        let text = fingerprint(&function, &parse_quote!(::upcall)).to_string();
        assert!(!text.contains("'a ") && !text.contains("'_"), "{text}");
        assert!(text.contains("ShapeOf :: < View < 'static > >"), "{text}");
        assert!(text.contains("ShapeOf :: < Wrong < 'static , & 'static u8 > >"), "{text}");
    }
}
