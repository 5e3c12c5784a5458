//! What the tests of the command share.

pub mod node;
mod places;
pub mod readme;
pub mod references;

pub use places::{built, fixtures, home, root};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A file of an example that `cargo xtask build` makes, or that is there anyway.
pub fn example(path: &str) -> PathBuf {
    let file = root().join("examples").join(path);
    assert!(file.exists(), "there is no {}: run cargo xtask build", file.display());
    file
}

/// The command, as somebody in the root of the repository would call it.
pub fn upcall(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_upcall"));
    command.args(arguments).current_dir(root()).env("UPCALL_HOME", home());
    command
        .env_remove("RUST_LOG")
        .env("NO_COLOR", "1")
        .env("UPCALL_WASM_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm"))
        .stdin(Stdio::null());
    // Unbuffered, `print` writes a line in pieces, and what another guest prints comes between them.
    command.env_remove("PYTHONUNBUFFERED");
    command
}

/// What a command came to.
pub struct Outcome {
    /// Its exit code, if it was not killed.
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Outcome {
    outcome(command.output().unwrap())
}

/// Runs a command with this on its standard input.
pub fn fed(command: &mut Command, input: &[u8]) -> Outcome {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A command that ends before it has read all of it is no failure of the test.
    let feeding = std::thread::spawn(move || drop(pipe.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    outcome(output)
}

fn outcome(output: Output) -> Outcome {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Outcome { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A folder with a flow's file in it.
pub struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    pub fn new(flow: &str) -> Folder {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("flow.toml"), flow).unwrap();
        Folder { folder }
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of the files in it, sorted.
    pub fn names(&self) -> Vec<String> {
        let files = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// The guests, as a flow's file writes them; the fixtures in `handlers/` have the same classes in each.
pub const GUESTS: [&str; 3] = ["native", "csharp", "python"];

/// Those that have all classes which need nothing beside a flow: WebAssembly too, where it is built in.
#[cfg(feature = "wasm")]
pub const GUESTS_AND_WASM: [&str; 4] = ["native", "csharp", "python", "wasm"];
#[cfg(not(feature = "wasm"))]
pub const GUESTS_AND_WASM: [&str; 3] = GUESTS;

/// A handler of a flow's file: `on` one pool, `to` another, with whatever else it needs.
pub fn handler(guest: &str, class: &str, on: &str, to: &str, more: &str) -> String {
    code(guest, &fixtures(guest), class, on, to, more)
}

/// As [`handler`], with another file.
pub fn code(guest: &str, file: &Path, class: &str, on: &str, to: &str, more: &str) -> String {
    format!(
        "[[handler]]\nname = \"{class} on {on}\"\non = \"{on}\"\nto = \"{to}\"\n{guest} = \"{}\"\n\
         class = \"{class}\"\n{more}\n",
        file.display()
    )
}

/// The tables of pools; those whose name begins with `#` are of type `u64`.
pub fn pools(paths: &[&str]) -> String {
    let pool = |path: &&str| match path.strip_prefix('#') {
        Some(path) => format!("[pool.\"{path}\"]\ntype = \"u64\"\n"),
        None => format!("[pool.\"{path}\"]\ntype = \"text\"\n"),
    };
    paths.iter().map(pool).collect()
}

/// Runs the folder's flow on these lines for /in, and dumps /out into `out` and /dead/in into `dead`.
pub fn ran(folder: &Folder, lines: &str) -> Outcome {
    let (out, dead) = (format!("/out={}", folder.path("out")), format!("/dead/in={}", folder.path("dead")));
    let path = folder.path("flow.toml");
    let arguments = ["run", &path, "--input", "/in=-", "--dump", &out, "--dump", &dead, "--report", "none"];
    fed(&mut upcall(&arguments), lines.as_bytes())
}
