//! A rank that dies, and the calls with which others go on, where the library has them.

use crate::support::{LAUNCHERS, is_rank, launch};
use std::process::Stdio;
use std::time::{Duration, Instant};
use upcall_mpi::{Environment, Error, ErrorKind, Sum, Threads};

/// What was said, where the library has the call; one that has not is named, with the call.
fn had<T>(said: Result<T, Error>, call: &str) -> Option<T> {
    match said {
        Ok(said) => Some(said),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
            let message = error.to_string();
            assert!(
                message.contains(call) && message.contains("does not have it; Open MPI has it from 5 on"),
                "{message}"
            );
            assert!(message.contains("MPICH") || message.contains("Open MPI"), "{message}");
            None
        }
    }
}

crate::ranks! {
    fn calls_that_a_library_lacks_are_named(world: [2]) {
        let twin = world.duplicate().unwrap();
        let flags = had(twin.agree(if world.rank() == 0 { 6 } else { 3 }), "MPIX_Comm_agree");
        assert!(flags.is_none_or(|flags| flags == 2));
        had(twin.acknowledge_failures(), "MPIX_Comm_failure_ack");
        let failed = had(twin.acknowledged_failures(), "MPIX_Comm_failure_get_acked");
        assert!(failed.is_none_or(|failed| failed.size() == 0));
        let is = had(twin.is_revoked(), "MPIX_Comm_is_revoked");
        assert!(is.is_none_or(|is| !is));
        world.barrier().unwrap();
        if had(twin.revoke(), "MPIX_Comm_revoke").is_some() {
            assert!(twin.is_revoked().unwrap());
            assert_eq!(twin.barrier().unwrap_err().kind(), ErrorKind::Revoked);
        }
        let shrunk = had(twin.shrink(), "MPIX_Comm_shrink");
        assert!(shrunk.is_none_or(|shrunk| shrunk.size() == 2));
        world.barrier().unwrap();
    }
}

/// Whether a process still runs: one that has ended and that nobody has waited for does not.
fn runs(process: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/stat"))
        .is_ok_and(|stat| stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X'])))
}

/// The others receive from a rank that dies. Where the library tells them, they go on and say so; where it does not, as neither of
/// these two does, the launcher ends all of them, so that none waits for ever.
#[test]
fn a_rank_that_is_killed_ends_the_wait_of_the_others() {
    const TEST: &str = "failures::a_rank_that_is_killed_ends_the_wait_of_the_others";
    const DEADLINE: Duration = Duration::from_secs(60);
    if is_rank() {
        let mpi = Environment::start(Threads::Multiple).unwrap();
        let world = mpi.world();
        println!("process {} is rank {}", std::process::id(), world.rank());
        world.barrier().unwrap();
        if world.rank() == 1 {
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL).unwrap();
            std::thread::sleep(DEADLINE);
            unreachable!("it was killed");
        }
        let told = world.receive::<u8>(1, 0).unwrap_err();
        println!("told: {:?}: {told}", told.kind());
        // The other one may have seen it first, and revoked.
        assert!(matches!(told.kind(), ErrorKind::ProcessFailed | ErrorKind::Revoked));
        // All that is still under way ends, and those that live go on without the dead one.
        world.revoke().unwrap();
        assert_eq!(world.barrier().unwrap_err().kind(), ErrorKind::Revoked);
        assert!(world.is_revoked().unwrap());
        // A rank that was told of the revocation may not know yet why: they agree when all have acknowledged the same.
        let agreed = loop {
            world.acknowledge_failures().unwrap();
            match world.agree(if world.rank() == 0 { 6 } else { 3 }) {
                Ok(flags) => break flags,
                Err(unknown) => assert_eq!(unknown.kind(), ErrorKind::ProcessFailed),
            }
        };
        assert_eq!(agreed, 2);
        let failed = world.acknowledged_failures().unwrap();
        assert_eq!(failed.translate(&[0], &world.group().unwrap()).unwrap(), [Some(1)]);
        let left = world.shrink().unwrap();
        assert_eq!((left.size(), left.rank()), (world.size() - 1, world.rank() / 2));
        assert_eq!(left.all_reduce(&[world.rank() as u64], Sum).unwrap(), [2]);
        println!("went on");
        // Without MPI_Finalize, which may wait for the one that is dead.
        std::process::exit(0);
    }
    for launcher in LAUNCHERS {
        let begun = Instant::now();
        let mut command = launch(launcher, 3, TEST);
        let output = command.stdin(Stdio::null()).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(begun.elapsed() < DEADLINE, "{launcher} has waited for {:?}: {said}", begun.elapsed());
        let went_on = said.matches("went on").count();
        let ended = !output.status.success() && !said.contains("told: ") && !said.contains("panicked");
        assert!(went_on == 2 || ended, "{launcher}: {}: {said}", output.status);
        let ranks: Vec<&str> = said
            .split("process ")
            .filter_map(|text| text.split_once(" is rank ").map(|(process, _)| process))
            .filter(|process| process.bytes().all(|byte| byte.is_ascii_digit()))
            .collect();
        assert!(!ranks.is_empty(), "{launcher}: {said}");
        while ranks.iter().any(|process| runs(process)) {
            assert!(begun.elapsed() < DEADLINE, "{launcher}: ranks are left of {ranks:?}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}
