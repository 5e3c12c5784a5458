use super::names::Names;
use super::options::{Options, flatten};
use super::spans;
use super::{containers, docs, generics, mutable, refusal, tuple};
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{DataStruct, DeriveInput, Fields, Ident, Path, Type, Visibility};

pub fn derive(input: &DeriveInput, data: &DataStruct, options: &Options) -> syn::Result<TokenStream> {
    let columns = columns(input, data)?;
    let names = Names::of(&input.ident);
    let containers = containers(input, options, &names);
    let references = references(input, &columns, options, &names);
    let fields = fields(input, &columns, options, &names);
    let implementation = implementation(input, &columns, options, &names);
    let spans = options.spans.then(|| spans::derive(input, &columns, options, &names)).transpose()?;
    Ok(quote! {
        #containers
        #references
        #fields
        #implementation
        #spans
    })
}

/// A field, which is one column or, flattened, several.
pub struct Column<'a> {
    pub name: &'a Ident,
    pub ty: &'a Type,
    visible: &'a Visibility,
    pub flat: bool,
    pub docs: TokenStream,
}

impl Column<'_> {
    fn list(&self, soa: &Path) -> TokenStream {
        let ty = self.ty;
        if self.flat { quote!(#soa::Nested<#ty>) } else { quote!(#soa::Column<#ty>) }
    }

    fn row(&self, soa: &Path) -> TokenStream {
        let ty = self.ty;
        if self.flat { quote!(<#ty as #soa::Soa>::Ref<'a>) } else { quote!(&'a #ty) }
    }

    fn row_mut(&self, soa: &Path) -> TokenStream {
        let ty = self.ty;
        if self.flat { quote!(<#ty as #soa::Soa>::RefMut<'a>) } else { quote!(&'a mut #ty) }
    }

    fn slice(&self, soa: &Path, lifetime: TokenStream) -> TokenStream {
        let ty = self.ty;
        if self.flat { quote!(#soa::SoaSlice<#lifetime, #ty>) } else { quote!(&#lifetime [#ty]) }
    }

    fn slice_mut(&self, soa: &Path, lifetime: TokenStream) -> TokenStream {
        let ty = self.ty;
        if self.flat { quote!(#soa::SoaSliceMut<#lifetime, #ty>) } else { quote!(&#lifetime mut [#ty]) }
    }
}

fn columns<'a>(input: &'a DeriveInput, data: &'a DataStruct) -> syn::Result<Vec<Column<'a>>> {
    let name = &input.ident;
    let Fields::Named(fields) = &data.fields else {
        let why = "a column has the name of its field: give its fields names";
        return Err(refusal(name, name, why));
    };
    if fields.named.is_empty() {
        return Err(refusal(name, name, "it has no fields, so there would be no columns: add a field"));
    }
    let mut columns = Vec::new();
    for field in &fields.named {
        let Some(field_name) = &field.ident else { continue };
        let taken = mutable(field_name);
        if fields.named.iter().any(|other| other.ident.as_ref().is_some_and(|other| *other == taken)) {
            let why = format!("`{taken}()` would be two methods, for two of its fields: rename one");
            return Err(refusal(field_name, name, &why));
        }
        columns.push(Column {
            name: field_name,
            ty: &field.ty,
            visible: &field.vis,
            flat: flatten(&field.attrs)?,
            docs: docs(&field.attrs, &format!("The column `{}`.", field_name.unraw())),
        });
    }
    Ok(columns)
}

/// The structs of references and of slices.
fn references(input: &DeriveInput, columns: &[Column], options: &Options, names: &Names) -> TokenStream {
    let (soa, visible, name) = (&options.soa, &input.vis, &input.ident);
    let Names { row, row_mut, columns: all, columns_mut: all_mut, .. } = names;
    let (_, lent) = generics(&input.generics);
    let (lent_impl, lent_types, bounds) = lent.split_for_impl();
    let own_types = input.generics.split_for_impl().1;
    let shown = name.unraw().to_string();
    let fields: Vec<&Ident> = columns.iter().map(|column| column.name).collect();
    let labels: Vec<String> = fields.iter().map(|field| field.unraw().to_string()).collect();
    let visibles: Vec<&Visibility> = columns.iter().map(|column| column.visible).collect();
    let docs: Vec<&TokenStream> = columns.iter().map(|column| &column.docs).collect();
    let rows: Vec<TokenStream> = columns.iter().map(|column| column.row(soa)).collect();
    let rows_mut = columns.iter().map(|column| column.row_mut(soa));
    let slices: Vec<TokenStream> = columns.iter().map(|column| column.slice(soa, quote!('a))).collect();
    let slices_mut = columns.iter().map(|column| column.slice_mut(soa, quote!('a)));
    let types = columns.iter().map(|column| column.ty);
    // A bound that names `'a` is checked where the impl is used, not here: it may not hold.
    let own_bounds = bounds.map(|bounds| &bounds.predicates).into_iter().flatten().collect::<Vec<_>>();
    let bound_to_value = quote! {
        where #(#own_bounds,)* #(#rows: #soa::ToValue<Value = #types>),*
    };
    let copies = [(row, &rows), (all, &slices)].map(|(name, types)| {
        quote! {
            #[automatically_derived]
            impl #lent_impl ::core::marker::Copy for #name #lent_types
            where #(#own_bounds,)* #(#types: ::core::marker::Copy),* {}

            #[automatically_derived]
            impl #lent_impl ::core::clone::Clone for #name #lent_types
            where #(#own_bounds,)* #(#types: ::core::marker::Copy),*
            {
                fn clone(&self) -> Self {
                    *self
                }
            }
        }
    });
    let copies = quote!(#(#copies)*);
    let [row_doc, row_mut_doc, all_doc, all_mut_doc] = [
        format!("A row of `{shown}`s in columns."),
        format!("A row of `{shown}`s in columns, to write."),
        format!("All columns of `{shown}`s."),
        format!("All columns of `{shown}`s, to write."),
    ];
    quote! {
        #[doc = #row_doc]
        #[allow(dead_code)]
        #visible struct #row #lent #bounds { #(#docs #visibles #fields: #rows),* }

        #[doc = #row_mut_doc]
        #[allow(dead_code)]
        #visible struct #row_mut #lent #bounds { #(#docs #visibles #fields: #rows_mut),* }

        #[doc = #all_doc]
        #[allow(dead_code)]
        #visible struct #all #lent #bounds { #(#docs #visibles #fields: #slices),* }

        #[doc = #all_mut_doc]
        #[allow(dead_code)]
        #visible struct #all_mut #lent #bounds { #(#docs #visibles #fields: #slices_mut),* }

        #copies

        #[automatically_derived]
        impl #lent_impl ::core::fmt::Debug for #row #lent_types
        where #(#own_bounds,)* #(#rows: ::core::fmt::Debug),*
        {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct(#shown)#(.field(#labels, &self.#fields))*.finish()
            }
        }

        #[automatically_derived]
        impl #lent_impl ::core::cmp::PartialEq for #row #lent_types
        where #(#own_bounds,)* #(#rows: ::core::cmp::PartialEq),*
        {
            fn eq(&self, other: &Self) -> bool {
                #(self.#fields == other.#fields)&&*
            }
        }

        #[automatically_derived]
        impl #lent_impl #soa::ToValue for #row #lent_types #bound_to_value {
            type Value = #name #own_types;

            fn to_value(self) -> Self::Value {
                #name { #(#fields: #soa::ToValue::to_value(self.#fields)),* }
            }
        }
    }
}

/// Items that have a method for each column.
fn fields(input: &DeriveInput, columns: &[Column], options: &Options, names: &Names) -> TokenStream {
    let (soa, visible, name) = (&options.soa, &input.vis, &input.ident);
    let fields = &names.fields;
    let (owned, _) = generics(&input.generics);
    let (impl_generics, types, bounds) = owned.split_for_impl();
    let doc = format!(
        "The columns of `{}`s, each by a method: every container dereferences to this.",
        name.unraw()
    );
    let methods = columns.iter().map(|column| {
        let Column { name, visible, docs, .. } = column;
        let slice = column.slice(soa, quote!('_));
        let slice_mut = column.slice_mut(soa, quote!('_));
        let name_mut = mutable(name);
        quote! {
            #docs
            #[inline]
            #visible fn #name(&self) -> #slice {
                self.0.columns().#name
            }

            #docs
            #[inline]
            #visible fn #name_mut(&mut self) -> #slice_mut {
                self.0.columns_mut().#name
            }
        }
    });
    quote! {
        #[doc = #doc]
        #[repr(transparent)]
        #visible struct #fields #owned(#soa::Rows<#name #types>) #bounds;

        #[allow(dead_code)]
        impl #impl_generics #fields #types #bounds {
            #(#methods)*
        }
    }
}

fn implementation(input: &DeriveInput, columns: &[Column], options: &Options, names: &Names) -> TokenStream {
    let (soa, name) = (&options.soa, &input.ident);
    let (owned, lent) = generics(&input.generics);
    let (impl_generics, types, bounds) = owned.split_for_impl();
    let lent_types = lent.split_for_impl().1;
    let Names { row, row_mut, columns: all, columns_mut: all_mut, fields, .. } = names;
    let title = name.unraw().to_string();
    let labels = columns.iter().map(|column| {
        let (label, ty) = (column.name.unraw().to_string(), column.ty);
        if column.flat {
            quote!(#soa::Field::Group(#label, <#ty as #soa::Soa>::FIELDS))
        } else {
            quote!(#soa::Field::Column(#label))
        }
    });
    let lists: Vec<TokenStream> = columns.iter().map(|column| column.list(soa)).collect();
    let lists = tuple(&lists);
    let each: Vec<TokenStream> = columns
        .iter()
        .map(|column| {
            let name = column.name;
            quote!(#name)
        })
        .collect();
    let all_of_them = tuple(&each);
    let columns_of = quote!(<Self::Columns as #soa::Columns>);
    quote! {
        // SAFETY: values are only taken apart and put together, by field.
        #[automatically_derived]
        unsafe impl #impl_generics #soa::Soa for #name #types #bounds {
            const NAME: &'static ::core::primitive::str = #title;
            const FIELDS: &'static [#soa::Field] = &[#(#labels),*];

            type Columns = #lists;
            type Ref<'a> = #row #lent_types;
            type RefMut<'a> = #row_mut #lent_types;
            type Slices<'a> = #all #lent_types;
            type SlicesMut<'a> = #all_mut #lent_types;
            type Fields = #fields #types;

            #[inline]
            fn split(self) -> #soa::Row<Self> {
                let Self { #(#each),* } = self;
                #all_of_them
            }

            #[inline]
            fn join(#all_of_them: #soa::Row<Self>) -> Self {
                Self { #(#each),* }
            }

            #[inline]
            fn row<'a>(#all_of_them: #columns_of::Ref<'a>) -> Self::Ref<'a> {
                #row { #(#each),* }
            }

            #[inline]
            fn row_mut<'a>(#all_of_them: #columns_of::RefMut<'a>) -> Self::RefMut<'a> {
                #row_mut { #(#each),* }
            }

            #[inline]
            fn slices<'a>(#all_of_them: #columns_of::Slices<'a>) -> Self::Slices<'a> {
                #all { #(#each),* }
            }

            #[inline]
            fn slices_mut<'a>(#all_of_them: #columns_of::SlicesMut<'a>) -> Self::SlicesMut<'a> {
                #all_mut { #(#each),* }
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
