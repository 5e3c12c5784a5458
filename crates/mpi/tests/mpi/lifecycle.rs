//! Starting MPI and ending it, with and without a launcher.

use crate::support::{LAUNCHERS, launch};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use upcall_mpi::{Environment, ErrorKind, File, Sum, Threads, Window};

const ALONE: &str = "UPCALL_MPI_TEST_ALONE";

/// Runs `body` in a process of its own, without a launcher, with these variables: a process has one MPI.
fn alone(test: &str, variables: &[(&str, &str)], body: fn()) {
    if std::env::var_os(ALONE).is_some() {
        return body();
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([&format!("lifecycle::{test}"), "--exact", "--nocapture"]).env(ALONE, "1");
    command.env("UPCALL_MPI_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("mpi"));
    // Debian's Open MPI starts a daemon for a process without a launcher, as root only where it is told so.
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.envs(variables.iter().copied());
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{test}: {}\n{}", output.status, String::from_utf8_lossy(&said));
}

#[test]
fn open_mpi_starts_without_a_launcher_and_only_once() {
    alone("open_mpi_starts_without_a_launcher_and_only_once", &[("UPCALL_MPI", "openmpi")], once);
}

#[test]
fn mpich_starts_without_a_launcher_and_only_once() {
    alone("mpich_starts_without_a_launcher_and_only_once", &[("UPCALL_MPI", "mpich")], once);
}

fn once() {
    let mpi = Environment::start(Threads::Funneled).unwrap();
    assert_eq!((mpi.world().rank(), mpi.world().size(), mpi.own().size()), (0, 1, 1));
    assert_eq!(mpi.world().name().unwrap(), "MPI_COMM_WORLD");
    assert!(mpi.threads() >= Threads::Funneled);
    let wanted = if std::env::var("UPCALL_MPI").unwrap() == "mpich" { "MPICH" } else { "Open MPI" };
    assert!(mpi.library().starts_with(wanted), "{}", mpi.library());
    assert!(mpi.standard() >= (3, 1));
    let begun = mpi.time();
    assert!(mpi.time() >= begun);
    assert!(!mpi.processor().unwrap().is_empty());
    let twice = Environment::start(Threads::Single).unwrap_err();
    assert_eq!(twice.kind(), ErrorKind::Lifecycle);
    assert_eq!(twice.to_string(), "start MPI: it was started already; share that environment");
    let twin = mpi.world().duplicate().unwrap();
    mpi.finish().unwrap();
    let late = twin.all_reduce(&[1u32], Sum).unwrap_err();
    assert_eq!(late.to_string(), "reduce 1 element of each rank everywhere: MPI has been finalized");
    let again = Environment::start(Threads::Single).unwrap_err();
    assert!(again.to_string().contains("cannot be started twice in a process"), "{again}");
}

/// UCX, under MPICH, would write jumps over the beginning of libc's functions for memory, whoever is in them: so it was that
/// Node ended with a fault in 3 of 100 runs.
#[test]
fn threads_that_map_memory_while_mpi_starts_are_left_alone() {
    const TEST: &str = "threads_that_map_memory_while_mpi_starts_are_left_alone";
    alone(TEST, &[("UPCALL_MPI", "mpich")], || {
        let ended = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    while !ended.load(Ordering::Relaxed) {
                        // SAFETY: memory that is nobody else's, and is given back.
                        unsafe {
                            let access = libc::PROT_READ | libc::PROT_WRITE;
                            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
                            let memory = libc::mmap(std::ptr::null_mut(), 4096, access, flags, -1, 0);
                            libc::madvise(memory, 4096, libc::MADV_DONTNEED);
                            libc::munmap(memory, 4096);
                        }
                    }
                });
            }
            let mpi = Environment::start(Threads::Multiple).unwrap();
            ended.store(true, Ordering::Relaxed);
            mpi.finish().unwrap();
        });
    });
}

