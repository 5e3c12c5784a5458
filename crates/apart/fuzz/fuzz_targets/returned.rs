//! Any bytes as what a guest has written into a frame that was with it: the host takes nothing for true that was not given.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| upcall_apart::fuzz::returned(input));
