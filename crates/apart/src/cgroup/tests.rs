use super::*;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::Command;

const V1: &str = "4:memory:/service\n0::/system.slice/flow.service/engine\n";
const MOUNTED: &str = "25 1 0:23 / /sys rw - sysfs sysfs rw\n\
                       31 25 0:27 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n";

#[test]
fn our_own_group_is_found_where_it_is_mounted() {
    let (point, ours) = folder_of(V1, MOUNTED).unwrap();
    assert_eq!(point, Path::new("/sys/fs/cgroup"));
    assert_eq!(ours, Path::new("/sys/fs/cgroup/system.slice/flow.service/engine"));
    let of_a_container = MOUNTED.replace("0:27 /", "0:27 /system.slice");
    assert_eq!(folder_of(V1, &of_a_container).unwrap().1, Path::new("/sys/fs/cgroup/flow.service/engine"));
    assert_eq!(folder_of(V1, &MOUNTED.replace("cgroup2", "cgroup")), None);
    assert_eq!(folder_of("4:memory:/service\n", MOUNTED), None);
}

#[test]
fn a_folder_that_does_not_divide_memory_is_no_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    assert_eq!(version(folder.path()), None);
    file("memory.limit_in_bytes", "0");
    assert_eq!(version(folder.path()), Some(Version::One));
    file("cgroup.subtree_control", "cpu pids\n");
    assert_eq!(version(folder.path()), None);
    file("cgroup.subtree_control", "cpu memory\n");
    assert_eq!(version(folder.path()), Some(Version::Two));
    assert!(!is_ours(folder.path()));
}

#[test]
fn what_dead_processes_have_left_is_removed_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new("true").spawn().unwrap();
    let dead = child.id();
    child.wait().unwrap();
    let alive = std::process::id();
    let names = [
        format!("upcall-{dead}-0"),
        format!("upcall-{alive}-0"),
        format!("other-{dead}-0"),
        "upcall-x".to_owned(),
    ];
    names.iter().for_each(|name| std::fs::create_dir(folder.path().join(name)).unwrap());
    remove_stale(folder.path());
    let there: Vec<bool> = names.iter().map(|name| folder.path().join(name).exists()).collect();
    assert_eq!(there, [false, true, true, true]);
}

/// Run as `UPCALL_CGROUP=/sys/fs/cgroup/NAME cargo nextest run -p upcall-apart --run-ignored all`.
#[test]
#[ignore = "needs a memory cgroup that may be divided: UPCALL_CGROUP names it"]
fn the_kernel_kills_what_takes_more_and_nothing_is_left() {
    let ate = |limit: u64| {
        let group = Cgroup::make(limit).unwrap();
        let folder = group.folder.clone();
        // 64 MiB in one piece of text, and a process beside it that is not waited for.
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 1000 & x=$(head -c 67108864 /dev/zero | tr '\\0' x); echo ${#x}"]);
        let processes = group.processes.try_clone().unwrap();
        // SAFETY: it makes one system call.
        unsafe { command.pre_exec(move || join(processes.as_fd())) };
        let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
        assert!(group.has(Pid::from_child(&child)));
        let status = child.wait().unwrap();
        let killed = group.has_killed();
        drop(group);
        assert!(!folder.exists(), "{}", folder.display());
        (status.success(), status.signal(), killed)
    };
    assert_eq!(ate(1 << 30), (true, None, false));
    assert_eq!(ate(32 << 20), (false, Some(9), true));
}
