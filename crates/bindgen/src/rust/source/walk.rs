//! From a root file through its modules.

use super::cfg::Flags;
use super::docs::Docs;
use super::macros::{self, CfgIf, Kind};
use super::package::{Home, real};
use super::script;
use super::strip::Strip;
use super::text::{self, Text};
use super::{Item, Module, add_module};
use crate::Diagnostics;
use crate::model::Place;
use crate::probe::Spot;
use crate::rust::lower::value_of;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;

/// A macro invocation among items that only the compiler can read.
pub(super) struct Invocation {
    /// The module it is in.
    pub module: usize,
    /// How many of the module's items precede it.
    pub after: usize,
    /// The file it is in.
    pub file: Arc<Path>,
    /// Line and column.
    pub at: (usize, usize),
    /// Whether it is within the item at `after`, an `extern` or `impl` block.
    pub inner: bool,
    /// The names in its arguments.
    pub words: HashSet<String>,
}

/// Reads one crate.
pub(super) struct Walk<'a> {
    pub flags: &'a Flags,
    pub home: Option<&'a Home>,
    /// Where the build script's output is, if known.
    pub out_dir: Option<String>,
    pub diagnostics: &'a mut Diagnostics,
    pub modules: Vec<Module>,
    pub invocations: Vec<Invocation>,
    /// Whether code that stays reads what the build script writes or sets.
    pub reads_output: bool,
    /// Whether a file asks for flags that the build script may set.
    pub names_flags: bool,
    /// Whether a file says where a file is, and where the package is.
    pub says: (bool, bool),
    /// The files being read, to detect circles.
    pub open: Vec<PathBuf>,
}

/// Where the items of a file or of an inline module are.
struct Scope {
    text: Text,
    module: usize,
    /// Where files of modules are looked for.
    folder: PathBuf,
    /// A folder below it for inline modules' folders and `mod name;`: for `a.rs`, `a`.
    below: Option<String>,
}

