//! One of the two ranks, in a process that has C's library and ours: each case in turn, rank 0 prints what was found.

use super::guests::Guests;
use super::peer::Peer;
use super::rows::Measured;
use super::turns::{self, Failed, Way};
use anyhow::{Context, Result};
use std::cell::RefCell;
use std::ops::DerefMut;
use std::path::Path;
use upcall::Blit;
use upcall::pack::Pack;
use upcall_mpi::{Buf, Communicator, Environment, Operation, Sum, Threads};

const TAG: i32 = 1;

/// A struct of 16 bytes, of which 4 are padding.
#[repr(C)]
#[derive(Blit, Clone, Copy, Debug, Default, PartialEq)]
struct Padded {
    weight: f32,
    value: f64,
}

/// A struct of one double.
#[repr(C)]
#[derive(Blit, Clone, Copy, Debug, Default, PartialEq)]
struct Value {
    value: f64,
}

/// The same as an object, which is packed: where C# has a class.
#[derive(Pack, Clone, Copy, Debug, PartialEq)]
struct Holder {
    value: f64,
}

/// A record as `peers/mpi4py_messages.py` has it.
#[derive(Pack, Clone, Debug, PartialEq)]
struct Record {
    id: u64,
    name: String,
    celsius: f64,
}

/// The rank of this process and what it measures with.
struct Rank<'a> {
    world: &'a Communicator,
    peer: &'a Peer,
    seconds: f64,
}

/// Measures the cases: `LIBRARY SECONDS CASE...`, with the library of `bench/mpi` and seconds for each way.
///
/// # Errors
/// MPI does not start, or a message is not what it was.
pub fn run(arguments: &[String]) -> Result<()> {
    let [library, seconds, cases @ ..] = arguments else {
        anyhow::bail!("starting a rank: `cargo xtask bench mpi` does that");
    };
    let seconds = seconds.parse().context("reading the seconds")?;
    // As a program in C starts it. Open MPI 4.1.4 takes half as long again for a small message where threads are but spoken of.
    let mpi = Environment::start(Threads::Single)?;
    let world = mpi.world();
    anyhow::ensure!(
        world.size() == 2,
        "starting a rank: there are {} ranks, and this is for 2",
        world.size()
    );
    let outcome = Peer::load(Path::new(library), world.rank())
        .and_then(|peer| cases.iter().try_for_each(|case| Rank { world, peer: &peer, seconds }.case(case)));
    if let Err(error) = outcome {
        // The other rank waits.
        eprintln!("error: rank {}: {error}", world.rank());
        world.abort(1);
    }
    mpi.finish()?;
    Ok(())
}

