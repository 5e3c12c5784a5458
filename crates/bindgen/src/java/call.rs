//! What a Java method does around its native call: parameters, preparation, and conversion of the result.

use super::heap::Heap;
use super::lines::literal;
use super::names;
use super::scalar::{Carrier, Scalar};
use super::surface::{Java, Kind};
use crate::model::{Function, Linkage, Param, Ty, TypeId};
use crate::plan::{self, is_text};

/// One method.
pub(super) struct Call {
    /// The method's name.
    pub name: String,
    /// What the program passes, in order.
    pub params: Vec<Shown>,
    /// Statements before the `try`.
    pub before: Vec<String>,
    /// Statements within it, before the call.
    pub within: Vec<String>,
    /// The arguments of the handle's invocation, without `failure`.
    pub arguments: Vec<String>,
    /// Statements after the call, if it has not failed.
    pub after: Vec<String>,
    /// Statements that run in any case.
    pub finally: Vec<String>,
    /// The variables of lent callbacks.
    pub cells: Vec<String>,
    /// Whether memory is needed for the duration of the call.
    pub scratch: bool,
    pub outcome: Outcome,
    /// Whether it goes through the shim, which takes pointers.
    pub shimmed: bool,
    /// Layouts of the native parameters, and that of the result.
    pub layouts: Vec<String>,
    pub result: Option<String>,
}

/// A parameter of a method.
pub(super) struct Shown {
    /// Its Java type.
    pub ty: String,
    pub name: String,
    /// Whether it may be null, if it is of a type that has a null.
    pub nullable: Option<bool>,
    /// What the Java type does not say.
    pub note: Option<String>,
    /// Which parameter of the function it is.
    pub source: Option<usize>,
    /// What may be given for it that is not in native memory.
    pub heap: Option<Heap>,
}

/// What happens to the result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    Nothing,
    Scalar(Scalar),
    Address,
    /// The address of text that ends with a zero, which is copied.
    CString {
        present: bool,
    },
    Wide,
    Record(TypeId),
    Str,
    /// Bytes of an element.
    Slice(u64),
    Buffer(u64),
    Text,
}

impl Outcome {
    /// The Java type of the method.
    pub fn java<'s>(self, java: &'s Java<'_>) -> &'s str {
        match self {
            Outcome::Nothing => "void",
            Outcome::Scalar(scalar) => java.shown(scalar),
            Outcome::Address | Outcome::Slice(_) => "MemorySegment",
            Outcome::Wide => "Int128",
            Outcome::Record(id) => java.class(id),
            Outcome::CString { .. } | Outcome::Str | Outcome::Text => "String",
            Outcome::Buffer(_) => "NativeBuffer",
        }
    }

    /// Whether it may be null, if it is of a type that has a null.
    pub fn nullable(self) -> Option<bool> {
        match self {
            Outcome::Nothing => None,
            Outcome::Scalar(scalar) if scalar.target.is_some() => Some(!scalar.present),
            Outcome::Scalar(scalar) => (scalar.carrier == Carrier::Address).then_some(false),
            Outcome::CString { present } => Some(!present),
            _ => Some(false),
        }
    }

    /// The value of a variable as users see it.
    pub fn lift(self, java: &Java<'_>, variable: &str) -> String {
        match self {
            Outcome::Nothing | Outcome::Address => variable.into(),
            Outcome::Scalar(scalar) => java.lift(scalar, variable),
            Outcome::CString { .. } => format!("NativeMemory.text({variable})"),
            Outcome::Wide => format!("Native.wide({variable}, 0L)"),
            Outcome::Record(id) => format!("new {}({variable})", java.class(id)),
            Outcome::Str => format!("Native.text({variable})"),
            Outcome::Slice(size) => format!("Native.slice({variable}, {size}L)"),
            Outcome::Buffer(size) => format!("new NativeBuffer({variable}, {size}L)"),
            Outcome::Text => format!("Native.ownedText({variable})"),
        }
    }

    /// Whether the result is a struct.
    pub fn in_memory(self) -> bool {
        !matches!(
            self,
            Outcome::Nothing
                | Outcome::Scalar(_)
                | Outcome::Address
                | Outcome::CString { .. }
                | Outcome::Wide
        )
    }

