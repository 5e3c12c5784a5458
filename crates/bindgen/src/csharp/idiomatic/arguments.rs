//! What each parameter of an idiomatic function becomes in its call of the plain one.

use super::super::cx::Cx;
use super::callbacks::kept_class;
use super::lift::{Lift, parameter};
use super::method::{Method, Overload, not_null};

/// The statements and the arguments of a call.
#[derive(Default)]
pub(super) struct Parts {
    /// Statements before it.
    pub before: Vec<String>,
    /// `fixed` statements around it.
    pub pinned: Vec<String>,
    /// What is passed.
    pub arguments: Vec<String>,
    /// Statements that give the program what native code has written.
    pub given: Vec<String>,
    /// Statements that take handles from the program which the call has taken.
    pub moved: Vec<String>,
    /// Statements that throw what a callback has thrown.
    pub rethrown: Vec<String>,
}

impl Method<'_> {
    /// What a call needs in an overload without strings.
    pub fn parts(&self, cx: &Cx, overload: Overload) -> Parts {
        let signature = &self.function.signature;
        let lifts = self.lifts(cx, overload.places);
        let mut parts = Parts::default();
        let Parts { before, pinned, arguments, given, moved, rethrown } = &mut parts;
        for (index, lift) in lifts.iter().enumerate() {
            let param = &signature.params[index];
            if !cx.is_passed(&param.ty) {
                continue;
            }
            let receiver = index == 0 && cx.has_receiver(self.function);
            let name =
                if receiver { "this".into() } else { parameter(&self.function.signature, &param.name) };
            let plain = name.trim_start_matches('@').to_owned();
            let ty = cx.ty(&param.ty);
            if let Lift::Handle { nullable: false, .. }
            | Lift::Callback { nullable: false, .. }
            | Lift::Kept { .. } = lift
                && !receiver
            {
                before.push(not_null(&name));
            }
            before.extend(cx.check(self.function, index, (&self.name, &name)));
            arguments.push(match lift {
                Lift::Plain if cx.refuses(&param.ty) => format!("&{name}"),
                Lift::Plain | Lift::CStr { .. } | Lift::Text | Lift::Buffer { .. } => name,
                Lift::Bool if cx.options.marshal_bool => name,
                Lift::Bool => format!("{name} ? (byte)1 : (byte)0"),
                Lift::Rune => format!("(uint){name}.Value"),
                Lift::Str => {
                    pinned.push(format!("fixed (byte* __{plain}Data = {name})"));
                    format!("new {ty} {{ data = __{plain}Data, len = (nuint){name}.Length }}")
                }
                Lift::Slice { element, pointer, .. } => {
                    pinned.push(format!("fixed ({element}* __{plain}Data = {name})"));
                    format!("new {ty} {{ data = ({pointer})__{plain}Data, len = (nuint){name}.Length }}")
                }
                Lift::Reference { of, .. } | Lift::Place { of } => {
                    pinned.push(format!("fixed ({of}* __{plain}Data = &{name})"));
                    format!("__{plain}Data")
                }
                Lift::Handle { owned, nullable, .. } => {
                    before.push(format!("using NativeHold __{plain}Hold = new({name});"));
                    if *owned {
                        let optional = if *nullable && !receiver { "?" } else { "" };
                        moved.push(format!("{name}{optional}.SetHandleAsInvalid();"));
                    }
                    match *nullable && !receiver {
                        true => format!("{name} == null ? null : ({ty}){name}.DangerousGetHandle()"),
                        false => format!("({ty}){name}.DangerousGetHandle()"),
                    }
                }
                Lift::Callback { delegate, nullable } => {
                    let class = format!("{}Callback", delegate.trim_start_matches('@'));
                    let own = format!("__{plain}Callback");
                    let object = if overload.objects { &name } else { &own };
                    if !overload.objects {
                        before.push(match nullable {
                            true => format!("using {class}? {own} = {name} == null ? null : new({name});"),
                            false => format!("using {class} {own} = new({name});"),
                        });
                        rethrown.push(format!("{own}{}.Rethrow();", if *nullable { "?" } else { "" }));
                    }
                    let null = if *nullable { format!("{object} == null ? null : ") } else { String::new() };
                    before.push(format!("{ty} __{plain}Pointer = {null}{object}.Pointer;"));
                    if cx.api.callback(&param.ty).is_some_and(|(signature, _)| signature.context.is_some()) {
                        before.push(format!("void* __{plain}Context = {null}{object}.Context;"));
                    }
                    format!("__{plain}Pointer")
                }
                Lift::Out { of, handle } => {
                    before.push(format!("{of} __{plain}Given = default;"));
                    given.push(match handle {
                        Some(id) => format!("{name} = {}.__OrNull(__{plain}Given);", cx.full_class_of(*id)),
                        None => format!("{name} = __{plain}Given;"),
                    });
                    format!("&__{plain}Given")
                }
                Lift::Bytes { .. } => {
                    pinned.push(format!("fixed (byte* __{plain}Data = {name})"));
                    format!("__{plain}Data")
                }
                Lift::Length(of) => {
                    let of = parameter(&self.function.signature, &signature.params[*of].name);
                    format!("({ty}){of}.Length")
                }
                Lift::Kept { delegate } => format!("&{}.Invoke", kept_class(delegate)),
                // Among the arguments, as nothing that fails comes between it and the call, which takes it over.
                Lift::KeptContext(of) => {
                    let of = parameter(&self.function.signature, &signature.params[*of].name);
                    format!("NativeKept.Own({of})")
                }
                Lift::KeptRelease => "&NativeKept.Release".into(),
                Lift::Context(of) => {
                    let of = parameter(&self.function.signature, &signature.params[*of].name);
                    format!("__{}Context", of.trim_start_matches('@'))
                }
            });
        }
        parts
    }
}
