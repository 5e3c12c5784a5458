//! Trampolines: what native code calls for a Python function.

use super::native::Native;
use super::tables::{at, c_string};
use crate::glue::{self, rust_type};
use crate::model::{Signature, Ty};
use crate::plan::Kind;
use std::fmt::Write as _;

impl Native<'_> {
    /// Writes those of every requested signature: of parameters, and of fields that hold a function.
    pub(super) fn trampolines(&mut self) {
        let mut index = 0;
        // One may request another.
        while let Some(signature) = self.tables.signatures.get(index).cloned() {
            self.trampoline(index, &signature);
            index += 1;
        }
    }

    fn trampoline(&mut self, index: usize, signature: &Signature) {
        let params = &signature.params;
        let types: Vec<String> = params.iter().map(|param| rust_type(self.api, &param.ty)).collect();
        let list: Vec<String> =
            types.iter().enumerate().map(|(place, ty)| format!("a{place}: {ty}")).collect();
        let list = list.join(", ");
        let shown: Vec<usize> =
            (0..params.len()).filter(|place| signature.context != Some(*place as u32)).collect();
        let mut given = String::new();
        for (to, place) in shown.iter().enumerate() {
            let give = match Kind::of(self.api, &params[*place].ty) {
                // It ends with the call.
                Kind::Slice(_, of, mutable) => {
                    let element = self.tables.element(of);
                    format!("owned::lend(a{place}, &{element}, {mutable})")
                }
                _ => self.give(&params[*place].ty, &format!("a{place}")),
            };
            let _ = writeln!(given, "            to[{to}] = {give}?;");
        }
        let result = match &signature.ret {
            Ty::Unit => "callback::nothing(result)".into(),
            ret => format!("Ok({})", self.take_plain(ret, "result", &format!("&RESULT_{index}"))),
        };
        let other = format!("stand_in(&{:?})", self.api.stand_in(&signature.ret));
        let ret = match &signature.ret {
            Ty::Unit => String::new(),
            ret => format!(" -> {}", rust_type(self.api, ret)),
        };
        let (at, count) = (at("the result", "a callback"), shown.len());
        let _ = write!(
            self.callbacks,
            "\nstatic RESULT_{index}: At = {at};\n\nunsafe fn run_{index}(number: usize, {list}){ret} {{\n    \
             // SAFETY: native code passes what the signature says.\n    unsafe {{\n        \
             let give = |to: &mut [Obj; {count}]| {{\n{given}            Ok(())\n        }};\n        \
             callback::call(number, {other}, give, |result| {result})\n    }}\n}}\n"
        );
        let places: Vec<String> = (0..params.len()).map(|place| format!("a{place}")).collect();
        let (places, spelled) = (places.join(", "), glue::callback_type(self.api, signature));
        let name = c_string(&spelled.replace("mirror::", "").replace("unsafe extern \"C\" ", ""));
        let text = match signature.context {
            Some(context) => format!(
                "\nunsafe extern \"C\" fn trampoline_{index}({list}){ret} {{\n    // SAFETY: as above; the context is the callback's number.\n    \
                 unsafe {{ run_{index}(a{context} as usize, {places}) }}\n}}\n\n\
                 pub static SIGNATURE_{index}: Signature = Signature {{\n    name: {name},\n    \
                 trampolines: &[Address(trampoline_{index} as {spelled} as *const _)],\n    slots: &[],\n    next: AtomicUsize::new(0),\n}};\n"
            ),
            None => {
                let slots: Vec<String> = (0..64)
                    .map(|slot| {
                        format!("        Address(trampoline_{index}::<{slot}> as {spelled} as *const _),\n")
                    })
                    .collect();
                format!(
                    "\nstatic SLOTS_{index}: [AtomicUsize; 64] = [const {{ AtomicUsize::new(0) }}; 64];\n\n\
                     unsafe extern \"C\" fn trampoline_{index}<const SLOT: usize>({list}){ret} {{\n    \
                     // SAFETY: as above.\n    unsafe {{ run_{index}(SLOTS_{index}[SLOT].load(Relaxed), {places}) }}\n}}\n\n\
                     pub static SIGNATURE_{index}: Signature = Signature {{\n    name: {name},\n    \
                     trampolines: &[\n{}    ],\n    slots: &SLOTS_{index},\n    next: AtomicUsize::new(0),\n}};\n",
                    slots.concat()
                )
            }
        };
        self.callbacks.push_str(&text);
    }
}