    /// The address that text or an object is at.
    pub fn address(self) -> Outcome {
        match self {
            Outcome::CString { present } => {
                Outcome::Scalar(Scalar { present, ..Scalar::plain(Carrier::Address, false) })
            }
            Outcome::Scalar(scalar) => Outcome::Scalar(Scalar { target: None, ..scalar }),
            other => other,
        }
    }
}

/// Which values a method shows as bare addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    None,
    /// What it takes: the release of a handle, for its class.
    Params,
    /// What it returns: the constructor of a handle, for its class.
    Result,
}

impl<'a> Java<'a> {
    /// How a function is called. It must have no obstacle.
    pub fn call(&self, function: &'a Function, bare: Bare) -> Call {
        let signature = &function.signature;
        let shimmed =
            !self.passes(&signature.ret) || signature.params.iter().any(|param| self.refuses(&param.ty));
        // The shim takes its result by pointer too if it refuses that type as a parameter.
        let refused = |ty: &Ty| shimmed && self.refuses(ty);
        let outcome = self.outcome(&signature.ret);
        let mark = if bare == Bare::None { "" } else { "$" };
        let mut call = Call {
            name: format!("{}{mark}", self.method_name(&function.name)),
            params: Vec::new(),
            before: Vec::new(),
            within: Vec::new(),
            arguments: Vec::new(),
            after: Vec::new(),
            finally: Vec::new(),
            cells: Vec::new(),
            scratch: function.fallible,
            outcome: if bare == Bare::Result { outcome.address() } else { outcome },
            shimmed,
            layouts: Vec::new(),
            result: None,
        };
        if matches!(call.outcome, Outcome::Record(_)) {
            call.params.push(Shown {
                ty: "SegmentAllocator".into(),
                name: "allocator".into(),
                nullable: Some(false),
                note: Some("makes the memory of the result".into()),
                source: None,
                heap: None,
            });
        }
        for (index, param) in signature.params.iter().enumerate() {
            self.argument(function, index, bare == Bare::Params, &mut call);
            call.layouts.push(match refused(&param.ty) {
                true => "ValueLayout.ADDRESS".into(),
                false => self.register_layout(&param.ty),
            });
        }
        if signature.params.iter().any(|param| self.kept(&param.ty)) {
            call.settle();
        }
        if refused(&signature.ret) {
            // The shim writes it through an extra last pointer.
            call.layouts.push("ValueLayout.ADDRESS".into());
            let memory = match call.outcome {
                Outcome::Nothing => "MemorySegment.NULL".to_owned(),
                Outcome::Record(id) => {
                    call.within.push(format!(
                        "MemorySegment result = {}.allocate({}).segment();",
                        self.class(id),
                        call.present("allocator")
                    ));
                    "result".into()
                }
                _ => {
                    call.scratch = true;
                    // Room for the largest: a buffer.
                    call.within.push("MemorySegment result = scratch.allocate(32L, 16L);".into());
                    "result".into()
                }
            };
            call.arguments.push(self.handed(&memory));
        } else {
            call.scratch |= call.outcome.in_memory() && !matches!(call.outcome, Outcome::Record(_));
            if signature.ret != Ty::Unit {
                call.result = Some(self.element_layout(self.passed(&signature.ret)));
            }
        }
        call
    }

    /// The symbol and its library.
    pub fn symbol(&self, function: &Function, call: &Call) -> (String, Linkage) {
        match call.shimmed {
            true => (crate::glue::shim_symbol(&function.name), Linkage::Shim),
            false => (function.symbol.clone(), function.linkage),
        }
    }

    /// What a native value becomes.
    pub fn outcome(&self, ty: &'a Ty) -> Outcome {
        match plan::Kind::of(self.api, ty) {
            plan::Kind::Str(_) => Outcome::Str,
            plan::Kind::Slice(_, of, _) => Outcome::Slice(self.size(of)),
            plan::Kind::Buffer(_, of) => Outcome::Buffer(self.size(of)),
            plan::Kind::Text(_) => Outcome::Text,
            plan::Kind::Pointer(pointer) if is_text(self.api, pointer) => {
                Outcome::CString { present: !pointer.nullable }
            }
            _ => match self.kind(ty) {
                Kind::Nothing | Kind::Array { .. } | Kind::Opaque => Outcome::Nothing,
                Kind::Scalar(scalar) => Outcome::Scalar(scalar),
                Kind::Function { .. } => Outcome::Address,
                Kind::Wide => Outcome::Wide,
                Kind::Record(id) => Outcome::Record(id),
            },
        }
    }

