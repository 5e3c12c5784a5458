//! C types as types of the model.

use super::clang::{Cursor, Type, raw};
use super::reader::{Reader, Refusal, integer, standard};
use super::records::dimensions;
use super::registers;
use crate::model::{Body, Float, Param, Signature, Ty, TypeId};

/// How a type is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Its bytes cross.
    Value,
    /// Only its address crosses.
    Address,
}

/// Names of standard types that have no size that could cross.
const ARGUMENT_LISTS: [&str; 4] = ["va_list", "__builtin_va_list", "__gnuc_va_list", "__darwin_va_list"];

/// The structs behind them, where there are any.
const ARGUMENT_LIST_TAGS: [&str; 2] = ["__va_list_tag", "__va_list"];

impl<'unit> Reader<'unit, '_> {
    /// The model's type. What cannot cross is refused with the reason.
    pub fn ty(&mut self, ty: Type<'unit>, used: Use) -> Result<Ty, Refusal> {
        if let Some(int) = integer(ty.kind()) {
            return Ok(Ty::Int(int));
        }
        match ty.kind() {
            raw::CXType_Void => Ok(Ty::Unit),
            raw::CXType_Bool => Ok(Ty::Bool),
            raw::CXType_Float => Ok(Ty::Float(Float::F32)),
            raw::CXType_Double => Ok(Ty::Float(Float::F64)),
            raw::CXType_Pointer => self.pointer(ty.pointee()),
            raw::CXType_ConstantArray => {
                // Even behind a pointer, an array needs the size of its elements.
                let of = Box::new(self.ty(ty.element(), Use::Value)?);
                let len = ty.len().ok_or_else(|| format!("`{}` has no length", ty.spelling()))?;
                Ok(Ty::Array { of, len })
            }
            raw::CXType_IncompleteArray => {
                Ok(Ty::Array { of: Box::new(self.ty(ty.element(), Use::Value)?), len: 0 })
            }
            raw::CXType_Typedef => self.named_by_typedef(ty, used),
            raw::CXType_Record | raw::CXType_Enum => self.tagged(ty.declaration(), used),
            raw::CXType_Elaborated => self.ty(ty.named(), used),
            raw::CXType_Attributed => self.ty(ty.modified(), used),
            raw::CXType_Atomic => {
                let value = ty.atomic_value();
                if value.layout() == ty.layout() {
                    self.ty(value, used)
                } else {
                    Err(format!("`{}` has another layout than its value", ty.spelling()))
                }
            }
            _ if is_function(ty) => Ok(self.address_of_function(ty, &[])),
            raw::CXType_Unexposed if ty.canonical().kind() != raw::CXType_Unexposed => {
                self.ty(ty.canonical(), used)
            }
            _ => Err(refusal(ty)),
        }
    }

    fn pointer(&mut self, to: Type<'unit>) -> Result<Ty, Refusal> {
        if is_function(to) {
            return Ok(self.address_of_function(to, &[]));
        }
        let mutable = !to.is_const();
        Ok(Ty::pointer(self.ty(to, Use::Address)?, mutable))
    }

    /// The type of a field or parameter written as a pointer to a function, with the parameter names given
    /// there.
    pub fn function_pointer(&mut self, declaration: Cursor<'unit>, ty: Type<'unit>) -> Option<Ty> {
        let direct = plain(ty);
        let points = direct.kind() == raw::CXType_Pointer && is_function(direct.pointee());
        points.then(|| {
            self.address_of_function(direct.pointee(), &parameter_names(declaration, direct.pointee()))
        })
    }

    /// A function pointer. One that no other language can call or implement crosses as a plain address.
    fn address_of_function(&mut self, function: Type<'unit>, names: &[Cursor<'unit>]) -> Ty {
        let reason = match self.signature(function, names) {
            Ok(signature) if !signature.variadic => {
                return Ty::Function { signature: Box::new(signature), nullable: true };
            }
            Ok(_) => "it takes any number of arguments".to_owned(),
            Err(reason) => reason,
        };
        let (pointer, about) = (function.spelling(), &self.about);
        let message = format!("the function pointer `{pointer}` of {about} is a `void*`: {reason}");
        self.diagnostics.leaves_out(0, Some(&self.at), message, "");
        Ty::context()
    }

    fn named_by_typedef(&mut self, ty: Type<'unit>, used: Use) -> Result<Ty, Refusal> {
        let declaration = ty.declaration();
        let name = declaration.name().unwrap_or_default();
        if ARGUMENT_LISTS.contains(&name.as_str()) {
            return Err(format!("`{name}`, the arguments of a variadic function, cannot cross"));
        }
        if let Some(standard) = standard(&name).filter(|standard| self.api.layout(standard) == ty.layout()) {
            return Ok(standard);
        }
        let underlying = declaration.underlying();
        // A vector or alignment attribute is on the typedef, not on the type it names.
        if underlying.canonical().layout().is_some_and(|layout| Some(layout) != ty.layout())
            && used == Use::Value
        {
            return Err(format!("`{name}` is aligned differently from the type it names"));
        }
        let system = declaration.in_system_header();
        if system && !self.filter.takes(&name, system) || self.names_its_tag(declaration) {
            return self.ty(underlying, used);
        }
        match self.typedef(declaration)? {
            Some(id) => {
                if used == Use::Value && !matches!(self.api.get(id).body, Body::Callback { .. }) {
                    // What was opaque behind a pointer now needs its fields.
                    self.ty(underlying, used)?;
                }
                Ok(Ty::Named(id))
            }
            None => self.ty(underlying, used),
        }
    }

    /// `typedef struct point {…} point;` and `typedef struct {…} point;`: one type, not two.
    fn names_its_tag(&self, declaration: Cursor<'unit>) -> bool {
        let tag = declaration.underlying().canonical();
        matches!(tag.kind(), raw::CXType_Record | raw::CXType_Enum)
            && self.tag_name(tag.declaration()).is_some_and(|(name, _)| Some(name) == declaration.name())
    }

    /// The alias or the callback of a `typedef`. `None` for one that needs no type of its own.
    pub fn typedef(&mut self, declaration: Cursor<'unit>) -> Result<Option<TypeId>, Refusal> {
        if let Some(id) = self.known.get(&declaration.canonical()) {
            return Ok(Some(*id));
        }
        let name = declaration.name().unwrap_or_default();
        let underlying = declaration.underlying();
        self.at = declaration.place();
        self.about = format!("type `{name}`");
        if standard(&name).is_some() {
            return Ok(None);
        }
        if self.names_its_tag(declaration) {
            self.ty(underlying, Use::Address)?;
            return Ok(None);
        }
        if is_function(underlying) {
            return Ok(None);
        }
        let direct = plain(underlying);
        let within = format!("__typeof__((*({name} *)0){})", "[0]".repeat(dimensions(underlying)));
        self.name_within(underlying, (format!("{name}_type"), within));
        let body = match self.function_pointer(declaration, direct) {
            Some(Ty::Function { signature, nullable }) => Body::Callback { signature: *signature, nullable },
            Some(address) => Body::Alias(address),
            None => Body::Alias(self.ty(underlying, Use::Address)?),
        };
        let id = match self.known.get(&declaration.canonical()) {
            Some(id) => *id,
            None => self.declare(declaration, &name, name.clone(), body),
        };
        Ok(Some(id))
    }

    /// Parameters and result; `names` are those in the parameters' declarations.
    pub fn signature(&mut self, ty: Type<'unit>, names: &[Cursor<'unit>]) -> Result<Signature, Refusal> {
        if ty.has_own_convention() {
            return Err(format!("`{}` does not use C's default calling convention", ty.spelling()));
        }
        let (mut params, about) = (Vec::new(), self.about.clone());
        let arguments = ty.arguments();
        // The parameters of the function that this one returns come first.
        let names = &names[names.len().saturating_sub(arguments.len())..];
        for (index, argument) in arguments.into_iter().enumerate() {
            let name = names.get(index).and_then(|cursor| cursor.name()).unwrap_or(format!("arg{index}"));
            let declaration = names.get(index).copied();
            if let Some(declaration) = declaration {
                self.at = declaration.place();
            }
            // Types that have been read meanwhile were about themselves.
            self.about.clone_from(&about);
            let ty = self
                .parameter(argument, declaration)
                .map_err(|reason| format!("parameter `{name}`: {reason}"))?;
            params.push(Param { name, ty, context_of: None, release_of: None });
        }
        let result = ty.result();
        self.about = about;
        let ret = self.by_value(result).map_err(|reason| format!("its result: {reason}"))?;
        Ok(Signature { params, ret, variadic: ty.is_variadic(), ..Signature::default() })
    }

    fn parameter(&mut self, ty: Type<'unit>, declaration: Option<Cursor<'unit>>) -> Result<Ty, Refusal> {
        if let Some(function) = declaration.and_then(|declaration| self.function_pointer(declaration, ty)) {
            return Ok(function);
        }
        match ty.canonical().kind() {
            raw::CXType_ConstantArray | raw::CXType_IncompleteArray | raw::CXType_VariableArray => {
                let element = match ty.kind() {
                    raw::CXType_Typedef => ty.canonical().element(),
                    _ => ty.element(),
                };
                if ARGUMENT_LISTS.contains(&ty.spelling().as_str()) {
                    return Err(refusal(ty));
                }
                Ok(Ty::pointer(self.ty(element, Use::Address)?, !element.is_const()))
            }
            _ => self.by_value(ty),
        }
    }

    fn by_value(&mut self, ty: Type<'unit>) -> Result<Ty, Refusal> {
        let found = self.ty(ty, Use::Value)?;
        if found != Ty::Unit && self.api.layout(&found).is_some_and(|layout| layout.size == 0) {
            return Err(format!("`{}` has no bytes to pass", ty.spelling()));
        }
        if let Some(reason) = registers::refuse(&self.api, &found) {
            return Err(format!("`{}` {reason}", ty.spelling()));
        }
        Ok(found)
    }

    /// Whether a known type may be used this way.
    pub fn usable(&self, id: TypeId, used: Use) -> Result<(), Refusal> {
        match self.refused.get(&id) {
            Some(reason) if used == Use::Value => Err(reason.clone()),
            _ => Ok(()),
        }
    }

    fn tagged(&mut self, declaration: Cursor<'unit>, used: Use) -> Result<Ty, Refusal> {
        if declaration.name().is_some_and(|name| ARGUMENT_LIST_TAGS.contains(&name.as_str())) {
            return Err("`va_list`, the arguments of a variadic function, cannot cross".to_owned());
        }
        match self.tag(declaration, None, used == Use::Value) {
            Some(id) => {
                self.usable(id, used)?;
                Ok(Ty::Named(id))
            }
            None if declaration.kind() == raw::CXCursor_EnumDecl => {
                self.unnamed_enum(declaration);
                self.ty(declaration.enum_type(), used)
            }
            None => Err("a struct without a name cannot be used outside of a field".to_owned()),
        }
    }
}

