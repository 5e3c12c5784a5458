use super::super::cx::Cx;
use super::super::functions;
use super::super::names::escaped;
use super::super::text::Text;
use super::arguments::Parts;
use super::lift::{Lift, parameter};
use crate::glob::fits;
use crate::model::{Function, Ty};

/// A native call inlined into its caller is prepared once for all calls in a loop: that saves 4 of the 10 ns
/// of a call that returns a `Result`.
const INLINED: &str = "[global::System.Runtime.CompilerServices.MethodImpl(global::System.Runtime.CompilerServices.MethodImplOptions.AggressiveInlining)]";

/// The statement that refuses null for a parameter. .NET has a method for it from version 6 on.
pub(super) fn not_null(name: &str) -> String {
    format!("if ({name} is null) throw new global::System.ArgumentNullException(nameof({name}));")
}

/// One function to show idiomatically.
pub(super) struct Method<'a> {
    pub function: &'a Function,
    /// The plain function to call: the same one, or its shim.
    pub plain: &'a Function,
    /// What it is called.
    pub name: String,
    /// Modifiers before the result's type.
    pub modifiers: String,
    /// Whether an owned handle comes back as its address, for a constructor.
    pub raw_handle: bool,
    /// Whether anything may be called back meanwhile.
    pub calls_back: bool,
}

/// Which overload.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Overload {
    /// `string` for text and C strings.
    pub strings: bool,
    /// Callback objects instead of delegates.
    pub objects: bool,
    /// `out`, `ref` and spans for addresses.
    pub places: bool,
}

