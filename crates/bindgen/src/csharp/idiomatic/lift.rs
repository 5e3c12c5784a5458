use super::super::cx::Cx;
use super::super::idioms::span_element;
use super::super::names::{camel, escaped, pascal};
use crate::model::{Function, Int, Member, Param, Pointer, Role, Signature, Ty, TypeId};
use crate::plan::{Callable, Kind, Take, is_letter, take};

/// How a value is shown instead of as it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lift {
    Plain,
    Bool,
    /// A `char`, as a `Rune`.
    Rune,
    /// UTF-8 bytes, with an overload for `string`.
    Str,
    /// The address of a C string, with an overload for `string`.
    CStr {
        nullable: bool,
    },
    /// Owned UTF-8 bytes that come back as a `string`.
    Text,
    /// Owned elements that come back as an object.
    Buffer {
        element: String,
    },
    Slice {
        element: String,
        pointer: String,
        mutable: bool,
    },
    /// A never-null address of this type: `ref` or `in`.
    Reference {
        of: String,
        mutable: bool,
    },
    Handle {
        id: TypeId,
        owned: bool,
        nullable: bool,
    },
    Callback {
        delegate: String,
        nullable: bool,
    },
    /// Room for one address that native code gives.
    Out {
        /// The address.
        of: String,
        /// The handle that is there.
        handle: Option<TypeId>,
    },
    /// The address of one value that native code may write; null is one too, without a value.
    Place {
        of: String,
    },
    /// Memory, whose length is the next parameter.
    Bytes {
        mutable: bool,
    },
    /// Filled in with the length of the memory at this index.
    Length(usize),
    /// Filled in with the context of the callback at this index.
    Context(usize),
    /// A delegate that native code keeps.
    Kept {
        delegate: String,
    },
    /// Filled in with what stands for the kept delegate at this index.
    KeptContext(usize),
    /// Filled in with what releases it.
    KeptRelease,
}

impl Lift {
    /// Whether only a method of its own shows a parameter so, beside the one that takes the address.
    pub fn is_place(&self) -> bool {
        matches!(self, Lift::Out { .. } | Lift::Place { .. } | Lift::Bytes { .. } | Lift::Length(_))
    }
}

