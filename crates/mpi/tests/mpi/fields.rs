//! Types that MPI knows field by field, with ranks in C that describe theirs.

use crate::support::{LAUNCHERS, Stream, launch};
use proptest::arbitrary::any;
use proptest::strategy::Strategy;
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall::Blit;
use upcall_mpi::{Communicator, Datatype, Environment, ErrorKind, FieldAt, Threads};

#[repr(C)]
#[derive(Blit, Clone, Copy, Debug, PartialEq)]
struct Reading {
    sensor: u32,
    value: f64,
    tags: [i16; 3],
    level: u8,
}

/// More bytes than its fields say.
#[repr(C, align(32))]
#[derive(Blit, Clone, Copy, Debug, PartialEq)]
struct Aligned {
    x: f64,
}

#[repr(C)]
#[derive(Blit, Clone, Copy, Debug, PartialEq)]
struct Pair {
    name: u16,
    readings: [Reading; 2],
    aligned: Aligned,
}

fn reading() -> impl Strategy<Value = Reading> + Clone {
    let fields = (any::<u32>(), any::<f64>(), any::<[i16; 3]>(), any::<u8>());
    fields.prop_map(|(sensor, value, tags, level)| Reading { sensor, value, tags, level })
}

/// What the rank in C does to each.
fn changed(reading: &Reading) -> Reading {
    Reading {
        sensor: reading.sensor.wrapping_add(1),
        value: reading.value * 2.0,
        tags: reading.tags.map(i16::wrapping_neg),
        level: !reading.level,
    }
}

/// A program in C, compiled for the MPI of a launcher.
fn compiled(launcher: &str) -> PathBuf {
    let compiler = launcher.replace("mpirun", "mpicc");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mpi/c/readings.c");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("readings-{compiler}"));
    let output = Command::new(&compiler)
        .args(["-std=c11", "-Wall", "-Werror", "-o"])
        .arg(&program)
        .arg(&source)
        .output()
        .unwrap_or_else(|error| panic!("start {compiler}: {error}; `cargo xtask setup` installs it"));
    assert!(output.status.success(), "{compiler}: {}", String::from_utf8_lossy(&output.stderr));
    program
}

#[test]
fn structs_of_c_programs_are_sent_and_received() {
    const TEST: &str = "fields::structs_of_c_programs_are_sent_and_received";
    if std::env::var_os("UPCALL_MPI_TEST").is_some() {
        let mpi = Environment::start(Threads::Funneled).unwrap();
        beside_c(mpi.world());
        return mpi.finish().unwrap();
    }
    for launcher in LAUNCHERS {
        let output =
            launch(launcher, 1, TEST).args([":", "-n", "1"]).arg(compiled(launcher)).output().unwrap();
        let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{launcher}: {}\n{said}{told}", output.status);
        assert_eq!(said.matches("1 passed").count(), 2, "{launcher}: {said}{told}");
    }
}

fn beside_c(world: &Communicator) {
    let typed = Datatype::of_fields::<Reading>(world).unwrap();
    assert_eq!((world.size(), typed.extent()), (2, size_of::<Reading>()));
    // The same as of a guest's struct, which is bytes here.
    let at = |type_name, offset, size| FieldAt { type_name, offset, size };
    let fields = [at("u32", 0, 4), at("f64", 8, 8), at("i16", 16, 6), at("u8", 22, 1)];
    let known = Datatype::of_table(world, "Reading", 24, &fields, &[]).unwrap();
    let mut stream = Stream::new();
    for round in 0..8 {
        let count = stream.draw(0..1000usize);
        let all: Vec<Reading> = (0..count).map(|_| stream.draw(reading())).collect();
        let wanted: Vec<Reading> = all.iter().map(changed).collect();
        let bytes = |readings: &[Reading]| -> Vec<u8> {
            let mut bytes = vec![0; 24 * readings.len()];
            for (room, one) in bytes.chunks_exact_mut(24).zip(readings) {
                room[..4].copy_from_slice(&one.sensor.to_ne_bytes());
                room[8..16].copy_from_slice(&one.value.to_ne_bytes());
                let tags: Vec<u8> = one.tags.iter().flat_map(|tag| tag.to_ne_bytes()).collect();
                room[16..22].copy_from_slice(&tags);
                room[22] = one.level;
            }
            bytes
        };
        if round % 2 == 0 {
            world.send_typed(&all, &typed, 1, 5).unwrap();
            let (found, status) = world.receive_typed::<Reading>(&typed, 1, 6).unwrap();
            assert_eq!((found, typed.count(&status).unwrap()), (wanted.clone(), count));
        } else {
            world.send_typed(&bytes(&all), &known, 1, 5).unwrap();
            let mut into = vec![0u8; 24 * (count + 3)];
            let status = world.receive_typed_into(&mut into, &known, 1, 6).unwrap();
            assert_eq!(known.count(&status).unwrap(), count);
            assert_eq!(into[..24 * count], bytes(&wanted));
        }
        let mut all = all;
        world.broadcast_typed(&mut all, &typed, 1).unwrap();
        assert_eq!(all, wanted);
    }
}

