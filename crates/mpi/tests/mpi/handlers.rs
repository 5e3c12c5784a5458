//! Handlers in other languages as operations. They are built by `cargo xtask build`.

use crate::support::on_ranks;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use upcall_apart::{Processes, Program};
use upcall_host::clr::{Clr, ClrOptions};
use upcall_host::java::Java;
use upcall_host::native::Native;
use upcall_host::python::{Python, PythonOptions};
use upcall_host::{HandlerSpec, Host, Isolation, JavaOptions};
use upcall_mpi::{Communicator, ErrorKind, Handler, Operation, Sum};

fn home() -> PathBuf {
    let named = std::env::var_os("UPCALL_HOME").map(PathBuf::from);
    named.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into())
}

/// Where the handlers of a guest are.
fn file(guest: &str) -> PathBuf {
    let file = match guest {
        "native" => home().join("build/tests/libhandlers.so"),
        "csharp" => home().join("build/tests/handlers.dll"),
        _ => PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../cli/tests/handlers/combines.py")),
    };
    assert!(file.is_file(), "there is no {}: run cargo xtask build", file.display());
    file
}

/// A guest's runtime, started in this rank.
fn host(guest: &str) -> Arc<dyn Host> {
    let home = Some(home());
    match guest {
        "native" => Arc::new(Native),
        "csharp" => Arc::new(Clr::start(&ClrOptions { home, ..ClrOptions::default() }).unwrap()),
        _ => Arc::new(Python::start(&PythonOptions { interpreter: None, home }).unwrap()),
    }
}

fn handler(host: &Arc<dyn Host>, class: &str) -> Handler {
    let spec = HandlerSpec::new(class.to_lowercase(), host.guest(), file(host.guest()), class);
    Handler::new(Arc::clone(host), spec)
}

/// What a guest's handlers do as operations: `thrown` is what its language calls an error.
fn combined(world: &Communicator, guest: &str, thrown: &str, stack: &str) {
    let host = host(guest);
    let (me, size) = (world.rank(), world.size());
    let sums = handler(&host, "Sums").operation::<f64>().unwrap();
    let mut done = false;
    // Also on a thread that is not attached yet.
    let mut calls = called(world, &sums, 1, &[1, 100, 10_000]);
    let one = called(world, &sums, 1, &[1]);
    calls += one;
    host.worker(&mut || {
        calls += called(world, &sums, 5, &[1, 100, 10_000]);
        done = true;
    });
    assert!(done);
    // The exception of one is the error of those on which it was combined, and of all in the checked form.
    let mine = [if me == size - 1 { f64::NAN } else { 1.0 }];
    let error = world.all_reduce_checked(&mine, &sums).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Operation);
    let alone = world.all_reduce(&mine, &sums);
    if let Err(error) = &alone {
        let wanted =
            format!("reduce 1 element of each rank everywhere: its operation failed: {thrown}: after ");
        assert!(error.to_string().starts_with(&wanted) && error.to_string().contains(stack), "{error}");
        // One for each chunk, which it has counted; of those of the two that fail some come behind the number.
        let told = error.to_string();
        let told = told[wanted.len()..].split(' ').next().unwrap().to_owned();
        let told: usize = told.parse().unwrap();
        assert!(told > calls + one && told <= calls + 2 * one, "{calls} and {one}: {error}");
    }
    let failed = world.all_reduce(&[u64::from(alone.is_err())], Sum).unwrap()[0];
    assert!(failed > 0, "somebody has combined it");
    // And the ranks are together again, with the same instance.
    assert_eq!(world.all_reduce(&[2.0], &sums).unwrap(), [2.0 * size as f64]);
    // What does not commute is combined in the order of the ranks.
    let first = handler(&host, "First").operation::<u32>().unwrap();
    assert_eq!(world.all_reduce(&[7 + me as u32; 1000], &first).unwrap(), [7; 1000]);
    assert_eq!(world.scan(&[7 + me as u32], &first).unwrap(), [7]);
    // As bytes, of a type that is known at run time.
    let bytes: Vec<u8> = [1.5, me as f64].iter().flat_map(|number: &f64| number.to_ne_bytes()).collect();
    let sums = handler(&host, "Sums").operation_of("f64", 8).unwrap();
    let sum: Vec<f64> = world
        .all_reduce(&bytes, &sums)
        .unwrap()
        .chunks_exact(8)
        .map(|bytes| f64::from_ne_bytes(bytes.try_into().unwrap()))
        .collect();
    assert_eq!(sum, [1.5 * size as f64, (0..size).sum::<usize>() as f64]);
    // Called by the program, without MPI.
    let combiner = handler(&host, "Sums").combiner_of("f64", 8).unwrap();
    assert!(combiner.commutes() && !handler(&host, "First").combiner_of("u32", 4).unwrap().commutes());
    let number = |numbers: &[f64; 2]| -> [u64; 2] { numbers.map(f64::to_bits) };
    let (from, mut into) = (number(&[1.5, 2.0]), number(&[3.0, 4.0]));
    // SAFETY: the bytes of two numbers each.
    let (from, room) = unsafe {
        (
            std::slice::from_raw_parts(from.as_ptr().cast::<u8>(), 16),
            std::slice::from_raw_parts_mut(into.as_mut_ptr().cast::<u8>(), 16),
        )
    };
    combiner.combine(from, room).unwrap();
    assert_eq!(combiner.combine(&from[..8], room).unwrap_err().kind(), ErrorKind::Usage);
    assert_eq!(combiner.combine(&from[..9], &mut room[..9]).unwrap_err().kind(), ErrorKind::Usage);
    assert_eq!(into, number(&[4.5, 6.0]));
    drop(combiner);
    // What it is not.
    let refused = handler(&host, "Sums").operation::<u64>().unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Type);
    let wanted = "make an operation of handler sums: it combines f64 of 8 bytes, and the elements are u64 of 8: change one of them";
    assert_eq!(refused.to_string(), wanted);
    let refused = handler(&host, "Nobody").operation::<f64>().unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Operation);
    assert!(refused.to_string().starts_with("make an operation of handler nobody: "), "{refused}");
    // Other threads: each has an instance, or is told where it may be called.
    elsewhere(world, &sums, guest);
    drop((sums, first));
    world.barrier().unwrap();
}

