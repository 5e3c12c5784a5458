//! `upcall new`, `build` and `test`: the walks of the READMEs as they are printed, and what is refused.

use crate::embedded::dotnet;
use crate::support::{built, root, run, upcall};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A walk of a README: what it shows of the project, its commands, and what they print at the end.
struct Walk {
    code: String,
    commands: Vec<String>,
    printed: Vec<String>,
}

/// The blocks of a README's section of this title.
fn walk(readme: &str, title: &str, code: &str) -> Walk {
    let text = fs::read_to_string(root().join(readme)).unwrap();
    let section = text.split(&format!("## {title}\n")).nth(1).expect("the section is there");
    let section = section.split("\n## ").next().unwrap();
    let blocks = |of: &str| -> Vec<String> {
        let begin = format!("```{of}\n");
        let blocks = section.split(&begin).skip(1);
        blocks.map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
    };
    let commands = blocks("sh");
    // What makes the command itself has been run before any test.
    assert!(commands[0].contains("cargo xtask build"), "{readme} does not say how to get the command");
    Walk { code: blocks(code).concat(), commands: commands[1..].to_vec(), printed: blocks("text") }
}

/// Walks through it in an empty folder: each block must print what is shown below it.
#[track_caller]
pub fn walked(readme: &str, code: &str, handler: &str) {
    let Walk { code, commands, printed } =
        walk(readme, "From an empty folder to a handler of your own", code);
    let folder = tempfile::tempdir().unwrap();
    let command = Path::new(env!("CARGO_BIN_EXE_upcall")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([command].into_iter().chain(std::env::split_paths(&path))).unwrap();
    assert_eq!(commands.len(), printed.len());
    let mut at = folder.path().to_owned();
    for (number, (block, printed)) in commands.iter().zip(&printed).enumerate() {
        // A shell that a user would have kept open.
        let script = format!("{block}\npwd > {}", folder.path().join("pwd").display());
        let mut shell = Command::new("bash");
        shell.args(["-euc", &script]).current_dir(&at).env("PATH", &path).env("CARGO_NET_OFFLINE", "true");
        shell.env("UPCALL_HOME", std::env::var_os("UPCALL_HOME").unwrap_or_else(|| root().into()));
        let outcome = run(shell.env_remove("CARGO_TARGET_DIR"));
        let (out, err) = (&outcome.out, &outcome.err);
        assert_eq!(outcome.code, Some(0), "{readme}, block {number}: {block}\n{out}\n{err}");
        assert!(out.ends_with(printed), "{readme}, block {number} prints something else:\n{out}\n{err}");
        if number == 0 {
            let written = fs::read_to_string(folder.path().join("hello").join(handler)).unwrap();
            let written = written.split("\n#[cfg(test)]").next().unwrap();
            assert_eq!(code, written, "{readme} shows another {handler}");
        }
        at = fs::read_to_string(folder.path().join("pwd")).unwrap().trim_end().into();
    }
}

#[test]
fn the_walk_of_the_csharp_readme_works_as_printed() {
    walked("sdk/csharp/README.md", "csharp", "Greeter.cs");
}

#[test]
fn the_walk_of_the_python_readme_works_as_printed() {
    walked("sdk/python/README.md", "python", "greeter.py");
}

#[test]
fn the_walk_of_the_node_readme_works_as_printed() {
    walked("sdk/node/README.md", "js", "greeter.mjs");
}

#[test]
fn the_walk_of_the_java_readme_works_as_printed() {
    walked("sdk/java/README.md", "java", "Greeter.java");
}

#[test]
fn the_walk_of_the_rust_readme_works_as_printed() {
    walked("sdk/rust/README.md", "rust", "src/lib.rs");
}

/// A project of its own, built, of two blocks of a README's section: the code of its only handler, and the flow's file.
#[track_caller]
fn project_of(readme: &str, title: &str, [language, name, handler]: [&str; 3]) -> Project {
    let text = fs::read_to_string(root().join(readme)).unwrap();
    let section = text.split(&format!("### {title}\n")).nth(1).expect("the section is there");
    let block = |of: &str| {
        let rest = section.split(&format!("```{of}\n")).nth(1).expect("the block is there");
        rest.split("```").next().unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let project = Project { path: folder.path().join(name), _folder: folder };
    let command = |arguments: &[&str], folder: &Path| {
        let outcome = run(upcall(arguments).current_dir(folder));
        assert_eq!(outcome.code, Some(0), "{readme}: {arguments:?}\n{}\n{}", outcome.out, outcome.err);
    };
    command(&["new", language, name], project.path().parent().unwrap());
    for made in fs::read_dir(project.path()).unwrap().map(|made| made.unwrap().path()) {
        if made.extension().is_some_and(|extension| ["cs", "py"].iter().any(|of| extension == *of)) {
            fs::remove_file(made).unwrap();
        }
    }
    fs::write(project.path().join(handler), block(language)).unwrap();
    fs::write(project.path().join("flow.toml"), block("toml")).unwrap();
    command(&["build"], project.path());
    project
}

#[test]
fn the_examples_of_the_java_readme_compile_and_those_without_a_class_run() {
    let text = fs::read_to_string(root().join("sdk/java/README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let imports =
        ["java.net.URI", "java.net.http.*", "java.net.http.HttpResponse.BodyHandlers", "java.util.*"];
    let imports = imports
        .into_iter()
        .chain(["java.util.concurrent.*", "upcall.*", "upcall.testing.*", "upcall.flow.Flow"]);
    let imports: String = imports.map(|name| format!("import {name};\n")).collect();
    let jdk = upcall_bindgen::java::jdk::find_oldest(17).unwrap();
    let mut javac = Command::new(jdk.tool("javac"));
    javac.args(["--release", "17", "-cp"]).arg(built("upcall.jar")).arg("-d").arg(folder.path());
    let blocks = text.split("```java\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut runs = Vec::new();
    for block in blocks {
        let class = block.split_once("class ").and_then(|(_, rest)| rest.split_once(' '));
        let (class, code) = match class {
            Some((class, _)) => (class.to_owned(), block.to_owned()),
            None => {
                let class = format!("Runs{}", runs.len());
                let main =
                    format!("public static void main(String[] arguments) throws Exception {{\n{block}}}");
                let code = format!("public class {class} {{\n{main}\n}}\n");
                runs.push(class.clone());
                (class, code)
            }
        };
        let file = folder.path().join(format!("{class}.java"));
        let imports = if code.starts_with("import") { "" } else { &imports };
        fs::write(&file, format!("{imports}{code}")).unwrap();
        javac.arg(file);
    }
    assert!(javac.status().unwrap().success());
    let classes = std::env::join_paths([folder.path(), &built("upcall.jar")]).unwrap();
    assert_eq!(runs.len(), 3);
    for class in runs {
        let outcome = run(Command::new(jdk.tool("java")).args(["-ea", "-cp"]).arg(&classes).arg(class));
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    }
}

/// As long as it lives.
struct Project {
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl Project {
    fn path(&self) -> &Path {
        &self.path
    }
}

/// Runs the example of a README's section on reading pools, in a project of its own.
#[track_caller]
fn deposited(readme: &str, language: &str, handler: &str) {
    let project = project_of(readme, "Reading pools", [language, "bank", handler]);
    let lines = "ada 50\ngrace 7\nada 1001\n".to_owned() + &"ada 1\n".repeat(200);
    fs::write(project.path().join("input.txt"), lines).unwrap();
    let outcome =
        run(upcall(&["run", "--dump", "/accounts=-", "--report", "none"]).current_dir(project.path()));
    assert_eq!(outcome.out, "ada\t250\ngrace\t7\n", "{}", outcome.err);
}

#[test]
fn the_example_of_reading_pools_in_the_csharp_readme_works() {
    deposited("sdk/csharp/README.md", "csharp", "Deposit.cs");
}

#[test]
fn the_example_of_reading_pools_in_the_python_readme_works() {
    deposited("sdk/python/README.md", "python", "bank.py");
}

/// A service that answers each line which it is asked for, until the process ends.
fn service() -> std::net::SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answer = |mut connection: std::net::TcpStream| {
        let mut lines = BufReader::new(connection.try_clone().unwrap()).lines().map_while(Result::ok);
        while let Some(request) = lines.next() {
            while lines.next().is_some_and(|line| !line.is_empty()) {}
            let text = format!("you asked for {}", request.split(' ').nth(1).unwrap());
            std::thread::sleep(std::time::Duration::from_millis(10));
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", text.len());
            connection.write_all((head + &text).as_bytes()).unwrap();
        }
    };
    std::thread::spawn(move || {
        for connection in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || answer(connection));
        }
    });
    address
}

/// The block of a README's section in this language, which is its first.
fn block_of(readme: &str, title: &str, language: &str) -> String {
    let text = fs::read_to_string(root().join(readme)).unwrap();
    let section = text.split(&format!("## {title}\n")).nth(1).expect("the section is there");
    let rest = section.split(&format!("```{language}\n")).nth(1).expect("the block is there");
    rest.split("```").next().unwrap().to_owned()
}

#[test]
fn the_program_of_the_csharp_readme_is_built_as_one_and_runs() {
    let block = |language| block_of("sdk/csharp/README.md", "A flow inside your program", language);
    let folder = tempfile::tempdir().unwrap();
    let project = block("xml");
    fs::write(folder.path().join("lengths.csproj"), &project).unwrap();
    fs::write(folder.path().join("Program.cs"), block("csharp")).unwrap();
    let build = |code: i32| {
        let outcome = run(upcall(&["build"]).current_dir(folder.path()));
        assert_eq!(outcome.code, Some(code), "{}\n{}", outcome.out, outcome.err);
        outcome.out + &outcome.err
    };
    assert_eq!(build(0), "built build/lengths.dll\n");
    let program = |home: Option<&Path>| {
        let mut command = Command::new(dotnet());
        command.arg("exec").arg(folder.path().join("build/lengths.dll")).env_remove("UPCALL_LIBRARY");
        match home {
            Some(home) => run(command.env("UPCALL_HOME", home)),
            None => run(command.env_remove("UPCALL_HOME")),
        }
    };
    let outcome = program(Some(&root()));
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(0), "16\n"), "{}", outcome.err);
    let outcome = program(None);
    assert_ne!(outcome.code, Some(0));
    assert!(outcome.err.contains("set UPCALL_HOME to that"), "{}", outcome.err);

    let other = project.replace(">Exe<", ">Module<");
    fs::write(folder.path().join("lengths.csproj"), other).unwrap();
    let said = build(2);
    assert!(said.contains("lengths.csproj: its OutputType is Module; make it Exe"), "{said}");
}

#[test]
fn the_example_of_answering_later_in_the_csharp_readme_works() {
    let project =
        project_of("sdk/csharp/README.md", "Handlers that answer later", ["csharp", "pages", "Ask.cs"]);
    let flow = fs::read_to_string(project.path().join("flow.toml")).unwrap();
    let flow = flow.replace("127.0.0.1:8080", &service().to_string());
    fs::write(project.path().join("flow.toml"), flow).unwrap();
    fs::write(project.path().join("input.txt"), (1..=200).map(|n| format!("line-{n}\n")).collect::<String>())
        .unwrap();
    let outcome =
        run(upcall(&["run", "--dump", "/answers=-", "--report", "none"]).current_dir(project.path()));
    let mut answers: Vec<&str> = outcome.out.lines().collect();
    answers.sort_unstable();
    let mut expected: Vec<_> = (1..=200).map(|n| format!("{n}\tyou asked for /line-{n}")).collect();
    expected.sort_unstable();
    assert_eq!(answers, expected, "{}", outcome.err);
}

/// Exit code 2, and this said.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str], said: &str) {
    let outcome = run(upcall(arguments).current_dir(folder));
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(2), ""), "{}", outcome.err);
    assert!(outcome.err.contains(said), "{said:?} is not in:\n{}", outcome.err);
}

