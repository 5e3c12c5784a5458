//! Rounds of calls, all cases in turn.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

/// A round of one case takes about this long.
const ROUND: Duration = Duration::from_millis(8);

struct Case<'a> {
    name: String,
    call: Box<dyn FnMut() + 'a>,
    calls: u32,
    nanos: Vec<f64>,
}

/// What is measured.
pub struct Cases<'a> {
    folder: PathBuf,
    shape: &'static str,
    wanted: Vec<String>,
    cases: Vec<Case<'a>>,
}

impl<'a> Cases<'a> {
    /// None yet; only those that name all of `wanted` will be measured.
    pub fn new(folder: PathBuf, wanted: Vec<String>) -> Cases<'a> {
        Cases { folder, shape: "", wanted, cases: Vec::new() }
    }

    /// What is added from here on is of this shape.
    pub fn begin(&mut self, shape: &'static str) {
        self.shape = shape;
    }

    /// Leaves the bytes of the shape for another program.
    pub fn keep(&self, bytes: &[u8]) {
        let file = self.folder.join(format!("{}.bin", self.shape));
        std::fs::write(&file, bytes).unwrap_or_else(|error| panic!("writing {}: {error}", file.display()));
    }

    /// Tells how many bytes a codec makes of the shape.
    pub fn size(&self, codec: &str, bytes: usize) {
        println!("{}\tsize\t{codec}\t{bytes}", self.shape);
    }

    /// Adds an operation of a codec. What `call` returns is dropped within the time.
    pub fn add<T>(&mut self, operation: &str, codec: &str, mut call: impl FnMut() -> T + 'a) {
        let name = format!("{}\t{operation}\t{codec}", self.shape);
        if self.wanted.iter().all(|part| name.contains(part)) {
            let call = Box::new(move || drop(black_box(call())));
            self.cases.push(Case { name, call, calls: 1, nanos: Vec::new() });
        }
    }

    /// Measures all cases in turn, and prints a line for each.
    pub fn measure(mut self, rounds: usize) {
        for case in &mut self.cases {
            while time(&mut case.call, case.calls) < ROUND / 2 {
                case.calls *= 2;
            }
        }
        for _ in 0..rounds {
            for case in &mut self.cases {
                // The first calls bring back what the other cases have evicted from the cache.
                time(&mut case.call, case.calls / 8 + 1);
                let taken = time(&mut case.call, case.calls);
                case.nanos.push(taken.as_secs_f64() * 1e9 / f64::from(case.calls));
            }
        }
        for Case { name, nanos, .. } in self.cases {
            let nanos: Vec<String> = nanos.iter().map(|nanos| format!("{nanos:.1}")).collect();
            println!("{name}\t{}", nanos.join(" "));
        }
    }
}

/// Lets glibc keep memory that is given back, whatever lies above it: otherwise some cases get fresh pages for each
/// call and others, which are no better, do not.
pub fn keep_memory() {
    for (option, value) in [(libc::M_TRIM_THRESHOLD, i32::MAX), (libc::M_MMAP_THRESHOLD, 32 << 20)] {
        // SAFETY: sets a number.
        let set = unsafe { libc::mallopt(option, value) };
        assert!(set == 1, "glibc refuses {option} = {value}");
    }
}

fn time(call: &mut dyn FnMut(), calls: u32) -> Duration {
    let start = now();
    for _ in 0..calls {
        call();
    }
    now() - start
}

/// CPU time of this thread: what others do meanwhile does not count.
fn now() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a place for one timespec.
    let refused = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert!(refused == 0, "Linux has had this clock since 2.6.12");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
