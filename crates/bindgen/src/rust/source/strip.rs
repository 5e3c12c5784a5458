//! Removes from an item what `cfg` leaves out, adds what `cfg_attr` adds, and drops function bodies.

use super::cfg::{Flags, predicate};
use super::nested::{self, Nested};
use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, FnArg, ForeignItem, GenericParam, ImplItem, Item, Meta, Token, TraitItem};

/// The attributes of an item of one of these kinds.
macro_rules! attributes {
    ($item:expr, $of:ident: $($kind:ident)*) => {
        match $item {
            $($of::$kind(item) => Some(&mut item.attrs),)*
            _ => None,
        }
    };
}

/// One pass over items.
pub(super) struct Strip<'a> {
    /// The flags that are set.
    pub flags: &'a Flags,
    /// Malformed predicates.
    pub errors: Vec<syn::Error>,
    /// The exports of the bodies that were dropped.
    pub nested: Vec<Nested>,
}

impl<'a> Strip<'a> {
    pub fn new(flags: &'a Flags) -> Strip<'a> {
        Strip { flags, errors: Vec::new(), nested: Vec::new() }
    }

    /// Decides about something with attributes, and expands its `cfg_attr`s.
    pub fn keeps(&mut self, attributes: &mut Vec<Attribute>) -> bool {
        if attributes.iter().any(|attribute| attribute.path().is_ident("cfg_attr")) {
            *attributes = std::mem::take(attributes).into_iter().flat_map(|one| self.spread(one)).collect();
        }
        let cfgs: Vec<_> = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).collect();
        let mut keeps = true;
        for attribute in cfgs {
            // As the compiler does: predicates after one that does not hold are not looked at.
            if !keeps {
                break;
            }
            let decided = match &attribute.meta {
                Meta::List(list) => {
                    let one = |input: ParseStream| {
                        let predicate = predicate(input)?;
                        input.parse::<Option<Token![,]>>()?;
                        Ok(predicate)
                    };
                    one.parse2(list.tokens.clone()).and_then(|predicate| self.flags.decide(&predicate))
                }
                other => Err(syn::Error::new_spanned(other, "`cfg` takes a predicate")),
            };
            keeps = decided.unwrap_or_else(|error| {
                self.errors.push(error);
                true
            });
        }
        attributes.retain(|attribute| !attribute.path().is_ident("cfg"));
        keeps
    }

    /// Whether an item stays; if so, its contents are processed too.
    pub fn item(&mut self, item: &mut Item) -> bool {
        let stays = attributes(item).is_none_or(|attributes| self.keeps(attributes));
        if stays && !matches!(item, Item::Mod(_)) {
            self.visit_item_mut(item);
        }
        stays
    }

    /// The attributes that `#[cfg_attr(predicate, a, b)]` stands for.
    fn spread(&mut self, attribute: Attribute) -> Vec<Attribute> {
        if !attribute.path().is_ident("cfg_attr") {
            return vec![attribute];
        }
        let parts = |input: ParseStream| -> syn::Result<(Meta, TokenStream)> {
            let predicate = predicate(input)?;
            input.parse::<Option<Token![,]>>()?;
            Ok((predicate, input.parse()?))
        };
        let spread = match &attribute.meta {
            Meta::List(list) => parts.parse2(list.tokens.clone()).and_then(|(predicate, rest)| {
                let metas = match self.flags.decide(&predicate)? {
                    true => spelled.parse2(rest)?,
                    false => Vec::new(),
                };
                Ok(metas.into_iter().map(|meta| Attribute { meta, ..attribute.clone() }).collect())
            }),
            other => Err(syn::Error::new_spanned(other, "`cfg_attr` takes a predicate and attributes")),
        };
        let spread: Vec<Attribute> = spread.unwrap_or_else(|error| {
            self.errors.push(error);
            Vec::new()
        });
        spread.into_iter().flat_map(|one| self.spread(one)).collect()
    }

    fn listed<T: Clone, P: Default>(
        &mut self,
        list: &mut Punctuated<T, P>,
        attributes: impl Fn(&mut T) -> &mut Vec<Attribute>,
    ) {
        // Most lists have nothing to remove, and are left alone.
        if list.iter_mut().any(|one| attributes(one).iter().any(conditional)) {
            let all = std::mem::take(list).into_iter();
            *list = all.filter_map(|mut one| self.keeps(attributes(&mut one)).then_some(one)).collect();
        }
    }
}

