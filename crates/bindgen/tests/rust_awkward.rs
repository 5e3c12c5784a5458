//! The library of awkward cases is itself sound: it builds, and exports what its sources say.

use std::path::Path;

#[test]
fn the_awkward_library_builds_and_its_functions_can_be_called() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/awkward");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("awkward");
    let mut cargo = bindgen_tests::cargo();
    cargo.args(["build", "--quiet", "--manifest-path"]).arg(folder.join("Cargo.toml"));
    assert!(bindgen_tests::built(cargo.arg("--target-dir").arg(&target)), "the library compiles");
    let name = format!("{}awkward{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    // SAFETY: the library has no initializers, and each symbol is called with its own type.
    unsafe {
        let library = libloading::Library::new(target.join("debug").join(name)).expect("it loads");
        let add = library.get::<extern "C" fn(i32, i32) -> i32>(b"add").expect("add");
        assert_eq!(add(i32::MAX, 1), i32::MIN);
        let plus_one = library.get::<extern "C" fn(i32) -> i32>(b"plus_one").expect("the exported name");
        assert_eq!(plus_one(4), 5);
        let root = library.get::<extern "C" fn(f64) -> f64>(b"made_root").expect("what a macro made");
        assert_eq!(root(9.0), 3.0);
        let computed = library.get::<extern "C" fn(u8) -> u8>(b"computed_of").expect("computed_of");
        assert_eq!([2, 8, 9, 101].map(|value| computed(value)), [2, 8, 9, 101]);
        assert_eq!(**library.get::<*const u32>(b"VERSION").expect("a static"), 7);
        assert!(
            library.get::<extern "C" fn(i32) -> i32>(b"increment").is_err(),
            "it is exported as plus_one"
        );
    }
}
