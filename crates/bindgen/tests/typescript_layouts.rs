//! The file of layouts: what is in it, and that JavaScript finds by it what Rust has written.

use bindgen_tests::layouts::{Either, Event, Kind, Packed, Point, Shape, Tags, Wide, limits_of_all};
use bindgen_tests::node;
use std::fs;
use std::mem::{MaybeUninit, size_of};
use std::path::{Path, PathBuf};
use upcall_bindgen::typescript::layouts::Options;
use upcall_bindgen::{Config, Diagnostics, File, Output, generate, rust};

fn here(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/typescript/layouts").join(file)
}

fn options() -> Options {
    let names = [("Tag_u8", "Tag"), ("Tag_Point", "Tag"), ("limits_of_all", "Limits")];
    Options {
        camel_case: true,
        except: vec!["reserved*".into(), "SECRET_*".into()],
        rename: names.map(|(from, to)| (from.to_owned(), to.to_owned())).into(),
        ..Options::default()
    }
}

/// The text of the file, or what is wrong.
fn made(source: PathBuf, types: &[&str], options: Options) -> Result<String, Diagnostics> {
    let types = types.iter().map(|name| (*name).to_owned()).collect();
    let config = Config {
        rust: Some(rust::Input { files: vec![source], types, ..rust::Input::default() }),
        layouts: Some(Output { output: "out/layouts.ts".into(), options }),
        ..Config::default()
    };
    let mut diagnostics = Diagnostics::default();
    let generated = generate(&config, &mut diagnostics);
    match generated.filter(|_| diagnostics.list.is_empty()) {
        Some(generated) => {
            let [(folder, files)] = &generated.outputs[..] else { panic!("one output") };
            assert_eq!((folder.as_path(), files.len()), (Path::new("out"), 1));
            assert_eq!(files[0].path, Path::new("layouts.ts"));
            Ok(files[0].text.clone())
        }
        None => Err(diagnostics),
    }
}

fn text() -> String {
    let types = ["Shape", "Packed", "Either", "Tags", "Wide", "Event"];
    made(here("lib.rs"), &types, options()).unwrap_or_else(|said| panic!("{}", said.render(false)))
}

#[test]
fn the_file_is_as_a_person_would_write_it() {
    let made = text();
    if std::env::var_os("UPCALL_WRITE").is_some() {
        fs::write(here("layouts.ts"), &made).unwrap();
    }
    let expected = fs::read_to_string(here("layouts.ts")).unwrap_or_default();
    assert!(made == expected, "{made}\nis not layouts.ts, which UPCALL_WRITE=1 writes");
}

/// The bytes of a value whose fields are written one by one: those between them are zero.
fn bytes<T>(fill: impl FnOnce(*mut T)) -> Vec<u8> {
    let mut value = MaybeUninit::<T>::zeroed();
    fill(value.as_mut_ptr());
    // SAFETY: all of it was zero, and fields were written one by one, so that no byte is uninitialized.
    unsafe { std::slice::from_raw_parts(value.as_ptr().cast::<u8>(), size_of::<T>()) }.to_vec()
}

/// Values that differ from what lies beside them.
fn written() -> Vec<u8> {
    // SAFETY: each pointer is that of a zeroed value of its type, whose fields may be unaligned if it is packed.
    unsafe {
        let shape = bytes(|to: *mut Shape| {
            (*to).kind_of = Kind::Triangle;
            (*to).corners[2].x = 1.5;
            (*to).corners[2].y = -2.0;
            (*to).reserved_1 = 77;
            (*to).label.offset = 10;
            (*to).label.len = 11;
            (*to).count = limits_of_all::BEYOND;
        });
        let packed = bytes(|to: *mut Packed| {
            (*to).small = 5;
            (&raw mut (*to).large).write_unaligned(Wide::High as u64);
        });
        let either = bytes(|to: *mut Either| (*to).halves = [6, 7]);
        let tags = bytes(|to: *mut Tags| {
            (*to).points.offset = 12;
            (*to).last.0 = -13;
        });
        // Whole, as its fields have no place of their own; the bytes of `Point` come last, and before it there is a gap.
        let mut event = vec![0; size_of::<Event>()];
        let value = Event::Moved { to: Point { x: 0.0, y: 8.25 } };
        let Event::Moved { to } = &value else { unreachable!() };
        let at = (&raw const *to).addr() - (&raw const value).addr();
        event[0] = (&raw const value).cast::<u8>().read();
        event[at..at + 4].copy_from_slice(&to.x.to_ne_bytes());
        event[at + 4..at + 8].copy_from_slice(&to.y.to_ne_bytes());
        [shape, packed, either, tags, event].concat()
    }
}