/// On two cores a program of MPICH's on five ranks took 107 seconds, and takes 7. Ranks that are bound, each to a core of its own, run on
/// one and have no reason to yield: a message of one byte took them 0.28 us instead of 0.12.
#[test]
fn ranks_that_are_more_than_the_cores_yield_while_they_wait() {
    let test = "lifecycle::ranks_that_are_more_than_the_cores_yield_while_they_wait";
    const CORES: &str = "UPCALL_TEST_CORES";
    let Some(cores) = std::env::var_os(CORES) else {
        let cores = std::thread::available_parallelism().unwrap().get();
        for (size, bound) in [(1, false), (cores, true), (cores + 1, false), (cores + 1, true)] {
            let mut ranks = launch("mpirun.mpich", size, test);
            ranks.env(CORES, cores.to_string());
            if bound {
                ranks.env("HYDRA_BINDING", "core");
            }
            let output = ranks.output().unwrap();
            let said = [output.stdout, output.stderr].concat();
            assert!(
                output.status.success(),
                "{size} ranks, bound: {bound}: {}",
                String::from_utf8_lossy(&said)
            );
        }
        return;
    };
    let cores: usize = cores.to_str().unwrap().parse().unwrap();
    let mpi = Environment::start(Threads::Funneled).unwrap();
    // SAFETY: where a function of UCX's is that is called while MPI waits, and the library that has it.
    let library = unsafe {
        let mut about = std::mem::zeroed::<libc::Dl_info>();
        let function = libc::dlsym(libc::RTLD_DEFAULT, c"ucp_worker_progress".as_ptr());
        assert_ne!(libc::dladdr(function, &mut about), 0);
        std::ffi::CStr::from_ptr(about.dli_fname).to_str().unwrap()
    };
    assert_eq!(library.contains("upcall_mpi"), mpi.world().size() > cores, "{library}");
    let sum = mpi.world().all_reduce(&[1u64], Sum).unwrap()[0];
    assert_eq!(sum, mpi.world().size() as u64);
    mpi.finish().unwrap();
}

#[test]
fn a_thread_that_may_not_call_is_told() {
    alone("a_thread_that_may_not_call_is_told", &[("UPCALL_MPI", "mpich")], || {
        let mpi = Environment::start(Threads::Funneled).unwrap();
        if mpi.threads() == Threads::Funneled {
            let world = mpi.world();
            let refused = std::thread::scope(|scope| scope.spawn(|| world.barrier()).join().unwrap());
            let refused = refused.unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Usage);
            assert!(refused.to_string().contains("start it for `multiple` threads"), "{refused}");
        }
        mpi.world().barrier().unwrap();
    });
}

#[test]
fn an_mpi_that_is_missing_is_named_with_what_to_install() {
    const TEST: &str = "an_mpi_that_is_missing_is_named_with_what_to_install";
    alone(TEST, &[("PATH", "/nowhere")], || {
        let error = Environment::start(Threads::Single).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Missing);
        let wanted = "find MPI: there is no mpicc, mpicc.openmpi, mpicc.mpich on PATH; install one";
        assert!(error.to_string().starts_with(wanted), "{error}");
    });
}

#[test]
fn a_choice_that_is_no_compiler_is_refused() {
    alone("a_choice_that_is_no_compiler_is_refused", &[("UPCALL_MPI", "/no/mpicc")], || {
        let error = Environment::start(Threads::Single).unwrap_err();
        let wanted = "find MPI: UPCALL_MPI is `/no/mpicc`, which is no file; set it to `openmpi`, `mpich` or the path of an mpicc";
        assert_eq!(error.to_string(), wanted);
    });
}

#[test]
fn a_compiler_of_no_mpi_is_told_in_its_own_words() {
    alone("a_compiler_of_no_mpi_is_told_in_its_own_words", &[("UPCALL_MPI", "/bin/false")], || {
        let error = Environment::start(Threads::Single).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Load);
        assert!(
            error.to_string().starts_with("compile the shim of MPI with /bin/false: exit status: 1"),
            "{error}"
        );
    });
}

#[test]
fn a_cache_that_others_may_write_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("open");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    let folder = folder.to_str().unwrap();
    alone("a_cache_that_others_may_write_is_refused", &[("UPCALL_MPI_CACHE", folder)], || {
        let error = Environment::start(Threads::Single).unwrap_err();
        assert!(error.to_string().contains("others may write there; set UPCALL_MPI_CACHE"), "{error}");
    });
}

