//! Processes that ranks start, and ports. What a library cannot do is an error on all ranks, after which they go on.

use crate::support::{CHILD, LAUNCHERS, is_rank, launch, passes_on_ranks};
use std::process::Command;
use upcall_mpi::{Communicator, Environment, ErrorKind, Intercommunicator, Program, Root, Sum, Threads};

/// Runs `body` on so many ranks each, and in the processes that these start.
fn with_mpi(test: &str, sizes: &[usize], body: fn(Environment)) {
    if is_rank() {
        return body(Environment::start(Threads::Multiple).unwrap());
    }
    passes_on_ranks(&format!("mpi::processes::{test}"), sizes);
}

/// So many processes of this test.
fn children(test: &str, processes: usize) -> Program {
    let program = Program::new(std::env::current_exe().unwrap().to_str().unwrap(), processes);
    program.arguments([&format!("processes::{test}"), "--exact", "--nocapture", "--test-threads=1"])
}

/// What was started, but where this MPI cannot: Debian's MPICH 4.0.2 has no way to ask its launcher.
fn started(
    mpi: &Environment,
    spawned: Result<Intercommunicator, upcall_mpi::Error>,
) -> Option<Intercommunicator> {
    match spawned {
        Ok(children) => Some(children),
        Err(error) => {
            assert!(mpi.library().starts_with("MPICH"), "{error}");
            assert_eq!(error.kind(), ErrorKind::Spawn, "{error}");
            assert!(error.to_string().starts_with("start "), "{error}");
            goes_on(mpi.world());
            None
        }
    }
}

fn goes_on(world: &Communicator) {
    assert_eq!(world.all_reduce(&[1u32], Sum).unwrap(), [world.size() as u32]);
}

#[test]
fn processes_are_started_with_arguments_in_a_folder() {
    const TEST: &str = "processes_are_started_with_arguments_in_a_folder";
    with_mpi(TEST, &[1, 2, 3], |mut mpi| {
        let world = mpi.world();
        if let Some(parent) = mpi.parent() {
            println!("{CHILD}");
            assert_eq!((world.size(), parent.size()), (2, 2));
            assert_eq!(std::env::args().next_back().unwrap(), "two words");
            assert_eq!(std::env::current_dir().unwrap(), std::path::Path::new("/"));
            let root = parent.remote_size() - 1;
            assert_eq!(
                parent.broadcast_object::<String>(None, Root::Remote(root)).unwrap().unwrap(),
                "hello"
            );
            let ranks = parent.all_gather_parts(&[world.rank() as u64]).unwrap().data;
            assert_eq!(ranks, (0..parent.remote_size() as u64).collect::<Vec<_>>());
            parent.send(&[world.rank() as u32 + 100], 0, 4).unwrap();
            let all = parent.merge(true).unwrap();
            assert_eq!(all.rank(), parent.remote_size() + world.rank());
            assert_eq!(all.all_reduce(&[1u32], Sum).unwrap(), [all.size() as u32]);
            drop(all);
            // Where it is not kept, MPI_Finalize waits for the parents.
            if world.rank() < 2 {
                mpi.take_parent().unwrap().disconnect().unwrap();
            }
            assert!(mpi.parent().is_none());
            return mpi.finish().unwrap();
        }
        let root = world.size() - 1;
        let program = children(TEST, 2).argument("two words").directory("/").info("unknown", "ignored");
        let Some(children) = started(&mpi, world.spawn(&program, root)) else { return mpi.finish().unwrap() };
        assert_eq!((children.size(), children.remote_size()), (world.size(), 2));
        let hello = "hello".to_owned();
        let (given, said) =
            if world.rank() == root { (Some(&hello), Root::Here) } else { (None, Root::Beside) };
        assert_eq!(children.broadcast_object(given, said).unwrap(), None);
        assert_eq!(children.all_gather_parts(&[world.rank() as u64]).unwrap().data, [0, 1]);
        if world.rank() == 0 {
            for child in 0..2 {
                assert_eq!(children.receive::<u32>(child, 4).unwrap().0, [child as u32 + 100]);
            }
        }
        let all = children.merge(false).unwrap();
        assert_eq!((all.rank(), all.size()), (world.rank(), world.size() + 2));
        assert_eq!(all.all_reduce(&[1u32], Sum).unwrap(), [all.size() as u32]);
        drop(all);
        children.disconnect().unwrap();
        goes_on(mpi.world());
        mpi.finish().unwrap();
    });
}