/// The attributes after `cfg_attr`'s predicate, as written; including `unsafe(no_mangle)` and `cfg(..)`.
fn spelled(input: ParseStream) -> syn::Result<Vec<Meta>> {
    let mut metas = Vec::new();
    while !input.is_empty() {
        metas.push(meta(input)?);
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(metas)
}

fn meta(input: ParseStream) -> syn::Result<Meta> {
    if input.peek(Token![unsafe]) {
        // Through an attribute of its own, which is where syn takes `unsafe(..)`.
        let keyword: Token![unsafe] = input.parse()?;
        let group: proc_macro2::Group = input.parse()?;
        let text = quote::quote!(#[#keyword #group]);
        let parsed = Attribute::parse_outer.parse2(text)?;
        return parsed
            .into_iter()
            .next()
            .map(|one| one.meta)
            .ok_or_else(|| input.error("an attribute is missing"));
    }
    input.parse()
}

fn conditional(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
}

impl VisitMut for Strip<'_> {
    fn visit_fields_unnamed_mut(&mut self, fields: &mut syn::FieldsUnnamed) {
        self.listed(&mut fields.unnamed, |field| &mut field.attrs);
        visit_mut::visit_fields_unnamed_mut(self, fields);
    }

    fn visit_fields_named_mut(&mut self, fields: &mut syn::FieldsNamed) {
        self.listed(&mut fields.named, |field| &mut field.attrs);
        visit_mut::visit_fields_named_mut(self, fields);
    }

    fn visit_item_enum_mut(&mut self, item: &mut syn::ItemEnum) {
        self.listed(&mut item.variants, |variant| &mut variant.attrs);
        visit_mut::visit_item_enum_mut(self, item);
    }

    fn visit_signature_mut(&mut self, signature: &mut syn::Signature) {
        self.listed(&mut signature.inputs, |input| match input {
            FnArg::Receiver(receiver) => &mut receiver.attrs,
            FnArg::Typed(typed) => &mut typed.attrs,
        });
        visit_mut::visit_signature_mut(self, signature);
    }

    fn visit_type_bare_fn_mut(&mut self, function: &mut syn::TypeBareFn) {
        self.listed(&mut function.inputs, |input| &mut input.attrs);
        visit_mut::visit_type_bare_fn_mut(self, function);
    }

    fn visit_generics_mut(&mut self, generics: &mut syn::Generics) {
        self.listed(&mut generics.params, |parameter| match parameter {
            GenericParam::Lifetime(one) => &mut one.attrs,
            GenericParam::Type(one) => &mut one.attrs,
            GenericParam::Const(one) => &mut one.attrs,
        });
        visit_mut::visit_generics_mut(self, generics);
    }

    fn visit_item_foreign_mod_mut(&mut self, item: &mut syn::ItemForeignMod) {
        unqualified(item);
        item.items.retain_mut(|item| {
            attributes!(item, ForeignItem: Fn Static Type Macro).is_none_or(|own| self.keeps(own))
        });
        visit_mut::visit_item_foreign_mod_mut(self, item);
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        item.items.retain_mut(|item| {
            attributes!(item, ImplItem: Fn Const Type Macro).is_none_or(|own| self.keeps(own))
        });
        visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        item.items.retain_mut(|item| {
            attributes!(item, TraitItem: Fn Const Type Macro).is_none_or(|own| self.keeps(own))
        });
        visit_mut::visit_item_trait_mut(self, item);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        nested::find(self, block);
        block.stmts = Vec::new();
    }

    fn visit_expr_mut(&mut self, expression: &mut syn::Expr) {
        if let syn::Expr::Block(body) = expression {
            nested::find(self, &mut body.block);
        }
    }
}

/// Removes `safe` and `unsafe` from declarations, because the parser does not know all forms that have them.
pub(super) fn unqualified(block: &mut syn::ItemForeignMod) {
    for item in &mut block.items {
        let ForeignItem::Verbatim(tokens) = item else { continue };
        let qualifier =
            |tree: &TokenTree| matches!(tree, TokenTree::Ident(word) if word == "safe" || word == "unsafe");
        let at = tokens.clone().into_iter().position(|tree| qualifier(&tree));
        let rest = tokens.clone().into_iter().enumerate().filter(|(place, _)| Some(*place) != at);
        if let Ok(parsed) = syn::parse2(rest.map(|(_, tree)| tree).collect()) {
            *item = parsed;
        }
    }
}

/// An item's attributes; none for tokens that syn does not know.
pub(crate) fn attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    attributes!(item, Item: Const Enum ExternCrate Fn ForeignMod Impl Macro Mod Static Struct Trait TraitAlias Type Union Use)
}
