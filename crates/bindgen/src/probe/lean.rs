//! Sources whose functions are not compiled, and whose variables are not dropped.

use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Meta};

/// The text without the attributes that export functions and variables, so that the compiler makes no code
/// for them and what they call: the dependencies have no code either. `None` if there are no such attributes,
/// or if the text is not Rust, which the compiler reports better. Everything else stays where it is, `#[upcall::export]`
/// too, which knows that it is being measured.
pub(super) fn without_exports(text: &str) -> Option<String> {
    if !["no_mangle", "export_name"].iter().any(|word| text.contains(word)) {
        return None;
    }
    let mut found = Exports::default();
    found.visit_file(&syn::parse_file(text).ok()?);
    let mut bytes = text.as_bytes().to_vec();
    for range in &found.ranges {
        for byte in bytes.get_mut(range.clone())?.iter_mut().filter(|byte| **byte != b'\n') {
            *byte = b' ';
        }
    }
    (!found.ranges.is_empty()).then(|| String::from_utf8(bytes).ok()).flatten()
}

/// What to insert, and at which byte, so that no variable has to be dropped: the compiler makes code for that, and for all
/// that it takes, even where nothing uses the variable. Only types with parameters are taken to need it (`Mutex<Vec<..>>`). A
/// variable that is used in a way that this prevents is the compiler's to find.
pub(super) fn undropped(text: &str) -> Vec<(usize, String)> {
    let mut found = Variables::default();
    if text.contains("static ")
        && let Ok(file) = syn::parse_file(text)
    {
        found.visit_file(&file);
    }
    found.insertions
}

#[derive(Default)]
struct Exports {
    ranges: Vec<Range<usize>>,
}

impl Exports {
    fn attributes(&mut self, attributes: &[Attribute]) {
        let exports = attributes.iter().filter(|attribute| symbol(&attribute.meta));
        self.ranges.extend(exports.map(|attribute| attribute.span().byte_range()));
    }
}

impl<'ast> Visit<'ast> for Exports {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.attributes(&item.attrs);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.attributes(&item.attrs);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.attributes(&item.attrs);
    }
}

/// `#[no_mangle]`, `#[export_name = ".."]`, and both in `unsafe(..)`.
fn symbol(meta: &Meta) -> bool {
    let named = |meta: &Meta| meta.path().is_ident("no_mangle") || meta.path().is_ident("export_name");
    match meta {
        Meta::List(list) if list.path.is_ident("unsafe") => {
            list.parse_args::<Meta>().is_ok_and(|meta| named(&meta))
        }
        meta => named(meta),
    }
}

#[derive(Default)]
struct Variables {
    insertions: Vec<(usize, String)>,
}

impl<'ast> Visit<'ast> for Variables {
    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        let has_parameters = match &*item.ty {
            syn::Type::Path(path) => path.path.segments.iter().any(|segment| !segment.arguments.is_none()),
            _ => false,
        };
        if has_parameters && matches!(item.mutability, syn::StaticMutability::None) {
            let wrap = |around: Range<usize>, open: &str, close: &str| {
                [(around.start, format!("::core::mem::ManuallyDrop{open}")), (around.end, close.to_owned())]
            };
            self.insertions.extend(wrap(item.ty.span().byte_range(), "<", ">"));
            self.insertions.extend(wrap(item.expr.span().byte_range(), "::new(", ")"));
        }
        visit::visit_item_static(self, item);
    }
}
