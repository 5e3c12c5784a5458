//! The tests of bindgen: one program, because linking each of them by itself takes longer than most of them do.

mod builder;
mod c_header;
mod c_headers;
mod c_hostile;
mod c_input;
mod c_libraries;
mod c_models;
mod c_targets;
mod c_values;
mod check_crates;
mod check_names;
mod check_run;
mod columns;
mod csharp;
mod csharp_bitfields;
mod csharp_check;
mod csharp_csbindgen;
mod csharp_diagnostics;
mod csharp_export;
mod csharp_handles;
mod csharp_headers;
mod csharp_language;
mod csharp_names;
mod csharp_packers;
mod csharp_safety;
mod drift_languages;
mod drift_library;
mod echo;
mod glue;
mod golden;
mod java_callbacks;
mod java_check;
mod java_ffm;
mod java_headers;
mod java_jni;
mod java_package;
mod java_packers;
mod java_safety;
mod java_typed;
mod kept;
mod limits;
mod packed_front;
mod python_check;
mod python_header;
mod python_names;
mod python_package;
mod python_packers;
mod python_refused;
mod python_relative;
mod python_safety;
mod rust_awkward;
mod rust_crates;
mod rust_hostile;
mod rust_outputs;
mod rust_packers;
mod rust_refused;
mod rust_source;
mod sdks;
mod two_shims;
mod typescript_c;
mod typescript_check;
mod typescript_edges;
mod typescript_layouts;
mod typescript_package;
mod typescript_packers;
mod typescript_safety;

use std::fs;
use std::path::Path;

#[test]
fn every_file_beside_this_one_is_part_of_it() {
    let this = include_str!("main.rs");
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        if let Some(module) = name.strip_suffix(".rs").filter(|module| *module != "main") {
            assert!(this.contains(&format!("\nmod {module};\n")), "main.rs has no `mod {module};`");
        }
    }
}
