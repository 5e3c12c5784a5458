//! How types are spelled in `index.d.ts`.

use super::super::callbacks::{Callback, place};
use super::super::kind::{array_class, flat, is_bigint, scalar, typed_array};
use super::super::names::{global, quoted};
use super::Declarations;
use crate::model::{Function, Ty};
use crate::plan::{Call, Kind, Number, Take, is_letter, is_text};
use std::fmt::Write as _;

impl Declarations<'_> {
    fn long(&self) -> &'static str {
        if self.options.numbers { "number | bigint" } else { "bigint" }
    }

    /// The type of a value that native code returns or passes.
    pub(super) fn output(&self, ty: &Ty) -> String {
        match Kind::of(self.api, ty) {
            Kind::Int(Number { named: Some(id), .. }) => global(&self.api.get(id).name),
            Kind::Nothing => "void".into(),
            Kind::Bool => "boolean".into(),
            Kind::Char | Kind::Str(_) | Kind::Text(_) => "string".into(),
            Kind::Int(number) if is_bigint(number) && number.bytes == 8 => self.long().into(),
            Kind::Int(number) if is_bigint(number) => "bigint".into(),
            Kind::Float(_) | Kind::Int(_) => "number".into(),
            Kind::Pointer(pointer) if is_letter(self.api, &pointer.to) => "CText".into(),
            Kind::Pointer(pointer) => format!("Pointer<{}>", self.pointee(&pointer.to)),
            Kind::Function(of) => format!("Pointer<{}>", self.callback(Callback::in_field(of.signature))),
            Kind::Empty(_) | Kind::Opaque(_) => "undefined".into(),
            Kind::Record(id) => global(&self.api.get(id).name),
            Kind::Array(of, _) | Kind::Slice(_, of, _) => self.elements(of, false),
            Kind::Buffer(_, of) => format!("OwnedBuffer<{}>", self.elements(of, false)),
        }
    }

    pub(super) fn elements(&self, of: &Ty, loose: bool) -> String {
        match array_class(self.api, self.options, of, loose) {
            "NativeArray" => format!("NativeArray<{}>", self.field(of, loose)),
            array => array.into(),
        }
    }

    /// The type of a field: idioms are structs there.
    pub(super) fn field(&self, ty: &Ty, loose: bool) -> String {
        match Kind::plain(self.api, ty) {
            Kind::Array(of, _) => self.elements(of, loose),
            Kind::Record(id) => global(&self.api.get(id).name),
            _ => self.output(ty),
        }
    }

    /// The type of a value that a field is set to.
    fn set(&self, ty: &Ty, loose: bool) -> String {
        match Kind::plain(self.api, ty) {
            Kind::Record(id) => self.init(&self.api.get(id).name),
            Kind::Array(of, _) => self.set_array(of, &self.set(of, loose), loose),
            Kind::Pointer(_) | Kind::Function(_) => format!("{} | View | null", self.output(ty)),
            _ => self.sized(ty).unwrap_or_else(|| self.output(ty)),
        }
    }

    /// The same of an array with such elements.
    fn set_array(&self, of: &Ty, set: &str, loose: bool) -> String {
        let mut ty = format!("ArrayLike<{set}> | NativeArray<{}>", self.field(of, loose));
        // The compiler does not know a number read from a typed array to be an enum's.
        if let (Ty::Named(_), Some((array, _))) =
            (self.api.resolve(of), typed_array(Kind::plain(self.api, of)))
        {
            let _ = write!(ty, " | {array}");
        }
        ty
    }

    /// The same in a struct, where a function may be a `Callback`.
    pub(super) fn set_in_field(&self, ty: &Ty, loose: bool) -> String {
        if let Ty::Array { of, .. } = self.api.resolve(ty) {
            return self.set_array(of, &self.set_in_field(of, loose), loose);
        }
        match Kind::of(self.api, ty) {
            Kind::Function(of) if place(self.api, ty).is_some() => {
                format!(
                    "{} | Callback<{}> | null",
                    self.output(ty),
                    self.callback(Callback::in_field(of.signature))
                )
            }
            _ => self.set(ty, loose),
        }
    }

    /// The type of an argument for an integer of 64 bits or more that is not an enum: a value that no number holds
    /// exactly is a bigint.
    fn sized(&self, ty: &Ty) -> Option<String> {
        let Kind::Int(number) = Kind::of(self.api, ty) else { return None };
        let sized = number.named.is_none() && (number.is_word() || number.bytes >= 8);
        sized.then(|| "number | bigint".into())
    }

    fn init(&self, name: &str) -> String {
        let name = global(name);
        format!("{name} | {name}.Init")
    }

    fn pointee(&self, ty: &Ty) -> String {
        match self.api.resolve(ty) {
            Ty::Unit => "unknown".into(),
            Ty::Named(id) => {
                let declared = self.api.get(*id);
                match Kind::plain(self.api, ty) {
                    Kind::Record(_) | Kind::Empty(_) | Kind::Opaque(_) => global(&declared.name),
                    Kind::Int(number) if is_bigint(number) => "bigint".into(),
                    _ => "number".into(),
                }
            }
            ty => match Kind::plain(self.api, ty) {
                Kind::Function(_) => "unknown".into(),
                Kind::Array(..) => "unknown".into(),
                _ => self.output(ty),
            },
        }
    }

    /// The type of a function's argument.
    fn input(&self, ty: &Ty) -> String {
        match Kind::of(self.api, ty) {
            Kind::Record(id) | Kind::Text(id) | Kind::Buffer(id, _) => self.init(&self.api.get(id).name),
            Kind::Slice(_, of, mutable) => match typed_array(Kind::of(self.api, of)) {
                Some((array, _)) => array.into(),
                None => {
                    let mut ty = format!("NativeArray<{}>", self.field(of, false));
                    if let Some((array, _)) = flat(self.api, of) {
                        let _ = write!(ty, " | {array}");
                    }
                    // Values written by native code would be lost with the copy of any other array.
                    if !mutable {
                        let _ = write!(ty, " | readonly ({})[]", self.set(of, false));
                    }
                    ty
                }
            },
            Kind::Pointer(pointer) => {
                let mut ty = self.pointed(&pointer.to);
                if is_text(self.api, pointer) {
                    ty.push_str(" | string");
                }
                if pointer.nullable { format!("{ty} | null") } else { ty }
            }
            _ => self.sized(ty).unwrap_or_else(|| self.output(ty)),
        }
    }

    /// The type of an argument for a pointer.
    fn pointed(&self, to: &Ty) -> String {
        let (pointee, kind) = (self.pointee(to), Kind::plain(self.api, to));
        if *self.api.resolve(to) == Ty::Unit {
            return "AnyMemory".into();
        }
        if is_letter(self.api, to) {
            return "CText | ByteArray".into();
        }
        let mut ty = match kind {
            Kind::Record(_) => format!("PointerTo<{pointee}> | NativeArray<{pointee}>"),
            Kind::Array(of, _) => {
                let flat = flat(self.api, of).map_or(String::new(), |(array, _)| format!(" | {array}"));
                format!("Pointer<{pointee}> | {}{flat}", self.elements(of, false))
            }
            _ if self.handles.is(to).is_some() => format!("PointerTo<{pointee}>"),
            _ => format!("Pointer<{pointee}>"),
        };
        match typed_array(kind) {
            Some(_) if matches!(kind, Kind::Int(Number { bytes: 1, .. })) => ty.push_str(" | ByteArray"),
            Some((array, _)) => {
                let _ = write!(ty, " | {array}");
            }
            None => {}
        }
        if let Some(scalar) = scalar(kind) {
            let _ = write!(ty, " | Out<{pointee}, {}>", quoted(&scalar));
        }
        ty
    }

    fn callback(&self, of: Callback<'_>) -> String {
        let signature = of.signature;
        let all = self.top.params(self.options, &signature.params);
        let params: Vec<String> = of
            .shown()
            .map(|(index, param)| {
                let ty = match Kind::of(self.api, &param.ty) {
                    Kind::Text(_) | Kind::Buffer(..) => self.field(&param.ty, false),
                    _ => self.output(&param.ty),
                };
                format!("{}: {ty}", all[index])
            })
            .collect();
        let ret = match Kind::plain(self.api, &signature.ret) {
            Kind::Record(id) => self.init(&self.api.get(id).name),
            Kind::Pointer(_) => self.set(&signature.ret, false),
            _ => self.output(&signature.ret),
        };
        format!("({}) => {ret}", params.join(", "))
    }

    /// A function's parameters after the first `own`, and its result.
    pub(super) fn signature(&self, function: &Function, own: usize) -> (String, String) {
        let call = Call::new(self.api, self.handles, function);
        let all = self.top.params(self.options, &function.signature.params);
        let mut params = Vec::new();
        for arg in call.shown().skip(own) {
            let ty = match arg.take {
                Take::Function(of, context) if of.signature.kept => {
                    self.callback(Callback::passed(of, context))
                }
                Take::Function(of, context) => {
                    let null = if of.nullable { " | null" } else { "" };
                    format!("Callable<{}>{null}", self.callback(Callback::passed(of, context)))
                }
                _ => self.input(&arg.param.ty),
            };
            params.push(format!("{}: {ty}", all[arg.index]));
        }
        (params.join(", "), self.output(&function.signature.ret))
    }
}
