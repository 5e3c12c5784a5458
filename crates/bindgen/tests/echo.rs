//! The echo library of the check compiles and answers as its probes say.

use std::fs;
use std::path::Path;
use std::process::Command;
use upcall_bindgen::check::{AFTER, BEFORE, Echo, MISMATCH};
use upcall_bindgen::model::{Api, Body, Declared, Field, Float, Int, Layout, Place, Record, Ty};

fn api() -> Api {
    let field = |name: &str, ty, offset| Field {
        name: name.into(),
        ty,
        offset,
        bits: None,
        docs: String::new(),
        public: true,
    };
    let fields = vec![
        field("x", Ty::Float(Float::F32), 0),
        field("name", Ty::pointer(Ty::Int(Int::U8), false), 8),
        field("odd", Ty::Array { of: Box::new(Ty::Int(Int::U16)), len: 3 }, 16),
    ];
    let point = Declared {
        name: "Point".into(),
        source: "crate::Point".into(),
        docs: String::new(),
        deprecated: None,
        place: Place::default(),
        layout: Some(Layout { size: 24, align: 8 }),
        body: Body::Struct(Record { fields, ..Record::default() }),
        idiom: None,
    };
    Api { types: vec![point], ..Api::default() }
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Point {
    x: f32,
    name: *const u8,
    odd: [u16; 3],
}

fn build(echo: &Echo, folder: &Path) -> std::path::PathBuf {
    for file in &echo.files {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &file.text).unwrap();
    }
    let library = folder.join("libecho.so");
    let status = Command::new("rustc")
        .args(["--edition", "2024", "--crate-type", "cdylib", "-o"])
        .arg(&library)
        .arg(folder.join("src/lib.rs"))
        .status()
        .unwrap();
    assert!(status.success());
    library
}

#[test]
fn the_library_tells_what_it_saw_and_answers_with_another_value() {
    let echo = Echo::new(&api());
    let folder = tempfile::tempdir().unwrap();
    let library = build(&echo, folder.path());
    let probe = &echo.probes[0];
    // SAFETY: the library was just made for this struct; the signatures are those of `Probe`.
    unsafe {
        let library = libloading::Library::new(library).unwrap();
        let mismatch = library.get::<extern "C" fn() -> i32>(MISMATCH).unwrap();
        let name = probe.by_value.as_deref().unwrap();
        let by_value = library.get::<extern "C" fn(i32, Point, f64) -> Point>(name).unwrap();
        let by_pointer =
            library.get::<extern "C" fn(*const Point, *mut Point)>(probe.by_pointer.as_str()).unwrap();
        let sent = probe.sent.as_ptr().cast::<Point>().read_unaligned();
        let expected = probe.returned.as_ptr().cast::<Point>().read_unaligned();

        let mut found = by_value(BEFORE, sent, AFTER);
        assert_eq!(mismatch(), -1);
        assert_eq!((found.x, found.name, found.odd), (expected.x, expected.name, expected.odd));
        assert_ne!(found.odd, sent.odd);
        by_value(BEFORE + 1, sent, AFTER);
        assert_eq!(mismatch(), -2);
        by_value(BEFORE, sent, 0.0);
        assert_eq!(mismatch(), -3);

        by_pointer(&sent, &mut found);
        assert_eq!((mismatch(), found.odd), (-1, expected.odd));
        let mut wrong = sent;
        wrong.odd[1] ^= 1;
        by_pointer(&wrong, &mut found);
        assert_eq!(mismatch(), 18);
    }
}
