//! Standard input, from which nobody waits longer than a signal allows.

use super::stop;
use std::io::{self, Read};

/// How long a signal waits, in milliseconds.
const LOOK: i32 = 100;

pub(super) struct Stdin;

impl Read for Stdin {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while !stop::wanted() {
            let mut asked = libc::pollfd { fd: libc::STDIN_FILENO, events: libc::POLLIN, revents: 0 };
            // SAFETY: one `pollfd`, which lives as long as the call.
            if unsafe { libc::poll(&mut asked, 1, LOOK) } > 0 {
                return io::stdin().lock().read(bytes);
            }
        }
        // It has ended, for whoever asks; who is told then looks whether it was to stop.
        Ok(0)
    }
}