    fn argument(&self, function: &'a Function, index: usize, bare: bool, call: &mut Call) {
        let param = &function.signature.params[index];
        let name = names::param_name(&param.name);
        let name = names::apart(name, |name| call.params.iter().any(|before| before.name == name));
        if param.context_of.is_some() {
            match function.signature.params[..index].last() {
                Some(kept) if self.kept(&kept.ty) => {
                    let name = call.params.last().map_or("", |shown| &shown.name);
                    call.arguments.push(format!("{name}$.context()"));
                }
                _ => call.arguments.push(self.handed("MemorySegment.NULL")),
            }
            return;
        }
        if param.release_of.is_some() {
            call.arguments.push("NativeKept.RELEASE".into());
            return;
        }
        let mut take = |ty: &str, nullable: Option<bool>, note: Option<String>| {
            let (ty, name) = (ty.to_owned(), name.clone());
            call.params.push(Shown { ty, name, nullable, note, source: Some(index), heap: None });
        };
        match self.kind(&param.ty) {
            Kind::Nothing | Kind::Array { .. } | Kind::Opaque => {
                call.arguments.push(self.handed("MemorySegment.NULL"));
            }
            Kind::Scalar(Scalar { carrier: Carrier::Address, present, target, .. }) => {
                let shown = target.filter(|_| !bare);
                take(shown.map_or("MemorySegment", |target| self.class(target.id)), Some(!present), None);
                let given = match shown {
                    Some(target) if self.closable.contains(&target.id) => {
                        self.hold(function, param, present, &name, call)
                    }
                    Some(_) if present => format!("{}.segment()", call.present(&name)),
                    Some(_) => format!("Native.segment({name})"),
                    None if present => call.checked("presentAddress", &name),
                    None => format!("Native.orNull({name})"),
                };
                call.arguments.push(self.handed(&given));
                self.fence(&name, call);
                if let Some(last) = call.params.last_mut() {
                    last.heap = self.heap(function, index);
                }
            }
            Kind::Scalar(scalar) => {
                take(scalar.java(), None, number_note(scalar, &param.ty));
                let given = self.checked(&param.ty, name.clone(), &format!("{}: {name}", function.name));
                call.arguments.push(match self.jni() {
                    true => scalar.lower(&given),
                    false => scalar.lower_register(&given),
                });
            }
            Kind::Wide => {
                take("Int128", Some(false), None);
                call.scratch = true;
                call.arguments.push(self.handed(&format!("scratch.wide({})", call.present(&name))));
            }
            Kind::Function { named, nullable, .. } => {
                let interface = match named {
                    Some(id) => self.class(id).to_owned(),
                    None => self.interface(&function.name, &param.name),
                };
                take(&interface, Some(nullable), None);
                let variable = format!("{name}$");
                if self.kept(&param.ty) {
                    let owned = format!("NativeKept.own({})", call.present(&name));
                    call.before.push(format!("NativeKept.Owner {variable} = {owned};"));
                    call.arguments.push(format!("{interface}.Kept.STUB"));
                    call.finally.push(format!("{variable}.end();"));
                    return;
                }
                let lent = match nullable {
                    true => format!("NativeStubs.lend({name}, {interface}.Kept.STUBS)"),
                    false => {
                        format!("NativeStubs.lendPresent({}, {interface}.Kept.STUBS)", call.present(&name))
                    }
                };
                call.before.push(format!("NativeStubs.Cell<{interface}> {variable} = {lent};"));
                call.arguments.push(self.handed(&format!("{variable}.address()")));
                call.finally.push(format!("{variable}.end();"));
                call.cells.push(variable);
            }
            Kind::Record(id) => match plan::Kind::of(self.api, &param.ty) {
                plan::Kind::Str(_) => {
                    take("String", Some(false), None);
                    call.scratch = true;
                    call.arguments.push(self.handed(&format!("scratch.text({})", call.present(&name))));
                }
                plan::Kind::Slice(_, of, mutable) => {
                    let size = self.size(of).max(1);
                    take("MemorySegment", Some(false), Some(format!("{size} bytes an element")));
                    call.scratch = true;
                    if let (Kind::Scalar(scalar), Some(last)) = (self.kind(of), call.params.last_mut()) {
                        last.heap = scalar.carrier.array().map(Heap::Slice);
                    }
                    let slice = format!("scratch.slice({}, {size}L)", call.present(&name));
                    if mutable {
                        let variable = format!("{name}$");
                        call.within.push(format!("MemorySegment {variable} = {slice};"));
                        call.after.push(format!("Native.copyBack({variable}, {name});"));
                        call.arguments.push(self.handed(&variable));
                    } else {
                        call.arguments.push(self.handed(&slice));
                    }
                    // Only its address is passed, within a struct.
                    call.finally.push(format!("Reference.reachabilityFence({name});"));
                }
                _ => {
                    take(self.class(id), Some(false), None);
                    let memory = format!("{}.segment()", call.present(&name));
                    let at = format!("{}: {name}", function.name);
                    call.arguments.push(self.handed(&self.checked(&param.ty, memory, &at)));
                    self.fence(&name, call);
                }
            },
        }
    }

