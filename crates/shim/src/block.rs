//! An `impl` block as it is exported: a type whose values are handles.

use crate::function::{Function, snake};
use crate::options::{Options, is_export};
use crate::refusal::{Refusals, refusal};
use crate::taken::strip;
use syn::ext::IdentExt;
use syn::{
    Attribute, Ident, ImplItem, ImplItemFn, ItemImpl, LitStr, PathArguments, Result, Type, TypePath,
    Visibility,
};

/// A type whose values are handles.
pub struct Handle {
    /// The type.
    pub of: Type,
    /// Its name.
    pub ident: Ident,
    /// Whether calls mark its handles.
    pub marked: bool,
    /// The symbol that frees one.
    pub release: String,
    /// The attributes of its `impl` block, without `export` itself.
    pub attributes: Vec<Attribute>,
}

/// The exported functions of a block, and the type that it makes a handle, unless an earlier block did.
pub fn read(item: &ItemImpl, options: &Options) -> Result<(Vec<Function>, Option<Handle>)> {
    if let Some(skip) = &options.skip {
        return Err(refusal(skip, "`skip` belongs on a function in the block"));
    }
    if let (Some(marked), Some(_)) = (&options.marked, &options.extend) {
        return Err(refusal(marked, "`marked` belongs on the first block of the type"));
    }
    let ident = name(item)?;
    let of = strip(&item.self_ty);
    let prefix = options.name.as_ref().map_or_else(|| snake(of), LitStr::value);
    let mut refusals = Refusals::default();
    let functions = (item.items.iter())
        .filter_map(|item| match item {
            ImplItem::Fn(function) => {
                refusals.take(member(function, &prefix, of, options.marked.is_some())).flatten()
            }
            _ => None,
        })
        .collect();
    refusals.finish()?;
    let handle = options.extend.is_none().then(|| Handle {
        of: of.clone(),
        ident: ident.clone(),
        marked: options.marked.is_some(),
        release: format!("{prefix}_release"),
        attributes: item.attrs.iter().filter(|attribute| !is_export(attribute)).cloned().collect(),
    });
    Ok((functions, handle))
}

/// The function, if it is exported.
fn member(item: &ImplItemFn, prefix: &str, of: &Type, is_marked: bool) -> Result<Option<Function>> {
    let options = Options::of(&item.attrs)?;
    if let Some(extend) = &options.extend {
        return Err(refusal(extend, "`extend` belongs on the impl block"));
    }
    if let Some(marked) = &options.marked {
        return Err(refusal(marked, "`marked` belongs on the impl block"));
    }
    if options.skip.is_some() || !matches!(item.vis, Visibility::Public(_)) {
        return Ok(None);
    }
    if let Some(receiver) = item.sig.receiver()
        && is_marked
        && receiver.mutability.is_some()
        && receiver.reference.is_some()
    {
        return Err(refusal(
            receiver,
            "calls of a `marked` type are not counted, so that nobody has it alone: take `&self`",
        ));
    }
    let symbol =
        options.name.map_or_else(|| format!("{prefix}_{}", item.sig.ident.unraw()), |name| name.value());
    Function::member(&item.sig, &item.attrs, symbol, of).map(Some)
}

/// The name of the type, which must have no parameters.
fn name(item: &ItemImpl) -> Result<&Ident> {
    if let Some((_, path, _)) = &item.trait_ {
        return Err(refusal(
            path,
            "C knows no traits: write the functions in an impl block of the type's own",
        ));
    }
    if let Some(parameter) = item.generics.params.first() {
        return Err(refusal(
            parameter,
            "a C function is compiled once, for types that are known: write a type around the one that is needed",
        ));
    }
    match strip(&item.self_ty) {
        Type::Path(TypePath { qself: None, path })
            if let Some(last) = path.segments.last()
                && path.segments.iter().all(|segment| segment.arguments == PathArguments::None) =>
        {
            Ok(&last.ident)
        }
        other => {
            Err(refusal(other, "a handle is a type with a name and without parameters: write one around it"))
        }
    }
}