impl Walk<'_> {
    /// Reads the root file and all below it.
    pub fn root(&mut self, path: &Path) {
        let public = syn::Visibility::Public(Default::default());
        add_module(
            &mut self.modules,
            None,
            String::new(),
            &public,
            Spot { file: path.to_owned(), brace: None },
        );
        self.file(path, 0, None, None);
    }

    fn file(&mut self, path: &Path, module: usize, below: Option<String>, from: Option<&Place>) {
        let known = real(path);
        if self.open.contains(&known) {
            let message = format!("`{}` includes itself", path.display());
            self.diagnostics.error(from, message, "break the circle of `mod` and `include!`");
            return;
        }
        let Some((text, mut file)) = text::read(path, from, self.diagnostics) else { return };
        self.open.push(known);
        self.names_flags |= text.names_flags;
        self.says = (self.says.0 | text.says.0, self.says.1 | text.says.1);
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let scope = Scope { text, module, folder, below };
        let mut strip = Strip::new(self.flags);
        let stays = strip.keeps(&mut file.attrs);
        self.report(&scope.text, strip.errors);
        if stays {
            self.items(file.items, &scope, false);
        }
        self.open.pop();
    }

    fn report(&mut self, text: &Text, errors: Vec<syn::Error>) {
        errors.iter().for_each(|error| text.report(error, self.diagnostics));
    }

    fn items(&mut self, items: Vec<syn::Item>, scope: &Scope, hidden: bool) {
        for mut item in items {
            let mut strip = Strip::new(self.flags);
            // What is within a module is decided item by item.
            let whole =
                scope.text.may_read_output && !matches!(item, syn::Item::Mod(_) | syn::Item::Macro(_));
            let asks = whole && script::reads_output(&item);
            let stays = strip.item(&mut item);
            self.report(&scope.text, strip.errors);
            if !stays {
                continue;
            }
            let nested = strip.nested;
            if scope.text.has_doc_macros {
                let folder = scope.text.path.parent().unwrap_or(Path::new(""));
                let variable = &mut |name: &str| self.home.and_then(|home| home.variable(name));
                Docs { folder, variable }.visit_item_mut(&mut item);
            }
            self.reads_output |= asks;
            match item {
                syn::Item::Mod(module) => self.module(module, scope),
                syn::Item::Macro(call) => self.call(call, scope),
                syn::Item::Const(item) if item.ident == "_" => {}
                item => {
                    self.inner_calls(&item, scope);
                    let beside = super::spans::beside(&item);
                    self.push(item, scope, hidden);
                    beside.into_iter().for_each(|item| self.push(item, scope, hidden));
                }
            }
            for one in nested {
                self.items(vec![one.item], scope, hidden || one.hidden);
            }
        }
    }

    fn push(&mut self, item: syn::Item, scope: &Scope, hidden: bool) {
        let item = Item { item, file: scope.text.path.clone(), made_at: None, hidden };
        self.modules[scope.module].items.push(item);
    }

    fn module(&mut self, item: syn::ItemMod, scope: &Scope) {
        let name = item.ident.unraw().to_string();
        let place = scope.text.place(item.ident.span());
        let path = value_of(&item.attrs, "path");
        if let Some((brace, items)) = item.content {
            let end = brace.span.close().byte_range().start + scope.text.skipped;
            let spot = Spot { file: scope.text.path.to_path_buf(), brace: Some(end) };
            let index = add_module(&mut self.modules, Some(scope.module), name.clone(), &item.vis, spot);
            let mut folder = scope.folder.clone();
            match path {
                Some(path) => folder.push(path),
                None => folder.extend(scope.below.iter().map(String::as_str).chain([name.as_str()])),
            }
            let scope = Scope { text: scope.text.clone(), module: index, folder, below: None };
            return self.items(items, &scope, false);
        }
        if let Some(path) = path {
            let file = scope.folder.join(path);
            let spot = Spot { file: file.clone(), brace: None };
            let index = add_module(&mut self.modules, Some(scope.module), name, &item.vis, spot);
            return self.file(&file, index, None, Some(&place));
        }
        let mut folder = scope.folder.clone();
        folder.extend(&scope.below);
        let (beside, within) = (folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs"));
        let (file, below) = match (beside.is_file(), within.is_file()) {
            (true, false) => (beside, Some(name.clone())),
            (false, true) => (within, None),
            (both, _) => {
                let found = if both { "both of its files exist" } else { "none of its files exists" };
                let message = format!("the module `{name}` cannot be read: {found}");
                let places = format!("`{}` or `{}`", beside.display(), within.display());
                let help = if both { format!("remove {places}") } else { format!("looked for {places}") };
                self.diagnostics.error(Some(&place), message, help);
                return;
            }
        };
        let spot = Spot { file: file.clone(), brace: None };
        let index = add_module(&mut self.modules, Some(scope.module), name, &item.vis, spot);
        self.file(&file, index, below, Some(&place));
    }

    fn call(&mut self, mut call: syn::ItemMacro, scope: &Scope) {
        if call.ident.is_some() {
            return;
        }
        let place = scope.text.place(call.mac.path.span());
        match macros::kind(&call.mac.path) {
            Kind::Bitflags => {
                let mut strip = Strip::new(self.flags);
                call.mac.tokens = strip.flags(call.mac.tokens);
                self.report(&scope.text, strip.errors);
                self.push(syn::Item::Macro(call), scope, false);
            }
            Kind::Include => self.include(call.mac.tokens, scope, &place),
            Kind::CfgIf => match call.mac.parse_body::<CfgIf>() {
                Ok(parsed) => self.branches(parsed, scope),
                Err(error) => scope.text.report(&error, self.diagnostics),
            },
            Kind::CompileError => {
                let text = call.mac.parse_body::<syn::LitStr>().map(|text| text.value());
                let text = text.unwrap_or_else(|_| call.mac.tokens.to_string());
                self.diagnostics.error(Some(&place), format!("the source says: {text}"), "");
            }
            Kind::Harmless => {}
            Kind::Unknown => self.unknown(&call.mac, false, scope),
        }
    }

    fn unknown(&mut self, call: &syn::Macro, inner: bool, scope: &Scope) {
        let place = scope.text.place(call.path.span());
        self.invocations.push(Invocation {
            module: scope.module,
            after: self.modules[scope.module].items.len(),
            file: scope.text.path.clone(),
            at: (place.line, place.column),
            inner,
            words: macros::words(call.tokens.clone()),
        });
    }

    /// Invocations within an `extern` block or an `impl`: the items they make follow it, in a block of their own.
    fn inner_calls(&mut self, item: &syn::Item, scope: &Scope) {
        match item {
            syn::Item::ForeignMod(block) => block.items.iter().for_each(|item| {
                if let syn::ForeignItem::Macro(call) = item {
                    self.unknown(&call.mac, true, scope);
                }
            }),
            syn::Item::Impl(block) if block.trait_.is_none() => block.items.iter().for_each(|item| {
                if let syn::ImplItem::Macro(call) = item {
                    self.unknown(&call.mac, true, scope);
                }
            }),
            _ => {}
        }
    }

    fn branches(&mut self, parsed: CfgIf, scope: &Scope) {
        for (condition, items) in parsed.branches {
            match condition.map_or(Ok(true), |condition| self.flags.decide(&condition)) {
                Ok(true) => return self.items(items, scope, false),
                Ok(false) => {}
                Err(error) => return scope.text.report(&error, self.diagnostics),
            }
        }
    }

    fn include(&mut self, tokens: proc_macro2::TokenStream, scope: &Scope, place: &Place) {
        let (home, out_dir) = (self.home, self.out_dir.clone());
        let (mut asked, mut missing) = (false, false);
        let path = macros::path(tokens, &mut |name| {
            asked |= name == "OUT_DIR";
            let value = match name {
                "OUT_DIR" => out_dir.clone(),
                _ => home.and_then(|home| home.variable(name)).or_else(|| std::env::var(name).ok()),
            };
            missing |= value.is_none();
            value
        });
        self.reads_output |= asked;
        match path {
            Ok(path) => {
                let folder = scope.text.path.parent().unwrap_or(Path::new(""));
                self.file(&folder.join(path), scope.module, None, Some(place));
            }
            Err(error) => {
                let help = match (missing, asked) {
                    (true, true) => {
                        "call this from the package's build.rs, where OUT_DIR is known, or set OUT_DIR to the folder that it wrote"
                    }
                    (true, false) => "set it in the environment",
                    (false, _) => "write a literal, or `concat!` of literals and `env!`",
                };
                self.diagnostics.error(Some(place), format!("a file cannot be included: {error}"), help);
            }
        }
    }
}