impl Method<'_> {
    /// The overloads that exist.
    pub fn overloads(&self, cx: &Cx) -> Vec<Overload> {
        let lifts = self.lifts(cx, true);
        let text = lifts.iter().any(|lift| matches!(lift, Lift::Str | Lift::CStr { .. }));
        let borrowed = cx.lends(self.function);
        let callbacks = lifts.iter().any(|lift| matches!(lift, Lift::Callback { .. }));
        // A result may be part of what was given.
        let address = matches!(cx.api.resolve(&self.function.signature.ret), Ty::Pointer(_));
        let places = lifts.iter().any(Lift::is_place) && !borrowed && !address;
        let both = |other: bool| if other { &[false, true][..] } else { &[false] };
        let mut overloads = Vec::new();
        for places in both(places) {
            for objects in both(callbacks) {
                for strings in both(text && !borrowed) {
                    overloads.push(Overload { strings: *strings, objects: *objects, places: *places });
                }
            }
        }
        overloads
    }

    /// How each parameter is shown.
    pub fn lifts(&self, cx: &Cx, places: bool) -> Vec<Lift> {
        let all = (0..self.function.signature.params.len()).map(|index| cx.lift_param(self.function, index));
        all.map(|lift| if lift.is_place() && !places { Lift::Plain } else { lift }).collect()
    }

    /// The parameters that are shown.
    pub fn params(&self, cx: &Cx, overload: Overload) -> Vec<Shown> {
        let mut params = Vec::new();
        for (index, lift) in self.lifts(cx, overload.places).into_iter().enumerate() {
            let param = &self.function.signature.params[index];
            if index == 0 && cx.has_receiver(self.function) || !cx.is_passed(&param.ty) {
                continue;
            }
            let optional = |nullable: bool| if nullable { "?" } else { "" };
            let ty = match &lift {
                Lift::CStr { nullable } if overload.strings => format!("string{}", optional(*nullable)),
                Lift::Plain | Lift::CStr { .. } | Lift::Text | Lift::Buffer { .. } => cx.ty(&param.ty),
                Lift::Bool => "bool".into(),
                Lift::Rune => "global::System.Text.Rune".into(),
                Lift::Str if overload.strings => "string".into(),
                Lift::Str => "ReadOnlySpan<byte>".into(),
                Lift::Slice { element, mutable: true, .. } => format!("Span<{element}>"),
                Lift::Slice { element, .. } => format!("ReadOnlySpan<{element}>"),
                Lift::Reference { of, mutable } => format!("{} {of}", if *mutable { "ref" } else { "in" }),
                Lift::Handle { id, nullable, .. } => format!("{}{}", cx.class_of(*id), optional(*nullable)),
                Lift::Callback { delegate, nullable } if overload.objects => {
                    format!("{}Callback{}", delegate.trim_start_matches('@'), optional(*nullable))
                }
                Lift::Callback { delegate, nullable } => format!("{delegate}{}", optional(*nullable)),
                Lift::Kept { delegate } => delegate.clone(),
                Lift::Out { handle: Some(id), .. } => format!("out {}?", cx.class_of(*id)),
                Lift::Out { of, .. } => format!("out {of}"),
                Lift::Place { of } => format!("ref {of}"),
                Lift::Bytes { mutable: true } => "Span<byte>".into(),
                Lift::Bytes { mutable: false } => "ReadOnlySpan<byte>".into(),
                Lift::Context(_) | Lift::KeptContext(_) | Lift::KeptRelease | Lift::Length(_) => continue,
            };
            params.push(Shown { ty, name: parameter(&self.function.signature, &param.name), lift });
        }
        params
    }

    /// The result.
    pub fn ret(&self, cx: &Cx) -> String {
        let signature = &self.function.signature;
        if cx.returns_nothing(signature) {
            return "void".into();
        }
        match cx.lift_ret(self.function) {
            Lift::Handle { .. } if self.raw_handle => cx.ty(&signature.ret),
            Lift::Handle { id, nullable: true, .. } => format!("{}?", cx.class_of(id)),
            Lift::Handle { id, .. } => cx.class_of(id),
            Lift::Bool => "bool".into(),
            Lift::Rune => "global::System.Text.Rune".into(),
            Lift::Text => "string".into(),
            Lift::Buffer { element } => format!("NativeBuffer<{element}>"),
            Lift::Str if self.spans_back(cx) => "ReadOnlySpan<byte>".into(),
            Lift::Slice { element, mutable, .. } if self.spans_back(cx) => {
                format!("{}Span<{element}>", if mutable { "" } else { "ReadOnly" })
            }
            _ => cx.ty(&signature.ret),
        }
    }

    /// A span that is returned must not be bound to those passed in.
    fn spans_back(&self, cx: &Cx) -> bool {
        !self.lifts(cx, true).iter().any(|lift| matches!(lift, Lift::Str | Lift::Slice { .. }))
    }

    /// Writes all overloads.
    pub fn write(&self, cx: &Cx, text: &mut Text) {
        for overload in self.overloads(cx) {
            let params: Vec<String> = self.params(cx, overload).iter().map(Shown::declared).collect();
            text.blank();
            text.docs(&self.function.docs);
            text.line(self.throws(cx));
            text.obsolete(&self.function.deprecated);
            if self.is_short(cx) {
                text.line(INLINED);
            }
            text.open(format!("{} {} {}({})", self.modifiers, self.ret(cx), self.name, params.join(", ")));
            match overload.strings {
                true => self.forward(cx, overload, text),
                false => self.call(cx, self.parts(cx, overload), text),
            }
            text.close();
        }
    }

    /// The exception that is thrown when the function returns an error.
    fn exception<'a>(&self, cx: &'a Cx) -> Option<&'a str> {
        self.function.error.as_deref().and_then(|error| cx.exception(error))
    }

    /// The documentation of what is thrown.
    pub fn throws(&self, cx: &Cx) -> String {
        let Some(class) = self.exception(cx).or(self.function.fallible.then_some("NativeException")) else {
            return String::new();
        };
        format!("/// <exception cref=\"{class}\">When it fails.</exception>")
    }

    /// Whether only the native call and its failure need handling: no object lives as long as the call.
    fn is_short(&self, cx: &Cx) -> bool {
        let objects =
            |lift: &Lift| matches!(lift, Lift::Handle { .. } | Lift::Callback { .. } | Lift::Kept { .. });
        (self.calls_back || self.function.fallible) && !self.lifts(cx, true).iter().any(objects)
    }

    /// Converts the strings to bytes and calls the overload that takes those.
    fn forward(&self, cx: &Cx, overload: Overload, text: &mut Text) {
        let mut arguments = Vec::new();
        let mut pinned = Vec::new();
        for shown in self.params(cx, overload) {
            let (name, plain) = (&shown.name, shown.name.trim_start_matches('@'));
            if let Lift::Str | Lift::CStr { nullable: false } = shown.lift {
                text.line(not_null(name));
            }
            let (room, fill) = match shown.lift {
                Lift::Str => (
                    format!("global::System.Text.Encoding.UTF8.GetMaxByteCount({name}.Length)"),
                    format!(
                        "__{plain} = __{plain}.Slice(0, global::System.Text.Encoding.UTF8.GetBytes({name}, __{plain}));"
                    ),
                ),
                Lift::CStr { nullable: false } => {
                    (format!("NativeString.Room({name})"), format!("NativeString.Write({name}, __{plain});"))
                }
                Lift::CStr { nullable: true } => (
                    format!("{name} == null ? 0 : NativeString.Room({name})"),
                    format!("if ({name} != null) NativeString.Write({name}, __{plain});"),
                ),
                _ => {
                    arguments.push(shown.passed_on());
                    continue;
                }
            };
            text.line(format!("int __{plain}Max = {room};"));
            text.line(format!(
                "Span<byte> __{plain} = __{plain}Max <= 256 ? stackalloc byte[256] : new byte[__{plain}Max];"
            ));
            text.line(fill);
            arguments.push(match shown.lift {
                Lift::CStr { nullable } => {
                    pinned.push(format!("fixed (byte* __{plain}Data = __{plain})"));
                    let null = if nullable { format!("{name} == null ? null : ") } else { String::new() };
                    format!("{null}__{plain}Data")
                }
                _ => format!("__{plain}"),
            });
        }
        pinned.iter().for_each(|line| text.line(line));
        let call = format!("{}({});", self.name, arguments.join(", "));
        text.line(if cx.returns_nothing(&self.function.signature) { call } else { format!("return {call}") });
    }

    fn call(&self, cx: &Cx, parts: Parts, text: &mut Text) {
        let Parts { before, pinned, mut arguments, given, moved, rethrown } = parts;
        let signature = &self.function.signature;
        before.iter().for_each(|line| text.line(line));
        let depth = pinned.len();
        let (last, outer) = pinned.split_last().map_or((None, &[][..]), |(last, outer)| (Some(last), outer));
        outer.iter().for_each(|line| text.line(line));
        if let Some(last) = last {
            text.open(last);
        }
        // A function called without telling the garbage collector must not call back.
        let quick = fits(&cx.options.suppress_gc_transition, &self.function.name);
        let calls_back = self.calls_back && !quick;
        let nothing = cx.returns_nothing(signature);
        let by_pointer = !nothing && cx.refuses(&signature.ret);
        let class = &cx.options.class;
        if by_pointer {
            text.line(format!("{} __result;", cx.ty(&signature.ret)));
            arguments.push("&__result".into());
        }
        if self.function.fallible {
            text.line(format!("{}* __failure = null;", functions::failure(cx)));
            arguments.push("&__failure".into());
        }
        let call = format!("{class}.{}({})", functions::name(cx, self.plain), arguments.join(", "));
        let after = given.len() + moved.len() + rethrown.len();
        let direct = !calls_back && !self.function.fallible && after == 0;
        if calls_back {
            text.line("NativeCalls? __inside = NativeCalls.Enter();");
        }
        match (nothing || by_pointer, direct) {
            (true, _) => text.line(format!("{call};")),
            (false, true) => text.line(format!("return {};", self.shown(cx, &call))),
            (false, false) => text.line(format!("{} __result = {call};", cx.ty(&signature.ret))),
        }
        let leave = "__inside?.Leave();";
        // With nothing to check afterwards, the call stays short enough to be inlined.
        let at_once = self.function.fallible && after == 0;
        let failed = match self.exception(cx) {
            Some(own) => {
                format!("{class}.__Failed(__failure, static (message, code) => new {own}(message, code))")
            }
            None => format!("{class}.__Failed(__failure)"),
        };
        if at_once {
            text.open("if (__failure != null)");
            text.line(format!("NativeException __failed = {failed}!;"));
            if calls_back {
                text.line(leave);
            }
            text.line("throw __failed;");
            text.close();
        } else if self.function.fallible {
            text.line(format!("NativeException? __failed = {failed};"));
        }
        given.iter().chain(&moved).for_each(|line| text.line(line));
        // Nobody else would release the result when a callback has thrown.
        let unwanted = if calls_back { self.unwanted(cx) } else { None };
        if unwanted.is_some() {
            text.open("try");
        }
        if calls_back {
            text.line(leave);
        }
        rethrown.iter().for_each(|line| text.line(line));
        if let Some(unwanted) = unwanted {
            text.close();
            text.open("catch");
            text.line(unwanted);
            text.line("throw;");
            text.close();
        }
        if self.function.fallible && !at_once {
            text.line("if (__failed != null) throw __failed;");
        }
        if !nothing && (by_pointer || !direct) {
            text.line(format!("return {};", self.shown(cx, "__result")));
        }
        if depth > 0 {
            text.close();
        }
    }

    /// What releases the result, if it is owned.
    fn unwanted(&self, cx: &Cx) -> Option<String> {
        match cx.lift_ret(self.function) {
            Lift::Text => Some("__result.Take();".into()),
            Lift::Buffer { .. } => Some("__result.Take().Dispose();".into()),
            Lift::Handle { id, owned: true, .. } => {
                Some(format!("{}.__OrNull(__result)?.Dispose();", cx.full_class_of(id)))
            }
            _ => None,
        }
    }

    /// The result as it is shown.
    fn shown(&self, cx: &Cx, result: &str) -> String {
        match cx.lift_ret(self.function) {
            Lift::Handle { .. } if self.raw_handle => result.to_owned(),
            Lift::Handle { id, nullable: true, .. } => format!("{}.__OrNull({result})", cx.full_class_of(id)),
            Lift::Handle { id, .. } => format!("new {}({result})", cx.class_of(id)),
            Lift::Bool if !cx.options.marshal_bool => format!("{result} != 0"),
            Lift::Rune => format!("new global::System.Text.Rune({result})"),
            Lift::Text | Lift::Buffer { .. } => format!("{result}.Take()"),
            Lift::Str | Lift::Slice { .. } if self.spans_back(cx) => format!("{result}.AsSpan()"),
            _ => result.to_owned(),
        }
    }
}

/// A parameter that is shown.
pub(super) struct Shown {
    ty: String,
    name: String,
    lift: Lift,
}

impl Shown {
    /// As its method declares it.
    pub fn declared(&self) -> String {
        format!("{} {}", self.ty, self.name)
    }

    /// As an argument of another overload.
    pub fn passed_on(&self) -> String {
        let by = match self.lift {
            Lift::Reference { mutable: true, .. } | Lift::Place { .. } => "ref ",
            Lift::Out { .. } => "out ",
            _ => "",
        };
        format!("{by}{}", self.name)
    }
}

/// The name of an idiomatic function.
pub(super) fn method_name(name: &str) -> String {
    escaped(&super::super::names::pascal(name))
}
