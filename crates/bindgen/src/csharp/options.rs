use crate::section;
use std::collections::BTreeMap;

/// What the C# back end may be told.
///
/// Coming from csbindgen, each option of its builder is one of these. [`Options::csbindgen`] sets them all to
/// what csbindgen does by default.
///
/// | csbindgen | here |
/// | --- | --- |
/// | `input_extern_file`, `input_bindgen_file` | the inputs of the front end; a C header is read directly |
/// | `method_filter` | [`functions`](Options::functions), [`except`](Options::except): globs |
/// | `always_included_types` | `types` of the Rust front end; a header's types are all taken |
/// | `rust_method_prefix`, `rust_method_type_path`, `rust_file_header` | not needed: no Rust wrapper is written |
/// | `csharp_namespace` | [`namespace`](Options::namespace) |
/// | `csharp_import_namespace` | [`using`](Options::using) |
/// | `csharp_class_name` | [`class`](Options::class) |
/// | `csharp_class_accessibility` | [`accessibility`](Options::accessibility) |
/// | `csharp_dll_name` | [`library`](Options::library) |
/// | `csharp_dll_name_if` | [`library_if`](Options::library_if) |
/// | `csharp_disable_emit_dll_name` | [`library_name`](Options::library_name) `= false` |
/// | `csharp_entry_point_prefix` | [`entry_point_prefix`](Options::entry_point_prefix) |
/// | `csharp_method_prefix` | [`method_prefix`](Options::method_prefix) |
/// | `csharp_use_function_pointer` | [`function_pointers`](Options::function_pointers) |
/// | `csharp_use_nint_types` | [`nint`](Options::nint) |
/// | `csharp_generate_const_filter` | [`constants`](Options::constants): globs |
/// | `csharp_type_rename` | [`rename`](Options::rename) |
/// | `csharp_file_header`, `csharp_file_footer` | [`header`](Options::header), [`footer`](Options::footer) |
/// | `generate_csharp_file(path)`, `generate_to_file(_, path)` | [`file`](Options::file) in the output folder |
/// | `[GroupedNativeMethods]` and its four parameters | [`grouped`](Options::grouped) |
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// In a TOML section: what the keys that are not written there are taken from. In Rust,
    /// [`Options::csbindgen`] is the value to begin with.
    pub compatible: Option<Compatible>,
    /// The file's name.
    pub file: String,
    /// The namespace; empty for the library's name in Pascal case.
    pub namespace: String,
    /// More namespaces to import.
    pub using: Vec<String>,
    /// The class of the plain functions.
    pub class: String,
    /// The class of the idiomatic functions (spans, strings, exceptions, delegates), which stands beside the
    /// plain one; empty to leave it out, and handles with it.
    pub idiomatic_class: String,
    /// `public` or `internal`: what every type and member is.
    pub accessibility: String,
    /// The name that `DllImport` gets; empty for the library's own.
    pub library: String,
    /// A symbol of the C# preprocessor, and the library's name where it holds
    /// (`UNITY_IOS && !UNITY_EDITOR`, `__Internal`).
    pub library_if: Option<(String, String)>,
    /// Whether the constant with the library's name is written; another part of the same class has it if not.
    pub library_name: bool,
    /// What stands before each entry point.
    pub entry_point_prefix: String,
    /// What stands before each plain function's name (and, without `entry_point_prefix`, its entry point).
    pub method_prefix: String,
    /// Globs (`*` is any text) of the functions to write; empty for all.
    pub functions: Vec<String>,
    /// Globs of functions to leave out.
    pub except: Vec<String>,
    /// Globs of the constants to write; empty for none.
    pub constants: Vec<String>,
    /// Other names for types.
    pub rename: BTreeMap<String, String>,
    /// Whether a callback is `delegate* unmanaged[Cdecl]`; a delegate type of its own if not (Unity), and
    /// then there is no idiomatic class.
    pub function_pointers: bool,
    /// Whether addresses' integers are `nint` and `nuint`; `IntPtr` and `UIntPtr` if not.
    pub nint: bool,
    /// Whether `bool` is `[MarshalAs(UnmanagedType.U1)] bool`, which is marshalled; one byte if not, with a
    /// property of type `bool` for a field.
    pub marshal_bool: bool,
    /// Whether a C `long` is `CLong` (.NET 6); `int` or `long` as on the measured target if not.
    pub c_long: bool,
    /// Whether text constants are `const string` and `char` constants `const char`; UTF-8 bytes and `uint`
    /// if not.
    pub utf16_constants: bool,
    /// Whether members are named and placed as .NET does it: fields, constants and variants in Pascal case, a
    /// module's constants in a static class of its name, a type's in the type. The source's names, and all
    /// constants in [`class`](Options::class), if not. The structs of `upcall-abi` that are shown
    /// idiomatically keep their names.
    pub dotnet_names: bool,
    /// Whether private fields can be used too.
    pub private_fields: bool,
    /// Globs of functions that are called without telling the garbage collector: a few nanoseconds less,
    /// for functions that neither block, nor call back, nor take longer than a microsecond.
    pub suppress_gc_transition: Vec<String>,
    /// Functions whose first argument points to a struct become its methods: `context->Insert(1)`.
    pub grouped: Option<Grouped>,
    /// The C# version that the file may use: 9 is the oldest, 11 has UTF-8 literals, 12 inline arrays.
    pub language: u32,
    /// Whether the types that all generated files share (`NativeException`, `NativeCallback`) are written;
    /// another file of the same namespace has them if not.
    pub support: bool,
    /// Whether packed types have the attributes of Cysharp's MemoryPack too, for programs that reference it and
    /// its generator: then `MemoryPackSerializer` reads and writes the same classes.
    pub memorypack: bool,
    /// Text before everything.
    pub header: String,
    /// Text behind everything.
    pub footer: String,
}

