//! From root files to crates: packages, `mod`, `#[path]`, `include!`.

use super::cfg::{Flags, Stripper, attributes};
use super::package::Package;
use super::{Crate, Item, Module};
use crate::diagnostics::Diagnostics;
use crate::model::Place;
use crate::probe::Spot;
use crate::rust::Input;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprLit, ItemMod, Lit, Meta};

/// Reads every root file with its modules. `None` after an error; all of them are said.
pub fn load(input: &Input, diagnostics: &mut Diagnostics) -> Option<Vec<Crate>> {
    let before = diagnostics.list.len();
    let crates: Vec<Crate> = input.files.iter().filter_map(|file| krate(file, input, diagnostics)).collect();
    let failed = diagnostics.list[before..].iter().any(|said| said.severity == crate::Severity::Error);
    (!failed && crates.len() == input.files.len()).then_some(crates)
}

fn krate(file: &Path, input: &Input, diagnostics: &mut Diagnostics) -> Option<Crate> {
    let package = Package::of(file, input, diagnostics)?;
    let folder = package.root.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut flags = match Flags::of_target(input.target.as_deref(), folder) {
        Ok(flags) => flags,
        Err(message) => {
            diagnostics.error(None, format!("asking rustc for the target's cfg failed: {message}"), "");
            return None;
        }
    };
    input.cfg.iter().for_each(|flag| flags.set(flag));
    package.features.iter().for_each(|feature| flags.set(&format!("feature=\"{feature}\"")));
    let root: Arc<Path> = package.root.clone().into();
    let mut loader =
        Loader { flags: &flags, package: &package, modules: Vec::new(), macros: Vec::new(), diagnostics };
    let items = loader.parse(&root, None)?;
    loader.module(Vec::new(), None, Spot { file: root.to_path_buf(), brace: None });
    let place = Folder { of_file: folder.to_path_buf(), children: folder.to_path_buf(), inline: false };
    loader.fill(0, items, &root, &place);
    let Loader { modules, macros, .. } = loader;
    let mut krate = Crate { name: package.name.clone(), source: package.source(input), modules };
    if !macros.is_empty() {
        super::expand::add(&mut krate, &package, &macros, &flags, input, diagnostics);
    }
    Some(krate)
}

/// Where a module's files are looked for.
struct Folder {
    /// The folder of the file itself, for `#[path]`.
    of_file: PathBuf,
    /// Where `mod name;` looks for `name.rs`.
    children: PathBuf,
    /// Whether the module is written within its parent's file.
    inline: bool,
}

/// The invocation of a macro that makes items.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// An index into [`Crate::modules`].
    pub module: usize,
    /// Where it is.
    pub file: Arc<Path>,
    /// Line and column, from 1.
    pub at: (usize, usize),
}

struct Loader<'a> {
    flags: &'a Flags,
    package: &'a Package,
    modules: Vec<Module>,
    macros: Vec<Invocation>,
    diagnostics: &'a mut Diagnostics,
}

