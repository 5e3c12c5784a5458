//! What the kernel keeps a handler from doing, with and without `sandbox`.

#[path = "support/instance.rs"]
mod instance;

use instance::instance;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use upcall_handler::Harness;
use upcall_host::{ErrorKind, Isolation};

fn sandboxed() -> Isolation {
    Isolation { sandbox: true, ..Isolation::default() }
}

/// Handlers that echo: one that may do what it likes, and one in a sandbox.
fn free_and_kept() -> [Harness; 2] {
    [Isolation::default(), sandboxed()].map(echo)
}

fn echo(isolation: Isolation) -> Harness {
    Harness::of(instance("rust", "Echo", isolation).unwrap()).emits(&["/out"])
}

/// What comes of an attempt.
fn tries(harness: &mut Harness, what: &str) -> String {
    harness.put(b"key", format!("try {what}").as_bytes()).unwrap();
    String::from_utf8_lossy(&harness.emitted().last().unwrap().value).into_owned()
}

#[test]
fn other_processes_are_out_of_reach() {
    let [mut free, mut kept] = free_and_kept();
    let us = std::process::id();
    for (what, outside, inside) in [
        ("fork".to_owned(), "done", "EPERM"),
        ("fork often".to_owned(), "100", "0"),
        ("program".to_owned(), "done", "EPERM"),
        ("exec".to_owned(), "2", "EPERM"),
        (format!("kill: {us}"), "done", "EPERM"),
        ("kill all".to_owned(), "done", "EPERM"),
        ("kill self".to_owned(), "done", "done"),
        ("raise".to_owned(), "done", "done"),
        ("outlive".to_owned(), "done", "EPERM"),
        ("dies with us".to_owned(), "None", "Some(9)"),
        ("threads".to_owned(), "done", "done"),
    ] {
        assert_eq!(
            (tries(&mut free, &what).as_str(), tries(&mut kept, &what).as_str()),
            (outside, inside),
            "{what}"
        );
    }
    assert_eq!(tries(&mut kept, &format!("trace: {us}")), "EPERM");
    assert_eq!(tries(&mut kept, &format!("read: /proc/{us}/environ")), "EACCES");
    // The handler has gone on all the time.
    kept.put(b"key", b"seen").unwrap();
    assert_eq!(kept.emitted().last().unwrap().value, b"14");
}

#[test]
fn files_can_be_read_and_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("there"), "content").unwrap();
    let [mut free, mut kept] = free_and_kept();
    let (there, new) = (path("there"), path("new"));
    for what in [
        format!("write: {new}"),
        format!("write: {there}"),
        format!("append: {there}"),
        format!("truncate: {there}"),
        format!("remove: {there}"),
        format!("rename: {there}"),
        format!("folder: {new}"),
        format!("rights: {there}"),
        "write: /dev/shm/upcall-test".to_owned(),
        format!("write: /proc/{}/comm", std::process::id()),
    ] {
        let tried = tries(&mut kept, &what);
        assert!(["EACCES", "EPERM"].contains(&tried.as_str()), "{what}: {tried}");
    }
    assert_eq!(std::fs::read(&there).unwrap(), b"content");
    for what in [
        format!("read: {there}"),
        format!("read: {}", file!().replace("crates/apart/", "")),
        "null".to_owned(),
    ] {
        assert_eq!(tries(&mut kept, &what), "done", "{what}");
    }
    for what in ["write: ", "append: ", "truncate: ", "rights: ", "remove: "] {
        assert_eq!(tries(&mut free, &format!("{what}{there}")), "done", "{what}");
    }
}

#[test]
fn there_is_no_network() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let _named = UnixListener::bind(&socket).unwrap();
    let connect = format!("connect: {}", listener.local_addr().unwrap().port());
    let unix = format!("unix: {}", socket.display());
    let [mut free, mut kept] = free_and_kept();
    for (what, inside) in [
        (connect.as_str(), "EPERM"),
        ("resolve", "EPERM"),
        (&unix, "EPERM"),
        ("datagrams", "EPERM"),
        ("pair", "done"),
    ] {
        assert_eq!(
            (tries(&mut free, what).as_str(), tries(&mut kept, what).as_str()),
            ("done", inside),
            "{what}"
        );
    }
}

#[test]
fn the_machine_and_the_kernel_are_out_of_reach() {
    let mut kept = echo(sandboxed());
    for what in ["mount", "unshare", "ring"] {
        assert_eq!(tries(&mut kept, what), "EPERM", "{what}");
    }
    assert_eq!(tries(&mut kept, "newer"), "ENOSYS");
    #[cfg(target_arch = "x86_64")]
    assert_eq!(tries(&mut kept, "x32"), "ENOSYS");
    // All but the one to read files.
    let privileges = tries(&mut kept, "privileges");
    let none = ["0", "4"].map(|all_but| format!("CapEff:{all_but:0>16} NoNewPrivs:1 Seccomp:2"));
    assert!(none.contains(&privileges), "{privileges}");
}

#[test]
fn what_a_handler_is_for_works_as_outside() {
    let stored: Vec<(&[u8], &[u8])> = vec![(b"a", b"first"), (b"b", b"second")];
    let mut kept = echo(sandboxed()).setting("greeting", "good day").reads("/stored", &stored);
    for (value, answer) in [("greet", "good day"), ("read b", "second"), ("list ", "a,b"), ("hello", "hello")]
    {
        kept.put(b"key", value.as_bytes()).unwrap();
        assert_eq!(kept.emitted().last().unwrap().value, answer.as_bytes(), "{value}");
    }
    kept.put(b"key", b"log it").unwrap();
    assert_eq!(kept.logged(), [(2, "log it".to_owned())]);
    kept.put(b"key", b"many 3 3000000").unwrap();
    assert_eq!(kept.emitted().last().unwrap().value.len(), 3_000_000);
    let failed = kept.put(b"key", b"abort").unwrap_err();
    assert_eq!(failed.message, "killed by SIGABRT: its runtime gave up");
    kept.put(b"key", b"seen").unwrap();
    assert_eq!(kept.emitted().last().unwrap().value, b"1");
}

/// Makes a system call fail for this thread and for what it starts, as on a kernel that does not have it.
fn without(call: i64, error: i32) {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
    let rules = [(call, Vec::new())].into_iter().collect();
    let fails = SeccompAction::Errno(error.cast_unsigned());
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, fails, arch).unwrap();
    apply_filter(&BpfProgram::try_from(filter).unwrap()).unwrap();
}

fn refusal() -> String {
    let error = instance("rust", "Echo", sandboxed()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RuntimeFailed);
    error.to_string()
}

#[test]
fn a_kernel_without_landlock_is_refused_and_named() {
    without(libc::SYS_landlock_create_ruleset, libc::EOPNOTSUPP);
    assert_eq!(
        refusal(),
        "start a process for handler handler: `sandbox` needs Landlock, which Linux has had since 5.13 (this kernel was built \
         without it, or its `lsm=` does not name landlock); leave `sandbox` out to run the handler without"
    );
    drop(echo(Isolation::default()));
}

#[test]
fn a_kernel_without_seccomp_is_refused_and_named() {
    without(libc::SYS_seccomp, libc::ENOSYS);
    assert_eq!(
        refusal(),
        "start a process for handler handler: `sandbox` needs seccomp with filters, which this kernel does not have (Function \
         not implemented (os error 38)); leave `sandbox` out to run the handler without"
    );
    drop(echo(Isolation::default()));
}