/// Another generator, whose defaults are to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compatible {
    /// [`Options::csbindgen`].
    Csbindgen,
}

/// How a grouped method's name is made of its function's.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Grouped {
    /// Taken off the start.
    pub remove_prefix: String,
    /// Taken off the end.
    pub remove_suffix: String,
    /// Whether all up to and with the type's name is taken off.
    pub remove_until_type_name: bool,
    /// Whether the name is changed at all.
    pub fix_method_name: bool,
}

impl Default for Grouped {
    fn default() -> Grouped {
        Grouped {
            remove_prefix: String::new(),
            remove_suffix: String::new(),
            remove_until_type_name: true,
            fix_method_name: true,
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            compatible: None,
            file: "NativeMethods.g.cs".into(),
            namespace: String::new(),
            using: Vec::new(),
            class: "NativeMethods".into(),
            idiomatic_class: "Api".into(),
            accessibility: "public".into(),
            library: String::new(),
            library_if: None,
            library_name: true,
            entry_point_prefix: String::new(),
            method_prefix: String::new(),
            functions: Vec::new(),
            except: Vec::new(),
            constants: vec!["*".into()],
            rename: BTreeMap::new(),
            function_pointers: true,
            nint: true,
            marshal_bool: false,
            c_long: true,
            utf16_constants: false,
            dotnet_names: false,
            private_fields: false,
            suppress_gc_transition: Vec::new(),
            grouped: None,
            language: 11,
            support: true,
            memorypack: false,
            header: String::new(),
            footer: String::new(),
        }
    }
}

impl Options {
    /// What csbindgen does when it is told nothing.
    pub fn csbindgen() -> Options {
        Options {
            compatible: Some(Compatible::Csbindgen),
            namespace: "CsBindgen".into(),
            idiomatic_class: String::new(),
            accessibility: "internal".into(),
            except: vec!["_*".into()],
            constants: Vec::new(),
            marshal_bool: true,
            utf16_constants: true,
            private_fields: true,
            language: 9,
            ..Options::default()
        }
    }

    /// Whether functions are shown idiomatically too.
    pub(super) fn idiomatic(&self) -> bool {
        self.function_pointers && !self.idiomatic_class.is_empty()
    }
}

impl section::Options for Options {
    fn complete(&mut self, written: &[String]) {
        let Some(Compatible::Csbindgen) = self.compatible else { return };
        let theirs = Options::csbindgen();
        let unset = |key: &str| !written.iter().any(|written| written == key);
        set(&mut self.namespace, theirs.namespace, unset("namespace"));
        set(&mut self.idiomatic_class, theirs.idiomatic_class, unset("idiomatic-class"));
        set(&mut self.accessibility, theirs.accessibility, unset("accessibility"));
        set(&mut self.except, theirs.except, unset("except"));
        set(&mut self.constants, theirs.constants, unset("constants"));
        set(&mut self.marshal_bool, theirs.marshal_bool, unset("marshal-bool"));
        set(&mut self.utf16_constants, theirs.utf16_constants, unset("utf16-constants"));
        set(&mut self.private_fields, theirs.private_fields, unset("private-fields"));
        set(&mut self.language, theirs.language, unset("language"));
    }
}

fn set<T>(own: &mut T, theirs: T, unset: bool) {
    if unset {
        *own = theirs;
    }
}

#[cfg(test)]
mod tests {
    use super::Options;
    use crate::Config;
    use std::path::Path;

    fn section(keys: &str) -> Options {
        let text = format!("library = 'x'\n[csharp]\noutput = 'x.cs'\n{keys}");
        Config::parse(&text, Path::new("")).unwrap().csharp.unwrap().options
    }

    #[test]
    fn a_section_can_begin_with_csbindgens_defaults() {
        assert_eq!(section("compatible = 'csbindgen'"), Options::csbindgen());
        let own = section("namespace = 'Own'\ncompatible = 'csbindgen'\nlanguage = 11\nconstants = ['*']");
        let constants = vec!["*".into()];
        let namespace = "Own".into();
        assert_eq!(own, Options { namespace, language: 11, constants, ..Options::csbindgen() });
        assert_eq!(section(""), Options::default());
    }
}
