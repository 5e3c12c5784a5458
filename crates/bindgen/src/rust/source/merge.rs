//! Inserts what macros make into the written source.
//!
//! The expansion has the same items in the same order, and between them those that macros make. Only items
//! between two written ones with an invocation between them count, so that what derives and
//! attribute macros add stays out.

use super::cfg::Flags;
use super::nested::Nested;
use super::strip::{Strip, unqualified};
use super::walk::Invocation;
use super::{Item, Module, add_module};
use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use std::collections::HashSet;
use syn::visit_mut::{self, VisitMut};
use syn::{ForeignItem, ImplItem};

/// The expansion as items. Function bodies are dropped before parsing: they may contain syntax that only the
/// compiler reads (`builtin # offset_of(..)`).
pub(super) fn parse(text: &str) -> syn::Result<Vec<syn::Item>> {
    let mut file: syn::File = syn::parse2(plain(text.parse()?))?;
    Exports.visit_file_mut(&mut file);
    Ok(file.items)
}

/// The exports of a `const _: () = { .. };`; other items stand for themselves.
fn spread(item: syn::Item) -> Vec<Nested> {
    match item {
        syn::Item::Const(mut item) if item.ident == "_" => {
            let flags = Flags::default();
            let mut strip = Strip::new(&flags);
            strip.visit_expr_mut(&mut item.expr);
            strip.nested
        }
        item => vec![Nested { item, hidden: false }],
    }
}

/// Finds `#[upcall::export]` again.
struct Exports;

impl VisitMut for Exports {
    fn visit_attribute_mut(&mut self, attribute: &mut syn::Attribute) {
        upcall_shim::unmark(attribute);
    }

    fn visit_item_foreign_mod_mut(&mut self, block: &mut syn::ItemForeignMod) {
        unqualified(block);
        visit_mut::visit_item_foreign_mod_mut(self, block);
    }
}

fn plain(stream: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    // Whether a function's head has begun, and whether its parameters are over.
    let (mut function, mut over) = (false, false);
    for tree in stream {
        match tree {
            TokenTree::Group(group) => {
                let body = function && over && group.delimiter() == Delimiter::Brace;
                over |= function && group.delimiter() == Delimiter::Parenthesis;
                if is_builtin(&out) {
                    out.truncate(out.len() - 3);
                    out.push(Literal::usize_suffixed(0).into());
                    continue;
                }
                let inner = if body { TokenStream::new() } else { plain(group.stream()) };
                (function, over) = if body { (false, false) } else { (function, over) };
                let mut new = Group::new(group.delimiter(), inner);
                new.set_span(group.span());
                out.push(new.into());
            }
            TokenTree::Ident(ident) => {
                // Before a name, it belongs to an item's head and not to a type.
                if matches!(out.last(), Some(TokenTree::Ident(last)) if last == "fn") {
                    (function, over) = (true, false);
                }
                out.push(ident.into());
            }
            TokenTree::Punct(punct) => {
                if punct.as_char() == ';' {
                    (function, over) = (false, false);
                }
                out.push(punct.into());
            }
            literal => out.push(literal),
        }
    }
    out.into_iter().collect()
}

fn is_builtin(before: &[TokenTree]) -> bool {
    match before {
        [.., TokenTree::Ident(builtin), TokenTree::Punct(hash), TokenTree::Ident(_)] => {
            builtin == "builtin" && hash.as_char() == '#'
        }
        _ => false,
    }
}

/// Adds what the written modules do not have.
pub(super) fn merge(modules: &mut Vec<Module>, invocations: &[Invocation], items: Vec<syn::Item>) {
    Merge { modules, invocations }.module(0, items);
}

struct Merge<'a> {
    modules: &'a mut Vec<Module>,
    invocations: &'a [Invocation],
}

