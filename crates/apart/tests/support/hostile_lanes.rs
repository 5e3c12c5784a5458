//! A guest that keeps to nothing and answers later: it says by hand on lanes what no driver says.

use super::hostile::{Guest, LOG, OUT, RETURNED};
use std::os::fd::{FromRawFd, OwnedFd};
use std::time::{Duration, Instant};
use upcall_apart::protocol::{ARENA, LANES, SERVICE, lane, to_guest, to_host};
use upcall_segment::{Bell, Message, Patience, Segment, Side, Turn, Waited};

const CANCEL: u16 = 7;

impl Guest {
    /// From when lanes are used: serves what the host passes, and is hostile on each call.
    pub(super) fn serve_lanes(&mut self, what: &str) {
        let mut bell = Bell::new(Side::Guest);
        loop {
            for number in bell.wait(&self.segment, Patience::Endless) {
                if number > 0 {
                    self.misbehave_on(what, number);
                    continue;
                }
                let Message { what: said, with: [frame, ..] } = self.segment.message();
                if said == to_guest::END {
                    return;
                }
                if what != "hears nothing" || (self.read(frame) >> 16) as u16 != CANCEL {
                    self.segment.leave(Message { what: RETURNED, with: [0; 5] });
                    self.turn.pass(&self.segment);
                }
            }
        }
    }

    fn pass(&self, number: u64, what: u64, with: [u64; 5]) {
        let place = self.segment.lane(lane(number)).expect("it is in the segment");
        place.leave(Message { what, with });
        place.give(Side::Host);
        self.segment.ring(Side::Host, number);
    }

    fn ask(&self, number: u64, what: u64, with: [u64; 5]) -> Message {
        self.pass(number, what, with);
        let place = self.segment.lane(lane(number)).expect("it is in the segment");
        assert_eq!(Turn::new(Side::Guest).wait_at(place, Patience::Endless), Waited::Mine);
        place.message()
    }

    fn misbehave_on(&mut self, what: &str, number: u64) {
        let place = self.segment.lane(lane(number)).expect("it is in the segment");
        let [frame, ..] = place.message().with;
        let returns = |status| self.pass(number, RETURNED, [status, 0, 0, 0, 0]);
        match what {
            "rings elsewhere" => self.segment.ring(Side::Host, 700),
            "rings for the first" => self.segment.ring(Side::Host, 0),
            "rings unpassed" => self.segment.ring(Side::Host, number),
            "rings for a service" => {
                self.ask(SERVICE, LOG, [0; 5]);
                self.segment.ring(Side::Host, SERVICE);
            }
            "rings on" => loop {
                self.segment.stir(Side::Host);
            },
            "leaves one that rings" => leave_one_that_rings(),
            "returns twice" => {
                returns(0);
                std::thread::sleep(Duration::from_millis(20));
                returns(0);
            }
            "returns all" => (1..SERVICE).for_each(|number| self.pass(number, RETURNED, [0; 5])),
            "answers pending" => returns(2),
            "answers lost" => returns(3),
            "babbles" => self.pass(number, 4711, [u64::MAX; 5]),
            "babbles for a service" => self.pass(SERVICE, 4711, [u64::MAX; 5]),
            "returns a service" => self.pass(SERVICE, RETURNED, [0; 5]),
            "asks on its lane" => self.pass(number, LOG, [0; 5]),
            "output beyond" => {
                self.write(frame + OUT, u64::MAX - 7);
                returns(0);
            }
            "chunk unknown" => {
                self.write(frame + OUT + 16, 77u32);
                returns(0);
            }
            "grows from elsewhere" => {
                self.write(frame + OUT, 8u64);
                self.pass(number, to_host::GROW, [64, 0, 0, 0, 0]);
            }
            "hears nothing" => {}
            "grows for ever" => {
                self.ask(number, to_host::GROW, [u64::MAX, 0, 0, 0, 0]);
                returns(1);
            }
            "asks at length" => {
                for asked in [LOG, to_host::READ, to_host::LIST] {
                    self.ask(SERVICE, asked, [u64::MAX; 5]);
                    self.ask(SERVICE, asked, [0, 0, ARENA, 0, 0]);
                }
                returns(1);
            }
            "wild" => {
                let mut random = 0x9e37_79b9_7f4a_7c15u64 ^ u64::from(std::process::id());
                for round in 0..4096u64 {
                    random = random
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    // Frames, lanes, bells.
                    let (from, len) = [(frame, 8192), (LANES, 4096), (1024, 2048)][(round % 3) as usize];
                    self.write(from + (random >> 33) % len, (random >> 13) as u8);
                }
                returns(random >> 62);
                self.segment.stir(Side::Host);
            }
            other => panic!("nobody knows how to be hostile by {other}"),
        }
    }
}

/// Ends this process, but for a child in a session of its own that has the segment and rings on for some seconds.
fn leave_one_that_rings() {
    // SAFETY: the child uses nothing that another thread may have held.
    if unsafe { libc::fork() } == 0 {
        // SAFETY: it takes nothing.
        unsafe { libc::setsid() };
        let file = std::env::var("UPCALL_SEGMENT").expect("it says so").parse().expect("a number");
        // SAFETY: the one that this process was given, and nobody else uses in it.
        let file = unsafe { OwnedFd::from_raw_fd(file) };
        let segment = Segment::open(file).expect("a segment");
        let end = Instant::now() + Duration::from_secs(8);
        while Instant::now() < end {
            segment.ring(Side::Host, 700);
        }
    }
    // Until it is in a session of its own.
    std::thread::sleep(Duration::from_millis(200));
    std::process::exit(9);
}
