//! The examples of READMEs, run as they are printed.

use super::{home, root};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The blocks of a README's section in one language.
pub fn blocks(readme: &str, title: &str, of: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(readme)).unwrap();
    let section = text.split(&format!("## {title}\n")).nth(1).expect("the section is there");
    let begin = format!("```{of}\n");
    let blocks = section.split("\n## ").next().unwrap().split(&begin).skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// A block for a shell in a folder, with the command on its PATH.
pub fn shell(folder: &Path, script: &str) -> Command {
    let command = Path::new(env!("CARGO_BIN_EXE_upcall")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([command].into_iter().chain(std::env::split_paths(&path))).unwrap();
    let mut shell = Command::new("bash");
    shell.args(["-euc", script]).current_dir(folder).env("PATH", path).env("CARGO_NET_OFFLINE", "true");
    shell
        .env("UPCALL_HOME", home())
        .env("UPCALL_C", root().join("sdk/c"))
        .env("UPCALL_AS", root().join("sdk/assemblyscript"))
        .env_remove("CARGO_TARGET_DIR");
    shell
}

/// Runs such a block; what it prints ends with this.
#[cfg(feature = "wasm")]
#[track_caller]
pub fn prints(folder: &Path, script: &str, printed: &str) {
    let outcome = super::run(&mut shell(folder, script));
    assert_eq!(outcome.code, Some(0), "{script}\n{}\n{}", outcome.out, outcome.err);
    assert!(outcome.out.ends_with(printed), "{script}\n{}\n{}", outcome.out, outcome.err);
}
