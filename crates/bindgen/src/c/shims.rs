use super::input::{Input, include_line};
use crate::File;
use crate::header::spell::Speller;
use crate::model::{Api, Function, Linkage, Ty, TypeId};

/// One C file with a function for each `static inline` function and each declared use of a variadic one. It is
/// compiled into the library `<library>_inline`, beside the headers' own. `None` if there is nothing to wrap.
#[must_use]
pub fn shims(input: &Input, api: &Api) -> Vec<File> {
    let wrapped: Vec<&Function> =
        api.functions.iter().filter(|function| function.linkage == Linkage::Inline).collect();
    if wrapped.is_empty() {
        return Vec::new();
    }
    let mut folders: String = input.include.iter().map(|folder| format!(" -I{}", folder.display())).collect();
    folders.extend(input.define.iter().map(|define| format!(" -D{define}")));
    let mut text = format!(
        "/* Made by upcall bindgen; do not edit.\n   Functions of the headers that the library {0} does not export. \
         Build it into a library beside that one:\n   cc -O2 -shared -fPIC{folders} -o lib{0}_inline.so shims.c */\n",
        input.library
    );
    for header in &input.headers {
        text += &include_line(input.find(header).as_ref().unwrap_or(header));
    }
    text += "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n\
             #if defined(_WIN32)\n#define UPCALL_SHIM __declspec(dllexport)\n\
             #else\n#define UPCALL_SHIM __attribute__((visibility(\"default\")))\n#endif\n";
    let name = |id: TypeId| api.get(id).source.clone();
    let speller = Speller { name: &name, param: &|name| format!("{name}_") };
    for function in wrapped {
        let called = input.variadics.iter().find(|variadic| variadic.name == function.name);
        let called = called.map_or(function.name.as_str(), |variadic| &variadic.function);
        let signature = &function.signature;
        let arguments: Vec<String> =
            signature.params.iter().map(|param| format!("{}_", param.name)).collect();
        let give = if signature.ret == Ty::Unit { "" } else { "return " };
        let declaration = speller.function(signature, &function.symbol, &[]);
        text += &format!(
            "\nUPCALL_SHIM {declaration};\nUPCALL_SHIM {declaration} {{\n    {give}{called}({});\n}}\n",
            arguments.join(", ")
        );
    }
    vec![File::new("shims.c", text)]
}