/// Reduces several times, by a handler that adds: how often it was called.
fn called(world: &Communicator, sums: &Operation<f64>, times: usize, lengths: &[usize]) -> usize {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    // MPI's algorithm is the same for both, and so is the number of chunks.
    let counts = Operation::new(|from: &[f64], into: &mut [f64]| {
        CALLS.fetch_add(1, Ordering::Relaxed);
        into.iter_mut().zip(from).for_each(|(into, from)| *into += from);
    })
    .unwrap();
    CALLS.store(0, Ordering::Relaxed);
    let size = world.size() as f64;
    for time in 0..times {
        for &length in lengths {
            let mine = vec![1.0 + time as f64; length];
            let sum = world.all_reduce(&mine, &counts).unwrap();
            assert_eq!(world.all_reduce(&mine, sums).unwrap(), sum);
            assert_eq!(sum, vec![(1.0 + time as f64) * size; length]);
        }
    }
    let calls = CALLS.load(Ordering::Relaxed);
    assert!(calls <= 6 * world.size() * times, "{calls} calls");
    calls
}

/// Reduces on another thread of each rank.
fn elsewhere(world: &Communicator, sums: &Operation<u8>, guest: &str) {
    let mine = 1.0f64.to_ne_bytes();
    let outcome = std::thread::scope(|scope| scope.spawn(|| world.all_reduce(&mine, sums)).join().unwrap());
    let refused = world.all_reduce(&[u64::from(outcome.is_err())], Sum).unwrap()[0];
    // It is called on one rank at least.
    assert_eq!(refused > 0, guest == "python");
    match outcome {
        Ok(sum) => assert!(guest == "python" || sum == (world.size() as f64).to_ne_bytes()),
        Err(error) => {
            assert!(error.to_string().contains("all handlers in python run on one: reduce there"), "{error}");
        }
    }
}

/// The processes of this guest are this program, with this test alone.
#[test]
fn a_handler_in_a_process_of_its_own_combines() {
    const TEST: &str = "handlers::a_handler_in_a_process_of_its_own_combines";
    if upcall_apart::guest::is_one() {
        let arguments: Vec<OsString> = std::env::args_os().collect();
        let told = arguments[arguments.len() - 4..].to_vec();
        upcall_apart::guest::main(told, |_| Ok(Arc::new(Native))).unwrap();
        // Not as a test that has passed, which is counted.
        std::process::exit(0);
    }
    on_ranks(&format!("mpi::{TEST}"), &[2], |world| {
        let program = Program::new(std::env::current_exe().unwrap()).argument(TEST).argument("--exact");
        let spec = HandlerSpec::new("sums", "native", file("native"), "Sums");
        let spec = HandlerSpec { isolation: Some(Isolation::default()), ..spec };
        let sums = Operation::<f64>::handler(Arc::new(Processes::new(program)), spec).unwrap();
        for length in [1, 1000, 100_000] {
            assert_eq!(world.all_reduce(&vec![1.5; length], &sums).unwrap(), vec![3.0; length]);
        }
        let error = world.all_reduce_checked(&[f64::NAN], &sums).unwrap_err();
        assert!(error.to_string().contains("its operation failed: failure: after "), "{error}");
        assert_eq!(world.all_reduce(&[1.0], &sums).unwrap(), [2.0]);
    });
}

crate::ranks! {
    fn a_handler_in_rust_combines(world: [2, 3]) {
        combined(world, "native", "failure", "");
    }

    fn a_handler_in_csharp_combines(world: [2, 3]) {
        combined(world, "csharp", "System.ArithmeticException", "Sums.Combine");
    }

    fn a_handler_in_java_combines(world: [2]) {
        let options = JavaOptions { home: Some(home()), ..JavaOptions::default() };
        let java = Arc::new(Java::start(&options).unwrap());
        let spec = |file: PathBuf, class: &str| HandlerSpec::new("probe", "java", file, class);
        let sums = spec(java.sdk().to_owned(), "upcall.probes.Combining");
        let sums = Operation::<f64>::handler(java.clone(), sums).unwrap();
        for length in [1, 100, 10_000] {
            assert_eq!(world.all_reduce(&vec![1.5; length], &sums).unwrap(), vec![3.0; length]);
        }
        // Of numbers without a sign its handler has those with one.
        let least = spec(home().join("build/tests/upcall-tests.jar"), "upcall.tests.Least$Longs");
        let least = Operation::<u64>::handler(java, least).unwrap();
        assert_eq!(world.all_reduce(&[5 + world.rank() as u64, 7], &least).unwrap(), [5, 7]);
    }

    fn a_handler_in_python_combines(world: [2, 3]) {
        combined(world, "python", "ArithmeticError", "combines.py");
    }
}
