//! Trampolines: what native code calls for a function of the guest.

use super::names::{callback_type, rust_type};
use crate::model::{Api, Signature, Ty};

/// What a module of trampolines uses.
pub(crate) const USES: &str = "use super::runtime::slots::{Address, Pool, Signature};\n";

/// Rust text of the static `SIGNATURE_<index>` and its trampolines. These call `entry(number, a0, a1, …)` with the
/// callback's number, which is the parameter `context` or lies in a slot.
pub(crate) fn trampoline(
    api: &Api,
    signature: &Signature,
    context: Option<u32>,
    index: usize,
    entry: &str,
) -> String {
    let params = parameters(api, signature);
    let arguments: String = (0..signature.params.len()).map(|place| format!(", a{place}")).collect();
    let (arrow, spelled) = (arrow(api, signature), callback_type(api, signature));
    let name = spelled.replace("mirror::", "").replace("unsafe extern \"C\" ", "");
    let (before, generic, number, made) = match context {
        Some(context) => (
            String::new(),
            "",
            format!("a{context} as usize"),
            format!("with_context({name:?}, Address(trampoline_{index} as {spelled} as *const _))"),
        ),
        None => (
            format!("\nstatic POOL_{index}: Pool = Pool::new();\n"),
            "<const SLOT: usize>",
            format!("POOL_{index}.number(SLOT)"),
            format!("pooled({name:?}, &POOL_{index}, &crate::addresses!(trampoline_{index} as {spelled}))"),
        ),
    };
    format!(
        "{before}\nunsafe extern \"C\" fn trampoline_{index}{generic}({params}){arrow} {{\n    \
         // SAFETY: native code passes what the signature says.\n    \
         unsafe {{ {entry}({number}{arguments}) }}\n}}\n\n\
         pub static SIGNATURE_{index}: Signature =\n    Signature::{made};\n"
    )
}

/// The parameters `a0`, `a1` and so on.
pub(crate) fn parameters(api: &Api, signature: &Signature) -> String {
    let params = signature.params.iter().enumerate();
    let params: Vec<String> =
        params.map(|(place, param)| format!("a{place}: {}", rust_type(api, &param.ty))).collect();
    params.join(", ")
}

/// What follows a function's parameters: its result.
pub(crate) fn arrow(api: &Api, signature: &Signature) -> String {
    match &signature.ret {
        Ty::Unit => String::new(),
        ret => format!(" -> {}", rust_type(api, ret)),
    }
}
