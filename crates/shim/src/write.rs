//! The shims as Rust code.

use crate::block::Handle;
use crate::function::{Function, Parameter};
use crate::given::{Given, What};
use crate::taken::{Closure, Form, Taken};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Path, Type};

/// The shim of a function.
pub fn function(function: &Function, krate: &Path) -> TokenStream {
    let Function { symbol, path, params, given, attributes, .. } = function;
    let cfg = cfg(attributes);
    let crossings: Vec<Crossing> =
        params.iter().enumerate().map(|(index, parameter)| Crossing::of(index, parameter, krate)).collect();
    let signature = crossings.iter().map(|crossing| &crossing.signature);
    let apart = apart(params, &crossings);
    let own = crossings.iter().map(|crossing| &crossing.own);
    let take = crossings.iter().map(|crossing| &crossing.take);
    let arguments = crossings.iter().map(|crossing| &crossing.argument);
    let (raw, give) = result(given, quote!(#path(#(#arguments),*)), krate);
    quote! {
        #(#cfg)*
        #[allow(deprecated, unsafe_code)]
        const _: () = {
            #[unsafe(export_name = #symbol)]
            unsafe extern "C" fn __upcall_shim(
                #(#signature,)*
                failure: *mut *mut #krate::abi::Failure,
            ) -> #raw {
                // SAFETY: the caller keeps the convention of `upcall_shim`: an address is that of what its type
                // says, for the length of the call.
                unsafe {
                    #krate::shim::call(failure, |scope| {
                        #(#own)*
                        #apart
                        #(#take)*
                        #give
                    })
                }
            }
        };
    }
}

/// The function that releases a handle.
pub fn release(handle: &Handle, krate: &Path) -> TokenStream {
    let Handle { of, release, attributes, .. } = handle;
    let cfg = cfg(attributes);
    quote! {
        #(#cfg)*
        #[allow(deprecated, unsafe_code)]
        const _: () = {
            #[unsafe(export_name = #release)]
            unsafe extern "C" fn __upcall_release(handle: *mut #of) {
                // SAFETY: the caller gives back what a constructor returned, once.
                unsafe { #krate::shim::release(handle) }
            }
        };
    }
}

/// What makes a type a handle: its traits.
pub fn handle(handle: &Handle, krate: &Path) -> TokenStream {
    let Handle { of, ident, marked, attributes, .. } = handle;
    let shared = format_ident!("{}", if *marked { "Marked" } else { "Shared" });
    let title = ident.unraw().to_string();
    let cfg = cfg(attributes);
    let kept = quote! {
        const MARKED: bool = #marked;

        fn kept() -> &'static #krate::shim::Kept<Self> {
            static KEPT: #krate::shim::Kept<#of> = #krate::shim::Kept::new();
            &KEPT
        }
    };
    let bound = quote_spanned!(ident.span()=> impl #krate::shim::Handle for #of { #kept });
    quote! {
        #(#cfg)*
        #[allow(deprecated, unsafe_code)]
        const _: () = {
            #bound

            // SAFETY: an address of one comes from `own`, which is what the two guards ask for.
            unsafe impl #krate::shim::Referenced for #of {
                type Shared<'scope> = #krate::shim::#shared<'scope, #of>;
                type Exclusive<'scope> = #krate::shim::Exclusive<'scope, #of>;

                #[inline]
                unsafe fn shared<'scope>(
                    at: *const #of,
                ) -> ::core::result::Result<Self::Shared<'scope>, #krate::shim::Fault> {
                    unsafe { #krate::shim::#shared::of(at) }
                }

                #[inline]
                unsafe fn exclusive<'scope>(
                    at: *mut #of,
                ) -> ::core::result::Result<Self::Exclusive<'scope>, #krate::shim::Fault> {
                    unsafe { #krate::shim::Exclusive::of(at) }
                }
            }

            // SAFETY: a pointer may be null.
            unsafe impl #krate::shim::Returned for #of {
                type Raw = *mut #of;

                fn give(self) -> *mut #of {
                    #krate::shim::own(self)
                }
            }

            impl #krate::abi::Shaped for #of {
                const SHAPE: &'static #krate::abi::Shape = &#krate::abi::Shape::own(#title);
            }
        };
    }
}

/// How one parameter goes through a shim.
struct Crossing {
    /// In the shim's signature.
    signature: TokenStream,
    /// What takes ownership, before anything can fail.
    own: TokenStream,
    /// What binds it.
    take: TokenStream,
    /// What the function is called with.
    argument: TokenStream,
    /// Where it lies, for what is the caller's memory.
    extent: TokenStream,
}

