//! csbindgen's Rust sources through our front end, and its example programs with the result.

use super::{checkout, compiler};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_bindgen::{Config, Diagnostics, generate};

/// One input of its `build.rs`: root files below `csbindgen-tests/src`, and what goes into the TOML file.
struct Source {
    files: &'static [&'static str],
    library: &'static str,
    class: &'static str,
    rust: &'static str,
    csharp: &'static str,
    /// How many functions the class has.
    functions: usize,
    /// What is left out and reported.
    left_out: &'static [&'static str],
}

const SOURCES: [Source; 9] = [
    Source {
        files: &["lib.rs", "others.rs"],
        library: "csbindgen_tests",
        class: "NativeMethods",
        rust: "except = ['LZ4*', 'XXH*', 'csbindgen_*']\ntypes = ['HogeMoge']\nconstants = ['FOO', 'BAR*', 'STR', 'C*', 'BOOL*']",
        csharp: "",
        functions: 55,
        // Its result is a tuple.
        left_out: &["(i32, i32)"],
    },
    Source {
        files: &["nested_module_test.rs"],
        library: "csbindgen_tests_nested_module",
        class: "NestedModuleTests",
        rust: "",
        csharp: "",
        functions: 3,
        left_out: &[],
    },
    Source {
        files: &["only_enums_and_structs.rs"],
        library: "only",
        class: "Only",
        rust: "types = ['Foo', 'Vec3']",
        csharp: "",
        functions: 0,
        left_out: &[],
    },
    Source {
        files: &["lz4.rs"],
        library: "csbindgen_tests",
        class: "LibLz4",
        rust: "functions = ['LZ4*']",
        csharp: "entry-point-prefix = 'csbindgen_'\naccessibility = 'public'\nlibrary-if = ['UNITY_IOS && !UNITY_EDITOR', '__Internal']",
        functions: 91,
        left_out: &[],
    },
    Source {
        files: &["zstd.rs"],
        library: "libzstd",
        class: "LibZstd",
        rust: "functions = ['ZSTD_*']",
        csharp: "",
        functions: 66,
        left_out: &[],
    },
    Source {
        files: &["sqlite3.rs"],
        library: "sqlite3",
        class: "LibSqlite3",
        rust: "functions = ['sqlite3_*']",
        csharp: "accessibility = 'public'",
        functions: 280,
        left_out: &[
            "sqlite3_config", "sqlite3_db_config", "sqlite3_mprintf", "sqlite3_snprintf",
            "sqlite3_test_control", "sqlite3_str_appendf", "sqlite3_log", "sqlite3_vtab_config",
        ],
    },
    Source {
        files: &["bullet3.rs"],
        library: "libbullet3",
        class: "LibBullet3",
        rust: "functions = ['b3*']",
        csharp: "",
        functions: 439,
        left_out: &[],
    },
    Source {
        files: &["libpng16.rs"],
        library: "libpng16",
        class: "LibPng16",
        rust: "",
        csharp: "namespace = 'PixivApi.ImageFile'",
        functions: 311,
        left_out: &[],
    },
    Source {
        files: &["physx/lib.rs"],
        library: "libphys",
        class: "LibPhysx",
        rust: "",
        csharp: "namespace = 'Physx'\nheader = '#if !FALSE'\nfooter = '#endif'",
        functions: 1926,
        left_out: &[],
    },
];

/// A copy of what is compiled: `lib.rs` with its modules, and PhysX's files where its `include!`s look for them.
fn copy() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let from = checkout();
    let cp = |what: &str, to: &str| {
        let to = copy.path().join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        let status = Command::new("cp").arg("-r").arg(from.join(what)).arg(to).status();
        assert!(status.unwrap().success(), "{what}");
    };
    cp("csbindgen", "csbindgen");
    cp("csbindgen-tests/src", "tests/src");
    cp("csbindgen-tests/c/lz4", "tests/lz4");
    cp("csbindgen-tests/src/physx/unix", "tests/src/physx/generated/unix");
    // Its own build script writes into the folder of the sources.
    let manifest = "[package]\nname = 'csbindgen-tests'\nversion = '0.1.0'\nedition = '2021'\n[lib]\n\
        crate-type = ['cdylib']\n[dependencies]\ncsbindgen = { path = '../csbindgen' }\nbitflags = '2.1.0'\n[workspace]\n";
    fs::write(copy.path().join("tests/Cargo.toml"), manifest).unwrap();
    let manifest = "[package]\nname = 'physx'\nversion = '0.1.0'\nedition = '2021'\n[lib]\npath = 'lib.rs'\n\
        [features]\nstructgen = []\n[dependencies]\nbitflags = '1.3'\n[workspace]\n";
    fs::write(copy.path().join("tests/src/physx/Cargo.toml"), manifest).unwrap();
    copy
}