#[test]
#[cfg(target_endian = "little")]
fn javascript_reads_by_it_what_rust_has_written() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("typescript/layouts");
    let own = ["read.ts", "node.d.ts"].map(|name| File::new(name, fs::read_to_string(here(name)).unwrap()));
    node::put(&folder, &[&own[..], &[File::new("layouts.ts", text())]].concat());
    fs::write(folder.join("bytes"), written()).unwrap();
    let (passed, said) = node::compile(&folder.join("read.ts"), &folder);
    assert!(passed, "{said}");
    let script = folder.join("read.js");
    let output = node::run(&script);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "true 1.5 -2 11n true\n5 true 9\n7 7n\n12n -13\ntrue 8.25\ntrue 3 a \"name\" 9007199254740991 1\n",
        "{said}"
    );
    // The compiler has put numbers in the place of names.
    let script = fs::read_to_string(script).unwrap();
    assert!(script.contains("shape + 4 /* Shape.corners */ + 2 * 8 /* Point.$bytes */"), "{script}");
}

#[test]
fn two_things_of_one_name_are_an_error_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("lib.rs");
    fs::write(
        &source,
        "#[repr(C)] pub struct Kind { pub a_b: u8, pub aB: u8 }\n#[repr(C)] pub struct Other { pub a: u32 }\n\
         pub mod kind { pub const ONE: u8 = 1; }\n",
    )
    .unwrap();
    let said = |rename: &[(&str, &str)], camel_case| {
        let rename = rename.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
        let made =
            made(source.clone(), &["Kind", "Other"], Options { camel_case, rename, ..Options::default() });
        made.map_err(|said| said.render(false))
    };
    let both = said(&[], true).unwrap_err();
    assert!(both.contains("`aB` and `a_b` would both be `aB` in TypeScript"), "{both}");
    assert!(both.contains("`kind` and `crate::Kind` would both be `Kind`"), "{both}");
    assert!(both.contains("lib.rs:3:") && both.contains("rename"), "{both}");
    let unlike = said(&[("Other", "Kind"), ("kind", "Kinds")], false).unwrap_err();
    assert!(unlike.contains("`crate::Other` and `crate::Kind` would both be `Kind`"), "{unlike}");
    let apart = said(&[("kind", "Kinds")], false).unwrap();
    assert!(apart.contains("export const enum Kinds {\n  ONE = 1,\n}"), "{apart}");
}

#[test]
#[cfg(feature = "c")]
fn a_header_gives_its_macros_and_the_bits_of_its_fields() {
    let folder = tempfile::tempdir().unwrap();
    let header = folder.path().join("api.h");
    fs::write(
        &header,
        "#include <stdint.h>\n#define MOST 12\n#define MASK 0xffffffffffffffffull\n\
         struct flags { uint32_t low : 3; uint32_t high : 5; uint8_t next; };\nvoid use(struct flags *flags);\n",
    )
    .unwrap();
    let config = Config {
        c: Some(upcall_bindgen::c::Input { headers: vec![header], ..Default::default() }),
        layouts: Some(Output { output: "layouts.ts".into(), ..Output::default() }),
        ..Config::default()
    };
    let mut diagnostics = Diagnostics::default();
    let generated = generate(&config, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    let text = &generated.unwrap().outputs[0].1[0].text;
    let expected = "
export const enum flags {
  $bytes = 4,
  low = 0, // u8
  low$shift = 0,
  low$width = 3,
  high = 0, // u8
  high$shift = 3,
  high$width = 5,
  next = 1, // u8
}

/** Constants that are in no module. */
export const enum Constants {
  MOST = 12,
}

export const Constants_MASK = 18446744073709551615n;
";
    assert_eq!(text.split_once('\n').unwrap().1, expected, "{text}");
}
