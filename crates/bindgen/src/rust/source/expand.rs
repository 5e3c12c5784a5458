//! What macros make, by the compiler's own expansion.

use super::cfg::{Flags, Stripper, attributes};
use super::load::Invocation;
use super::package::Package;
use super::{Crate, Item};
use crate::diagnostics::Diagnostics;
use crate::model::Place;
use crate::probe;
use crate::rust::Input;
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::Command;
use syn::visit_mut::VisitMut;

/// Adds the items that macros make to the modules that call them.
pub fn add(
    krate: &mut Crate,
    package: &Package,
    macros: &[Invocation],
    flags: &Flags,
    input: &Input,
    diagnostics: &mut Diagnostics,
) {
    let first = &macros[0];
    let place = Place { file: first.file.to_path_buf(), line: first.at.0, column: first.at.1 };
    let expanded = match expanded(package, input) {
        Ok(text) => text,
        Err(message) => {
            let message =
                format!("what this macro makes is not known, as the crate does not expand:\n{message}");
            diagnostics.error(Some(&place), message, "make `cargo check` pass first");
            return;
        }
    };
    let items = match syn::parse_file(&expanded) {
        Ok(file) => file.items,
        Err(error) => {
            diagnostics.error(Some(&place), format!("what this macro makes cannot be read: {error}"), "");
            return;
        }
    };
    merge(krate, 0, items, macros, flags);
}

fn merge(krate: &mut Crate, module: usize, items: Vec<syn::Item>, macros: &[Invocation], flags: &Flags) {
    let invocation = macros.iter().find(|invocation| invocation.module == module);
    let mut known: HashSet<String> =
        krate.modules[module].items.iter().flat_map(|item| names(&item.item)).collect();
    for mut item in items {
        if let syn::Item::Mod(inner) = item {
            let name = inner.ident.to_string();
            let child = krate.modules[module].children.iter().find(|(child, _)| *child == name);
            if let (Some((_, child)), Some((_, items))) = (child.cloned(), inner.content) {
                merge(krate, child, items, macros, flags);
            }
            continue;
        }
        let Some(invocation) = invocation else { continue };
        if attributes(&mut item).is_some_and(|attributes| !flags.keep(attributes)) {
            continue;
        }
        if let syn::Item::ForeignMod(block) = &mut item {
            block.items.retain(|item| foreign_name(item).is_some_and(|name| !known.contains(&name)));
        }
        let names = names(&item);
        if names.is_empty() || names.iter().any(|name| known.contains(name)) {
            continue;
        }
        known.extend(names);
        Stripper(flags).visit_item_mut(&mut item);
        let file = invocation.file.clone();
        krate.modules[module].items.push(Item { item, file, made_at: Some(invocation.at) });
    }
}

/// What an item is known by; nothing for items that no API is made of.
fn names(item: &syn::Item) -> Vec<String> {
    match item {
        syn::Item::Struct(item) => vec![item.ident.to_string()],
        syn::Item::Enum(item) => vec![item.ident.to_string()],
        syn::Item::Union(item) => vec![item.ident.to_string()],
        syn::Item::Type(item) => vec![item.ident.to_string()],
        syn::Item::Fn(item) => vec![item.sig.ident.to_string()],
        syn::Item::Const(item) if item.ident != "_" => vec![item.ident.to_string()],
        syn::Item::Static(item) => vec![item.ident.to_string()],
        syn::Item::ForeignMod(block) => block.items.iter().filter_map(foreign_name).collect(),
        syn::Item::Macro(item) => crate::rust::lower::flag_names(&item.mac),
        _ => Vec::new(),
    }
}

fn foreign_name(item: &syn::ForeignItem) -> Option<String> {
    match item {
        syn::ForeignItem::Fn(item) => Some(item.sig.ident.to_string()),
        syn::ForeignItem::Static(item) => Some(item.ident.to_string()),
        syn::ForeignItem::Type(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

/// The crate's text with all macros expanded. The compiler is allowed what only nightly ones are, and works
/// in a target folder of its own: cargo's lock is held within a build script.
fn expanded(package: &Package, input: &Input) -> Result<String, String> {
    if probe::is_nested() {
        return Err("this build script was started by the generator itself".into());
    }
    let mut command = match &package.manifest {
        Some(manifest) => {
            let mut cargo = Command::new("cargo");
            cargo.args(["rustc", "--quiet", "--lib", "--profile", "check", "--manifest-path"]).arg(manifest);
            cargo.arg("--target-dir").arg(folder(package));
            if !input.features.is_empty() {
                cargo.arg("--features").arg(input.features.join(","));
            }
            if !input.default_features {
                cargo.arg("--no-default-features");
            }
            if let Some(target) = &input.target {
                cargo.args(["--target", target]);
            }
            cargo.args(["--", "-Zunpretty=expanded"]);
            cargo
        }
        None => {
            let mut rustc = Command::new("rustc");
            rustc
                .args(["--edition", "2024", "--crate-type", "lib", "-Zunpretty=expanded"])
                .arg(&package.root);
            if let Some(target) = &input.target {
                rustc.args(["--target", target]);
            }
            rustc
        }
    };
    for flag in &input.cfg {
        command.args(["--cfg", flag]);
    }
    command.env("RUSTC_BOOTSTRAP", "1").env(probe::NESTED, "1");
    let output = command.output().map_err(|error| format!("the compiler does not start: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    String::from_utf8(output.stdout).map_err(|_| "its text is not UTF-8".into())
}

fn folder(package: &Package) -> PathBuf {
    probe::folder().join("expanded").join(&package.name)
}