impl Cx<'_> {
    /// The member that a function is, if its type is shown as a class.
    pub(super) fn member_of_handle<'b>(&self, function: &'b Function) -> Option<&'b Member> {
        function.member.as_ref().filter(|member| self.is_handle(member.of))
    }

    /// Whether a function's first parameter is the object that it is called on.
    pub(super) fn has_receiver(&self, function: &Function) -> bool {
        let Some(member) = self.member_of_handle(function) else { return false };
        let first = function
            .signature
            .params
            .first()
            .and_then(|param| self.handles.behind(&param.ty))
            .map(|(id, _)| id);
        member.role == Role::Method && first == Some(member.of)
    }

    /// How a function's parameter is shown.
    pub(super) fn lift_param(&self, function: &Function, index: usize) -> Lift {
        let signature = &function.signature;
        let param = &signature.params[index];
        let called = |signature: &Signature| signature.context.is_some() && self.callable(signature);
        let keeps = |of: usize| {
            let of = self.callback(&signature.params[of]).map(|of| of.signature);
            of.is_some_and(|of| of.kept && called(of))
        };
        match take(self.api, &self.handles, function, index, param) {
            Take::Context(of) if keeps(of) => return Lift::KeptContext(of),
            Take::Release(of) if keeps(of) => return Lift::KeptRelease,
            Take::Function(of, _) if keeps(index) => {
                return Lift::Kept { delegate: self.delegate(&function.name, &param.name, of) };
            }
            Take::Context(of)
                if self.callback(&signature.params[of]).is_some_and(|of| called(of.signature)) =>
            {
                return Lift::Context(of);
            }
            // A callback that wants a context nobody passes on is left to the caller.
            Take::Function(of, context)
                if self.callable(of.signature) && (of.signature.context.is_none() || context.is_some()) =>
            {
                let delegate = self.delegate(&function.name, &param.name, of);
                return Lift::Callback { delegate, nullable: of.nullable };
            }
            Take::Handle { id, pointer, .. } => {
                return Lift::Handle { id, owned: pointer.owned, nullable: pointer.nullable };
            }
            Take::Text(pointer) => return Lift::CStr { nullable: pointer.nullable },
            _ => {}
        }
        match self.lift(&param.ty) {
            Lift::Plain => match self.api.resolve(&param.ty) {
                Ty::Pointer(pointer) if !pointer.nullable && self.is_referred(&pointer.to) => {
                    Lift::Reference { of: self.blittable(&pointer.to), mutable: pointer.mutable }
                }
                // `out` would clear the first of several.
                Ty::Pointer(pointer)
                    if matches!(self.api.resolve(&pointer.to), Ty::Pointer(_))
                        && self.is_counted(signature, index) =>
                {
                    Lift::Plain
                }
                Ty::Pointer(pointer) if self.sized(signature, index).is_none() => self.lift_place(pointer),
                _ => match (self.sized(signature, index), index.checked_sub(1)) {
                    (Some(mutable), _) => Lift::Bytes { mutable },
                    (None, Some(before)) if self.sized(signature, before).is_some() => Lift::Length(before),
                    _ => Lift::Plain,
                },
            },
            lift => lift,
        }
    }

    /// The function whose address a parameter is.
    fn callback<'b>(&'b self, param: &'b Param) -> Option<Callable<'b>> {
        match Kind::plain(self.api, &param.ty) {
            Kind::Function(of) => Some(of),
            _ => None,
        }
    }

    /// A pointer to one value that native code may write.
    fn lift_place(&self, pointer: &Pointer) -> Lift {
        let letter = matches!(self.api.resolve(&pointer.to), Ty::Int(Int::CChar | Int::U8 | Int::I8));
        match self.api.resolve(&pointer.to) {
            _ if !pointer.mutable || pointer.owned || letter => Lift::Plain,
            to @ Ty::Pointer(_) => {
                let handle = self.handles.behind(to).map(|(id, _)| id).filter(|id| self.is_lent(*id));
                Lift::Out { of: self.blittable(to), handle }
            }
            to if self.is_referred(to) => Lift::Place { of: self.blittable(to) },
            _ => Lift::Plain,
        }
    }

    /// Whether there may be text in C's form at some address.
    pub(super) fn has_text(&self) -> bool {
        let text = |ty: &Ty| matches!(self.api.resolve(ty), Ty::Pointer(pointer) if is_letter(self.api, &pointer.to));
        let in_call = |signature: &Signature| signature.types().any(text);
        let called = |ty: &Ty| self.api.callback(ty).is_some_and(|(signature, _)| in_call(signature));
        let mut functions = self.api.functions.iter().map(|function| &function.signature);
        let mut fields = self.api.types.iter().flat_map(|declared| declared.body.fields());
        functions.any(|signature| in_call(signature) || signature.types().any(called))
            || fields.any(|field| text(&field.ty) || called(&field.ty))
    }

    /// Whether a result may be part of a text that was passed, whose bytes are gone by then.
    pub(super) fn lends(&self, function: &Function) -> bool {
        let ret = &function.signature.ret;
        let letters =
            matches!(self.api.resolve(ret), Ty::Pointer(pointer) if is_letter(self.api, &pointer.to));
        letters || matches!(self.lift_ret(function), Lift::Str | Lift::Slice { .. })
    }

    /// Whether C# has references to values of this type.
    fn is_referred(&self, ty: &Ty) -> bool {
        let plain = matches!(self.api.resolve(ty), Ty::Int(_) | Ty::Float(_) | Ty::Char | Ty::Named(_));
        plain && self.api.callback(ty).is_none() && self.api.has_value(ty)
    }

    /// How a function's result is shown.
    pub(super) fn lift_ret(&self, function: &Function) -> Lift {
        let ret = &function.signature.ret;
        match self.handles.behind(ret) {
            Some((id, pointer)) if pointer.owned || self.is_lent(id) => {
                Lift::Handle { id, owned: pointer.owned, nullable: pointer.nullable }
            }
            _ => match Kind::of(self.api, ret) {
                Kind::Text(_) => Lift::Text,
                Kind::Buffer(_, of) => Lift::Buffer { element: span_element(self, of) },
                _ => self.lift(ret),
            },
        }
    }

    /// How a value that is neither a callback nor a handle is shown.
    pub(super) fn lift(&self, ty: &Ty) -> Lift {
        match Kind::of(self.api, ty) {
            Kind::Bool => Lift::Bool,
            Kind::Char => Lift::Rune,
            Kind::Str(_) => Lift::Str,
            // A span cannot have arrays as elements: such a slice stays a struct.
            Kind::Slice(_, of, mutable) if !matches!(self.api.resolve(of), Ty::Array { .. }) => Lift::Slice {
                element: span_element(self, of),
                pointer: self.ty(&Ty::pointer(of.clone(), mutable)),
                mutable,
            },
            _ => Lift::Plain,
        }
    }

    /// The name of a callback's delegate: its own, or that of the parameter or field.
    pub(super) fn delegate(&self, owner: &str, part: &str, of: Callable<'_>) -> String {
        match of.named {
            Some(id) => self.name(id).to_owned(),
            None => format!("{}{}", pascal(self.own_name(owner)), pascal(part)),
        }
    }

    /// Whether a function gains from the idiomatic form, or is at least safe as it is.
    pub(super) fn is_idiomatic(&self, function: &Function) -> bool {
        let signature = &function.signature;
        let plain = |lift: Lift| lift == Lift::Plain;
        function.fallible
            || self.checks(function)
            || self.lift_ret(function) != Lift::Plain
            || !(0..signature.params.len()).all(|index| plain(self.lift_param(function, index)))
            || !signature
                .types()
                .map(|ty| self.api.resolve(ty))
                .any(|ty| matches!(ty, Ty::Pointer(_) | Ty::Function { .. }))
    }

    /// The managed side's view of a delegate's parameter.
    pub(super) fn seen(&self, ty: &Ty) -> String {
        match self.lift(ty) {
            Lift::Bool => "bool".into(),
            Lift::Str => "ReadOnlySpan<byte>".into(),
            Lift::Slice { element, mutable: true, .. } => format!("Span<{element}>"),
            Lift::Slice { element, .. } => format!("ReadOnlySpan<{element}>"),
            _ => self.blittable(ty),
        }
    }
}

/// The parameters of a callback with their indices, except the context and those without a size.
pub(super) fn visible<'b>(cx: &Cx, signature: &'b Signature) -> Vec<(usize, &'b Param)> {
    let shown = |(index, param): &(usize, &Param)| {
        signature.context != Some(*index as u32) && cx.is_passed(&param.ty)
    };
    signature.params.iter().enumerate().filter(shown).collect()
}

/// A parameter's name: in camel case, unless that made two equal.
pub(super) fn parameter(signature: &Signature, name: &str) -> String {
    let short = camel(name);
    let same = signature.params.iter().filter(|param| camel(&param.name) == short).count();
    if same > 1 { escaped(name) } else { short }
}