/// The parameters that a declaration names.
pub(super) fn parameters(declaration: Cursor<'_>) -> Vec<Cursor<'_>> {
    declaration.children().into_iter().filter(|child| child.kind() == raw::CXCursor_ParmDecl).collect()
}

/// The parameters of the function that a declaration points to: those it names, or those of the `typedef`.
fn parameter_names<'unit>(declaration: Cursor<'unit>, function: Type<'unit>) -> Vec<Cursor<'unit>> {
    match plain(function).kind() {
        raw::CXType_Typedef => parameters(plain(function).declaration()),
        _ => parameters(declaration),
    }
}

/// Whether this is a function, under any name.
fn is_function(ty: Type<'_>) -> bool {
    matches!(ty.canonical().kind(), raw::CXType_FunctionProto | raw::CXType_FunctionNoProto)
}

/// `ty` without attributes and without `struct` before a name.
pub(super) fn plain(ty: Type<'_>) -> Type<'_> {
    match ty.kind() {
        raw::CXType_Attributed => plain(ty.modified()),
        raw::CXType_Elaborated => plain(ty.named()),
        _ => ty,
    }
}

fn refusal(ty: Type<'_>) -> Refusal {
    let spelling = ty.spelling();
    match ty.canonical().kind() {
        raw::CXType_LongDouble | raw::CXType_Float128 | raw::CXType_Half | raw::CXType_Float16 => {
            format!("`{spelling}` is a floating point type that other languages do not have")
        }
        raw::CXType_Complex => format!("`{spelling}` is a complex number, which other languages do not pass"),
        raw::CXType_Vector | raw::CXType_ExtVector => {
            format!("`{spelling}` is a vector, which other languages do not pass")
        }
        _ => format!("`{spelling}` cannot cross"),
    }
}