impl Rank<'_> {
    fn case(&self, case: &str) -> Result<(), Failed> {
        match case {
            // Up to 8 MiB, here and in the next.
            "ping-pong" => (0..=23).try_for_each(|power| self.ping_pong(1 << power)),
            "values" => (0..=10).try_for_each(|power| self.values(1 << (2 * power))),
            "unknown-size" => [8, 1 << 10, 64 << 10].into_iter().try_for_each(|bytes| self.unknown(bytes)),
            "padded-structs" => (0..=5).try_for_each(|power| self.structs(10usize.pow(power))),
            "records" => self.records(100),
            "all-reduce" => (0..=10).try_for_each(|power| self.all_reduce(1 << (2 * power))),
            "handlers" => {
                let guests = Guests::start()?;
                let each = || (0..=10).try_for_each(|power| self.handlers(1 << (2 * power), &guests));
                guests.within(each).ok_or("handlers: the hosts have run nothing")?
            }
            unknown => Err(format!("there is no case `{unknown}`").into()),
        }
    }

    fn other(&self) -> usize {
        1 - self.world.rank()
    }

    /// A way of ours, back and forth: what this rank sends, and what it receives.
    fn way<'a, T>(
        &'a self,
        how: &'static str,
        data: &'a RefCell<T>,
        send: impl Fn(&T) -> Result<(), upcall_mpi::Error> + 'a,
        receive: impl Fn(&mut T) -> Result<(), upcall_mpi::Error> + 'a,
    ) -> Way<'a> {
        let first = self.world.rank() == 0;
        Way::new("Upcall", how, move |times| {
            let data = &mut *data.borrow_mut();
            for _ in 0..times {
                if first {
                    send(data)?;
                }
                receive(data)?;
                if !first {
                    send(data)?;
                }
            }
            Ok(())
        })
    }

    /// A way of ours that receives into what it sends.
    fn in_place<'a, T: Blit>(
        &'a self,
        how: &'static str,
        data: &'a RefCell<impl DerefMut<Target = [T]>>,
    ) -> Way<'a> {
        let (world, other, first) = (self.world, self.other(), self.world.rank() == 0);
        // As in C: the calls themselves are in the loop, not functions around them.
        Way::new("Upcall", how, move |times| {
            let data: &mut [T] = &mut data.borrow_mut();
            for _ in 0..times {
                if first {
                    world.send(data, other, TAG)?;
                }
                world.receive_into(data, other, TAG)?;
                if !first {
                    world.send(data, other, TAG)?;
                }
            }
            Ok(())
        })
    }

    /// The way, after one run that has shown that what rank 0 has arrives at rank 1 and comes back.
    fn arrives<'a, T: Clone + PartialEq>(
        &self,
        mut way: Way<'a>,
        data: &RefCell<impl DerefMut<Target = [T]>>,
        [before, after]: [T; 2],
    ) -> Result<Way<'a>, Failed> {
        data.borrow_mut().fill(if self.world.rank() == 0 { after.clone() } else { before });
        (way.batch)(1)?;
        if data.borrow().iter().any(|element| *element != after) {
            return Err(format!("{} {}: what arrived is not what was sent", way.who, way.how).into());
        }
        Ok(way)
    }

    /// Measures the ways and prints rows; each time has so many messages one after the other.
    fn measure(
        &self,
        case: &str,
        mut ways: Vec<Way<'_>>,
        [count, bytes, messages]: [usize; 3],
    ) -> Result<(), Failed> {
        let told = |number: u64| -> Result<u64, Failed> {
            let mut number = [number];
            self.world.broadcast(&mut number, 0)?;
            Ok(number[0])
        };
        for timing in turns::measure(&told, self.seconds, &mut ways)? {
            let row = Measured {
                case: case.to_owned(),
                count: count as u64,
                bytes: bytes as u64,
                who: timing.who.to_owned(),
                how: timing.how.to_owned(),
                nanos: timing.nanos / messages as f64,
                median: timing.median / messages as f64,
                more: timing.more / messages as f64,
                batches: timing.batches as u64,
                times: timing.times * messages as u64,
            };
            if self.world.rank() == 0 {
                println!("{}", serde_json::to_string(&row)?);
            }
        }
        Ok(())
    }

    fn ping_pong(&self, bytes: usize) -> Result<(), Failed> {
        // A message of less than a page lies on one page, whatever its size.
        const PAGE: usize = 4096;
        let data = RefCell::new(vec![0u8; bytes]);
        let huge = RefCell::new(Buf::<u8>::zeroed(bytes)?);
        let c = self.peer.way("bytes", "upcall_bench_bytes", &data, bytes, 1)?;
        let mut ways = vec![
            self.arrives(c, &data, [1, 2])?,
            self.arrives(self.in_place("bytes", &data), &data, [3, 4])?,
        ];
        if bytes >= PAGE {
            ways.push(self.arrives(self.in_place("Buf", &huge), &huge, [5, 6])?);
        }
        self.measure("ping-pong", ways, [bytes, bytes, 2])
    }

    fn values(&self, count: usize) -> Result<(), Failed> {
        let (world, other) = (self.world, self.other());
        let bytes = count * size_of::<f64>();
        let data = RefCell::new(vec![0.0f64; count]);
        let structs = RefCell::new(vec![Value::default(); count]);
        let objects = RefCell::new(vec![Holder { value: 0.0 }; count]);
        let c = self.peer.way("bytes", "upcall_bench_bytes", &data, bytes, 1)?;
        let object = self.way(
            "object",
            &objects,
            move |objects| world.send_object(objects, other, TAG),
            move |objects| {
                *objects = world.receive_object::<Vec<Holder>>(other, TAG)?.0;
                Ok(())
            },
        );
        let ways = vec![
            self.arrives(c, &data, [1.0, 2.0])?,
            self.arrives(self.in_place("f64", &data), &data, [3.0, 4.0])?,
            self.arrives(
                self.in_place("struct", &structs),
                &structs,
                [1.0, 2.0].map(|value| Value { value }),
            )?,
            self.arrives(object, &objects, [1.0, 2.0].map(|value| Holder { value }))?,
        ];
        self.measure("values", ways, [count, bytes, 2])
    }

    fn unknown(&self, bytes: usize) -> Result<(), Failed> {
        let (world, other) = (self.world, self.other());
        let data = RefCell::new(vec![0u8; bytes]);
        let c = |how, function| self.peer.way(how, function, &data, bytes, 1);
        let send = move |data: &Vec<u8>| world.send(data, other, TAG);
        let kept = self.way("receive", &data, send, move |data| {
            *data = world.receive(other, TAG)?.0;
            Ok(())
        });
        self.arrives(kept, &data, [1, 2])?;
        // As in C: what was received is not what is sent next.
        let ours = self.way("receive", &data, send, move |_| world.receive::<u8>(other, TAG).map(drop));
        let ways = vec![
            self.arrives(c("known size", "upcall_bench_bytes")?, &data, [1, 2])?,
            c("matched probe", "upcall_bench_matched")?,
            c("probe", "upcall_bench_probed")?,
            ours,
        ];
        self.measure("unknown-size", ways, [bytes, bytes, 2])
    }

    fn structs(&self, count: usize) -> Result<(), Failed> {
        let bytes = count * size_of::<Padded>();
        let data = RefCell::new(vec![Padded::default(); count]);
        let number = |number: f32| Padded { weight: number, value: f64::from(number) };
        let typed =
            self.peer.way("field by field", "upcall_bench_structs", &data, count, size_of::<Padded>())?;
        let plain = self.peer.way("bytes", "upcall_bench_bytes", &data, bytes, 1)?;
        let ways = vec![
            self.arrives(typed, &data, [1.0, 2.0].map(number))?,
            self.arrives(plain, &data, [3.0, 4.0].map(number))?,
            self.arrives(self.in_place("padding zeroed", &data), &data, [5.0, 6.0].map(number))?,
        ];
        self.measure("padded-structs", ways, [count, bytes, 2])
    }

    fn records(&self, count: usize) -> Result<(), Failed> {
        let (world, other) = (self.world, self.other());
        let record = |id: u64| Record { id, name: format!("sensor {id}"), celsius: 20.0 + id as f64 / 8.0 };
        let data = RefCell::new(vec![record(0); count]);
        let send = move |data: &Vec<Record>| world.send_object(data, other, TAG);
        let kept = self.way("pack", &data, send, move |data| {
            *data = world.receive_object(other, TAG)?.0;
            Ok(())
        });
        // As mpi4py's: what was received is not what is sent next.
        let new =
            self.way("pack", &data, send, move |_| world.receive_object::<Vec<Record>>(other, TAG).map(drop));
        let into = self.way("pack, into the last", &data, send, move |data| {
            world.receive_object_into(data, other, TAG).map(drop)
        });
        let wanted: Vec<Record> = (0..count as u64).map(record).collect();
        let mut ways = vec![kept, into];
        for way in &mut ways {
            data.replace(if world.rank() == 0 { wanted.clone() } else { vec![record(0); count] });
            (way.batch)(1)?;
            if *data.borrow() != wanted {
                return Err(
                    format!("{}: the records that arrived are not those that were sent", way.how).into()
                );
            }
        }
        ways[0] = new;
        self.measure("records", ways, [count, 0, 2])
    }

    fn all_reduce(&self, count: usize) -> Result<(), Failed> {
        let world = self.world;
        // What this rank brings, and the result.
        let data = RefCell::new(vec![world.rank() as f64 + 1.0; 2 * count]);
        let add = Operation::new(|from: &[f64], into: &mut [f64]| {
            for (into, from) in into.iter_mut().zip(from) {
                *into += from;
            }
        })?;
        let (data, add) = (&data, &add);
        let c = |how, function| self.peer.way(how, function, data, count, 2 * size_of::<f64>());
        let mut ways = vec![
            c("MPI_SUM", "upcall_bench_sum")?,
            c("function", "upcall_bench_function")?,
            Way::new("Upcall", "MPI_SUM", move |times| {
                let mut data = data.borrow_mut();
                let (from, into) = data.split_at_mut(count);
                (0..times).try_for_each(|_| world.all_reduce_into(from, into, Sum)).map_err(Failed::from)
            }),
            Way::new("Upcall", "closure", move |times| {
                let mut data = data.borrow_mut();
                let (from, into) = data.split_at_mut(count);
                (0..times).try_for_each(|_| world.all_reduce_into(from, into, add)).map_err(Failed::from)
            }),
        ];
        self.sums(&mut ways, data, count)?;
        self.measure("all-reduce", ways, [count, count * size_of::<f64>(), 1])
    }

    fn handlers(&self, count: usize, guests: &Guests) -> Result<(), Failed> {
        let data = RefCell::new(vec![self.world.rank() as f64 + 1.0; 2 * count]);
        let c = |how, function| self.peer.way(how, function, &data, count, 2 * size_of::<f64>());
        let mut ways = vec![c("MPI_SUM", "upcall_bench_sum")?, c("function", "upcall_bench_function")?];
        ways.extend(guests.ways(self.world, &data));
        self.sums(&mut ways, &data, count)?;
        self.measure("handlers", ways, [count, count * size_of::<f64>(), 1])
    }

    /// Shows that each way adds what the ranks have.
    fn sums(&self, ways: &mut [Way<'_>], data: &RefCell<Vec<f64>>, count: usize) -> Result<(), Failed> {
        for way in ways {
            data.borrow_mut()[count..].fill(0.0);
            (way.batch)(1)?;
            if data.borrow()[count..].iter().any(|sum| *sum != 3.0) {
                return Err(format!("{} {}: the sum of 1 and 2 is not 3", way.who, way.how).into());
            }
        }
        Ok(())
    }
}
