use super::input::{Input, include_line};
use crate::File;
use crate::header::spell::Speller;
use crate::model::{Api, Function, Linkage, Ty, TypeId};

/// One C file with a function for each `static inline` function and each declared use of a variadic one. It is
/// compiled into the library `<library>_inline`, beside the headers' own. No file if there is nothing to wrap.
#[must_use]
pub fn shims(input: &Input, api: &Api) -> Vec<File> {
    let wrapped: Vec<&Function> =
        api.functions.iter().filter(|function| function.linkage == Linkage::Inline).collect();
    if wrapped.is_empty() {
        return Vec::new();
    }
    let arguments: Vec<String> = arguments(input).iter().map(|one| quoted(one)).collect();
    let (library, arguments) = (&api.library, arguments.join(" "));
    let mut text = format!(
        "/* Made by upcall bindgen; do not edit.\n   Functions of the headers that the library {library} does not export. \
         Build it into a library beside that one{}:\n   cc {arguments} -o lib{library}_inline.so shims.c */\n",
        if in_working_folder(input) { " (paths are from the folder of that run)" } else { "" }
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

/// What the C compiler is told besides the files. Relative paths are from the working folder.
pub(crate) fn arguments(input: &Input) -> Vec<String> {
    let mut arguments = ["-O2", "-shared", "-fPIC"].map(String::from).to_vec();
    if in_working_folder(input) {
        arguments.push("-I.".into());
    }
    arguments.extend(input.include.iter().map(|folder| format!("-I{}", folder.display())));
    arguments.extend(input.define.iter().map(|define| format!("-D{define}")));
    arguments
}

/// Whether a header is included by its path from there.
fn in_working_folder(input: &Input) -> bool {
    input.headers.iter().filter_map(|header| input.find(header)).any(|path| path.is_relative())
}

/// An argument as a shell takes it, within a comment of C.
fn quoted(argument: &str) -> String {
    if argument.chars().all(|char| char.is_alphanumeric() || "-_=./+,:@%".contains(char)) {
        return argument.to_owned();
    }
    let argument = argument.replace('\'', r"'\''");
    // Quotation marks that hold nothing keep a comment from ending, or seeming to begin.
    format!("'{}'", argument.replace("*/", "*''/").replace("/*", "/''*"))
}
