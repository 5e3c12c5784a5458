//! Sends from a buffer, and what is under way when MPI is finalized.

use crate::support::in_jobs;
use upcall_mpi::{Communicator, Environment, ErrorKind, Sum};

fn other(world: &Communicator) -> usize {
    1 - world.rank()
}

#[test]
fn buffered_sends_return_before_anybody_receives() {
    in_jobs(concat!(module_path!(), "::buffered_sends_return_before_anybody_receives"), &[2], |mpi| {
        let (world, other) = (mpi.world(), other(mpi.world()));
        let error = world.send_buffered(&[1u8; 100], other, 1).unwrap_err();
        let said = "from the buffer: none is attached; attach one first";
        assert_eq!(error.kind(), ErrorKind::Buffer);
        assert!(error.to_string().ends_with(said), "{error}");
        // Each is too large to be sent before it is received.
        let buffer = mpi.attach_buffer(3 << 17).unwrap();
        assert_eq!(buffer.bytes(), 3 << 17);
        let twice = mpi.attach_buffer(1).unwrap_err().to_string();
        let said = "attach a buffer of 1 bytes for sends: one of 393216 is attached already; detach it first";
        assert_eq!(twice, said);
        for round in 0..5u8 {
            world.send_buffered(&vec![round; 1 << 17], other, 1).unwrap();
            let sent = world.start_send_buffered(vec![round + 1; 1 << 17], other, 2).unwrap();
            assert_eq!(sent.wait().unwrap().0.len(), 1 << 17);
            let mut persistent = world.send_buffered_init(vec![round + 2; 1 << 17], other, 3).unwrap();
            persistent.start().unwrap();
            persistent.wait().unwrap();
            world.barrier().unwrap();
            for tag in 1..=3 {
                let wanted = vec![round + tag as u8 - 1; 1 << 17];
                assert_eq!(world.receive::<u8>(other, tag).unwrap().0, wanted);
            }
            world.barrier().unwrap();
        }
        // The fourth has no room while the others are there, and takes nothing from those that come later.
        for _ in 0..3 {
            world.send_buffered(&vec![7u8; 1 << 17], other, 4).unwrap();
        }
        let full = world.send_buffered(&vec![7u8; 1 << 17], other, 4).unwrap_err();
        assert_eq!(full.kind(), ErrorKind::Buffer);
        let said = "393216 of its 393216 bytes are taken by 3 messages that nobody has received yet, and this one has 131072; \
                    attach a larger one";
        assert!(full.to_string().contains(said), "{full}");
        let mut again = world.send_buffered_init(vec![1u8], other, 4).unwrap();
        assert_eq!((again.start().unwrap_err().kind(), again.is_active()), (ErrorKind::Buffer, false));
        assert_eq!(buffer.used().unwrap(), 3 << 17);
        world.barrier().unwrap();
        for _ in 0..3 {
            assert_eq!(world.receive::<u8>(other, 4).unwrap().0, vec![7; 1 << 17]);
        }
        world.barrier().unwrap();
        while buffer.used().unwrap() > 0 {}
        // Detaching waits until what is in it was sent.
        world.send_buffered(&vec![8u8; 1 << 17], other, 5).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| assert_eq!(world.receive::<u8>(other, 5).unwrap().0, vec![8; 1 << 17]));
            buffer.detach().unwrap();
        });
        // And another may be attached, and dropped.
        drop(mpi.attach_buffer(10).unwrap());
        // Many small ones, which are taken out as they leave.
        let buffer = mpi.attach_buffer(100_000).unwrap();
        for number in 0..5000u32 {
            world.send_buffered(&[number], other, 6).unwrap();
            if number % 1000 == 999 {
                for wanted in number - 999..=number {
                    assert_eq!(world.receive::<u32>(other, 6).unwrap().0, [wanted]);
                }
            }
        }
        buffer.detach().unwrap();
        mpi.finish().unwrap();
    });
}

/// What was given up goes on while MPI is finalized: what the others wait for comes.
fn in_flight(mpi: Environment) {
    let (world, me, other) = (mpi.world(), mpi.world().rank(), other(mpi.world()));
    let twin = world.duplicate().unwrap();
    let never = world.start_receive(vec![0u8; 100], other, 9).unwrap();
    let any_size = world.start_receive_any_size::<u8>(other, 9).unwrap();
    let sum = world.start_all_reduce(vec![1u64; 10_000], Sum).unwrap();
    let all = world.start_all_gather(vec![me as u8; 1 << 17]).unwrap();
    let small = world.start_send(vec![1u8; 10], other, 1).unwrap();
    if me == 0 {
        drop((sum, all, small, never, any_size));
        return mpi.finish().unwrap();
    }
    // Later, while the other is in MPI_Finalize.
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(sum.wait().unwrap().0, vec![2; 10_000]);
    assert_eq!(all.wait().unwrap().0.len(), 2 << 17);
    assert_eq!(world.receive::<u8>(other, 1).unwrap().0, [1; 10]);
    // These outlive MPI, and are refused or given up then.
    mpi.finish().unwrap();
    assert_eq!(never.wait().unwrap_err().kind(), ErrorKind::Lifecycle);
    assert_eq!(any_size.test().unwrap_err().kind(), ErrorKind::Lifecycle);
    drop((small, twin));
}

#[test]
fn what_was_given_up_ends_before_mpi_does() {
    in_jobs(concat!(module_path!(), "::what_was_given_up_ends_before_mpi_does"), &[2], in_flight);
}

/// Nobody receives these: MPI ends all the same.
#[test]
fn messages_that_nobody_receives_do_not_keep_mpi_from_ending() {
    in_jobs(
        concat!(module_path!(), "::messages_that_nobody_receives_do_not_keep_mpi_from_ending"),
        &[2],
        |mpi| {
            let (world, other) = (mpi.world(), other(mpi.world()));
            world.send(&[1u8; 10], other, 1).unwrap();
            drop(world.start_send(vec![1u8; 1 << 17], other, 2).unwrap());
            let kept = world.start_send(vec![1u8; 1 << 20], other, 3).unwrap();
            drop(mpi);
            drop(kept);
        },
    );
}