#[test]
fn several_programs_are_one_group() {
    const TEST: &str = "several_programs_are_one_group";
    with_mpi(TEST, &[1, 2], |mpi| {
        let world = mpi.world();
        if let Some(parent) = mpi.parent() {
            println!("{CHILD}");
            assert_eq!(world.size(), 3);
            let number = usize::from(world.rank() > 0);
            assert_eq!(mpi.program_number().unwrap(), Some(number));
            assert_eq!(std::env::args().next_back().unwrap(), ["first", "second"][number]);
            parent.gather_objects(Some(&format!("child {}", world.rank())), Root::Remote(0)).unwrap();
            // It is not disconnected: MPI waits for both groups where it is finalized.
            return mpi.finish().unwrap();
        }
        let programs =
            [children(TEST, 1).argument("first"), children(TEST, 2).argument("second").hosts(["localhost"])];
        if let Some(children) = started(&mpi, world.spawn_multiple(&programs, 0)) {
            let root = if world.rank() == 0 { Root::Here } else { Root::Beside };
            let names = children.gather_objects::<String>(None, root).unwrap();
            let wanted = ["child 0", "child 1", "child 2"].map(str::to_owned).to_vec();
            assert_eq!(names, (world.rank() == 0).then_some(wanted));
        }
        mpi.finish().unwrap();
    });
}

#[test]
fn what_cannot_be_started_is_told_to_all_ranks_and_the_job_goes_on() {
    const TEST: &str = "what_cannot_be_started_is_told_to_all_ranks_and_the_job_goes_on";
    with_mpi(TEST, &[1, 3], |mpi| {
        let (world, root) = (mpi.world(), mpi.world().size() - 1);
        let refused = |program: Program| {
            let refused = world.spawn(&program, root).unwrap_err();
            goes_on(world);
            (refused.kind(), refused.to_string())
        };
        let (kind, message) = refused(Program::new("/no/program", 2));
        assert_eq!(kind, ErrorKind::Spawn);
        let wanted = "start 2 processes of /no/program: there is no program /no/program that may be run";
        assert!(message.starts_with(wanted), "{message}");
        assert_eq!(message.ends_with(&format!("(as rank {root} says)")), world.rank() != root, "{message}");
        // A file that may not be run.
        assert_eq!(refused(Program::new("/etc/passwd", 1)).0, ErrorKind::Spawn);
        assert!(refused(Program::new("no-such-name", 1)).1.contains("there is no program no-such-name"));
        let (_, message) = refused(children(TEST, 1).directory("/no/folder"));
        assert!(message.contains("there is no folder /no/folder to start it in"), "{message}");
        assert!(refused(children(TEST, 0)).1.contains("that is no number of processes"));
        assert!(refused(children(TEST, 1).argument("a\0b")).1.contains("`a\\0b` has a byte that is 0"));
        assert_eq!(
            world.spawn_multiple(&[], root).map(drop).unwrap_err().to_string().split(" (").next(),
            Some("start programs: there are none")
        );
        assert_eq!(world.spawn(&children(TEST, 1), world.size()).unwrap_err().kind(), ErrorKind::Rank);
        mpi.finish().unwrap();
    });
}

/// Open MPI's launcher would not end: it is not asked.
#[test]
fn what_there_is_no_room_for_is_told() {
    const TEST: &str = "what_there_is_no_room_for_is_told";
    if is_rank() {
        let mpi = Environment::start(Threads::Multiple).unwrap();
        let slots = mpi.universe_size().unwrap().unwrap();
        let refused = mpi.world().spawn(&children(TEST, slots), 0).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Spawn);
        let wanted = format!(
            "the launcher has room for {} more; start the job with --oversubscribe, or with more slots",
            slots - 1
        );
        assert!(refused.to_string().ends_with(&wanted), "{refused}");
        return mpi.finish().unwrap();
    }
    let whole = launch(LAUNCHERS[0], 1, &format!("processes::{TEST}"));
    let mut command = Command::new(whole.get_program());
    command.args(whole.get_args().filter(|argument| *argument != "--oversubscribe"));
    command.envs(whole.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&said));
}

