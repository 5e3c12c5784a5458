//! What a Java method does around its native call: parameters, preparation, and conversion of the result.

use super::names;
use super::scalar::{Carrier, Scalar};
use super::surface::{Java, Kind};
use crate::model::{Function, Idiom, Linkage, Param, Ty, TypeId};

/// One method.
pub(super) struct Call {
    /// Java types and names, in order.
    pub params: Vec<(String, String)>,
    /// Which parameter of the function each of `params` is.
    pub sources: Vec<Option<usize>>,
    /// Javadoc tags for them.
    pub tags: Vec<String>,
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
    /// Slices that arrays may be given for: index in `params`, and the array's type.
    pub arrays: Vec<(usize, &'static str)>,
    pub outcome: Outcome,
    /// Whether it goes through the shim, which takes pointers.
    pub shimmed: bool,
    /// Layouts of the native parameters, and that of the result.
    pub layouts: Vec<String>,
    pub result: Option<String>,
}

/// What happens to the result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    Nothing,
    Scalar(Scalar),
    Address,
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
    pub fn java(self, java: &Java<'_>) -> String {
        match self {
            Outcome::Nothing => "void".into(),
            Outcome::Scalar(scalar) => scalar.java().into(),
            Outcome::Address | Outcome::Slice(_) => "MemorySegment".into(),
            Outcome::Wide => "Int128".into(),
            Outcome::Record(id) => java.class(id).into(),
            Outcome::Str | Outcome::Text => "String".into(),
            Outcome::Buffer(_) => "NativeBuffer".into(),
        }
    }