impl Merge<'_> {
    fn module(&mut self, index: usize, items: Vec<syn::Item>) {
        let calls: Vec<&Invocation> =
            self.invocations.iter().filter(|invocation| invocation.module == index).collect();
        let written = std::mem::take(&mut self.modules[index].items);
        let names: Vec<HashSet<String>> = written.iter().map(|item| names(&item.item)).collect();
        let mut known: HashSet<String> = names.iter().flatten().cloned().collect();
        // Positions among the written items, with the items made there.
        let mut made: Vec<(usize, Item)> = Vec::new();
        let mut gap: Vec<Nested> = Vec::new();
        let mut start = 0;
        for item in items {
            if let syn::Item::Mod(inner) = item {
                self.inner(index, inner, &calls);
                continue;
            }
            let own = self::names(&item);
            let anchor = (start..written.len()).find(|at| !names[*at].is_disjoint(&own));
            match anchor {
                Some(at) => {
                    self.gap(&mut gap, &calls, start, at, &mut known, &mut made);
                    // An invocation within the item has made the rest of it.
                    gap.extend(spread(item));
                    start = at + 1;
                }
                None => gap.extend(spread(item)),
            }
        }
        self.gap(&mut gap, &calls, start, written.len(), &mut known, &mut made);
        let mut made = made.into_iter().peekable();
        let mut all = Vec::with_capacity(written.len());
        for (at, item) in written.into_iter().enumerate() {
            while let Some((_, item)) = made.next_if(|(place, _)| *place <= at) {
                all.push(item);
            }
            all.push(item);
        }
        all.extend(made.map(|(_, item)| item));
        self.modules[index].items = all;
    }

    /// Gives the items between two written ones to the invocations there.
    fn gap(
        &self,
        gap: &mut Vec<Nested>,
        calls: &[&Invocation],
        from: usize,
        to: usize,
        known: &mut HashSet<String>,
        made: &mut Vec<(usize, Item)>,
    ) {
        // An invocation within the previous item counts as one after it begins.
        let first = from.saturating_sub(1);
        let here: Vec<&&Invocation> = calls
            .iter()
            .filter(|call| {
                if call.inner { (first..to).contains(&call.after) } else { (from..=to).contains(&call.after) }
            })
            .collect();
        for Nested { item, hidden } in gap.drain(..) {
            let Some(nearest) = here.first() else { continue };
            let Some(item) = rest(item, known) else { continue };
            let own = names(&item);
            let named = |call: &&&&Invocation| own.iter().any(|name| call.words.contains(last(name)));
            let call = here.iter().find(named).unwrap_or(nearest);
            known.extend(own);
            let at = call.after + usize::from(call.inner);
            made.push((
                at.max(made.last().map_or(0, |(last, _)| *last)),
                Item { item, file: call.file.clone(), made_at: Some(call.at), hidden },
            ));
        }
    }

    fn inner(&mut self, parent: usize, item: syn::ItemMod, calls: &[&Invocation]) {
        let name = syn::ext::IdentExt::unraw(&item.ident).to_string();
        let Some((_, items)) = item.content else { return };
        let known = self.modules[parent].children.iter().find(|(known, _)| *known == name);
        if let Some((_, index)) = known {
            let index = *index;
            return self.module(index, items);
        }
        let Some(call) = calls.iter().find(|call| call.words.contains(&name)).or(calls.first()) else {
            return;
        };
        let (file, at) = (call.file.clone(), call.at);
        let around = &self.modules[parent];
        let (spot, made) = (around.spot.clone(), around.made + 1);
        let index = add_module(self.modules, Some(parent), name, &item.vis, spot);
        self.modules[index].made = made;
        for item in items {
            match item {
                syn::Item::Mod(inner) => self.inner(index, inner, calls),
                item => {
                    let made = spread(item).into_iter().map(|Nested { item, hidden }| Item {
                        item,
                        file: file.clone(),
                        made_at: Some(at),
                        hidden,
                    });
                    self.modules[index].items.extend(made);
                }
            }
        }
    }
}

/// The identity of an item. Blocks are identified by their contents.
fn names(item: &syn::Item) -> HashSet<String> {
    let one = |kind: &str, ident: &syn::Ident| HashSet::from([format!("{kind} {ident}")]);
    match item {
        syn::Item::Struct(item) => one("type", &item.ident),
        syn::Item::Enum(item) => one("type", &item.ident),
        syn::Item::Union(item) => one("type", &item.ident),
        syn::Item::Type(item) => one("type", &item.ident),
        syn::Item::Trait(item) => one("type", &item.ident),
        syn::Item::Fn(item) => one("value", &item.sig.ident),
        syn::Item::Const(item) => one("value", &item.ident),
        syn::Item::Static(item) => one("value", &item.ident),
        syn::Item::Use(item) => HashSet::from([format!("use {}", quote::quote!(#item))]),
        syn::Item::ForeignMod(block) => block.items.iter().filter_map(foreign).collect(),
        syn::Item::Impl(block) if block.trait_.is_none() => {
            block.items.iter().filter_map(|item| member(block, item)).collect()
        }
        // The types that a `bitflags!` makes, and their blocks.
        syn::Item::Macro(call) => crate::rust::lower::flag_names(&call.mac)
            .into_iter()
            .flat_map(|name| [format!("type {name}"), format!("flags {name}")])
            .collect(),
        _ => HashSet::new(),
    }
}

fn foreign(item: &ForeignItem) -> Option<String> {
    match item {
        ForeignItem::Fn(item) => Some(format!("foreign {}", item.sig.ident)),
        ForeignItem::Static(item) => Some(format!("foreign {}", item.ident)),
        ForeignItem::Type(item) => Some(format!("type {}", item.ident)),
        _ => None,
    }
}

fn member(block: &syn::ItemImpl, item: &ImplItem) -> Option<String> {
    let ty = &block.self_ty;
    let name = match item {
        ImplItem::Fn(item) => &item.sig.ident,
        ImplItem::Const(item) => &item.ident,
        _ => return None,
    };
    Some(format!("{}:: {name}", quote::quote!(#ty)))
}

fn last(name: &str) -> &str {
    name.rsplit(' ').next().unwrap_or(name)
}

/// The parts of a made item that are not known yet.
fn rest(mut item: syn::Item, known: &HashSet<String>) -> Option<syn::Item> {
    match &mut item {
        syn::Item::ForeignMod(block) => {
            block.items.retain(|item| foreign(item).is_some_and(|name| !known.contains(&name)));
            (!block.items.is_empty()).then_some(item)
        }
        syn::Item::Impl(block) if block.trait_.is_none() => {
            let ty = &block.self_ty;
            let flags = known.contains(&format!("flags {}", quote::quote!(#ty)));
            let mut items = std::mem::take(&mut block.items);
            items.retain(|item| member(block, item).is_some_and(|name| !known.contains(&name)));
            block.items = items;
            (!flags && !block.items.is_empty()).then_some(item)
        }
        syn::Item::Impl(_) | syn::Item::Macro(_) | syn::Item::ExternCrate(_) | syn::Item::Verbatim(_) => None,
        _ => names(&item).is_disjoint(known).then_some(item),
    }
}
