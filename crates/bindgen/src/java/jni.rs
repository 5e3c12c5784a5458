//! The glue crate that JNI calls: one native method for each function, and trampolines for callbacks.

use super::callback::Interface;
use super::lines::Lines;
use super::scalar::{Carrier, Scalar};
use super::surface::{Java, Kind};
use crate::File;
use crate::glue;
use crate::model::{Function, Signature, Ty};
use std::path::PathBuf;

/// How many functions one callback may stand for at a time.
pub(super) const TRAMPOLINES: usize = 64;

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
        lib.line("#![allow(clippy::all, improper_ctypes_definitions, non_snake_case, unused)]");
        lib.blank();
        for module in ["java", "mirror", "stand_in", "table"] {
            lib.line(format!("mod {module};"));
        }
        lib.blank();
        lib.line("use jni_sys::*;");
        lib.line("use table::table;");
        for function in functions {
            self.jni_function(function, &mut lib);
        }
        for item in &self.api.statics {
            let symbol = self.jni_symbol(&format!("static_{}", item.name));
            lib.blank();
            lib.line("#[unsafe(no_mangle)]");
            lib.open(format!(
                "pub extern \"system\" fn {symbol}(_env: *mut JNIEnv, _class: jclass) -> jlong"
            ));
            lib.line(format!("table().{} as jlong", glue::ident(&item.name)));
            lib.close();
        }
        lib.blank();
        lib.open("unsafe fn release_failure(failure: jlong)");
        if functions.iter().any(|function| function.fallible) {
            lib.line("// SAFETY: the caller has it from the library and gives it back once.");
            lib.line("unsafe { (table().upcall_failure_release)(failure as *mut _) }");
        }
        lib.close();
        for (index, interface) in interfaces.iter().enumerate() {
            self.jni_callback(index, interface, &mut lib);
        }
        lib.blank();
        lib.line(format!("static CALLBACKS: [java::Callback; {}] = [", interfaces.len()));
        for index in 0..interfaces.len() {
            lib.line(format!(
                "    java::Callback {{ target: &callback_{index}::TARGET, \
                 address: |slot| callback_{index}::TRAMPOLINES[slot] as usize }},"
            ));
        }
        lib.line("];");
        let class = format!("Java_{}_NativeLibrary", mangle(&self.package));
        let java = include_str!("runtime/jni/java.rs.in")
            .replace("@CLASS@", &class)
            .replace("@TRAMPOLINES@", &TRAMPOLINES.to_string());
        let name = format!("{}_jni", self.api.library);
        let files = [
            ("Cargo.toml", glue::manifest(&name, "jni-sys = \"0.3\"\n")),
            ("src/lib.rs", lib.finish()),
            ("src/java.rs", format!("{}{java}", glue::HEADER)),
            ("src/mirror.rs", glue::mirror(self.api)),
            ("src/stand_in.rs", format!("{}{}", glue::HEADER, glue::STAND_IN)),
            ("src/table.rs", glue::table(self.api, functions)),
        ];
        files.into_iter().map(|(path, text)| File::new(PathBuf::from("jni").join(path), text)).collect()
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
            Crossing::Number(_) => format!("java::take({call})"),
            Crossing::Memory => {
                let ty = glue::rust_type(self.api, &signature.ret);
                format!("(arg{result} as *mut {ty}).write_unaligned({call})")
            }
            Crossing::Nothing => format!("let _ = {call};"),
        };
        lib.blank();
        lib.line("#[unsafe(no_mangle)]");
        lib.open(format!(
            "pub unsafe extern \"system\" fn {}(_env: *mut JNIEnv, _class: jclass{}){arrow}",
            self.jni_symbol(name),
            params.concat()
        ));
        lib.line("// SAFETY: what the library asks for is what its callers give.");
        lib.line(format!("unsafe {{ {body} }}"));
        lib.close();
    }

    /// The arguments from `arg<first>` on as the library takes them.
    fn jni_arguments(&self, signature: &'a Signature, first: usize) -> Vec<String> {
        let argument = |(index, ty): (usize, &'a Ty)| match self.crossing(ty) {
            Crossing::Number(_) => format!("java::take(arg{})", first + index),
            Crossing::Memory => {
                format!("(arg{} as *const {}).read_unaligned()", first + index, glue::rust_type(self.api, ty))
            }
            Crossing::Nothing => "core::mem::zeroed()".into(),
        };
        signature.params.iter().map(|param| &param.ty).enumerate().map(argument).collect()
    }

    fn jni_callback(&self, index: usize, interface: &Interface<'a>, lib: &mut Lines) {
        let signature = interface.signature;
        let (types, ret) = self.native_types(signature);
        let function = glue::callback_type(self.api, signature);
        if self.callable(signature) {
            let types: Vec<&str> = std::iter::once("long").chain(types.iter().copied()).collect();
            let arguments: Vec<String> = self.jni_arguments(signature, 1);
            let call = format!(
                "{{ let function: {function} = java::take(arg0); function({}) }}",
                arguments.join(", ")
            );
            self.jni_method(&format!("callback_{index}"), signature, &types, ret, &call, 1, lib);
        }
        let rust = |ty: &Ty| glue::rust_type(self.api, ty);
        let params: Vec<String> = signature
            .params
            .iter()
            .enumerate()
            .map(|(index, param)| format!("arg{index}: {}", rust(&param.ty)))
            .collect();
        let arrow =
            if signature.ret == Ty::Unit { String::new() } else { format!(" -> {}", rust(&signature.ret)) };
        lib.blank();
        lib.line(format!("/// Trampolines of `{}`.", interface.name));
        lib.open(format!("mod callback_{index}"));
        lib.line("use super::{java, mirror, stand_in};");
        lib.line("use jni_sys::*;");
        lib.blank();
        lib.line("pub static TARGET: java::Target = java::Target::new();");
        lib.blank();
        let params = params.join(", ");
        lib.open(format!("unsafe extern \"C\" fn trampoline<const SLOT: usize>({params}){arrow}"));
        lib.line("// SAFETY: the arguments live as long as the call; Java gives back what its method says.");
        lib.open("unsafe");
        let rust_ret = if signature.ret == Ty::Unit { "()".into() } else { rust(&signature.ret) };
        let other = self.api.stand_in(&signature.ret);
        lib.line(format!(
            "let mut result = core::mem::MaybeUninit::new(stand_in::stand_in::<{rust_ret}>(&{other:?}));"
        ));
        lib.open("java::upcall(&TARGET, SLOT, |env, class, method, cell|");
        let mut values = vec!["jvalue { l: cell }".to_owned()];
        for (index, param) in signature.params.iter().enumerate() {
            values.push(match self.crossing(&param.ty) {
                Crossing::Number(carrier) => {
                    format!("jvalue {{ {}: java::take(arg{index}) }}", letter(carrier).to_lowercase())
                }
                Crossing::Memory | Crossing::Nothing => {
                    format!("jvalue {{ j: &raw const arg{index} as jlong }}")
                }
            });
        }
        let by_address = ret == "void" && signature.ret != Ty::Unit;
        if by_address {
            values.push("jvalue { j: result.as_mut_ptr() as jlong }".into());
        }
        lib.line(format!("let arguments = [{}];", values.join(", ")));
        let kind = match ret {
            "void" => "Void".to_owned(),
            ret => ret[..1].to_uppercase() + &ret[1..],
        };
        lib.line(format!("let Some(call) = (**env).CallStatic{kind}MethodA else {{ return }};"));
        lib.line("let value = call(env, class, method, arguments.as_ptr());");
        match ret {
            "void" => lib.line("java::thrown(env);"),
            _ => {
                lib.open("if !java::thrown(env)");
                lib.line("result.write(java::take(value));");
                lib.close();
            }
        }
        lib.close_with("});");
        lib.line("result.assume_init()");
        lib.close();
        lib.close();
        lib.blank();
        let all: Vec<String> = (0..TRAMPOLINES).map(|slot| format!("trampoline::<{slot}>")).collect();
        lib.line(format!("pub static TRAMPOLINES: [{function}; java::SLOTS] ="));
        lib.line(format!("    [{}];", all.join(", ")));
        lib.close();
    }

    /// The JNI signature of a callback's `upcall`.
    pub fn upcall_signature(&self, signature: &'a Signature) -> String {
        let (types, ret) = self.native_types(signature);
        let types: String = types.iter().map(|ty| descriptor(ty)).collect();
        format!("(L{}/NativeStubs$Cell;{types}){}", self.package.replace('.', "/"), descriptor(ret))
    }
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
