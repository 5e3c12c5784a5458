//! The shims as C signatures, for whoever generates bindings without expanding macros.

use crate::block::Handle;
use crate::function::{Function, Parameter, snake};
use crate::given::What;
use crate::read::Exported;
use crate::shim::{Member, Param, Role, Shim};
use crate::taken::{Closure, Taken};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Ident, Type, parse_quote};

pub fn describe(exported: &Exported) -> Vec<Shim> {
    exported.functions.iter().map(function).chain(exported.handle.as_ref().map(release)).collect()
}

fn function(function: &Function) -> Shim {
    let mut params = Vec::new();
    for Parameter { name, taken } in &function.params {
        let at = params.len();
        let plain = Param {
            name: name.clone(),
            ty: c_type(taken),
            context_of: None,
            release_of: None,
            context: None,
        };
        match taken {
            Taken::Closure(_) | Taken::Kept(_) => {
                let beside = |part: &str, ty: Type| Param {
                    name: format!("{name}_{part}"),
                    ty,
                    context_of: None,
                    release_of: None,
                    context: None,
                };
                params.push(Param { context: Some(0), ..plain });
                let ty = parse_quote!(*mut ::core::ffi::c_void);
                params.push(Param { context_of: Some(at), ..beside("context", ty) });
                if let Taken::Kept(_) = taken {
                    let ty = parse_quote!(
                        ::core::option::Option<extern "C" fn(context: *mut ::core::ffi::c_void)>
                    );
                    params.push(Param { release_of: Some(at), ..beside("release", ty) });
                }
            }
            _ => params.push(plain),
        }
    }
    let name = function.ident.unraw().to_string();
    Shim {
        ident: function.ident.clone(),
        symbol: function.symbol.clone(),
        params,
        ret: returned(&function.given.what),
        result: function.given.result.clone(),
        fallible: true,
        member: function.member.clone().map(|(of, role)| Member { of, name, role }),
        attributes: function.attributes.clone(),
    }
}

fn release(handle: &Handle) -> Shim {
    let Handle { of, ident, release, .. } = handle;
    let ty = parse_quote!(::core::option::Option<::std::boxed::Box<#of>>);
    Shim {
        ident: Ident::new("release", ident.span()),
        symbol: release.clone(),
        params: vec![Param { name: snake(of), ty, context_of: None, release_of: None, context: None }],
        ret: parse_quote!(()),
        result: None,
        fallible: false,
        member: Some(Member { of: of.clone(), name: "release".into(), role: Role::Release }),
        attributes: Vec::new(),
    }
}

fn c_type(taken: &Taken) -> Type {
    match taken {
        Taken::Value(ty) => ty.clone(),
        Taken::Str => parse_quote!(::upcall::abi::Str),
        Taken::Slice { of, mutable: false } => parse_quote!(::upcall::abi::Slice<#of>),
        Taken::Slice { of, mutable: true } => parse_quote!(::upcall::abi::SliceMut<#of>),
        Taken::Reference { to, mutable, optional } => {
            let reference: Type = if *mutable { parse_quote!(&mut #to) } else { parse_quote!(&#to) };
            if *optional { parse_quote!(::core::option::Option<#reference>) } else { reference }
        }
        Taken::Function { ty, optional: false } => Type::BareFn(ty.clone()),
        Taken::Function { ty, optional: true } => parse_quote!(::core::option::Option<#ty>),
        Taken::Closure(closure) | Taken::Kept(closure) => callback(closure),
    }
}

fn callback(closure: &Closure) -> Type {
    let params = closure.params.iter().enumerate().map(|(index, (_, taken))| {
        let (name, ty) = (format_ident!("arg{index}"), c_type(taken));
        quote!(#name: #ty)
    });
    let ret = closure.ret.iter().map(|ty| quote!(-> #ty));
    parse_quote!(extern "C" fn(context: *mut ::core::ffi::c_void, #(#params),*) #(#ret)*)
}

fn returned(what: &What) -> Type {
    match what {
        What::Unit => parse_quote!(()),
        What::Plain(ty) => ty.clone(),
        What::Handle(of) => parse_quote!(::std::boxed::Box<#of>),
        What::Text => parse_quote!(::upcall::abi::Text),
        What::Buffer(of) => parse_quote!(::upcall::abi::Buffer<#of>),
        What::Str => parse_quote!(::upcall::abi::Str),
    }
}
