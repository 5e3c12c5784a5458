//! Where a dump goes: what lies at its path is replaced, or written into, as its kind asks for.

use crate::support::{Folder, Outcome, fed, pools, upcall};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// What the pool comes to.
const LINES: &str = "1\ta\n2\tb\n";

/// Dumps a pool of two lines to these files.
fn dump(folder: &Folder, files: &[&str]) -> Outcome {
    let path = folder.write("flow.toml", pools(&["/in"]));
    let mut command = upcall(&["run", &path, "--input", "/in=-", "--report", "none"]);
    for file in files {
        command.args(["--dump", &format!("/in={file}")]);
    }
    fed(&mut command, b"a\nb\n")
}

#[track_caller]
fn dumps(folder: &Folder, file: &str) {
    let outcome = dump(folder, &[file]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
}

fn mode(path: &str) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

#[test]
fn a_new_file_has_the_mode_that_the_users_mask_gives() {
    let folder = Folder::new("");
    dumps(&folder, &folder.path("new"));
    assert_eq!(folder.read("new"), LINES);
    fs::write(folder.path("other"), "").unwrap();
    assert_eq!(mode(&folder.path("new")), mode(&folder.path("other")));
    assert_eq!(folder.names(), ["flow.toml", "new", "other"]);
}

#[test]
fn a_file_is_replaced_and_keeps_its_mode() {
    let folder = Folder::new("");
    let file = folder.write("kept", "before");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let before = fs::File::open(&file).unwrap();
    dumps(&folder, &file);
    assert_eq!((folder.read("kept").as_str(), mode(&file)), (LINES, 0o600));
    assert_eq!(std::io::read_to_string(before).unwrap(), "before", "who reads the old one goes on with it");
}

#[test]
fn a_file_keeps_its_owner_where_that_can_be() {
    let folder = Folder::new("");
    let file = folder.write("theirs", "before");
    // Only root may give a file away.
    if std::os::unix::fs::chown(&file, Some(12345), Some(54321)).is_ok() {
        dumps(&folder, &file);
        let about = fs::metadata(&file).unwrap();
        assert_eq!((about.uid(), about.gid()), (12345, 54321));
        assert_eq!(folder.read("theirs"), LINES);
    }
}

#[test]
fn all_links_of_a_file_see_the_dump() {
    let folder = Folder::new("");
    let file = folder.write("one", "before, and longer than what comes");
    fs::hard_link(&file, folder.path("other")).unwrap();
    dumps(&folder, &file);
    assert_eq!((folder.read("one").as_str(), folder.read("other").as_str()), (LINES, LINES));
    assert_eq!(folder.names(), ["flow.toml", "one", "other"]);
}

#[test]
fn a_symbolic_link_stays_and_its_target_is_replaced() {
    let folder = Folder::new("");
    folder.write("target", "before");
    symlink("target", folder.path("link")).unwrap();
    dumps(&folder, &folder.path("link"));
    assert!(fs::symlink_metadata(folder.path("link")).unwrap().is_symlink());
    assert_eq!(folder.read("target"), LINES);
}

#[test]
fn a_symbolic_link_to_nothing_stays_and_its_target_comes_to_be() {
    let folder = Folder::new("");
    symlink("target", folder.path("link")).unwrap();
    dumps(&folder, &folder.path("link"));
    assert!(fs::symlink_metadata(folder.path("link")).unwrap().is_symlink());
    assert_eq!(folder.read("target"), LINES);
}

#[test]
fn a_pipe_is_written_into() {
    let folder = Folder::new("");
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    dumps(&folder, &pipe);
    assert_eq!(reader.join().unwrap(), LINES);
    assert!(!fs::metadata(&pipe).unwrap().is_file(), "the pipe is still one");
}

#[test]
fn a_full_device_is_an_error_that_leaves_the_device_the_other_dumps_and_the_report() {
    let folder = Folder::new(&pools(&["/in"]));
    symlink("/dev/full", folder.path("full")).unwrap();
    let full = folder.path("full");
    let outcome = dump(&folder, &[&full, &folder.path("after")]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    let said = format!("dump /in to {full}: No space left on device");
    assert!(outcome.err.contains(&said), "{}", outcome.err);
    assert_eq!(folder.read("after"), LINES);
    assert!(!fs::metadata("/dev/full").unwrap().is_file());
}

#[test]
fn what_cannot_be_written_is_refused_before_the_flow_starts() {
    let folder = Folder::new("");
    fs::create_dir(folder.path("folder")).unwrap();
    let one = folder.path("one");
    symlink("one", folder.path("same")).unwrap();
    folder.write("one", "kept");
    for (files, said) in [
        (vec![folder.path("folder")], "it is a folder"),
        (vec![folder.path("none/x")], "there is no folder"),
        (vec![one, folder.path("same")], "another pool goes there"),
    ] {
        let outcome = dump(&folder, &files.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(outcome.code, Some(2), "{}", outcome.err);
        assert!(outcome.err.contains(said), "{said}: {}", outcome.err);
    }
    assert_eq!(folder.read("one"), "kept");
}

#[test]
fn in_a_folder_that_takes_no_new_file_an_old_one_is_written_and_a_new_one_refused() {
    let folder = Folder::new(&pools(&["/in"]));
    let old = folder.write("old", "before, and longer than what comes");
    let allow = |path: &str, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    allow(&old, 0o666);
    // Somebody else may not get at the one that was built.
    let program = folder.path("upcall");
    fs::copy(env!("CARGO_BIN_EXE_upcall"), &program).unwrap();
    allow(&folder.path(""), 0o555);
    for (file, code) in [(old, 0), (folder.path("new"), 2)] {
        let flow = folder.path("flow.toml");
        let dump = format!("/in={file}");
        let mut command = Command::new(&program);
        command.args(["run", &flow, "--input", "/in=-", "--dump", &dump, "--report", "none"]);
        if fs::metadata("/proc/self").unwrap().uid() == 0 {
            // Permissions mean nothing to root.
            command.uid(65534).gid(65534);
        }
        let outcome = fed(&mut command, b"a\nb\n");
        assert_eq!(outcome.code, Some(code), "{}", outcome.err);
        assert_eq!(outcome.err.contains("Permission denied"), code == 2, "{}", outcome.err);
    }
    allow(&folder.path(""), 0o755);
    assert_eq!(folder.read("old"), LINES);
}

#[test]
fn standard_outputs_own_name_is_standard_output() {
    let folder = Folder::new("");
    let outcome = dump(&folder, &["/dev/stdout"]);
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(0), LINES), "{}", outcome.err);
}
