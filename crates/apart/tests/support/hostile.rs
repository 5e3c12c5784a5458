//! A guest that keeps to nothing: it speaks the protocol by hand, and says what no driver says.

use std::os::fd::{FromRawFd, OwnedFd};
use upcall_apart::protocol::{self, ARENA, SCRATCH};
use upcall_segment::{Message, Patience, Segment, Side, Turn};

const READY: u64 = 1;
const REFUSED: u64 = 2;
pub(super) const RETURNED: u64 = 3;
const GROW: u64 = 4;
pub(super) const LOG: u64 = 5;
const READ: u64 = 6;

const OPEN: u16 = 1;
const DESCRIBE: u16 = 6;

/// Offsets in a frame of a flow.
const ERROR_LENGTHS: u64 = 40 + 16;
pub(super) const OUT: u64 = 120;
const OUT_CHUNK: u64 = OUT + 16;
const DONE: u64 = 152;

pub(crate) fn main(what: &str) -> std::io::Result<()> {
    let number = std::env::var("UPCALL_SEGMENT").ok().and_then(|number| number.parse().ok()).unwrap_or(-1);
    // SAFETY: the host has opened it for us.
    let segment = Segment::open(unsafe { OwnedFd::from_raw_fd(number) })?;
    let mut guest = Guest { turn: Turn::new(Side::Guest), segment };
    guest.wait();
    if what == "babbles" {
        guest.say(4711, [1, 2, 3, 4, 5]);
    }
    if what == "refuses at length" {
        guest.say(REFUSED, [99, u64::MAX, 0, 0, 0]);
    }
    let later = what.strip_prefix("later: ");
    let mut opened = false;
    let mut next = guest.say(READY, [protocol::NUMBER, 0, 0, 0, 0]);
    loop {
        let [at, out, ..] = next.with;
        // What it is asked and opened with it answers as it should.
        match (guest.read(at) >> 16) as u16 {
            DESCRIBE => guest.describe(at + out, later.is_some()),
            OPEN => {
                opened = true;
                if let Some(what) = later {
                    guest.segment.leave(Message { what: RETURNED, with: [0; 5] });
                    guest.turn.pass(&guest.segment);
                    guest.serve_lanes(what);
                    return Ok(());
                }
            }
            _ if opened && out > 0 => guest.misbehave(what, at),
            _ => {}
        }
        next = guest.say(RETURNED, [0; 5]);
    }
}

pub(super) struct Guest {
    pub(super) segment: Segment,
    pub(super) turn: Turn,
}

impl Guest {
    fn wait(&mut self) {
        self.turn.wait(&self.segment, Patience::Endless);
    }

    fn say(&mut self, what: u64, with: [u64; 5]) -> Message {
        self.segment.leave(Message { what, with });
        self.turn.pass(&self.segment);
        self.wait();
        self.segment.message()
    }

    pub(super) fn write<T>(&self, at: u64, value: T) {
        let at = self.segment.place(at, size_of::<T>() as u64).expect("it is in the segment").cast();
        // SAFETY: inside the segment; what becomes of it is the host's affair.
        unsafe { std::ptr::write_unaligned(at, value) };
    }

    pub(super) fn read(&self, at: u64) -> u64 {
        let at = self.segment.place(at, 8).expect("it is in the segment").cast::<u64>();
        // SAFETY: inside the segment.
        unsafe { at.read_unaligned() }
    }

    /// It is of the kind FLOW, and says so into the output at this offset.
    fn describe(&self, out: u64, later: bool) {
        let at = self.read(out);
        self.write(at, [1u32, 0, 2, 4]);
        self.write(at + 16, *b"16FLOW\0\0");
        let mut end = at + 24;
        if later {
            self.write(end, [6u32, 0, 0, 0]);
            end += 16;
        }
        self.write(out, end);
    }

    fn misbehave(&mut self, what: &str, frame: u64) {
        match what {
            "output beyond" => self.write(frame + OUT, u64::MAX - 7),
            "output before" => self.write(frame + OUT, 8u64),
            "output crooked" => self.write(frame + OUT, self.read(frame + OUT) + 3),
            "chunk unknown" => self.write(frame + OUT_CHUNK, 77u32),
            "done too many" => self.write(frame + DONE, u32::MAX),
            "progress elsewhere" => {
                self.write(frame + DONE, 1u32);
                self.write(frame + DONE + 8, [u64::MAX - 7, 1 << 32, 0x7fff_0000_0000, 1 << 32]);
                // SAFETY: a signal to this process.
                unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
            }
            "records torn" => {
                let at = self.read(frame + OUT);
                self.write(at, [0u32, 0, u32::MAX, u32::MAX]);
                self.write(frame + OUT, at + 64);
            }
            "item unknown" => {
                let at = self.read(frame + OUT);
                self.write(at, [1u32, 12345, 0, 0]);
                self.write(frame + OUT, at + 16);
            }
            "pool unknown" => {
                let at = self.read(frame + OUT);
                self.write(at, [4242u32, 0, 0, 0]);
                self.write(frame + OUT, at + 16);
            }
            "pools unknown, items in no order" => {
                let at = self.read(frame + OUT);
                (0..4096 / 16).for_each(|n| self.write(at + 16 * n, [4242u32, (n % 2) as u32, 0, 0]));
                self.write(frame + OUT, at + 4096);
            }
            "lengths" => {
                self.write(frame + ERROR_LENGTHS, [u32::MAX; 4]);
                self.say(RETURNED, [1, 0, 0, 0, 0]);
            }
            "error elsewhere" => {
                self.write(frame + 40, [u64::MAX, u64::MAX]);
                self.say(RETURNED, [1, 0, 0, 0, 0]);
            }
            "grows for ever" => {
                self.say(GROW, [u64::MAX, 0, 0, 0, 0]);
            }
            "grows often" => (0..1000).for_each(|_| {
                self.say(GROW, [1 << 20, 0, 0, 0, 0]);
            }),
            "logs at length" => {
                self.say(LOG, [3, u64::MAX, 0, 0, 0]);
            }
            "logs rubbish" => {
                self.write(SCRATCH, [0xffu8; 64]);
                self.say(LOG, [u64::MAX, 64, 0, 0, 0]);
            }
            "reads at length" => {
                self.say(READ, [u64::MAX, u64::MAX, u64::MAX, 0, 0]);
            }
            "babbles later" => drop(self.say(u64::MAX, [u64::MAX; 5])),
            "answers pending" => {
                self.say(RETURNED, [2, 0, 0, 0, 0]);
            }
            "answers lost" => {
                self.say(RETURNED, [3, 0, 0, 0, 0]);
            }
            "fills the segment" => {
                for at in (SCRATCH..ARENA).step_by(4096) {
                    self.write(at, u64::MAX);
                }
            }
            "wild" => {
                let mut random = 0x9e37_79b9_7f4a_7c15u64 ^ u64::from(std::process::id());
                for _ in 0..64 {
                    random = random
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    self.write(frame + (random >> 33) % 192, (random >> 13) as u8);
                }
            }
            other => panic!("nobody knows how to be hostile by {other}"),
        }
    }
}
