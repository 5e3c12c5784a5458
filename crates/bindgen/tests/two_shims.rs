//! A header whose functions need both libraries beside the real one: inline functions, compiled from `shims.c`,
//! and functions that take by pointer what a language cannot pass by value, compiled from Rust.
#![cfg(feature = "c")]

use bindgen_tests::{compiler, java, native};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_bindgen::model::Api;
use upcall_bindgen::{Diagnostics, File, c, csharp};

const HEADER: &str = "
typedef struct { _Alignas(16) double x; double y; } wide;
wide wide_twice(wide value);
#ifdef TWO_SIZE
static inline int doubled(int value) { return TWO_SIZE(TWO_NAMES) == 7 ? 2 * value : 0; }
#endif
static inline wide wide_swapped(wide value) { wide other = { value.y, value.x }; return other; }
";

const SOURCE: &str = "
#include \"two.h\"
wide wide_twice(wide value) { wide twice = { 2 * value.x, 2 * value.y }; return twice; }
";

/// The model, with the real library and the one from `shims.c` in `folder`.
fn two(folder: &Path) -> Api {
    let header = folder.join("two.h");
    fs::write(&header, HEADER).unwrap();
    fs::write(folder.join("two.c"), SOURCE).unwrap();
    let define = vec!["TWO_SIZE(x)=sizeof(x)".into(), "TWO_NAMES=\"a*/b'c\"".into()];
    let include = vec![folder.join("of all */kinds")];
    let input =
        c::Input { library: "two".into(), headers: vec![header], define, include, ..c::Input::default() };
    let mut diagnostics = Diagnostics::default();
    let api = c::read(&input, &mut diagnostics).unwrap_or_else(|| panic!("{}", diagnostics.render(false)));
    let shims = c::shims(&input, &api);
    fs::write(folder.join(&shims[0].path), &shims[0].text).unwrap();
    // As its first lines say.
    let said = shims[0].text.lines().find_map(|line| line.trim().strip_suffix(" */")).unwrap();
    for command in ["cc -shared -fPIC -o libtwo.so two.c", said] {
        let mut shell = Command::new("sh");
        assert!(shell.args(["-c", command]).current_dir(folder).status().unwrap().success(), "{command}");
    }
    api
}

fn place(folder: &Path, files: &[File]) {
    for file in files {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &file.text).unwrap();
    }
}

const CSHARP: &str = r#"
using Two;

internal static unsafe class Program
{
    private static void Main(string[] arguments)
    {
        if (arguments is ["inline"])
        {
            System.Console.WriteLine(NativeMethods.doubled(21));
            return;
        }
        Wide value = new() { X = 1, Y = 2 }, result;
        NativeMethods.wide_twice(&value, &result);
        System.Console.Write($"{NativeMethods.doubled(21)} {result.X} {result.Y}");
        NativeMethods.wide_swapped(&value, &result);
        System.Console.WriteLine($" {result.X} {result.Y}");
    }
}
"#;

#[test]
fn csharp_finds_inline_functions_and_pointer_shims_in_libraries_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let api = two(folder.path());
    let options = csharp::Options { file: "Two.cs".into(), ..csharp::Options::default() };
    let mut diagnostics = Diagnostics::default();
    place(folder.path(), &csharp::generate(&api, &options, &mut diagnostics));
    assert!(!diagnostics.failed(), "{}", diagnostics.render(false));
    native::build(&folder.path().join("two_shim"), "two_shim", folder.path());
    let main = folder.path().join("Main.cs");
    fs::write(&main, CSHARP).unwrap();
    let sources: [PathBuf; 2] = [folder.path().join("Two.cs"), main];
    let program = compiler::compile(folder.path(), "program", "exe", &sources);
    let (code, output) = compiler::run(&program.unwrap_or_else(|error| panic!("{error}")));
    assert_eq!((code, output.as_str()), (Some(0), "42 2 4 2 1\n"), "{output}");

    // Elsewhere, with the library named: first all three, then the library alone.
    let other = tempfile::tempdir().unwrap();
    let rename = |file: &str, from: &Path, to: &Path| fs::rename(from.join(file), to.join(file)).unwrap();
    let made = ["libtwo_shim.so", "libtwo_inline.so"];
    made.iter().for_each(|file| rename(file, folder.path(), other.path()));
    rename("libtwo.so", folder.path(), other.path());
    let program = folder.path().join("program.dll");
    let named = || {
        let mut command = compiler::started(&program);
        command.env("TWO_LIBRARY", other.path().join("libtwo.so"));
        command
    };
    assert_eq!(compiler::said(&mut named()), (Some(0), "42 2 4 2 1\n".into()));
    made.iter().for_each(|file| rename(file, other.path(), folder.path()));
    assert_eq!(compiler::said(&mut named()), (Some(0), "42 2 4 2 1\n".into()));

    // Users build it themselves, of a file that they may not have noticed.
    fs::remove_file(folder.path().join("libtwo_inline.so")).unwrap();
    for (mut command, looked) in [(compiler::started(&program), folder.path()), (named(), other.path())] {
        let (_, said) = compiler::said(command.arg("inline"));
        let file = looked.join("libtwo_inline.so").display().to_string();
        assert!(said.contains(&file) && said.contains("build it from the bindings' shims.c"), "{said}");
    }
}

