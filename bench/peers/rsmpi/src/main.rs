//! Messages between two ranks by rsmpi, and by C in the same process, in turn: `LIBRARY SECONDS CASE...`.
//!
//! Prints one JSON object per line, as `cargo xtask bench mpi` reads them, which runs it under the launcher of the MPI that it
//! was compiled for. It is a package of its own because of what it needs to be compiled.

#[path = "../../../src/mpi/peer.rs"]
mod peer;
#[path = "../../../src/mpi/turns.rs"]
mod turns;

use mpi::collective::{SystemOperation, UserOperation};
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use peer::Peer;
use std::cell::RefCell;
use std::path::Path;
use turns::{Failed, Way};

const TAG: i32 = 1;

/// A struct of 16 bytes, of which 4 are padding. Its fields end where it ends: of others the derive tells MPI too small an extent.
#[repr(C)]
#[derive(Clone, Copy, Default, Equivalence, PartialEq)]
struct Padded {
    weight: f32,
    value: f64,
}

struct Rank<'a> {
    world: &'a SimpleCommunicator,
    peer: &'a Peer,
    seconds: f64,
}

fn main() -> Result<(), Failed> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [library, seconds, cases @ ..] = arguments.as_slice() else {
        return Err("LIBRARY SECONDS CASE...: `cargo xtask bench mpi` says them".into());
    };
    let seconds = seconds.parse()?;
    let universe = mpi::initialize().ok_or("MPI was started before")?;
    let world = universe.world();
    let outcome = Peer::load(Path::new(library), world.rank() as usize).and_then(|peer| {
        cases.iter().try_for_each(|case| Rank { world: &world, peer: &peer, seconds }.case(case))
    });
    if let Err(error) = outcome {
        eprintln!("error: rank {}: {error}", world.rank());
        world.abort(1);
    }
    Ok(())
}

impl Rank<'_> {
    fn case(&self, case: &str) -> Result<(), Failed> {
        match case {
            "ping-pong" => (0..=11).try_for_each(|power| self.ping_pong(1 << (2 * power))),
            "padded-structs" => (0..=5).try_for_each(|power| self.structs(10usize.pow(power))),
            "all-reduce" => (0..=10).try_for_each(|power| self.all_reduce(1 << (2 * power))),
            unknown => Err(format!("there is no case `{unknown}`").into()),
        }
    }

    fn back_and_forth<'a, T: Equivalence + 'a>(
        &'a self,
        how: &'static str,
        data: &'a RefCell<Vec<T>>,
    ) -> Way<'a> {
        let first = self.world.rank() == 0;
        let other = self.world.process_at_rank(1 - self.world.rank());
        Way::new("rsmpi", how, move |times| {
            let data = &mut *data.borrow_mut();
            for _ in 0..times {
                if first {
                    other.send_with_tag(&data[..], TAG);
                }
                other.receive_into_with_tag(&mut data[..], TAG);
                if !first {
                    other.send_with_tag(&data[..], TAG);
                }
            }
            Ok(())
        })
    }

    /// The way, after one run that has shown that what rank 0 has arrives at rank 1 and comes back.
    fn arrives<'a, T: Clone + PartialEq>(
        &self,
        mut way: Way<'a>,
        data: &RefCell<Vec<T>>,
        [before, after]: [T; 2],
    ) -> Result<Way<'a>, Failed> {
        data.borrow_mut().fill(if self.world.rank() == 0 { after.clone() } else { before });
        (way.batch)(1)?;
        if data.borrow().iter().any(|element| *element != after) {
            return Err(format!("{} {}: what arrived is not what was sent", way.who, way.how).into());
        }
        Ok(way)
    }

    fn measure(
        &self,
        case: &str,
        mut ways: Vec<Way>,
        [count, bytes, messages]: [usize; 3],
    ) -> Result<(), Failed> {
        let told = |mut number: u64| -> Result<u64, Failed> {
            self.world.process_at_rank(0).broadcast_into(&mut number);
            Ok(number)
        };
        for timing in turns::measure(&told, self.seconds, &mut ways)? {
            let row = serde_json::json!({
                "case": case, "count": count, "bytes": bytes, "who": timing.who, "how": timing.how,
                "nanos": timing.nanos / messages as f64, "median": timing.median / messages as f64,
                "more": timing.more / messages as f64, "batches": timing.batches, "times": timing.times * messages as u64,
            });
            if self.world.rank() == 0 {
                println!("{row}");
            }
        }
        Ok(())
    }

    fn ping_pong(&self, bytes: usize) -> Result<(), Failed> {
        let data = RefCell::new(vec![0u8; bytes]);
        let c = self.peer.way("bytes", "upcall_bench_bytes", &data, bytes, 1)?;
        let ways = vec![
            self.arrives(c, &data, [1, 2])?,
            self.arrives(self.back_and_forth("bytes", &data), &data, [3, 4])?,
        ];
        self.measure("ping-pong", ways, [bytes, bytes, 2])
    }

    fn structs(&self, count: usize) -> Result<(), Failed> {
        let data = RefCell::new(vec![Padded::default(); count]);
        let number = |number: f32| Padded { weight: number, value: f64::from(number) };
        let c = self.peer.way("field by field", "upcall_bench_structs", &data, count, size_of::<Padded>())?;
        let ways = vec![
            self.arrives(c, &data, [1.0, 2.0].map(number))?,
            self.arrives(self.back_and_forth("derive", &data), &data, [3.0, 4.0].map(number))?,
        ];
        self.measure("padded-structs", ways, [count, count * size_of::<Padded>(), 2])
    }

    fn all_reduce(&self, count: usize) -> Result<(), Failed> {
        let world = self.world;
        let data = RefCell::new(vec![f64::from(world.rank()) + 1.0; 2 * count]);
        let add = UserOperation::commutative(|from, into| {
            // They are what the reduction is called with.
            let (Some(from), Some(into)) = (from.downcast::<f64>(), into.downcast::<f64>()) else { return };
            for (into, from) in into.iter_mut().zip(from) {
                *into += from;
            }
        });
        let (data, add) = (&data, &add);
        let c = |how, function| self.peer.way(how, function, data, count, 2 * size_of::<f64>());
        let mut ways = vec![
            c("MPI_SUM", "upcall_bench_sum")?,
            c("function", "upcall_bench_function")?,
            Way::new("rsmpi", "MPI_SUM", move |times| {
                let mut data = data.borrow_mut();
                let (from, into) = data.split_at_mut(count);
                for _ in 0..times {
                    world.all_reduce_into(&*from, into, SystemOperation::sum());
                }
                Ok(())
            }),
            Way::new("rsmpi", "closure", move |times| {
                let mut data = data.borrow_mut();
                let (from, into) = data.split_at_mut(count);
                for _ in 0..times {
                    world.all_reduce_into(&*from, into, add);
                }
                Ok(())
            }),
        ];
        for way in &mut ways {
            data.borrow_mut()[count..].fill(0.0);
            (way.batch)(1)?;
            if data.borrow()[count..].iter().any(|sum| *sum != 3.0) {
                return Err(format!("{} {}: the sum of 1 and 2 is not 3", way.who, way.how).into());
            }
        }
        self.measure("all-reduce", ways, [count, count * size_of::<f64>(), 1])
    }
}