    /// The value of a variable as users see it.
    pub fn lift(self, java: &Java<'_>, variable: &str) -> String {
        match self {
            Outcome::Nothing | Outcome::Address => variable.into(),
            Outcome::Scalar(scalar) => scalar.lift(variable),
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
        !matches!(self, Outcome::Nothing | Outcome::Scalar(_) | Outcome::Address | Outcome::Wide)
    }
}

impl<'a> Java<'a> {
    /// How a function is called. It must have no obstacle.
    pub fn call(&self, function: &'a Function) -> Call {
        let signature = &function.signature;
        let shimmed =
            !self.passes(&signature.ret) || signature.params.iter().any(|param| self.refuses(&param.ty));
        // The shim takes its result by pointer too if it refuses that type as a parameter.
        let refused = |ty: &Ty| shimmed && self.refuses(ty);
        let mut call = Call {
            params: Vec::new(),
            tags: Vec::new(),
            sources: Vec::new(),
            before: Vec::new(),
            within: Vec::new(),
            arguments: Vec::new(),
            after: Vec::new(),
            finally: Vec::new(),
            cells: Vec::new(),
            scratch: function.fallible,
            arrays: Vec::new(),
            outcome: self.outcome(&signature.ret),
            shimmed,
            layouts: Vec::new(),
            result: None,
        };
        if matches!(call.outcome, Outcome::Record(_)) {
            call.params.push(("SegmentAllocator".into(), "allocator".into()));
            call.tags.push("@param allocator makes the memory of the result".into());
        }
        call.sources.resize(call.params.len(), None);
        for (index, param) in signature.params.iter().enumerate() {
            self.argument(function, param, &mut call);
            call.sources.resize(call.params.len(), Some(index));
            call.layouts.push(match refused(&param.ty) {
                true => "ValueLayout.ADDRESS".into(),
                false => self.register_layout(&param.ty),
            });
        }
        if refused(&signature.ret) {
            // The shim writes it through an extra last pointer.
            call.layouts.push("ValueLayout.ADDRESS".into());
            let memory = match call.outcome {
                Outcome::Nothing => "MemorySegment.NULL".to_owned(),
                Outcome::Record(id) => {
                    call.within.push(format!(
                        "MemorySegment result = allocator.allocate({}.LAYOUT);",
                        self.class(id)
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
        match self.kind(ty) {
            Kind::Nothing | Kind::Array { .. } | Kind::Opaque(_) => Outcome::Nothing,
            Kind::Scalar(scalar) => Outcome::Scalar(scalar),
            Kind::Function { .. } => Outcome::Address,
            Kind::Wide => Outcome::Wide,
            Kind::Record(id) => match &self.api.get(id).idiom {
                Some(Idiom::Str) => Outcome::Str,
                Some(Idiom::Slice { of, .. }) => Outcome::Slice(self.size(of)),
                Some(Idiom::Buffer { of }) => Outcome::Buffer(self.size(of)),
                Some(Idiom::Text) => Outcome::Text,
                _ => Outcome::Record(id),
            },
        }
    }

    fn argument(&self, function: &'a Function, param: &'a Param, call: &mut Call) {
        let name = names::param_name(&param.name);
        let name = names::apart(name, |name| call.params.iter().any(|(_, before)| before == name));
        if param.context_of.is_some() {
            call.arguments.push(self.handed("MemorySegment.NULL"));
            return;
        }
        let mut take = |ty: &str| call.params.push((ty.to_owned(), name.clone()));
        match self.kind(&param.ty) {
            Kind::Nothing | Kind::Array { .. } | Kind::Opaque(_) => {
                call.arguments.push(self.handed("MemorySegment.NULL"));
            }
            Kind::Scalar(scalar) => {
                take(scalar.java());
                if let Some(note) = number_note(scalar, &param.ty) {
                    call.tags.push(format!("@param {name} {note}"));
                }
                let checked = || self.checked(&param.ty, name.clone(), &format!("{}: {name}", function.name));
                call.arguments.push(match scalar.carrier {
                    Carrier::Address if scalar.present => {
                        self.handed(&format!("Native.present({name}, \"{name}\")"))
                    }
                    Carrier::Address => self.handed(&name),
                    _ if self.jni() => scalar.lower(&checked()),
                    _ => scalar.lower_register(&checked()),
                });
                if scalar.carrier == Carrier::Address {
                    self.fence(&name, call);
                }
            }
            Kind::Wide => {
                take("Int128");
                call.scratch = true;
                call.arguments.push(self.handed(&format!("scratch.wide({name})")));
            }
            Kind::Function { named, nullable, .. } => {
                let interface = match named {
                    Some(id) => self.class(id).to_owned(),
                    None => self.interface(&function.name, &param.name),
                };
                take(&interface);
                let variable = format!("{name}$");
                let lend = if nullable { "lend" } else { "lendPresent" };
                call.before.push(format!(
                    "NativeStubs.Cell<{interface}> {variable} = NativeStubs.{lend}({name}, {interface}.Kept.STUBS);"
                ));
                call.arguments.push(self.handed(&format!("{variable}.address()")));
                call.finally.push(format!("{variable}.end();"));
                call.cells.push(variable);
            }
            Kind::Record(id) => match &self.api.get(id).idiom {
                Some(Idiom::Str) => {
                    take("String");
                    call.scratch = true;
                    call.arguments.push(self.handed(&format!("scratch.text({name})")));
                }
                Some(Idiom::Slice { of, mutable }) => {
                    take("MemorySegment");
                    let size = self.size(of).max(1);
                    call.tags.push(format!("@param {name} {size} bytes an element"));
                    call.scratch = true;
                    if let Kind::Scalar(scalar) = self.kind(of)
                        && let Some(array) = array_of(scalar)
                    {
                        call.arrays.push((call.params.len() - 1, array));
                    }
                    if *mutable {
                        let variable = format!("{name}$");
                        call.within
                            .push(format!("MemorySegment {variable} = scratch.slice({name}, {size}L);"));
                        call.after.push(format!("Native.copyBack({variable}, {name});"));
                        call.arguments.push(self.handed(&variable));
                    } else {
                        call.arguments.push(self.handed(&format!("scratch.slice({name}, {size}L)")));
                    }
                    // Only its address is passed, within a struct.
                    call.finally.push(format!("Reference.reachabilityFence({name});"));
                }
                _ => {
                    take(self.class(id));
                    let (memory, at) = (format!("{name}.segment()"), format!("{}: {name}", function.name));
                    call.arguments.push(self.handed(&self.checked(&param.ty, memory, &at)));
                    self.fence(&name, call);
                }
            },
        }
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
        names::part_name(owner, part)
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

fn array_of(scalar: Scalar) -> Option<&'static str> {
    match scalar.carrier {
        Carrier::Byte => Some("byte[]"),
        Carrier::Short => Some("short[]"),
        Carrier::Int => Some("int[]"),
        Carrier::Long => Some("long[]"),
        Carrier::Float => Some("float[]"),
        Carrier::Double => Some("double[]"),
        Carrier::Boolean | Carrier::Address => None,
    }
}
