//! Numbers that no Rust enum has are refused before a call, and replaced where a callback has failed.

use super::lines::{Lines, literal};
use super::number::number_literal;
use super::scalar::{Carrier, Scalar};
use super::surface::{Java, Kind};
use crate::model::{Api, Body, Int, Limit, Spelling, Ty, TypeId};

impl<'a> Java<'a> {
    /// Whether any type has limits, so that the package needs `NativeLimits`.
    pub fn limits(&self) -> bool {
        self.api.declared().any(|(id, _)| !self.api.limits(&Ty::Named(id)).is_empty())
    }

    /// The field that tells what a struct of this class must hold, if not all bytes are one.
    pub fn write_limits(&self, id: TypeId, lines: &mut Lines) {
        let limits = self.api.limits(&Ty::Named(id));
        if !limits.is_empty() {
            lines.line(format!("static final NativeLimits[] LIMITS$ = {};", Limits(self.api).spell(&limits)));
        }
    }

    /// The field of an enum's numbers, if it has no others.
    pub fn write_enum_limits(&self, id: TypeId, lines: &mut Lines) {
        let (Some(scalar), Body::Enum(body)) = (self.scalar_of(&Ty::Named(id)), &self.api.get(id).body)
        else {
            return;
        };
        if body.closed && !body.variants.is_empty() {
            let numbers: Vec<String> =
                body.variants.iter().map(|variant| number_literal(scalar, variant.value)).collect();
            lines.line(format!("static final long[] NUMBERS$ = {{{}}};", numbers.join(", ")));
        }
    }

    /// A number or the memory of a struct, which throws if it is no value of its type.
    pub fn checked(&self, ty: &'a Ty, value: String, at: &str) -> String {
        let at = literal(at);
        match self.kind(ty) {
            Kind::Scalar(scalar) => match self.closed(ty) {
                Some(id) => {
                    let what = literal(&format!("a value of {}", self.api.get(id).name));
                    let (java, class) = (scalar.java(), self.class(id));
                    cast(java, &format!("NativeLimits.check({value}, {class}.NUMBERS$, {at}, {what})"))
                }
                None => value,
            },
            Kind::Record(id) if !self.api.limits(ty).is_empty() => {
                format!("NativeLimits.check({value}, {}.LIMITS$, {at})", self.class(id))
            }
            _ => value,
        }
    }

    /// The closed enum that a type is, also as the only field of a transparent struct.
    fn closed(&self, ty: &'a Ty) -> Option<TypeId> {
        let Ty::Named(id) = self.api.resolve(ty) else { return None };
        match &self.api.get(*id).body {
            Body::Enum(body) => Some(*id).filter(|_| body.closed && !body.variants.is_empty()),
            Body::Struct(record) if record.transparent => self.closed(self.inner(record)?),
            _ => None,
        }
    }

    /// What a callback returns to native code where it has thrown: zero, or a number that is a value.
    pub fn other_number(&self, ty: &Ty, scalar: Scalar) -> String {
        match self.api.stand_in(ty)[..] {
            [(0, _, number)] => {
                let java = if self.jni() { scalar.carrier.java() } else { scalar.register_java() };
                cast(java, &format!("{}L", number as i64))
            }
            _ if self.jni() => Scalar { unsigned: false, ..scalar }.zero().to_owned(),
            _ => scalar.zero().to_owned(),
        }
    }

    /// The statements that write into zeros what makes them a value.
    pub fn other_struct(&self, ty: &Ty, memory: &str) -> Vec<String> {
        let set = |(offset, size, number): (u64, u64, i128)| {
            let carrier = match size {
                1 => Carrier::Byte,
                2 => Carrier::Short,
                4 => Carrier::Int,
                _ => Carrier::Long,
            };
            let (access, java) = (carrier.access(), carrier.java());
            format!("{memory}.set({access}, {offset}L, {});", cast(java, &format!("{}L", number as i64)))
        };
        self.api.stand_in(ty).into_iter().map(set).collect()
    }
}

/// A `long` as another type.
fn cast(java: &str, long: &str) -> String {
    if java == "long" { long.to_owned() } else { format!("({java}) {long}") }
}

/// Limits as `NativeLimits`.
struct Limits<'a>(&'a Api);

impl Spelling for Limits<'_> {
    fn numbers(&self, limit: &Limit, int: Int, what: &str, numbers: &[(i128, String)]) -> String {
        let (path, what) = (literal(&limit.path), literal(what));
        let (size, signed) = (self.0.int_size(int), self.0.is_signed(int));
        let inner: Vec<&str> = numbers.iter().map(|(_, inner)| inner.as_str()).collect();
        let numbers: Vec<String> = numbers.iter().map(|(number, _)| format!("{}L", *number as i64)).collect();
        format!(
            "NativeLimits.numbers({path}, {}L, {size}, {signed}, {what}, new long[] {{{}}}, new NativeLimits[][] {{{}}})",
            limit.offset,
            numbers.join(", "),
            inner.join(", ")
        )
    }

    fn each(&self, limit: &Limit, count: u64, stride: u64, limits: &str) -> String {
        let path = literal(&limit.path);
        format!(
            "NativeLimits.each({path}, {}L, {count}, {stride}L, new NativeLimits[] {limits})",
            limit.offset
        )
    }

    fn list(&self, items: &[String]) -> String {
        format!("{{{}}}", items.join(", "))
    }
}
