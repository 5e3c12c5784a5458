//! What a driver leaves of its progress, for whoever looks when its process has ended.

use upcall_abi::{FlowFrame, Progress, kind};

#[test]
fn one_of_the_last_two_reports_belongs_to_what_is_done() {
    let mut frame = FlowFrame::new(kind::FLOW);
    let mut before = Progress::NONE;
    // The same number again, and a smaller one, are allowed.
    for (at, done) in [(8, 3), (16, 4), (24, 4), (32, 9), (40, 2), (48, 7)] {
        (frame.out.at, frame.out.chunk) = (at, done);
        let same = frame.done == done;
        // SAFETY: the frame is there.
        unsafe { FlowFrame::report(&raw mut frame, done) };
        assert_eq!(frame.done, done);
        let of_it: Vec<&Progress> = frame.progress.iter().filter(|progress| progress.done == done).collect();
        let expected = if same { before } else { Progress { at, chunk: done, done } };
        assert_eq!(of_it, [&expected]);
        assert!(frame.progress.contains(&before), "the one before stays until the next");
        before = expected;
    }
}

#[test]
fn items_that_say_what_they_emit_need_no_report() {
    let mut frame = FlowFrame::new(kind::FLOW);
    // SAFETY: the frame is there.
    unsafe { FlowFrame::finish(&raw mut frame, 5) };
    assert_eq!((frame.done, frame.progress), (5, [Progress::NONE; 2]));
}
