//! Which interpreters a Python package's extension refuses.

use upcall_glue_python::supported::supported;

#[test]
fn cpython_from_3_11_to_3_14_is_supported() {
    for version in [
        "3.11.0 (main, Oct 24 2022, 18:26:48) [GCC 12.2.0]",
        "3.13.0 (main, May  9 2026, 03:08:48) [GCC 12.2.0]",
        "3.14.0rc2+ (heads/3.14:abc, Aug 1 2025, 00:00:00) [Clang 18]",
    ] {
        assert_eq!(supported(version), Ok(()), "{version}");
    }
}

#[test]
fn other_interpreters_are_refused_by_their_version_and_build() {
    for (version, expected) in [
        ("3.10.13 (main) [GCC]", "Python 3.10.13 is too old: "),
        ("3.15.0a1 (main) [GCC]", "Python 3.15.0a1 is newer than this library knows: "),
        ("4.0.0 (main) [GCC]", "Python 4.0.0 is newer than this library knows: "),
        ("3.13.0 experimental free-threading build (main) [GCC]", "Python 3.13.0 is a free-threaded build: "),
        ("3.14.0 free-threading build (main) [GCC]", "Python 3.14.0 is a free-threaded build: "),
        ("", "Python  is too old: "),
    ] {
        let why = supported(version).unwrap_err();
        assert!(why.starts_with(expected), "{why}");
        assert!(why.ends_with("supports CPython 3.11 to 3.14 with the global interpreter lock"), "{why}");
    }
}
