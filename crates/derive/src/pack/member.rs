use super::refusal;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Fields, Ident, Index, LitInt, Member as Name, Path, Type};

/// A field of a struct and its `#[pack(…)]` options.
pub struct Field<'a> {
    pub name: Name,
    pub ty: &'a Type,
    /// `Type.field`, for messages.
    pub label: String,
    pub ignored: bool,
    /// The formatter that writes it instead of its type.
    pub with: Option<TokenStream>,
    order: Option<(usize, LitInt)>,
}

impl<'a> Field<'a> {
    /// All fields, in declaration order.
    pub fn all(owner: &Ident, fields: &'a Fields, pack: &Path) -> syn::Result<Vec<Field<'a>>> {
        fields
            .iter()
            .enumerate()
            .map(|(index, field)| Field::of(owner, index, field, pack))
            .collect::<syn::Result<Vec<_>>>()
    }

    fn of(owner: &Ident, index: usize, field: &'a syn::Field, pack: &Path) -> syn::Result<Field<'a>> {
        let name = field.ident.clone().map_or_else(|| Name::Unnamed(Index::from(index)), Name::Named);
        let title = match &name {
            Name::Named(name) => name.unraw().to_string(),
            Name::Unnamed(index) => index.index.to_string(),
        };
        let mut found = Field {
            name,
            ty: &field.ty,
            label: format!("{}.{title}", owner.unraw()),
            ignored: false,
            with: None,
            order: None,
        };
        for attribute in field.attrs.iter().filter(|one| one.path().is_ident("pack")) {
            attribute.parse_nested_meta(|option| found.read(&option, pack))?;
        }
        if let (true, Some((_, order))) = (found.ignored, &found.order) {
            let why = "a field that is ignored has no place among the members: leave out its `order`";
            return Err(refusal(order, owner, why));
        }
        Ok(found)
    }

    /// Whether anything besides its type says how it is written.
    pub fn changed(&self) -> bool {
        self.ignored || self.with.is_some() || self.order.is_some()
    }

    fn read(&mut self, option: &syn::meta::ParseNestedMeta<'_>, pack: &Path) -> syn::Result<()> {
        let formatter = if option.path.is_ident("ignore") {
            self.ignored = true;
            return Ok(());
        } else if option.path.is_ident("include") {
            // It affects the mirrors in other languages only; here every field is a member.
            return Ok(());
        } else if option.path.is_ident("order") {
            let order: LitInt = option.value()?.parse()?;
            self.order = Some((order.base10_parse()?, order));
            return Ok(());
        } else if option.path.is_ident("with") {
            option.value()?.parse::<Type>()?.into_token_stream()
        } else if option.path.is_ident("utf8") {
            quote!(#pack::with::Utf8)
        } else if option.path.is_ident("utf16") {
            quote!(#pack::with::Utf16)
        } else {
            let found = option.path.to_token_stream();
            return Err(option.error(format!(
                "unknown option `{found}`: on a field there are `order = number`, `ignore`, `include`, `utf8`, \
                 `utf16` and `with = Formatter`"
            )));
        };
        if self.with.replace(formatter).is_some() {
            return Err(option.error("a field has one formatter: `utf8`, `utf16` or `with`"));
        }
        Ok(())
    }
}

/// The most members that an object's header byte can count.
const MOST: usize = 249;

/// The members in wire order, with holes where `holes` allows them.
pub fn slots<'f, 'a>(
    owner: &Ident,
    fields: &'f [Field<'a>],
    holes: bool,
) -> syn::Result<Vec<Option<&'f Field<'a>>>> {
    let members: Vec<_> = fields.iter().filter(|field| !field.ignored).collect();
    let ordered = members.iter().filter(|field| field.order.is_some()).count();
    if ordered != 0 && ordered != members.len() {
        let without = members.iter().find(|field| field.order.is_none()).map(|field| field.ty);
        let why = "some of its fields have an `order` and this one has none: give it to all or to none";
        return Err(refusal(without, owner, why));
    }
    let mut slots: Vec<Option<&Field<'_>>> = Vec::new();
    for (index, field) in members.iter().enumerate() {
        let place = field.order.as_ref().map_or(index, |(order, _)| *order);
        if place >= MOST {
            let why = format!(
                "an object has at most {MOST} members, and this would be number {}: put some of them into a \
                 struct of their own",
                place + 1
            );
            return match &field.order {
                Some((_, order)) => Err(refusal(order, owner, &why)),
                None => Err(refusal(field.ty, owner, &why)),
            };
        }
        if slots.len() <= place {
            slots.resize(place + 1, None);
        }
        if let (Some(_), Some((_, order))) = (slots[place].replace(field), &field.order) {
            return Err(refusal(order, owner, &format!("another field has the order {place} already")));
        }
    }
    if let (false, Some(hole)) = (holes, slots.iter().position(Option::is_none)) {
        let why = format!(
            "no field has the order {hole}: orders go from 0 without a gap, except in a type that is \
             `version_tolerant`"
        );
        return Err(refusal(owner, owner, &why));
    }
    Ok(slots)
}
