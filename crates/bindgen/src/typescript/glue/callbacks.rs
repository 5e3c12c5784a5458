//! Trampolines: what native code calls for a JavaScript function.

use super::{Glue, give, take};
use crate::glue::{self, rust_type};
use crate::model::{Api, Signature};
use crate::plan::Kind;
use std::fmt::Write as _;

impl<'a> Glue<'a> {
    /// The name of the static that describes a callback; `context` says whether the glue fills it in.
    pub(super) fn signature(&mut self, signature: &'a Signature, context: bool) -> String {
        let context = signature.context.filter(|_| context);
        let known = self.signatures.iter().position(|known| *known == (signature, context));
        let index = known.unwrap_or_else(|| {
            self.signatures.push((signature, context));
            let text = trampoline(self.api, signature, context, self.signatures.len() - 1);
            self.callbacks.push_str(&text);
            self.signatures.len() - 1
        });
        format!("SIGNATURE_{index}")
    }
}

/// Where a callback's arguments that are not JavaScript values lie in the exchange, and its end.
pub(in super::super) fn exchanged(
    api: &Api,
    signature: &Signature,
    context: Option<u32>,
) -> (Vec<Option<u64>>, u64) {
    let mut end = 0;
    let mut offsets = Vec::new();
    for (index, param) in signature.params.iter().enumerate() {
        let record = Some(index as u32) != context
            && matches!(
                Kind::of(api, &param.ty),
                Kind::Record(_) | Kind::Slice(..) | Kind::Text(_) | Kind::Buffer(..)
            );
        offsets.push(record.then_some(end));
        if record {
            end += api.layout(&param.ty).map_or(0, |layout| layout.size.next_multiple_of(16));
        }
    }
    let ret = api.layout(&signature.ret).map_or(0, |layout| layout.size);
    (offsets, end.max(ret))
}

fn trampoline(api: &Api, signature: &Signature, context: Option<u32>, index: usize) -> String {
    let (offsets, _) = exchanged(api, signature, context);
    let (mut body, mut count) = (String::new(), 0);
    for (place, param) in signature.params.iter().enumerate() {
        if Some(place as u32) == context {
            continue;
        }
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
        run.push_str(&sender(api, signature, context, index));
        entry = format!("send_{index}");
    }
    run + &glue::trampoline(api, signature, context, index, &entry)
}

/// Code that sends a callback to its own thread if it is called on another, with copies of what it borrows.
fn sender(api: &Api, signature: &Signature, context: Option<u32>, index: usize) -> String {
    let (list, mut names) = (glue::parameters(api, signature), String::new());
    let (mut copies, mut lends) = (String::new(), String::new());
    for (place, param) in signature.params.iter().enumerate() {
        let ty = rust_type(api, &param.ty);
        let _ = write!(names, ", a{place}");
        if Some(place as u32) != context && matches!(Kind::of(api, &param.ty), Kind::Slice(..) | Kind::Str(_))
        {
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
    let sum = if copies.is_empty() { "0" } else { "bytes" };
    if !copies.is_empty() {
        copies.insert_str(0, "            let mut bytes = 0;\n");
    }
    format!(
        "\nunsafe fn send_{index}(number: usize, {list}) {{\n    // SAFETY: as above; copies live as long as the callback runs.\n    \
         unsafe {{\n        if callback::elsewhere(number) {{\n{copies}            return callback::send(number, {sum}, move || {{\n\
         {lends}                run_{index}(number{names})\n            }});\n        }}\n        \
         run_{index}(number{names})\n    }}\n}}\n"
    )
}
