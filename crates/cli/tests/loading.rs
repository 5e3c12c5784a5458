//! What cannot be loaded: each error names the thing, the place and the way out, and nothing is run.

use crate::support::{Folder, GUESTS, built, code, fed, fixtures, pools, run, upcall};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

fn flow(guest: &str, file: &Path, class: &str) -> Folder {
    Folder::new(&(pools(&["/in", "/out"]) + &code(guest, file, class, "/in", "/out", "")))
}

/// Runs the flow, which must be refused with all of this said.
#[track_caller]
fn refused(folder: &Folder, prepare: impl Fn(&mut Command), said: &[&str]) {
    let mut command = upcall(&["run", &folder.path("flow.toml"), "--input", "/in=-"]);
    prepare(&mut command);
    let outcome = fed(&mut command, b"a\n");
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(1), ""), "{}", outcome.err);
    for said in said {
        assert!(outcome.err.contains(said), "{said:?} is not in:\n{}", outcome.err);
    }
}

fn as_it_is(_: &mut Command) {}

/// A library made of this Rust source, by the bare compiler.
fn compiled(folder: &Folder, name: &str, source: &str) -> PathBuf {
    let (from, to) = (folder.write(&format!("{name}.rs"), source), folder.path(&format!("lib{name}.so")));
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let made = Command::new(rustc)
        .args(["--edition", "2024", "--crate-type", "cdylib", "-C", "panic=abort", "-o", &to, &from])
        .status();
    assert!(made.unwrap().success());
    to.into()
}

#[test]
fn a_missing_file_is_not_taken_for_one_of_another_guest() {
    for (there, meant) in [("count.jar", false), ("cuont.dll", true)] {
        let folder = flow("csharp", Path::new("count.dll"), "Counter");
        folder.write(there, "");
        let outcome = run(&mut upcall(&["check", &folder.path("flow.toml")]));
        assert_eq!(outcome.err.contains("did you mean"), meant, "{}", outcome.err);
        assert_eq!(outcome.err.contains("build it first"), !meant, "{}", outcome.err);
    }
}

#[test]
fn a_missing_file_is_named() {
    for (guest, file) in GUESTS.into_iter().zip(["nowhere.so", "nowhere.dll", "nowhere.py"]) {
        let folder = flow(guest, Path::new(file), "Raises");
        let (file, flow) = (folder.path(file), folder.path("flow.toml"));
        for command in ["run", "check"] {
            let outcome = run(&mut upcall(&[command, &flow]));
            assert_eq!((outcome.code, outcome.out.as_str()), (Some(2), ""), "{}", outcome.err);
            for said in ["handler Raises on /in: there is no file nowhere.", &file, &format!("{flow}:9:10")] {
                assert!(outcome.err.contains(said), "{said:?} is not in:\n{}", outcome.err);
            }
        }
    }
}

#[test]
fn a_missing_class_is_named_with_those_that_are_there() {
    for guest in GUESTS {
        let folder = flow(guest, &fixtures(guest), "Sevnth");
        let file = fixtures(guest);
        let said = ["Sevnth", file.to_str().unwrap(), "Strays", "did you mean Seventh"];
        refused(&folder, as_it_is, &said);
    }
}

#[test]
fn a_python_type_that_is_not_its_pools_is_told_once() {
    let folder = flow("python", Path::new("takes.py"), "Takes");
    let handler = "\
from upcall import Emit, Object

class Takes:
    def on_object(self, obj: Object[int], emit: Emit) -> None: ...
";
    folder.write("takes.py", handler);
    refused(&folder, as_it_is, &["TypeError: pool /in has the type text, and the handler takes int"]);
    let outcome = run(&mut upcall(&["check", &folder.path("flow.toml"), "--load"]));
    assert_eq!(outcome.err.matches("the handler takes int").count(), 1, "{}", outcome.err);
}

#[test]
fn a_dll_that_is_not_dotnet_is_refused() {
    let folder = flow("csharp", Path::new("native.dll"), "Raises");
    fs::copy(fixtures("native"), folder.path("native.dll")).unwrap();
    let file = folder.path("native.dll");
    refused(&folder, as_it_is, &[&file, "it is not a .NET assembly", "name the .dll that the C# compiler"]);
}

#[test]
fn a_library_that_is_none_is_refused() {
    let folder = flow("native", Path::new("text.so"), "Raises");
    let file = folder.write("text.so", "no library\n");
    refused(&folder, as_it_is, &[&file, "not a library that loads here", "file too short", "build it for"]);
    let folder = flow("native", Path::new("libbare.so"), "Raises");
    let bare = compiled(&folder, "bare", "");
    refused(&folder, as_it_is, &[bare.to_str().unwrap(), "exports no UPCALL_GUEST", "upcall::handlers!"]);
}

#[test]
fn a_library_of_another_abi_is_refused() {
    let folder = flow("native", Path::new("libother.so"), "Raises");
    for (abi, table) in [
        (3, "#[unsafe(no_mangle)] pub static UPCALL_GUEST: [u64; 8] = [3, 0, 0, 0, 0, 0, 0, 0];"),
        (1, "#[unsafe(no_mangle)] pub static UPCALL_EXPORTS: [u16; 8] = [1, 0, 1, 0, 0, 0, 0, 0];"),
    ] {
        let other = compiled(&folder, "other", table);
        let differ = format!("built for ABI {abi}, this is ABI 2");
        refused(&folder, as_it_is, &[other.to_str().unwrap(), &differ, "build it again"]);
    }
}

