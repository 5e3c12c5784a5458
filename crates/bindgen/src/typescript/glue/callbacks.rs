//! Trampolines: what native code calls for a JavaScript function.

use super::super::callbacks::Callback;
use super::{Glue, give, take};
use crate::glue::{self, rust_type};
use crate::model::Api;
use crate::plan::Kind;
use std::fmt::Write as _;

impl<'a> Glue<'a> {
    /// The name of the static that describes a callback.
    pub(super) fn signature(&mut self, of: Callback<'_>) -> String {
        let (index, new) = self.signatures.place(of.signature, of.context);
        if new {
            self.callbacks.push_str(&trampoline(self.api, of, index));
        }
        format!("SIGNATURE_{index}")
    }
}

fn trampoline(api: &Api, of: Callback<'_>, index: usize) -> String {
    let (signature, (offsets, _)) = (of.signature, of.exchanged(api));
    let (mut body, mut count) = (String::new(), 0);
    for (place, param) in of.shown() {
        let name = format!("a{place}");
        match offsets[place] {
            Some(offset) => {
                let _ = writeln!(body, "            callback::put({offset}, {name});");
            }
            None => {
                let give = match Kind::of(api, &param.ty) {
                    Kind::Empty(_) | Kind::Opaque(_) => "give_undefined(env)".into(),
                    _ => give(api, &param.ty, &name),
                };
                let _ = writeln!(body, "            given[{count}] = {give}?;");
                count += 1;
            }
        }
    }
    let give =
        format!("move |env, given: &mut [napi_value; {count}]| {{\n{body}            Ok(())\n        }}");
    let run = match Kind::plain(api, &signature.ret) {
        Kind::Nothing if signature.kept => format!("kept::call(number, {give})"),
        Kind::Nothing => format!("callback::call(number, (), {give}, |_, _| Ok(()))"),
        kind => {
            let other = api.stand_in(&signature.ret);
            let take = match kind {
                Kind::Record(_) => "|env, value| callback::get(env, value)".to_owned(),
                Kind::Empty(_) | Kind::Opaque(_) => "|_, _| Ok(std::mem::zeroed())".to_owned(),
                // Which is `*mut`.
                Kind::Pointer(_) => "|env, value| Ok(take_address(env, value, At(&RESULT, 0))?)".to_owned(),
                Kind::Function(_) => "|env, value| take_function(env, value, At(&RESULT, 0))".to_owned(),
                _ => format!("|env, value| {}", take(api, &signature.ret, "value", "At(&RESULT, 0)")),
            };
            format!("callback::call(number, callback::stand_in(&{other:?}), {give}, {take})")
        }
    };
    let (list, arrow) = (glue::parameters(api, signature), glue::arrow(api, signature));
    let mut run = format!(
        "\nunsafe fn run_{index}(number: usize, {list}){arrow} {{\n    // SAFETY: native code passes what the signature says.\n    \
         unsafe {{\n        {run}\n    }}\n}}\n"
    );
    let mut entry = format!("run_{index}");
    if matches!(Kind::plain(api, &signature.ret), Kind::Nothing) {
        run.push_str(&sender(api, of, index));
        entry = format!("send_{index}");
    }
    run + &of.trampoline(api, index, &entry)
}

/// Code that sends a callback to its own thread if it is called on another, with copies of what it borrows.
fn sender(api: &Api, of: Callback<'_>, index: usize) -> String {
    let params = &of.signature.params;
    let list = glue::parameters(api, of.signature);
    let names: String = (0..params.len()).map(|place| format!(", a{place}")).collect();
    let (mut copies, mut lends) = (String::new(), String::new());
    for (place, param) in of.shown() {
        if let Kind::Slice(..) | Kind::Str(_) = Kind::of(api, &param.ty) {
            let ty = rust_type(api, &param.ty);
            let _ = writeln!(
                copies,
                "            let k{place} = callback::copied(a{place}.data, a{place}.len, &mut bytes);"
            );
            let _ = writeln!(
                lends,
                "                let a{place} = {ty} {{ data: k{place}.as_ptr() as *mut _, len: k{place}.len() }};"
            );
        }
    }
    let module = if of.signature.kept { "kept" } else { "callback" };
    let sum = if copies.is_empty() { "0" } else { "bytes" };
    if !copies.is_empty() {
        copies.insert_str(0, "            let mut bytes = 0;\n");
    }
    format!(
        "\nunsafe fn send_{index}(number: usize, {list}) {{\n    // SAFETY: as above; copies live as long as the callback runs.\n    \
         unsafe {{\n        if callback::elsewhere(number) {{\n{copies}            return {module}::send(number, {sum}, move || {{\n\
         {lends}                run_{index}(number{names})\n            }});\n        }}\n        \
         run_{index}(number{names})\n    }}\n}}\n"
    )
}
