//! The glue crate that JNI calls: one native method for each function, and trampolines for callbacks.

use super::callback::Interface;
use super::lines::Lines;
use super::scalar::{Carrier, Scalar};
use super::surface::{Java, Kind};
use crate::File;
use crate::glue;
use crate::model::{Function, Signature, Ty};
use crate::output::below;

/// The class of the native methods.
pub(super) const CALLS: &str = "NativeCalls";

/// How a value crosses JNI.
enum Crossing {
    /// As a number of that type.
    Number(Carrier),
    /// By its address.
    Memory,
    /// Not at all: it has no size.
    Nothing,
}

impl<'a> Java<'a> {
    fn crossing(&self, ty: &'a Ty) -> Crossing {
        match self.kind(ty) {
            Kind::Scalar(Scalar { carrier, .. }) => Crossing::Number(carrier),
            Kind::Function { .. } => Crossing::Number(Carrier::Address),
            Kind::Record(_) | Kind::Wide => Crossing::Memory,
            Kind::Nothing | Kind::Array { .. } | Kind::Opaque => Crossing::Nothing,
        }
    }

    /// The Java type of a native method's parameter.
    pub fn native_type(&self, ty: &'a Ty) -> &'static str {
        match self.crossing(ty) {
            Crossing::Number(Carrier::Address) | Crossing::Memory | Crossing::Nothing => "long",
            Crossing::Number(carrier) => carrier.java(),
        }
    }

    /// The Java types of a native method's parameters and of its result. A result in memory is written through an
    /// extra last address.
    pub fn native_types(&self, signature: &'a Signature) -> (Vec<&'static str>, &'static str) {
        let mut types: Vec<&str> = signature.params.iter().map(|param| self.native_type(&param.ty)).collect();
        match self.crossing(&signature.ret) {
            Crossing::Number(_) => (types, self.native_type(&signature.ret)),
            _ if signature.ret == Ty::Unit => (types, "void"),
            Crossing::Memory | Crossing::Nothing => {
                types.push("long");
                (types, "void")
            }
        }
    }

    /// The class of the native methods.
    pub fn native_calls(&self, functions: &[&'a Function], interfaces: &[Interface<'a>]) -> File {
        let mut lines = Lines::default();
        lines.line(super::classes::MADE);
        lines.line(format!("package {};", self.package));
        lines.blank();
        lines.line("/** What the glue library does. Structs are passed by the addresses of their bytes. */");
        lines.open(format!("final class {CALLS}"));
        lines.open("static");
        lines.line("NativeLibrary.load();");
        lines.close();
        lines.blank();
        lines.open(format!("private {CALLS}()"));
        lines.close();
        for function in functions {
            let (mut types, ret) = self.native_types(&function.signature);
            types.extend(function.fallible.then_some("long"));
            native(&mut lines, ret, &format!("call_{}", function.name), &types);
        }
        for item in &self.api.statics {
            native(&mut lines, "long", &format!("static_{}", item.name), &[]);
        }
        for (index, interface) in interfaces.iter().enumerate() {
            if self.callable(interface.signature) {
                let (types, ret) = self.native_types(interface.signature);
                let types: Vec<&str> = std::iter::once("long").chain(types).collect();
                native(&mut lines, ret, &format!("callback_{index}"), &types);
            }
        }
        lines.close();
        File::new(self.path(CALLS), lines.finish())
    }

    /// The glue crate, below `jni/`.
    pub fn jni_files(&self, functions: &[&'a Function], interfaces: &[Interface<'a>]) -> Vec<File> {
        let mut lib = Lines::default();
        lib.line(glue::HEADER.trim_end());
        lib.line(format!("//! What the Java classes of {} call.", self.package));
        lib.blank();
        lib.line("#![allow(clippy::all, improper_ctypes_definitions, non_snake_case)]");
        lib.blank();
        for module in ["callbacks", "mirror", "runtime", "table"] {
            lib.line(format!("mod {module};"));
        }
        lib.blank();
        lib.line("use jni_sys::*;");
        lib.line("use runtime::machine::{self, take};");
        lib.line("use runtime::{callback, natives};");
        lib.line("use table::table;");
        for (symbol, params, ret, call) in NATIVES {
            let class = format!("Java_{}_NativeLibrary_", mangle(&self.package));
            export(&mut lib, &symbol.replace("Java_", &class), params, ret, call);
        }
        for function in functions {
            self.jni_function(function, &mut lib);
        }
        for item in &self.api.statics {
            let symbol = self.jni_symbol(&format!("static_{}", item.name));
            let call = format!("table().{} as jlong", glue::ident(&item.name));
            export(&mut lib, &symbol, "_env: *mut JNIEnv, _class: jclass", " -> jlong", &call);
        }
        lib.blank();
        lib.open("unsafe fn release_failure(_failure: jlong)");
        if functions.iter().any(|function| function.fallible) {
            lib.line("// SAFETY: the caller has it from the library and gives it back once.");
            lib.line("unsafe { (table().upcall_failure_release)(_failure as *mut _) }");
        }
        lib.close();
        let mut callbacks = Lines::default();
        callbacks.line(glue::HEADER.trim_end());
        callbacks.line("//! Trampolines: what native code calls for a function of Java's.");
        callbacks.blank();
        callbacks.line("#![allow(clippy::all, improper_ctypes_definitions, unused_imports)]");
        callbacks.blank();
        callbacks.line("use super::mirror;");
        callbacks.line("use super::runtime::callback::{self, Callback, Target};");
        callbacks.line("use super::runtime::machine::{take, thrown};");
        callbacks.line(glue::TRAMPOLINE_USES.trim_end());
        callbacks.line("use super::runtime::stand_in::stand_in;");
        callbacks.line("use jni_sys::*;");
        for (index, interface) in interfaces.iter().enumerate() {
            if self.callable(interface.signature) {
                self.jni_call(index, interface.signature, &mut lib);
            }
            self.jni_callback(index, interface.signature, &mut callbacks);
        }
        callbacks.blank();
        callbacks.line(format!("pub static CALLBACKS: [Callback; {}] = [", interfaces.len()));
        for index in 0..interfaces.len() {
            callbacks
                .line(format!("    Callback {{ signature: &SIGNATURE_{index}, target: &TARGET_{index} }},"));
        }
        callbacks.line("];");
        let name = format!("{}_jni", self.api.library);
        let files = [
            ("Cargo.toml", glue::manifest(&name, "jni-sys = \"0.3\"\n")),
            ("src/lib.rs", lib.finish()),
            ("src/callbacks.rs", callbacks.finish()),
            ("src/mirror.rs", glue::mirror(self.api)),
            ("src/table.rs", glue::table(self.api, functions)),
        ];
        let files = files.into_iter().map(|(path, text)| File::new(path, text));
        let runtime =
            glue::runtime(&[upcall_glue::LIBRARY, upcall_glue::CALLBACKS, upcall_glue_jni::SOURCES]);
        below("jni".as_ref(), files.chain(runtime))
    }

    fn jni_symbol(&self, method: &str) -> String {
        format!("Java_{}_{CALLS}_{}", mangle(&self.package), mangle(method))
    }

    fn jni_function(&self, function: &'a Function, lib: &mut Lines) {
        let mut arguments = self.jni_arguments(&function.signature, 0);
        let (mut types, ret) = self.native_types(&function.signature);
        if function.fallible {
            arguments.push(format!("arg{} as *mut *mut _", types.len()));
            types.push("long");
        }
        let call = format!("(table().{})({})", glue::ident(&function.name), arguments.join(", "));
        self.jni_method(&format!("call_{}", function.name), &function.signature, &types, ret, &call, 0, lib);
    }

    #[expect(clippy::too_many_arguments, reason = "all of it is the shape of one function")]
    fn jni_method(
        &self,
        name: &str,
        signature: &'a Signature,
        types: &[&str],
        ret: &str,
        call: &str,
        first: usize,
        lib: &mut Lines,
    ) {
        let params: Vec<String> =
            types.iter().enumerate().map(|(index, ty)| format!(", arg{index}: j{ty}")).collect();
        let arrow = if ret == "void" { String::new() } else { format!(" -> j{ret}") };
        let result = first + signature.params.len();
        let body = match self.crossing(&signature.ret) {
            Crossing::Number(_) => format!("take({call})"),
            Crossing::Memory => {
                let ty = glue::rust_type(self.api, &signature.ret);
                format!("(arg{result} as *mut {ty}).write_unaligned({call})")
            }
            Crossing::Nothing => format!("let _ = {call};"),
        };
        let params = format!("_env: *mut JNIEnv, _class: jclass{}", params.concat());
        export(lib, &self.jni_symbol(name), &params, &arrow, &body);
    }

    /// The arguments from `arg<first>` on as the library takes them.
    fn jni_arguments(&self, signature: &'a Signature, first: usize) -> Vec<String> {
        let argument = |(index, ty): (usize, &'a Ty)| match self.crossing(ty) {
            Crossing::Number(_) => format!("take(arg{})", first + index),
            Crossing::Memory => {
                format!("(arg{} as *const {}).read_unaligned()", first + index, glue::rust_type(self.api, ty))
            }
            Crossing::Nothing => "core::mem::zeroed()".into(),
        };
        signature.params.iter().map(|param| &param.ty).enumerate().map(argument).collect()
    }

    /// The method that calls a native function of this kind.
    fn jni_call(&self, index: usize, signature: &'a Signature, lib: &mut Lines) {
        let (types, ret) = self.native_types(signature);
        let types: Vec<&str> = std::iter::once("long").chain(types).collect();
        let call = format!(
            "{{ let function: {} = take(arg0); function({}) }}",
            glue::callback_type(self.api, signature),
            self.jni_arguments(signature, 1).join(", ")
        );
        self.jni_method(&format!("callback_{index}"), signature, &types, ret, &call, 1, lib);
    }

    fn jni_callback(&self, index: usize, signature: &'a Signature, text: &mut Lines) {
        let ret = self.native_types(signature).1;
        text.blank();
        text.line(format!("static TARGET_{index}: Target = Target::new();"));
        text.blank();
        text.open(format!(
            "unsafe fn run_{index}(number: usize, {}){}",
            glue::parameters(self.api, signature),
            glue::arrow(self.api, signature)
        ));
        text.line("// SAFETY: the arguments live as long as the call; Java gives back what its method says.");
        text.open("unsafe");
        let rust_ret = glue::rust_type(self.api, &signature.ret);
        let other = self.api.stand_in(&signature.ret);
        text.line(format!(
            "let mut result = core::mem::MaybeUninit::new(stand_in::<{rust_ret}>(&{other:?}));"
        ));
        let cell = if signature.kept { "_" } else { "cell" };
        text.open(format!("callback::upcall(&TARGET_{index}, number, |env, class, method, {cell}|"));
        // All that are kept share what is called, which finds the function by the context.
        let cell = (!signature.kept).then(|| "jvalue { l: cell }".to_owned());
        let mut values: Vec<String> = cell.into_iter().collect();
        for (place, param) in signature.params.iter().enumerate() {
            values.push(match self.crossing(&param.ty) {
                Crossing::Number(carrier) => {
                    format!("jvalue {{ {}: take(a{place}) }}", letter(carrier).to_lowercase())
                }
                Crossing::Memory | Crossing::Nothing => {
                    format!("jvalue {{ j: &raw const a{place} as jlong }}")
                }
            });
        }
        if ret == "void" && signature.ret != Ty::Unit {
            values.push("jvalue { j: result.as_mut_ptr() as jlong }".into());
        }
        text.line(format!("let arguments = [{}];", values.join(", ")));
        let kind = match ret {
            "void" => "Void".to_owned(),
            ret => ret[..1].to_uppercase() + &ret[1..],
        };
        text.line(format!("let Some(call) = (**env).CallStatic{kind}MethodA else {{ return }};"));
        text.line("let value = call(env, class, method, arguments.as_ptr());");
        match ret {
            "void" => text.line("thrown(env);"),
            _ => {
                text.open("if !thrown(env)");
                text.line("result.write(take(value));");
                text.close();
            }
        }
        text.close_with("});");
        text.line("result.assume_init()");
        text.close();
        text.close();
        let context = signature.context.filter(|_| signature.kept);
        let trampoline = glue::trampoline(self.api, signature, context, index, &format!("run_{index}"));
        trampoline.lines().for_each(|line| text.line(line));
    }

    /// The JNI signature of a callback's `upcall`.
    pub fn upcall_signature(&self, signature: &'a Signature) -> String {
        let (types, ret) = self.native_types(signature);
        let types: String = types.iter().map(|ty| descriptor(ty)).collect();
        let cell = format!("L{}/NativeStubs$Cell;", self.package.replace('.', "/"));
        format!("({}{types}){}", if signature.kept { "" } else { &cell }, descriptor(ret))
    }
}

/// What the class `NativeLibrary` calls, behind its name: parameters, result and body.
const NATIVES: [(&str, &str, &str, &str); 8] = [
    ("JNI_OnLoad", "vm: *mut JavaVM, _: *mut std::ffi::c_void", " -> jint", "machine::loaded(vm)"),
    (
        "Java_open",
        "env: *mut JNIEnv, _class: jclass, path: jbyteArray",
        " -> jstring",
        "natives::open(env, path, |path| table::open(path).map(|_| ()))",
    ),
    (
        "Java_bufferAddress",
        "env: *mut JNIEnv, _class: jclass, buffer: jobject",
        " -> jlong",
        "natives::buffer_address(env, buffer)",
    ),
    (
        "Java_buffer",
        "env: *mut JNIEnv, _class: jclass, address: jlong, size: jlong",
        " -> jobject",
        "natives::buffer(env, address, size)",
    ),
    (
        "Java_release",
        "_env: *mut JNIEnv, _class: jclass, function: jlong, data: jlong, length: jlong, capacity: jlong",
        "",
        "natives::release(function, data, length, capacity)",
    ),
    (
        "Java_keptRelease",
        "env: *mut JNIEnv, _class: jclass, target: jclass",
        " -> jlong",
        "callback::release(env, target) as jlong",
    ),
    (
        "Java_releaseFailure",
        "_env: *mut JNIEnv, _class: jclass, failure: jlong",
        "",
        "release_failure(failure)",
    ),
    (
        "Java_stub",
        "env: *mut JNIEnv, _class: jclass, kind: jint, cell: jobject, target: jclass, signature: jstring",
        " -> jlong",
        "callback::stub(env, &callbacks::CALLBACKS[kind as usize], cell, target, signature).unwrap_or(0) as jlong",
    ),
];

/// A function that Java calls.
fn export(lib: &mut Lines, symbol: &str, params: &str, arrow: &str, body: &str) {
    lib.blank();
    lib.line("#[unsafe(no_mangle)]");
    lib.open(format!("pub unsafe extern \"system\" fn {symbol}({params}){arrow}"));
    lib.line("// SAFETY: what the library asks for is what its callers give.");
    lib.line(format!("unsafe {{ {body} }}"));
    lib.close();
}

fn native(lines: &mut Lines, ret: &str, name: &str, types: &[&str]) {
    let params: Vec<String> =
        types.iter().enumerate().map(|(index, ty)| format!("{ty} arg{index}")).collect();
    lines.blank();
    lines.line(format!("static native {ret} {name}({});", params.join(", ")));
}

fn descriptor(java: &str) -> &'static str {
    match java {
        "boolean" => "Z",
        "byte" => "B",
        "short" => "S",
        "int" => "I",
        "long" => "J",
        "float" => "F",
        "double" => "D",
        _ => "V",
    }
}

fn letter(carrier: Carrier) -> &'static str {
    match carrier {
        Carrier::Address => "J",
        carrier => descriptor(carrier.java()),
    }
}

/// A name within a JNI symbol.
fn mangle(name: &str) -> String {
    let mut mangled = String::with_capacity(name.len());
    for unit in name.encode_utf16() {
        match u8::try_from(unit).map(char::from) {
            Ok('.' | '/') => mangled.push('_'),
            Ok('_') => mangled.push_str("_1"),
            Ok(letter) if letter.is_ascii_alphanumeric() => mangled.push(letter),
            _ => mangled.push_str(&format!("_0{unit:04x}")),
        }
    }
    mangled
}
