//! What a program may give instead of native memory: arrays, text and buffers, copied for the length of the call.

use super::call::{Call, Outcome, Shown};
use super::lines::literal;
use super::scalar::{Carrier, Scalar, Target};
use super::surface::{Java, Kind};
use crate::model::{Api, Function, Ty};
use crate::plan::is_text;

/// What stands for one pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heap {
    /// The elements of a slice: the call itself copies them.
    Slice(&'static str),
    /// Numbers; `back`: native code may write them.
    Array { java: &'static str, back: bool },
    /// A `const char *`.
    Text,
    /// The addresses of other things. `back`: native code writes them, as into `sqlite3 **`.
    Places { of: Place, back: bool },
}

/// What a pointer to a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Object(Target),
    Text,
    /// Anything else, and text that somebody has to free.
    Address,
}

/// The ways to call one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Pointers are `MemorySegment`s.
    Memory,
    /// They are arrays and text.
    Arrays,
    /// Of these, arrays of bytes are `ByteBuffer`s.
    Buffers,
}

impl Call {
    /// All of them.
    pub fn forms(&self) -> Vec<Form> {
        let heaps: Vec<Heap> = self.params.iter().filter_map(|param| param.heap).collect();
        let bytes = |heap: &Heap| matches!(heap, Heap::Array { java: "byte[]", .. });
        let mut forms = vec![Form::Memory];
        forms.extend((!heaps.is_empty()).then_some(Form::Arrays));
        forms.extend(heaps.iter().any(bytes).then_some(Form::Buffers));
        forms
    }

    /// Whether that way calls the one for native memory. Arrays of slices are copied by the native call itself.
    pub fn lends(&self, form: Form) -> bool {
        self.params.iter().any(|param| !matches!(param.heap(form), None | Some(Heap::Slice(_))))
    }

    /// What that way returns: without native memory, text is copied.
    pub fn outcome_of(&self, form: Form) -> Outcome {
        let other = self.params.iter().any(|param| param.heap.is_some());
        match self.outcome {
            Outcome::CString { .. } if form == Form::Memory && other => self.outcome.address(),
            outcome => outcome,
        }
    }
}

impl Shown {
    /// What is given for it in that way.
    pub fn heap(&self, form: Form) -> Option<Heap> {
        self.heap.filter(|_| form != Form::Memory)
    }
}

impl<'a> Java<'a> {
    /// What may be given for a parameter that is a pointer.
    pub fn heap(&self, function: &'a Function, index: usize) -> Option<Heap> {
        let params = &function.signature.params;
        let Ty::Pointer(pointer) = self.api.resolve(&params[index].ty) else { return None };
        if is_text(self.api, pointer) {
            return Some(Heap::Text);
        }
        let back = pointer.mutable;
        if *self.api.resolve(&pointer.to) == Ty::Unit {
            // `void *` with a size behind it is bytes.
            let next = params.get(index + 1).and_then(|next| self.api.integer(&next.ty));
            let sized = next.is_some_and(|int| self.api.int_size(int) >= 4);
            return sized.then_some(Heap::Array { java: "byte[]", back });
        }
        match self.kind(&pointer.to) {
            Kind::Scalar(Scalar { carrier: Carrier::Address, .. }) => {
                let of = match self.target(&pointer.to) {
                    Some(target) => Place::Object(target),
                    None if is_text_pointer(self.api, &pointer.to) => Place::Text,
                    None => Place::Address,
                };
                Some(Heap::Places { of, back })
            }
            Kind::Scalar(scalar) if scalar.target.is_none() && self.target(&params[index].ty).is_none() => {
                scalar.carrier.array().map(|java| Heap::Array { java, back })
            }
            _ => None,
        }
    }

    /// A parameter's type in one of the ways, with its nullness.
    pub fn shown_type(&self, param: &Shown, form: Form) -> String {
        let nullable = param.nullable == Some(true);
        match param.heap(form) {
            None => self.spelled(&param.ty, nullable),
            Some(Heap::Slice(array)) => self.spelled_array(array.trim_end_matches("[]"), false),
            Some(Heap::Array { java: "byte[]", .. }) if form == Form::Buffers => {
                self.spelled("ByteBuffer", nullable)
            }
            Some(Heap::Array { java, .. }) => self.spelled_array(java.trim_end_matches("[]"), nullable),
            Some(Heap::Text) => self.spelled("String", nullable),
            Some(Heap::Places { of, .. }) => {
                let of = self.spelled(self.place_type(of), true);
                self.spelled_array(&of, nullable)
            }
        }
    }

    fn place_type(&self, of: Place) -> &str {
        match of {
            Place::Object(target) => self.class(target.id),
            Place::Text => "String",
            Place::Address => "MemorySegment",
        }
    }

    /// A type that may or may not be null, annotated if that was asked for.
    pub fn spelled(&self, ty: &str, nullable: bool) -> String {
        if nullable && self.options.jspecify { format!("@Nullable {ty}") } else { ty.to_owned() }
    }

    fn spelled_array(&self, element: &str, nullable: bool) -> String {
        if nullable && self.options.jspecify {
            format!("{element} @Nullable []")
        } else {
            format!("{element}[]")
        }
    }
}

/// What a way without native memory does around the call.
pub(super) struct Lent {
    /// Statements before it.
    pub before: Vec<String>,
    /// The arguments of the method for native memory.
    pub given: Vec<String>,
    /// Statements after it, in any case.
    pub after: Vec<String>,
}

impl Java<'_> {
    /// How the arguments of that way become native memory, and what native code writes comes back.
    pub fn lent(&self, call: &Call, critical: bool, form: Form) -> Lent {
        let mut lent = Lent { before: Vec::new(), given: Vec::new(), after: Vec::new() };
        for param in &call.params {
            let name = &param.name;
            let memory = match param.heap(form) {
                None => {
                    lent.given.push(name.clone());
                    continue;
                }
                Some(Heap::Slice(_)) => {
                    lent.given.push(format!("MemorySegment.ofArray({})", call.present(name)));
                    continue;
                }
                Some(Heap::Array { java, back }) => {
                    let mut bytes = format!("Native.heap({name})");
                    if critical && form == Form::Arrays {
                        lent.given.push(bytes);
                        continue;
                    }
                    if back {
                        lent.after.push(format!("Native.back({name}$, {bytes});"));
                    }
                    if back && form == Form::Buffers && java == "byte[]" {
                        bytes =
                            format!("Native.writable({bytes}, {}, {})", literal(&call.name), literal(name));
                    }
                    format!("scratch.copy({bytes})")
                }
                Some(Heap::Text) => {
                    format!("scratch.cString({name}, {}, {})", literal(&call.name), literal(name))
                }
                Some(Heap::Places { of, back }) => {
                    let make = match of {
                        Place::Object(target) => self.maker(target, "::"),
                        Place::Text => "NativeMemory::text".to_owned(),
                        Place::Address => "Native::itself".to_owned(),
                    };
                    if back {
                        lent.after.push(format!("Native.back({name}$, {name}, {make});"));
                    }
                    format!("scratch.places({name}, {back}, {}, {})", literal(&call.name), literal(name))
                }
            };
            lent.before.push(format!("MemorySegment {name}$ = {memory};"));
            lent.given.push(format!("{name}$"));
        }
        lent
    }
}

fn is_text_pointer(api: &Api, ty: &Ty) -> bool {
    matches!(api.resolve(ty), Ty::Pointer(pointer) if is_text(api, pointer))
}