/// A launcher whose ranks another MPI does not see: each would think that it is the only one.
#[test]
fn ranks_that_would_each_be_alone_are_told() {
    const TEST: &str = "ranks_that_would_each_be_alone_are_told";
    if std::env::var_os("UPCALL_MPI_TEST").is_some() {
        let error = Environment::start(Threads::Multiple).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Load);
        let said = error.to_string();
        assert!(said.contains("has started 2 ranks, and each is alone in `"), "{said}");
        assert!(
            said.contains("name the launcher's MPI in UPCALL_MPI; where each is meant to be alone, unset "),
            "{said}"
        );
        return;
    }
    for (launcher, other) in [(LAUNCHERS[0], "mpich"), (LAUNCHERS[1], "openmpi")] {
        let mut command = launch(launcher, 2, &format!("lifecycle::{TEST}"));
        // As root, Open MPI starts a daemon only where it is told so.
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        let output = command.env("UPCALL_MPI", other).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(said.matches("1 passed").count(), 2, "{launcher}: {said}");
    }
}

/// With the variables that srun sets; no srun runs here.
#[test]
fn ranks_that_srun_has_started_without_pmi_are_told() {
    let variables = [("UPCALL_MPI", "mpich"), ("SLURM_STEP_ID", "0"), ("SLURM_STEP_NUM_TASKS", "3")];
    alone("ranks_that_srun_has_started_without_pmi_are_told", &variables, || {
        let said = Environment::start(Threads::Single).unwrap_err().to_string();
        assert!(
            said.starts_with("start MPI: srun without PMI has started 3 ranks, and each is alone"),
            "{said}"
        );
        assert!(said.contains("`srun --mpi=pmi2`") && said.ends_with("unset SLURM_STEP_NUM_TASKS"), "{said}");
    });
}

/// A script of sbatch's is one process, whatever the job has asked for.
#[test]
fn a_process_alone_in_an_allocation_is_what_it_is_meant_to_be() {
    let variables = [("UPCALL_MPI", "mpich"), ("SLURM_NTASKS", "3"), ("SLURM_PROCID", "0")];
    alone("a_process_alone_in_an_allocation_is_what_it_is_meant_to_be", &variables, || {
        assert_eq!(Environment::start(Threads::Single).unwrap().world().size(), 1);
    });
}

/// A rank that panics ends the job: the others would wait for it for ever.
#[test]
fn a_rank_that_panics_ends_the_job() {
    const TEST: &str = "a_rank_that_panics_ends_the_job";
    if std::env::var_os("UPCALL_MPI_TEST").is_some() {
        let mpi = Environment::start(Threads::Multiple).unwrap();
        assert!(mpi.world().rank() != 1, "rank 1 gives up");
        mpi.world().barrier().unwrap();
        return;
    }
    for launcher in LAUNCHERS {
        let output = launch(launcher, 3, &format!("lifecycle::{TEST}")).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(!output.status.success() && said.contains("rank 1 gives up"), "{launcher}: {said}");
    }
}

#[test]
fn memory_of_open_mpis_windows_is_not_taken_away_while_it_is_lent() {
    const TEST: &str = "memory_of_open_mpis_windows_is_not_taken_away_while_it_is_lent";
    alone(TEST, &[("UPCALL_MPI", "openmpi")], lent);
}

#[test]
fn memory_of_mpichs_windows_is_not_taken_away_while_it_is_lent() {
    const TEST: &str = "memory_of_mpichs_windows_is_not_taken_away_while_it_is_lent";
    alone(TEST, &[("UPCALL_MPI", "mpich")], lent);
}

fn lent() {
    let mpi = Environment::start(Threads::Funneled).unwrap();
    let window = Window::<u64>::allocate(mpi.own(), 10).unwrap();
    let mut local = window.local().unwrap();
    let early = mpi.finish().unwrap_err();
    assert_eq!(early.kind(), ErrorKind::Synchronization);
    let said = "finalize MPI: 1 epochs or guards of windows are open, whose memory it would take away; end them first";
    assert_eq!(early.to_string(), said);
    // It is not finalized, and works.
    local.fill(7);
    drop(local);
    window.put(&[8], 0, 9).unwrap();
    assert_eq!(window.free().unwrap(), [7, 7, 7, 7, 7, 7, 7, 7, 7, 8]);
}