    /// Keeps a handle from being released during the call, or takes it from the program if the function does; the
    /// variable with its address.
    fn hold(
        &self,
        function: &Function,
        param: &'a Param,
        present: bool,
        name: &str,
        call: &mut Call,
    ) -> String {
        let variable = format!("{name}$");
        let given = self.takes_over(function, param);
        let method = if given { "give$" } else { "hold$" };
        let place = format!("{method}({}, {})", literal(&call.name), literal(name));
        call.before.push(format!("MemorySegment {variable} = null;"));
        call.within.push(match present {
            true => format!("{variable} = {}.{place};", call.present(name)),
            false => format!("{variable} = {name} == null ? MemorySegment.NULL : {name}.{place};"),
        });
        if !given {
            call.finally.push(format!("NativeHandle.letGo({name}, {variable});"));
        }
        variable
    }

    /// Whether it is a callback that native code keeps.
    fn kept(&self, ty: &'a Ty) -> bool {
        matches!(self.kind(ty), Kind::Function { signature, .. } if signature.kept)
    }

    /// A segment as it is passed on: JNI takes addresses.
    pub fn handed(&self, segment: &str) -> String {
        match segment {
            _ if !self.jni() => segment.to_owned(),
            "MemorySegment.NULL" => "0L".into(),
            _ => format!("Native.address({segment})"),
        }
    }

    /// Keeps garbage-collected memory alive until the call is over; `java.lang.foreign` does so by itself.
    fn fence(&self, name: &str, call: &mut Call) {
        if self.jni() {
            call.finally.push(format!("Reference.reachabilityFence({name});"));
        }
    }

    /// The interface of a callback without a name in the source: for `fold`'s `step` it is `FoldStep`.
    pub fn interface(&self, owner: &str, part: &str) -> String {
        names::part_name(self.stripped(owner), part)
    }
}

impl Call {
    /// Has arguments that may throw ready before any is passed: native code has taken none over then.
    fn settle(&mut self) {
        for (index, argument) in self.arguments.iter_mut().enumerate() {
            if !argument.ends_with("$.context()") {
                let ready = format!("argument{index}$");
                self.within.push(format!("var {ready} = {argument};"));
                *argument = ready;
            }
        }
    }

    /// A parameter, which must not be null.
    pub fn present(&self, param: &str) -> String {
        self.checked("present", param)
    }

    /// A parameter as a method of `Native` returns it, which may throw an error that names both.
    pub fn checked(&self, method: &str, param: &str) -> String {
        format!("Native.{method}({param}, {}, {})", literal(&self.name), literal(param))
    }
}

/// What the Java type does not say about a number.
pub(super) fn number_note(scalar: Scalar, ty: &Ty) -> Option<String> {
    match ty {
        Ty::Char => Some("a Unicode code point".into()),
        Ty::Int(_) if scalar.unsigned => Some(format!("unsigned {}", scalar.java())),
        _ => None,
    }
}