crate::ranks! {
    fn structs_in_structs_are_known_by_their_datatypes(world: [2]) {
        let other = 1 - world.rank();
        let reading = Datatype::of_fields::<Reading>(world).unwrap();
        let aligned = Datatype::of_fields::<Aligned>(world).unwrap();
        let pair = Datatype::of_fields_with::<Pair>(world, &[&reading, &aligned]).unwrap();
        let one = |number: u16| {
            let reading = Reading { sensor: number.into(), value: 0.5, tags: [1, 2, 3], level: 9 };
            Pair { name: number, readings: [reading; 2], aligned: Aligned { x: f64::from(number) } }
        };
        let pairs: Vec<Pair> = (0..100).map(one).collect();
        let sent = world.start_send(vec![0u8], other, 1).unwrap();
        if world.rank() == 0 {
            world.send_typed(&pairs, &pair, 1, 2).unwrap();
        } else {
            let (found, status) = world.receive_typed::<Pair>(&pair, 0, 2).unwrap();
            assert_eq!((found, pair.count(&status).unwrap()), (pairs, 100));
        }
        world.receive::<u8>(other, 1).unwrap();
        sent.wait().unwrap();
        // An array is as many numbers.
        let arrays = Datatype::of_fields::<[f32; 3]>(world).unwrap();
        let mut data = if world.rank() == 0 { vec![[1.5f32, 2.5, 3.5]; 10] } else { vec![[0.0; 3]; 10] };
        world.broadcast_typed(&mut data, &arrays, 0).unwrap();
        assert_eq!(data, vec![[1.5, 2.5, 3.5]; 10]);
    }

    fn fields_that_are_none_are_refused_with_the_reason(world: [1]) {
        let at = |type_name, offset, size| FieldAt { type_name, offset, size };
        let refused = |size, fields: &[FieldAt<'_>]| {
            let error = Datatype::of_table(world, "Odd", size, fields, &[]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage);
            error.to_string().strip_prefix("make a datatype of the fields of Odd: ").unwrap().to_owned()
        };
        assert_eq!(refused(8, &[]), "there are none");
        assert_eq!(refused(8, &[at("bool", 0, 1)]), "the field at 0 is of type bool, which is no number; make its datatype first and give it");
        assert_eq!(refused(8, &[at("f64", 4, 8)]), "the field at 4 has 8 bytes, and the struct ends at 8");
        assert_eq!(refused(8, &[at("f64", usize::MAX, 8)]), format!("the field at {} has 8 bytes, and the struct ends at 8", usize::MAX));
        assert_eq!(refused(8, &[at("u32", 0, 6)]), "the field at 0 has 6 bytes, no whole number of u32, of 4 each");
        assert_eq!(refused(8, &[at("u32", 4, 4), at("u64", 0, 8)]), "the fields at 0 and 4 overlap");
        let error = Datatype::of_fields::<Pair>(world).unwrap_err();
        assert!(error.to_string().contains("the field at 8 is of type Reading"), "{error}");
        let reading = Datatype::of_fields::<Reading>(world).unwrap();
        let error = world.send_typed(&[1u64], &reading, 0, 0).unwrap_err();
        let wanted = "send 1 element as Reading to rank 0 with tag 0: the elements are u64 of 8 bytes, 8 in all, and the datatype is of Reading of 24";
        assert_eq!(error.to_string(), wanted);
        assert_eq!(world.send_typed(&[1u8; 23], &reading, 0, 0).unwrap_err().kind(), ErrorKind::Usage);
        // Half of one.
        let sent = world.start_send(vec![1u8; 20], 0, 0).unwrap();
        let error = world.receive_typed::<Reading>(&reading, 0, 0).unwrap_err();
        assert!(error.to_string().starts_with("receive Reading, of 19 bytes without padding: the message has 20 bytes"), "{error}");
        sent.wait().unwrap();
    }
}
