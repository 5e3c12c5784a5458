//! Numbers that no Rust enum has are refused before a call, and replaced where a callback has failed.

use super::super::cx::{Cx, sized};
use super::super::text::{Text, quoted};
use super::lift::Lift;
use crate::model::{Body, Function, Int, Limit, Rule, Ty, TypeId};

impl Cx<'_> {
    /// The type of values that have to be checked: not all bytes are one.
    fn limited(&self, ty: &Ty) -> Option<TypeId> {
        let Ty::Named(id) = self.api.resolve(ty) else { return None };
        let union = matches!(self.api.get(*id).body, Body::Union(_));
        (!union && !self.api.limits(ty).is_empty()).then_some(*id)
    }

    /// The same for what a function takes: by value, or by a reference to one.
    fn limited_param(&self, function: &Function, index: usize) -> Option<TypeId> {
        let ty = &function.signature.params[index].ty;
        match (self.lift_param(function, index), self.api.resolve(ty)) {
            (Lift::Reference { .. }, Ty::Pointer(pointer)) => self.limited(&pointer.to),
            _ => self.limited(ty),
        }
    }

    /// Whether some parameter of a function has to be checked.
    pub(super) fn checks(&self, function: &Function) -> bool {
        (0..function.signature.params.len()).any(|index| self.limited_param(function, index).is_some())
    }

    /// The statement that refuses what is no value of a parameter's type.
    pub(super) fn check(&self, function: &Function, index: usize, shown: (&str, &str)) -> Option<String> {
        let id = self.limited_param(function, index)?;
        let (method, name) = shown;
        let (class, ty) = (&self.options.class, self.name(id));
        let plain = name.trim_start_matches('@');
        let (at, plain) = (quoted(&format!("{method}: {plain}")), quoted(plain));
        Some(match self.lift_param(function, index) {
            Lift::Reference { .. } => {
                format!("fixed ({ty}* __checked = &{name}) {class}.__Check(__checked, {at}, {plain});")
            }
            _ => format!("{class}.__Check(&{name}, {at}, {plain});"),
        })
    }

    /// A callback's result, which throws if it is no value of its type.
    pub(super) fn checked_result(&self, ty: &Ty, result: &str, delegate: &str) -> Option<String> {
        let id = self.limited(ty)?;
        let (class, ty, at) =
            (&self.options.class, self.name(id), quoted(&format!("{delegate}: the result")));
        Some(format!("{ty} __result = {result}; {class}.__Check(&__result, {at}, null); return __result;"))
    }

    /// What a callback that has failed gives to native code.
    pub(super) fn stand_in(&self, ty: &Ty) -> String {
        let numbers = self.api.stand_in(ty);
        if numbers.is_empty() {
            return "return default;".into();
        }
        let set = |(offset, size, number): &(u64, u64, i128)| {
            let unit = sized(*size, false);
            format!("*({unit}*)((byte*)&__other + {offset}) = unchecked(({unit})({number})); ")
        };
        let sets: String = numbers.iter().map(set).collect();
        format!("{} __other = default; {sets}return __other;", self.ty(ty))
    }
}

/// Writes how values are checked, into the class of the plain functions.
pub(super) fn write(cx: &Cx, functions: &[&Function], text: &mut Text) {
    let mut ids: Vec<TypeId> = Vec::new();
    for function in functions {
        let signature = &function.signature;
        ids.extend((0..signature.params.len()).filter_map(|index| cx.limited_param(function, index)));
    }
    // Structs may hold callbacks that return any type.
    for (_, declared) in cx.api.declared() {
        let callbacks = declared.body.fields().filter_map(|field| cx.api.callback(cx.element(&field.ty).0));
        ids.extend(callbacks.filter_map(|(signature, _)| cx.limited(&signature.ret)));
    }
    let params = functions.iter().flat_map(|function| &function.signature.params);
    let callbacks = params.filter_map(|param| cx.api.callback(&param.ty));
    ids.extend(callbacks.filter_map(|(signature, _)| cx.limited(&signature.ret)));
    ids.sort_unstable();
    ids.dedup();
    for id in &ids {
        let ty = cx.name(*id);
        text.blank();
        text.open(format!("internal static void __Check({ty}* value, string at, string? parameter)"));
        let mut writer = Writer { cx, text, loops: 0 };
        writer.limits(&cx.api.limits(&Ty::Named(*id)), "(byte*)value", "");
        text.close();
    }
    if !ids.is_empty() {
        text.blank();
        text.line(include_str!("limits.in"));
    }
}

struct Writer<'a, 'b> {
    cx: &'a Cx<'a>,
    text: &'b mut Text,
    /// How many loops are around.
    loops: u32,
}

impl Writer<'_, '_> {
    /// `path` may have the variables of loops in it, as an interpolated string has them.
    fn limits(&mut self, limits: &[Limit], base: &str, path: &str) {
        for limit in limits {
            let path = match limit.path.as_str() {
                own if path.is_empty() || own.is_empty() => format!("{path}{own}"),
                own => format!("{path}.{own}"),
            };
            let at = format!("{base} + {}", limit.offset);
            match &limit.rule {
                Rule::Each { count, stride, limits } => {
                    let index = format!("__{}", self.loops);
                    self.loops += 1;
                    self.text.open(format!("for (int {index} = 0; {index} < {count}; {index}++)"));
                    let base = format!("{at} + {index} * {stride}");
                    self.limits(limits, &base, &format!("{path}[{{{index}}}]"));
                    self.text.close();
                }
                Rule::Numbers { int, what, numbers } => self.numbers(*int, (what, numbers), &at, &path),
            }
        }
    }

    fn numbers(&mut self, int: Int, (what, numbers): (&str, &[(i128, Vec<Limit>)]), at: &str, path: &str) {
        let unit = sized(self.cx.api.int_size(int), self.cx.api.is_signed(int));
        let number = format!("global::System.Runtime.CompilerServices.Unsafe.ReadUnaligned<{unit}>({at})");
        self.text.open(format!("switch ({number})"));
        let (plain, others): (Vec<_>, Vec<_>) = numbers.iter().partition(|(_, inner)| inner.is_empty());
        let cases: Vec<String> = plain.iter().map(|(number, _)| format!("case {number}:")).collect();
        if !cases.is_empty() {
            self.text.line(format!("{} break;", cases.join(" ")));
        }
        for (number, inner) in others {
            self.text.line(format!("case {number}:"));
            // The path of a variant's field begins with the variant.
            self.limits(inner, at, path);
            self.text.line("break;");
        }
        let path = match path {
            "" => "null".into(),
            path => format!("${}", quoted(path)),
        };
        self.text.line(format!("default: throw __Wrong({number}, at, {path}, {}, parameter);", quoted(what)));
        self.text.close();
    }
}
