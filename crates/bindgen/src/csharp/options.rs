use crate::section;
use std::collections::BTreeMap;

/// Options of the C# back end.
///
/// Each option of csbindgen's builder corresponds to one of these. [`Options::csbindgen`] sets them all to
/// csbindgen's defaults.
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
/// | the source's names of types, fields and constants, always | [`dotnet_names`](Options::dotnet_names) `= false` |
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// In a TOML section: where keys that are not written take their values from. In Rust,
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
    /// `public` or `internal`: the accessibility of every type and member.
    pub accessibility: String,
    /// The name for `DllImport`; empty for the library's own.
    pub library: String,
    /// A condition of the C# preprocessor, and the library's name where it holds
    /// (`UNITY_IOS && !UNITY_EDITOR`, `__Internal`).
    pub library_if: Option<(String, String)>,
    /// Whether to write the constant with the library's name; if not, another part of the same class has it.
    pub library_name: bool,
    /// Whether the environment variable `<LIBRARY>_LIBRARY` can name the library's file, as in the other languages; not
    /// without an idiomatic class. A program that sets a `DllImportResolver` of its own does without it.
    pub library_variable: bool,
    /// Prefix of each entry point.
    pub entry_point_prefix: String,
    /// Prefix of each plain function's name (and, without `entry_point_prefix`, of its entry point).
    pub method_prefix: String,
    /// Globs (`*` is any text) of the functions to write; empty for all.
    pub functions: Vec<String>,
    /// Globs of functions to leave out.
    pub except: Vec<String>,
    /// Globs of the constants to write; empty for none.
    pub constants: Vec<String>,
    /// Other names for types.
    pub rename: BTreeMap<String, String>,
    /// Whether a callback is `delegate* unmanaged[Cdecl]`. If not, it is a delegate type of its own (Unity),
    /// and there is no idiomatic class.
    pub function_pointers: bool,
    /// Whether address-sized integers are `nint` and `nuint`; `IntPtr` and `UIntPtr` if not.
    pub nint: bool,
    /// Whether `bool` is `[MarshalAs(UnmanagedType.U1)] bool`, which is marshalled; if not, one byte, with a
    /// `bool` property for a field.
    pub marshal_bool: bool,
    /// Whether a C `long` is `CLong` (.NET 6); `int` or `long` as on the measured target if not.
    pub c_long: bool,
    /// Whether text constants are `const string` alone and `char` constants `const char`; if not, the UTF-8 bytes
    /// stand beside the string, as `NAME_UTF8`, and a `char` is a `uint`.
    pub utf16_constants: bool,
    /// Whether types and members are named and placed as in .NET: types, fields, constants, variants and statics in
    /// Pascal case, a module's constants in a static class of its name, a type's in the type. If not, the source's
    /// names are kept and all constants are in [`class`](Options::class). Plain functions keep their names, and so do
    /// the structs of `upcall-abi` that are shown idiomatically, and what would get a name that another has.
    pub dotnet_names: bool,
    /// What is taken off the names of types, constants, variants and functions: of several that fit, the first. Plain
    /// functions keep their names.
    pub prefixes: Vec<String>,
    /// What releases handles of C: the function by the handle, both by their names in the source. The handle is a class
    /// then, and disposing it releases it.
    pub released: BTreeMap<String, String>,
    /// Whether functions whose first parameter points to a handle of [`released`](Options::released) are methods of its
    /// class.
    pub methods: bool,
    /// Whether private fields can be used too.
    pub private_fields: bool,
    /// Globs of functions to call without telling the garbage collector. That saves a few nanoseconds, for
    /// functions that neither block, nor call back, nor take longer than a microsecond.
    pub suppress_gc_transition: Vec<String>,
    /// Functions whose first argument points to a struct become its methods: `context->Insert(1)`.
    pub grouped: Option<Grouped>,
    /// The C# version that the file may use: 9 is the oldest, 11 has UTF-8 literals, 12 inline arrays.
    pub language: u32,
    /// Whether to write the types that all generated files share (`NativeException`, `NativeCallback`);
    /// if not, another file of the same namespace has them.
    pub support: bool,
    /// Whether packed types also have the attributes of Cysharp's MemoryPack, for programs that reference it and
    /// its generator; `MemoryPackSerializer` then reads and writes the same classes.
    pub memorypack: bool,
    /// Text before everything.
    pub header: String,
    /// Text after everything.
    pub footer: String,
}

/// Another generator, whose defaults apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compatible {
    /// [`Options::csbindgen`].
    Csbindgen,
}

/// How a grouped method's name is made from its function's.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Grouped {
    /// Removed from the start.
    pub remove_prefix: String,
    /// Removed from the end.
    pub remove_suffix: String,
    /// Whether everything up to and including the type's name is removed.
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
            library_variable: true,
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
            dotnet_names: true,
            prefixes: Vec::new(),
            released: BTreeMap::new(),
            methods: false,
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
    /// csbindgen's defaults.
    #[must_use]
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
            dotnet_names: false,
            private_fields: true,
            language: 9,
            ..Options::default()
        }
    }

    /// Whether a variable can name the library's file.
    pub(super) fn has_variable(&self) -> bool {
        self.library_variable && self.library_name && self.library_if.is_none() && self.idiomatic()
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
        macro_rules! take {
            ($($key:ident)*) => {$(
                if !written.contains(&stringify!($key).replace('_', "-")) {
                    self.$key = theirs.$key;
                }
            )*};
        }
        take!(namespace idiomatic_class accessibility except constants marshal_bool utf16_constants);
        take!(dotnet_names private_fields language);
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