#[test]
fn nothing_is_overwritten_and_nothing_is_left_of_what_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::create_dir(here.join("mine")).unwrap();
    fs::write(here.join("mine/flow.toml"), "mine").unwrap();
    fs::write(here.join("file"), "mine").unwrap();
    std::os::unix::fs::symlink("nowhere", here.join("link")).unwrap();
    for there in ["mine", "file", "link"] {
        refused(here, &["new", "python", there], &format!("new project {there}: it exists already"));
    }
    refused(here, &["new", "python", "no/hello"], "there is no folder no; make it first");
    refused(here, &["new", "python", "a b"], "a name cannot contain ' '");
    refused(here, &["new", "rust", "core"], "it is a word of the language itself; try core-flow");
    refused(here, &["new", "pyhton", "hello"], "a similar value exists: 'python'");
    refused(here, &["new", "python"], "NAME");
    let outcome = run(upcall(&["new", "rust", "hello"]).current_dir(here).env("UPCALL_HOME", here));
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    assert!(outcome.err.contains("find sdk/rust/Cargo.toml: there is none in "), "{}", outcome.err);
    let mut left: Vec<_> = fs::read_dir(here).unwrap().map(|file| file.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["file", "link", "mine"]);
    assert_eq!(fs::read_to_string(here.join("mine/flow.toml")).unwrap(), "mine");
}