#[test]
fn an_open_mpi_is_not_finalized_while_a_window_is_exposed() {
    const TEST: &str = "an_open_mpi_is_not_finalized_while_a_window_is_exposed";
    alone(TEST, &[("UPCALL_MPI", "openmpi")], exposed);
}

#[test]
fn an_mpich_is_not_finalized_while_a_window_is_exposed() {
    const TEST: &str = "an_mpich_is_not_finalized_while_a_window_is_exposed";
    alone(TEST, &[("UPCALL_MPI", "mpich")], exposed);
}

fn exposed() {
    let mpi = Environment::start(Threads::Funneled).unwrap();
    let window = Window::<u64>::allocate(mpi.own(), 10).unwrap();
    let exposed = window.expose(&[]).unwrap();
    assert_eq!(mpi.close().unwrap_err().kind(), ErrorKind::Synchronization);
    exposed.wait().unwrap();
    // What is forgotten is ended with the window.
    std::mem::forget(window.expose(&[]).unwrap());
    assert_eq!(mpi.close().unwrap_err().kind(), ErrorKind::Synchronization);
    assert_eq!(window.free().unwrap(), [0; 10]);
    mpi.finish().unwrap();
}

#[test]
fn epochs_of_open_mpis_windows_end_whatever_other_threads_call() {
    const TEST: &str = "epochs_of_open_mpis_windows_end_whatever_other_threads_call";
    alone(TEST, &[("UPCALL_MPI", "openmpi")], contended);
}

#[test]
fn epochs_of_mpichs_windows_end_whatever_other_threads_call() {
    const TEST: &str = "epochs_of_mpichs_windows_end_whatever_other_threads_call";
    alone(TEST, &[("UPCALL_MPI", "mpich")], contended);
}

/// Where threads call one at a time, one that comes in between is refused. The end of an epoch is not: what it has borrowed would
/// be let go while MPI reads or fills it.
fn contended() {
    let mpi = Environment::start(Threads::Serialized).unwrap();
    assert_eq!(mpi.threads(), Threads::Serialized);
    let (own, over) = (mpi.own(), AtomicBool::new(false));
    let window = Window::<u64>::allocate(own, 10).unwrap();
    let (mut refused, mut failed, since) = (0, None, Instant::now());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                let _ = own.try_probe(0, 1);
            }
        });
        while refused < 100 && failed.is_none() && since.elapsed().as_secs() < 60 {
            let mut begun = false;
            let outcome = window.lock_all(|epoch| {
                begun = true;
                refused += usize::from(epoch.start_get(0, 0, 10).is_err());
                Ok(())
            });
            if begun {
                failed = outcome.err();
            }
            if let Ok(mut local) = window.local() {
                local.fill(7);
            }
        }
        over.store(true, Ordering::Relaxed);
    });
    assert!(failed.is_none(), "{failed:?}");
    assert!(refused > 10, "the other thread comes in between");
    // No lock is left, and nothing is lent.
    assert_eq!(window.free().unwrap(), [7; 10]);
    mpi.finish().unwrap();
}

#[test]
fn a_transfer_of_a_file_is_done_at_once_where_one_thread_may_call() {
    alone(
        "a_transfer_of_a_file_is_done_at_once_where_one_thread_may_call",
        &[("UPCALL_MPI", "openmpi")],
        || {
            let mpi = Environment::start(Threads::Funneled).unwrap();
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("at-once");
            let options =
                File::options().read(true).write(true).create(true).truncate(true).delete_on_close(true);
            let file = options.open(mpi.own(), path).unwrap();
            let written = file.start_write_at(vec![3u32; 10], 0).unwrap();
            assert_eq!(file.size().unwrap(), 40);
            assert_eq!(written.wait().unwrap(), [3; 10]);
            let Ok(read) = file.start_read_at::<u32>(4, 100).unwrap().test().unwrap() else {
                panic!("it is done")
            };
            assert_eq!(read, [3; 9]);
            file.close().unwrap();
            mpi.finish().unwrap();
        },
    );
}