#[test]
fn programs_find_each_other_by_a_port() {
    const TEST: &str = "programs_find_each_other_by_a_port";
    with_mpi(TEST, &[2, 3], |mpi| {
        let (world, odd) = (mpi.world(), mpi.world().rank() % 2);
        let half = world.split(Some(odd as u32), 0).unwrap().unwrap();
        // A name that is none is told to all ranks, and those of others do not count.
        let last = world.size() - 1;
        let names = if world.rank() == last { ["no\0port"; 2] } else { ["", "no\0port"] };
        for name in names {
            assert_eq!(world.accept(name, last).unwrap_err().kind(), ErrorKind::Usage);
            assert_eq!(world.connect(name, last).unwrap_err().kind(), ErrorKind::Usage);
        }
        let port = if world.rank() == 0 { Some(mpi.open_port()) } else { None };
        let has_ports = world.broadcast_object(Some(&matches!(port, Some(Ok(_)))), 0).unwrap();
        if !has_ports {
            // MPICH over UCX: 4.0.2 has none, and 5.0.2 no room for their names.
            if let Some(Err(error)) = port {
                assert!(matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::Port), "{error}");
                assert!(error.to_string().starts_with("open a port (MPI_Open_port): "), "{error}");
            }
            assert!(mpi.library().starts_with("MPICH"));
            goes_on(world);
            return mpi.finish().unwrap();
        }
        let port = port.transpose().unwrap();
        let service = format!("upcall-test-{}", std::process::id());
        let service = world.broadcast_object(Some(&service), 0).unwrap();
        let published = port.as_ref().map(|port| port.publish(&service).unwrap());
        world.barrier().unwrap();
        let name = if odd == 1 { mpi.look_up(&service).unwrap() } else { String::new() };
        let inter = match &port {
            Some(port) => half.accept(&port.name(), 0).unwrap(),
            None if odd == 0 => half.accept("", 0).unwrap(),
            None => half.connect(&name, 0).unwrap(),
        };
        assert_eq!((inter.size(), inter.remote_size()), (half.size(), world.size() - half.size()));
        let theirs = inter.all_gather_objects(&format!("rank {}", world.rank())).unwrap();
        let wanted: Vec<String> =
            (0..world.size()).filter(|rank| rank % 2 != odd).map(|rank| format!("rank {rank}")).collect();
        assert_eq!(theirs, wanted);
        inter.disconnect().unwrap();
        drop(published);
        world.barrier().unwrap();
        let gone = mpi.look_up(&service).unwrap_err();
        assert_eq!(gone.kind(), ErrorKind::Port, "{gone}");
        // Open MPI 5.0.11 waits for ever.
        let nowhere = mpi.own().connect("nonsense", 0).unwrap_err();
        assert_eq!(nowhere.kind(), ErrorKind::Port, "{nowhere}");
        assert!(
            nowhere.to_string().starts_with("connect to the port `nonsense` (MPI_Comm_connect): "),
            "{nowhere}"
        );
        goes_on(world);
        drop(port);
        mpi.finish().unwrap();
    });
}

#[test]
fn the_job_and_the_machine_are_described() {
    with_mpi("the_job_and_the_machine_are_described", &[1, 3], |mpi| {
        let world = mpi.world();
        assert!(Environment::is_initialized() && !Environment::is_finalized());
        assert!(mpi.is_main_thread());
        assert!(!std::thread::scope(|scope| scope.spawn(Environment::is_finalized).join().unwrap()));
        assert_eq!(mpi.threads_wanted(), Threads::Multiple);
        assert!(mpi.threads() <= Threads::Multiple);
        let tick = mpi.time_resolution();
        assert!(tick > 0.0 && tick < 0.1, "{tick}");
        let name = mpi.processor().unwrap();
        assert!(!name.is_empty());
        // All of them are on one machine.
        assert_eq!(world.all_gather_objects(&name).unwrap(), vec![name; world.size()]);
        assert!(mpi.universe_size().unwrap().is_none_or(|size| size >= 1));
        assert!(mpi.program_number().unwrap().is_none_or(|number| number == 0));
        let is_global = mpi.time_is_global().unwrap();
        assert_eq!(world.all_gather_objects(&is_global).unwrap(), vec![is_global; world.size()]);
        assert_eq!(mpi.io_rank().unwrap(), Some(upcall_mpi::Source::Any));
        assert_eq!(mpi.host_rank().unwrap(), None);
        assert!(mpi.parent().is_none());
        let twin = world.duplicate().unwrap();
        let group = twin.group().unwrap();
        mpi.finish().unwrap();
        assert!(!Environment::is_initialized() && Environment::is_finalized());
        // What is left of it says so, and is dropped in peace.
        let late = [
            twin.group().unwrap_err(),
            twin.name().unwrap_err(),
            group.include(&[0]).unwrap_err(),
            twin.create(&group).unwrap_err(),
            twin.cartesian(&[], false).unwrap_err(),
            twin.split_shared_memory(0).unwrap_err(),
            twin.shrink().unwrap_err(),
        ];
        for late in late {
            assert_eq!(late.kind(), ErrorKind::Lifecycle);
            assert!(late.to_string().ends_with("MPI has been finalized"), "{late}");
        }
    });
}
