//! A library of `#[upcall::export]` functions behind its C# bindings.

use bindgen_tests::{compiler, native, shapes};
use std::fs;
use std::path::Path;
use upcall_bindgen::csharp::{Options, generate};
use upcall_bindgen::model::*;
use upcall_bindgen::{Diagnostics, File, write};

const LIBRARY: &str = r#"
//! Ordinary Rust.

/// The mean of the values.
#[upcall::export]
pub fn mean(values: &[f32]) -> Result<f32, String> {
    if values.is_empty() {
        return Err("the mean of nothing".into());
    }
    Ok(values.iter().sum::<f32>() / values.len() as f32)
}

#[upcall::export]
pub fn greet(name: &str) -> String {
    if name == "nobody" {
        panic!("nobody is there");
    }
    format!("grüß dich, {name}")
}

#[upcall::export]
pub fn each(count: u32, visit: &dyn Fn(u32) -> u32) -> u64 {
    (0..count).map(|index| u64::from(visit(index))).sum()
}

pub struct Counter {
    count: i64,
}

#[upcall::export]
impl Counter {
    pub fn new(start: i64) -> Self {
        Counter { count: start }
    }

    pub fn add(&mut self, by: i64) -> i64 {
        self.count += by;
        self.count
    }

    pub fn visited(&mut self, visit: &dyn Fn(i64) -> i64) -> i64 {
        self.count = visit(self.count);
        self.count
    }
}
"#;

const PROGRAM: &str = r#"
using System;
using Exported;

internal static class Program
{
    private static string Thrown(Action action)
    {
        try { action(); return "nothing"; }
        catch (NativeException thrown) { return $"{thrown.Code} {thrown.Message}"; }
        catch (FormatException thrown) { return thrown.Message; }
    }

    private static void Main()
    {
        Console.WriteLine(Api.Mean(new float[] { 1, 2, 6 }));
        Console.WriteLine(Thrown(() => Api.Mean(default)));
        Console.WriteLine(Api.Greet("Ada"));
        Console.WriteLine(Thrown(() => Api.Greet("nobody")));
        Console.WriteLine(Thrown(() => Api.Greet(new byte[] { 0xff })));
        Console.WriteLine(Api.Each(4, index => index * 10));
        Console.WriteLine(Thrown(() => Api.Each(4, _ => throw new FormatException("from C#"))));
        using Counter counter = new(40);
        Console.WriteLine(counter.Add(2));
        Console.WriteLine(Thrown(() => counter.Visited(_ => counter.Add(1))).Split(' ')[0]);
        Console.WriteLine(counter.Add(0));
    }
}
"#;

const EXPECTED: &str = "3
1 the mean of nothing
grüß dich, Ada
-1 nobody is there
-2 argument `name`: the text is not UTF-8 at byte 0
60
from C#
42
-3
0
";

/// The front end's model of the library.
fn api() -> Api {
    let mut api = shapes::api();
    api.library = "exported".into();
    (api.constants, api.statics) = Default::default();
    let id = |name: &str| {
        let index = api.types.iter().position(|declared| declared.name == name).unwrap();
        TypeId(index as u32)
    };
    let named = |name: &str| Ty::Named(id(name));
    let counter = id("Counter");
    let handle = |owned| {
        Ty::Pointer(Pointer { to: Box::new(Ty::Named(counter)), mutable: true, nullable: false, owned })
    };
    let param = |name: &str, ty, context_of| Param { name: name.into(), ty, context_of, release_of: None };
    let callback = |number: Int| {
        let params = vec![param("context", Ty::context(), None), param("arg0", Ty::Int(number), None)];
        let signature = Signature { params, ret: Ty::Int(number), context: Some(0), ..Signature::default() };
        Ty::Function { signature: Box::new(signature), nullable: false }
    };
    let function = |name: &str, params: Vec<Param>, ret: Ty, member: Option<(Role, &str)>| Function {
        name: name.into(),
        symbol: name.into(),
        signature: Signature { params, ret, ..Signature::default() },
        fallible: !matches!(member, Some((Role::Release, _))),
        error: None,
        member: member.map(|(role, name)| Member { of: counter, role, name: name.into() }),
        docs: String::new(),
        deprecated: None,
        place: Place::default(),
        linkage: Linkage::Library,
    };
    let (i64, f32, u32) = (Ty::Int(Int::I64), Ty::Float(Float::F32), Ty::Int(Int::U32));
    let functions = vec![
        function("mean", vec![param("values", named("Slice_f32"), None)], f32, None),
        function("greet", vec![param("name", named("Str"), None)], named("Text"), None),
        function(
            "each",
            vec![
                param("count", u32, None),
                param("visit", callback(Int::U32), None),
                param("visit_context", Ty::context(), Some(1)),
            ],
            Ty::Int(Int::U64),
            None,
        ),
        function(
            "counter_new",
            vec![param("start", i64.clone(), None)],
            handle(true),
            Some((Role::Constructor, "new")),
        ),
        function(
            "counter_add",
            vec![param("self", handle(false), None), param("by", i64.clone(), None)],
            i64.clone(),
            Some((Role::Method, "add")),
        ),
        function(
            "counter_visited",
            vec![
                param("self", handle(false), None),
                param("visit", callback(Int::I64), None),
                param("visit_context", Ty::context(), Some(1)),
            ],
            i64,
            Some((Role::Method, "visited")),
        ),
        function(
            "counter_release",
            vec![param("counter", handle(true), None)],
            Ty::Unit,
            Some((Role::Release, "release")),
        ),
    ];
    Api { functions, ..api }
}

#[test]
fn exported_functions_fail_with_their_own_words() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk/rust");
    let manifest = format!(
        "[package]\nname = \"exported\"\nedition = \"2024\"\n[lib]\ncrate-type = [\"cdylib\"]\n[dependencies]\nupcall = {{ path = {:?} }}\n[workspace]\n",
        sdk.canonicalize().unwrap()
    );
    let files = [File::new("Cargo.toml", manifest), File::new("src/lib.rs", LIBRARY)];
    write(&[(folder.path().join("exported"), files.to_vec())]).unwrap();
    native::build(&folder.path().join("exported"), "exported", folder.path());
    let mut diagnostics = Diagnostics::default();
    let files = generate(&api(), &Options::default(), &mut diagnostics);
    assert!(!diagnostics.failed(), "{}", diagnostics.render(false));
    let sources = [("bindings.cs", files[0].text.as_str()), ("Main.cs", PROGRAM)].map(|(name, text)| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    });
    let program =
        compiler::compile(folder.path(), "program", "exe", &sources).unwrap_or_else(|e| panic!("{e}"));
    let (code, output) = compiler::run(&program);
    // The panic goes through the hook too.
    let lines = output.lines().filter(|line| !line.starts_with("note:") && !line.is_empty());
    let output: String = lines.take(EXPECTED.lines().count()).map(|line| format!("{line}\n")).collect();
    assert_eq!((code, output.as_str()), (Some(0), EXPECTED));
}
