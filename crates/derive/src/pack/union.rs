use super::container::Container;
use super::generics::{for_pack, for_unpack, input_lifetime};
use super::refusal;
use super::schema;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{DataEnum, DeriveInput, Fields, Ident, LitInt, LitStr, Type, Variant};

/// One class of a union.
struct Case<'a> {
    name: &'a Ident,
    ty: &'a Type,
    tag: u16,
}

impl Case<'_> {
    /// `Union.Variant`, for messages.
    fn label(&self, union: &str) -> String {
        format!("{union}.{}", self.name.unraw())
    }
}

/// A tag, and the class that it stands for.
pub fn derive(input: &DeriveInput, container: &Container, data: &DataEnum) -> syn::Result<TokenStream> {
    let (name, pack) = (&input.ident, &container.path);
    let cases = cases(name, data)?;
    let title = name.unraw().to_string();
    let lifetime = input_lifetime();
    let writes = cases.iter().map(|case| {
        let (variant, tag) = (case.name, case.tag);
        quote! {
            Self::#variant(value) => {
                __writer.tag(#tag)?;
                #pack::Pack::pack(value, __writer)?;
            }
        }
    });
    let reads = cases.iter().map(|case| {
        let (variant, tag, ty) = (case.name, case.tag, case.ty);
        let label = case.label(&title);
        quote! {
            #tag => match <#ty as #pack::Unpack<#lifetime>>::unpack(__reader) {
                ::core::result::Result::Ok(value) => ::core::result::Result::Ok(Self::#variant(value)),
                ::core::result::Result::Err(error) => ::core::result::Result::Err(error.inside(#label)),
            },
        }
    });
    let overs = cases.iter().map(|case| {
        let (variant, tag, ty) = (case.name, case.tag, case.ty);
        let label = case.label(&title);
        quote! {
            (#tag, Self::#variant(value)) => {
                if let ::core::result::Result::Err(error) =
                    <#ty as #pack::Unpack<#lifetime>>::overwrite(value, __reader)
                {
                    return ::core::result::Result::Err(error.inside(#label));
                }
            }
        }
    });
    let described = cases.iter().map(|case| {
        let (tag, title, ty) = (i128::from(case.tag), case.name.unraw().to_string(), case.ty);
        quote!((#tag, #title, <#ty as #pack::Pack>::describe))
    });
    let describe = schema::describe(pack, name, "union", None, &described.collect::<Vec<_>>());
    let checks = cases.iter().map(|case| {
        let ty = case.ty;
        let why = format!(
            "cannot derive `Pack` for `{title}`: its variant `{}` holds no class, and a union in C# is of classes: \
             put the value into a struct that derives `Pack` without `struct` or `raw`",
            case.name.unraw()
        );
        let why = LitStr::new(&why, ty.span());
        quote_spanned!(ty.span()=> __class::<#ty>(#why);)
    });

    let (_, arguments, _) = input.generics.split_for_impl();
    let generics = for_pack(input, pack);
    let (parameters, _, conditions) = generics.split_for_impl();
    let generics = for_unpack(input, pack);
    let (read_parameters, _, read_conditions) = generics.split_for_impl();
    Ok(quote! {
        use #pack::members::class as __class;

        #[automatically_derived]
        impl #parameters #pack::Pack for #name #arguments #conditions {
            const FORM: #pack::Form<Self> = {
                #(#checks)*
                #pack::Form::Object
            };
            const MIN: usize = 2;

            #describe

            #[inline]
            fn pack(
                &self,
                __writer: &mut #pack::Writer<'_>,
            ) -> ::core::result::Result<(), #pack::Error> {
                let _ = const { Self::FORM };
                __writer.enter()?;
                match self { #(#writes)* }
                __writer.leave();
                ::core::result::Result::Ok(())
            }
        }

        /// Reads the class that a tag stands for.
        trait __Variant<#lifetime>: ::core::marker::Sized {
            fn of(
                tag: u16,
                __reader: &mut #pack::Reader<#lifetime>,
            ) -> ::core::result::Result<Self, #pack::Error>;
        }

        #[automatically_derived]
        impl #read_parameters __Variant<#lifetime> for #name #arguments #read_conditions {
            #[inline]
            fn of(
                tag: u16,
                __reader: &mut #pack::Reader<#lifetime>,
            ) -> ::core::result::Result<Self, #pack::Error> {
                match tag {
                    #(#reads)*
                    other => ::core::result::Result::Err(__reader.unknown_tag(other, #title)),
                }
            }
        }

        #[automatically_derived]
        impl #read_parameters #pack::Unpack<#lifetime> for #name #arguments #read_conditions {
            #[inline]
            fn unpack(
                __reader: &mut #pack::Reader<#lifetime>,
            ) -> ::core::result::Result<Self, #pack::Error> {
                __reader.enter()?;
                let tag = __reader.tag()?;
                let value = <Self as __Variant<#lifetime>>::of(tag, __reader)?;
                __reader.leave();
                ::core::result::Result::Ok(value)
            }

            fn overwrite(
                &mut self,
                __reader: &mut #pack::Reader<#lifetime>,
            ) -> ::core::result::Result<(), #pack::Error> {
                __reader.enter()?;
                match (__reader.tag()?, &mut *self) {
                    #(#overs)*
                    (tag, _) => *self = <Self as __Variant<#lifetime>>::of(tag, __reader)?,
                }
                __reader.leave();
                ::core::result::Result::Ok(())
            }
        }
    })
}

fn cases<'a>(owner: &Ident, data: &'a DataEnum) -> syn::Result<Vec<Case<'a>>> {
    if data.variants.is_empty() {
        return Err(refusal(owner, owner, "it is a union without variants: add one, with a class in it"));
    }
    let mut cases: Vec<Case<'_>> = Vec::new();
    for (index, variant) in data.variants.iter().enumerate() {
        let case = case(owner, index, variant)?;
        if let Some(other) = cases.iter().find(|other| other.tag == case.tag) {
            let why =
                format!("`{}` has the tag {} already: give `{}` another", other.name, case.tag, case.name);
            return Err(refusal(variant, owner, &why));
        }
        cases.push(case);
    }
    Ok(cases)
}

fn case<'a>(owner: &Ident, index: usize, variant: &'a Variant) -> syn::Result<Case<'a>> {
    let name = &variant.ident;
    let ty = match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => &fields.unnamed[0].ty,
        _ => {
            let why = format!("each variant of a union holds one class: write `{name}(Class)`");
            return Err(refusal(variant, owner, &why));
        }
    };
    let mut tag: Option<u16> = None;
    for attribute in variant.attrs.iter().filter(|one| one.path().is_ident("pack")) {
        attribute.parse_nested_meta(|option| {
            if !option.path.is_ident("tag") {
                let found = option.path.to_token_stream();
                return Err(
                    option.error(format!("unknown option `{found}`: on a variant there is `tag = number`"))
                );
            }
            let number: LitInt = option.value()?.parse()?;
            tag = Some(
                number.base10_parse().map_err(|_| syn::Error::new(number.span(), "a tag is 0 to 65535"))?,
            );
            Ok(())
        })?;
    }
    match tag.or_else(|| u16::try_from(index).ok()) {
        Some(tag) => Ok(Case { name, ty, tag }),
        None => Err(refusal(variant, owner, "a union has at most 65536 variants")),
    }
}
