//! `cfg` and `cfg_attr`, decided.

use std::collections::HashSet;
use std::process::Command;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, ExprLit, Fields, ForeignItem, ImplItem, Item, Lit, Meta, Token};

/// The flags that are set: `unix`, `target_os="linux"`.
#[derive(Clone, Debug, Default)]
pub struct Flags(HashSet<String>);

impl Flags {
    /// Those of the target, as the compiler in `folder` says.
    pub fn of_target(target: Option<&str>, folder: &std::path::Path) -> Result<Flags, String> {
        let mut rustc = Command::new("rustc");
        rustc.args(["--print", "cfg"]).current_dir(folder);
        if let Some(target) = target {
            rustc.args(["--target", target]);
        }
        let output = rustc.output().map_err(|error| format!("rustc does not start: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
        }
        Ok(Flags(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()))
    }

    /// Sets a flag: `name` or `name="value"`.
    pub fn set(&mut self, flag: &str) {
        self.0.insert(flag.replace(" = ", "=").trim().to_owned());
    }

    /// Whether a condition holds. What cannot be read does not.
    pub fn holds(&self, condition: &Meta) -> bool {
        match condition {
            Meta::Path(path) => match path.get_ident().map(ToString::to_string).as_deref() {
                Some("true") => true,
                Some(name) => self.0.contains(name),
                None => false,
            },
            Meta::NameValue(pair) => match (&pair.value, pair.path.get_ident()) {
                (Expr::Lit(ExprLit { lit: Lit::Str(text), .. }), Some(name)) => {
                    self.0.contains(&format!("{name}={:?}", text.value()))
                }
                _ => false,
            },
            Meta::List(list) => {
                let Ok(inner) = list.parse_args_with(Punctuated::<Condition, Token![,]>::parse_terminated)
                else {
                    return false;
                };
                let mut inner = inner.iter().map(|condition| match condition {
                    Condition::Constant(value) => *value,
                    Condition::Meta(meta) => self.holds(meta),
                });
                match list.path.get_ident().map(ToString::to_string).as_deref() {
                    Some("all") => inner.all(|holds| holds),
                    Some("any") => inner.any(|holds| holds),
                    Some("not") => !inner.next().unwrap_or(false),
                    _ => false,
                }
            }
        }
    }

    /// Whether what has these attributes is there; `cfg_attr` becomes what it stands for.
    pub fn keep(&self, attributes: &mut Vec<Attribute>) -> bool {
        let mut decided = Vec::with_capacity(attributes.len());
        for attribute in attributes.drain(..) {
            self.decide(attribute, &mut decided);
        }
        *attributes = decided;
        attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).all(
            |attribute| match attribute.parse_args::<Condition>() {
                Ok(Condition::Meta(condition)) => self.holds(&condition),
                Ok(Condition::Constant(value)) => value,
                Err(_) => false,
            },
        )
    }

    fn decide(&self, attribute: Attribute, to: &mut Vec<Attribute>) {
        if !attribute.path().is_ident("cfg_attr") {
            to.push(attribute);
            return;
        }
        let Ok(parts) = attribute.parse_args_with(Punctuated::<Condition, Token![,]>::parse_terminated)
        else {
            return;
        };
        let mut parts = parts.into_iter();
        let holds = match parts.next() {
            Some(Condition::Meta(condition)) => self.holds(&condition),
            Some(Condition::Constant(value)) => value,
            None => false,
        };
        for part in parts.filter(|_| holds) {
            if let Condition::Meta(meta) = part {
                self.decide(Attribute { meta: *meta, ..attribute.clone() }, to);
            }
        }
    }
}

/// `true` and `false` are conditions, and no paths.
enum Condition {
    Meta(Box<Meta>),
    Constant(bool),
}

impl syn::parse::Parse for Condition {
    fn parse(input: syn::parse::ParseStream) -> syn::Result<Condition> {
        if input.peek(syn::LitBool) {
            return Ok(Condition::Constant(input.parse::<syn::LitBool>()?.value));
        }
        // `unsafe(no_mangle)` is a list by the name of a keyword.
        if input.peek(Token![unsafe]) {
            let name: syn::Ident = input.call(syn::ext::IdentExt::parse_any)?;
            let inner;
            let paren = syn::parenthesized!(inner in input);
            let list = syn::MetaList {
                path: name.into(),
                delimiter: syn::MacroDelimiter::Paren(paren),
                tokens: inner.parse()?,
            };
            return Ok(Condition::Meta(Box::new(Meta::List(list))));
        }
        input.parse().map(|meta| Condition::Meta(Box::new(meta)))
    }
}