#[test]
fn a_folder_without_a_project_is_told_how_to_make_one() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["build", "test"] {
        refused(
            folder.path(),
            &[command],
            "there is no .csproj, Cargo.toml, package.json, .java or .py file in it, and no flow.toml that names \
             build/NAME.wasm where there is a NAME.c",
        );
        fs::write(folder.path().join("flow.toml"), "").unwrap();
        let said = format!("{command} flow.toml: it is a file; name the folder of a project, or go into it");
        refused(folder.path(), &[command, "flow.toml"], &said);
        fs::remove_file(folder.path().join("flow.toml")).unwrap();
        refused(folder.path(), &[command, "nowhere"], &format!("{command} nowhere: No such file"));
    }
    refused(folder.path(), &["run"], "read the flow's file flow.toml: No such file");
}

#[test]
fn a_folder_stands_for_its_flow() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(upcall(&["new", "python", "hello"]).current_dir(folder.path())).code, Some(0));
    let outcome = run(upcall(&["check", "hello"]).current_dir(folder.path()));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.out.starts_with("flow hello may run: 2 pools and 1 handler"), "{}", outcome.out);
}

#[test]
fn what_does_not_compile_is_shown_with_its_place_and_leaves_what_was_built() {
    for (language, file, wrong, said) in [
        ("csharp", "Greeter.cs", "emit.Put(obj.Key)", "Greeter.cs(16,"),
        ("java", "Greeter.java", "out.put(object)", "Greeter.java:12: error:"),
        ("python", "greeter.py", "emit(obj.key", "greeter.py\", line 10"),
        ("node", "greeter.mjs", "emit.put(object.key", "greeter.mjs:1"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path().join("hello");
        let made = run(upcall(&["new", language, "hello"]).current_dir(folder.path()));
        assert_eq!(made.code, Some(0), "{}", made.err);
        assert_eq!(run(upcall(&["build"]).current_dir(&here)).code, Some(0));
        let right = fs::read_to_string(here.join(file)).unwrap();
        let call = right
            .lines()
            .find(|line| ["emit", "out."].iter().any(|call| line.trim_start().starts_with(call)))
            .unwrap();
        fs::write(here.join(file), right.replace(call.trim(), wrong)).unwrap();
        let outcome = run(upcall(&["build"]).current_dir(&here));
        assert_eq!(outcome.code, Some(1), "{}", outcome.err);
        let all = outcome.out + &outcome.err;
        assert!(all.contains(said), "{said:?} is not in:\n{all}");
        // C# and Java run what was built before.
        if ["csharp", "java"].contains(&language) {
            let outcome =
                run(upcall(&["run", "--dump", "/greetings=-", "--report", "none"]).current_dir(&here));
            assert!(outcome.out.ends_with("3\tHello, Linus!\n"), "{}", outcome.err);
        }
    }
}

#[test]
fn a_test_that_fails_fails_the_command() {
    for (language, file) in [
        ("csharp", "Greeter.cs"),
        ("java", "Greeter.java"),
        ("python", "greeter.py"),
        ("node", "greeter.mjs"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path().join("hello");
        assert_eq!(run(upcall(&["new", language, "hello"]).current_dir(folder.path())).code, Some(0));
        let right = fs::read_to_string(here.join(file)).unwrap();
        fs::write(here.join(file), right.replace("Hello, ", "Welcome, ")).unwrap();
        let outcome = run(upcall(&["test"]).current_dir(&here));
        assert_eq!(outcome.code, Some(1), "{}", outcome.err);
        assert!((outcome.out + &outcome.err).contains("Welcome, Ada!"));
    }
}

#[test]
fn a_handler_in_typescript_is_built_tested_and_run() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("hello");
    assert_eq!(run(upcall(&["new", "node", "hello"]).current_dir(folder.path())).code, Some(0));
    let read = |file: &str| fs::read_to_string(here.join(file)).unwrap();
    let handler = read("greeter.mjs")
        .replace("onObject(object, emit)", "onObject(object: FlowObject, emit: Emit): void");
    let handler = format!("import type {{ Emit, FlowObject }} from \"upcall\";\n\n{handler}");
    fs::write(here.join("greeter.ts"), &handler).unwrap();
    fs::write(here.join("only.d.ts"), "declare const told: string;\n").unwrap();
    fs::remove_file(here.join("greeter.mjs")).unwrap();
    for file in ["greeter.test.mjs", "flow.toml"] {
        fs::write(here.join(file), read(file).replace("greeter.mjs", "greeter.ts")).unwrap();
    }
    fs::create_dir(here.join("node_modules")).unwrap();
    let compiler = root().join(".setup/node5/node_modules/typescript");
    std::os::unix::fs::symlink(compiler, here.join("node_modules/typescript")).unwrap();
    let said = |arguments: &[&str], code: i32| {
        let outcome = run(upcall(arguments).current_dir(&here));
        assert_eq!(outcome.code, Some(code), "{arguments:?}\n{}\n{}", outcome.out, outcome.err);
        outcome.out + &outcome.err
    };
    let built = said(&["build"], 0);
    assert!(built.contains("checked 1 TypeScript file\n"), "{built}");
    assert!(said(&["test"], 0).contains("a name is greeted"));
    let greeted = said(&["run", "--dump", "/greetings=-", "--report", "none"], 0);
    assert!(greeted.contains("3\tHello, Linus!\n"), "{greeted}");

    fs::write(here.join("greeter.ts"), handler.replace("emit: Emit", "emit: ")).unwrap();
    let built = said(&["build"], 1);
    assert!(built.contains("greeter.ts") && built.contains("Type expected"), "{built}");
    said(&["test"], 1);
    fs::write(here.join("greeter.ts"), handler).unwrap();
    fs::remove_file(here.join("node_modules/typescript")).unwrap();
    // Node 22.13 or later checks it by itself.
    let built = said(&["build"], 0);
    let unchecked = "greeter.ts was not checked: Node v";
    assert!(built.contains("checked 1 TypeScript file\n") || built.contains(unchecked), "{built}");
}

#[test]
fn a_python_project_without_tests_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("hello");
    assert_eq!(run(upcall(&["new", "python", "hello"]).current_dir(folder.path())).code, Some(0));
    fs::remove_file(here.join("test_greeter.py")).unwrap();
    let outcome = run(upcall(&["test"]).current_dir(&here));
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    assert!(outcome.err.contains("there are no tests in Python in it"), "{}", outcome.err);
}