impl Crossing {
    fn of(index: usize, Parameter { name, taken }: &Parameter, krate: &Path) -> Crossing {
        let (raw, bound) = (format_ident!("raw{index}"), format_ident!("argument{index}"));
        let (ty, scope) = (raw_type(taken, krate), own("scope"));
        let signature = quote!(#raw: #ty);
        let plain = |take: TokenStream, extent: TokenStream| Crossing {
            signature: signature.clone(),
            own: TokenStream::new(),
            take: quote!(let #bound = #take?;),
            argument: bound.to_token_stream(),
            extent,
        };
        match taken {
            Taken::Value(ty) => {
                plain(quote_spanned!(ty.span()=> #scope.value::<#ty>(#name, #raw)), TokenStream::new())
            }
            Taken::Str => {
                plain(quote!(scope.text(#name, #raw)), quote!(#krate::shim::Extent::of(#raw.data, #raw.len)))
            }
            Taken::Slice { of, mutable } => {
                let method = Ident::new(if *mutable { "slice_mut" } else { "slice" }, of.span());
                plain(
                    quote_spanned!(of.span()=> #scope.#method::<#of>(#name, #raw)),
                    quote!(#krate::shim::Extent::of(#raw.data, #raw.len)),
                )
            }
            Taken::Reference { to, mutable, optional } => {
                let (method, binding, argument) = match (mutable, optional) {
                    (false, false) => ("reference", quote!(#bound), quote!(&*#bound)),
                    (true, false) => ("reference_mut", quote!(mut #bound), quote!(&mut *#bound)),
                    (false, true) => ("optional", quote!(#bound), quote!(#bound.as_deref())),
                    (true, true) => ("optional_mut", quote!(mut #bound), quote!(#bound.as_deref_mut())),
                };
                let method = Ident::new(method, to.span());
                let take = quote_spanned!(to.span()=> #scope.#method::<#to>(#name, #raw)?);
                Crossing {
                    signature,
                    own: TokenStream::new(),
                    take: quote!(let #binding = #take;),
                    argument,
                    extent: quote!(#krate::shim::Extent::of(#raw, 1)),
                }
            }
            Taken::Function { optional: false, .. } => {
                plain(quote!(scope.function(#name, #raw)), TokenStream::new())
            }
            Taken::Function { optional: true, .. } => Crossing {
                signature,
                own: TokenStream::new(),
                take: TokenStream::new(),
                argument: quote!(#raw),
                extent: TokenStream::new(),
            },
            Taken::Closure(closure) => called_back(index, name, closure, signature, krate),
            Taken::Kept(closure) => kept(index, name, closure, signature, krate),
        }
    }
}

/// A Rust closure over a C function and its context.
fn called_back(index: usize, name: &str, closure: &Closure, function: TokenStream, krate: &Path) -> Crossing {
    let (raw, bound) = (format_ident!("raw{index}"), format_ident!("argument{index}"));
    let context = format_ident!("context{index}");
    let called = closure_over(name, closure, quote!(#context), krate);
    let (binding, argument) = match closure.form {
        Form::Shared => (quote!(#bound), quote!(&#bound)),
        Form::Mutable => (quote!(mut #bound), quote!(&mut #bound)),
        Form::Owned | Form::Boxed => (quote!(#bound), quote!(#bound)),
    };
    Crossing {
        signature: quote!(#function, #context: *mut ::core::ffi::c_void),
        own: TokenStream::new(),
        take: quote! {
            let function = scope.function(#name, #raw)?;
            let #binding = #called;
        },
        argument,
        extent: TokenStream::new(),
    }
}

/// A box with such a closure, which owns the context.
fn kept(index: usize, name: &str, closure: &Closure, function: TokenStream, krate: &Path) -> Crossing {
    let (raw, bound) = (format_ident!("raw{index}"), format_ident!("argument{index}"));
    let (context, release) = (format_ident!("context{index}"), format_ident!("release{index}"));
    let owned = format_ident!("owned{index}");
    let called = closure_over(name, closure, quote!(#owned.context()), krate);
    Crossing {
        signature: quote! {
            #function, #context: *mut ::core::ffi::c_void, #release: #krate::shim::Release
        },
        own: quote!(let #owned = #krate::shim::Owned::new(#context, #release);),
        take: quote! {
            let function = scope.function(#name, #raw)?;
            let #bound = ::std::boxed::Box::new(move #called);
        },
        argument: quote!(#bound),
        extent: TokenStream::new(),
    }
}

/// A Rust closure that calls `function` with a context.
fn closure_over(name: &str, closure: &Closure, context: TokenStream, krate: &Path) -> TokenStream {
    let names: Vec<Ident> = (0..closure.params.len()).map(|index| format_ident!("value{index}")).collect();
    let params = names.iter().zip(&closure.params).map(|(name, (ty, _))| quote!(#name: #ty));
    let values = names.iter().zip(&closure.params).map(|(name, (_, taken))| match taken {
        Taken::Value(ty) => quote!(<#ty as #krate::abi::Value>::raw(#name)),
        Taken::Reference { mutable: false, .. } => quote!(#krate::shim::lend(#name)),
        Taken::Reference { mutable: true, .. } => quote!(#krate::shim::lend_mut(#name)),
        _ => quote!(#name.into()),
    });
    let call = quote!(function(#context, #(#values),*));
    let returned = match &closure.ret {
        Some(ty) => {
            quote_spanned!(ty.span()=> #krate::shim::returned::<#ty>(#name, #call))
        }
        None => call,
    };
    quote!(|#(#params),*| #returned)
}

/// The type that a parameter has in the shim's signature.
fn raw_type(taken: &Taken, krate: &Path) -> TokenStream {
    match taken {
        Taken::Value(ty) => quote_spanned!(ty.span()=> <#ty as #krate::abi::Value>::Raw),
        Taken::Str => quote!(#krate::abi::Str),
        Taken::Slice { of, mutable: false } => quote!(#krate::abi::Slice<#of>),
        Taken::Slice { of, mutable: true } => quote!(#krate::abi::SliceMut<#of>),
        Taken::Reference { to, mutable: false, .. } => quote!(*const #to),
        Taken::Reference { to, mutable: true, .. } => quote!(*mut #to),
        Taken::Function { ty, .. } => quote!(::core::option::Option<#ty>),
        Taken::Closure(closure) | Taken::Kept(closure) => {
            let params = closure.params.iter().map(|(_, taken)| raw_type(taken, krate));
            let ret = closure.ret.iter().map(|ty| quote!(-> <#ty as #krate::abi::Value>::Raw));
            quote! {
                ::core::option::Option<
                    unsafe extern "C" fn(*mut ::core::ffi::c_void, #(#params),*) #(#ret)*
                >
            }
        }
    }
}

/// The check that what the function may write is nothing that it also sees elsewhere.
fn apart(params: &[Parameter], crossings: &[Crossing]) -> TokenStream {
    let memory: Vec<(&Parameter, &Crossing, bool)> = (params.iter().zip(crossings))
        .filter_map(|(parameter, crossing)| Some((parameter, crossing, parameter.taken.memory()?)))
        .collect();
    let pairs = memory.iter().enumerate().flat_map(|(index, first)| {
        memory[index + 1..].iter().filter(|second| first.2 || second.2).map(move |second| (first, second))
    });
    let checks = pairs.map(|((first, at, _), (second, other, _))| {
        let (first, second, at, other) = (&first.name, &second.name, &at.extent, &other.extent);
        quote!(scope.apart((#first, #at), (#second, #other))?;)
    });
    quote!(#(#checks)*)
}

/// The type of a shim's result, and what makes it of the function's.
fn result(given: &Given, call: TokenStream, krate: &Path) -> (TokenStream, TokenStream) {
    let value = if given.result.is_some() {
        // The error is what a message points to.
        let (error, code) = (Ident::new("error", given.place), own("code"));
        let fault = quote_spanned!(given.place=> #krate::shim::Fault::of(&#error, #code));
        quote! {
            match #call {
                ::core::result::Result::Ok(value) => value,
                ::core::result::Result::Err(#error) => {
                    #[allow(unused_imports)]
                    use #krate::shim::{WithCode as _, WithNumber as _, WithoutCode as _};
                    let code = (&&#krate::shim::Coded(&#error)).code();
                    return ::core::result::Result::Err(#fault);
                }
            }
        }
    } else {
        call
    };
    let (raw, give) = match &given.what {
        What::Unit => return (quote!(()), quote!(let () = #value; ::core::result::Result::Ok(()))),
        What::Plain(ty) | What::Handle(ty) => returned(ty, krate),
        What::Text => (quote!(#krate::abi::Text), quote!(#krate::abi::Text::from(value))),
        What::Buffer(of) => {
            let value = own("value");
            (
                quote!(#krate::abi::Buffer<#of>),
                quote_spanned!(of.span()=> #krate::shim::buffer::<#of>(#value)),
            )
        }
        What::Str => (quote!(#krate::abi::Str), quote!(#krate::abi::Str::from(value))),
    };
    (raw, quote!(let value = #value; ::core::result::Result::Ok(#give)))
}

fn returned(ty: &Type, krate: &Path) -> (TokenStream, TokenStream) {
    let value = own("value");
    (
        quote_spanned!(ty.span()=> <#ty as #krate::shim::Returned>::Raw),
        quote_spanned!(ty.span()=> <#ty as #krate::shim::Returned>::give(#value)),
    )
}

/// A name of the shim's own, where the rest has the place of a type for the sake of its errors: within a macro,
/// names at that place would be others.
fn own(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// The conditions under which an item is there at all.
pub fn cfg(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"))
}
