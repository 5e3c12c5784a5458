//! What is described is what is exported.

use crate::library;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::path::Path;
use syn::{Attribute, Item, Meta};
use upcall_shim::{Role, Shim, describe};

/// The shims of every exported item in the library's sources.
fn described() -> Vec<Shim> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exported");
    let exports = own.join("../../../bindgen/tests/awkward/src/exports");
    let files = ["values.rs", "callbacks.rs", "handles.rs"].map(|file| exports.join(file));
    let mut shims = Vec::new();
    let kept = own.join("../../../bindgen/tests/kept/src/lib.rs");
    for file in files.into_iter().chain([own.join("lib.rs"), kept]) {
        let source = std::fs::read_to_string(file).unwrap();
        for item in syn::parse_file(&source).unwrap().items {
            let attributes: &[Attribute] = match &item {
                Item::Fn(item) => &item.attrs,
                Item::Impl(item) => &item.attrs,
                _ => continue,
            };
            let Some(export) = attributes
                .iter()
                .find(|attribute| attribute.path().segments.last().unwrap().ident == "export")
            else {
                continue;
            };
            let options = match &export.meta {
                Meta::List(list) => list.tokens.clone(),
                _ => TokenStream::new(),
            };
            shims.extend(describe(options, item.to_token_stream()).unwrap());
        }
    }
    shims
}

/// Types of the parameters, then that of the result, without spaces.
fn signature(shim: &Shim) -> Vec<String> {
    let types = shim.params.iter().map(|param| &param.ty).chain([&shim.ret]);
    types.map(|ty| ty.to_token_stream().to_string().replace(' ', "")).collect()
}

fn find<'a>(shims: &'a [Shim], symbol: &str) -> &'a Shim {
    shims
        .iter()
        .find(|shim| shim.symbol == symbol)
        .unwrap_or_else(|| panic!("no shim has the symbol `{symbol}`"))
}

#[test]
fn every_described_symbol_is_exported() {
    let shims = described();
    assert!(shims.len() > 30, "{}", shims.len());
    for shim in shims {
        let absent = shim.attributes.iter().any(|attribute| attribute.path().is_ident("cfg"));
        if !absent {
            // Panics when it is not there.
            library::symbol::<*const u8>(&shim.symbol);
        }
    }
}

#[test]
fn types_are_those_of_the_c_signature() {
    let shims = described();
    let of = |symbol: &str| signature(find(&shims, symbol));
    assert_eq!(of("toggled"), ["bool", "bool"]);
    assert_eq!(of("opposite"), ["Turn", "Turn"]);
    assert_eq!(of("moved"), ["Sample", "&Sample", "Sample"]);
    assert_eq!(of("move_in_place"), ["&mutSample", "::core::option::Option<&Sample>", "bool"]);
    assert_eq!(of("add_to"), ["::upcall::abi::SliceMut<f32>", "::upcall::abi::Slice<f32>", "()"]);
    assert_eq!(of("samples"), ["u32", "::upcall::abi::Buffer<Sample>"]);
    assert_eq!(of("parse"), ["::upcall::abi::Str", "i64"]);
    assert_eq!(of("greet"), ["::upcall::abi::Str", "::upcall::abi::Text"]);
    assert_eq!(of("read_number"), ["*constu32", "u32"]);
    assert_eq!(
        of("each_word"),
        [
            "::upcall::abi::Str",
            "extern\"C\"fn(context:*mut::core::ffi::c_void,arg0:::upcall::abi::Str,arg1:u32)",
            "*mut::core::ffi::c_void",
            "()",
        ]
    );
    assert_eq!(of("word_counter_new"), ["u64", "::std::boxed::Box<WordCounter>"]);
    assert_eq!(of("word_counter_release"), ["::core::option::Option<::std::boxed::Box<WordCounter>>", "()"]);
    assert_eq!(of("counter_of"), ["::upcall::abi::Str", "WordCounter"]);
}

#[test]
fn members_have_their_roles() {
    let shims = described();
    let of = |symbol: &str| {
        let member = find(&shims, symbol).member.clone().unwrap();
        (member.of.to_token_stream().to_string(), member.name, member.role)
    };
    let counter = |name: &str, role: Role| ("WordCounter".to_owned(), name.to_owned(), role);
    assert_eq!(of("word_counter_new"), counter("new", Role::Constructor));
    assert_eq!(of("word_counter_parse"), counter("parse", Role::Constructor));
    assert_eq!(of("word_counter_add"), counter("add", Role::Method));
    assert_eq!(of("word_counter_fork"), counter("fork", Role::Method));
    assert_eq!(of("counters_alive"), counter("live", Role::Static));
    assert_eq!(of("word_counter_release"), counter("release", Role::Release));
    assert!(find(&shims, "swap_counts").member.is_none());
    assert!(shims.iter().all(|shim| shim.fallible != shim.symbol.ends_with("_release")));
}

#[test]
fn names_and_docs_are_carried_over() {
    let shims = described();
    let names = |symbol: &str| {
        find(&shims, symbol).params.iter().map(|param| param.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(names("shadows"), ["failure", "scope", "type", "arg3"]);
    assert_eq!(names("unnamed"), ["raw0", "arg1", "argument0"]);
    assert_eq!(find(&shims, "shadows").attributes.len(), 1);
    let each = find(&shims, "each_word");
    assert_eq!((each.params[1].context, each.params[2].context_of), (Some(0), Some(1)));
    assert_eq!(each.params[2].name, "visit_context");
    assert_eq!(find(&shims, "word_counter_add").params[0].name, "word_counter");
    let kept = &find(&shims, "wake_after").params[1..];
    assert_eq!((kept[0].context, kept[1].context_of, kept[2].release_of), (Some(0), Some(1), Some(1)));
    assert_eq!([&kept[0].name, &kept[1].name, &kept[2].name], ["wake", "wake_context", "wake_release"]);
}

#[test]
fn what_the_compiler_refuses_is_an_error_here_too() {
    let item: Item = syn::parse_quote! { async fn later(text: String) {} };
    let error = describe(TokenStream::new(), item.to_token_stream()).map(|_| ()).unwrap_err();
    let messages: Vec<String> = error.into_iter().map(|error| error.to_string()).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[1].ends_with("take `&str`"), "{messages:?}");
}
