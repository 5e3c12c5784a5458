//! Trampolines: what native code calls for a Python function.

use super::native::Native;
use super::tables::at;
use crate::glue;
use crate::model::{Signature, Ty};
use crate::plan::Kind;
use std::fmt::Write as _;

impl Native<'_> {
    /// Writes those of every requested signature: of parameters, and of fields that hold a function.
    pub(super) fn trampolines(&mut self) {
        // One may request another.
        for index in 0.. {
            let Some((signature, _)) = self.tables.signatures.get(index).cloned() else { break };
            self.trampoline(index, &signature);
        }
    }

    fn trampoline(&mut self, index: usize, signature: &Signature) {
        let params = &signature.params;
        let (list, arrow) = (glue::parameters(self.api, signature), glue::arrow(self.api, signature));
        let shown: Vec<usize> =
            (0..params.len()).filter(|place| signature.context != Some(*place as u32)).collect();
        let (mut given, mut lends) = (String::new(), false);
        for (to, place) in shown.iter().enumerate() {
            let give = match Kind::of(self.api, &params[*place].ty) {
                // It ends with the call.
                Kind::Slice(_, of, mutable) => {
                    lends = true;
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
        let module = if signature.kept { "kept" } else { "callback" };
        let (at, count) = (at("the result", "a callback"), shown.len());
        let _ = write!(
            self.callbacks,
            "\nstatic RESULT_{index}: At = {at};\n\nunsafe fn run_{index}(number: usize, {list}){arrow} {{\n    \
             // SAFETY: native code passes what the signature says.\n    unsafe {{\n        \
             let give = |to: &mut [Obj; {count}]| {{\n{given}            Ok(())\n        }};\n        \
             {module}::call(number, {other}, {lends}, give, |result| {result})\n    }}\n}}\n"
        );
        let entry = format!("run_{index}");
        let text = glue::trampoline(self.api, signature, signature.context, index, &entry);
        self.callbacks.push_str(&text);
    }
}