#[test]
fn a_virtual_environment_and_a_link_to_the_folder_itself_are_no_part_of_a_project() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("hello");
    assert_eq!(run(upcall(&["new", "python", "hello"]).current_dir(folder.path())).code, Some(0));
    fs::create_dir(here.join("env")).unwrap();
    fs::write(here.join("env/pyvenv.cfg"), "").unwrap();
    fs::write(here.join("env/other.py"), "not Python").unwrap();
    std::os::unix::fs::symlink(".", here.join("again")).unwrap();
    let outcome = run(upcall(&["build"]).current_dir(&here));
    assert_eq!(
        (outcome.code, outcome.out.as_str()),
        (Some(0), "checked 2 Python files\n"),
        "{}",
        outcome.err
    );
}

#[test]
fn a_java_project_may_have_packages_in_src_and_jars_in_lib_and_leaves_maven_alone() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("hello");
    assert_eq!(run(upcall(&["new", "java", "hello"]).current_dir(folder.path())).code, Some(0));
    let moved = |from: &str, to: &str| {
        let text = fs::read_to_string(here.join(from)).unwrap();
        fs::create_dir_all(here.join(to).parent().unwrap()).unwrap();
        fs::write(here.join(to), format!("package com.example;\n\n{text}")).unwrap();
        fs::remove_file(here.join(from)).unwrap();
    };
    moved("Greeter.java", "src/com/example/Greeter.java");
    moved("tests/GreeterTests.java", "tests/com/example/GreeterTests.java");
    let outcome = run(upcall(&["test"]).current_dir(&here));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.out.ends_with("2 passed, 0 failed\n"), "{}", outcome.out);
    fs::create_dir(here.join("lib")).unwrap();
    fs::rename(here.join("build/hello.jar"), here.join("lib/greeter.jar")).unwrap();
    fs::remove_dir_all(here.join("src")).unwrap();
    let other = "public final class Other { com.example.Greeter greeter = new com.example.Greeter(); }\n";
    fs::write(here.join("Other.java"), other).unwrap();
    let outcome = run(upcall(&["build"]).current_dir(&here));
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(0), "built build/hello.jar\n"), "{}", outcome.err);
    fs::write(here.join("pom.xml"), "<project/>").unwrap();
    refused(&here, &["build"], "it has a pom.xml; run `mvn package`");
}