impl Source {
    /// Writes the C# file and returns its path.
    fn bindings(&self, copy: &Path) -> PathBuf {
        let quoted = |path: PathBuf| format!("'{}'", path.display());
        let files: Vec<String> =
            self.files.iter().map(|file| quoted(copy.join("tests/src").join(file))).collect();
        let output = copy.join(format!("{}.cs", self.class));
        let text = format!(
            "library = '{}'\nskip-unsupported = true\n[rust]\nfiles = [{}]\n{}\n[csharp]\noutput = {}\nclass = '{}'\n\
             compatible = 'csbindgen'\nconstants = ['*']\n{}\n",
            self.library,
            files.join(", "),
            self.rust,
            quoted(output.clone()),
            self.class,
            self.csharp
        );
        let config = Config::parse(&text, copy).unwrap();
        let mut diagnostics = Diagnostics::default();
        let generated = generate(&config, &mut diagnostics);
        let said = diagnostics.render(false);
        let generated = generated.unwrap_or_else(|| panic!("{}: {said}", self.class));
        assert_eq!(diagnostics.list.len(), self.left_out.len(), "{}: {said}", self.class);
        for name in self.left_out {
            assert!(said.contains(&format!("`{name}`")), "{}: {name}: {said}", self.class);
        }
        generated.write().unwrap();
        let (functions, types) = (generated.apis[0].functions.len(), generated.apis[0].types.len());
        println!("{}: {functions} functions, {types} types", self.class);
        let variadic = generated.apis[0].functions.iter().filter(|one| one.signature.variadic).count();
        assert_eq!(functions - variadic, self.functions, "{}", self.class);
        output
    }
}

#[test]
#[ignore = "needs csbindgen's repository"]
fn every_rust_source_compiles_by_itself() {
    let copy = copy();
    for source in SOURCES {
        let bindings = source.bindings(copy.path());
        compiler::compile(copy.path(), source.class, "library", &[bindings])
            .unwrap_or_else(|error| panic!("{}: {error}", source.class));
    }
}

/// The shared libraries that its programs call.
fn build(copy: &Path) {
    let tests = copy.join("tests");
    let run = |command: &mut Command| assert!(command.current_dir(&tests).status().unwrap().success());
    run(Command::new("cc")
        .args(["-c", "-O1", "-fPIC", "lz4/lz4.c", "lz4/lz4hc.c", "lz4/lz4frame.c", "lz4/xxhash.c"]));
    run(Command::new("ar").args(["rcs", "liblz4.a", "lz4.o", "lz4hc.o", "lz4frame.o", "xxhash.o"]));
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["rustc", "--quiet", "--lib", "--target-dir"]).arg(copy.join("target"));
    run(cargo.args(["--", "-L", ".", "-l", "static=lz4", "--cap-lints", "allow"]));
    let name = "libcsbindgen_tests.so";
    fs::copy(copy.join("target/debug").join(name), copy.join(name)).unwrap();
    let mut rustc = Command::new("rustc");
    rustc.args([
        "--edition", "2021", "--crate-type", "cdylib", "--cap-lints", "allow", "src/nested_module_test.rs",
        "-o",
    ]);
    run(rustc.arg(copy.join("libcsbindgen_tests_nested_module.so")));
}

#[test]
#[ignore = "needs csbindgen's repository"]
fn its_programs_compile_with_its_generator_and_run() {
    let copy = copy();
    let folder = copy.path();
    build(folder);
    let mut bindings: Vec<PathBuf> = SOURCES.iter().map(|source| source.bindings(folder)).collect();
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/csbindgen");
    let roslyn = ["Microsoft.CodeAnalysis.dll", "Microsoft.CodeAnalysis.CSharp.dll"]
        .map(|name| compiler::roslyn().join(name));
    let sandbox = compiler::compile_with(folder, "sandbox", "exe", &[driver.join("Sandbox.cs")], &roslyn)
        .unwrap_or_else(|error| panic!("{error}"));
    for file in &roslyn {
        fs::copy(file, folder.join(file.file_name().unwrap())).unwrap();
    }
    let theirs = checkout().join("dotnet-sandbox");
    bindings.extend(["BindingGroupExtensions.cs", "asm.cs"].map(|name| theirs.join(name)));
    let generator = checkout().join("GroupedNativeMethodsGenerator/GroupedNativeMethodsGenerator.cs");
    for (main, expected) in [
        (
            theirs.join("Program.cs"),
            "foobarbaz:あいうえお\nあいうえお:foobarbaz\n[1, 10, 100, 255]\n30\n50\n",
        ),
        (driver.join("Uses.cs"), USES),
    ] {
        let program = folder.join("program.dll");
        let (framework, made) = (compiler::framework(), folder.join("made.txt"));
        let mut arguments =
            vec![framework.as_os_str(), generator.as_os_str(), program.as_os_str(), made.as_os_str()];
        arguments.extend(bindings.iter().map(|path| path.as_os_str()));
        arguments.push(main.as_os_str());
        let (code, said) = compiler::run_with(&sandbox, &arguments);
        assert_eq!(code, Some(0), "{said}");
        let made = fs::read_to_string(made).unwrap();
        println!("{}: its generator made {} methods", main.display(), made.matches("this ref").count());
        fs::copy(folder.join("sandbox.runtimeconfig.json"), folder.join("program.runtimeconfig.json"))
            .unwrap();
        let (code, output) = compiler::run(&program);
        assert_eq!((code, output.as_str()), (Some(0), expected), "{}", main.display());
    }
}

const USES: &str = "foo bar baz
foo bar baz
1 10 100
200 -1
10 49
True True False True 53
1, 2.5, 3
True
5
42
3
10904 116
aiueo3 あ Y
";
