//! What a value of each type is in Java.

use super::names::Names;
use super::scalar::{Carrier, Scalar, Target};
use super::{Mechanism, Options};
use crate::model::{Api, Body, Float, Function, Int, Param, Record, Signature, Ty, TypeId};
use crate::plan::{self, Number};
use std::collections::{HashMap, HashSet};

/// What the parts of this back end share.
pub(super) struct Java<'a> {
    pub api: &'a Api,
    pub options: &'a Options,
    pub package: String,
    pub names: Names,
    /// Whether native code calls anything back.
    pub calls_back: bool,
    /// The functions that can cross.
    pub written: HashSet<&'a str>,
    /// What releases a handle when its object is closed.
    pub releases: HashMap<TypeId, &'a Function>,
    /// The handles that may be closed, or given away.
    pub closable: HashSet<TypeId>,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(super) enum Kind<'a> {
    /// No value: `()` and types of no size.
    Nothing,
    Scalar(Scalar),
    /// 128 bits.
    Wide,
    /// Something with a class over memory.
    Record(TypeId),
    /// The address of a function.
    Function {
        signature: &'a Signature,
        nullable: bool,
        /// The type that names it.
        named: Option<TypeId>,
    },
    Array {
        of: &'a Ty,
        len: u64,
    },
    /// A type that has no value.
    Opaque,
}

impl<'a> Java<'a> {
    /// Whether native code is reached through JNI.
    pub fn jni(&self) -> bool {
        self.options.mechanism == Mechanism::Jni
    }

    /// What a type is, once aliases and transparent structs of one number are stripped.
    pub fn kind(&self, ty: &'a Ty) -> Kind<'a> {
        let scalar = |carrier, unsigned| Kind::Scalar(Scalar::plain(carrier, unsigned));
        match plan::Kind::plain(self.api, ty) {
            plan::Kind::Bool => scalar(Carrier::Boolean, false),
            plan::Kind::Char => scalar(Carrier::Int, true),
            plan::Kind::Float(Float::F32) => scalar(Carrier::Float, false),
            plan::Kind::Float(Float::F64) => scalar(Carrier::Double, false),
            plan::Kind::Int(number) => match carrier(number) {
                Some(carrier) => Kind::Scalar(Scalar {
                    widened: number.named.is_some() && matches!(carrier, Carrier::Byte | Carrier::Short),
                    ..Scalar::plain(carrier, unsigned(number.int))
                }),
                None => Kind::Wide,
            },
            plan::Kind::Pointer(pointer) => Kind::Scalar(Scalar {
                present: !pointer.nullable,
                target: self.target(ty),
                ..Scalar::plain(Carrier::Address, false)
            }),
            plan::Kind::Array(of, len) => Kind::Array { of, len },
            plan::Kind::Function(of) => {
                Kind::Function { signature: of.signature, nullable: of.nullable, named: of.named }
            }
            plan::Kind::Record(id) => self.record(id),
            plan::Kind::Opaque(_) if self.api.layout(ty).is_none_or(|layout| layout.size > 0) => Kind::Opaque,
            _ => Kind::Nothing,
        }
    }

    fn record(&self, id: TypeId) -> Kind<'a> {
        let inner = match &self.api.get(id).body {
            Body::Struct(record) if record.transparent => self.inner(record).map(|ty| self.kind(ty)),
            _ => None,
        };
        match inner {
            Some(inner @ (Kind::Scalar(_) | Kind::Wide | Kind::Function { .. })) => inner,
            _ => Kind::Record(id),
        }
    }

    /// The field of a transparent struct that has a size.
    pub fn inner(&self, record: &'a Record) -> Option<&'a Ty> {
        let sized = |ty: &Ty| self.api.layout(ty).is_some_and(|layout| layout.size > 0);
        record.fields.iter().map(|field| &field.ty).find(|ty| sized(ty))
    }

    /// What a pointer leads to, if it is shown as an object of a class.
    pub fn target(&self, ty: &Ty) -> Option<Target> {
        let (id, pointer) = self.api.behind(ty)?;
        let body = &self.api.get(id).body;
        (body.is_record() || *body == Body::Opaque).then_some(Target { id, owned: pointer.owned })
    }

    /// Whether it is known by its address only.
    pub fn is_handle(&self, id: TypeId) -> bool {
        let declared = self.api.get(id);
        let sized = declared.layout.is_some_and(|layout| layout.size > 0);
        declared.body == Body::Opaque || declared.body.is_record() && !sized
    }

    /// The Java type that users see of a number or an address.
    pub fn shown(&self, scalar: Scalar) -> &str {
        scalar.target.map_or(scalar.java(), |target| self.class(target.id))
    }

    /// The user's value as its carrier.
    pub fn lower(&self, scalar: Scalar, value: &str) -> String {
        match scalar.target {
            Some(_) if scalar.present => format!("{value}.segment()"),
            Some(_) => format!("Native.segment({value})"),
            None => scalar.lower(value),
        }
    }

    /// The native value as users see it.
    pub fn lift(&self, scalar: Scalar, value: &str) -> String {
        match scalar.target {
            Some(target) => format!("{}({value})", self.maker(target, ".")),
            None => scalar.lift(value),
        }
    }

    /// The same for a value that arrives in a register.
    pub fn lift_register(&self, scalar: Scalar, value: &str) -> String {
        if scalar.target.is_some() { self.lift(scalar, value) } else { scalar.lift_register(value) }
    }

    /// What makes an object of an address: one that releases it when it is closed, if that is its to do.
    pub fn maker(&self, target: Target, mark: &str) -> String {
        let released = self.releases.get(&target.id);
        let owned = released.is_some_and(|release| target.owned || release.member.is_none());
        format!("{}{mark}{}", self.class(target.id), if owned { "owned$" } else { "of$" })
    }

    /// Whether the function takes this parameter from the program for good.
    pub fn takes_over(&self, function: &Function, param: &Param) -> bool {
        self.target(&param.ty).is_some_and(|target| {
            let release = self.releases.get(&target.id);
            target.owned || release.is_some_and(|release| release.name == function.name)
        })
    }

    /// The number that a type is, if it is one.
    pub fn scalar_of<'s>(&'s self, ty: &'s Ty) -> Option<Scalar> {
        let java: &Java<'s> = self;
        match java.kind(ty) {
            Kind::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The type that a value is passed as, once transparent structs are stripped.
    pub fn passed(&self, ty: &'a Ty) -> &'a Ty {
        match self.api.resolve(ty) {
            Ty::Named(id) => match &self.api.get(*id).body {
                Body::Struct(record) if record.transparent => {
                    self.inner(record).map_or(ty, |inner| self.passed(inner))
                }
                _ => self.api.resolve(ty),
            },
            other => other,
        }
    }

    /// The class of a declared type.
    pub fn class(&self, id: TypeId) -> &str {
        &self.names.types[id.0 as usize]
    }

    /// Bytes of a value; 0 if it has none.
    pub fn size(&self, ty: &Ty) -> u64 {
        self.api.layout(ty).map_or(0, |layout| layout.size)
    }
}

/// What an integer travels in; `None` for 128 bits.
fn carrier(number: Number) -> Option<Carrier> {
    match number.bytes {
        1 => Some(Carrier::Byte),
        2 => Some(Carrier::Short),
        4 => Some(Carrier::Int),
        8 => Some(Carrier::Long),
        _ => None,
    }
}

/// Whether an integer is unsigned. Text is neither.
pub(super) fn unsigned(int: Int) -> bool {
    matches!(int, Int::U8 | Int::U16 | Int::U32 | Int::U64 | Int::U128 | Int::Usize | Int::ULong)
}
