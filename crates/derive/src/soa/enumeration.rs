use super::names::Names;
use super::options::Options;
use super::variants::{Shape, shapes};
use super::{containers, docs, generics, refusal};
use crate::repr::Repr;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{DataEnum, DeriveInput, Ident};

pub fn derive(input: &DeriveInput, data: &DataEnum, options: &Options) -> syn::Result<TokenStream> {
    let names = Names::of(&input.ident);
    if options.spans {
        let why = "`spans` shows other languages columns of numbers, and what a payload is only its tag says";
        return Err(refusal(&input.ident, &input.ident, why));
    }
    let shapes = shapes(input, data)?;
    let containers = containers(input, options, &names);
    let parts = parts(input, &shapes, &names)?;
    let references = references(input, &shapes, options, &names);
    let split = split(input, &shapes, options, &names);
    let implementation = implementation(input, options, &names);
    Ok(quote! {
        #containers
        #parts
        #references
        #split
        #implementation
    })
}

/// The tag and the payload.
fn parts(input: &DeriveInput, shapes: &[Shape], names: &Names) -> syn::Result<TokenStream> {
    let visible = &input.vis;
    let (owned, _) = generics(&input.generics);
    let bounds = &owned.where_clause;
    let Names { tag, payload, .. } = names;
    let shown = input.ident.unraw();
    let smallest = if shapes.len() <= 1 << 8 { "u8" } else { "u16" };
    let repr = Repr::of(&input.attrs)?.integer.unwrap_or_else(|| format_ident!("{smallest}"));
    let variants = shapes.iter().map(|shape| {
        let name = &shape.variant.ident;
        let docs = docs(&shape.variant.attrs, &format!("`{shown}::{}`.", name.unraw()));
        let number = shape.variant.discriminant.as_ref().map(|(_, number)| quote!(= #number));
        quote!(#docs #name #number)
    });
    let places = shapes.iter().filter(|shape| shape.carries()).map(|shape| {
        let (place, types) = (&shape.place, shape.types());
        quote!(#place: ::core::mem::ManuallyDrop<(#(#types,)*)>)
    });
    let tag_doc = format!("Which variant a `{shown}` is.");
    let payload_doc = format!("The fields of a `{shown}`; its tag says of which variant.");
    Ok(quote! {
        #[doc = #tag_doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(#repr)]
        #[allow(dead_code)]
        #visible enum #tag { #(#variants),* }

        #[doc = #payload_doc]
        #[doc(hidden)]
        #[repr(C)]
        #visible union #payload #owned #bounds { #(#places),* }
    })
}

/// The enums of references.
fn references(input: &DeriveInput, shapes: &[Shape], options: &Options, names: &Names) -> TokenStream {
    let (soa, visible, name) = (&options.soa, &input.vis, &input.ident);
    let Names { row, row_mut, .. } = names;
    let (_, lent) = generics(&input.generics);
    let (lent_impl, lent_types, bounds) = lent.split_for_impl();
    let own_types = input.generics.split_for_impl().1;
    let own_bounds = bounds.map(|bounds| &bounds.predicates).into_iter().flatten().collect::<Vec<_>>();
    let types: Vec<_> = shapes.iter().flat_map(Shape::types).collect();
    let shown = name.unraw().to_string();
    let variants = |mutable: &TokenStream| -> Vec<TokenStream> {
        let variant = |shape: &Shape| {
            let name = &shape.variant.ident;
            let docs = docs(&shape.variant.attrs, &format!("`{shown}::{}`.", name.unraw()));
            let types = shape.fields.iter().map(|field| {
                let (ty, docs) = (&field.ty, docs_of_named(field));
                (docs, quote!(&'a #mutable #ty))
            });
            let (field_docs, types): (Vec<_>, Vec<_>) = types.unzip();
            let fields = match &shape.variant.fields {
                syn::Fields::Named(named) => {
                    let names = named.named.iter().map(|field| &field.ident);
                    quote!({ #(#field_docs #names: #types),* })
                }
                _ => shape.with(&types),
            };
            quote!(#docs #name #fields)
        };
        shapes.iter().map(variant).collect()
    };
    let (rows, rows_mut) = (variants(&TokenStream::new()), variants(&quote!(mut)));
    let shows = shapes.iter().map(|shape| {
        let (variant, (pattern, names)) = (&shape.variant.ident, shape.pattern(""));
        let title = variant.unraw().to_string();
        match &shape.variant.fields {
            syn::Fields::Named(_) => {
                let labels = shape.fields.iter().filter_map(|field| field.ident.as_ref());
                let labels = labels.map(|label| label.unraw().to_string());
                quote!(#row::#variant #pattern => f.debug_struct(#title)#(.field(#labels, #names))*.finish())
            }
            _ => quote!(#row::#variant #pattern => f.debug_tuple(#title)#(.field(#names))*.finish()),
        }
    });
    let equals = shapes.iter().map(|shape| {
        let variant = &shape.variant.ident;
        let ((a, ours), (b, theirs)) = (shape.pattern("a"), shape.pattern("b"));
        quote!((#row::#variant #a, #row::#variant #b) => true #(&& #ours == #theirs)*)
    });
    let values = shapes.iter().map(|shape| {
        let (variant, (pattern, names)) = (&shape.variant.ident, shape.pattern(""));
        let values: Vec<_> = names.iter().map(|name| quote!(#soa::ToValue::to_value(#name))).collect();
        let made = shape.with(&values);
        quote!(#row::#variant #pattern => #name::#variant #made)
    });
    let [row_doc, row_mut_doc] = [
        format!("A row of `{shown}`s in columns."),
        format!("A row of `{shown}`s in columns, whose fields may be written; its variant stays."),
    ];
    quote! {
        #[doc = #row_doc]
        #[allow(dead_code)]
        #visible enum #row #lent #bounds { #(#rows),* }

        #[doc = #row_mut_doc]
        #[allow(dead_code)]
        #visible enum #row_mut #lent #bounds { #(#rows_mut),* }

        #[automatically_derived]
        impl #lent_impl ::core::marker::Copy for #row #lent_types #bounds {}

        #[automatically_derived]
        impl #lent_impl ::core::clone::Clone for #row #lent_types #bounds {
            fn clone(&self) -> Self {
                *self
            }
        }

        #[automatically_derived]
        impl #lent_impl ::core::fmt::Debug for #row #lent_types
        where #(#own_bounds,)* #(&'a #types: ::core::fmt::Debug),*
        {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self { #(#shows),* }
            }
        }

        #[automatically_derived]
        impl #lent_impl ::core::cmp::PartialEq for #row #lent_types
        where #(#own_bounds,)* #(&'a #types: ::core::cmp::PartialEq),*
        {
            fn eq(&self, other: &Self) -> bool {
                #[allow(unreachable_patterns)]
                match (self, other) { #(#equals,)* _ => false }
            }
        }

        #[automatically_derived]
        impl #lent_impl #soa::ToValue for #row #lent_types
        where #(#own_bounds,)* #(&'a #types: #soa::ToValue<Value = #types>),*
        {
            type Value = #name #own_types;

            fn to_value(self) -> Self::Value {
                match self { #(#values),* }
            }
        }
    }
}

fn docs_of_named(field: &syn::Field) -> TokenStream {
    match &field.ident {
        Some(name) => docs(&field.attrs, &format!("The field `{}`.", name.unraw())),
        None => TokenStream::new(),
    }
}

fn split(input: &DeriveInput, shapes: &[Shape], options: &Options, names: &Names) -> TokenStream {
    let (soa, name) = (&options.soa, &input.ident);
    let (owned, lent) = generics(&input.generics);
    let (impl_generics, types, bounds) = owned.split_for_impl();
    let lent_types = lent.split_for_impl().1;
    let Names { row, row_mut, tag, payload, .. } = names;
    let all_fields = shapes.iter().flat_map(Shape::types);
    let splits = shapes.iter().map(|shape| {
        let (variant, place, (pattern, names)) = (&shape.variant.ident, &shape.place, shape.pattern(""));
        let fields = if shape.carries() {
            quote! {
                ::core::mem::MaybeUninit::new(#payload {
                    #place: ::core::mem::ManuallyDrop::new((#(#names,)*)),
                })
            }
        } else {
            quote!(::core::mem::MaybeUninit::uninit())
        };
        quote!(#name::#variant #pattern => (#tag::#variant, #fields))
    });
    let arms = |made: &Ident, from: fn(&Ident) -> TokenStream| -> Vec<TokenStream> {
        let arm = |shape: &Shape| {
            let (variant, place, (pattern, names)) = (&shape.variant.ident, &shape.place, shape.pattern(""));
            let fields = shape.carries().then(|| {
                let fields = from(place);
                quote! {
                    // SAFETY: the tag says that these are the fields.
                    let (#(#names,)*) = unsafe { #fields };
                }
            });
            quote!(#tag::#variant => { #fields #made::#variant #pattern })
        };
        shapes.iter().map(arm).collect()
    };
    let joins = arms(
        name,
        |place| quote!(::core::mem::ManuallyDrop::into_inner((&raw const (*payload.as_ptr()).#place).read())),
    );
    let rows = arms(row, |place| quote!(&**(&raw const (*payload.as_ptr()).#place)));
    let rows_mut = arms(row_mut, |place| quote!(&mut **(&raw mut (*payload.as_mut_ptr()).#place)));
    quote! {
            // SAFETY: each payload is written and read by the variant that its tag names, and tags are never lent
            // out for writing.
            #[automatically_derived]
            unsafe impl #impl_generics #soa::Split for #name #types #bounds {
                type Tag = #tag;
                type Payload = #payload #types;
                type Fields = (#(#all_fields,)*);
                type Ref<'a> = #row #lent_types;
                type RefMut<'a> = #row_mut #lent_types;

                #[inline]
                fn split(self) -> (Self::Tag, ::core::mem::MaybeUninit<Self::Payload>) {
                    match self { #(#splits),* }
                }

                #[inline]
                #[allow(unused_variables)]
                unsafe fn join(tag: Self::Tag, payload: ::core::mem::MaybeUninit<Self::Payload>) -> Self {
                    match tag { #(#joins),* }
                }

                #[inline]
                #[allow(unused_variables)]
                unsafe fn row<'a>(
                    tag: Self::Tag,
                    payload: &'a ::core::mem::MaybeUninit<Self::Payload>,
                ) -> Self::Ref<'a> {
                    match tag { #(#rows),* }
                }

                #[inline]
                #[allow(unused_variables)]
                unsafe fn row_mut<'a>(
                    tag: Self::Tag,
                    payload: &'a mut ::core::mem::MaybeUninit<Self::Payload>,
                ) -> Self::RefMut<'a> {
                    match tag { #(#rows_mut),* }
                }
            }
    }
}

fn implementation(input: &DeriveInput, options: &Options, names: &Names) -> TokenStream {
    let (soa, visible, name) = (&options.soa, &input.vis, &input.ident);
    let (owned, lent) = generics(&input.generics);
    let (impl_generics, types, bounds) = owned.split_for_impl();
    let lent_types = lent.split_for_impl().1;
    let Names { row, row_mut, fields, tag, .. } = names;
    let title = name.unraw().to_string();
    let doc = format!("The tags of `{title}`s: every container dereferences to this.");
    quote! {
        #[doc = #doc]
        #[repr(transparent)]
        #visible struct #fields #owned(#soa::Rows<#name #types>) #bounds;

        #[allow(dead_code)]
        impl #impl_generics #fields #types #bounds {
            /// Which variant each row is.
            #[inline]
            #visible fn tags(&self) -> &[#tag] {
                self.0.columns()
            }
        }

        // SAFETY: values are only taken apart and put together, by variant.
        #[automatically_derived]
        unsafe impl #impl_generics #soa::Soa for #name #types #bounds {
            const NAME: &'static ::core::primitive::str = #title;
            const FIELDS: &'static [#soa::Field] = &[#soa::Field::Column("tag"), #soa::Field::Column("payload")];

            type Columns = #soa::Tagged<Self>;
            type Ref<'a> = #row #lent_types;
            type RefMut<'a> = #row_mut #lent_types;
            type Slices<'a> = &'a [#tag];
            type SlicesMut<'a> = &'a [#tag];
            type Fields = #fields #types;

            #[inline]
            fn split(self) -> Self {
                self
            }

            #[inline]
            fn join(row: Self) -> Self {
                row
            }

            #[inline]
            fn row<'a>(row: Self::Ref<'a>) -> Self::Ref<'a> {
                row
            }

            #[inline]
            fn row_mut<'a>(row: Self::RefMut<'a>) -> Self::RefMut<'a> {
                row
            }

            #[inline]
            fn slices<'a>(tags: <Self::Columns as #soa::Columns>::Slices<'a>) -> Self::Slices<'a> {
                tags
            }

            #[inline]
            fn slices_mut<'a>(tags: <Self::Columns as #soa::Columns>::SlicesMut<'a>) -> Self::SlicesMut<'a> {
                tags
            }

            #[inline]
            fn fields(rows: &#soa::Rows<Self>) -> &Self::Fields {
                // SAFETY: it is transparent around the rows.
                unsafe { &*(rows as *const #soa::Rows<Self> as *const Self::Fields) }
            }

            #[inline]
            fn fields_mut(rows: &mut #soa::Rows<Self>) -> &mut Self::Fields {
                // SAFETY: it is transparent around the rows.
                unsafe { &mut *(rows as *mut #soa::Rows<Self> as *mut Self::Fields) }
            }
        }
    }
}
