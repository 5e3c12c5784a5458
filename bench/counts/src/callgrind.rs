//! Requests to callgrind: a few instructions that do nothing on a machine and that valgrind understands.

use std::ffi::CString;

// valgrind/callgrind.h: the tool's letters, then the request's number.
const ZERO_STATS: u64 = 0x4354_0001;
const DUMP_STATS_AT: u64 = 0x4354_0003;

/// What is counted, and how often it is done.
pub struct Counted(CString);

impl Counted {
    /// `items` times what is called `name`.
    pub fn new(name: &str, items: usize) -> Counted {
        // The dump repeats the text; `cargo xtask counts` reads it there.
        Counted(CString::new(format!("{name} / {items}")).expect("names have no zero in them"))
    }

    /// Counts from here on.
    #[inline(never)]
    pub fn begin(&self) {
        request(ZERO_STATS, 0);
    }

    /// Writes down what was executed since [`Counted::begin`], by all threads.
    #[inline(never)]
    pub fn end(&self) {
        request(DUMP_STATS_AT, self.0.as_ptr() as u64);
    }
}

/// Counts what `body` executes, which does `items` times what is called `name`. It is done twice before, so that
/// nothing in it happens for the first time.
pub fn counted(name: &str, items: usize, mut body: impl FnMut()) {
    let counted = Counted::new(name, items);
    body();
    body();
    counted.begin();
    body();
    counted.end();
}

#[cfg(target_arch = "x86_64")]
fn request(request: u64, argument: u64) {
    let arguments = [request, argument, 0, 0, 0, 0];
    // SAFETY: four rotations by 128 bits in all and an exchange of a register with itself change nothing but flags;
    // valgrind, which looks for them, reads the six words in rax and answers in rdx.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") &arguments,
            inout("rdx") 0u64 => _,
        );
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn request(_: u64, _: u64) {}