#[test]
fn a_csharp_handler_of_another_abi_is_refused() {
    // A handler of the SDK's own tests writes the assembly.
    let folder = flow("csharp", &built("tests/Upcall.Tests.dll"), "Upcall.Tests.WritesAssembly");
    let other = folder.path("other.dll");
    let arguments = ["run", &folder.path("flow.toml"), "--input", "/in=-"];
    let outcome = fed(&mut upcall(&arguments), other.as_bytes());
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let folder = flow("csharp", Path::new(&other), "Raises");
    refused(&folder, as_it_is, &[&other, "built for ABI 3, this is ABI 2", "build it again"]);
}

#[test]
fn a_python_driver_of_another_abi_is_refused() {
    let folder = flow("python", &fixtures("python"), "Raises");
    let table = "#[unsafe(no_mangle)] pub static UPCALL_GUEST: [u64; 8] = [3, 0, 0, 0, 0, 0, 0, 0];";
    let other = compiled(&folder, "other", table);
    let said = [other.to_str().unwrap(), "built for ABI 3, this is ABI 2", "cargo xtask build"];
    let prepare = |command: &mut Command| {
        command.env("UPCALL_PYTHON_DRIVER", &other);
    };
    refused(&folder, prepare, &said);
}

/// Names the .NET that setup may have made for a home that is not the repository.
fn with_dotnet(command: &mut Command) {
    let made = built("Upcall.dll").parent().unwrap().parent().unwrap().join(".setup/dotnet");
    if made.is_dir() {
        command.env("DOTNET_ROOT", made);
    }
}

#[test]
fn an_sdk_of_another_abi_is_refused() {
    let folder = flow("csharp", &fixtures("csharp"), "Raises");
    let sdk = built("tests/other-abi/build/Upcall.dll");
    let home = sdk.parent().unwrap().parent().unwrap();
    let prepare = |command: &mut Command| {
        with_dotnet(command);
        command.env("UPCALL_HOME", home);
    };
    let said = [sdk.to_str().unwrap(), "built for ABI 3, this is ABI 2", "cargo xtask build"];
    refused(&folder, prepare, &said);
}

#[test]
fn an_sdk_that_is_not_there_is_named() {
    let folder = flow("csharp", &fixtures("csharp"), "Raises");
    let prepare = |command: &mut Command| {
        with_dotnet(command);
        command.env("UPCALL_HOME", folder.path(""));
    };
    refused(&folder, prepare, &[&folder.path("build/Upcall.dll"), "find Upcall.dll", "cargo xtask build"]);
}

#[test]
fn without_dotnet_every_place_is_named() {
    let folder = flow("csharp", &fixtures("csharp"), "Raises");
    let prepare = |command: &mut Command| {
        command.env_clear().env("PATH", "").env("UPCALL_HOME", folder.path(""));
    };
    let copy = folder.path(".setup/dotnet");
    let said =
        ["find .NET 8 or later", "DOTNET_ROOT: not set", "dotnet on PATH: none", &copy, "cargo xtask setup"];
    refused(&folder, prepare, &said);
}

#[test]
fn without_python_every_place_is_named() {
    let folder = flow("python", &fixtures("python"), "Raises");
    let prepare = |command: &mut Command| {
        command.env_clear().env("PATH", "").env("UPCALL_HOME", folder.path(""));
    };
    let venv = folder.path(".setup/venv/bin/python3");
    let said =
        ["find Python 3.11 or later", "VIRTUAL_ENV: not set", &venv, "python3 on PATH: none", "--python"];
    refused(&folder, prepare, &said);
}

#[test]
fn an_interpreter_without_its_library_is_told_how_to_get_it() {
    // What Debian's python3 answers where libpython3.11 is not installed, and what a static build does.
    let answer = "version=3.11.2\nimplementation=cpython\nexecutable=/usr/bin/python3\nhome=/usr\n";
    let debian = format!("{answer}free_threaded=0\nlibrary=/nowhere/libpython3.11.so.1.0");
    let fixed = format!("{answer}free_threaded=0");
    let (package, option) = ("apt-get install libpython3.11", "--enable-shared");
    for (answer, way_out) in [(debian, package), (fixed, option)] {
        let folder = flow("python", &fixtures("python"), "Raises");
        let python = folder.write("python3", format!("#!/bin/sh\ncat <<'END'\n{answer}\nEND\n"));
        fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:/usr/bin:/bin", folder.path(""));
        let prepare = |command: &mut Command| {
            command.env_clear().env("PATH", &path).env("UPCALL_HOME", folder.path(""));
        };
        refused(&folder, prepare, &[&python, "is Python 3.11.2", way_out]);
    }
}

#[test]
fn check_finds_what_cannot_be_loaded() {
    let folder = flow("csharp", &fixtures("csharp"), "Sevnth");
    let outcome = run(&mut upcall(&["check", &folder.path("flow.toml"), "--load"]));
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("did you mean Seventh"), "{}", outcome.err);
}
