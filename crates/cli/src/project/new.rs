//! `upcall new`: a project's files, from the templates beside this file.

use super::home;
use super::name::Name;
use super::new_wasm::Target;
use crate::arguments::{Language, New};
use crate::exit::usage;
use crate::output;
use anyhow::Context;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// A file of a project: its path, and its text.
pub(super) type File = (String, String);

pub(crate) fn new(new: &New) -> anyhow::Result<u8> {
    let name = Name::of(&new.path, new.language)?;
    let files = files(&name, new.language)?;
    let shown = new.path.display();
    match fs::create_dir(&new.path) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            return Err(usage(format!(
                "new project {shown}: it exists already; give another name, or remove it"
            )));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let parent = new.path.parent().unwrap_or(Path::new("")).display();
            return Err(usage(format!("new project {shown}: there is no folder {parent}; make it first")));
        }
        Err(error) => return Err(error).with_context(|| format!("new project {shown}")),
    }
    if let Err(error) = write(&new.path, &files) {
        // The folder is ours: nobody else has anything in it.
        let _ = fs::remove_dir_all(&new.path);
        return Err(error);
    }
    output::line(format!("{shown} is a flow with a handler in {}:", language(new.language)))?;
    files.iter().try_for_each(|(path, _)| output::line(format!("  {path}")))?;
    output::line(format!(
        "\nNext:\n  cd {shown}\n  upcall build\n  upcall test\n  upcall run --dump /greetings=-"
    ))?;
    Ok(0)
}

fn write(folder: &Path, files: &[File]) -> anyhow::Result<()> {
    for (path, text) in files {
        let path = folder.join(path);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        written.with_context(|| format!("write {}", path.display()))?;
    }
    Ok(())
}

fn language(language: Language) -> &'static str {
    match language {
        Language::C => "C",
        Language::Csharp => "C#",
        Language::Java => "Java",
        Language::Node => "JavaScript",
        Language::Python => "Python",
        Language::Rust | Language::Wasm => "Rust",
    }
}

/// All files of a project, in the order in which they are to be looked at.
fn files(name: &Name, language: Language) -> anyhow::Result<Vec<File>> {
    Ok(match language {
        Language::C => super::new_wasm::c(name, &home("sdk/c/upcall_testing.h")?),
        Language::Csharp => csharp(name, &home("sdk/csharp/Upcall/Upcall.csproj")?),
        Language::Java => java(name, &home("sdk/java/README.md")?),
        Language::Node => node(name, &home("sdk/node/package.json")?),
        Language::Python => python(name, &home("sdk/python/upcall/__init__.py")?),
        Language::Rust => rust(name, &home("sdk/rust/Cargo.toml")?, &super::new_wasm::NATIVE)?,
        Language::Wasm => rust(name, &home("sdk/rust/Cargo.toml")?, &super::new_wasm::MODULE)?,
    })
}

fn csharp(name: &Name, home: &Path) -> Vec<File> {
    let fill = |template: &str| {
        let template = template.replace("{{name}}", name.as_str()).replace("{{Name}}", &name.pascal());
        template.replace("{{home}}", &xml(&home.display().to_string()))
    };
    let project = name.as_str();
    let code = format!("csharp = \"build/{project}.dll\"\nclass = \"{}.Greeter\"", name.pascal());
    let mut files = vec![
        ("Greeter.cs".to_owned(), fill(include_str!("templates/csharp/Greeter.cs"))),
        ("tests/GreeterTests.cs".to_owned(), fill(include_str!("templates/csharp/GreeterTests.cs"))),
        (format!("{project}.csproj"), fill(include_str!("templates/csharp/project.csproj"))),
        (format!("tests/{project}.tests.csproj"), fill(include_str!("templates/csharp/tests.csproj"))),
    ];
    files.extend(common(
        name,
        &code,
        &Words {
            language: "C#",
            builds: "compiles Greeter.cs to build/, with or without a .NET SDK",
            tests: "compiles and runs tests/",
            handler: "Greeter.cs",
            test: "tests/GreeterTests.cs",
            notes: &format!(
                "`Upcall.dll` comes from {}; the variable `UPCALL_HOME` names another place. `upcall build` compiles \
                 every `.cs` file outside `tests/`, and knows no NuGet packages: with a .NET SDK, \
                 `dotnet build -o build` does.",
                home.display()
            ),
        },
        "build/\nbin/\nobj/\n",
    ));
    files
}

fn java(name: &Name, home: &Path) -> Vec<File> {
    let mut files = vec![
        ("Greeter.java".to_owned(), include_str!("templates/java/Greeter.java").to_owned()),
        ("tests/GreeterTests.java".to_owned(), include_str!("templates/java/GreeterTests.java").to_owned()),
    ];
    files.extend(common(
        name,
        &format!("java = \"build/{}.jar\"\nclass = \"Greeter\"", name.as_str()),
        &Words {
            language: "Java",
            builds: "compiles every .java file outside tests/ to a jar in build/",
            tests: "compiles tests/, and runs each class there that has a main",
            handler: "Greeter.java",
            test: "tests/GreeterTests.java",
            notes: &format!(
                "`upcall.jar` is in {}/build: `upcall build` and `upcall run` find it there, and an editor needs it on its \
                 class path. Jars in `lib/` are compiled against; at run time `class_path` in `[java]` of `flow.toml` names \
                 them. The JDK is that of the Java which `upcall doctor java` names, else the newest that is installed; \
                 `--java` chooses another.",
                home.display()
            ),
        },
        "build/\n",
    ));
    files
}

