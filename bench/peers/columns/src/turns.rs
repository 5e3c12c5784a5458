//! Measuring several ways to do the same in turn, so that a busy moment hits all alike.

use std::time::Duration;

/// A way to do it.
pub type Way<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// Calls each way for long enough to measure, many times in turn, and prints the least mean of each.
pub fn print(function: &str, number: &str, elements: usize, mut ways: Vec<Way>) {
    let mut least = vec![f64::INFINITY; ways.len()];
    let calls: Vec<usize> = ways
        .iter_mut()
        .map(|(_, way)| {
            way();
            let start = now();
            way();
            (50_000 / (now() - start).as_nanos().max(1)).clamp(1, 1000) as usize
        })
        .collect();
    let rounds = if elements > 1_000_000 { 60 } else { 400 };
    for _ in 0..rounds {
        for ((way, least), calls) in ways.iter_mut().zip(&mut least).zip(&calls) {
            let start = now();
            for _ in 0..*calls {
                (way.1)();
            }
            *least = least.min((now() - start).as_nanos() as f64 / *calls as f64);
        }
    }
    for ((who, _), nanos) in ways.iter().zip(least) {
        let row = serde_json::json!({
            "function": function, "type": number, "elements": elements, "who": who, "nanos": nanos,
        });
        println!("{row}");
    }
}

/// Boxes a way; the compiler must not know what it is given, nor drop what it returns.
pub fn way<'a, I: ?Sized, R>(who: &'static str, input: &'a I, body: impl Fn(&I) -> R + 'a) -> Way<'a> {
    (
        who,
        Box::new(move || {
            std::hint::black_box(body(std::hint::black_box(input)));
        }),
    )
}

/// CPU time of this thread: what else the machine does takes the caches and the memory, but not the clock.
fn now() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a place for one timespec.
    let refused = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert!(refused == 0, "the clock is there on every Linux since 2.6.12");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
