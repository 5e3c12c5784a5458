//! The item under the attribute.

use crate::block::{self, Handle};
use crate::function::Function;
use crate::options::Options;
use crate::refusal::refusal;
use proc_macro2::TokenStream;
use syn::{Item, LitStr, Path, Result};

/// What is exported.
pub struct Exported {
    /// The item itself.
    pub item: Item,
    /// Its functions, each of which gets a shim.
    pub functions: Vec<Function>,
    /// The type that it makes a handle.
    pub handle: Option<Handle>,
    /// Where `upcall` is.
    pub krate: Path,
}

impl Exported {
    pub fn read(attribute: TokenStream, item: TokenStream) -> Result<Exported> {
        let options = Options::parse(attribute)?;
        let item: Item = syn::parse2(item)?;
        let (functions, handle) = match &item {
            Item::Fn(function) => {
                options.only_name()?;
                let name = options.name.as_ref().map(LitStr::value);
                (vec![Function::free(&function.sig, &function.attrs, name)?], None)
            }
            Item::Impl(block) => block::read(block, &options)?,
            Item::Trait(item) => {
                return Err(refusal(&item.ident, "C knows no traits: export an impl block of a type's own"));
            }
            Item::Struct(item) => {
                let why = "a struct needs no shim: `#[derive(Blit)]` lets it cross by value, an exported impl block \
                           makes it a handle";
                return Err(refusal(&item.ident, why));
            }
            Item::Enum(item) => {
                return Err(refusal(
                    &item.ident,
                    "an enum needs no shim: `#[derive(Enum)]` lets it cross by value",
                ));
            }
            other => return Err(refusal(other, "the attribute belongs on a function or on an impl block")),
        };
        Ok(Exported { item, functions, handle, krate: options.krate() })
    }
}