fn node(name: &Name, home: &Path) -> Vec<File> {
    let manifest = include_str!("templates/node/package.json.in");
    // JSON escapes what TOML does.
    let package = toml(&format!("file:{}/sdk/node", home.display()));
    let mut files = vec![
        ("greeter.mjs".to_owned(), include_str!("templates/node/greeter.mjs").to_owned()),
        ("greeter.test.mjs".to_owned(), include_str!("templates/node/greeter.test.mjs").to_owned()),
        // A package's name has no capital letters.
        (
            "package.json".to_owned(),
            manifest.replace("{{package}}", &name.as_str().to_lowercase()).replace("{{sdk}}", &package),
        ),
    ];
    files.extend(common(
        name,
        "node = \"greeter.mjs\"\nclass = \"Greeter\"",
        &Words {
            language: "JavaScript",
            builds: "checks the syntax, and puts the package upcall into node_modules",
            tests: "runs greeter.test.mjs by node --test",
            handler: "greeter.mjs",
            test: "greeter.test.mjs",
            notes: &format!(
                "The package `upcall` is in {}/sdk/node, as package.json says: `npm install` makes a link to it in \
                 `node_modules`, and without npm `upcall build`, `upcall test` and `upcall run` do. Node is the \
                 one that `UPCALL_NODE` names, else `node` on PATH; `upcall doctor node` says which. A handler may be a \
                 file of TypeScript as well: name `greeter.ts` in `flow.toml`, and import it so in its test. Node before \
                 22.6 needs a compiler for it: `npm install --save-dev typescript@5`.",
                home.display()
            ),
        },
        "node_modules/\n",
    ));
    files
}

fn python(name: &Name, home: &Path) -> Vec<File> {
    let mut files = vec![
        ("greeter.py".to_owned(), include_str!("templates/python/greeter.py").to_owned()),
        ("test_greeter.py".to_owned(), include_str!("templates/python/test_greeter.py").to_owned()),
    ];
    files.extend(common(
        name,
        "python = \"greeter.py\"\nclass = \"Greeter\"",
        &Words {
            language: "Python",
            builds: "checks the syntax: there is nothing to compile",
            tests: "runs test_greeter.py",
            handler: "greeter.py",
            test: "test_greeter.py",
            notes: &format!(
                "The package `upcall` is in {0}/sdk/python: `upcall run` and `upcall test` find it there, and an \
                 editor or mypy does with `PYTHONPATH={0}/sdk/python`. The interpreter is that of an active virtual \
                 environment, else the one that `upcall doctor python` names; `--python` chooses another.",
                home.display()
            ),
        },
        "__pycache__/\n",
    ));
    files
}

fn rust(name: &Name, home: &Path, target: &Target) -> anyhow::Result<Vec<File>> {
    let sdk = home.join("sdk/rust");
    let sdk = sdk.to_str().with_context(|| format!("the path {} is not UTF-8", sdk.display()))?;
    let manifest = include_str!("templates/rust/Cargo.toml.in").replace("{{name}}", name.as_str());
    let mut files = vec![
        ("src/lib.rs".to_owned(), include_str!("templates/rust/lib.rs").to_owned()),
        ("Cargo.toml".to_owned(), manifest.replace("{{sdk}}", &toml(sdk))),
    ];
    // The same versions as here, which are on this machine: nothing needs to be fetched.
    if let Ok(lock) = fs::read_to_string(home.join("Cargo.lock")) {
        files.push(("Cargo.lock".to_owned(), locked(&lock, name.as_str())));
    }
    files.extend(common(
        name,
        &format!("{}\nclass = \"greeter\"", (target.code)(name)),
        &Words {
            language: "Rust",
            builds: target.builds,
            tests: "cargo test",
            handler: "src/lib.rs",
            test: "src/lib.rs",
            notes: &format!("The crate `upcall` is in {sdk}, as Cargo.toml says.{}", target.notes),
        },
        "build/\ntarget/\n",
    ));
    Ok(files)
}

/// A lock file with one more package; cargo takes out what that does not need.
fn locked(lock: &str, name: &str) -> String {
    let package =
        format!("[[package]]\nname = \"{name}\"\nversion = \"0.1.0\"\ndependencies = [\n \"upcall\",\n]\n");
    format!("{}\n\n{package}", lock.trim_end())
}

/// What differs between the languages in what they have in common.
pub(super) struct Words<'a> {
    pub(super) language: &'a str,
    pub(super) builds: &'a str,
    pub(super) tests: &'a str,
    pub(super) handler: &'a str,
    pub(super) test: &'a str,
    pub(super) notes: &'a str,
}

pub(super) fn common(name: &Name, code: &str, words: &Words<'_>, ignored: &str) -> Vec<File> {
    let flow =
        include_str!("templates/flow.toml").replace("{{name}}", name.as_str()).replace("{{code}}", code);
    let mut readme = include_str!("templates/README.md").replace("{{name}}", name.as_str());
    if words.handler == words.test {
        readme = readme.replace(
            "| the handler |\n| `{{test}}` | its tests, which need no flow |",
            "| the handler, and its tests, which need no flow |",
        );
    }
    for (mark, word) in [
        ("{{language}}", words.language),
        ("{{builds}}", words.builds),
        ("{{tests}}", words.tests),
        ("{{handler}}", words.handler),
        ("{{test}}", words.test),
        ("{{notes}}", words.notes),
    ] {
        readme = readme.replace(mark, word);
    }
    vec![
        ("flow.toml".to_owned(), flow),
        ("input.txt".to_owned(), include_str!("templates/input.txt").to_owned()),
        ("README.md".to_owned(), readme),
        (".gitignore".to_owned(), ignored.to_owned()),
    ]
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A text in quotes.
fn toml(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