/// Takes out what is not there within an item, and the bodies of functions.
pub struct Stripper<'a>(pub &'a Flags);

impl VisitMut for Stripper<'_> {
    fn visit_fields_mut(&mut self, fields: &mut Fields) {
        let keep = |field: &mut syn::Field| self.0.keep(&mut field.attrs);
        match fields {
            Fields::Named(fields) => fields.named = kept(std::mem::take(&mut fields.named), keep),
            Fields::Unnamed(fields) => fields.unnamed = kept(std::mem::take(&mut fields.unnamed), keep),
            Fields::Unit => {}
        }
    }

    fn visit_item_union_mut(&mut self, item: &mut syn::ItemUnion) {
        let fields = std::mem::take(&mut item.fields.named);
        item.fields.named = kept(fields, |field| self.0.keep(&mut field.attrs));
    }

    fn visit_item_enum_mut(&mut self, item: &mut syn::ItemEnum) {
        let variants = std::mem::take(&mut item.variants);
        item.variants = kept(variants, |variant| self.0.keep(&mut variant.attrs));
        visit_mut::visit_item_enum_mut(self, item);
    }

    fn visit_item_foreign_mod_mut(&mut self, item: &mut syn::ItemForeignMod) {
        item.items.retain_mut(|item| match item {
            ForeignItem::Fn(item) => self.0.keep(&mut item.attrs),
            ForeignItem::Static(item) => self.0.keep(&mut item.attrs),
            ForeignItem::Type(item) => self.0.keep(&mut item.attrs),
            _ => true,
        });
        visit_mut::visit_item_foreign_mod_mut(self, item);
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        item.items.retain_mut(|item| match item {
            ImplItem::Const(item) => self.0.keep(&mut item.attrs),
            ImplItem::Fn(item) => self.0.keep(&mut item.attrs),
            ImplItem::Type(item) => self.0.keep(&mut item.attrs),
            _ => true,
        });
        visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_signature_mut(&mut self, signature: &mut syn::Signature) {
        let inputs = std::mem::take(&mut signature.inputs);
        signature.inputs = kept(inputs, |input| match input {
            syn::FnArg::Receiver(input) => self.0.keep(&mut input.attrs),
            syn::FnArg::Typed(input) => self.0.keep(&mut input.attrs),
        });
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.clear();
    }
}

fn kept<T, P: Default>(list: Punctuated<T, P>, mut keep: impl FnMut(&mut T) -> bool) -> Punctuated<T, P> {
    list.into_iter().filter_map(|mut one| keep(&mut one).then_some(one)).collect()
}

/// The attributes of an item that may be taken out as a whole.
pub fn attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        Item::Const(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::ExternCrate(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        Item::ForeignMod(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Macro(item) => &mut item.attrs,
        Item::Mod(item) => &mut item.attrs,
        Item::Static(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Trait(item) => &mut item.attrs,
        Item::Type(item) => &mut item.attrs,
        Item::Union(item) => &mut item.attrs,
        Item::Use(item) => &mut item.attrs,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_decided_as_the_compiler_does() {
        let mut flags = Flags::default();
        flags.set("unix");
        flags.set("target_os = \"linux\"");
        for (text, expected) in [
            ("unix", true),
            ("windows", false),
            ("target_os = \"linux\"", true),
            ("all(unix, not(windows))", true),
            ("any(windows, all())", true),
            ("any()", false),
            ("all(unix, false)", false),
        ] {
            assert_eq!(flags.holds(&syn::parse_str(text).unwrap()), expected, "{text}");
        }
        let mut item: syn::ItemFn = syn::parse_quote! {
            #[cfg_attr(unix, unsafe(no_mangle), cfg_attr(windows, doc = "no"), doc = "yes")]
            #[cfg(true)]
            fn f() {}
        };
        assert!(flags.keep(&mut item.attrs));
        assert_eq!(item.attrs.len(), 3);
    }
}
