//! Types where they are declared.

use super::attributes::{self, Repr};
use super::scope::{Home, ItemAt, is_public, plain};
use super::ty::written;
use super::{Argument, Context, Generics, Key, Lower, Lowered, State};
use crate::model::{Body, Declared, Field, Int, Place, Record, Ty, TypeId};
use crate::probe::{Generic, Subject};
use quote::ToTokens;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{
    Attribute, Fields, ForeignItem, GenericArgument, GenericParam, Ident, Item, PathArguments, TypePath,
};

/// What a type's item says before its body is read.
struct Head {
    ident: Ident,
    attributes: Vec<Attribute>,
    generics: syn::Generics,
}

/// Names of generic arguments longer than this belong to a type that never ends.
const LONGEST: usize = 250;

impl Lower<'_> {
    /// A declared type, with generic arguments if it has any.
    pub(super) fn instance(
        &mut self,
        context: &Context,
        at: ItemAt,
        path: &TypePath,
        held: bool,
    ) -> Lowered<Ty> {
        let place = context.place(path.span());
        let Some(head) = self.head(at) else {
            let message = format!("`{}` is not a type that can cross", written(path));
            return Err(self.refuse(
                &place,
                message,
                "traits do not cross: pass a function pointer and a context, or a handle",
            ));
        };
        if is_unsized(&self.item(at).item) {
            let message = format!("`{}` has no size, so its address is more than an address", head.ident);
            return Err(self.refuse(&place, message, "pass the address of its first field, and a length"));
        }
        if let Item::Type(alias) = &self.item(at).item
            && !alias.generics.params.is_empty()
        {
            return self.generic_alias(context, at, path, held);
        }
        let (generics, arguments) = self.bind(context, at, &head, path)?;
        if arguments.iter().map(|argument| argument.part_of_name(self).len()).sum::<usize>() > LONGEST {
            let message = format!("`{}` holds itself with ever more arguments", head.ident);
            return Err(self.refuse(&place, message, "hold it with its own arguments"));
        }
        let key = Key::Item(at, arguments.clone());
        let id = match self.known(&key) {
            Some(id) => id,
            None => self.mention(context, at, &head, path, generics, arguments),
        };
        if held {
            self.hold(id, &place)?;
        }
        Ok(Ty::Named(id))
    }

    /// Reads a type's body if it has not been read yet, and refuses it if it cannot be held by value.
    pub(super) fn hold(&mut self, id: TypeId, place: &Place) -> Lowered<()> {
        let name = self.api.get(id).name.clone();
        if self.is_open(id) {
            let help = "hold it behind a pointer somewhere in the circle; what is not transparent may be a parameter of its functions";
            return Err(self.refuse(place, format!("`{name}` holds itself by value"), help));
        }
        self.declare(id);
        if matches!(self.states[id.0 as usize], State::Open(_)) {
            return Ok(());
        }
        if matches!(self.states[id.0 as usize], State::Refused) {
            let message = format!("`{name}` cannot cross by value, as said at its declaration");
            return Err(self.refuse(place, message, "pass its address"));
        }
        match &self.api.get(id).body {
            Body::Opaque => {
                let message = format!("`{name}` has a layout that only Rust knows");
                let help = "give it `#[repr(C)]`, or pass its address";
                Err(self.refuse(place, message, help))
            }
            Body::Alias(ty) => self.hold_inside(ty.clone(), place),
            _ => Ok(()),
        }
    }

    fn hold_inside(&mut self, ty: Ty, place: &Place) -> Lowered<()> {
        match ty {
            Ty::Named(inner) => self.hold(inner, place),
            Ty::Array { of, .. } => self.hold_inside(*of, place),
            _ => Ok(()),
        }
    }

    /// A type's number; its body is read later.
    fn mention(
        &mut self,
        context: &Context,
        at: ItemAt,
        head: &Head,
        path: &TypePath,
        generics: Rc<Generics>,
        arguments: Vec<Argument>,
    ) -> TypeId {
        let own = plain(&head.ident);
        let parts = arguments.iter().map(|argument| argument.part_of_name(self));
        let name = std::iter::once(own.clone()).chain(parts).collect::<Vec<_>>().join("_");
        let context_of_item = Context::new(at.home, self.item(at));
        let place = context_of_item.place(head.ident.span());
        let mut source = self.path(at, &own);
        if !arguments.is_empty() {
            let texts: Vec<String> = arguments
                .iter()
                .map(|argument| match argument {
                    Argument::Type(ty) => self.source_of(ty),
                    Argument::Const(text) => text.clone(),
                })
                .collect();
            source = format!("{source}<{}>", texts.join(", "));
        }
        let (docs, deprecated) =
            (attributes::docs(&head.attributes), attributes::deprecated(&head.attributes));
        let declared = Declared { name, source, docs, deprecated, place, ..Declared::default() };
        let lifetimes = head.generics.lifetimes().count();
        let subject = if arguments.is_empty() && at.home.krate == self.root {
            let statics = vec!["'static"; lifetimes].join(", ");
            let name = self.name_at(at.home, &head.ident.to_string());
            let text = if lifetimes == 0 { name } else { format!("{name}<{statics}>") };
            Subject { spot: self.spot(at.home), text, generic: None }
        } else {
            let (home, text) = self.instance_text(context, head, path, &generics);
            let own = at.home.krate == self.root && !self.is_made(at.home);
            let generic = own.then(|| self.generic(at, head));
            Subject { spot: self.spot(home), text, generic }
        };
        let id = self.add(declared, Some(subject), State::Waiting(at, generics));
        self.known.insert(Key::Item(at, arguments), id);
        self.waiting.push_back(id);
        id
    }

    /// The type's path as written, with its arguments' own texts.
    fn instance_text(
        &self,
        context: &Context,
        head: &Head,
        path: &TypePath,
        generics: &Generics,
    ) -> (Home, String) {
        let mut bare = path.clone();
        if let Some(last) = bare.path.segments.last_mut() {
            last.arguments = PathArguments::None;
        }
        let (home, text) = self.spelling(context, &syn::Type::Path(bare));
        let arguments = head.generics.params.iter().map(|param| match param {
            GenericParam::Lifetime(_) => "'static".to_owned(),
            GenericParam::Type(param) => {
                generics.types.get(&plain(&param.ident)).map_or_else(String::new, |(_, text)| text.clone())
            }
            GenericParam::Const(param) => {
                generics.consts.get(&plain(&param.ident)).cloned().unwrap_or_default()
            }
        });
        let arguments: Vec<String> = arguments.collect();
        match &arguments[..] {
            [] => (home, text),
            list => (home, format!("{text} < {} >", list.join(", "))),
        }
    }

    fn generic(&mut self, at: ItemAt, head: &Head) -> Generic {
        let spot = self.spot(at.home);
        let (params, arguments, clause) = head.generics.split_for_impl();
        let head = format!(
            "impl{} {}{} {}",
            params.to_token_stream(),
            head.ident,
            arguments.to_token_stream(),
            clause.to_token_stream()
        );
        Generic { spot, head: head.trim().to_owned() }
    }

    fn head(&self, at: ItemAt) -> Option<Head> {
        let head = |ident: &Ident, attributes: &[Attribute], generics: &syn::Generics| Head {
            ident: ident.clone(),
            attributes: attributes.to_vec(),
            generics: generics.clone(),
        };
        match &self.item(at).item {
            Item::Struct(item) => Some(head(&item.ident, &item.attrs, &item.generics)),
            Item::Enum(item) => Some(head(&item.ident, &item.attrs, &item.generics)),
            Item::Union(item) => Some(head(&item.ident, &item.attrs, &item.generics)),
            Item::Type(item) => Some(head(&item.ident, &item.attrs, &item.generics)),
            Item::ForeignMod(block) => match block.items.get(at.part)? {
                ForeignItem::Type(item) => Some(head(&item.ident, &item.attrs, &item.generics)),
                _ => None,
            },
            Item::Macro(item) => {
                let flags = super::bitflags::read(&item.mac).ok()?.into_iter().nth(at.part)?;
                Some(head(&flags.ident, &flags.attributes, &syn::Generics::default()))
            }
            _ => None,
        }
    }

    /// The arguments of a generic type's parameters.
    fn bind(
        &mut self,
        context: &Context,
        at: ItemAt,
        head: &Head,
        path: &TypePath,
    ) -> Lowered<(Rc<Generics>, Vec<Argument>)> {
        let params: Vec<GenericParam> = head.generics.params.iter().cloned().collect();
        let given: Vec<GenericArgument> = match path.path.segments.last().map(|last| &last.arguments) {
            Some(PathArguments::AngleBracketed(list)) => {
                let kept =
                    list.args.iter().filter(|argument| !matches!(argument, GenericArgument::Lifetime(_)));
                kept.cloned().collect()
            }
            _ => Vec::new(),
        };
        let origin = context.generics.origin.unwrap_or(context.home);
        let mut generics = Generics { origin: Some(origin), ..Generics::default() };
        let mut arguments = Vec::new();
        let mut given = given.into_iter();
        for param in params {
            match param {
                GenericParam::Lifetime(_) => {}
                GenericParam::Type(param) => {
                    let (context, argument) = match (given.next(), &param.default) {
                        (Some(GenericArgument::Type(ty)), _) => (context.clone(), ty),
                        // A default may name the parameters before it, and is resolved where it is written.
                        (_, Some(default)) => {
                            let own = Context::new(at.home, self.item(at));
                            (Context { generics: Rc::new(generics.clone()), ..own }, default.clone())
                        }
                        _ => return Err(self.unbound(context, path)),
                    };
                    let ty = self.argument(&context, &argument)?;
                    self.want_lengths(&ty, &context.place(path.span()));
                    let (_, text) = self.spelling(&context, &argument);
                    generics.types.insert(plain(&param.ident), (ty.clone(), text));
                    arguments.push(Argument::Type(ty));
                }
                GenericParam::Const(param) => {
                    let (home, text) = match given.next() {
                        Some(GenericArgument::Const(value)) => self.spelled_length(context, &value),
                        // `Wrapper<N>`: a name may be a constant.
                        Some(GenericArgument::Type(ty)) => {
                            self.reaching(context.home, self.spelled_const(context, &ty))
                        }
                        _ => match &param.default {
                            Some(value) => self.reaching(at.home, value.to_token_stream().to_string()),
                            None => return Err(self.unbound(context, path)),
                        },
                    };
                    let text = self.value_of(home, text, &param.ty, context.place(path.span()));
                    generics.consts.insert(plain(&param.ident), text.clone());
                    arguments.push(Argument::Const(text));
                }
            }
        }
        if arguments.is_empty() {
            generics.origin = None;
        }
        Ok((Rc::new(generics), arguments))
    }

    fn spelled_const(&self, context: &Context, ty: &syn::Type) -> String {
        let text = ty.to_token_stream().to_string();
        context.generics.consts.get(&text).cloned().unwrap_or(text)
    }

    /// A generic argument. Whether it may be held by value is for its own fields to say.
    fn argument(&mut self, context: &Context, ty: &syn::Type) -> Lowered<Ty> {
        let pointer = syn::Type::Ptr(syn::parse_quote!(*const #ty));
        match self.value(context, &pointer)? {
            Ty::Pointer(pointer) => Ok(*pointer.to),
            other => Ok(other),
        }
    }

    fn unbound(&mut self, context: &Context, path: &TypePath) -> super::Refused {
        let message = format!("`{}` lacks a generic argument", written(path));
        self.refuse(&context.place(path.span()), message, "write it out")
    }

    /// An alias with parameters is replaced by what it stands for.
    fn generic_alias(&mut self, context: &Context, at: ItemAt, path: &TypePath, held: bool) -> Lowered<Ty> {
        let Some(head) = self.head(at) else { return Err(self.unbound(context, path)) };
        let (generics, _) = self.bind(context, at, &head, path)?;
        let item = self.item(at);
        let Item::Type(alias) = &item.item else { return Err(self.unbound(context, path)) };
        let (mut inner, ty) = (Context::new(at.home, item), (*alias.ty).clone());
        inner.generics = generics;
        if held {
            return self.value(&inner, &ty);
        }
        self.argument(&inner, &ty)
    }

    /// Reads the body of a type that was only mentioned.
    pub(super) fn declare(&mut self, id: TypeId) {
        let index = id.0 as usize;
        let State::Waiting(at, generics) = self.states[index].clone() else { return };
        let transparent = self.head(at).is_some_and(|head| Repr::read(&head.attributes).transparent);
        self.states[index] = State::Open((!transparent).then_some(self.depth));
        let lowered = self.body(id, at, generics);
        self.states[index] = if lowered.is_ok() { State::Done } else { State::Refused };
        let body = lowered.unwrap_or(Body::Opaque);
        if matches!(body, Body::Opaque | Body::Alias(_) | Body::Callback { .. }) {
            self.plan.types[index] = None;
        }
        self.api.types[index].body = body;
    }

    fn body(&mut self, id: TypeId, at: ItemAt, generics: Rc<Generics>) -> Lowered<Body> {
        if self.handles.contains(&at) {
            return Ok(Body::Opaque);
        }
        let item = self.item(at);
        let mut context = Context::new(at.home, item);
        context.generics = generics;
        match &item.item {
            Item::Struct(item) => match Repr::read(&item.attrs) {
                repr if !repr.c && !repr.transparent => Ok(Body::Opaque),
                repr => match self.flags_of_struct(&context, item, &repr) {
                    Some(flags) => Ok(flags),
                    None => self.record(&context, &item.fields, &repr).map(Body::Struct),
                },
            },
            Item::Union(item) => match Repr::read(&item.attrs) {
                repr if !repr.c && !repr.transparent => Ok(Body::Opaque),
                repr => self.record(&context, &Fields::Named(item.fields.clone()), &repr).map(Body::Union),
            },
            Item::Enum(item) => self.enumeration(&context, item),
            Item::Type(item) => {
                let ty = self.argument(&context, &item.ty)?;
                // Whether it can be held is up to its user; a function is a callback of this name.
                Ok(match ty {
                    Ty::Function { signature, nullable } => {
                        Body::Callback { signature: *signature, nullable }
                    }
                    Ty::Named(inner) if inner == id => Body::Opaque,
                    ty => Body::Alias(ty),
                })
            }
            Item::Macro(item) => self.flags(&context, &item.mac, at.part),
            _ => Ok(Body::Opaque),
        }
    }

    /// The fields of a struct or a union.
    pub(super) fn record(&mut self, context: &Context, fields: &Fields, repr: &Repr) -> Lowered<Record> {
        let mut record = Record {
            fields: self.fields(context, fields)?,
            packed: repr.packed,
            align: repr.align,
            transparent: repr.transparent,
            tuple: matches!(fields, Fields::Unnamed(_)),
        };
        if record.packed.is_some() {
            record.align = None;
        }
        Ok(record)
    }

    /// All fields are read, so that all errors are reported. Markers are arrays without elements, so that the
    /// probe can make a value; they are removed afterwards.
    pub(super) fn fields(&mut self, context: &Context, fields: &Fields) -> Lowered<Vec<Field>> {
        let mut lowered = Ok(Vec::new());
        for (index, field) in fields.iter().enumerate() {
            let name = field.ident.as_ref().map_or_else(|| index.to_string(), plain);
            let marker = Ty::Array { of: Box::new(Ty::Int(Int::U8)), len: 0 };
            match (self.field(context, &field.ty), &mut lowered) {
                (Ok(ty), Ok(list)) => list.push(Field {
                    name,
                    ty: ty.filter(|ty| *ty != Ty::Unit).unwrap_or(marker),
                    offset: 0,
                    bits: None,
                    docs: attributes::docs(&field.attrs),
                    public: is_public(&field.vis),
                }),
                (Ok(_), Err(_)) => {}
                (Err(refused), _) => lowered = Err(refused),
            }
        }
        lowered
    }

    /// The module of a root of this crate.
    pub(super) fn homes(&self) -> Vec<Home> {
        let modules = 0..self.scope.crates()[self.root].modules.len();
        modules.map(|module| Home { krate: self.root, module }).collect()
    }
}

/// Whether a struct ends with a slice, text or a trait object.
fn is_unsized(item: &Item) -> bool {
    let Item::Struct(item) = item else { return false };
    match item.fields.iter().last().map(|field| &field.ty) {
        Some(syn::Type::Slice(_) | syn::Type::TraitObject(_)) => true,
        Some(syn::Type::Path(path)) => path.path.is_ident("str"),
        _ => false,
    }
}