#[test]
fn bindings_of_two_libraries_in_one_csharp_assembly_are_both_found_where_their_variables_say() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (name, number) in [("first", 1), ("second", 2)] {
        fs::write(path(&format!("{name}.h")), format!("int {name}_number(void);")).unwrap();
        fs::write(path(&format!("{name}.c")), format!("int {name}_number(void) {{ return {number}; }}"))
            .unwrap();
        let input = c::Input {
            library: name.into(),
            headers: vec![path(&format!("{name}.h"))],
            ..c::Input::default()
        };
        let api = c::read(&input, &mut Diagnostics::default()).unwrap();
        let options = csharp::Options { file: format!("{name}.cs"), ..csharp::Options::default() };
        place(folder.path(), &csharp::generate(&api, &options, &mut Diagnostics::default()));
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-fPIC", "-o"])
            .args([path(&format!("{name}-built")), path(&format!("{name}.c"))]);
        assert!(cc.status().unwrap().success());
    }
    let main = "System.Console.WriteLine(First.NativeMethods.first_number() + Second.NativeMethods.second_number());";
    fs::write(path("Main.cs"), main).unwrap();
    let sources = ["first.cs", "second.cs", "Main.cs"].map(path);
    let program = compiler::compile(folder.path(), "program", "exe", &sources);
    let mut command = compiler::started(&program.unwrap_or_else(|error| panic!("{error}")));
    command.env("FIRST_LIBRARY", path("first-built")).env("SECOND_LIBRARY", path("second-built"));
    assert_eq!(compiler::said(&mut command), (Some(0), "3\n".into()));
}

const JAVA: &str = "
import java.lang.foreign.Arena;
import two.Two;
import two.Wide;

final class Main {
    public static void main(String[] arguments) {
        try (Arena arena = Arena.ofConfined()) {
            Wide value = Wide.allocate(arena);
            value.x(1.0);
            value.y(2.0);
            Wide twice = Two.wideTwice(arena, value);
            Wide swapped = Two.wideSwapped(arena, value);
            System.out.println(Two.doubled(21) + \" \" + twice.x() + \" \" + swapped.x());
        }
    }
}
";

#[test]
fn java_finds_inline_functions_and_pointer_shims_in_libraries_of_their_own() {
    let Some(jdk) = java::ffm() else { return };
    let folder = java::folder("two");
    let api = two(&folder);
    let options = upcall_bindgen::java::Options::default();
    let mut diagnostics = Diagnostics::default();
    java::place(&folder, &upcall_bindgen::java::generate(&api, &options, &mut diagnostics));
    assert!(!diagnostics.failed(), "{}", diagnostics.render(false));
    java::cdylib(&folder.join("shim"), &folder.join("libtwo_shim.so"));
    java::place(&folder, &[File::new("Main.java", JAVA)]);
    java::compile(&jdk, &folder).unwrap_or_else(|said| panic!("{said}"));
    let library = format!("-Dtwo.library={}", folder.join("libtwo.so").display());
    assert_eq!(java::said(&java::run(&jdk, &folder, &[library.as_ref()])), "42 2.0 2.0\n");
    fs::remove_file(folder.join("libtwo_inline.so")).unwrap();
    let said = java::said(&java::run(&jdk, &folder, &[library.as_ref()]));
    assert!(said.contains("build it from the bindings' shims.c"), "{said}");
}
