use super::names::{failure_type, ident, rust_type};
use crate::File;
use crate::model::{Api, Function, Linkage, Param, Pointer, Ty};
use std::fmt::Write as _;

/// For each of `functions`, a function that takes and returns by pointer whatever `refused` accepts, and calls
/// the real one; and the crate that compiles these into the library `<library>_shim`.
///
/// The new functions keep the names; their symbols are `upcall_shim_<name>` and their linkage is
/// [`Linkage::Shim`]. A refused parameter is a `const` pointer in its place; a refused result is written
/// through a pointer `result`, which follows the other parameters (and precedes `failure`).
///
/// The shim library also exports `upcall_shim_open(path: *const c_char) -> *const c_char`: it takes the path of
/// the real library's file or null, and returns null or a message that stays valid. Without it, the first call
/// opens the library, and ends the process with a message if that fails.
pub fn shim(api: &Api, functions: &[&Function], refused: &dyn Fn(&Ty) -> bool) -> (Vec<Function>, Vec<File>) {
    let mut lib = String::from(super::HEADER);
    lib.push_str(include_str!("shim.in"));
    let mut shims = Vec::with_capacity(functions.len());
    for function in functions {
        let shim = by_pointer(function, refused);
        lib.push('\n');
        define(api, function, &shim, refused, &mut lib);
        shims.push(shim);
    }
    let mut files = super::runtime(&[upcall_glue::LIBRARY]);
    files.extend([
        File::new("Cargo.toml", super::manifest(&format!("{}_shim", api.library), "")),
        File::new("src/lib.rs", lib),
        File::new("src/mirror.rs", super::mirror(api)),
        File::new("src/table.rs", super::table(api, functions)),
    ]);
    (shims, files)
}

fn by_pointer(function: &Function, refused: &dyn Fn(&Ty) -> bool) -> Function {
    let mut shim = function.clone();
    shim.linkage = Linkage::Shim;
    shim.symbol = symbol(&function.name);
    let pointer = |to: &Ty, mutable| {
        Ty::Pointer(Pointer { to: Box::new(to.clone()), mutable, nullable: false, owned: false })
    };
    for param in &mut shim.signature.params {
        if refused(&param.ty) {
            param.ty = pointer(&param.ty, false);
        }
    }
    if refused(&function.signature.ret) {
        let ty = pointer(&function.signature.ret, true);
        shim.signature.params.push(Param { name: "result".into(), ty, context_of: None, release_of: None });
        shim.signature.ret = Ty::Unit;
    }
    shim
}

/// The symbol of the shim for the function of this name. Symbols in Rust are ASCII.
pub(crate) fn symbol(name: &str) -> String {
    super::ascii(&format!("upcall_shim_{name}"))
}

fn define(api: &Api, real: &Function, shim: &Function, refused: &dyn Fn(&Ty) -> bool, text: &mut String) {
    // Named by index: the source's names may clash with `result` and `failure`.
    let last = real.signature.params.len();
    let name = |index: usize| if index == last { "result".into() } else { format!("arg{index}") };
    let mut params: Vec<String> = Vec::new();
    for (index, param) in shim.signature.params.iter().enumerate() {
        params.push(format!("{}: {}", name(index), rust_type(api, &param.ty)));
    }
    let mut arguments: Vec<String> = Vec::new();
    for (index, param) in real.signature.params.iter().enumerate() {
        let argument = name(index);
        arguments.push(if refused(&param.ty) { format!("{argument}.read_unaligned()") } else { argument });
    }
    if real.fallible {
        params.push(format!("failure: *mut *mut {}", failure_type(api)));
        arguments.push("failure".into());
    }
    let call = format!("(table().{})({})", ident(&real.name), arguments.join(", "));
    let (ret, call) = match &shim.signature.ret {
        _ if refused(&real.signature.ret) => (String::new(), format!("result.write_unaligned({call})")),
        Ty::Unit => (String::new(), call),
        ret => (format!(" -> {}", rust_type(api, ret)), call),
    };
    let (symbol, params) = (&shim.symbol, params.join(", "));
    let _ = write!(
        text,
        "#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn {symbol}({params}){ret} {{\n    \
         // SAFETY: the caller passes valid pointers and what the real function asks for.\n    \
         unsafe {{ {call} }}\n}}\n"
    );
}
