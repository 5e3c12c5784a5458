//! Names with a meaning in one of the languages, everywhere a name can be, compiled by every compiler.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use upcall_bindgen::{Config, Diagnostics, Output, Stop, check, generate, rust};

/// Words of C#, Java, TypeScript, Python and C, and of the code generated in them.
const WORDS: &str = "
    unmanaged record var dynamic nint file scoped required field managed notnull await async partial where yield
    allows extension value get set init add remove global nameof when with and or not args string object params
    sealed permits Object String exports module open requires to uses Math Thread Override Record
    any Buffer undefined arguments eval type declare namespace require number symbol never unknown bigint is infer
    keyof asserts readonly unique using of Symbol Array Map Promise Function Date process NaN accessor
    satisfies globalThis addressOf View Pointer
    print match case int len float bytes list dict tuple range isinstance property
    memoryview Any Union Optional Callable annotations ctypes enum IntEnum os sys lambda def pass del from global
    EOF NULL errno stdin signed unsigned uint8_t INT_MAX assert asm typeof linux NAN offsetof thread_local SEEK_SET
    Option Result Vec Box Copy Clone Drop Default Obj c_void core std
    event lock class function interface double default package toString hashCode wait notify finalize
    equals constructor prototype length name release released dispose close __proto__ then next iterator
    result returned segment arena cell mark scratch thrown allocator context memory library
    Span
    größe Größe_ straße π 名前 é
";

/// Words that once broke something as the name of a type.
const TYPES: [&str; 7] = ["unmanaged", "nint", "var", "dynamic", "len", "std", "straße"];

/// Words that need `r#` to be Rust names.
fn raw(word: &str) -> String {
    syn::parse_str::<syn::Ident>(word).map_or_else(|_| format!("r#{word}"), |ident| ident.to_string())
}

/// A package whose types, functions, constants, parameters, fields and variants have these names. Types,
/// functions and constants share one namespace in most languages, so each word is only one of them.
fn package(folder: &Path, words: &[&str]) -> PathBuf {
    let sdk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk/rust");
    let manifest = format!(
        "[package]\nname = \"names\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         [lib]\ncrate-type = [\"cdylib\"]\n[workspace]\n[dependencies]\nupcall = {{ path = {sdk:?} }}\n"
    );
    let mut source = String::from(
        "#![allow(deprecated, unused, non_camel_case_types, non_upper_case_globals, non_snake_case)]\n",
    );
    let all = |text: &dyn Fn(usize, &str) -> String| -> String {
        words.iter().enumerate().map(|(index, word)| text(index, &raw(word))).collect()
    };
    let fields = all(&|_, word| format!("pub {word}: u8, "));
    let variants = all(&|_, word| format!("{word}, "));
    let tagged = all(&|_, word| format!("{word}(u16, u8), "));
    let flags = all(&|at, word| format!("pub const {word}: Bits = Bits({at}); "));
    let _ = write!(
        source,
        "#[repr(C)] pub struct Fields {{ {fields} }}\n\
         #[repr(u16)] pub enum Variants {{ {variants} }}\n\
         #[repr(C)] pub enum Data {{ {tagged} }}\n\
         #[repr(transparent)] pub struct Bits(pub u32);\nimpl Bits {{ {flags} }}\n\
         #[unsafe(no_mangle)] pub extern \"C\" fn bodies(a: &Fields, b: Variants, c: &Data, d: Bits) {{}}\n"
    );
    let parameters = all(&|_, word| format!("{word}: i32, "));
    let _ = writeln!(
        source,
        "mod far {{ #[upcall::export] pub fn everything({parameters}) -> Result<i32, String> {{ Ok(1) }} }}"
    );
    let methods = all(&|_, word| match word {
        "release" => String::new(),
        _ => format!("pub fn {word}(&self, {word}: u32) -> u32 {{ {word} }} "),
    });
    let _ = writeln!(
        source,
        "mod handles {{ pub struct Owner; #[upcall::export] impl Owner {{ pub fn new() -> Owner {{ Owner }} {methods} }} }}"
    );
    // Names that changing case and escaping make equal.
    source += "mod apart { #[unsafe(no_mangle)] pub extern \"C\" fn pairs(\
        class: i8, class_: i16, r#in: i32, in_: i64, Buffer: u8, buffer: u16, Buffer_: u32, a_b: u64, aB: f32,\
        call: extern \"C\" fn(class: i8, class_: i16, a_b: i32, aB: i64), _x: i32, x: i32) {} }\n";
    for (index, word) in words.iter().enumerate() {
        let name = raw(word);
        let kind = if TYPES.contains(word) { 0 } else { index % 4 };
        let _ = match kind {
            0 => writeln!(
                source,
                "#[repr(C)] pub struct {name} {{ pub {name}: u32 }}\n\
                 #[unsafe(no_mangle)] pub extern \"C\" fn take_{index}({name}: &{name}, by: {name}) -> u32 {{ by.{name} }}"
            ),
            // `no_mangle` takes ASCII only.
            1 => writeln!(
                source,
                "#[unsafe(export_name = \"call_{index}\")] pub extern \"C\" fn {name}({name}: u32) -> u32 {{ {name} }}"
            ),
            2 => writeln!(source, "pub const {name}: u32 = {index};"),
            _ => writeln!(
                source,
                "pub type {name} = extern \"C\" fn({name}: u32) -> u32;\n\
                 #[unsafe(no_mangle)] pub extern \"C\" fn call_{index}({name}: {name}) -> u32 {{ {name}(1) }}"
            ),
        };
    }
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("it is written");
    let root = folder.join("src/lib.rs");
    let documented = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/names");
    source += "mod documented;\n";
    for name in ["documented.rs", "docs.md", "more.rs"] {
        std::fs::copy(documented.join(name), folder.join("src").join(name)).expect("it is copied");
    }
    std::fs::write(&root, source).expect("it is written");
    bindgen_tests::probed_with_others(folder);
    root
}

#[test]
fn words_of_every_language_are_names_in_every_language() {
    let mut seen = HashSet::new();
    let fresh = |word: &&str| seen.insert(word.trim_matches('_').to_lowercase());
    let words: Vec<&str> = WORDS.split_whitespace().filter(fresh).collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names");
    let root = package(&folder, &words);
    let out = folder.join("out");
    let config = Config {
        library: "names".into(),
        rust: Some(rust::Input { files: vec![root], ..rust::Input::default() }),
        csharp: Some(Output { output: out.join("Names.g.cs"), ..Output::default() }),
        python: Some(Output { output: out.clone(), ..Output::default() }),
        typescript: Some(Output { output: out.join("ts"), ..Output::default() }),
        java: Some(Output { output: out.join("java"), ..Output::default() }),
        header: Some(Output { output: out.join("names.h"), ..Output::default() }),
        ..Config::default()
    };
    let mut diagnostics = Diagnostics::default();
    let generated = generate(&config, &mut diagnostics);
    let said: Vec<String> = diagnostics.list.iter().map(ToString::to_string).collect();
    assert!(said.is_empty(), "{}", said.join("\n"));
    let generated = generated.expect("it was made");
    generated.write().expect("it is written");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check");
    let mut steps = String::new();
    let passed = check::run(&config, &generated, &folder, &Stop::default(), &mut |step| {
        let _ = writeln!(steps, "{step}");
    });
    assert!(passed, "{steps}");
}