impl Loader<'_> {
    fn parse(&mut self, path: &Path, asked: Option<&Place>) -> Option<Vec<syn::Item>> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => {
                let message = format!("reading {}: {error}", path.display());
                self.diagnostics.error(asked, message, "check the path");
                return None;
            }
        };
        match syn::parse_file(&text) {
            Ok(file) => Some(file.items),
            Err(error) => {
                for error in error {
                    let start = error.span().start();
                    let place =
                        Place { file: path.to_path_buf(), line: start.line, column: start.column + 1 };
                    self.diagnostics.error(Some(&place), format!("this is no Rust: {error}"), "");
                }
                None
            }
        }
    }

    fn module(&mut self, path: Vec<String>, parent: Option<usize>, spot: Spot) -> usize {
        self.modules.push(Module { path, parent, children: Vec::new(), spot, items: Vec::new() });
        self.modules.len() - 1
    }

    fn fill(&mut self, module: usize, items: Vec<syn::Item>, file: &Arc<Path>, folder: &Folder) {
        for mut item in items {
            if attributes(&mut item).is_some_and(|attributes| !self.flags.keep(attributes)) {
                continue;
            }
            match item {
                syn::Item::Mod(inner) => self.child(module, inner, file, folder),
                syn::Item::Macro(invocation) => self.invocation(module, invocation, file, folder),
                mut item => {
                    Stripper(self.flags).visit_item_mut(&mut item);
                    self.modules[module].items.push(Item { item, file: file.clone(), made_at: None });
                }
            }
        }
    }

    fn child(&mut self, parent: usize, item: ItemMod, file: &Arc<Path>, folder: &Folder) {
        let name = item.ident.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name).to_owned();
        let mut path = self.modules[parent].path.clone();
        path.push(name.clone());
        let explicit = item.attrs.iter().find_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("path") => literal(&pair.value),
            _ => None,
        });
        let (spot, items, file, below) = match item.content {
            Some((brace, items)) => {
                let brace = brace.span.close().byte_range().start;
                let spot = Spot { file: file.to_path_buf(), brace: Some(brace) };
                let children = folder.children.join(explicit.as_deref().unwrap_or(&name));
                let below = Folder { of_file: folder.of_file.clone(), children, inline: true };
                (spot, items, file.clone(), below)
            }
            None => {
                let start = item.ident.span().start();
                let place = Place { file: file.to_path_buf(), line: start.line, column: start.column + 1 };
                let Some((found, children)) = self.find(&name, explicit.as_deref(), folder, &place) else {
                    return;
                };
                let Some(items) = self.parse(&found, Some(&place)) else { return };
                let of_file = found.parent().unwrap_or(Path::new("")).to_path_buf();
                let spot = Spot { file: found.clone(), brace: None };
                (spot, items, Arc::from(found), Folder { of_file, children, inline: false })
            }
        };
        let index = self.module(path, Some(parent), spot);
        self.modules[parent].children.push((name, index));
        self.fill(index, items, &file, &below);
    }

    /// A module's file, and where its own modules are looked for.
    fn find(
        &mut self,
        name: &str,
        explicit: Option<&str>,
        folder: &Folder,
        place: &Place,
    ) -> Option<(PathBuf, PathBuf)> {
        let candidates = match explicit {
            Some(path) => {
                let from = if folder.inline { &folder.children } else { &folder.of_file };
                let file = from.join(path);
                let children = file.parent().unwrap_or(Path::new("")).to_path_buf();
                vec![(file, children)]
            }
            None => {
                let children = folder.children.join(name);
                vec![
                    (folder.children.join(format!("{name}.rs")), children.clone()),
                    (children.join("mod.rs"), children),
                ]
            }
        };
        if let Some(found) = candidates.iter().find(|(file, _)| file.is_file()) {
            return Some(found.clone());
        }
        let looked: Vec<String> = candidates.iter().map(|(file, _)| file.display().to_string()).collect();
        let message = format!("the module `{name}` has no file: looked for {}", looked.join(" and "));
        self.diagnostics.error(Some(place), message, "write the file, or take the `mod` out with `cfg`");
        None
    }

    fn invocation(&mut self, module: usize, item: syn::ItemMacro, file: &Arc<Path>, folder: &Folder) {
        const QUIET: [&str; 9] = [
            "macro_rules",
            "thread_local",
            "compile_error",
            "assert_eq_size",
            "assert_eq_align",
            "const_assert",
            "const_assert_eq",
            "assert_impl_all",
            "global_asm",
        ];
        let name = item.mac.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let start = item.mac.path.span().start();
        let at = (start.line, start.column + 1);
        match name.as_str() {
            "bitflags" => {
                let item = syn::Item::Macro(item);
                self.modules[module].items.push(Item { item, file: file.clone(), made_at: None });
            }
            "include" => {
                let place = Place { file: file.to_path_buf(), line: at.0, column: at.1 };
                let Some(path) = self.included(&item, file, &place) else { return };
                if let Some(items) = self.parse(&path, Some(&place)) {
                    let of_file = path.parent().unwrap_or(Path::new("")).to_path_buf();
                    let below = Folder { children: of_file.clone(), of_file, inline: folder.inline };
                    self.fill(module, items, &Arc::from(path), &below);
                }
            }
            name if QUIET.contains(&name) => {}
            _ => self.macros.push(Invocation { module, file: file.clone(), at }),
        }
    }

    /// The file of an `include!`.
    fn included(&mut self, item: &syn::ItemMacro, file: &Arc<Path>, place: &Place) -> Option<PathBuf> {
        let text = item.mac.parse_body::<Expr>().map_err(|error| error.to_string());
        let text = text.and_then(|expression| self.text(&expression));
        match text {
            Ok(text) => Some(file.parent().unwrap_or(Path::new("")).join(text)),
            Err(why) => {
                let help = "run the generator from the crate's build script, where OUT_DIR is known, or set the variable";
                self.diagnostics.error(Some(place), format!("the included file is not known: {why}"), help);
                None
            }
        }
    }

    /// The value of `"text"`, `concat!(…)` and `env!(…)`.
    fn text(&self, expression: &Expr) -> Result<String, String> {
        if let Some(text) = literal(expression) {
            return Ok(text);
        }
        let Expr::Macro(inner) = expression else { return Err("it is no text".into()) };
        let parts =
            inner.mac.parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated);
        let parts = parts.map_err(|error| error.to_string())?;
        if inner.mac.path.is_ident("concat") {
            return parts.iter().map(|part| self.text(part)).collect();
        }
        let name = parts.first().and_then(literal).ok_or("`env!` lacks its variable")?;
        if name == "CARGO_MANIFEST_DIR"
            && let Some(folder) = self.package.manifest.as_ref().and_then(|path| path.parent())
        {
            return Ok(folder.display().to_string());
        }
        env::var(&name).map_err(|_| format!("{name} is not set"))
    }
}

fn literal(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}
