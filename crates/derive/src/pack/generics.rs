use syn::{DeriveInput, GenericParam, Generics, Lifetime, LifetimeParam, Path, parse_quote};

/// The type's parameters for writing: types among them can be written too.
pub fn for_pack(input: &DeriveInput, pack: &Path) -> Generics {
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(#pack::Pack));
    }
    generics
}

/// The lifetime of the bytes that are read.
pub fn input_lifetime() -> Lifetime {
    parse_quote!('__input)
}

/// The type's parameters for reading: the input lifetime comes first and outlives what is borrowed from it.
pub fn for_unpack(input: &DeriveInput, pack: &Path) -> Generics {
    let mut generics = input.generics.clone();
    let mut bytes = LifetimeParam::new(input_lifetime());
    bytes.bounds.extend(generics.lifetimes().map(|parameter| parameter.lifetime.clone()));
    let lifetime = input_lifetime();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(#pack::Unpack<#lifetime>));
    }
    generics.params.insert(0, GenericParam::Lifetime(bytes));
    generics
}

/// The type's parameters where its objects live in an arena.
pub fn for_circular(input: &DeriveInput, pack: &Path) -> Generics {
    let mut generics = input.generics.clone();
    let lifetime = input_lifetime();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(#pack::Pack));
        parameter.bounds.push(parse_quote!(for<#lifetime> #pack::Unpack<#lifetime>));
        parameter.bounds.push(parse_quote!(::core::marker::Send));
        parameter.bounds.push(parse_quote!(::core::marker::Sync));
        parameter.bounds.push(parse_quote!('static));
    }
    generics
}
